"""`--project` of every command: a name means one project, an unknown one is refused or told."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.reference import every_command

TIDE, BAY = "github.com/harborline/tidewatch", "github.com/harborline/quay-web"

READING = {
    "report": ["report"],
    "topics": ["topics"],
    "render": ["render"],
    "export graph": ["export", "graph"],
    "export timeline": ["export", "timeline"],
    "export handoff": ["export", "handoff"],
    "export procedures": ["export", "procedures"],
    "export canvas": ["export", "canvas"],
    "export jsonl": ["export", "jsonl", "--to", "../out"],
    "export topics": ["export", "topics", "--to", "../out"],
    "enforce list": ["enforce", "list"],
    "enforce test": ["enforce", "test", "ls"],
    "review guideline list": ["review", "guideline", "list"],
}
FILTERING = {"session search", "session list", "session decisions"}
"""They take a part of a name: a session knows where it ran, whatever the vault knows."""
WRITING = {
    "add": ["add", "Never trust the clock.", "--category", "lesson"],
    "maintain ask": ["maintain", "ask", "Is the tide table right?"],
    "migrate": ["migrate", "markdown", "../old"],
    "review guideline add": ["review", "guideline", "add", "Skip generated files."],
    "off": ["off", "--write"],
    "on": ["on", "--write"],
    "notebook on": ["notebook", "on"],
    "notebook off": ["notebook", "off"],
    "detect": ["detect", "--capture", "--session", "s1"],
}
MAKING = sorted(WRITING.keys() - {"notebook on", "notebook off"})
"""With the notebook a project of which nothing is known is a slip of the fingers."""
reading = pytest.mark.parametrize("arguments", READING.values(), ids=READING)
writing = pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)


@pytest.fixture
def two(terminal):
    """Two memories, each of a project, and old notes beside the vault."""
    write(terminal.cwd.parent / "old" / "a.md", "- Count in metres.\n")
    terminal.ok("add", "Ask before a release.", "--category", "lesson", "--project", TIDE)
    terminal.ok("add", "Keep the tide table.", "--category", "lesson", "--project", BAY)
    return terminal


def test_every_command_with_a_project_is_looked_at():
    named = {
        " ".join(name)
        for name, command in every_command()
        if any("--project" in one.opts for one in command.params)
    }
    assert named == READING.keys() | WRITING.keys() | FILTERING


@reading
def test_a_project_that_nobody_has_is_refused_and_those_that_are_there_are_named(two, arguments):
    before = sorted(two.cwd.rglob("*.md"))
    done = two.run(*arguments, "--project", "nope")
    assert (done.code, done.out) == (17, "")
    assert TIDE in done.err
    assert BAY in done.err
    assert "vaultmem status" in done.err
    assert sorted(two.cwd.rglob("*.md")) == before, "no note is made for it"


@reading
def test_the_last_part_of_an_identity_is_enough(two, arguments):
    whole, short = (
        two.ok(*arguments, "--project", name).out for name in (TIDE.upper(), "harborline/tidewatch")
    )
    if arguments[0] != "render" and "--to" not in arguments:  # they say what they have done
        assert short == whole
        assert two.ok(*arguments, "--project", "tidewatch").out == whole


@reading
def test_what_may_be_several_projects_is_refused(two, arguments):
    two.ok("add", "Ask twice.", "--category", "lesson", "--project", "gitlab.com/me/tidewatch")
    done = two.run(*arguments, "--project", "tidewatch")
    assert done.code == 17
    assert "gitlab.com/me/tidewatch" in done.err
    assert "Give the whole identity" in done.err


@pytest.mark.parametrize("arguments", [WRITING[one] for one in MAKING], ids=MAKING)
def test_a_new_project_is_told(two, arguments):
    done = two.run(*arguments, "--project", "nope")
    assert done.code == 0
    assert "nope is a new project" in done.err


@writing
def test_a_known_project_is_not_new(two, arguments):
    assert two.run(*arguments, "--project", TIDE).err == ""
    done = two.run(*arguments, "--project", "tidewatch")
    assert done.err == f"vaultmem: tidewatch is taken for {TIDE}.\n"


def test_what_was_added_by_the_last_part_is_of_the_whole_project(two):
    two.ok("add", "Never trust the clock.", "--category", "lesson", "--project", "tidewatch")
    assert two.ok("status", "--json").json["projects"] == [BAY, TIDE]
    assert f"Projects  {BAY}," in two.ok("status").out


def test_the_project_of_the_working_folder_is_known_without_a_memory(two):
    here = two.ok("status", "--json").json["project"]
    assert two.run("report", "--project", here).code == 0


def test_a_project_that_a_person_just_wrote_into_a_note_is_known(two):
    write(
        two.cwd / "Memory/Lessons/New.md",
        "---\ntype: memory\ncategory: lesson\nproject: host/me/new\n---\nAsk first.\n",
    )
    assert "Ask first." in two.ok("report", "--project", "new").out


def test_eight_digits_of_a_first_commit_are_enough(two):
    commit = "0123456789abcdef0123456789abcdef01234567"
    two.ok("add", "Ask first.", "--category", "lesson", "--project", commit)
    assert "Ask first." in two.ok("report", "--project", commit[:8]).out
    assert two.run("report", "--project", commit[:7]).code == 17


def test_a_vault_without_projects_says_so(terminal):
    done = terminal.run("topics", "--project", "nope")
    assert done.code == 17
    assert "No memory is of a project yet." in done.err
