"""Read a file that somebody else may have made: never more than a limit, a pipe or a device."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import ConfigError, UnsafePathError
from vaultmem.store.paths import resolve_inside

if TYPE_CHECKING:
    from pathlib import Path

_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_COMMON = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_READ_AT_ONCE = 1 << 16


class Unread(NamedTuple):
    """Why a file was not read: the end of a sentence that begins with its name."""

    why: str
    missing: bool = False


def read_inside(root: Path, relative: str, *, limit: int) -> bytes | Unread:
    """The bytes of a file below `root`, where no part below `root` may be a symbolic link.

    `relative` may go through folders that begin with a dot; `limit` is in bytes.
    """
    try:
        path = resolve_inside(root, relative, hidden=True)
    except UnsafePathError as error:
        return Unread(f"is not read: {str(error).rstrip('.')}")
    return read_bounded(path, limit=limit, follow=False)


def read_bounded(path: Path, *, limit: int, follow: bool = True) -> bytes | Unread:
    """The bytes of a regular file of at most `limit` bytes; `follow` a symbolic link at its end."""
    flags = _COMMON | _NONBLOCK | (0 if follow else _NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return Unread("is not there", missing=True)
    except OSError as error:
        return Unread(f"cannot be opened ({error.strerror})")
    except ValueError:  # a NUL in the name
        return Unread("is no name that a file can have", missing=True)
    try:
        return _read(descriptor, limit)
    except OSError as error:
        return Unread(f"cannot be read ({error.strerror})")
    finally:
        os.close(descriptor)


def read_config(path: Path, *, limit: int) -> bytes | None:
    """The bytes of a file that is to be edited; None where there is none.

    Raises:
        ConfigError: if it cannot be read.
    """
    data = read_bounded(path, limit=limit)
    if not isinstance(data, Unread):
        return data
    if data.missing:
        return None
    raise ConfigError(f"{path} {data.why}. Check the file and its permissions.")


def _read(descriptor: int, limit: int) -> bytes | Unread:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return Unread("is no regular file")
    parts, size = [], 0
    while part := os.read(descriptor, _READ_AT_ONCE):
        parts.append(part)
        size += len(part)
        if size > limit:
            return Unread(f"is larger than {limit // 1024} KiB")
    return b"".join(parts)
