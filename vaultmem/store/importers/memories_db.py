"""Read the database of the oldest topic-file memory: `memories.db`, one row for each memory.

Facts: topic-file memory, section 16. There, the details, tags and recalls of a row were lost, and
a row of a category that is none made a file of that name; here the row is quarantined. A field
beside category and summary that cannot be read is told, and costs nobody the memory.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.category import Category
from vaultmem.core.evidence import SourceKind
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportKind,
)
from vaultmem.core.model import Cue, Memory, Scope
from vaultmem.core.wording import count
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.placed import memory_folder, place_key, project_of
from vaultmem.store.importers.source import Source
from vaultmem.store.importers.tables import columns
from vaultmem.store.json_record import Record, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

T = TypeVar("T")

DATABASE = "memories.db"
_BESIDE = ("dreams.md", "dreams.lock")
"""What the old tool removed together with the database."""
_SINCE = ("topics", "memory.md")
"""What a topic-file memory without a database has: the old tool imported it, or never had one."""
_WANTED = ("id", "date", "category", "sentiment", "summary", "details", "tags", "recall_count")
_LAST, _RECALLS = "last_recalled", "recall_count"
_NEEDED = frozenset(("category", "summary"))
_ZONED = re.compile(r"\d{4}-?\d\d-?\d\d|.*(?:Z|[+-]\d\d:?\d\d)")
"""A date alone, and a moment that says where it is."""
_NAMED = 3
"""Rows that a notice names; it counts the others."""
MAX_FIELD = 20_000
"""Characters of details; a person has none so long, and each thousand is a piece of evidence."""
_JOURNAL_MODE = slice(18, 20)
"""The bytes of the header that say 2 for a write-ahead log; https://sqlite.org/fileformat.html."""

TWICE = "rows that say the same"


class _Found(NamedTuple):
    source: Source
    folder: str
    name: str


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Every row of the database; the file is read once and not opened where it lies.

    Args:
        root: the database, the `.pi/memory` that holds it, or the project.
        project: the project's identity; None for that of the folder that `.pi` lies in.

    Raises:
        ImportSourceError: if there is no such database, or it cannot be read as one.
    """
    found = _find(root)
    if found is None:
        return Gathered(kind=ImportKind.MEMORIES_DB, notices=(_NOTHING,))
    source, folder, name = found
    place = project or project_of(source, folder)
    rows = list(_rows(source, f"{folder}{name}"))
    reader = _Reader(source, place)
    for number, row in enumerate(rows, 1):
        reader.take(number, row)
    told = f"Its memories are taken for the project {place}; name another one with `--project`."
    return Gathered(
        kind=ImportKind.MEMORIES_DB,
        items=tuple(reader.items.values()),
        quarantined=tuple(source.quarantined),
        left_out=dict(reader.left),
        removable=tuple(f"{folder}{one}" for one in (name, *_BESIDE)),
        notices=(
            *((told,) if place is not None and project is None else ()),
            *reader.notices(),
        ),
    )


_NOTHING = (
    f"There is no `{DATABASE}`; what the topic files beside it hold is read by "
    "`vaultmem migrate pi-config`."
)


def _find(root: Path) -> _Found | None:
    """Where the database is; None where a topic-file memory has none, or none any more."""
    if root.is_file():
        return _Found(Source(root.parent), "", root.name)
    source = Source(root)
    folder = memory_folder(source, (DATABASE,))
    if folder is not None:
        return _Found(source, folder, DATABASE)
    if memory_folder(source, _SINCE) is not None:
        return None
    raise ImportSourceError(
        f"There is no `{DATABASE}` in {root}. Name the file, or the project's `.pi/memory`."
    )


def _rows(source: Source, relative: str) -> Iterator[Record]:
    """The rows, oldest first, each a record with the columns that the table has."""
    for beside in ("-wal", "-journal"):
        if source.has(relative + beside) and source.data(relative + beside):
            raise ImportSourceError(
                f"{source.root / relative} is in use, or was not closed: {relative}{beside} lies "
                "beside it. Close the tool that uses it, or open and close it with `sqlite3`."
            )
    data = source.data(relative)
    if data is None:
        why = source.quarantined[-1].reason if source.quarantined else "It is not there."
        raise ImportSourceError(f"{source.root / relative} cannot be read. {why}")
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(_without_log(data))
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = _text
            names = _columns(database)
            listed = ", ".join(f'"{name}"' for name in names)
            order = " ORDER BY date" if "date" in names else ""
            for row in database.execute(f"SELECT {listed} FROM memories{order}"):  # noqa: S608  (our own names)
                yield Record(dict(zip(names, row, strict=True)))
    except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise ImportSourceError(
            f"{source.root / relative} cannot be read as a database ({error}). Try "
            "`sqlite3 FILE .recover`, and import what that gives."
        ) from None


def _without_log(data: bytes) -> bytes:
    """The database as one that keeps no write-ahead log, which none in memory can have."""
    head = bytearray(data[:100])
    head[_JOURNAL_MODE] = b"\x01\x01"
    return bytes(head) + data[100:] if data else data


def _text(raw: bytes) -> str | bytes:
    """A text; bytes that are none stay what they are, which no field takes for a text."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def _columns(database: sqlite3.Connection) -> tuple[str, ...]:
    """The columns of the table that we know.

    Raises:
        sqlite3.DatabaseError: if there is no such table.
    """
    there = columns(database, "memories")
    if not there:
        raise sqlite3.DatabaseError("it has no table `memories`")
    if not _NEEDED.issubset(there):
        raise sqlite3.DatabaseError("its table `memories` lacks `category` or `summary`")
    return tuple(name for name in (*_WANTED, _LAST) if name in there)


