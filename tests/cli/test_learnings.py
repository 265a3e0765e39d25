"""`vaultmem learnings`: a list for scripts and pipes, a dialogue at a terminal."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write

KEYS = {
    "id", "path", "statement", "category", "layer", "status", "project", "confidence", "pinned",
    "force", "unreviewed", "age_days", "mark", "out",
}  # fmt: skip


@pytest.fixture
def person(terminal):
    old = "created: 2026-08-01T10:00:00\nreinforced: 2026-08-01T10:00:00"
    write(
        terminal.cwd / "Memory/Lessons/Tea.md", f"---\n{old}\n---\nTea is brewed at 80 degrees.\n"
    )
    write(terminal.cwd / "Memory/Patterns/Pin.md", "---\npinned: true\n---\nName tests well.\n")
    write(terminal.cwd / "Memory/Identity/Me.md", "---\nlayer: L1\n---\nI am brief.\n")
    write(terminal.cwd / "Memory/Lessons/Old.md", "---\nstatus: deprecated\n---\nUse pipes.\n")
    terminal.ok("sync")
    return terminal


def test_a_pipe_gets_a_plain_list_the_pinned_first(person):
    done = person.ok("learnings").out

    assert done.startswith("  1  Name tests well.\n")
    assert ", pattern, pinned, acts" in done
    assert ", identity, unreviewed" in done
    assert ", 120 days old\n" in done
    assert "Use pipes." not in done
    assert done.endswith("3 memories.\n")
    assert max(map(len, done.splitlines())) <= 80


def test_all_shows_what_is_out_of_force_and_why(person):
    done = person.ok("learnings", "pipes", "--all").out

    assert ", lesson, deprecated" in done
    assert done.endswith("1 memory.\n")


def test_a_query_and_a_category_narrow_it(person):
    for arguments in (["tea"], ["--category", "lesson"]):
        (one,) = person.ok("learnings", *arguments, "--json").json["learnings"]
        assert set(one) == KEYS
        assert (one["statement"], one["mark"]) == ("Tea is brewed at 80 degrees.", 90)
    (one,) = person.ok("learnings", "--category", "identity", "--json").json["learnings"]
    assert one["layer"] == "L1"
    assert person.ok("learnings", "nothing of it").out.startswith("Nothing was learned that fits.")


def test_an_agent_gets_the_plain_list_also_at_a_terminal(person):
    done = person.ok("learnings", typed="q\n", screen=True, env={"AI_AGENT": "coder"}).out

    assert done.endswith("3 memories.\n")


def _talk(person, typed, *arguments, **more):
    return person.ok("learnings", *arguments, typed=typed, screen=True, **more).out


def test_the_dialogue_lists_and_leaves(person):
    for typed in ("q\n", "", "Q\n"):
        done = _talk(person, typed)
        assert done.startswith("  1  Name tests well.\n")
        assert done.endswith("Left.\n")


def test_a_number_shows_a_memory_and_enter_the_next_one(person):
    done = _talk(person, "1\n\n9\n")

    assert done.count("  lifecycle: ") == 2
    assert "The last number is 3." in done
    assert _talk(person, "\n").count("  lifecycle: ") == 1


def test_a_pin_is_set_and_taken_off_by_its_number(person):
    done = _talk(person, "p 3\np\np 1\n")

    assert "Pinned: Tea is brewed at 80 degrees.\n" in done
    assert "Unpinned: Tea is brewed at 80 degrees.\n" in done
    assert "Unpinned: Name tests well.\n" in done
    assert person.ok("show", "Tea", "--json").json["pinned"] is False


def test_a_memory_is_deprecated_and_edited(person):
    env = {"VISUAL": "sed -i s/80/70/", "EDITOR": "true"}
    done = _talk(person, "e\ne 1\nx 1\n", "tea", env=env)

    assert "Say which one: give its number.\n" in done
    assert "Changed Memory/Lessons/Tea.md\n" in done
    assert "Out of use: Tea is brewed at 70 degrees.\n" in done
    assert person.ok("show", "Tea", "--json").json["status"] == "deprecated"


def test_an_edit_that_changes_nothing_says_so(person):
    done = _talk(person, "e 1\n", "tea", env={"VISUAL": "true", "EDITOR": "true"})

    assert "Nothing was changed in Memory/Lessons/Tea.md\n" in done


def test_a_refusal_is_told_and_the_dialogue_goes_on(person):
    done = _talk(person, "p 1\nn\nx 1\nx 1\n", "brief")

    assert "which changes only when you ratify it." in " ".join(done.split())
    assert "Nothing was changed. Answer `y` to ratify it." in done
    assert "Out of use: I am brief.\n" in done
    assert "Out of use already: I am brief.\n" in done


def test_ten_are_listed_at_once_and_more_on_demand(person):
    for number in range(12):
        write(person.cwd / f"Memory/Patterns/P{number}.md", f"Rule number {number} holds.\n")
    person.ok("sync")

    done = _talk(person, "m\nm\n", "rule holds")

    assert "… and 2 more\n" in done
    assert done.count("  Rule number ") == 12
    assert "That was the last one.\n" in done


@pytest.mark.parametrize("typed", ["z", "e x", "p 1 2", "\x1b[A"])
def test_what_is_no_key_is_named(person, typed):
    done = _talk(person, f"{typed}\n")

    assert "is no key here. Type ? for help." in done
    assert "\x1b" not in done


def test_help_tells_every_key(person):
    done = _talk(person, "?\n")

    for key in ("NUMBER", "e", "p", "x", "m", "q"):
        assert f"  {key:<8}" in done
