"""A verb whose disk fails at one of its steps: full or read-only from then on, or failing once."""

from __future__ import annotations

import errno
import os
import resource
from typing import TYPE_CHECKING, NamedTuple

from tests.services.crash_driver import EVERY_STEP, Ended, before_step, in_child
from vaultmem.store.disk import DISK, STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_NEEDS_ROOM = ("open_new", "write", "link", "make_folder")
"""What a full disk refuses; to rename, to remove and to make durable take no room."""
_TAKES_A_PATH = tuple(
    name for name in STEPS if name not in ("write", "fsync", "sync_folder", "sync_system")
)
"""What a read-only vault refuses."""


class Failing(NamedTuple):
    """One way in which a disk fails.

    Attributes:
        name: for the id of a test, and of its fault.
        arm: called in the child with the vault when the moment has come.
    """

    name: str
    arm: Callable[[Path], None]


def _answer(name: str, number: int, when: Callable[[tuple[object, ...]], bool]) -> None:
    real = getattr(DISK, name)

    def call(*args: object) -> object:
        if when(args):
            raise OSError(number, os.strerror(number))
        return real(*args)

    setattr(DISK, name, call)


def _full(_: Path) -> None:
    for name in _NEEDS_ROOM:
        _answer(name, errno.ENOSPC, lambda _: True)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)  # for SQLite, which writes by itself
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))


def _read_only(vault: Path) -> None:
    for name in _TAKES_A_PATH:
        _answer(
            name, errno.EROFS, lambda args: any(str(one).startswith(str(vault)) for one in args)
        )


def _once(_: Path) -> None:
    left = [True]
    for name in STEPS:
        _answer(name, errno.EIO, lambda _: bool(left and left.pop()))


KINDS = (Failing("full", _full), Failing("read_only", _read_only), Failing("failing", _once))


def fail_at(verb: Callable[[], object], at: int, kind: Failing, vault: Path) -> Ended:
    """Run `verb` in a child whose disk fails before its `at`th step."""
    return in_child(verb, lambda: before_step(at, lambda: kind.arm(vault)))


def steps_of(verb: Callable[[], object], *, steps: Sequence[str] = EVERY_STEP) -> int:
    """How many steps that change a file the verb takes where nothing fails."""
    made = 0

    def count() -> None:
        nonlocal made
        made += 1

    def counted() -> int:
        verb()
        return made

    return int(in_child(counted, lambda: before_step(None, count, steps=steps)).said or 0)


def moments(steps: int, most: int, *, begin: int) -> Iterator[int]:
    """At most so many of the steps, counted from 1, spread evenly; `begin` shifts them."""
    if steps <= most:
        yield from range(1, steps + 1)
        return
    for number in range(most):
        low, high = number * steps // most, (number + 1) * steps // most
        yield 1 + low + begin % (high - low)
