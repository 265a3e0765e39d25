"""The baseline's tables and what each of their columns may hold.

From one place come what SQLite refuses to write and what a reader refuses to believe. SQLite checks
nothing that it reads: what a faulty disk or another program left in a cell comes out as it lies
there.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from itertools import chain
from math import isfinite
from typing import TYPE_CHECKING

from vaultmem.core.ids import ACT_FORM, NOTE_FORM, ULID_FORM
from vaultmem.core.place import Kind
from vaultmem.core.standing import FIRST_MOMENT, LAST_MOMENT, STANDING_COLUMNS, STANDING_WORDS
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.store.finding_text import findings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any  # what sqlite3 itself promises of a cell

    Judge = Callable[[Sequence[Any]], object]

MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading a value raises that is of another kind than it should be."""

LEDGER_KINDS = frozenset(("activity", "reinforcement", "force", "tombstones"))
"""The values of `core.ledger.LedgerKind`, of which a report has no need."""
PATCH_STATUSES = frozenset(
    (
        "proposed",
        "applying",
        "applied",
        "partially_applied",
        "rejected",
        "reverting",
        "reverted",
    )
)
"""The values of `core.patch_status.PatchStatus`."""
STAGES = frozenset(("begun", "applied", "refused", "reverted"))
"""The values of `store.patches.Stage`."""
STEP = (str, str, str, int, str, str, str, int)
"""Of what kinds the fields of `store.patches.Step` are; the last ones may be missing."""
APPLIERS = frozenset(("person", "policy"))
"""The values of `core.patch_rules.Applier`."""

_SCALARS = frozenset((str, int, float, bool))
_MOST = 2**53
"""Whole numbers up to here can be counted on without becoming another kind of number."""


class Cells:
    """What a column may hold."""

    __slots__ = ("judge", "sql")

    def __init__(self, sql: str, judge: Judge) -> None:
        """Keep both.

        Args:
            sql: the type and the constraint; `{0}` stands for the column's name.
            judge: asked with cells of the column, at least one: is False, or raises one of
                `MALFORMED`, where one of them is wrong.
        """
        self.sql = sql
        self.judge = judge


class Table:
    """A table of the baseline, which has no row ids unless its rows are long."""

    __slots__ = ("_key", "_long", "columns", "name")

    def __init__(
        self, name: str, columns: Mapping[str, Cells], key: str = "id", *, long: bool = False
    ) -> None:
        """A table with these columns, in this order."""
        self.name = name
        self.columns = columns
        self._key = key
        self._long = long

    @property
    def definition(self) -> str:
        """The statement that makes it."""
        columns = ",\n  ".join(
            f"{name} {cells.sql.format(name)}" for name, cells in self.columns.items()
        )
        rest = "" if self._long else " WITHOUT ROWID"
        return f"CREATE TABLE {self.name} (\n  {columns},\n  PRIMARY KEY ({self._key})\n){rest}"


def _numbers(cells: Sequence[Any]) -> bool:
    return isfinite(sum(cells))


def _moments(cells: Sequence[Any]) -> bool:
    return bool(min(cells) >= FIRST_MOMENT and max(cells) <= LAST_MOMENT)


def _counts(cells: Sequence[Any]) -> bool:
    return _all_of(int, cells) and min(cells) >= 0 and max(cells) < _MOST


def _all_of(kind: type, cells: Iterable[Any]) -> bool:
    return set(map(type, cells)) == {kind}


def _like(form: str) -> Judge:
    """Judges texts of a form, which is compiled once it is needed."""
    return lambda cells: all(map(re.compile(form).fullmatch, set(cells)))


def _utc_times(cells: Sequence[Any]) -> bool:
    return all(cell.endswith("+00:00") and datetime.fromisoformat(cell) for cell in cells)


def _flat_objects(cells: Sequence[Any]) -> bool:
    """Whether each is a JSON object of scalars; parsed as one list, which is faster than many."""
    found = json.loads(f"[{','.join(cells)}]")
    values = chain.from_iterable(map(dict.values, found))
    return len(found) == len(cells) and set(map(type, values)) <= _SCALARS


def _findings(cells: Sequence[Any]) -> bool:
    return all(findings_of(cell) for cell in set(cells) if cell != "")


def _steps(cells: Sequence[Any]) -> bool:
    steps = chain.from_iterable(json.loads(cell).values() for cell in cells)
    return all(
        step[0] in STAGES and len(step) <= len(STEP) and all(map(isinstance, step, STEP))
        for step in steps
    )


def _words(words: Iterable[str]) -> Cells:
    known = frozenset(words)
    spelled = ", ".join(f"'{word}'" for word in sorted(known))
    return Cells(f"TEXT NOT NULL CHECK ({{0}} IN ({spelled}))", known.issuperset)


