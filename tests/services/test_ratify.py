"""Whose version gets force: the one that the person was shown, by a name that means one thing."""

from __future__ import annotations

import pytest

from vaultmem.core.model import Category
from vaultmem.errors import AmbiguousIdError, EditRefusedError, NoteChangedError
from vaultmem.services.capture import Wish, add
from vaultmem.services.forget import forget
from vaultmem.services.inbox import ratify_named
from vaultmem.services.lookup import find_memory
from vaultmem.services.ratify import ratify_seen, unreviewed

TEXT = "Use UTC in every table."
NOTE = "Memory/Lessons/Use UTC in every table.md"


@pytest.fixture
def pinned(world):
    """A pinned memory that was there at the first look, so that it has no force yet."""
    identifier = world.memory(NOTE, TEXT, category="lesson", pinned="true")
    world.here.sync()
    return identifier


def shown(world):
    (one,) = unreviewed(world.here.call())
    return one


def edit_by_tool(world, old, new):
    world.here.open_window(0)
    world.replace(NOTE, old, new)
    return world.here.sync(agent="pi")


def force(world, identifier):
    return find_memory(world.here.call(), identifier).standing.force


def test_what_was_shown_gets_force(world, pinned):
    assert ratify_seen(world.here.call(), shown(world)).accepted == "force"
    assert force(world, pinned)
    assert world.here.sync().changes == ()


def test_an_agents_edit_while_the_person_looks_is_not_accepted_with_it(world, pinned):
    seen = shown(world)
    edit_by_tool(world, "UTC", "the local zone")
    done = ratify_seen(world.here.call(), seen)
    assert done.statement == TEXT
    found = find_memory(world.here.call(), pinned)
    assert (found.decoded.memory.statement, bool(found.standing.force)) == (TEXT, True)
    assert "the local zone" in world.read(NOTE), "it waits"
    assert [one.code for one in world.here.sync().findings] != []


def test_a_hand_edit_while_the_person_looks_is_shown_first(world, pinned):
    seen = shown(world)
    world.replace(NOTE, "UTC", "the local zone")
    with pytest.raises(NoteChangedError, match="while you looked"):
        ratify_seen(world.here.call(), seen)


@pytest.fixture
def proposed(world):
    """An agent's candidate that a memory of the person's may be confused with."""
    world.here.sync()
    app = world.here.app(agent="pi")
    return add(app.call(), app.engine, Wish(text=TEXT, category=Category.LESSON))


def by_person(world):
    app = world.here.app()
    return add(app.call(), app.engine, Wish(text=TEXT, category=Category.LESSON))


def test_a_name_does_not_choose_an_agents_candidate_before_a_persons_memory(world, proposed):
    memory = by_person(world)
    for name in (TEXT, TEXT.removesuffix(".")):
        with pytest.raises(AmbiguousIdError, match=f"{proposed.id}.*{memory.id}"):
            ratify_named(world.here.call(), name)
    assert world.path(proposed.path).exists()
    assert ratify_named(world.here.call(), memory.id).accepted == "nothing"
    assert ratify_named(world.here.call(), proposed.id).accepted == "candidate"


def test_a_candidate_is_ratified_by_its_name_where_no_memory_has_it(world, proposed):
    assert ratify_named(world.here.call(), TEXT).accepted == "candidate"


def test_a_memory_without_a_note_is_not_meant_beside_a_candidate(world, proposed):
    memory = by_person(world)
    world.path(memory.path).unlink()
    world.here.sync()
    assert ratify_named(world.here.call(), TEXT).accepted == "candidate"


def test_a_forgotten_memory_is_not_ratified_by_what_was_shown(world, pinned):
    seen = shown(world)
    forget(world.here.call(), pinned)
    with pytest.raises(EditRefusedError, match="is deleted"):
        ratify_seen(world.here.call(), seen)
    assert not force(world, pinned)
