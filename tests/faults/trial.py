"""One verb that is killed before one of its steps, and what must hold after the next sync."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.scenes import standing
from tests.services.crash_driver import DONE, Ended, kill_at
from tests.world import World
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.doctor import doctor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.scenes import Scene
    from vaultmem.services.sync import SyncResult

    Fault = Callable[[Callable[[], object]], Ended]
    """Runs a verb, and lets something go wrong meanwhile."""

BESIDE = "Memory/Patterns/Beside.md"
BESIDE_STATEMENT = "Keep the changelog short."
"""A memory that no scene speaks of."""

CUT_SHORT = frozenset({"VM408", "VM411"})
"""Findings that a kill may leave once: a torn ledger line, an editor's version put back."""
STANDING = frozenset({"VM330"})
"""Findings that the scenes begin with."""


class Trial:
    """A vault and a home that can be put back to how a scene begins."""

    def __init__(self, folder: Path, scene: Scene) -> None:
        self.scene = scene
        self._folder = folder / "now"
        self._kept = folder / "kept"
        world = World(self._folder)
        self._beside = world.memory(BESIDE, BESIDE_STATEMENT, category="pattern")
        world.here.sync()
        self.name = scene.prepare(world)
        if not scene.unseen:
            world.here.sync()
        world.close()
        shutil.copytree(self._folder, self._kept)

    def run(self, at: int) -> Ended:
        """Begin anew, kill the verb before its `at`th step, then ask for what must hold."""
        return self.under(lambda verb: kill_at(verb, at), number=at)

    def under(self, fault: Fault, *, number: int) -> Ended:
        """Begin anew, let the fault run the verb, then ask for what must hold.

        Args:
            fault: runs what it is given, and makes something go wrong meanwhile.
            number: of the trial; what is random follows from it.
        """
        before = self.begin(number)
        ended = fault(self.act)
        with self.opened(500 + number) as world:
            self._check(world, before, ended)
        return ended

    def begin(self, number: int) -> dict[str, bytes]:
        """Put everything back to how the scene begins; its notes."""
        shutil.rmtree(self._folder)
        shutil.copytree(self._kept, self._folder)
        with self.opened(100 + number) as world:
            return world.notes()

    @property
    def vault(self) -> Path:
        """Where the vault lies in every trial."""
        return self._folder / "vault"

    @contextmanager
    def opened(self, seed: int) -> Iterator[World]:
        """The vault as one more process sees it."""
        world = World.attach(self._folder / "vault", self._folder / "home0", seed=seed)
        try:
            yield world
        finally:
            world.close()

    def act(self) -> object:
        """The verb, in a process of its own."""
        with self.opened(5) as world:
            return self.scene.act(world, self.name)

    def _check(self, world: World, before: dict[str, bytes], ended: Ended) -> None:
        every_note_parses(world, before)
        done = world.here.sync()
        left = {one.code for one in done.findings} - CUT_SHORT - STANDING
        assert not left, done.findings
        by_person = [one for one in done.changes if one.by == "person" and one.change != "decided"]
        assert len(by_person) <= self.scene.persons, "our write is no person's"
        again = world.here.sync()
        assert (again.changes, again.applied) == ((), 0)
        clean(world)
        assert standing(world, self._beside).statement == BESIDE_STATEMENT
        assert world.notes()[BESIDE] == before[BESIDE]
        kept = self.scene.kept(world, self.name)
        promised = ended.code == DONE and not self.scene.answers
        assert kept or not promised, f"{ended.said} was reported"
        assert kept or self.scene.undone(world, self.name), "it was half done"


def every_note_parses(world: World, before: dict[str, bytes] | None = None) -> None:
    """Whatever was being written is old or new, never half."""
    for path, data in world.notes().items():
        if path.endswith(".md") and data != (before or {}).get(path):
            get_properties(data)


def settles(world: World) -> SyncResult:
    """A second sync has nothing left to do; what it found."""
    world.here.sync()
    again = world.here.sync()
    assert (again.changes, again.applied) == ((), 0)
    return again


def clean(world: World, *, allowed: frozenset[str] = STANDING) -> None:
    """`doctor` finds nothing that the scene did not begin with."""
    app = world.here.app()
    found = doctor(app.call(), set_up=(), crash_log=Path("none"))
    assert {one.code for one in found.findings} <= allowed, found.findings
