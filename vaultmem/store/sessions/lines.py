"""The lines of a session file, from any place on, without holding the file in memory."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_record import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

MAX_LINE = 16 << 20
"""Bytes of a line that is read; a longer one (a picture, a huge result) is passed over."""

_AT_ONCE = 1 << 20
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)


class Line(NamedTuple):
    """A line with its place; `data` is None where it is too long, `ends` whether it has its end."""

    span: Span
    data: bytes | None
    ends: bool


def read_lines(path: str, start: int = 0) -> Iterator[Line]:
    """The lines of a file from the byte `start` on.

    Raises:
        OSError: if it cannot be read, or is no regular file.
    """
    with _opened(path) as file:
        file.seek(start)
        while data := file.readline(MAX_LINE + 1):
            length, whole = len(data), data.endswith(b"\n")
            kept = data if whole or length <= MAX_LINE else None
            while not whole and (more := file.readline(MAX_LINE)):
                length, whole, kept = length + len(more), more.endswith(b"\n"), None
            yield Line(Span(start, length), kept, whole)
            start += length


def read_spans(path: str, spans: Sequence[Span]) -> tuple[bytes, ...]:
    """The bytes at some places, each at most `MAX_LINE`; shorter where the file ends before.

    Raises:
        OSError: as `read_lines`.
    """
    with _opened(path) as file:
        return tuple(_at(file, span) for span in spans)


def guard_of(path: str, place: int) -> str:
    """A hash of what the file has before a place, or "" where it is shorter.

    It tells whether a file that grew still begins with what was read of it. All of it counts:
    people take a secret out of the middle, and the agent rewrites files of older versions.

    Raises:
        OSError: as `read_lines`.
    """
    from hashlib import blake2b

    seen = blake2b(digest_size=16)
    with _opened(path) as file:
        while place and (data := file.read(min(place, _AT_ONCE))):
            seen.update(data)
            place -= len(data)
    return "" if place else seen.hexdigest()


def _at(file: BinaryIO, span: Span) -> bytes:
    file.seek(span.start)
    return file.read(min(span.length, MAX_LINE))


def _opened(path: str) -> BinaryIO:
    descriptor = os.open(path, _FLAGS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no regular file")
    return os.fdopen(descriptor, "rb")
