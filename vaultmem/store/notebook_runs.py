"""Which process works on the notebook when agents rest, and when the next one may: a private file.

All agents' processes of this machine look at it, so that of several only one starts a run. It is a
record of who runs; that no work is done twice is what the leases of jobs are for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.private import read_private, write_private
from vaultmem.store.process import Process, is_running

if TYPE_CHECKING:
    from pathlib import Path

NAME = "notebook-run"
LONGEST_WAIT = 7_200.0
"""Seconds; a moment further ahead than that is of a clock that was wrong, and not believed."""
NOBODY = Process(0)


class NotebookRun(NamedTuple):
    """The last run.

    Attributes:
        process: the one that works, `NOBODY` once it ended.
        next: before when no other one starts by itself, in seconds of the Unix epoch.
    """

    process: Process = NOBODY
    next: float = 0.0

    @property
    def works(self) -> bool:
        """Whether its process runs; one that was killed does not."""
        return self.process.pid > 0 and is_running(self.process)

    def may_follow(self, now: float) -> bool:
        """Whether another run may start by itself."""
        return not self.works and not now < self.next <= now + LONGEST_WAIT


def read_run(state: Path) -> NotebookRun:
    """The last run; one without a process where nothing can be read of it.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `read_private`.
    """
    fields = (read_private(state / NAME) or b"").decode("ascii", "replace").split("\t")
    try:
        pid, started, after = fields
        return NotebookRun(Process(int(pid), started), float(after))
    except ValueError:
        return NotebookRun()


def write_run(state: Path, run: NotebookRun) -> None:
    """Keep it; who starts a run holds the vault's lock from `read_run` on.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `write_private`.
    """
    pid, started = run.process
    write_private(state / NAME, f"{pid}\t{started}\t{run.next}".encode())
