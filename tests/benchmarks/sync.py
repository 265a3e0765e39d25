"""How long a sync takes that finds nothing, one edit, or a whole new vault."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, milliseconds, processes
from tests.benchmarks.vaults import Site
from vaultmem.notes.frontmatter import get_properties
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

IN_PROCESS, AS_COMMAND = 5, 8
"""Times the bare walk that a sync without changes may take."""
ONE_EDIT_MS = 100
LARGE = 10_000
"""Memories from which the command's goal holds; with fewer, starting Python is most of it."""


def bare_walk(folder: Path) -> int:
    """What any sync must do at least: list every folder and stat every entry."""
    count, pending = 0, [str(folder)]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    count += 1
    return count


def measure(site: Site) -> Iterator[Figure]:
    """The figures of one settled vault."""
    size = f"{site.memories:,}"
    with site.app() as app:
        call = app.call()
        walk = milliseconds(lambda: bare_walk(site.vault))
        nothing = milliseconds(lambda: sync(call))
        goal = IN_PROCESS * walk
        yield Figure(f"no-change sync, {size}", nothing, "ms", goal, walk, "bare walk")
        one = milliseconds(_Edits(site, lambda: sync(call)))
        goal += ONE_EDIT_MS
        yield Figure(f"one-edit sync, {size}", one, "ms", goal, nothing, "no-change sync")
    site.settle()
    command = site.command("sync")
    wall = 1000 * processes(command, env=site.environment, cwd=site.vault).wall
    walk = milliseconds(lambda: bare_walk(site.vault))
    most = AS_COMMAND * walk if site.memories >= LARGE else None
    yield Figure(f"sync command, {size}", wall, "ms", most, walk, "bare walk")


class _Edits:
    """A person's edit of one memory's statement, then the sync that finds it."""

    def __init__(self, site: Site, action: Callable[[], object]) -> None:
        self._notes = sorted((site.vault / "Memory" / "Lessons").glob("*.md"))
        self._action = action
        self._number = 0

    def __call__(self) -> None:
        note = self._notes[self._number % len(self._notes)]
        self._number += 1
        note.write_bytes(note.read_bytes() + b"\nA line more.\n")
        self._action()


def first(memories: int, knowledge: int, name: str) -> Iterator[Figure]:
    """The first sync of a vault that nobody has looked at, against reading and parsing it."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), memories, knowledge=knowledge)
        start = time.perf_counter()
        for path in site.vault.rglob("*.md"):
            get_properties(path.read_bytes())
        alone = time.perf_counter() - start
        start = time.perf_counter()
        site.first_sync()
        taken = time.perf_counter() - start
        yield Figure(f"first sync, {name}", taken, "s", None, alone, "read + parse")
