"""Real processes of the command line, killed at random moments: what they printed as done is there."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.faults.catalogue import fault
from tests.faults.scenes import standing
from tests.faults.trial import CUT_SHORT, clean, every_note_parses
from tests.world import World
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add

LONGEST = 1.5
"""Seconds; a command takes about one."""
WRITING = 0.2
"""Seconds that a command goes on after it began to write; most of them is not the disk's."""


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("add", "Use device {number} for task {number}.", "--category", "decision", "--json"),
    ("sync", "--json"),
    ("contest", "{victim}", "--json"),
    ("deprecate", "{victim}", "--json"),
    ("forget", "{victim}", "--yes", "--json"),
    ("forget", "{victim}", "--purge", "--yes", "--json"),
    ("undo", "--yes", "--json"),
)
"""What is killed; all but the first change a memory that was made for it."""


class Terminal:
    """A person who types commands at one machine, which fails now and then."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("AI_AGENT", "PI_CODING_AGENT")
        } | {"VAULTMEM_HOME": str(world.here.home)}

    def run(
        self, arguments: list[str], *, seconds: float | None = None, writing: bool = False
    ) -> tuple[int, str]:
        """Run a command; kill it so many seconds after it began, or began to write."""
        before = self._signs()
        process = subprocess.Popen(
            [sys.executable, "-m", "vaultmem", "--vault", str(self._world.vault), *arguments],
            env=self._environment,
            cwd=Path(__file__).parents[2],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        if seconds is not None:
            while writing and process.poll() is None and self._signs() == before:
                time.sleep(0.001)
            time.sleep(seconds)
            process.kill()
        said, trouble = process.communicate(timeout=120)
        assert "Traceback" not in trouble, trouble
        assert process.returncode != 3, trouble
        return process.returncode, said

    def _signs(self) -> list[tuple[str, int]]:
        """What shows that something is being written: names and times of the vault's files."""
        found = []
        for place in self._world.vault.rglob("*"):
            with suppress(FileNotFoundError):  # a temporary file that was renamed
                found.append((place.as_posix(), place.lstat().st_mtime_ns))
        return found


@fault("kill_moment")
def test_killed_at_random_moments_nothing_that_was_reported_is_lost(
    tmp_path, effort, play_seed, trials
):
    chance = random.Random(play_seed)
    world = World(tmp_path)
    world.here.sync()
    terminal = Terminal(world)
    kept = [_add(world, "Add files by name.")]
    for number in range(effort.moments):
        victim = _add(world, f"Use tool {number} for job {number}.")
        command = chance.choice(COMMANDS)
        arguments = [part.format(victim=victim, number=number) for part in command]
        before = world.notes()
        writing = chance.random() < 0.7
        seconds = chance.uniform(0, WRITING) if writing else chance.uniform(0.05, LONGEST)
        code, said = terminal.run(arguments, seconds=seconds, writing=writing)
        print(f"{arguments[0]} answered {code}")
        every_note_parses(world, before)
        done = world.here.sync()
        assert {one.code for one in done.findings} <= CUT_SHORT, (arguments, done.findings)
        assert world.here.sync().changes == ()
        clean(world, allowed=frozenset())
        if command[0] == "add":
            kept += [victim, *([json.loads(said)["id"]] if code == 0 else [])]
        lost = [one for one in kept if standing(world, one).status != "active"]
        assert not lost, (arguments, lost)
        gone = standing(world, victim) is None or standing(world, victim).status == "deleted"
        assert gone or code != 0 or command[0] != "forget", "it was reported"
        world.here.close()
        trials.add()
    world.close()


def _add(world: World, statement: str) -> str:
    """What the person added before, in peace."""
    app = world.here.app()
    done = add(app.call(), app.engine, Wish(text=statement, category=Category.LESSON))
    assert done.outcome == "added", done
    return done.id
