"""Cards as rows of the notebook's file, stored and taken away within a transaction."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.notebook.card import Card

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.core.occurrence import Line

_STORED = (
    "session",
    "device",
    "project",
    "cwd",
    "branch",
    "file",
    "watermark",
    "slug",
    "stem",
    "summary",
    "card",
    "made",
)
_COLUMNS = ", ".join(f"cards.{name}" for name in _STORED)
_CARDS = (
    f"SELECT {_COLUMNS}, uses.used, uses.last_used"  # noqa: S608 - our own names
    " FROM cards LEFT JOIN uses USING (session)"
)


def read_cards(sql: sqlite3.Connection, rest: str, *values: object) -> list[Card]:
    """The cards with their uses; `rest` is what follows in the question: WHERE, ORDER BY."""
    return [_card_of(row) for row in sql.execute(f"{_CARDS} {rest}", values).fetchall()]


def put_card(sql: sqlite3.Connection, card: Card, *, noted: bool = False) -> bool:
    """Store a card, if it is as new as the one that is there; arguments as `Cards.put`."""
    found = sql.execute("SELECT watermark FROM cards WHERE session = ?", (card.session,)).fetchone()
    if found is not None and found[0] > card.watermark:
        return False
    values = [getattr(card, name) for name in _STORED]
    note = (card.watermark, card.used) if noted else (None, 0)
    marks = ", ".join("?" * (len(values) + 2))
    sql.execute(
        f"INSERT OR REPLACE INTO cards ({', '.join(_STORED)}, noted, noted_used, noted_at)"
        f" VALUES({marks}, 0)",
        (*values, *note),
    )
    sql.execute("DELETE FROM dropped WHERE session = ?", (card.session,))
    if card.used or card.last_used is not None:
        sql.execute(
            "INSERT OR IGNORE INTO uses VALUES(?, ?, ?)",
            (card.session, card.used, card.last_used),
        )
    return True


def remove_card(sql: sqlite3.Connection, session: str) -> bool:
    """Forget a card with its uses; its note is to be dropped. False if there is none."""
    if not sql.execute("DELETE FROM cards WHERE session = ?", (session,)).rowcount:
        return False
    sql.execute("DELETE FROM uses WHERE session = ?", (session,))
    sql.execute("INSERT OR IGNORE INTO dropped VALUES(?)", (session,))
    return True


def select_cards(sql: sqlite3.Connection, cards: Sequence[Card]) -> None:
    """Store exactly which snapshots were consumed."""
    sql.execute("DELETE FROM selected")
    sql.executemany(
        "INSERT OR REPLACE INTO selected VALUES(?, ?, ?)",
        [(card.session, card.stem, card.watermark) for card in cards],
    )


def cut_card(card: Card, matches: Callable[[bytes], Sequence[Line]]) -> Card | None:
    """The card without the lines that say a purged text; None where nothing telling is left.

    Args:
        card: as it is stored.
        matches: which lines of a text say it, as `core.occurrence.lines_with` finds them.
    """
    if any(matches(text.replace("_", " ").encode()) for text in (card.stem, card.slug or "")):
        return None
    summary, told = (_cut(text, matches) for text in (card.summary, card.card))
    return replace(card, summary=summary, card=told) if summary.strip() and told.strip() else None


def _cut(text: str, matches: Callable[[bytes], Sequence[Line]]) -> str:
    from vaultmem.core.occurrence import without_lines  # only a purge cuts

    data = text.encode()
    lines = [line.number for line in matches(data)]
    return without_lines(data, lines).decode() if lines else text


def _card_of(row: tuple[object, ...]) -> Card:
    session, device, project, cwd, branch, file, mark, slug, stem, summary, card, made, *use = row
    used, last_used = use
    return Card(
        session=str(session),
        device=str(device),
        project=str(project),
        cwd=str(cwd),
        branch=str(branch),
        file=str(file),
        watermark=_number(mark),
        slug=None if slug is None else str(slug),
        stem=str(stem),
        summary=str(summary),
        card=str(card),
        made=_number(made),
        used=int(_number(used or 0)),
        last_used=None if last_used is None else _number(last_used),
    )


def _number(value: object) -> float:
    """A number of a row; a damaged file may hold anything."""
    if not isinstance(value, int | float):
        raise sqlite3.DatabaseError("a number of a card is none")
    return float(value)
