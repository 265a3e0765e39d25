"""What changes while an agent could write is held: the last version stays in force."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.core.fakes import fake
from tests.world import NOTE, codes
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.ratify import ratify
from vaultmem.services.syncing.observe import observe


def _statement(world, identifier):
    return world.here.call().vault.baseline.standing(identifier).statement


def _inbox(world):
    return [path for path in world.notes() if path.startswith("Memory/Inbox/")]


def test_an_agents_command_that_meets_an_edit_holds_it_with_a_difference(world, known):
    world.replace(NOTE, "Add files by name.", "Add everything.")
    before = world.read(NOTE)
    done = world.here.sync(agent="pi")
    assert (done.edited, done.external) == (0, 1)
    assert "VM310" in [one.code for one in done.findings]
    assert _statement(world, known) == "Add files by name."
    assert world.read(NOTE) == before
    (candidate,) = _inbox(world)
    text = world.read(candidate)
    assert "type: candidate" in text
    assert "trust: agent_inference" in text
    assert "decision:" in text
    assert "-Add files by name." in text
    assert "+Add everything." in text


def test_it_is_held_once_and_stays_external_for_the_person_too(world, known):
    world.replace(NOTE, "Add files by name.", "Add everything.")
    world.here.sync(agent="pi")
    done = world.here.sync()
    assert done.external == 0
    assert "VM310" in [one.code for one in done.findings]
    assert _statement(world, known) == "Add files by name."
    world.path(NOTE).touch()
    world.here.sync(agent="pi")
    assert len(_inbox(world)) == 1


def test_a_person_accepts_it_with_ratify(world, known):
    world.replace(NOTE, "Add files by name.", "Add everything.")
    world.here.sync(agent="pi")
    assert ratify(world.here.call(), NOTE).accepted == "version"
    assert _statement(world, known) == "Add everything."
    assert "VM310" not in [one.code for one in world.here.sync().findings]


def test_a_person_who_puts_the_old_text_back_ends_it(world, known):
    old = world.read(NOTE)
    world.replace(NOTE, "Add files by name.", "Add everything.")
    world.here.sync(agent="pi")
    world.write(NOTE, old)
    done = world.here.sync()
    assert "VM310" not in [one.code for one in done.findings]
    assert _statement(world, known) == "Add files by name."


def test_a_new_note_of_an_agent_is_not_in_force(world, known):
    world.write("Memory/Preferences/x.md", "---\npinned: true\n---\nObey.\n")
    before = world.read("Memory/Preferences/x.md")
    done = world.here.sync(agent="pi")
    assert done.external == 1
    assert [one.id for one in world.here.call().vault.baseline.standings()] == [known]
    assert world.read("Memory/Preferences/x.md") == before
    ratified = ratify(world.here.call(), "Memory/Preferences/x.md")
    assert _statement(world, ratified.id) == "Obey."


def test_a_removal_by_an_agent_leaves_the_memory_in_force(world, known):
    world.path(NOTE).unlink()
    done = world.here.sync(agent="pi")
    assert (done.deleted, done.external) == (0, 1)
    assert _statement(world, known) == "Add files by name."
    done = world.here.sync()
    assert done.deleted == 0
    assert "VM314" in [one.code for one in done.findings]
    assert ratify(world.here.call(), known).accepted == "removal"
    assert world.here.call().vault.baseline.memory(known).state == "missing"


def _edit(world):
    world.replace(NOTE, "Add files by name.", "Add everything.")


def _remove(world):
    world.path(NOTE).unlink()


def _move(world):
    world.path("Memory/Decisions").mkdir(parents=True, exist_ok=True)
    world.path(NOTE).rename(world.path("Memory/Decisions/x.md"))


def _make(world):
    world.memory("Memory/Lessons/new.md", "Use tabs.")


@pytest.mark.parametrize("act", [_edit, _remove, _move, _make])
def test_what_waits_for_the_person_costs_no_sync_at_each_command(world, known, act):
    act(world)
    world.here.sync(agent="pi")
    told = codes(world.here.sync())
    world.here.close_windows(time.time_ns())
    world.here.sync()  # nothing is too new to be trusted by now
    assert observe(world.here.call().vault).clean
    assert codes(world.here.sync()) == told != []


def test_restyling_by_an_agents_formatter_is_nothing(world, known):
    world.replace(NOTE, "category: lesson", "category: 'lesson'")
    done = world.here.sync(agent="pi")
    assert done.external == 0
    assert _inbox(world) == []


def test_differences_wait_while_a_tool_is_running(world, known):
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        world.here.open_window(time.time_ns(), pid=process.pid)
        world.replace(NOTE, "Add files by name.", "Add everything.")
        done = world.here.sync()
        assert done.changes == ()
        assert "VM317" in [one.code for one in done.findings]
        assert _statement(world, known) == "Add files by name."
    finally:
        process.kill()
        process.wait()
    # the window ends with its process; what changed inside it is external, for anybody
    done = world.here.sync()
    assert done.external == 1
    assert _statement(world, known) == "Add files by name."


def test_a_change_after_the_window_is_the_persons(world, known):
    world.here.open_window(time.time_ns() - 2_000_000_000)
    world.here.close_windows(time.time_ns() - 1_000_000_000)
    world.replace(NOTE, "Add files by name.", "Add each file.")
    assert world.here.sync().edited == 1
    assert _statement(world, known) == "Add each file."


def test_a_change_inside_a_closed_window_is_external(world, known):
    world.here.open_window(time.time_ns())
    world.replace(NOTE, "Add files by name.", "Add everything.")
    world.here.close_windows(time.time_ns() + 1_000_000)
    assert world.here.sync().external == 1
    assert _statement(world, known) == "Add files by name."


def test_a_broken_note_that_an_agent_moves_leaves_the_memory_where_it_was(world):
    identifier = world.memory("Memory/Lessons/a.md", "Use tabs.")
    world.here.sync()
    world.write("Memory/Lessons/a.md", "---\nid: [\n---\nUse tabs.\n")
    world.here.sync()
    world.path("Memory/Decisions").mkdir(parents=True, exist_ok=True)
    world.path("Memory/Lessons/a.md").rename(world.path("Memory/Decisions/a.md"))
    done = world.here.sync(agent="pi")
    assert "VM314" in [one.code for one in done.findings]
    assert world.here.call().vault.baseline.memory(identifier).path == "Memory/Lessons/a.md"


def test_a_note_with_a_secret_in_any_property_is_not_ratified(world):
    world.here.sync()
    world.memory("Memory/Lessons/a.md", "Use tabs.", change_condition=f"ghp_{fake(36)} ends")
    world.here.sync(agent="pi")
    with pytest.raises(CaptureRefusedError, match="secret"):
        ratify(world.here.call(), "Memory/Lessons/a.md")
