"""Wait for a model that may never answer, without missing that nobody wants the answer any more."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Generic, TypeVar

from vaultmem.errors import ModelDownError, ModelStoppedError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_LOOK = 0.1
"""Seconds between two looks at the clock and at `stop`."""


class Limit:
    """The time that is left for something, and whether it is still wanted.

    Attributes:
        end: of the time, by `time.monotonic`.
    """

    def __init__(self, seconds: float, stop: Callable[[], bool]) -> None:
        """Begin now.

        Args:
            seconds: how long it may take.
            stop: asked several times a second; True ends it.
        """
        self.end = time.monotonic() + seconds
        self._seconds, self._stop = seconds, stop

    def left(self) -> float:
        """Seconds until the end, at least a few."""
        return max(self.end - time.monotonic(), _LOOK)

    def check(self) -> None:
        """Go on, or raise.

        Raises:
            ModelStoppedError: if `stop` said so.
            ModelDownError: if the time is over.
        """
        if self._stop():
            raise ModelStoppedError("The work was stopped. Run it again to do it anew.")
        if time.monotonic() >= self.end:
            raise ModelDownError(
                f"The model did not finish within {self._seconds:.0f} seconds. "
                "Wait; a later run tries it again."
            )

    def wait_for(self, done: threading.Event) -> None:
        """Wait until something is done.

        Raises:
            ModelStoppedError, ModelDownError: as `check`.
        """
        while not done.wait(_LOOK):
            self.check()


class Background(Generic[T]):
    """A call in a thread of its own, which may be left behind."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Start it."""
        self._work = work
        self._done = threading.Event()
        self._result: list[T] = []
        self._error: Exception | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def result(self, limit: Limit) -> T:
        """What it returns or raises, within the limit.

        Raises:
            ModelStoppedError, ModelDownError: as `Limit.check`.
        """
        limit.wait_for(self._done)
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _run(self) -> None:
        try:
            self._result.append(self._work())
        except Exception as error:  # noqa: BLE001 - it is raised again where it is waited for
            self._error = error
        finally:
            self._done.set()
