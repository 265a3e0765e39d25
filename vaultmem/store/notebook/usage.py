"""What models were asked: calls, tokens and cost by day, purpose and model."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.store.notebook.tables import Database


class Spent(NamedTuple):
    """What one model was asked for one purpose on one day, or a sum of such rows.

    Attributes:
        day: the person's; None in a sum.
        purpose, model: "" in a sum of several.
        calls: how often it was asked.
        input, output: tokens.
        cost: in US dollars, of the calls whose price is known.
        unpriced: calls whose price is not known.
    """

    day: date | None
    purpose: str
    model: str
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    unpriced: int = 0


class UsageTable:
    """The table; methods raise as `Database` says."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self,
        day: date,
        purpose: str,
        model: str,
        *,
        input: int,  # noqa: A002 - as models name it
        output: int,
        cost: float | None,
    ) -> None:
        """Count one call.

        Args:
            day: the person's local day.
            purpose: what the model was asked for.
            model: its name.
            input: tokens, as the model's side counted them.
            output: likewise.
            cost: in US dollars; None where it is not known.
        """
        values = (day.isoformat(), purpose, model, input, output, cost or 0.0, int(cost is None))
        with self._db.changing() as sql:
            sql.execute(
                "INSERT INTO usage VALUES(?1, ?2, ?3, 1, ?4, ?5, ?6, ?7)"
                " ON CONFLICT (day, purpose, model) DO UPDATE SET calls = calls + 1,"
                " input = input + ?4, output = output + ?5, cost = cost + ?6,"
                " unpriced = unpriced + ?7",
                values,
            )

    def rows(self, since: date | None = None) -> list[Spent]:
        """Every row of that day or later, by day, purpose and model."""
        with self._db.reading() as sql:
            found = sql.execute(
                "SELECT * FROM usage WHERE day >= ? ORDER BY day, purpose, model",
                ("" if since is None else since.isoformat(),),
            ).fetchall()
        return [Spent(date.fromisoformat(day), *rest) for day, *rest in found]

    def total(
        self, since: date | None = None, *, purpose: str | None = None, model: str | None = None
    ) -> Spent:
        """The sum of the rows of that day or later, of one purpose or model if one is named."""
        rows = [
            row
            for row in self.rows(since)
            if purpose in (None, row.purpose) and model in (None, row.model)
        ]
        return Spent(
            None,
            purpose or "",
            model or "",
            sum(row.calls for row in rows),
            sum(row.input for row in rows),
            sum(row.output for row in rows),
            sum(row.cost for row in rows),
            sum(row.unpriced for row in rows),
        )
