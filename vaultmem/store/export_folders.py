"""The folders that exports went to: kept in the state folder, so that a purge can look there."""

from __future__ import annotations

from pathlib import Path

from vaultmem.store.private import read_private, write_private

NAME = "exports.json"
MOST = 100
"""Folders that are kept, the newest."""


def export_folders(state: Path) -> tuple[Path, ...]:
    """The folders, oldest first; none where the file cannot be understood.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `read_private`.
    """
    import json  # nothing was exported nearly always

    data = read_private(state / NAME)
    try:
        found = json.loads(data) if data is not None else []
        return tuple(Path(str(one)) for one in found)
    except (ValueError, TypeError, RecursionError):
        return ()


def remember_export(state: Path, folder: Path) -> None:
    """Keep a folder before an export is written there.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `write_private`.
    """
    import json  # as above

    known = export_folders(state)
    if folder not in known:
        kept = [str(one) for one in (*known, folder)][-MOST:]
        write_private(state / NAME, json.dumps(kept).encode() + b"\n")
