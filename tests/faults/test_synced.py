"""Two devices and a sync program that is late, tears files and keeps copies: they agree in the end."""

from __future__ import annotations

import random
import re
from collections import Counter

from tests.faults.catalogue import fault
from tests.faults.sync_program import SyncProgram
from tests.faults.told import IN_FORCE
from tests.services.test_devices import Synced
from vaultmem.core.conflict import is_conflict_copy
from vaultmem.core.model import Category
from vaultmem.errors import VaultmemError
from vaultmem.services.capture import Wish, add
from vaultmem.services.forget import forget
from vaultmem.services.standing_change import contest

STEPS = 10
ROUNDS = 8
"""So often everything is carried until both folders are the same."""


class Play:
    """Two people's days in one: verbs at both devices, and files that come when they come."""

    def __init__(self, folder, seed: int) -> None:
        self.chance = random.Random(seed)
        self.synced = Synced(folder)
        self.worlds = (self.synced.desk, self.synced.laptop)
        self.program = SyncProgram(*(one.vault for one in self.worlds), self.chance)
        self.said: dict[str, str] = {}
        self.touched: Counter[str] = Counter()
        """By id, how many acts were about it: which of two wins, the sync program decides."""
        self.forgotten: set[str] = set()
        for world in self.worlds:  # whose a file is can be asked where the other device is known
            self._add(world, STEPS + len(self.said))
            self.program.finish()
            for one in self.worlds:
                one.here.sync()

    def step(self, number: int) -> None:
        at = self.chance.randrange(2)
        world = self.worlds[at]
        act = self.chance.choice((self._add, self._add, self._edit, self._forget, self._contest))
        try:
            act(world, number)
        except VaultmemError as error:
            print(f"{number} {act.__name__}: {error}")
        self.program.carry(self.chance.randrange(2))
        for one in self.worlds:
            one.here.pass_time(seconds=20)
            one.here.sync(accept_deletions=True)
            self._nothing_is_gone(one)

    def _add(self, world, number: int) -> None:
        app = world.here.app()
        text = f"Use tool {number} for zq{number}."
        done = add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))
        if done.outcome == "added":
            self.said[done.id] = text

    def _one_of(self, world):
        rows = world.here.call().vault.baseline.memories(state="live")
        found = [row for row in rows if row.id in self.said and world.path(row.path).exists()]
        row = self.chance.choice(found) if found else None
        if row is not None:
            self.touched[row.id] += 1
        return row

    def _edit(self, world, number: int) -> None:
        row = self._one_of(world)
        if row is not None:
            data = world.path(row.path).read_bytes()
            world.path(row.path).write_bytes(re.sub(rb"Use tool", b"Take tool", data))

    def _forget(self, world, number: int) -> None:
        row = self._one_of(world)
        if row is not None and forget(world.here.call(), row.id):
            self.forgotten.add(row.id)

    def _contest(self, world, number: int) -> None:
        row = self._one_of(world)
        if row is not None:
            contest(world.here.call(), row.id)

    def _nothing_is_gone(self, world) -> None:
        """A torn or empty file takes no memory out of force."""
        folder = self.worlds.index(world)
        baseline = world.here.call().vault.baseline
        for known, path in self.program.torn:
            for row in baseline.notes_with_id(path) if known == folder else ():
                assert baseline.memory(row.id).state == "live", path

    def settle(self) -> None:
        """Everything arrives, and both devices have looked at it."""
        for _ in range(ROUNDS):
            differed = self.program.finish()
            for one in self.worlds:
                one.here.pass_time(minutes=11)
                one.here.sync(accept_deletions=True)
            if not differed:
                return
        raise AssertionError("the two devices write at each other without an end")

    def check(self) -> None:
        """DESIGN §12 nos. 1, 2, 3, 6, 17."""
        first, second = map(self._live, self.worlds)
        assert first == second, set(first.items()) ^ set(second.items())
        for identifier, text in self.said.items():
            if identifier not in self.touched:
                assert first.get(identifier) == (text, "active"), text
        assert not (back := [one for one in self.forgotten if one in first]), back
        for world in self.worlds:
            told = {one.path for one in world.here.sync().findings if one.code == "VM301"}
            live = {one.path for one in world.here.call().vault.baseline.standings()}
            copies = {
                place.relative_to(world.vault).as_posix()
                for place in world.path("Memory").glob("[A-Z]*/*.md")
                if is_conflict_copy(place.name)
            }
            assert not copies & live, "a copy is never read"
            assert {one for one in copies if "/System/" not in one} <= told

    @staticmethod
    def _live(world) -> dict[str, tuple[str, str]]:
        standings = world.here.call().vault.baseline.standings()
        return {one.id: (one.statement, one.status) for one in standings if one.status in IN_FORCE}


@fault("synced")
def test_two_devices_agree_however_late_torn_and_doubled_files_come(
    memory, effort, play_seed, trials
):
    for number in range(effort.synced):
        play = Play(memory / f"{number}", play_seed + number)
        for step in range(STEPS):
            play.step(step)
        play.settle()
        play.check()
        play.synced.close()
        trials.add()
