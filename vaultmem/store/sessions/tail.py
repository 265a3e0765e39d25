"""The last lines of a session's file of any agent, which is only read."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 1024 * 1024
"""Of the end of a file; a turn with many long answers of tools."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def last_lines(path: Path) -> list[bytes]:
    """The whole lines at the end of a regular file; none where it cannot be read."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return []
    try:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            return []
        start = max(0, seen.st_size - MOST_BYTES)
        os.lseek(descriptor, start, os.SEEK_SET)
        lines = os.read(descriptor, MOST_BYTES).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(descriptor)
    return lines[1:] if start else lines
