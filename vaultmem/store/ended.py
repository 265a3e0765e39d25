"""Sessions of the agent that ended and are not settled yet: a file for each, which holds its id."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.private import private_folder, write_private

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "ended"
MAX_BYTES = 4_096
"""Bytes of a session's id; a longer one is nobody's."""


class Ended(NamedTuple):
    """A session that waits, by its id, and the file that says so."""

    session: str
    path: Path


def add_ended(state: Path, session: str) -> None:
    """Let a session wait; a second time it waits once.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `write_private`.
    """
    data = session.encode("utf-8", "surrogatepass")[:MAX_BYTES]
    private_folder(state / FOLDER)
    write_private(state / FOLDER / blake2b(data, digest_size=12).hexdigest(), data)


def read_ended(state: Path) -> list[Ended]:
    """Those that wait; what cannot be read names no session."""
    found: list[Ended] = []
    with suppress(OSError):
        for path in sorted((state / FOLDER).iterdir()):
            if path.name.startswith("."):
                continue
            data = read_bounded(path, limit=MAX_BYTES, follow=False)
            if not isinstance(data, Unread):
                found.append(Ended(data.decode("utf-8", "surrogatepass"), path))
    return found


def drop_ended(ended: Ended) -> None:
    """It waits no more."""
    with suppress(OSError):
        DISK.unlink(ended.path)
