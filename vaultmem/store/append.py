"""Adding lines to the end of a note of ours, durably, without touching what is there."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from vaultmem.store.disk import DISK
from vaultmem.store.failures import no_file, note_changed, write_errors
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from pathlib import Path

_ATTEMPTS = 5
"""An editor or sync client that replaces the file this often in a row has won."""


def append_lines(root: Path, relative: str, data: bytes) -> None:
    """Add whole lines to a file that is there; the caller holds the vault's lock.

    Starts on a new line even where the last write was cut short. If somebody replaces the file
    meanwhile, the lines are added to the new one as well, so a line may come to stand there twice.

    Args:
        root: the vault.
        relative: the note.
        data: whole lines, the last one with its line end.

    Raises:
        NoteNotFoundError: if the file is not there.
        NoteUnreadableError: if it is no regular file.
        NoteChangedError: if somebody kept replacing it.
        UnsafePathError, ReadOnlyError, DiskFailedError: as `files.replace_file`.
    """
    path = resolve_inside(root, relative)
    for _ in range(_ATTEMPTS):
        with write_errors(relative):
            descriptor = DISK.open_append(path)
            try:
                found = os.fstat(descriptor)
                if not stat.S_ISREG(found.st_mode):
                    raise no_file(relative)
                whole = not found.st_size or _read_at(descriptor, found.st_size - 1, 1) == b"\n"
                DISK.write(descriptor, data if whole else b"\n" + data)
                end = os.lseek(descriptor, 0, os.SEEK_CUR)
                DISK.fsync(descriptor)
                landed = _read_at(descriptor, end - len(data), len(data)) == data
            finally:
                os.close(descriptor)
            now = path.lstat()
        if landed and os.path.samestat(found, now):
            return
    raise note_changed(relative)


def _read_at(descriptor: int, offset: int, length: int) -> bytes:
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, length)
