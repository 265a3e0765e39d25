"""`vaultmem undo` says first what it takes back, and asks where the person's own act is newer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.cli.terminal import write

TEXT = "Add files by name."
NAME = "Add files by name"


@pytest.fixture
def person(terminal):
    """A memory that a patch has contested."""
    write(terminal.cwd / "Memory/Lessons/Add files by name.md", f"{TEXT}\n")
    terminal.ok("sync")
    terminal.ok("contest", NAME)
    return terminal


def said(done) -> str:
    return " ".join((done.out + done.err).split())


def later(terminal):
    terminal.now += timedelta(minutes=1)
    return terminal


def own(terminal, verb):
    if verb == "add":
        later(terminal).ok("add", "Prefer tea.", "--category", "preference")
        return "Your own `add` of “Prefer tea.” is taken back with `vaultmem forget "
    write(terminal.cwd / "Memory/Lessons/Tea.md", "Tea is hot.\n")
    terminal.ok("sync")
    later(terminal).ok("forget", "Tea")
    return "Your own `forget` of “Tea is hot.” is taken back with `vaultmem edit "


def test_it_says_before_what_it_takes_back(person):
    lines = later(person).ok("undo").out

    assert "The last change is patch_" in lines
    assert f"  contest: {TEXT}\n  Reverted op_001 (contest)" in lines
    assert "applied with `vaultmem contest` on 2026-11-29" in " ".join(lines.split())


@pytest.mark.parametrize("verb", ["add", "forget"])
def test_where_the_persons_own_act_is_newer_nothing_is_undone_unasked(person, verb):
    words = own(person, verb)

    for flag in ([], ["--json"]):
        done = later(person).run("undo", *flag)
        assert done.code == 42
        assert words in said(done)
    assert person.ok("show", NAME, "--json").json["status"] == "contested"
    person.ok("undo", "--yes", "--json")
    assert person.ok("show", NAME, "--json").json["status"] == "active"


@pytest.mark.parametrize(("answer", "status"), [("y\n", "active"), ("n\n", "contested")])
def test_a_person_who_types_is_asked(person, answer, status):
    words = own(person, "add")

    done = later(person).run("undo", typed=answer)

    assert words in said(done)
    assert person.ok("show", NAME, "--json").json["status"] == status


def test_an_act_that_was_taken_back_as_it_says_is_not_in_the_way(person):
    words = own(person, "forget")
    way = said(later(person).run("undo")).partition(words)[2].partition("`")[0].split()

    later(person).ok("edit", *way)

    person.ok("undo")


def test_an_add_that_was_forgotten_is_the_forget_that_is_in_the_way(person):
    words = own(person, "add")
    (name,) = said(later(person).run("undo")).partition(words)[2].partition("`")[0].split()

    later(person).ok("forget", name)

    told = said(person.run("undo"))
    assert f"Your own `forget` of “Prefer tea.” is taken back with `vaultmem edit {name}" in told


def test_an_act_before_the_patch_is_not_in_the_way(terminal):
    terminal.ok("add", TEXT, "--category", "lesson")
    later(terminal).ok("contest", NAME)

    later(terminal).ok("undo")


def test_with_nothing_to_undo_it_names_the_way_of_the_own_act(terminal):
    assert "Look at `vaultmem patch list --all`" in said(terminal.run("undo"))
    terminal.ok("add", TEXT, "--category", "lesson")

    done = terminal.run("undo")

    assert done.code == 45
    assert f"Your own `add` of “{TEXT}” is taken back with `vaultmem forget " in said(done)


def test_what_was_approved_in_the_note_is_said_to_be_decided_in_the_inbox(terminal):
    write(terminal.cwd / "Memory/Inbox/Tea.md", "Tea is brewed at 80 degrees.\n")
    terminal.ok("sync")
    (candidate,) = (terminal.cwd / "Memory/Inbox").glob("*.md")
    text = candidate.read_text()
    write(candidate, text.replace("decision:", "decision: approve", 1))
    later(terminal).ok("sync")

    assert "applied as you decided in the inbox on" in said(later(terminal).run("undo"))
