"""What the operating system answers when a note is written, as sentences with a next step."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.errors import (
    DiskFailedError,
    DiskFullError,
    NameTakenError,
    NoteChangedError,
    NoteNotFoundError,
    NoteUnreadableError,
    ReadOnlyError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

REFUSED = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
"""What a system answers that could write and will not."""
NO_FILE = frozenset((errno.EISDIR, errno.ENXIO, errno.ENODEV))
"""What a system answers where something else lies in the place of a file."""
FULL = frozenset((errno.ENOSPC, errno.EDQUOT))
"""What a system answers that has no room left, on the disk or for this user."""


def disk_full(sentence: str, why: object) -> DiskFullError:
    """The error of a write that found no room; `sentence` says what could not be done."""
    return DiskFullError(
        f"{sentence}, because the disk is full ({why}). "
        "Free some space, then run the command again."
    )


@contextmanager
def write_errors(relative: str) -> Iterator[None]:
    """Turn every OSError of the block into one of ours that names the note at `relative`.

    Raises:
        NameTakenError: for a name that is there already.
        NoteNotFoundError: for a file or folder that is gone.
        NoteUnreadableError: for a folder, pipe or device in its place.
        ReadOnlyError: for missing permissions and read-only file systems.
        DiskFullError: where no room is left.
        DiskFailedError: for everything else.
    """
    try:
        yield
    except FileExistsError:
        raise NameTakenError(
            "A file of that name is already there.", "Choose another name.", path=relative
        ) from None
    except FileNotFoundError:
        raise note_not_found(relative) from None
    except OSError as error:
        if error.errno in NO_FILE:
            raise no_file(relative) from error
        if error.errno in REFUSED:
            raise ReadOnlyError(
                f"{relative} cannot be written ({error.strerror}). "
                "Check the permissions of the file and of its folder."
            ) from error
        if error.errno in FULL:
            raise disk_full(f"{relative} could not be written", error.strerror) from error
        raise DiskFailedError(
            f"{relative} could not be written safely ({error.strerror}). "
            "Check the disk, then run the command again."
        ) from error


def note_changed(relative: str) -> NoteChangedError:
    """The error for a note that somebody else saved meanwhile."""
    return NoteChangedError(
        "It changed since it was read; the newer version was kept.",
        "Run the command again.",
        path=relative,
    )


def note_not_found(relative: str) -> NoteNotFoundError:
    """The error for a note that is not there."""
    return NoteNotFoundError(
        "There is no such file.", "Check the path, or run `vaultmem sync`.", path=relative
    )


def no_file(relative: str) -> NoteUnreadableError:
    """The error where something else lies in the place of a note."""
    return NoteUnreadableError(
        "It is no regular file.", "Move it away, then run the command again.", path=relative
    )
