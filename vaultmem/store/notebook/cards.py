"""The cards of this machine's sessions: what is there, how they are used, what was consumed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.notebook.stem import short_hash
from vaultmem.store.notebook.card_rows import put_card, read_cards, remove_card
from vaultmem.store.notebook.job_rows import mark_dirty

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultmem.core.notebook.card import Card
    from vaultmem.store.notebook.tables import Database

PRUNE_BATCH = 200
"""Cards that one pruning takes away at most (facts/notebook.md, section 2)."""

_FRESH = "COALESCE(uses.last_used, cards.watermark)"


class Cards:
    """The cards in the notebook's file; methods raise as `Database` says."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def put(self, card: Card, now: float) -> bool:
        """Store a card that no extraction of ours made; False if a newer one is there.

        An extraction stores its card by `NotebookCatalog.finish_extraction`. The card's uses count
        only where the session has none yet, and its note is to be written.
        """
        with self._db.changing() as sql:
            stored = put_card(sql, card)
            if stored:
                mark_dirty(sql, now)
        return stored

    def get(self, session: str) -> Card | None:
        """The card of a session."""
        return next(iter(self._read("WHERE cards.session = ?", session)), None)

    def all(self) -> list[Card]:
        """Every card, by the sessions' ids."""
        return self._read("ORDER BY cards.session")

    def remove(self, session: str, now: float) -> bool:
        """Forget a card and its uses; its note is to be dropped. False if there is none."""
        with self._db.changing() as sql:
            removed = remove_card(sql, session)
            if removed:
                mark_dirty(sql, now)
        return removed

    def prune(self, cutoff: float, *, keep: Collection[str] = ()) -> list[str]:
        """Forget the cards that nobody used and no consolidation consumed; returns their sessions.

        Args:
            cutoff: what was used, or else went on, at this moment or later stays.
            keep: sessions that stay in any case, because the notebook cites them.
        """
        with self._db.changing() as sql:
            found = sql.execute(
                f"SELECT cards.session FROM cards LEFT JOIN uses USING (session)"  # noqa: S608 - as above
                f" WHERE cards.session NOT IN (SELECT session FROM selected) AND {_FRESH} < ?"
                f" ORDER BY {_FRESH}, cards.session",
                (cutoff,),
            ).fetchall()
            kept = frozenset(keep)
            gone = [session for (session,) in found if session not in kept][:PRUNE_BATCH]
            for session in gone:
                remove_card(sql, session)
        return gone

    # What consolidation consumed

    def selected(self) -> dict[str, float]:
        """The sessions whose cards the last consolidation consumed, with their watermarks."""
        with self._db.reading() as sql:
            return dict(sql.execute("SELECT session, watermark FROM selected").fetchall())

    # Use

    def use(self, names: Iterable[str], now: float) -> int:
        """Count one use for each card that is named; returns how many cards were.

        Args:
            names: ids of sessions, stems, or the short hashes of stems; of this machine's cards,
                and of those of other machines that the last consolidation consumed. Each card
                counts once, and an unknown name counts nothing.
            now: seconds since the epoch; the last use never goes back.
        """
        wanted = frozenset(names) - {""}
        with self._db.changing() as sql:
            known = sql.execute(
                "SELECT session, stem FROM cards UNION SELECT session, stem FROM selected"
            ).fetchall()
            used = {
                session for session, stem in known if wanted & {session, stem, short_hash(stem)}
            }
            for session in used:
                sql.execute(
                    "INSERT INTO uses VALUES(?1, 1, ?2) ON CONFLICT (session) DO UPDATE"
                    " SET used = used + 1, last_used = MAX(COALESCE(last_used, ?2), ?2)",
                    (session, now),
                )
        return len(used)

    def with_uses(self, cards: Iterable[Card]) -> list[Card]:
        """The cards with the uses that this machine counted.

        They stand in place of the note's for its own cards, and on top of it for those of others.
        """
        with self._db.reading() as sql:
            uses = {row[0]: row for row in sql.execute("SELECT * FROM uses").fetchall()}
            own = {session for (session,) in sql.execute("SELECT session FROM cards").fetchall()}
        found = []
        for card in cards:
            _, used, last = uses.get(card.session, (card.session, 0, None))
            if card.session in own:
                found.append(replace(card, used=used, last_used=last))
                continue
            moments = [one for one in (card.last_used, last) if one is not None]
            used, last = card.used + used, max(moments, default=None)
            found.append(replace(card, used=used, last_used=last))
        return found

    # Notes

    def unwritten(self, before: float) -> list[Card]:
        """The cards whose note is not there yet, is of an older version, or tells fewer uses.

        Args:
            before: only a note that was written before this moment is due for its uses alone.
        """
        return self._read(
            "WHERE cards.noted IS NULL OR cards.noted < cards.watermark"
            " OR (uses.used > cards.noted_used AND cards.noted_at < ?) ORDER BY cards.session",
            before,
        )

    def written(self, card: Card, now: float) -> None:
        """Remember that this version of the card stands in its note."""
        with self._db.changing() as sql:
            sql.execute(
                "UPDATE cards SET noted = ?, noted_used = ?, noted_at = ? WHERE session = ?",
                (card.watermark, card.used, now, card.session),
            )

    def dropped(self) -> list[str]:
        """The sessions whose cards are gone and whose notes are to be deleted."""
        with self._db.reading() as sql:
            rows = sql.execute("SELECT session FROM dropped ORDER BY session").fetchall()
        return [session for (session,) in rows]

    def forgotten(self, session: str) -> None:
        """Remember that there is no note of the session any more."""
        with self._db.changing() as sql:
            sql.execute("DELETE FROM dropped WHERE session = ?", (session,))

    def _read(self, rest: str, *values: object) -> list[Card]:
        with self._db.reading() as sql:
            return read_cards(sql, rest, *values)
