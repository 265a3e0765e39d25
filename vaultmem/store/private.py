"""Folders and files that only this user may read: 0700 and 0600 whatever the umask, atomic."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.store.disk import DISK, read_regular
from vaultmem.store.failures import FULL, REFUSED, disk_full
from vaultmem.store.paths import is_link
from vaultmem.store.swap import take_new_name, write_beside

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077


def private_folder(folder: Path) -> bool:
    """Make sure that `folder` is there, is ours and is 0700; missing parents are made likewise.

    Returns whether an existing folder was open to others and had to be corrected.

    Raises:
        UnsafePathError: if it is a symbolic link, no folder, or belongs to another user.
        ReadOnlyError: if it cannot be made.
        DiskFailedError: if the disk is full or fails.
    """
    with _translated(folder):
        if not os.path.lexists(folder):
            if not folder.parent.exists():
                private_folder(folder.parent)
            DISK.make_folder(folder, FOLDER_MODE)
            DISK.set_mode(folder, FOLDER_MODE)
            DISK.sync_folder(folder.parent)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or is_link(found):
            raise UnsafePathError(
                f"{folder} is no real folder, but this machine's state would be kept there. "
                "Put a folder of your own in its place."
            )
        return _only_mine(folder, found, FOLDER_MODE)


def private_file(path: Path) -> bool:
    """Make sure that an existing file is ours and 0600; one that is not there is left so.

    Returns whether it had to be corrected.

    Raises:
        UnsafePathError: if it is a symbolic link, no file, or belongs to another user.
        ReadOnlyError: if it cannot be corrected.
    """
    with _translated(path):
        if not os.path.lexists(path):
            return False
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise UnsafePathError(
                f"{path} is no regular file. Remove it, then run the command again."
            )
        return _only_mine(path, found, FILE_MODE)


def read_private(path: Path) -> bytes | None:
    """All bytes of the file, or None if there is none.

    Raises:
        UnsafePathError: if it is a symbolic link or no file.
        ReadOnlyError: if it may not be read.
        DiskFailedError: if the disk fails.
    """
    with _translated(path):
        try:
            return read_regular(path)
        except FileNotFoundError:
            return None


def write_private(path: Path, data: bytes) -> None:
    """Write the whole file, 0600, durably and in one step, over what is there.

    Raises:
        ReadOnlyError: if the folder may not be written.
        DiskFailedError: if the disk is full or fails.
    """
    with _translated(path):
        temporary = _private_beside(path, data)
        try:
            DISK.replace(temporary, path)
        except BaseException:
            DISK.unlink(temporary)
            raise
        DISK.sync_folder(path.parent)


def create_private(path: Path, data: bytes) -> bool:
    """Write a new file, 0600, durably and in one step; False if the name is taken.

    Raises:
        ReadOnlyError: if the folder may not be written.
        DiskFailedError: if the disk is full or fails.
    """
    with _translated(path):
        temporary = _private_beside(path, data)
        try:
            take_new_name(temporary, path)
        except FileExistsError:
            return False
        finally:
            DISK.unlink(temporary)
        DISK.sync_folder(path.parent)
    return True


def keep_copy(path: Path, data: bytes) -> None:
    """Write a private file, with its folder, that can be made anew; where that fails, it is not."""
    try:
        private_folder(path.parent)
        write_private(path, data)
    except (UnsafePathError, ReadOnlyError, DiskFailedError):
        return


def add_to_copy(path: Path, data: bytes) -> None:
    """Add to a file that `keep_copy` wrote, not durably; where that fails, it is not added."""
    with suppress(OSError):
        descriptor = DISK.open_append(path)
        try:
            DISK.write(descriptor, data)
        finally:
            os.close(descriptor)


def _only_mine(path: Path, found: os.stat_result, mode: int) -> bool:
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise UnsafePathError(
            f"{path} belongs to another user. Run vaultmem as that user, or set VAULTMEM_HOME to "
            "a folder of your own."
        )
    if not found.st_mode & _OTHERS:
        return False
    DISK.set_mode(path, mode)
    return True


def _private_beside(path: Path, data: bytes) -> Path:
    return write_beside(
        path, data, mode=FILE_MODE, dress=lambda made: DISK.set_mode(made, FILE_MODE)
    )


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafePathError(
                f"{path} is a symbolic link. Put a real file in its place."
            ) from None
        if error.errno in REFUSED:
            raise ReadOnlyError(
                f"{path} cannot be used ({error.strerror}). "
                "Check its permissions, or set VAULTMEM_HOME to a folder of your own."
            ) from error
        if error.errno in FULL:
            raise disk_full(f"{path} could not be written", error.strerror) from error
        raise DiskFailedError(
            f"{path} could not be read or written ({error.strerror}). "
            "Check the disk, then run the command again."
        ) from error
