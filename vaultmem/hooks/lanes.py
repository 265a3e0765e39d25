"""Threads that work requests off one after the other, each with a limit, so that none blocks all.

A lane has one thread and what only that thread may use (`Here`: a connection of its own to the
baseline). Where a job takes longer than its limit, its request is answered with `timeout` and
another thread takes its place; what the late one still does is done, its answer is dropped.
"""

from __future__ import annotations

import heapq
import itertools
import queue
import threading
import time
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

T = TypeVar("T")

MOST_LATE = 4
"""Threads of one lane that may hang at a time; then its requests time out until one returns."""


class Job(Generic[T]):
    """Something to be done by a lane.

    `work` gets what the lane's thread owns; it answers through `answer` at most once.
    """

    def __init__(self, work: Callable[[T], None], *, late: Callable[[], None], must: bool) -> None:
        """Describe it.

        Args:
            work: does it; it may raise nothing.
            late: called once if it did not end in time, from another thread.
            must: do it also when it is late before it began.
        """
        self._work = work
        self._late = late
        self._must = must
        self._lock = threading.Lock()
        self._closed = False

    def close(self) -> bool:
        """Whether the caller may answer: the first one may."""
        with self._lock:
            first, self._closed = not self._closed, True
        return first

    def run(self, own: T) -> None:
        """Do it, unless nobody waits for it any more."""
        if self._must or not self._closed:
            self._work(own)

    def expire(self) -> bool:
        """Answer that it took too long; False where it was answered."""
        if not self.close():
            return False
        self._late()
        return True


class Lane(Generic[T]):
    """One thread at a time, with its own `T`, made when it begins."""

    def __init__(self, name: str, make: Callable[[], AbstractContextManager[T]]) -> None:
        """Start nothing yet.

        Args:
            name: of its threads.
            make: opens what a thread owns; entered and left by that thread.
        """
        self._name = name
        self._make = make
        self._jobs: queue.SimpleQueue[Job[T] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._turn = 0
        self._late = 0
        self._running: Job[T] | None = None
        self._thread: threading.Thread | None = None

    def put(self, job: Job[T]) -> None:
        """Do it after what waits already."""
        self._jobs.put(job)
        with self._lock:
            if self._thread is None:
                self._begin()

    def pass_by(self, job: Job[T]) -> None:
        """A job is late: if the thread hangs in it, another one goes on with what waits."""
        with self._lock:
            if self._running is job and self._late < MOST_LATE:
                self._late += 1
                self._running = None
                self._begin()

    def finish(self, seconds: float) -> bool:
        """Work off what waits, then end; whether that was done in so many seconds."""
        with self._lock:
            thread = self._thread
        if thread is None:
            return True
        self._jobs.put(None)
        thread.join(seconds)
        return not thread.is_alive()

    def _begin(self) -> None:
        self._turn += 1
        self._thread = threading.Thread(
            target=self._run, args=(self._turn,), name=self._name, daemon=True
        )
        self._thread.start()

    def _run(self, turn: int) -> None:
        with self._make() as own:
            while (job := self._jobs.get()) is not None:
                with self._lock:
                    self._running = job
                job.run(own)
                with self._lock:
                    if self._turn != turn:
                        self._late -= 1
                        return
                    self._running = None


class Clock:
    """Calls something at a moment, unless it is over by then; one thread for all."""

    def __init__(self) -> None:
        self._waits: list[tuple[float, int, Callable[[], object]]] = []
        self._number = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def at(self, seconds: float, call: Callable[[], object]) -> None:
        """Call it in so many seconds; it must be quick and raise nothing."""
        with self._changed:
            moment = time.monotonic() + seconds
            heapq.heappush(self._waits, (moment, next(self._number), call))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="clock", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waits:
                    self._changed.wait()
                left = self._waits[0][0] - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                    continue
                call = heapq.heappop(self._waits)[2]
            call()
