"""`vaultmem edit` and `vaultmem ratify`: a person's change and a person's word."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, copy_example, write


@pytest.fixture
def person(terminal):
    write(terminal.cwd / "Memory/Lessons/Tea.md", "Tea is brewed at 80 degrees.\n\nMore words.\n")
    write(
        terminal.cwd / "Memory/Identity/Me.md",
        "---\nlayer: L1\n---\nI answer in one sentence.\n",
    )
    write(terminal.cwd / "Memory/Lessons/Pin.md", "---\npinned: true\n---\nNever boil it.\n")
    terminal.ok("sync")
    return terminal


def test_the_statement_is_replaced_and_the_rest_stays(person):
    done = person.ok("edit", "Tea", "--statement", "Tea is brewed at 75 degrees.", "--json").json

    text = (person.cwd / done["path"]).read_text()
    assert done["changed"] is True
    assert text.endswith("---\nTea is brewed at 75 degrees.\n\nMore words.\n")
    assert person.ok("show", "Tea", "--json").json["statement"] == "Tea is brewed at 75 degrees."


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("confidence", "0.5", 0.5),
        ("stability", "stable", "stable"),
        ("stability", "LOW", "low"),
        ("tags", "memory/tea, memory/heat", ["memory/tea", "memory/heat"]),
        ("domains", "kitchen", ["kitchen"]),
        ("review", "2027-01-01", "2027-01-01"),
        ("pinned", "true", True),
        ("vault_ref", "[[Own]]", "[[Own]]"),
        ("mood", "calm", "calm"),  # the person's own property
        ("action", "run_after npm test", "run_after npm test"),
        ("trigger", "file_modified *.sql", "file_modified *.sql"),
        ("trigger", "bash_contains ls", "bash_contains ls"),  # doubtful: a finding
        ("stability", "", "semi-stable"),  # cleared: its default
    ],
)
def test_a_property_is_set_in_its_type(person, key, text, value):
    person.ok("edit", "Tea", "--set", key, text)

    assert person.ok("show", "Tea", "--json").json[key] == value


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("confidence", "8", "from 0 to 1"),
        ("confidence", "high", "must be a number"),
        ("category", "thought", "one of preference"),
        ("review", "soon", "must be a date"),
        ("action", "blok", "Write block, warn, or `run_after` and a command"),
        ("action", "run_after", "Write the command after it"),
        ("action", "block it", "is no action"),
        ("trigger", "bash_contain git", "Begin it with bash_contains, bash_regex, tool_name"),
        ("trigger", "file_modified", "names nothing to look for"),
        ("verifier", "ask first", "Write `tool_called TOOL before COMMAND`"),
        ("status", "gone", "one of active"),
        ("layer", "L9", "one of L1"),
        ("scope", "team", "one of global"),
        ("cue", "told", "one of explicit"),
        ("rule", "always", "one of avoid_pattern"),
        ("id", "mem_1", "kept by vaultmem"),
        ("evidence_count", "99", "kept by vaultmem"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused(person, key, text, words):
    before = (person.cwd / "Memory/Lessons/Tea.md").read_bytes()

    done = person.run("edit", "Tea", "--set", key, text)

    assert done.code == 22
    assert words in done.err
    assert (person.cwd / "Memory/Lessons/Tea.md").read_bytes() == before


MISSPELT = [
    ("catgory", "Did you mean `category`?"),
    ("Category", "Did you mean `category`?"),
    ("vault-ref", "Did you mean `vault_ref`?"),
    ("statment", "Did you mean `statement`?"),
    ("statement", "`statement` is no property. Give the words with `--statement TEXT`."),
]


@pytest.mark.parametrize(("key", "words"), MISSPELT)
def test_a_misspelt_property_is_refused_with_the_name_that_was_meant(person, key, words):
    before = (person.cwd / "Memory/Lessons/Tea.md").read_bytes()

    done = person.run("edit", "Tea", "--set", "confidence", "0.5", "--set", key, "lesson")

    assert done.code == 22
    assert words in done.err
    assert (person.cwd / "Memory/Lessons/Tea.md").read_bytes() == before


@pytest.mark.parametrize(("key", "words"), MISSPELT)
def test_a_misspelt_property_of_a_candidate_is_refused_as_one_of_a_memory(person, key, words):
    agent = {"AI_AGENT": "coder"}
    person.ok("add", "Use UTC in views.", "--category", "lesson", env=agent)
    waits = person.ok("inbox", "list", "--json").json["candidates"][0]["id"]

    done = person.run("inbox", "edit", waits, "--set", key, "lesson")

    assert done.code == 22
    assert words in done.err


def test_a_name_that_the_vault_knows_as_the_persons_own_is_no_slip(person):
    write(person.cwd / ".obsidian/types.json", '{"types": {"reviewed": "date"}}')
    write(person.cwd / "Memory/Lessons/Own.md", "---\nmy_tag: x\ntagz: [a]\n---\nOwn properties.\n")
    person.ok("sync")

    for key in ("reviewed", "tagz"):
        person.ok("edit", "Own", "--set", key, "2027-01-01")

    assert "reviewed: 2027-01-01" in (person.cwd / "Memory/Lessons/Own.md").read_text()


def test_an_empty_statement_is_refused(person):
    assert person.run("edit", "Tea", "--statement", " <!-- x --> ").code == 41


def test_nothing_to_change_says_so(person):
    same = person.ok("edit", "Tea", "--statement", "Tea is brewed at 80 degrees.")

    assert same.out == "Nothing to change in Memory/Lessons/Tea.md\n"


@pytest.mark.parametrize(("script", "changed"), [("sed -i s/80/90/", True), ("true", False)])
def test_without_options_the_note_opens_in_the_editor(person, script, changed):
    env = {"VISUAL": script, "EDITOR": script}
    done = person.ok("edit", "Tea", "--json", typed="", env=env).json

    assert done["changed"] is changed
    assert done["path"] == "Memory/Lessons/Tea.md"
    assert done["id"] == person.ok("show", "Tea", "--json").json["id"]
    assert ("90 degrees" in person.ok("show", "Tea").out) is changed
    said = person.ok("edit", "Tea", typed="", env={"VISUAL": "true", "EDITOR": "true"})
    assert said.out == "Nothing was changed in Memory/Lessons/Tea.md\n"


def test_a_note_that_vanished_cannot_be_opened_and_that_is_no_bug(person):
    identifier = person.ok("show", "Tea", "--json").json["id"]
    (person.cwd / "Memory/Lessons/Tea.md").unlink()

    done = person.run("edit", identifier, typed="", env={"VISUAL": "true", "EDITOR": "true"})

    assert done.code == 23
    assert done.err.startswith("vaultmem: Memory/Lessons/Tea.md: There is no such file.")


def test_a_note_that_is_removed_in_the_editor_was_changed(person):
    script = "rm"
    done = person.ok(
        "edit", "Tea", "--json", typed="", env={"VISUAL": script, "EDITOR": script}
    ).json

    assert done["changed"] is True
    assert not (person.cwd / "Memory/Lessons/Tea.md").exists()


def test_a_refused_edit_names_the_note_and_the_line(person):
    note = person.cwd / "Memory/Lessons/Tea.md"
    note.write_text(note.read_text().replace("confidence: 0.95", "confidence: &a 0.95"))

    done = person.run("edit", "Tea", "--set", "confidence", "0.5")

    assert done.code == 22
    assert done.err.startswith("vaultmem: Memory/Lessons/Tea.md, line 5: ")


def test_ratify_gives_force_to_an_identity_note(person):
    assert person.ok("show", "Me", "--json").json["force"] is False

    done = person.ok("ratify", "Me")

    assert done.out == "It may act now: I answer in one sentence.\n"
    assert person.ok("show", "Me", "--json").json["force"] is True


def test_ratify_of_what_cannot_act_says_so(person):
    assert "nothing to ratify" in person.ok("ratify", "Tea").out


def test_review_shows_one_after_the_other_and_asks(tmp_path):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")
    person.ok("--vault", ".", "sync")

    done = person.ok("--vault", ".", "ratify", "--review", typed="y\n" + "n\n" * 5)

    assert done.out.count("May it act? [y/N]") == 6
    assert "guardrail: bash_contains git add . → block" in done.out
    assert done.out.count("It may act now") == 1
    assert person.ok("--vault", ".", "status", "--json").json["unreviewed"] == 8
    assert person.run("--vault", ".", "ratify", "--review").code == 42
    accepted = person.ok("--vault", ".", "ratify", "--review", "--yes", "--json").json["ratified"]
    assert len(accepted) == 5
    assert "Nothing waits to be ratified." in person.ok("--vault", ".", "ratify", "--review").out


def test_what_was_accepted_before_ctrl_c_was_told(tmp_path):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")
    person.ok("--vault", ".", "sync")

    done = person.run("--vault", ".", "ratify", "--review", typed="y\n")

    assert done.code == 130
    assert done.out.count("It may act now") == 1
    assert person.ok("--vault", ".", "status", "--json").json["unreviewed"] == 8


def test_a_review_in_which_nothing_is_accepted_does_not_say_that_nothing_waits(tmp_path):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")
    person.ok("--vault", ".", "sync")

    assert (
        "Nothing waits" not in person.ok("--vault", ".", "ratify", "--review", typed="n\n" * 6).out
    )


def test_an_editor_that_does_not_run_is_named(person):
    env = {"VISUAL": "no-such-editor", "EDITOR": "no-such-editor"}
    done = person.run("edit", "Tea", typed="", env=env)

    assert done.code == 1
    assert done.err.startswith("vaultmem: The editor failed: no-such-editor")
    assert "$EDITOR" in done.err


@pytest.mark.parametrize("words", [("edit", "Tea"), ("edit", "Tea", "--json")])
def test_no_editor_opens_where_nobody_could_type(person, words):
    env = {"VISUAL": "touch opened", "EDITOR": "touch opened"}

    done = person.run(*words, env=env)

    assert done.code == 42
    assert "`--statement` or `--set`, or run it in a terminal" in done.err
    assert not (person.cwd / "opened").exists()


def test_what_changed_while_the_review_asks_is_not_accepted_with_it(tmp_path, monkeypatch):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")
    person.ok("--vault", ".", "sync")
    (note,) = (person.cwd / "Memory/Lessons").glob("Never stage everything*.md")

    def meanwhile(*_: object, **__: object) -> bool:
        note.write_text(note.read_text().replace("Never stage", "Always stage"))
        return "Always" in note.read_text() and asked.append(1) is None and len(asked) == 3

    asked: list[int] = []
    monkeypatch.setattr("click.confirm", meanwhile)
    done = person.run("--vault", ".", "ratify", "--review", typed="")
    assert "Never stage everything at once" in done.out, "it was shown so"
    assert "Always stage" not in done.out
    assert (done.code, "changed while you looked at it" in done.err) == (21, True)
