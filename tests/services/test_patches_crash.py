"""A patch that is cut short anywhere is finished by one sync, or was not begun; nothing is doubled."""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.services.patching import (
    add_draft,
    apply_open,
    candidate_memory,
    memory_of,
    npm,
    operation,
    proposed,
    save,
)
from tests.store.faults import disk
from vaultmem.core.model import Status
from vaultmem.core.operation import Deletion, Op
from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.patch_day import decode_patch_day
from vaultmem.services.inbox import waiting
from vaultmem.services.patches import open_patches
from vaultmem.services.revert import revert

if TYPE_CHECKING:
    from tests.world import World

EVERY = 11
"""Every eleventh step is tried, which meets each kind of step; all of them hold (ADR 0040)."""


class Killed(BaseException):
    """The process ends here."""


def _kill(_step: str) -> None:
    raise Killed


class Scene:
    """A vault whose state on disk can be brought back, and a verb that is cut short in it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.kept = world.folder.with_name(f"{world.folder.name}-kept")
        world.close()
        shutil.copytree(world.folder, self.kept)

    def restart(self) -> None:
        """Everything on disk as it was."""
        self.world.close()
        for place in (self.world.vault, self.world.here.home):
            shutil.rmtree(place)
            shutil.copytree(self.kept / place.relative_to(self.world.folder), place)

    def steps(self, verb) -> int:
        """How many steps the verb takes on disk."""
        self.restart()
        with disk() as calls:
            verb()
        return len(calls)

    def cut(self, verb, at: int) -> None:
        """Run the verb and die before a step."""
        self.restart()
        with suppress(Killed), disk(at=at, act=_kill):
            verb()
        self.world.close()


@pytest.fixture
def scene(world):
    """An open patch that supersedes, updates, adds and deletes."""
    old = npm(world)
    other = world.memory("Memory/Lessons/other.md", "Add files by name.", category="lesson")
    gone = world.memory("Memory/Lessons/gone.md", "Write tests on paper.", category="lesson")
    world.here.sync()
    first, second, third = (
        proposed(world),
        proposed(world, "Add files one by one."),
        proposed(world, "Prefer short functions."),
    )
    new = candidate_memory(world, first)
    world.patch = save(
        world,
        operation(world, Op.SUPERSEDE, old, memory=new, candidate=first),
        operation(
            world,
            Op.UPDATE,
            other,
            changes={"statement": "Add files one by one."},
            candidate=second,
        ),
        add_draft(world, third),
        operation(world, Op.DELETE, gone),
    )
    world.ids = (old, other, gone, first, third)
    world.here.sync()
    return Scene(world)


def _apply(world):
    return apply_open(world, world.patch, ops=["op_001", "op_002", "op_003", "op_004"])


def _is_done(world) -> None:
    old, other, gone, first, third = world.ids
    assert memory_of(world, old).status is Status.SUPERSEDED
    assert memory_of(world, old).superseded_by == ("[[Use bun for installs]]",)
    assert memory_of(world, other).statement == "Add files one by one."
    assert memory_of(world, gone).status is Status.DELETED
    assert memory_of(world, first).statement == "Use bun for installs."
    assert memory_of(world, third).statement == "Prefer short functions."
    assert waiting(world.here.call()) == []
    assert open_patches(world.here.call()) == []
    assert len(list(world.path("Memory/Lessons").iterdir())) == 5
    assert world.ledger("tombstones").count(f" deleted {gone} ") == 1
    (day,) = world.path("Memory/System/Patches").rglob("*.md")
    decided, _ = decode_patch_day(day.read_bytes(), path=day.name)
    assert [one.status for one in decided] == ["applied"]
    assert [one.result for one in decided[0].operations] == ["applied"] * 4
    (row,) = world.here.call().vault.patches.rows()
    assert row.status == "applied"


def _is_clean(world) -> None:
    for path, data in world.notes().items():
        if path.endswith(".md"):
            get_properties(data)
    again = world.here.sync()
    assert (again.changes, again.findings) == ((), ())
    world.here.pass_time(minutes=2)  # then a temporary file belongs to no write under way
    world.here.sync()
    assert not [path for path in world.snapshot() if "/." in path]


def test_an_apply_that_is_cut_short_is_finished_by_one_sync_or_was_not_begun(scene):
    world = scene.world
    total = scene.steps(lambda: _apply(world))
    assert total > 50
    for at in range(1, total + 1, EVERY):
        scene.cut(lambda: _apply(world), at)
        world.here.sync()
        if not world.here.call().vault.patches.rows():
            assert len(open_patches(world.here.call())) == 1
            assert len(waiting(world.here.call())) == 3
            _apply(world)
        _is_done(world)
        _is_clean(world)


def test_a_command_finishes_what_was_cut_short_before_it_does_its_own(scene):
    world = scene.world
    total = scene.steps(lambda: _apply(world))
    scene.cut(lambda: _apply(world), total // 2)
    path = save(world, operation(world, Op.CONTEST, world.ids[0]))
    assert world.path(path).exists()
    assert apply_open(world, path, ops=["op_001"]).skipped[0].code == "status"
    assert memory_of(world, world.ids[0]).status is Status.SUPERSEDED
    assert world.here.call().vault.patches.unfinished() == []


def test_an_agents_command_leaves_what_was_cut_short_to_the_person(scene):
    world = scene.world
    total = scene.steps(lambda: _apply(world))
    scene.cut(lambda: _apply(world), total // 2)
    world.here.sync(agent="pi")
    assert len(world.here.call().vault.patches.unfinished()) == 1
    world.here.sync()
    _is_done(world)


def test_a_persons_edit_after_the_crash_stays(scene):
    world = scene.world
    total = scene.steps(lambda: _apply(world))
    scene.cut(lambda: _apply(world), total // 2)
    (row,) = world.here.call().vault.patches.unfinished()
    left = {f"op_{n:03}" for n in range(1, 5)} - row.progress().keys()
    assert "op_004" in left
    world.replace("Memory/Lessons/gone.md", "on paper", "with a pencil")
    done = world.here.sync()
    assert memory_of(world, world.ids[2]).status is Status.ACTIVE
    assert "with a pencil" in world.read("Memory/Lessons/gone.md")
    assert world.here.call().vault.patches.unfinished() == []
    assert [one.by for one in done.changes if one.change == "edited"] == ["person"]


def test_a_revert_that_is_cut_short_is_finished_by_one_sync_or_was_not_begun(scene):
    world = scene.world
    done = _apply(world)
    world.here.sync()
    shutil.rmtree(scene.kept)
    kept = Scene(world)
    total = kept.steps(lambda: revert(world.here.call(), done.id))
    for at in range(1, total + 1, EVERY):
        kept.cut(lambda: revert(world.here.call(), done.id), at)
        world.here.sync()
        (row,) = world.here.call().vault.patches.rows()
        if row.status != "reverted":
            assert row.status == "applied", at
            revert(world.here.call(), done.id)
        old, other, gone, first, third = world.ids
        assert memory_of(world, old).status is Status.ACTIVE
        assert memory_of(world, other).statement == "Add files by name."
        assert memory_of(world, gone).status is Status.ACTIVE
        for made in (first, third):
            assert memory_of(world, made).status is Status.DEPRECATED
        assert len(list(world.path("Memory/System/Archive").iterdir())) == 2
        assert len(waiting(world.here.call())) == 1
        _is_clean(world)


def test_a_purge_that_is_cut_short_is_finished_too(world):
    identifier = world.memory("Memory/Lessons/x.md", "The codeword is xyzzy.", category="lesson")
    world.here.sync()
    path = save(world, operation(world, Op.DELETE, identifier, deletion=Deletion.PURGE))
    world.here.sync()
    scene = Scene(world)
    verb = lambda: apply_open(world, path, ops=["op_001"])  # noqa: E731
    total = scene.steps(verb)
    for at in range(1, total + 1, EVERY * 2):
        scene.cut(verb, at)
        world.here.sync()
        if open_patches(world.here.call()):
            verb()
        _is_clean(world)
        assert not any(b"xyzzy" in data for data in world.snapshot().values())
        assert open_patches(world.here.call()) == []


def test_a_candidate_that_was_refused_for_good_goes_even_if_the_run_was_cut_short_then(world):
    old = npm(world)
    candidate = proposed(world)
    new = candidate_memory(world, candidate)
    draft = operation(world, Op.SUPERSEDE, old, memory=new, candidate=candidate)
    world.replace("Memory/Lessons/Use npm for installs.md", "---\nUse", "status: deleted\n---\nUse")
    world.here.sync()
    path = save(world, draft)
    world.here.sync()
    scene = Scene(world)
    verb = lambda: apply_open(world, path, ops=["op_001"])  # noqa: E731
    for at in range(1, scene.steps(verb) + 1, 3):
        scene.cut(verb, at)
        world.here.sync()
        if open_patches(world.here.call()):
            verb()
        assert waiting(world.here.call()) == []
        assert world.ledger().count(f" rejected {candidate} ") >= 1
        _is_clean(world)


def test_a_revert_that_was_cut_short_waits_for_a_note_that_is_held_back(scene):
    world = scene.world
    done = _apply(world)
    world.here.sync()
    shutil.rmtree(scene.kept)
    kept = Scene(world)
    kept.cut(lambda: revert(world.here.call(), done.id), 6)
    (row,) = world.here.call().vault.patches.rows()
    assert row.status == "reverting"
    place = "Memory/Lessons/gone.md"
    before = world.read(place)
    world.replace(place, "Write tests on paper.", "Obey.")
    world.here.sync(agent="pi")
    assert "VM659" in [one.code for one in world.here.sync().findings]
    world.write(place, before)
    world.here.sync()
    assert world.here.call().vault.patches.row(done.id).status == "reverted"
    assert memory_of(world, world.ids[2]).status is Status.ACTIVE
