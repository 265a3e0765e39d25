"""What an agent did stays out of force, whatever happens to the note afterwards, until `ratify`."""

from __future__ import annotations

import os
import shutil
import time

import pytest

from tests.world import NOTE, SAYS, codes
from vaultmem.core.model import Category
from vaultmem.errors import EditRefusedError
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.note_property import put
from vaultmem.services.ratify import ratify

MOVED = "Memory/Decisions/Add files by name.md"


def _statement(world, identifier):
    return world.here.call().vault.baseline.standing(identifier).statement


def _row(world, identifier):
    return world.here.call().vault.baseline.memory(identifier)


def _move(world, old, new):
    world.path(new).parent.mkdir(exist_ok=True)
    world.path(old).rename(world.path(new))


def _add(world, text, **options):
    app = world.here.app()
    return add(app.call(), app.engine, Wish(text=text, category=Category.LESSON, **options))


# saved again by somebody else, with the agent's words still in it


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # a linter of Obsidian touches the block
        ("type: memory", "type: 'memory'\nupdated: 2026-11-29T10:00:00"),
        # the person changes another property of it
        ("category: lesson", "category: lesson\nstability: stable"),
        ("category: lesson", "category: lesson\npinned: true"),
        # a line is added below
        ("Obey.", "Obey.\n\nMore."),
    ],
)
def test_saving_a_held_note_again_does_not_accept_it(world, known, old, new):
    world.replace(NOTE, SAYS, "Obey.")
    world.here.sync(agent="pi")
    world.replace(NOTE, old, new)
    done = world.here.sync()
    assert done.changes == ()
    assert "VM310" in codes(done)
    assert _statement(world, known) == SAYS
    assert len([path for path in world.notes() if path.startswith("Memory/Inbox/")]) == 1
    assert ratify(world.here.call(), NOTE).accepted == "version"
    assert _statement(world, known) == "Obey."


def test_a_person_who_rewrites_what_the_agent_wrote_is_heard(world, known):
    world.replace(NOTE, SAYS, "Obey.")
    world.here.sync(agent="pi")
    world.replace(NOTE, "Obey.", "Add each file.")
    (change,) = world.here.sync().changes
    assert (change.by, change.keys) == ("person", ("statement",))
    assert _statement(world, known) == "Add each file."
    # the agent's words are forgotten: what the person does next is the person's
    world.replace(NOTE, "Add each file.", "Obey.")
    world.here.sync()
    world.replace(NOTE, "Obey.", "Obey me.")
    assert world.here.sync().edited == 1


def test_a_new_note_of_an_agent_keeps_no_pin_of_its_own_under_the_persons_words(world, known):
    world.write("Memory/Lessons/x.md", "---\npinned: true\n---\nObey.\n")
    world.here.sync(agent="pi")
    world.replace("Memory/Lessons/x.md", "Obey.", "Be kind.")
    assert world.here.sync().changes == ()
    assert [one.id for one in world.here.call().vault.baseline.standings()] == [known]
    world.replace("Memory/Lessons/x.md", "pinned: true\n", "")
    assert world.here.sync().created == 1


def test_no_verb_accepts_a_held_version_in_passing(world, known):
    world.replace(NOTE, SAYS, "Obey.")
    world.here.sync(agent="pi")
    with pytest.raises(EditRefusedError, match="ratify"):
        edit(world.here.call(), known, properties={"stability": "stable"})
    put(world.here.call(), NOTE, "stability", ["stable"])
    assert _statement(world, known) == SAYS


# an old word of ours explains nothing new


def test_an_agent_that_puts_an_old_version_back_is_no_device(world):
    world.here.sync()
    done = _add(world, "Use UTC.")
    old = world.read(done.path)
    world.replace(done.path, "Use UTC.", "Use local time.")
    world.here.sync()
    world.write(done.path, old)
    assert world.here.sync(agent="pi").external == 1
    assert _statement(world, done.id) == "Use local time."


def test_a_person_who_puts_an_old_version_back_is_the_person(world):
    world.here.sync()
    done = _add(world, "Use UTC.", pin=True)
    old = world.read(done.path)
    world.replace(done.path, "Use UTC.", "Use local time.")
    world.here.sync()
    world.write(done.path, old)
    (change,) = world.here.sync().changes
    assert change.by == "person"
    assert world.here.call().vault.baseline.standing(done.id).force == 1, "a pin is their word"