class _Reader:
    """The rows on their way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self.items: dict[str, ImportedItem] = {}
        self._unread: dict[str, list[str]] = defaultdict(list)
        """The rows in which a field could not be read, by its name."""
        self.left: Counter[str] = Counter()

    def notices(self) -> Iterator[str]:
        """Which fields could not be read, and where."""
        for name, places in self._unread.items():
            more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
            yield (
                f"`{name}` of {', '.join(places[:_NAMED])}{more} cannot be read; what else the row "
                "says is taken without it."
            )

    def take(self, number: int, row: Record) -> None:
        """Take what a row says; it may be quarantined, or say once more what another one said."""
        where = f"{DATABASE}:{_named(row, number)}"
        try:
            item = self._item(where, row)
        except RecordError as error:
            self._source.quarantine(where, str(error))
            return
        there = self.items.get(item.key)
        if there is not None:
            self.left[TWICE] += 1
            item = replace(there, evidence=there.evidence + item.evidence)
        self.items[item.key] = item

    def _item(self, where: str, row: Record) -> ImportedItem:
        row.needed("category")
        category = row.word("category", Category, Category.LESSON)
        text = " ".join(row.needed("summary").split())
        created = self._moment(where, row, "date")
        memory = Memory(
            id=NO_ID,
            statement=text,
            category=category,
            scope=Scope.PROJECT,
            project=self._project,
            cue=Cue.BEHAVIORAL,
            tags=_tags(self._text(where, row, "tags")),
            created=created,
            reinforced=self._moment(where, row, _LAST) or created,
        )
        piece = self._piece(where, row, memory)
        return ImportedItem(
            key=place_key(self._project, category, text),
            where=where,
            memory=memory,
            evidence=(piece,) if piece is not None else (),
        )

    def _piece(self, where: str, row: Record, memory: Memory) -> ImportedEvidence | None:
        """The details of a row, its mood, how often it was recalled: else they would be lost."""
        recalled = round(self._or(where, _RECALLS, lambda: row.number(_RECALLS, 0), 0.0))
        mood = self._text(where, row, "sentiment")
        told = [f"Recalled {count(recalled, 'time')}." if recalled > 0 else ""]
        told.append(f"Felt {mood}." if mood not in ("", "neutral") else "")
        details, summary = self._text(where, row, "details").strip(), " ".join(filter(None, told))
        if not details and not summary:
            return None
        return ImportedEvidence(
            excerpt=details,
            summary=summary,
            kind=SourceKind.CONVERSATION,
            ref=where,
            created=memory.created,
        )

    def _text(self, where: str, row: Record, name: str) -> str:
        def read() -> str:
            text = row.text(name)
            if len(text) > MAX_FIELD:
                raise RecordError(f"`{name}` is too long.")
            return text

        return self._or(where, name, read, "")

    def _moment(self, where: str, row: Record, name: str) -> datetime | None:
        return self._or(where, name, lambda: _moment(row, name), None)

    def _or(self, where: str, name: str, read: Callable[[], T], default: T) -> T:
        """What a field says; the default where it cannot be read, which is told."""
        try:
            return read()
        except RecordError:
            self._unread[name].append(where)
            return default


def _named(row: Record, number: int) -> str:
    """A row by its id, which a person can look it up by; by its place where it has none."""
    try:
        return f"{row.number('id', number):.0f}"
    except RecordError:
        return str(number)


def _moment(row: Record, name: str) -> datetime | None:
    """A moment of the database, which keeps Greenwich time without saying so.

    A date alone is the day as it was here, from midnight.

    Raises:
        RecordError: if it is neither.
    """
    text = row.text(name).strip()
    plain = not text or _ZONED.fullmatch(text) is not None
    return Record({name: text if plain else f"{text}Z"}).moment(name)


def _tags(text: str) -> tuple[str, ...]:
    """The tags, which stand in a text with commas, or as a JSON list."""
    words = text.strip("[] ").replace('"', "").split(",")
    return tuple(filter(None, (word.strip().lstrip("#") for word in words)))
