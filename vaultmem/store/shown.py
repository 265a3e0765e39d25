"""The hashes of what an agent was shown: one file in the cache, bounded, the newest last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.private import add_to_copy, keep_copy, read_private

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAME = "shown"
KEPT = 2_048
"""Hashes that are kept at least, the newest; a full report has some forty lines. 35 kB."""


def read_shown(cache: Path) -> list[str]:
    """The hashes, the oldest first.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `read_private`.
    """
    return (read_private(cache / NAME) or b"").decode("ascii", "replace").split()


def add_shown(cache: Path, hashes: Sequence[str]) -> None:
    """Add the hashes that are not known; where the cache cannot be written, they are not kept.

    Nothing is made durable: a report must not wait for the disk.
    """
    known = read_shown(cache)
    there = frozenset(known)
    new = [one for one in dict.fromkeys(hashes) if one not in there]
    if not new:
        return
    if known and len(known) + len(new) <= 2 * KEPT:
        add_to_copy(cache / NAME, _lines(new))
    else:
        keep_copy(cache / NAME, _lines([*known, *new][-KEPT:]))


def _lines(hashes: Sequence[str]) -> bytes:
    return "".join(f"{one}\n" for one in hashes).encode()
