"""The rows of the baseline's tables, as named tuples, and their readers."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.standing import STANDING_COLUMNS, Standing
from vaultmem.store.baseline_reader import Reader
from vaultmem.store.baseline_tables import (
    CHANGES,
    CONTENTS,
    LEDGER,
    MEMORIES,
    META,
    NOTES,
    PENDING,
    WORDINGS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.store.walk import Stat

DELETIONS = "deletions"
"""The word of `meta` that holds the deletions which were begun (`store.erase`)."""
LASTING = "lasting"
"""The word of `meta` that holds what is wrong and has no note any more."""
IMPORT = "import"
"""The word of `meta` that holds what is left of an import; "" while nothing is."""


class NoteRow(NamedTuple):
    """What the baseline holds of one file."""

    path: str
    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int
    recorded_ns: int
    etag: str
    kind: str
    id: str
    state: str
    stem: str
    findings: str
    """The findings about its present bytes as JSON, empty if there are none."""

    @property
    def stat(self) -> Stat:
        """The part that a walk can compare."""
        return (self.mtime_ns, self.size, self.inode, self.ctime_ns)


class MemoryRow(NamedTuple):
    """The last good version of one memory, apart from what the report needs."""

    id: str
    path: str
    state: str
    since: float
    etag: str
    evidence_base: float
    statement_key: str
    force_mac: str
    """Keyed hash of what its force rests on; a signed force line must carry the same."""


class LedgerRow(NamedTuple):
    """One line of a ledger, as read from the vault."""

    line: str
    kind: str
    device: str
    at: str
    act: str
    note: str
    data: str
    after: str
    signed: int
    file: str

    def number(self, key: str) -> float:
        """A number among its data; 0 where there is none, or something else."""
        return number_in(json.loads(self.data), key)


def number_in(values: Mapping[str, object], key: str) -> float:
    """A number among what a line says; 0 where there is none, or something else."""
    value = values.get(key, 0)
    return value if isinstance(value, int | float) else 0


class Pending(NamedTuple):
    """An unexplained change in a vault that other devices write, until ten quiet minutes passed."""

    id: str
    act: str
    keys: str
    after: str
    """The keyed hashes of the note's versions that wait, oldest first, separated by blanks."""
    at: float
    """Seconds since the epoch, local naive time, as in `Standing`."""

    @property
    def versions(self) -> list[str]:
        """The keyed hashes one by one."""
        return self.after.split()

    @property
    def newest(self) -> str:
        """That of the newest version; "" where the note vanished."""
        return self.after.rpartition(" ")[2]


META_VALUES = Reader(META, ("value",), itemgetter(0))
NOTE_ROWS = Reader(NOTES, NoteRow._fields, NoteRow._make)
NOTE_STATS = Reader(NOTES, ("path", "mtime_ns", "size", "inode", "ctime_ns"), tuple)
NOTE_PATHS = Reader(NOTES, ("path",), itemgetter(0))
NOTE_FINDINGS = Reader(NOTES, ("findings",), itemgetter(0))
MEMORY_ROWS = Reader(MEMORIES, MemoryRow._fields, MemoryRow._make)
STANDING_ROWS = Reader(MEMORIES, STANDING_COLUMNS, Standing._make)
CONTENT = Reader(CONTENTS, ("bytes",), itemgetter(0))
WORDING_ROWS = Reader(WORDINGS, ("id", "text"), tuple)
FEED_PATHS = Reader(CHANGES, ("path",), itemgetter(0))
FEED_NUMBERS = Reader(CHANGES, ("seq",), itemgetter(0))
PENDING_ROWS = Reader(PENDING, Pending._fields, Pending._make)
LEDGER_ROWS = Reader(LEDGER, LedgerRow._fields, LedgerRow._make)
LEDGER_LINES = Reader(LEDGER, ("line",), itemgetter(0))
LEDGER_DEVICES = Reader(LEDGER, ("device",), itemgetter(0))
