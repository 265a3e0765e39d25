"""How a finished file takes a name without losing what an editor saved there in the meantime.

Where the system can exchange two files in one step (Linux, macOS), whatever had the name is then in
our hands and is compared. Where it cannot, the old file is hard-linked first, so that its bytes can
be compared afterwards; where there are no hard links either, it is compared just before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultmem.store.disk import DISK, NO_LINKS, UNSUPPORTED, read_regular
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.temporaries import kept_beside, temporary_beside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def write_beside(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o666,
    dress: Callable[[Path], None] | None = None,
    durable: bool = True,
) -> Path:
    """Write a durable temporary beside `path`; returns its place.

    Args:
        path: the file whose next version it is.
        data: all its bytes.
        mode: its permission bits, to which the umask applies.
        dress: gives it mode and owner before it holds anything.
        durable: False where the caller makes many durable at once (`make_durable`).

    Raises:
        OSError: if it cannot be written; then nothing is left of it.
    """
    temporary = temporary_beside(path)
    try:
        descriptor = DISK.open_new(temporary, mode)
        try:
            if dress is not None:
                dress(temporary)
            DISK.write(descriptor, data)
            if durable:
                DISK.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        DISK.unlink(temporary)
        raise
    return temporary


def make_durable(folder: Path, files: Sequence[Path]) -> None:
    """Make files durable that were written just before; `folder` lies on their file system.

    Raises:
        OSError: if the disk fails.
    """
    try:
        DISK.sync_system(folder)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
        for file in files:
            descriptor = DISK.open_append(file)
            try:
                DISK.fsync(descriptor)
            finally:
                os.close(descriptor)


def swap_in(temporary: Path, path: Path, *, old: Etag, new: Etag) -> bool:
    """Let `temporary` (of version `new`) take the place of `path`, only if that is `old`.

    Returns False if somebody else saved in between; their bytes are then at `path`. Nothing is
    left beside `path` unless the disk fails on the way; `store.leftovers` knows what to do then.

    Raises:
        OSError: FileNotFoundError if somebody removed `path`; then nothing was changed.
    """
    if not holds(path, old):
        return False
    kept = kept_beside(temporary, new=new, old=old)
    DISK.replace(temporary, kept)  # from here on its name tells what it may hold
    try:
        DISK.exchange(kept, path)
    except OSError as error:
        DISK.replace(kept, temporary)
        if error.errno not in UNSUPPORTED:
            raise
        return _swap_by_link(temporary, path, kept, old=old, new=new)
    if swapped := holds(kept, old):
        DISK.unlink(kept)
    else:
        _give_back(kept, path, new)
    return swapped


def take_new_name(temporary: Path, path: Path) -> None:
    """Give a finished temporary the name `path`, never over an existing file.

    Raises:
        OSError: FileExistsError if the name is taken.
    """
    if _renamed(temporary, path):
        return
    try:
        DISK.link(temporary, path)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _through_placeholder(temporary, path)
    else:
        DISK.unlink(temporary)


def move(old_path: Path, new_path: Path) -> None:
    """Rename a file, never over an existing one, and never losing what is saved to it meanwhile.

    Raises:
        OSError: FileExistsError if the new name is taken.
    """
    if not _renamed(old_path, new_path):
        _through_placeholder(old_path, new_path)


def take_away(path: Path, kept: Path, *, old: Etag) -> bool:
    """Remove `path`, only if it is `old`; `kept` is a free name beside it.

    Returns False if somebody else saved in between; their bytes are then at `path`.
    """
    DISK.replace(path, kept)
    if holds(kept, old):
        DISK.unlink(kept)
        return True
    try:
        take_new_name(kept, path)
    except FileExistsError:
        DISK.unlink(kept)  # saved once more meanwhile: the newest stands
    return False


def holds(path: Path, version: Etag) -> bool:
    """Whether `path` is a regular file with exactly the bytes of `version`.

    Raises:
        OSError: FileNotFoundError if nothing has that name.
    """
    try:
        return etag_of(read_regular(path)) == version
    except FileNotFoundError:
        raise
    except OSError:
        return False


def _give_back(kept: Path, path: Path, new: Etag) -> None:
    """The editor's version returns; if it saved yet another one over ours, that one stands."""
    DISK.exchange(kept, path)
    if not holds(kept, new):
        DISK.exchange(kept, path)
    DISK.unlink(kept)


def _swap_by_link(temporary: Path, path: Path, kept: Path, *, old: Etag, new: Etag) -> bool:
    try:
        DISK.link(path, kept)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if unchanged := holds(path, old):
            DISK.replace(temporary, path)
        return unchanged
    try:
        if not (holds(kept, old) and kept.samefile(path)):
            DISK.unlink(kept)
            return False
        DISK.replace(temporary, path)
    except BaseException:
        DISK.unlink(kept)
        raise
    swapped = holds(kept, old)
    if not swapped and holds(path, new):
        DISK.replace(kept, path)
    DISK.unlink(kept)
    return swapped


def _renamed(old: Path, new: Path) -> bool:
    try:
        DISK.rename_new(old, new)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
        return False
    return True


def _through_placeholder(old: Path, new: Path) -> None:
    """Reserve the name with an empty file of ours, then rename over it."""
    os.close(DISK.open_new(new))
    try:
        DISK.replace(old, new)
    except BaseException:
        DISK.unlink(new)
        raise