def test_a_move_that_happened_before_does_not_explain_an_agents_move_and_edit(world, known):
    _move(world, NOTE, MOVED)
    world.here.sync()
    _move(world, MOVED, NOTE)
    world.here.sync()
    _move(world, NOTE, MOVED)
    world.replace(MOVED, SAYS, "Obey.")
    assert world.here.sync(agent="pi").external == 1
    assert _statement(world, known) == SAYS


# places


def test_a_note_that_an_agent_moved_stays_where_it_was_until_ratified(world, known):
    _move(world, NOTE, MOVED)
    assert world.here.sync(agent="pi").external == 1
    for _ in range(2):
        done = world.here.sync()
        assert done.changes == ()
        assert "VM310" in codes(done)
    assert (_row(world, known).state, _row(world, known).path) == ("live", NOTE)
    assert ratify(world.here.call(), known).accepted == "version"
    assert (_row(world, known).state, _row(world, known).path) == ("live", MOVED)
    assert codes(world.here.sync()) == []


def test_a_note_that_an_agent_moved_and_the_person_moved_back_is_as_before(world, known):
    _move(world, NOTE, MOVED)
    world.here.sync(agent="pi")
    _move(world, MOVED, NOTE)
    assert codes(world.here.sync()) == []
    assert (_row(world, known).state, _row(world, known).path) == ("live", NOTE)
    world.path(NOTE).unlink()
    assert world.here.sync().deleted == 1


def test_a_note_that_an_agent_removed_is_told_once_and_may_return_and_go(world, known):
    text = world.read(NOTE)
    world.path(NOTE).unlink()
    assert world.here.sync(agent="pi").external == 1
    done = world.here.sync()
    assert done.changes == ()
    assert "VM314" in codes(done)
    world.write(NOTE, text)
    assert codes(world.here.sync()) == []
    world.path(NOTE).unlink()
    (change,) = world.here.sync().changes
    assert (change.change, change.by) == ("deleted", "person")


def test_many_notes_that_an_agent_removed_are_never_the_persons_deletion(world, known):
    for number in range(4):
        world.memory(f"Memory/Patterns/{number}.md", f"Fact {number}.", category="pattern")
    world.here.sync()
    for number in range(4):
        world.path(f"Memory/Patterns/{number}.md").unlink()
    assert world.here.sync(agent="pi").external == 4
    world.here.sync(accept_deletions=True)
    assert len(world.here.call().vault.baseline.standings()) == 5


def test_a_file_that_keeps_its_old_time_was_put_there_inside_the_window(world, known):
    source = world.folder / "outside.md"
    source.write_text("Obey.\n")
    os.utime(source, (1, 1))
    time.sleep(0.02)
    baseline = world.here.call().vault.baseline
    world.here.open_window(time.time_ns())
    time.sleep(0.02)
    shutil.move(source, world.path("Memory/Lessons/x.md"))
    time.sleep(0.02)
    world.here.close_windows(time.time_ns())
    assert world.here.sync().external == 1
    assert [one.id for one in baseline.standings()] == [known]


def test_a_copy_that_an_agent_made_gets_no_id_of_its_own(world, known):
    copy = "Memory/Lessons/copy.md"
    shutil.copy(world.path(NOTE), world.path(copy))
    world.replace(copy, SAYS, "Obey.")
    (change,) = world.here.sync(agent="pi").changes
    assert change.by == "external"
    app = world.here.app()
    found = doctor(app.call(), set_up=(), crash_log=world.folder / "none", fix=True)
    assert found.fixed == ()
    assert "VM304" in [one.code for one in found.findings]
    # nor does it take the place of the original
    world.path(NOTE).unlink()
    world.here.sync()
    assert _statement(world, known) == SAYS


def test_an_agent_that_moves_the_original_leaves_the_copy_a_copy(world, known):
    copy = "Memory/Lessons/z.md"
    shutil.copy(world.path(NOTE), world.path(copy))
    world.here.sync()
    _move(world, NOTE, MOVED)
    world.here.sync(agent="pi")
    for _ in range(2):
        assert world.here.sync().changes == ()
    assert (_row(world, known).state, _row(world, known).path) == ("live", NOTE)


def test_breaking_and_mending_a_held_note_does_not_accept_it(world, known):
    world.replace(NOTE, SAYS, "Obey.")
    world.here.sync(agent="pi")
    world.write(NOTE, world.read(NOTE).replace("---\n", "---\nbroken: [\n", 1))
    world.here.sync()
    world.write(NOTE, f"---\nid: {known}\ntype: 'memory'\n---\nObey.\n")
    done = world.here.sync()
    assert done.changes == ()
    assert "VM310" in codes(done)
    assert _statement(world, known) == SAYS
