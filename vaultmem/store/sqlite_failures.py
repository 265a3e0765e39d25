"""What SQLite answers about a file of ours and its disk, and a damaged file put out of the way.

Where SQLite quotes bytes of a damaged file that are no text, Python raises `UnicodeDecodeError`
in place of an error of `sqlite3`, at any call.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.errors import BusyError, DiskFailedError, ReadOnlyError
from vaultmem.store.disk import DISK
from vaultmem.store.failures import disk_full

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from vaultmem.errors import VaultmemError

UNREADABLE = "Could not decode to UTF-8"
"""How sqlite3 begins when a text of a damaged file is none."""
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_REFUSED = ("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")


def failure_name(error: sqlite3.Error) -> str:
    """SQLite's own name of a failure, "" where it tells none."""
    return getattr(error, "sqlite_errorname", "") or ""


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process holds the file."""
    return failure_name(error).startswith(_BUSY)


def sqlite_refusal(
    error: sqlite3.OperationalError, path: object, *, full: bool = False
) -> VaultmemError | None:
    """The failure as an error of ours; None where it is none of the file or its disk.

    Args:
        error: what SQLite answered.
        path: the file, for the sentence.
        full: whether the disk was full when the file was opened.
    """
    name = failure_name(error)
    if is_busy(error):
        return BusyError(f"Another vaultmem is using {path}. Try again when it is done.")
    if name.startswith("SQLITE_FULL") or full:
        return disk_full(f"{path} could not be written", error)
    if name.startswith(_REFUSED):
        return unwritable(path, error)
    if name.startswith("SQLITE_IOERR"):
        return DiskFailedError(
            f"{path} could not be read or written ({error}). "
            "Check the disk and its free space, then run the command again."
        )
    return None


def unwritable(path: object, why: object) -> ReadOnlyError:
    """The error where the system does not let us write the file."""
    return ReadOnlyError(
        f"{path} cannot be written ({why}). "
        "Check its permissions, or set VAULTMEM_HOME to a folder of your own."
    )


def set_aside(path: Path) -> None:
    """Keep a damaged file under another name, over an older one; a purge removes it."""
    DISK.replace(path, path.with_suffix(".broken"))
    for extra in ("-wal", "-shm"):
        DISK.unlink(path.with_name(path.name + extra))


def set_opened_aside(path: Path, opened: os.stat_result) -> None:
    """Set a damaged file aside, unless another process has done so since it was opened."""
    with suppress(OSError):  # it is gone, or cannot be renamed: the next command says so
        if os.path.samestat(opened, path.stat()):
            set_aside(path)
