"""The changes that another device may yet explain, until ten quiet minutes passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.baseline_rows import PENDING_ROWS, Pending

if TYPE_CHECKING:
    from vaultmem.store.baseline_file import Connection


class PendingTable:
    """The table `pending`; every method may raise what a method of `Baseline` may."""

    def __init__(self, connection: Connection) -> None:
        """Use the baseline's connection, so that its transactions cover both."""
        self._sql = connection

    def put(self, change: Pending) -> None:
        """Wait with calling a change the person's; a later change of the same kind replaces it."""
        self._sql.execute("INSERT OR REPLACE INTO pending VALUES (?,?,?,?,?)", change)

    def all(self) -> list[Pending]:
        """Every change that waits, oldest first."""
        return PENDING_ROWS.rows(self._sql, "ORDER BY at, id, act")

    def of(self, identifier: str) -> dict[str, Pending]:
        """The changes of one note that wait, by their acts."""
        found = PENDING_ROWS.rows(self._sql, "WHERE id = ? ORDER BY act", (identifier,))
        return {one.act: one for one in found}

    def settle(self, change: Pending) -> None:
        """The change is explained or has become the person's.

        The version before (`Baseline.keep_before`) is kept until no other change of the memory
        waits.
        """
        self._sql.execute("DELETE FROM pending WHERE id = ? AND act = ?", (change.id, change.act))
        self._sql.execute(
            "DELETE FROM contents WHERE id = 'before ' || ?1"
            " AND NOT EXISTS (SELECT 1 FROM pending WHERE id = ?1)",
            (change.id,),
        )
