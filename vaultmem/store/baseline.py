"""The baseline: what this machine last saw in the vault, one SQLite file in the state folder.

`notes` holds one row a file: its stat and what kind of note it is. `memories` holds one row an id:
the last good version, which stays in force while the note is broken, held or late. `changes` is
the feed that the search index follows; `ledger` is every device's ledger, read once
(`store.ledger_table`); `pending` the changes that wait (`store.pending_table`).
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from vaultmem.core.standing import IN_USE
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.store import baseline_rows as rows
from vaultmem.store.baseline_file import connect
from vaultmem.store.baseline_tables import MALFORMED
from vaultmem.store.finding_text import findings_of
from vaultmem.store.ledger_table import LedgerTable
from vaultmem.store.pending_table import PendingTable
from vaultmem.store.standing_rows import StandingRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vaultmem.core.finding import Finding
    from vaultmem.core.standing import Standing
    from vaultmem.store.baseline_file import Connection
    from vaultmem.store.baseline_reader import Reader
    from vaultmem.store.baseline_rows import MemoryRow, NoteRow
    from vaultmem.store.walk import Stat

RACY_NS = 2_000_000_000
"""A note changed this shortly before it was recorded may change again within one clock tick."""

_NOT_MENDED = (NoteState.EXTERNAL, NoteState.BROKEN)

T = TypeVar("T")


class Baseline:
    """The tables above; one connection, opened by `open_baseline`.

    Every method may raise what `store.baseline_file` makes of SQLite's errors: VaultError for a
    damaged file, which is set aside, BusyError, ReadOnlyError and DiskFailedError.
    """

    def __init__(self, connection: Connection) -> None:
        self._sql = connection
        self._standings = StandingRows(connection)
        self.ledger = LedgerTable(connection)
        """What all devices' ledgers say."""
        self.pending = PendingTable(connection)
        """Which changes wait for another device's word."""

    def close(self) -> None:
        """Give the file back."""
        self._sql.close()

    @property
    def connection(self) -> Connection:
        """The connection, for the tables of `store.patches`, which share its transactions."""
        return self._sql

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing; nests by joining the outer one."""
        if self._is_open():
            yield
            return
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._standings.forget()
            if self._is_open():  # SQLite takes it back itself when the disk is full
                self._sql.execute("ROLLBACK")
            raise
        self._sql.execute("COMMIT")

    def _is_open(self) -> bool:
        return self._sql.in_transaction

    # meta

    def meta(self, key: str) -> str:
        """A stored word about the baseline itself; empty if it was never stored."""
        return rows.META_VALUES.first(self._sql, "WHERE key = ?", (key,)) or ""

    def parsed_meta(self, key: str, parse: Callable[[str], T]) -> T | None:
        """What a stored word says, None if there is none; one that says nothing is damage."""
        word = self.meta(key)
        try:
            return parse(word) if word else None
        except MALFORMED as error:
            raise self._sql.damaged("meta.value") from error

    def set_meta(self, key: str, value: str) -> None:
        """Store a word under `key`."""
        self._sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    # notes

    def stats(self) -> dict[str, Stat]:
        """The recorded stat of every file: what a sync without changes compares."""
        return {row[0]: row[1:] for row in rows.NOTE_STATS.rows(self._sql)}

    def racy(self) -> set[str]:
        """The files that were recorded so soon after a change that their stat proves nothing."""
        return set(rows.NOTE_PATHS.rows(self._sql, "WHERE recorded_ns - mtime_ns < ?", (RACY_NS,)))

    def waiting(self) -> set[str]:
        """The notes that lack an id or a property which follows, until they may be written."""
        return set(rows.NOTE_PATHS.rows(self._sql, f"WHERE state = '{NoteState.WAITING}'"))

    def external(self) -> set[str]:
        """The notes that hold, or miss, what an agent did to them."""
        return set(rows.NOTE_PATHS.rows(self._sql, f"WHERE state = '{NoteState.EXTERNAL}'"))

    def external_rows(self) -> list[NoteRow]:
        """The notes that an agent made, of which no memory is known, by path."""
        return rows.NOTE_ROWS.rows(
            self._sql,
            f"WHERE state = '{NoteState.EXTERNAL}'"
            " AND id NOT IN (SELECT id FROM memories) ORDER BY path",
        )

    def findings(self) -> list[Finding]:
        """What is wrong with the notes, by path, then what is wrong and has no note any more."""
        texts = rows.NOTE_FINDINGS.rows(self._sql, "WHERE findings <> '' ORDER BY path")
        return [*chain.from_iterable(map(findings_of, texts)), *self.lasting()]

    def lasting(self) -> list[Finding]:
        """What is wrong and has no note any more."""
        return self.parsed_meta(rows.LASTING, findings_of) or []

    def note(self, path: str) -> NoteRow | None:
        """The row of the file at `path`."""
        return rows.NOTE_ROWS.first(self._sql, "WHERE path = ?", (path,))

    def notes(self, *, kind: str | None = None) -> list[NoteRow]:
        """Every file, or those of one kind, by path."""
        return self._of_kind(rows.NOTE_ROWS, kind)

    def paths(self, *, kind: str | None = None) -> list[str]:
        """The paths of the same; of one kind an index answers, however many there are."""
        return self._of_kind(rows.NOTE_PATHS, kind)

    def _of_kind(self, reader: Reader[T], kind: str | None) -> list[T]:
        if kind is None:
            return reader.rows(self._sql, "ORDER BY path")
        return reader.rows(self._sql, "WHERE kind = ? ORDER BY path", (kind,))

    def notes_with_id(self, identifier: str) -> list[NoteRow]:
        """The files that carry an id; more than one where a note was copied."""
        rest = "id = ? AND id <> ''"  # as its index says
        return rows.NOTE_ROWS.rows(self._sql, f"WHERE {rest} ORDER BY path", (identifier,))

    def copied(self, kind: str) -> list[NoteRow]:
        """The files of a kind whose id another one of that kind has as well, by path."""
        return rows.NOTE_ROWS.rows(
            self._sql,
            "WHERE kind = ?1 AND id IN (SELECT id FROM notes"
            " WHERE kind = ?1 AND id <> '' GROUP BY id HAVING COUNT(*) > 1) ORDER BY path",
            (kind,),
        )

    def stems(self, stem: str, *, clashed: bool = False) -> list[str]:
        """The paths whose base name has this `name_key`; `clashed`: also with ` (…)` behind it."""
        rest = "WHERE stem = ? OR (stem > ? AND stem < ?) ORDER BY path"
        return rows.NOTE_PATHS.rows(
            self._sql, rest, (stem, f"{stem} (", f"{stem} )" if clashed else "")
        )

    def put_note(self, row: NoteRow) -> None:
        """Record what was seen of a file, and tell the feed."""
        self._sql.execute("INSERT OR REPLACE INTO notes VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", row)
        if row.state not in _NOT_MENDED:  # mended, it may say what it said
            self._sql.execute("DELETE FROM contents WHERE id = ?", (f"external {row.path}",))
        self.touch(row.path)

    def restat(self, path: str, stat: Stat, recorded_ns: int) -> None:
        """Record a new stat of unchanged bytes; the feed need not know."""
        self._sql.execute(
            "UPDATE notes SET mtime_ns=?, size=?, inode=?, ctime_ns=?, recorded_ns=? WHERE path=?",
            (*stat, recorded_ns, path),
        )

    def distrust(self, kind: str) -> None:
        """Make the next look read every file of that kind again."""
        self._sql.execute("UPDATE notes SET etag = '', mtime_ns = 0 WHERE kind = ?", (kind,))

    def drop_note(self, path: str) -> None:
        """Forget a file that is gone, and tell the feed."""
        self._sql.execute("DELETE FROM notes WHERE path = ?", (path,))
        self._sql.execute("DELETE FROM contents WHERE id = ?", (f"external {path}",))
        self.touch(path)

    # memories

    def standings(self) -> list[Standing]:
        """Every memory that is in force in some form, as the report wants it; not to be changed."""
        return self._standings.read()

    def forget_standings(self) -> None:
        """Let go of the rows that `standings` keeps, before much else needs memory."""
        self._standings.forget()

    def standing(self, identifier: str) -> Standing | None:
        """The report's view of one memory, whatever its state."""
        return self._standings.one(identifier, live=False)

    def live_standing(self, identifier: str) -> Standing | None:
        """The same of a memory whose note is there; None for any other."""
        return self._standings.one(identifier, live=True)

    def memory(self, identifier: str) -> MemoryRow | None:
        """The last good version of a memory."""
        return rows.MEMORY_ROWS.first(self._sql, "WHERE id = ?", (identifier,))

    def memories(self, *, state: MemoryState | None = None) -> list[MemoryRow]:
        """Every memory, or those of one state, by id."""
        return self._memories("1") if state is None else self._memories("state = ?", state)

    def memories_at(self, path: str) -> list[MemoryRow]:
        """The memories whose note lies, or lay last, at `path`."""
        return self._memories("path = ?", path)

    def memories_with_end(self, end: str) -> list[MemoryRow]:
        """The memories whose id ends so; `end` is letters and digits."""
        return self._memories("id LIKE ?", f"%{end}")

    def memories_that_say(self, key: str) -> list[MemoryRow]:
        """The memories whose statement has this key (`core.normal.statement_key`)."""
        return self._memories("statement_key = ?", key)

    def deleted_memories(self) -> list[MemoryRow]:
        """The memories that were deleted, of which something may still be there."""
        return self._memories("status = 'deleted' OR state = 'gone'")

    def unreviewed_memories(self) -> list[MemoryRow]:
        """The memories in use that want to act, and of which no force line was seen."""
        used = ", ".join(f"'{status}'" for status in sorted(IN_USE))
        return self._memories(
            f"state = 'live' AND status IN ({used}) AND force_mac <> '' AND force = 0"
        )

    def _memories(self, where: str, *values: str) -> list[MemoryRow]:
        return rows.MEMORY_ROWS.rows(self._sql, f"WHERE {where} ORDER BY id", values)

    def put_memory(self, standing: Standing, row: MemoryRow, content: bytes) -> None:
        """Record a memory's good version; its bytes are kept for the day the note is broken.

        Of the version that it replaces the statement is kept, for a purge to look for.
        """
        self._sql.execute(
            "INSERT OR IGNORE INTO wordings"
            " SELECT id, statement FROM memories WHERE id = ? AND statement <> ?",
            (row.id, standing.statement),
        )
        marks = ",".join("?" * (len(standing) + 6))
        self._sql.execute(
            f"INSERT OR REPLACE INTO memories VALUES ({marks})",
            (*standing, *row[2:]),
        )
        self._sql.execute("INSERT OR REPLACE INTO contents VALUES (?, ?)", (row.id, content))

    def set_state(self, identifier: str, state: MemoryState, since: float) -> None:
        """Change only where a memory is."""
        self._sql.execute(
            "UPDATE memories SET state = ?, since = ? WHERE id = ?", (state, since, identifier)
        )

    def set_place(self, identifier: str, path: str) -> None:
        """Record that a memory's note was moved."""
        self._sql.execute("UPDATE memories SET path = ? WHERE id = ?", (path, identifier))

    def set_live(self, identifier: str, evidence: float, reinforced: float, trust: str) -> None:
        """Record the balance plus later ledger lines, the newest's date, and the source's class."""
        self._sql.execute(
            "UPDATE memories SET evidence_count = ?, reinforced = ?, trust = ? WHERE id = ?",
            (evidence, reinforced, trust, identifier),
        )

    def set_force(self, identifier: str, *, force: bool) -> None:
        """Record whether a signed force line covers the memory as it is."""
        self._sql.execute("UPDATE memories SET force = ? WHERE id = ?", (int(force), identifier))

    def forget(self, identifier: str) -> None:
        """Drop all that is known of a memory."""
        self._sql.execute("DELETE FROM memories WHERE id = ?", (identifier,))
        self._sql.execute(
            "DELETE FROM contents WHERE id IN (?, ?)", (identifier, f"before {identifier}")
        )

    def content(self, identifier: str) -> bytes | None:
        """The bytes of the last good version."""
        return rows.CONTENT.first(self._sql, "WHERE id = ?", (identifier,))

    def wordings(self, identifier: str) -> list[str]:
        """The statements that a memory had in force here before the present one."""
        return [
            text for _, text in rows.WORDING_ROWS.rows(self._sql, "WHERE id = ?", (identifier,))
        ]

    def keep_before(self, identifier: str) -> None:
        """Keep the present good version too, until it is known whose the next one is.

        A second change while the first one waits keeps the version before the first.
        """
        self._sql.execute(
            "INSERT OR IGNORE INTO contents"
            " SELECT 'before ' || id, bytes FROM contents WHERE id = ?",
            (identifier,),
        )

    def content_before(self, identifier: str) -> bytes | None:
        """The version that `keep_before` kept."""
        return self.content(f"before {identifier}")

    def keep_external(self, path: str, content: bytes) -> None:
        """Keep what an agent wrote into the note at `path`, as long as the note is external."""
        self._sql.execute(
            "INSERT OR REPLACE INTO contents VALUES (?, ?)", (f"external {path}", content)
        )

    def content_external(self, path: str) -> bytes | None:
        """What an agent wrote into the note at `path`; None where the note is not external."""
        return self.content(f"external {path}")

    # the feed

    def touch(self, path: str) -> None:
        """Tell the feed that what `path` holds for the index may have changed."""
        with self.transaction():
            row = (path, self.seq() + 1)
            self._sql.execute("INSERT OR REPLACE INTO changes VALUES (?, ?)", row)

    def changes_since(self, seq: int) -> list[str]:
        """The paths that changed after the feed's number `seq`, oldest first."""
        return rows.FEED_PATHS.rows(self._sql, "WHERE seq > ? ORDER BY seq", (seq,))

    def seq(self) -> int:
        """The feed's newest number; 0 for an empty baseline."""
        return rows.FEED_NUMBERS.first(self._sql, "ORDER BY seq DESC LIMIT 1") or 0

    # what time or the next command has to finish

    def has_pending(self) -> bool:
        """Whether any change waits, or a missing note does: time alone may decide something."""
        row = self._sql.execute(
            "SELECT EXISTS (SELECT 1 FROM pending)"
            " OR EXISTS (SELECT 1 FROM memories WHERE state = 'missing')"
        ).fetchone()
        return bool(row[0])

    def has_unfinished(self) -> bool:
        """Whether a line of the ledger, a patch, an import or a deletion waits to be finished."""
        row = self._sql.execute(
            "SELECT EXISTS (SELECT 1 FROM ledger WHERE file = 'unwritten')"
            " OR EXISTS (SELECT 1 FROM patches WHERE status IN ('applying', 'reverting'))"
            " OR EXISTS (SELECT 1 FROM meta WHERE key IN (?, ?) AND value NOT IN ('', '[]'))",
            (rows.DELETIONS, rows.IMPORT),
        ).fetchone()
        return bool(row[0])


def open_baseline(path: Path) -> Baseline:
    """Open the baseline, making it where there is none.

    A file that is no database, or of another version, is set aside as `….broken` and begun anew:
    the notes are the truth, and what the baseline knew is learned again by the next sync.

    Raises:
        VaultError: if the file cannot be opened, or another process keeps it locked for 10 s.
        BusyError, ReadOnlyError, DiskFailedError: as every method of `Baseline`.
    """
    return Baseline(connect(path))
