"""Which entries of session files may not be indexed, because they say what was purged.

The agent's files are never written, so an entry stays there until the person deletes the file. The
list is in the state folder and holds ids only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.private import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

NAME = "purged-session-entries"

EntryKey = tuple[str, str]
"""The id of a session and that of an entry."""


def read_purged(state: Path) -> frozenset[EntryKey]:
    """All entries that may not be indexed.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `read_private`.
    """
    lines = (read_private(state / NAME) or b"").decode("utf-8", "replace").split("\n")
    found = (line.split("\t") for line in lines)
    return frozenset((key[0], key[1]) for key in found if len(key) == 2)


def add_purged(state: Path, entries: Collection[EntryKey]) -> None:
    """Add entries; the caller holds the vault's lock.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `write_private`.
    """
    known = read_purged(state)
    if not known.issuperset(entries):
        lines = "".join(f"{session}\t{entry}\n" for session, entry in sorted(known.union(entries)))
        write_private(state / NAME, lines.encode())
