"""Reading and writing notes without loss: a write names the version it replaces, and is atomic.

Callers hold the vault's lock (`store.lock`); an editor and a sync client do not, so every write
compares the bytes on disk before and after it takes the name. What an editor saved always stays;
our write is then reported as lost.

Paths are relative to `root` (the vault), with `/`. Where a function may also be used on Obsidian's
own files, `hidden=True` allows parts that begin with a dot.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import (
    NameTakenError,
    NoteChangedError,
    NoteError,
    NoteNotFoundError,
    NoteUnreadableError,
    VaultNotFoundError,
)
from vaultmem.store.disk import DISK, Disk, read_regular
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.failures import note_changed, note_not_found, write_errors
from vaultmem.store.leftovers import Cleaned, clean_temporaries
from vaultmem.store.paths import resolve_inside
from vaultmem.store.swap import (
    make_durable,
    move,
    swap_in,
    take_away,
    take_new_name,
    write_beside,
)
from vaultmem.store.temporaries import REMOVAL, is_temporary, kept_beside, temporary_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = [
    "DISK",
    "Cleaned",
    "Disk",
    "Etag",
    "ManyWritten",
    "clean_temporaries",
    "create_file",
    "create_files",
    "etag_of",
    "is_temporary",
    "move_file",
    "move_files",
    "read_note",
    "remove_file",
    "replace_file",
    "replace_files",
]


def read_note(root: Path, relative: str, *, hidden: bool = False) -> bytes:
    """All bytes of one file of the vault.

    Raises:
        UnsafePathError: if the path leaves `root`, goes through a link or, unless `hidden`, through
            a dot folder.
        NoteNotFoundError: if nothing is there.
        NoteUnreadableError: if it is no regular file, or may not or cannot be read.
    """
    path = resolve_inside(root, relative, hidden=hidden)
    try:
        return read_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        raise note_not_found(relative) from None
    except OSError as error:
        raise NoteUnreadableError(
            f"It cannot be opened ({error.strerror}).",
            "Check what it is, and its permissions.",
            path=relative,
        ) from error


def replace_file(
    root: Path, relative: str, data: bytes, *, expected: Etag, hidden: bool = False
) -> Etag:
    """Replace the whole file, only if it still is the version that the caller read.

    The write is atomic and durable when it returns; mode and owner stay. Bytes that are the same
    are not written again.

    Returns the version of `data`.

    Raises:
        NoteChangedError: if the file is another version, before or while we write. Its bytes stay.
        NoteNotFoundError: if it is gone.
        UnsafePathError, NoteUnreadableError: as `read_note`.
        ReadOnlyError: if the file or its folder may not be written.
        DiskFailedError: if the disk is full or fails.
    """
    if etag_of(read_note(root, relative, hidden=hidden)) != expected:
        raise note_changed(relative)
    new = etag_of(data)
    if new == expected:
        return new
    path = root / relative
    with write_errors(relative):
        temporary = _next_version(path, data)
        try:
            swapped = swap_in(temporary, path, old=expected, new=new)
        finally:
            DISK.unlink(temporary)
        DISK.sync_folder(path.parent)
    if not swapped:
        raise note_changed(relative)
    return new


def replace_files(root: Path, files: Sequence[tuple[str, bytes, Etag]]) -> ManyWritten:
    """As `replace_file` for each path, with its bytes and the version expected, in few waits.

    They are durable when it returns. The first one that changed ends it: the files before it are
    replaced, it and those after it are as they were.

    Raises:
        NoteNotFoundError, UnsafePathError, NoteUnreadableError, ReadOnlyError, DiskFailedError: as
            `replace_file`; files may be replaced then.
    """
    temporaries: list[Path] = []
    done: list[str] = []
    changed: NoteError | None = None
    try:
        for relative, data, expected in files:
            if etag_of(read_note(root, relative)) != expected:
                changed = note_changed(relative)
                break
            with write_errors(relative):
                temporaries.append(_next_version(root / relative, data, durable=False))
        with write_errors(files[0][0]):
            make_durable(root, temporaries)
        for temporary, (relative, data, expected) in zip(temporaries, files, strict=False):
            with write_errors(relative):
                if not swap_in(temporary, root / relative, old=expected, new=etag_of(data)):
                    return ManyWritten(tuple(done), note_changed(relative))
            done.append(relative)
        return ManyWritten(tuple(done), changed)
    finally:
        with write_errors(files[0][0]):
            _clear(temporaries)


def create_file(root: Path, relative: str, data: bytes, *, hidden: bool = False) -> Etag:
    """Create a file that is not there yet, with the folders above it; never overwrites.

    It appears with all its bytes at once.

    Returns the version of `data`.

    Raises:
        NameTakenError: if something has that name.
        UnsafePathError, ReadOnlyError, DiskFailedError: as `replace_file`.
    """
    path = resolve_inside(root, relative, hidden=hidden)
    with write_errors(relative):
        _make_folders(root, path.parent)
        temporary = write_beside(path, data)
        try:
            take_new_name(temporary, path)
        finally:
            DISK.unlink(temporary)
        DISK.sync_folder(path.parent)
    return etag_of(data)


class ManyWritten(NamedTuple):
    """The files that were written before the first one that could not be, and why it could not."""

    paths: tuple[str, ...]
    error: NoteError | None = None


def create_files(root: Path, files: Sequence[tuple[str, bytes]]) -> ManyWritten:
    """As `create_file` for each pair of path and bytes, with few waits for the disk for all.

    They are durable when it returns. The first name that is taken ends it: the files before it
    stand, those after it are not made.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `replace_file`; names may be given then.
    """
    paths = [resolve_inside(root, relative) for relative, _ in files]
    temporaries: list[Path] = []
    made: list[str] = []
    try:
        for path, (relative, data) in zip(paths, files, strict=True):
            with write_errors(relative):
                _make_folders(root, path.parent)
                temporaries.append(write_beside(path, data, durable=False))
        with write_errors(files[0][0]):
            make_durable(root, temporaries)
        for temporary, path, (relative, _) in zip(temporaries, paths, files, strict=True):
            try:
                with write_errors(relative):
                    take_new_name(temporary, path)
            except NameTakenError as error:
                return ManyWritten(tuple(made), error)
            made.append(relative)
        return ManyWritten(tuple(made))
    finally:
        with write_errors(files[0][0]):
            _clear(temporaries)


def remove_file(root: Path, relative: str, *, expected: Etag, hidden: bool = False) -> None:
    """Remove a file, only if it still is the version that the caller read.

    Raises:
        NoteChangedError, NoteNotFoundError, UnsafePathError, ReadOnlyError, DiskFailedError: as
            `replace_file`.
    """
    if etag_of(read_note(root, relative, hidden=hidden)) != expected:
        raise note_changed(relative)
    path = root / relative
    kept = kept_beside(temporary_beside(path), new=Etag(REMOVAL), old=expected)
    with write_errors(relative):
        removed = take_away(path, kept, old=expected)
        DISK.sync_folder(path.parent)
    if not removed:
        raise note_changed(relative)


def move_file(root: Path, old: str, new: str, *, expected: Etag, hidden: bool = False) -> None:
    """Give a file another path below `root`, only if it is the version that was read.

    Never overwrites. A save by an editor while it moves goes along.

    Raises:
        NameTakenError: if something has the new name.
        NoteChangedError, NoteNotFoundError, UnsafePathError, ReadOnlyError, DiskFailedError: as
            `replace_file`.
    """
    folders = _move(root, old, new, expected, hidden=hidden)
    with write_errors(new):
        for folder in folders:
            DISK.sync_folder(folder)


def move_files(root: Path, moves: Sequence[tuple[str, str, Etag]]) -> ManyWritten:
    """As `move_file` for each old path, new path and version expected, in few waits.

    The first one that cannot be moved ends it: those before it have their new paths.

    Raises:
        UnsafePathError, NoteUnreadableError, ReadOnlyError, DiskFailedError: as `move_file`; files
            may be moved then.
    """
    folders: set[Path] = set()
    done: list[str] = []
    try:
        for old, new, expected in moves:
            try:
                folders |= _move(root, old, new, expected)
            except (NameTakenError, NoteChangedError, NoteNotFoundError) as error:
                return ManyWritten(tuple(done), error)
            done.append(old)
        return ManyWritten(tuple(done))
    finally:
        with write_errors(moves[0][1]):
            for folder in folders:
                DISK.sync_folder(folder)


def _move(root: Path, old: str, new: str, expected: Etag, *, hidden: bool = False) -> set[Path]:
    """Move one file; the folders that are to be made durable."""
    if etag_of(read_note(root, old, hidden=hidden)) != expected:
        raise note_changed(old)
    source = root / old
    target = resolve_inside(root, new, hidden=hidden)
    with write_errors(new):
        _make_folders(root, target.parent)
        move(source, target)
    return {source.parent, target.parent}


def _next_version(path: Path, data: bytes, *, durable: bool = True) -> Path:
    """A temporary beside a file that is there, with its mode and owner."""
    found = path.lstat()
    if not found.st_mode & 0o222:
        raise PermissionError(errno.EACCES, "the file is marked read-only")
    return write_beside(path, data, dress=lambda made: _take_after(made, found), durable=durable)


def _clear(temporaries: Sequence[Path]) -> None:
    """Remove them where they are left, and make the names that were given beside them durable."""
    for temporary in temporaries:
        DISK.unlink(temporary)
    for folder in {temporary.parent for temporary in temporaries}:
        DISK.sync_folder(folder)


def _take_after(temporary: Path, like: os.stat_result) -> None:
    found = temporary.lstat()
    if (found.st_uid, found.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):  # only root may give files away
            os.chown(temporary, like.st_uid, like.st_gid)
    DISK.set_mode(temporary, stat.S_IMODE(like.st_mode))


def _make_folders(root: Path, folder: Path) -> None:
    """Create the missing folders between `root` and `folder`, durably, outermost first."""
    if folder.is_dir():
        return
    if folder == root:  # never recreate a vault whose drive is gone
        raise VaultNotFoundError(f"{root} is not there. Check that its drive is connected.")
    _make_folders(root, folder.parent)
    DISK.make_folder(folder)
    DISK.sync_folder(folder.parent)
