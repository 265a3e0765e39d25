"""Overviews: made once, made again when the memories change, and never over a person's edit."""

from __future__ import annotations

import pytest

from vaultmem.errors import AgentRefusedError
from vaultmem.services.forget import forget
from vaultmem.services.render import Outcome, render


@pytest.fixture
def known(world):
    """Two memories, one of a project; the id of the one that belongs to none."""
    world.here.sync()
    identifier = world.memory("Memory/Lessons/Tabs.md", "Use tabs.", category="lesson")
    world.memory("Memory/Lessons/Spaces.md", "Use spaces.", project="host/a/one")
    world.here.sync()
    return identifier


def outcomes(world, **options) -> dict[str, Outcome]:
    return {one.project: one.outcome for one in render(world.here.call(), **options)}


def path_of(world, project: str = "") -> str:
    (found,) = [one.path for one in render(world.here.call()) if one.project == project]
    return found


def test_there_is_one_overview_for_all_and_one_for_each_project(world, known):
    made = render(world.here.call())
    assert [one.project for one in made] == ["", "host/a/one"]
    assert all(one.outcome is Outcome.CREATED for one in made)
    assert all(world.here.id in one.path for one in made)
    everything, project = (world.read(one.path) for one in made)
    assert "- [[Tabs]]\n" in everything
    assert "- [[Spaces]]\n" in everything
    assert "- [[Tabs]]\n" not in project
    assert "- [[Spaces]]\n" in project
    assert world.here.sync().findings == ()


def test_what_would_say_the_same_is_not_written(world, known):
    render(world.here.call())
    before = world.snapshot()
    world.here.pass_time(days=40)
    assert set(outcomes(world).values()) == {Outcome.UNCHANGED}
    assert world.snapshot() == before


def test_a_change_of_the_memories_makes_it_again(world, known):
    path = path_of(world)
    old = world.read(path)
    world.memory("Memory/Lessons/Ruff.md", "Use ruff.", category="lesson")
    world.here.sync()
    assert outcomes(world) == {"": Outcome.UPDATED, "host/a/one": Outcome.UNCHANGED}
    new = world.read(path)
    assert "[[Ruff]]" in new
    assert new.split("\n# ")[0] == old.split("\n# ")[0]


def test_properties_of_the_persons_stay(world, known):
    path = path_of(world)
    world.replace(path, "type: report\n", "type: report\nmine: 7\n")
    world.memory("Memory/Lessons/Ruff.md", "Use ruff.", category="lesson")
    world.here.sync()
    assert outcomes(world)[""] is Outcome.UPDATED
    assert "mine: 7\n" in world.read(path)


def test_what_a_person_wrote_into_it_is_left_and_told(world, known):
    path = path_of(world)
    world.replace(path, "# All memories", "# My own heading")
    world.memory("Memory/Lessons/Ruff.md", "Use ruff.", category="lesson")
    world.here.sync()
    before = world.read(path)
    assert outcomes(world)[""] is Outcome.EDITED
    assert world.read(path) == before


def test_an_editor_that_trims_blanks_and_changes_line_ends_edits_nothing(world, known):
    path = path_of(world)
    head, body = world.read(path).split("\n# ")
    world.write(path, f"{head}\n# " + body.rstrip().replace("\n", "\r\n"))
    assert outcomes(world)[""] is Outcome.UNCHANGED


def test_a_note_whose_properties_are_broken_is_left(world, known):
    path = path_of(world)
    world.write(path, "---\nid: [\n---\nx\n")
    assert outcomes(world)[""] is Outcome.EDITED
    assert world.read(path) == "---\nid: [\n---\nx\n"


def test_a_deleted_overview_is_made_anew(world, known):
    path = path_of(world)
    world.path(path).unlink()
    assert outcomes(world)[""] is Outcome.CREATED


def test_one_project_alone_can_be_made(world, known):
    assert outcomes(world, project="host/a/one") == {"host/a/one": Outcome.CREATED}
    assert outcomes(world, project="") == {"": Outcome.CREATED}


def test_a_machine_without_the_key_knows_its_own_overview(world, known):
    other = world.device()
    for key in other.home.glob("state/vault_*/key"):
        key.unlink()
    other.sync()
    assert [one.outcome for one in render(other.call())] == [Outcome.CREATED, Outcome.CREATED]
    assert [one.outcome for one in render(other.call())] == [Outcome.UNCHANGED, Outcome.UNCHANGED]


def test_a_deleted_memory_is_in_no_overview(world, known):
    path = path_of(world)
    forget(world.here.call(), known)
    render(world.here.call())
    assert "Tabs" not in world.read(path)


def test_an_agent_renders_nothing(world, known):
    before = world.snapshot()
    with pytest.raises(AgentRefusedError, match="render"):
        render(world.here.call(agent="pi"))
    assert world.snapshot() == before


def test_nothing_is_made_where_there_is_no_memory_to_tell_of(world, known):
    assert render(world.here.call(), project="host/a/nobody") == ()
    forget(world.here.call(), known)
    world.path("Memory/Lessons/Spaces.md").unlink()
    world.here.sync()
    assert render(world.here.call(), project="") == ()
