"""The ledger lines of all devices, as the baseline read them: what each later question looks up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.baseline_rows import LEDGER_DEVICES, LEDGER_LINES, LEDGER_ROWS, LedgerRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.store.baseline_file import Connection

UNWRITTEN = "unwritten"
"""Stands for the file of a ledger line that waits until the vault may be written."""


class LedgerTable:
    """The table `ledger`; every method may raise what a method of `Baseline` may.

    A `kind` is a word of `core.ledger.LedgerKind`. Lines are answered oldest first.
    """

    def __init__(self, connection: Connection) -> None:
        """Use the baseline's connection, so that its transactions cover both."""
        self._sql = connection

    # what they say

    def signed(self, note: str, kind: str) -> list[LedgerRow]:
        """The signed lines of a kind about a note."""
        return self._rows("note = ? AND kind = ? AND signed = 1", note, kind)

    def newest(self, note: str) -> str | None:
        """The id of the newest signed line about a note, of any kind."""
        rest = "WHERE note = ? AND signed = 1 ORDER BY line DESC LIMIT 1"
        return LEDGER_LINES.first(self._sql, rest, (note,))

    def of_note(self, note: str, kind: str | None = None) -> list[LedgerRow]:
        """The lines about a note, of any or of one kind, signed or not."""
        if kind is None:
            return self._rows("note = ?", note)
        return self._rows("note = ? AND kind = ?", note, kind)

    def of_hash(self, mac: str, kind: str) -> list[LedgerRow]:
        """The lines of a kind that name a version or a text by its keyed hash, signed or not."""
        return self._rows("after = ? AND after <> '' AND kind = ?", mac, kind)  # as its index says

    def of_kind(self, kind: str) -> list[LedgerRow]:
        """Every line of a kind."""
        return self._rows("kind = ?", kind)

    # what a ledger's file held

    def of_file(self, path: str) -> list[LedgerRow]:
        """The lines that were read from the ledger at `path`."""
        return self._rows("file = ?", path)

    def own(self, kind: str, device: str, month: str) -> list[LedgerRow]:
        """The lines of a device and a month (`2026-11`) that were recorded as they were written."""
        return self._rows(
            "file = '' AND kind = ? AND device = ? AND at LIKE ?", kind, device, f"{month}%"
        )

    def unwritten(self, kind: str) -> list[LedgerRow]:
        """The lines of a kind that could not be written yet."""
        return self._rows("file = ? AND kind = ?", UNWRITTEN, kind)

    def has_unwritten(self) -> bool:
        """Whether any line waits to be written."""
        row = self._sql.execute("SELECT 1 FROM ledger WHERE file = ? LIMIT 1", (UNWRITTEN,))
        return row.fetchone() is not None

    # whose they are

    def has_other_device(self, device: str) -> bool:
        """Whether a line of another device has been read; the ends of an index answer it."""
        ends = ("ORDER BY device LIMIT 1", "ORDER BY device DESC LIMIT 1")
        return any(LEDGER_DEVICES.first(self._sql, end) not in (None, device) for end in ends)

    def devices(self) -> list[str]:
        """Every device of which lines were read."""
        return LEDGER_DEVICES.rows(self._sql, "GROUP BY device")

    # changes

    def put(self, rows: Iterable[LedgerRow]) -> None:
        """Record lines; one that is known is replaced only if it is signed at last."""
        self._sql.executemany(
            "INSERT INTO ledger VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (line) DO UPDATE SET"
            " kind=excluded.kind, device=excluded.device, at=excluded.at, act=excluded.act,"
            " note=excluded.note, data=excluded.data, after=excluded.after,"
            " signed=excluded.signed, file=excluded.file WHERE excluded.signed > ledger.signed",
            rows,
        )

    def now_written(self, lines: Iterable[str]) -> None:
        """The lines with these ids are in their file now."""
        self._sql.executemany(
            "UPDATE ledger SET file = '' WHERE line = ? AND file = ?",
            ((line, UNWRITTEN) for line in lines),
        )

    def unsigned(self) -> list[LedgerRow]:
        """Every line that nobody signed: anybody can have written it."""
        return self._rows("signed = 0")

    def forget(self, lines: Iterable[str]) -> None:
        """Drop the lines with these ids."""
        self._sql.executemany("DELETE FROM ledger WHERE line = ?", ((line,) for line in lines))

    def _rows(self, where: str, *values: str) -> list[LedgerRow]:
        return LEDGER_ROWS.rows(self._sql, f"WHERE {where} ORDER BY line", values)
