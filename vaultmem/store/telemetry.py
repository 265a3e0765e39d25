"""What agents were told and what their replies used: two files in the cache, bounded, no words.

One JSON array a line. A memory is named by its id, a session by its id; nothing that was said is
kept. Several processes append at once; a line that was cut short is passed over. When the newer
file is full it becomes the older one, which is dropped.
"""

from __future__ import annotations

import json
import os
import re
import stat
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId, is_id
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.private import FILE_MODE, write_private

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

NEWER, OLDER = "telemetry.jsonl", "telemetry.older.jsonl"
MAX_BYTES = 512_000
"""Of each of the two files; the topic-file memory's limit (its section 2)."""

REMINDER = "reminder"
"""Where a memory stands that an agent was reminded of while it worked."""
FOUND = "search"
"""Where one stands that a search found for it."""
WORD = re.compile(r"[\w.:@+-]{0,80}", re.ASCII)
"""What a session, a section or a class can be called here: a name, never a sentence."""


class Told(NamedTuple):
    """One memory as it was injected.

    Attributes:
        id: the memory's.
        where: the section of the report, `contextual`, `REMINDER` or `FOUND`.
        similarity: to the prompt or the files, 0 to 1; None where none was measured.
    """

    id: MemoryId
    where: str
    similarity: float | None = None


class Injected(NamedTuple):
    """An agent was told memories; `at` are seconds as `Standing` counts them."""

    session: str
    at: int
    query_class: str
    told: tuple[Told, ...]

    @property
    def is_prompt(self) -> bool:
        """Whether it begins a turn; a reminder and a search come within one."""
        return any(one.where not in (REMINDER, FOUND) for one in self.told)


class Used(NamedTuple):
    """Its reply used some of them; `cited` are those of `used` that it named."""

    session: str
    at: int
    used: tuple[MemoryId, ...]
    cited: tuple[MemoryId, ...]


class Doubted(NamedTuple):
    """The user corrected something, and these memories are near it."""

    session: str
    at: int
    near: tuple[MemoryId, ...]


class Settled(NamedTuple):
    """What was used in the session is in the ledger."""

    session: str
    at: int


class Enforced(NamedTuple):
    """Rules of memories did something: `act` is a value of `RuleAct`, `tool` what met them."""

    session: str
    at: int
    act: str
    tool: str
    ids: tuple[MemoryId, ...]


Event = Injected | Used | Doubted | Settled | Enforced


def add_event(cache: Path, event: Event) -> None:
    """Add an event; where that cannot be done, nothing is kept, because no command depends on it.

    Nothing is made durable: an agent must not wait for the disk.
    """
    text = json.dumps(_spelled(event), separators=(",", ":"))
    try:
        # The first line feed ends what a process that died has left behind.
        _append(cache, f"\n{text}\n".encode())
    except OSError:
        return


def read_events(cache: Path) -> list[Event]:
    """Every event that is kept, the oldest first; what cannot be read is not there."""
    return [event for name in (OLDER, NEWER) for event in _events(_read(cache / name))]


def read_session(cache: Path, session: str) -> list[Event]:
    """The events of one session, likewise; the lines of the others are hardly looked at."""
    name = json.dumps(session).encode()
    lines = (line for file in (OLDER, NEWER) for line in _read(cache / file).splitlines())
    found = (_session_event(line) for line in lines if name in line)
    return [event for event in found if event is not None and event.session == session]


def erase_ids(cache: Path, ids: Collection[str]) -> None:
    """Take memories out of what is kept, for a purge; the caller holds the vault's lock.

    Raises:
        ReadOnlyError, DiskFailedError: as `write_private`.
    """
    for path in (cache / OLDER, cache / NEWER):
        data = _read(path)
        if not any(one.encode() in data for one in ids):
            continue
        left = (_without(event, ids) for event in _events(data))
        lines = (json.dumps(_spelled(one), separators=(",", ":")) for one in left if one)
        write_private(path, "".join(f"{line}\n" for line in lines).encode())


def _append(cache: Path, data: bytes) -> None:
    path = cache / NEWER
    if path.exists() and path.stat().st_size + len(data) > MAX_BYTES:
        DISK.replace(path, cache / OLDER)
    descriptor = _open(path)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            DISK.write(descriptor, data)
    finally:
        os.close(descriptor)


def _open(path: Path) -> int:
    try:
        return DISK.open_append(path)
    except FileNotFoundError:
        with suppress(FileExistsError):  # another process was first
            os.close(DISK.open_new(path, FILE_MODE))
        return DISK.open_append(path)


def _read(path: Path) -> bytes:
    data = read_bounded(path, limit=2 * MAX_BYTES, follow=False)
    return b"" if isinstance(data, Unread) else data


def _events(data: bytes) -> Iterator[Event]:
    for line in data.splitlines():
        if line and (event := _event(line)) is not None:
            yield event


def _event(line: bytes) -> Event | None:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return _of_json(found)


@lru_cache(maxsize=256)
def _session_event(line: bytes) -> Event | None:
    """The same, kept: each reply of a session asks for all lines of it again."""
    return _event(line)


def _of_json(found: object) -> Event | None:
    match found:
        case ["injected", str(session), int(at), str(kind), list(told)]:
            return Injected(session, at, kind, tuple(_told(told)))
        case ["used", str(session), int(at), list(used), list(cited)]:
            return Used(session, at, _ids(used), _ids(cited))
        case ["doubted", str(session), int(at), list(near)]:
            return Doubted(session, at, _ids(near))
        case ["settled", str(session), int(at)]:
            return Settled(session, at)
        case ["enforced", str(session), int(at), str(act), str(tool), list(ids)]:
            return Enforced(session, at, act, tool, _ids(ids))
        case _:
            return None


def _told(items: Iterable[object]) -> Iterator[Told]:
    for item in items:
        match item:
            case [str(identifier), str(where), (float() | int() | None) as similarity]:
                if is_id(identifier, "mem"):
                    yield Told(MemoryId(identifier), where, similarity)


def _ids(items: Iterable[object]) -> tuple[MemoryId, ...]:
    return tuple(MemoryId(one) for one in items if isinstance(one, str) and is_id(one, "mem"))


def _spelled(event: Event) -> list[object]:
    return [type(event).__name__.lower(), *event]


def _without(event: Event, ids: Collection[str]) -> Event | None:
    """The event without these memories; None where it is about nothing then."""
    match event:
        case Injected():
            told = tuple(one for one in event.told if one.id not in ids)
            return event._replace(told=told) if told else None
        case Used():
            used = tuple(one for one in event.used if one not in ids)
            cited = tuple(one for one in event.cited if one not in ids)
            return event._replace(used=used, cited=cited) if used else None
        case Doubted():
            near = tuple(one for one in event.near if one not in ids)
            return event._replace(near=near) if near else None
        case Settled():
            return event
        case Enforced():
            left = tuple(one for one in event.ids if one not in ids)
            return event._replace(ids=left) if left else None
