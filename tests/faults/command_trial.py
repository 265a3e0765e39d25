"""One command that is killed before one of its steps and typed again: then all is as if it never was."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tests.cli.terminal import IDS, Terminal
from tests.faults.trial import BESIDE, BESIDE_STATEMENT, CUT_SHORT, every_note_parses
from tests.services.crash_driver import COMMIT_ELSEWHERE, EVERY_STEP, Ended, in_child, kill_at
from tests.world import World
from vaultmem.services.inbox import waiting
from vaultmem.store.temporaries import is_temporary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.terminal import Result
    from tests.faults.command_scenes import CommandScene

WRITES = (*EVERY_STEP, COMMIT_ELSEWHERE)
"""Before which of its steps a command is killed."""
_STANDING = {"VM304", "VM310", "VM330", "VM974"}
"""Findings that scenes begin with: a copy, what an agent changed, what nobody ratified."""
_BUG = 3
_OURS = ("vault/Memory/System/", "home0/state/", "home0/cache/", "kept/")
"""Where machine files lie, whose names hold times and devices."""


class Typed(Terminal):
    """A terminal in the vault, which is named."""

    def run(self, *arguments: str, **more: str | None) -> Result:
        """Run `vaultmem --vault .` with these arguments."""
        return super().run("--vault", ".", *arguments, **more)


class Looked(NamedTuple):
    """What a person can see of a vault and of this machine."""

    live: list[tuple[str, ...]]
    waits: list[str]
    files: dict[str, str]


class CommandTrial:
    """A vault and a home that can be put back to how a scene begins, and how it ends in peace."""

    def __init__(self, folder: Path, scene: CommandScene) -> None:
        self._scene = scene
        self._folder, self._kept = folder / "now", folder / "kept"
        world = World(self._folder)
        world.memory(BESIDE, BESIDE_STATEMENT, category="pattern")
        world.here.sync()
        self._named = scene.prepare(world, self.terminal(1))
        world.here.sync()
        world.close()
        shutil.copytree(self._folder, self._kept)
        self.code = self._type(2)
        assert self.code in (0, 1), self.code
        self._ends = self._look(3)
        self._again = self._type(4)

    def terminal(self, seed: int) -> Terminal:
        """The person's terminal, at the time that it is."""
        made = Typed(self._folder / "vault", self._folder / "home0", seed=seed)
        made.now = datetime.now().astimezone()
        return made

    def begin(self) -> None:
        """Put everything back."""
        shutil.rmtree(self._folder)
        shutil.copytree(self._kept, self._folder)

    def act(self) -> None:
        """The command, in a process of its own."""
        self._type(5)

    def run(self, at: int) -> Ended:
        """Begin anew, kill the command before its `at`th step, type it again, and compare."""
        self.begin()
        ended = kill_at(self.act, at, steps=WRITES)
        with self._opened(100 + at) as world:
            every_note_parses(world)
        # a process of its own, as the sync that follows: an app remembers nothing of a killed one
        assert not (left := in_child(lambda: self._sync(300 + at), lambda: None).said), left
        code = self._type(200 + at)
        assert code in (self.code, self._again), (code, ended)
        looked = self._look(400 + at)
        assert looked == self._ends, self._difference(looked)
        return ended

    def _type(self, seed: int) -> int:
        given = [word.format(**self._named) for word in self._scene.words]
        done = self.terminal(seed).run(*given, stdin=self._scene.stdin)
        assert done.code != _BUG, done
        return done.code

    def _sync(self, seed: int) -> str:
        with self._opened(seed) as world:
            done = world.here.sync()
            left = {one.code for one in done.findings} - CUT_SHORT - _STANDING
            again = world.here.sync()
        settled = (again.changes, again.applied) == ((), 0)
        return "" if settled and not left else f"{done.findings} {again}"

    @contextmanager
    def _opened(self, seed: int) -> Iterator[World]:
        world = World.attach(self._folder / "vault", self._folder / "home0", seed=seed)
        try:
            yield world
        finally:
            world.close()

    def _look(self, seed: int) -> Looked:
        with self._opened(seed) as world:
            world.here.sync()
            call = world.here.call()
            live = [
                (one.statement, one.status, one.layer, one.category, str(one.force), one.path)
                for one in call.vault.baseline.standings()
            ]
            waits = sorted(one.candidate.memory.statement for one in waiting(call))
        return Looked(sorted(live), waits, dict(self._files()))

    def _files(self) -> Iterator[tuple[str, str]]:
        """Every file that is no machine's, with its text where it holds no id or time."""
        for place in sorted(self._folder.rglob("*")):
            name = place.relative_to(self._folder).as_posix()
            if not place.is_file() or name.startswith(_OURS) or is_temporary(place.name):
                continue
            text = place.read_bytes().decode(errors="replace")
            text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.+Z]*", "…", IDS.sub("…", text))
            yield IDS.sub("…", name), text

    def _difference(self, looked: Looked) -> str:
        files = {
            name: (self._ends.files.get(name), looked.files.get(name))
            for name in self._ends.files.keys() | looked.files.keys()
            if self._ends.files.get(name) != looked.files.get(name)
        }
        return json.dumps([files, looked[:2], self._ends[:2]], indent=1, default=str)[:4_000]
