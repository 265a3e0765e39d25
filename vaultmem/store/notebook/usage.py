"""What models were asked: calls, tokens and cost by day, purpose and model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from vaultmem.store.notebook.tables import Database


class Spent(NamedTuple):
    """What models were asked, in sum.

    Attributes:
        purpose, model: "" in a sum of several.
        calls: how often it was asked.
        input, output: tokens.
        cost: in US dollars, of the calls whose price is known.
        unpriced: calls whose price is not known.
    """

    purpose: str
    model: str
    calls: int = 0
    input: int = 0
    output: int = 0
    cost: float = 0.0
    unpriced: int = 0


_SUMS = ", ".join(
    f"TOTAL({name})" if name == "cost" else f"CAST(TOTAL({name}) AS INTEGER)"
    for name in Spent._fields[2:]
)
"""`TOTAL` has no end where `SUM` fails, past 64 bits."""


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

    def by_purpose(self) -> list[Spent]:
        """The sums of all days, by purpose and model."""
        with self._db.reading() as sql:
            found = sql.execute(
                f"SELECT purpose, model, {_SUMS} FROM usage"  # noqa: S608 - our own names
                " GROUP BY purpose, model ORDER BY purpose, model"
            ).fetchall()
        return [Spent(*row) for row in found]

    def total(self, since: date | None = None) -> Spent:
        """The sum of that day and all later ones."""
        with self._db.reading() as sql:
            found = sql.execute(
                f"SELECT '', '', {_SUMS} FROM usage WHERE day >= ?",  # noqa: S608 - as above
                ("" if since is None else since.isoformat(),),
            ).fetchone()
        return Spent(*found)
