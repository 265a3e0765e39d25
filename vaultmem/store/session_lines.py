"""What a session of the agent was told beside the report: a small file each in the cache, in ids.

A line is a sign and the id of a memory: `+` it got a place in the section, `-` it lost it, `!` it
was told in a reminder; `~` alone: the session compacted, so reminders may be repeated. Lines are
added, so a file that was cut short has only lost its end.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId, is_id
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.private import add_to_copy, keep_copy, write_private

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

FOLDER = "told"
MOST_SESSIONS = 64
"""Sessions that are kept, the ones that were told something last."""
MAX_BYTES = 16_384
"""From this size on a file is written anew with what still counts; some 500 lines."""


class SessionLines(NamedTuple):
    """What is known of a session.

    Attributes:
        contextual: the memories that have a place in its section, the oldest first.
        reminded: the memories that it was reminded of since it last compacted.
    """

    contextual: tuple[MemoryId, ...] = ()
    reminded: tuple[MemoryId, ...] = ()


def read_lines(cache: Path, session: str) -> SessionLines:
    """What a session was told; nothing where that cannot be read."""
    return _replayed(_read(_file(cache, session)))


def keep_contextual(cache: Path, session: str, ids: Iterable[str]) -> None:
    """Record which memories have a place now; those that had one keep their order."""
    before, after = read_lines(cache, session).contextual, list(ids)
    gone = [f"-{one}" for one in before if one not in after]
    new = [f"+{one}" for one in after if one not in before]
    _add(cache, session, [*gone, *new])


def keep_reminded(cache: Path, session: str, ids: Iterable[str]) -> None:
    """Record what the session was reminded of."""
    _add(cache, session, [f"!{one}" for one in ids])


def compacted(cache: Path, session: str) -> None:
    """Record that the session compacted: it does not know any more what it was reminded of."""
    if read_lines(cache, session).reminded:
        _add(cache, session, ["~"])


def erase_lines(cache: Path, ids: Collection[str]) -> None:
    """Take memories out of what is kept, for a purge; the caller holds the vault's lock.

    Raises:
        ReadOnlyError, DiskFailedError: as `write_private`.
    """
    for path in _files(cache):
        data = _read(path)
        if any(one.encode() in data for one in ids):
            left = [
                line for line in data.splitlines() if line[1:].decode("ascii", "replace") not in ids
            ]
            write_private(path, b"".join(line + b"\n" for line in left))


def _replayed(data: bytes) -> SessionLines:
    contextual: dict[MemoryId, None] = {}
    reminded: dict[MemoryId, None] = {}
    for line in data.decode("ascii", "replace").splitlines():
        sign, identifier = line[:1], line[1:]
        if sign == "~":
            reminded.clear()
        if not is_id(identifier, "mem"):
            continue
        if sign == "+":
            contextual[MemoryId(identifier)] = None
        elif sign == "-":
            contextual.pop(MemoryId(identifier), None)
        elif sign == "!":
            reminded[MemoryId(identifier)] = None
    return SessionLines(tuple(contextual), tuple(reminded))


def _add(cache: Path, session: str, lines: Collection[str]) -> None:
    """Add lines; where that cannot be done nothing is kept, because no command depends on it."""
    path = _file(cache, session)
    if not lines:
        return
    known = _read(path)
    added = "".join(f"{line}\n" for line in lines).encode()
    if known and len(known) + len(added) <= MAX_BYTES:
        # What a process that died left behind ends here.
        add_to_copy(path, added if known.endswith(b"\n") else b"\n" + added)
        return
    if not known:
        _make_room(cache)
    left = _replayed(known + added)
    rows = [*(f"+{one}" for one in left.contextual), *(f"!{one}" for one in left.reminded)]
    keep_copy(path, "".join(f"{row}\n" for row in rows).encode())


def _make_room(cache: Path) -> None:
    """Forget the sessions that were told something longest ago, before another one is kept."""
    with suppress(OSError):
        aged = sorted(_files(cache), key=lambda path: path.stat().st_mtime_ns)
        for path in aged[: max(0, len(aged) - MOST_SESSIONS + 1)]:
            DISK.unlink(path)


def _files(cache: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in (cache / FOLDER).iterdir() if not path.name.startswith("."))
    return []


def _file(cache: Path, session: str) -> Path:
    """The session's file: named by a hash, because anything can be the name of a session."""
    name = blake2b(session.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return cache / FOLDER / name


def _read(path: Path) -> bytes:
    data = read_bounded(path, limit=4 * MAX_BYTES, follow=False)
    return b"" if isinstance(data, Unread) else data
