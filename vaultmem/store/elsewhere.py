"""Look for a text in files that vaultmem does not write: all of a folder, bounded, read only."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.disk import read_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_FILE = 32_000_000
"""Bytes of one file that are looked at; a session of a week has some 10 MB."""
MAX_FILES = 200_000
"""Files of one folder that are looked at."""


class Occurrence(NamedTuple):
    """A file that holds what was looked for, relative to the folder, and in which lines."""

    path: str
    lines: tuple[int, ...]
    """From 1; empty where only the file's name holds it, or where it was too large to be read."""
    read: bool = True


def occurrences(
    folder: Path,
    found: Callable[[bytes], tuple[int, ...]],
    named: Callable[[str], bool],
    *,
    skipped: frozenset[str] = frozenset(),
) -> Iterator[Occurrence]:
    """Every file below `folder` that holds the text in its bytes or its name, by path.

    Links are not followed; what cannot be opened is passed over.

    Args:
        folder: an absolute path; need not be there.
        found: the lines of a file's bytes that hold the text.
        named: whether a base name holds it.
        skipped: folders, relative to `folder`, that are not entered.
    """
    left = MAX_FILES
    for place, folders, files in os.walk(folder):
        below = os.path.relpath(place, folder)
        prefix = "" if below == "." else below.replace(os.sep, "/") + "/"
        folders[:] = sorted(name for name in folders if prefix + name not in skipped)
        for name in sorted(files):
            left -= 1
            if left < 0:
                return
            lines, read = _lines(f"{place}/{name}", found)
            if lines or named(name) or not read:
                yield Occurrence(prefix + name, lines, read)


def _lines(path: str, found: Callable[[bytes], tuple[int, ...]]) -> tuple[tuple[int, ...], bool]:
    try:
        if os.lstat(path).st_size > MAX_FILE:
            return (), False
        return found(read_regular(path)), True
    except OSError:  # a link, a pipe, or nothing any more
        return (), True
