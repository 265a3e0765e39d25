"""Holds a claimed job while a worker works: says that it lives, and notices when it must stop."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import VaultmemError
from vaultmem.store.notebook.jobs import GLOBAL, JobKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.notebook.jobs import Claimed

JOB = (JobKind.CONSOLIDATE, GLOBAL)
"""The job that is held, of which there is one."""


class Pace(NamedTuple):
    """How often a worker looks around, in seconds."""

    look: float = 2.0
    """For newer input."""
    beat: float = 45.0
    """For its lease: at least every 60 s, by facts/notebook.md §1 and §14."""


USUAL_PACE = Pace()


class Holding:
    """A context in which the job's lease is renewed by a thread of its own.

    Attributes:
        claimed: what is held.
        lost: the job is another worker's.
        outdated: the input changed since the job was claimed.
    """

    def __init__(
        self,
        catalog: NotebookCatalog,
        claimed: Claimed,
        now: float,
        stop: Callable[[], bool],
        pace: Pace,
    ) -> None:
        self.lost = False
        self.outdated = False
        self._catalog = catalog
        self.claimed = claimed
        self._now = now
        self._stop = stop
        self._pace = pace
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="notebook lease", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def now(self) -> float:
        """Seconds since the epoch by the clock with which the job was claimed, going on evenly."""
        return self._now + self.elapsed

    @property
    def elapsed(self) -> float:
        """Seconds since the job was claimed."""
        return time.monotonic() - self._began

    def must_stop(self) -> bool:
        """Whether the work is to end: the caller says so, or it is of no use any more."""
        return self.lost or self.outdated or self._stop()

    def confirm(self) -> bool:
        """Renew the lease once more; whether the job is still ours and its input up to date."""
        claimed = self.claimed
        if self._catalog.jobs.confirm(*JOB, claimed.token, self.now, claimed.generation):
            return True
        self._beat()
        self._look()
        return False

    def _watch(self) -> None:
        beaten = time.monotonic()
        while not self._over.wait(self._pace.look):
            with suppress(VaultmemError):  # `confirm` decides before anything is published
                self._look()
                if time.monotonic() - beaten >= self._pace.beat:
                    self._beat()
                    beaten = time.monotonic()
            if self.lost or self.outdated:
                return

    def _look(self) -> None:
        self.outdated = self._catalog.jobs.generation() != self.claimed.generation

    def _beat(self) -> None:
        self.lost = not self._catalog.jobs.heartbeat(*JOB, self.claimed.token, self.now)
