"""The few system calls that change files, in one place where a test can fail or kill any of them.

Everything that writes the vault, the config or the state folder goes through `DISK`. A test
replaces one of its methods (`monkeypatch.setattr(DISK, "replace", ...)`) to fail it, to kill the
process before it, or to let an editor save in between; nothing else may be replaced.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

StrPath = str | os.PathLike[str]

STEPS = (
    "open_new",
    "open_append",
    "write",
    "set_mode",
    "fsync",
    "link",
    "exchange",
    "rename_new",
    "replace",
    "unlink",
    "make_folder",
    "sync_folder",
    "sync_system",
)
"""The methods of `Disk` that change something, for tests that kill or fail at each."""

UNSUPPORTED = frozenset((errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV))
"""What a file system answers that has no such rename (renameat2(2), renamex_np(2))."""

NO_LINKS = UNSUPPORTED | {errno.EPERM, errno.EACCES, errno.EMLINK}
"""What link(2) answers where hard links do not exist or are not allowed for this file."""

_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_COMMON = _CLOEXEC | _NOFOLLOW | _BINARY


class Disk:
    """The calls themselves. All raise OSError."""

    def open_new(self, path: StrPath, mode: int = 0o666) -> int:
        """Create a file that is not there yet, for writing; the umask applies to `mode`."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _COMMON, mode)

    def open_append(self, path: StrPath) -> int:
        """Open a file that is there, to add to its end and to read back what was added."""
        return os.open(path, os.O_RDWR | os.O_APPEND | _NONBLOCK | _COMMON)

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all of `data`, however many calls it takes."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def set_mode(self, path: StrPath, mode: int) -> None:
        """Give the file or folder exactly these permission bits, whatever the umask."""
        os.chmod(path, mode)  # noqa: PTH101  (this module is the system calls)

    def fsync(self, descriptor: int) -> None:
        """Make the bytes of an open file durable."""
        os.fsync(descriptor)

    def link(self, old: StrPath, new: StrPath) -> None:
        """Give a file a second name that is not taken."""
        os.link(old, new)

    def exchange(self, one: StrPath, other: StrPath) -> None:
        """Swap two files in one step; OSError of `UNSUPPORTED` where the system cannot."""
        _rename_with_flag(one, other, linux=2, darwin=2)

    def rename_new(self, old: StrPath, new: StrPath) -> None:
        """Rename in one step, FileExistsError if `new` is taken; `UNSUPPORTED` where it cannot."""
        if sys.platform == "win32":
            os.rename(old, new)  # noqa: PTH104  (never overwrites on Windows)
        else:
            _rename_with_flag(old, new, linux=1, darwin=4)

    def replace(self, old: StrPath, new: StrPath) -> None:
        """Rename in one step, over whatever is there."""
        os.replace(old, new)  # noqa: PTH105

    def unlink(self, path: StrPath) -> None:
        """Remove a file, if it is there."""
        try:
            os.unlink(path)  # noqa: PTH108
        except FileNotFoundError:
            return

    def make_folder(self, path: StrPath, mode: int = 0o777) -> None:
        """Create a folder; one that is there is left alone. The umask applies to `mode`."""
        try:
            os.mkdir(path, mode)  # noqa: PTH102
        except FileExistsError:
            if not os.path.isdir(path):  # noqa: PTH112
                raise

    def sync_folder(self, path: StrPath) -> None:
        """Make new, changed and removed names of a folder durable, where the system can."""
        if sys.platform == "win32":
            return
        descriptor = os.open(path, os.O_RDONLY | _CLOEXEC)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in UNSUPPORTED:
                raise
        finally:
            os.close(descriptor)

    def sync_system(self, path: StrPath) -> None:
        """Make everything durable that was written to the file system at `path`.

        For many files one such call takes a tenth of the time of a call for each. OSError of
        `UNSUPPORTED` where the system has none that waits (all but Linux).
        """
        import ctypes  # only many writes need it

        call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
        if call is None or sys.platform != "linux":
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), os.fspath(path))
        descriptor = os.open(path, os.O_RDONLY | _CLOEXEC)
        try:
            if call(descriptor) != 0:
                code = ctypes.get_errno()
                raise OSError(code, os.strerror(code), os.fspath(path))
        finally:
            os.close(descriptor)


DISK = Disk()
"""The one instance that the package writes through."""


def read_regular(path: StrPath) -> bytes:
    """All bytes of a regular file; never follows a link at the end, never waits on a pipe.

    Raises:
        OSError: as open(2), `ELOOP` for a link, `EISDIR` for a folder, `ENODEV` for a device.
    """
    descriptor = os.open(path, os.O_RDONLY | _NONBLOCK | _COMMON)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            kind = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.ENODEV
            raise OSError(kind, os.strerror(kind), os.fspath(path))
        parts = []
        while part := os.read(descriptor, max(found.st_size + 1, 65536)):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _rename_with_flag(old: StrPath, new: StrPath, *, linux: int, darwin: int) -> None:
    """Rename with a flag that Python's `os` does not offer, by the system's own C library."""
    import ctypes  # only a write needs it

    library = ctypes.CDLL(None, use_errno=True)
    source, target = os.fsencode(old), os.fsencode(new)
    call: Callable[..., int] | None
    if sys.platform == "darwin":
        call = getattr(library, "renamex_np", None)
        arguments: tuple[bytes | int, ...] = (source, target, darwin)
    else:
        call = getattr(library, "renameat2", None)
        arguments = (_AT_FDCWD, source, _AT_FDCWD, target, linux)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), os.fspath(old))
    if call(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), os.fspath(old), None, os.fspath(new))


_AT_FDCWD = -100
"""Linux's "relative to the working folder" (linux/fcntl.h); the paths given are absolute anyway."""
