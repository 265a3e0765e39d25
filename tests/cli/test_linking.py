"""Paths on a terminal are links that open the note; anywhere else they are only text."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tests.cli.terminal import Terminal, write
from vaultmem.cli.linking import linked
from vaultmem.cli.output import say, say_findings
from vaultmem.core.finding import finding

XTERM = {"TERM": "xterm-256color"}
LINK = re.compile("\x1b\\]8;;([^\x1b\x07]+)\x1b\\\\([^\x1b]*)\x1b\\]8;;\x1b\\\\")
STATEMENT = "Say what you do."
NAME = "Say what you do"
URI = "obsidian://open?vault=My%20vault&file=Memory%2FLessons%2FSay%20what%20you%20do.md"


@pytest.fixture
def person(tmp_path):
    """In a vault that Obsidian has open."""
    write(tmp_path / "My vault/.obsidian/app.json", "{}")
    made = Terminal(tmp_path / "My vault", tmp_path / "home")
    made.ok("init", ".", "--yes")
    made.ok("add", STATEMENT, "--category", "lesson")
    return made


def links(text):
    """What is shown as a link and where it leads; nothing else on the screen drives it."""
    assert "\x1b]" not in LINK.sub("", text)
    return {shown: uri for uri, shown in LINK.findall(text)}


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", NAME],
        ["why", NAME],
        ["search", "what you do"],
        ["search", "what you do", "--in", "all"],
        ["pin", NAME],
        ["edit", NAME, "--set", "stability", "stable"],
        ["note", "set", "Memory/Lessons/Say what you do.md", "rating", "3"],
    ],
    ids=" ".join,
)
def test_the_path_of_a_memory_is_a_link_on_a_terminal(person, arguments):
    plain = person.ok(*arguments).out
    shown = person.ok(*arguments, screen=True, env=XTERM).out

    assert links(shown) == {"Memory/Lessons/Say what you do.md": URI}
    if arguments[0] in ("show", "why", "search"):
        assert LINK.sub(r"\2", shown) == plain


def test_what_was_added_is_a_link(person):
    shown = person.ok("add", "Add files by name.", "--category", "lesson", screen=True, env=XTERM)
    assert set(links(shown.out)) == {"Memory/Lessons/Add files by name.md"}


def test_the_note_of_a_finding_is_a_link(person):
    write(person.cwd / "Memory/Lessons/Broken.md", "---\nid: [\n---\nx\n")
    shown = person.run("doctor", screen=True, env=XTERM).out
    assert set(links(shown)) == {"Memory/Lessons/Broken.md"}
    assert LINK.sub(r"\2", shown) == person.run("doctor").out


@pytest.mark.parametrize(
    "more",
    [
        {"env": XTERM},
        {"env": XTERM | {"NO_COLOR": "1"}, "screen": True},
        {"env": XTERM | {"AI_AGENT": "pi"}, "screen": True},
        {"env": {"TERM": "dumb"}, "screen": True},
        {"env": {"TERM": "linux"}, "screen": True},
        {"env": {"TERM": ""}, "screen": True},
    ],
    ids=["piped", "NO_COLOR", "agent", "dumb", "console", "no TERM"],
)
def test_where_nobody_could_follow_a_link_there_is_none(person, more):
    assert "\x1b" not in person.ok("show", NAME, **more).out


def test_json_on_a_terminal_has_no_link(person):
    assert "\x1b" not in person.ok("show", NAME, "--json", screen=True, env=XTERM).out


def test_the_user_config_switches_links_off(person):
    config = person.home / "config/config.yaml"
    config.write_text(config.read_text() + "obsidian_links: false\n")
    assert "\x1b" not in person.ok("show", NAME, screen=True, env=XTERM).out


def test_without_a_folder_of_obsidian_there_is_no_link(tmp_path):
    person = Terminal(tmp_path / "plain", tmp_path / "home")
    (tmp_path / "plain").mkdir()
    person.ok("init", ".", "--yes")
    person.ok("add", STATEMENT, "--category", "lesson")
    for place in sorted((person.cwd / ".obsidian").rglob("*"), reverse=True):
        place.unlink()
    (person.cwd / ".obsidian").rmdir()
    assert "\x1b" not in person.ok("show", NAME, screen=True, env=XTERM).out


def test_a_vault_within_the_one_that_obsidian_has_open_is_named_from_there(tmp_path):
    write(tmp_path / "Outer/.obsidian/app.json", "{}")
    write(tmp_path / "Outer/Inner/Memory/Settings.md", "---\ntype: settings\n---\nSettings.\n")
    person = Terminal(tmp_path / "Outer/Inner", tmp_path / "home")
    person.ok("--vault", ".", "add", STATEMENT, "--category", "lesson")
    shown = person.ok("--vault", ".", "show", NAME, screen=True, env=XTERM)
    (uri,) = links(shown.out).values()
    assert uri.endswith("vault=Outer&file=Inner%2FMemory%2FLessons%2FSay%20what%20you%20do.md")


def test_settings_that_only_init_made_are_no_vault_within_the_one_that_is_open(tmp_path):
    person = Terminal(tmp_path / "Outer/Inner", tmp_path / "home")
    person.cwd.mkdir(parents=True)
    person.ok("init", ".", "--exclude-system", "--yes")
    person.ok("obsidian", "install", "--yes")
    person.ok("add", STATEMENT, "--category", "lesson")

    def vault():
        (uri,) = links(person.ok("show", NAME, screen=True, env=XTERM).out).values()
        return re.findall(r"vault=(\w+)&file=(\w+)", uri)

    assert vault() == [("Inner", "Memory")]
    write(tmp_path / "Outer/.obsidian/appearance.json", "{}")
    assert vault() == [("Outer", "Inner")]
    write(person.cwd / ".obsidian/workspace.json", "{}")
    assert vault() == [("Inner", "Memory")], "Obsidian has opened it since"


def printed(person, do):
    """What a command prints that does this in the circumstances of a person at a terminal."""
    from vaultmem.cli import main

    @click.command
    def command() -> None:
        do()

    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(main.COMMANDS, "probe", f"{__name__}:probe")
        patched.setattr(f"{__name__}.probe", command, raising=False)
        return person.ok("probe", screen=True, env=XTERM).out


HOSTILE = [
    "esc \x1b]8;;https:evil\x1b\\ape",
    "bell \x07 and \x9d c1 \x9c",
    "mark [bold] & ?file=x %41",
    "tab\tand \u202e turned",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_of_a_note_gets_out_of_its_link(person, name):
    path = f"Memory/Lessons/{name}.md"
    write(person.cwd / path, "A hostile note.\n")

    shown = printed(person, lambda: say(f"See {path} now", note=path))

    ((text, uri),) = links(shown).items()
    assert "\x1b" not in LINK.sub("", shown)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202e]", text)
    assert re.fullmatch(r"obsidian://open\?vault=My%20vault&file=[A-Za-z0-9%._~-]+", uri)


@pytest.mark.parametrize("name", HOSTILE[:3])
def test_no_name_of_a_vault_gets_out_of_its_link(tmp_path, name):
    write(tmp_path / name / ".obsidian/app.json", "{}")
    write(tmp_path / name / "Memory/Settings.md", "---\ntype: settings\n---\nSettings.\n")
    person = Terminal(tmp_path / name, tmp_path / "home")
    person.ok("--vault", ".", "add", STATEMENT, "--category", "lesson")
    shown = person.ok("--vault", ".", "show", NAME, screen=True, env=XTERM)
    (uri,) = links(shown.out).values()
    assert re.fullmatch(r"obsidian://open\?vault=[A-Za-z0-9%._~-]+&file=[A-Za-z0-9%._~-]+", uri)


@pytest.mark.parametrize(
    "path",
    [
        "Memory/Lessons/Gone.md",
        "Memory/Lessons",
        "../home/config/config.yaml",
        ".obsidian/app.json",
        "Memory/Lessons/C#.md",
        "Memory/Lessons/two\nlines.md",
        "a\0b.md",
        f"{'x' * 300}.md",
    ],
)
def test_what_obsidian_cannot_open_is_text(person, path):
    for name in ("C#", "two\nlines"):
        write(person.cwd / f"Memory/Lessons/{name}.md", f"{name}.\n")
    assert "\x1b" not in printed(person, lambda: say(f"See {path} now", note=path))


def test_a_file_of_this_machine_is_text(person):
    config = person.home / "config/config.yaml"
    told = finding("VM204", "The user config cannot be read.", path=str(config))
    out = printed(person, lambda: say_findings([told]))
    assert "\x1b" not in out
    assert Path(config).name in out


def test_a_path_that_does_not_stand_in_the_line_makes_no_link(person):
    path = "Memory/Settings.md"
    out = printed(person, lambda: (say("Nothing.", note=path), say("Two", note=None)))
    assert out == "Nothing.\nTwo\n"


def test_where_no_vault_is_found_there_is_no_link(tmp_path):
    person = Terminal(tmp_path, tmp_path / "home")
    assert printed(person, lambda: say("See Home.md", note="Home.md")) == "See Home.md\n"


def test_outside_of_a_command_nothing_is_linked():
    assert linked("See Home.md", "Home.md", "Home.md") == "See Home.md"