_TEXT = Cells(
    "TEXT NOT NULL CHECK (typeof({0}) = 'text')",
    "".join,  # nothing is faster in meeting what is no text
)
_BYTES = Cells("BLOB NOT NULL CHECK (typeof({0}) = 'blob')", lambda cells: _all_of(bytes, cells))
_WHOLE = Cells(
    "INTEGER NOT NULL CHECK (typeof({0}) = 'integer')", lambda cells: _all_of(int, cells)
)
_COUNT = Cells(
    f"INTEGER NOT NULL CHECK (typeof({{0}}) = 'integer' AND {{0}} BETWEEN 0 AND {_MOST - 1})",
    _counts,
)
_NUMBER = Cells(
    "REAL NOT NULL CHECK (typeof({0}) = 'real' AND abs({0}) < 9e999)",
    _numbers,
)
_MOMENT = Cells(
    "REAL NOT NULL CHECK (typeof({0}) = 'real'"
    f" AND {{0}} BETWEEN {FIRST_MOMENT!r} AND {LAST_MOMENT!r})",
    _moments,
)
_FLAG = Cells("INTEGER NOT NULL CHECK ({0} IN (0, 1))", frozenset((0, 1)).issuperset)

_ACT = Cells(_TEXT.sql, _like(ACT_FORM))

META = Table("meta", {"key": _TEXT, "value": _TEXT}, "key")
NOTES = Table(
    "notes",
    {
        "path": _TEXT,
        "mtime_ns": _WHOLE,
        "size": _WHOLE,
        "inode": _WHOLE,
        "ctime_ns": _WHOLE,
        "recorded_ns": _WHOLE,
        "etag": _TEXT,
        "kind": _words(Kind),
        "id": _TEXT,
        "state": _words(NoteState),
        "stem": _TEXT,
        "findings": Cells(_TEXT.sql, _findings),
    },
    "path",
)
_OF_STANDING = {
    "confidence": _NUMBER,
    "evidence_count": _NUMBER,
    "pinned": _FLAG,
    "enforced": _FLAG,
    "force": _FLAG,
    "reinforced": _MOMENT,
    "created": _MOMENT,
    "review": _MOMENT,
    "valid_from": _MOMENT,
    "valid_to": _MOMENT,
    "expires": _MOMENT,
    **{column: _words(words) for column, words in STANDING_WORDS.items()},
}
MEMORIES = Table(
    "memories",
    {column: _OF_STANDING.get(column, _TEXT) for column in STANDING_COLUMNS}
    | {
        "state": _words(MemoryState),
        "since": _MOMENT,
        "etag": _TEXT,
        "evidence_base": _NUMBER,
        "statement_key": _TEXT,
        "force_mac": _TEXT,
    },
)
CONTENTS = Table("contents", {"id": _TEXT, "bytes": _BYTES}, long=True)
WORDINGS = Table("wordings", {"id": _TEXT, "text": _TEXT}, "id, text")
CHANGES = Table("changes", {"path": _TEXT, "seq": _COUNT}, "path")
LEDGER = Table(
    "ledger",
    {
        "line": Cells(_TEXT.sql, _like(ULID_FORM)),
        "kind": _words(LEDGER_KINDS),
        "device": _TEXT,
        "at": Cells(_TEXT.sql, _utc_times),
        "act": _ACT,
        "note": Cells(_TEXT.sql, _like(f"{NOTE_FORM}|-")),
        "data": Cells(_TEXT.sql, _flat_objects),
        "after": _TEXT,
        "signed": _FLAG,
        "file": _TEXT,
    },
    "line",
)
PENDING = Table(
    "pending",
    {
        "id": Cells(_TEXT.sql, _like(NOTE_FORM)),
        "act": _ACT,
        "keys": _TEXT,
        "after": _TEXT,
        "at": _MOMENT,
    },
    "id, act",
)
PATCHES = Table(
    "patches",
    {
        "id": _TEXT,
        "status": _words(PATCH_STATUSES),
        "at": _MOMENT,
        "actor": _words(APPLIERS),
        "via": _TEXT,
        "ratified": _FLAG,
        "note": _BYTES,
        "opened": _TEXT,
        "steps": Cells(_TEXT.sql, _steps),
    },
)
TABLES = (META, NOTES, MEMORIES, CONTENTS, WORDINGS, CHANGES, LEDGER, PENDING, PATCHES)
INDEXES = (
    "notes_by_stem ON notes (stem)",
    "notes_in_trouble ON notes (path) WHERE findings <> ''",
    "notes_external ON notes (path) WHERE state = 'external'",
    "notes_waiting ON notes (path) WHERE state = 'waiting'",
    "notes_by_id ON notes (id) WHERE id <> ''",
    "notes_by_kind ON notes (kind)",
    "memories_missing ON memories (id) WHERE state = 'missing'",
    "memories_deleted ON memories (id) WHERE status = 'deleted' OR state = 'gone'",
    "memories_by_path ON memories (path)",
    "memories_by_statement ON memories (statement_key)",
    "changes_by_seq ON changes (seq)",
    "ledger_by_note ON ledger (note, kind)",
    "ledger_by_device ON ledger (device)",
    "ledger_unwritten ON ledger (line) WHERE file = 'unwritten'",
    "ledger_by_after ON ledger (after) WHERE after <> ''",
    "patches_unfinished ON patches (id) WHERE status IN ('applying', 'reverting')",
)
"""What `CREATE INDEX` makes."""
