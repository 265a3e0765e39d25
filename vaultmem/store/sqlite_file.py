"""A SQLite file of ours: for this user alone, without deleted text, of a version that we know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultmem.errors import VaultError
from vaultmem.store.private import FILE_MODE, private_file, private_folder
from vaultmem.store.sqlite_failures import unwritable

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


def make_private(path: Path) -> None:
    """Make sure that the file and its folder are there and ours; a new file is empty.

    Raises:
        UnsafePathError: as `private_folder` and `private_file`.
        ReadOnlyError: if it cannot be made or corrected.
        DiskFailedError: if the disk is full or fails.
    """
    private_folder(path.parent)
    private_file(path)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
    except OSError as error:
        raise unwritable(path, str(error.strerror)) from error


def leave_no_trace(sql: sqlite3.Connection) -> None:
    """Let what is deleted, sorted or copied by a vacuum stay nowhere."""
    sql.execute("PRAGMA secure_delete = ON")  # deleted text is overwritten
    sql.execute("PRAGMA temp_store = MEMORY")  # no copy goes to the system's temporary folder


def version_of(sql: sqlite3.Connection, path: Path, *, newest: int) -> int:
    """The version of a file; 0 for a new one.

    Raises:
        VaultError: if it is newer than the newest that we know.
    """
    version = int(sql.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise VaultError(
            f"{path} was made by a newer vaultmem. Install that version, or move the file away."
        )
    return version
