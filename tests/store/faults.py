"""Counts, fails or interrupts the system calls of `store.disk`, and plays poorer file systems."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.store.disk import DISK, STEPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILE_SYSTEMS: dict[str, dict[str, int]] = {
    "exchange": {},  # ext4, btrfs, xfs, APFS
    "links": {"exchange": errno.EINVAL, "rename_new": errno.EINVAL},  # NFS
    "plain": {  # exFAT, and a system that cannot make all files durable at once
        "exchange": errno.ENOSYS,
        "rename_new": errno.ENOSYS,
        "link": errno.EPERM,
        "sync_system": errno.ENOSYS,
    },
}
"""Which calls a file system does not have, and what it answers."""


@contextmanager
def disk(
    file_system: str = "exchange", *, at: int = 0, act: Callable[[str], None] | None = None
) -> Iterator[list[str]]:
    """Call `act` with the name of the call before the call number `at` (from 1); lists the calls."""
    calls: list[str] = []

    def watched(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object) -> object:
            calls.append(name)
            if len(calls) == at and act is not None:
                act(name)
            if answer := FILE_SYSTEMS[file_system].get(name):
                raise OSError(answer, os.strerror(answer))
            return real(*args)

        return call

    for name in STEPS:
        setattr(DISK, name, watched(name, getattr(DISK, name)))
    try:
        yield calls
    finally:
        for name in STEPS:
            DISK.__dict__.pop(name)


@contextmanager
def torn_writes() -> Iterator[None]:
    """Let each write be preceded by one of its first half, as a kill in the middle leaves it."""
    real = DISK.write

    def write(descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[: len(data) // 2])
        DISK.fsync(descriptor)
        real(descriptor, data[len(data) // 2 :])

    DISK.write = write  # type: ignore[method-assign]
    try:
        yield
    finally:
        DISK.write = real  # type: ignore[method-assign]
