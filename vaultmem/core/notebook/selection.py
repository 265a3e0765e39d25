"""Which cards a consolidation is given: by use and recency, at most so many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.settings import DAY_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.notebook.card import Card


def select_cards(
    cards: Iterable[Card], *, now: float, most: int, unused_days: int
) -> tuple[Card, ...]:
    """The cards that count, in the order of their sessions' ids, so that files stay stable.

    A card counts that says something and was used, or else whose session went on, within
    `unused_days`. The most used come first, then those used or made last (facts/notebook.md §5).

    Args:
        cards: of all devices, one for each session; those of sessions that are switched off were
            left out.
        now: seconds since the epoch.
        most: how many at most.
        unused_days: after how many days without use a card is left out.
    """
    since = now - unused_days * DAY_SECONDS
    counting = (card for card in cards if _says_something(card) and _alive(card) >= since)
    ranked = sorted(counting, key=_rank, reverse=True)
    return tuple(sorted(ranked[:most], key=lambda card: card.session))


def _says_something(card: Card) -> bool:
    return bool(card.summary.strip() or card.card.strip())


def _alive(card: Card) -> float:
    """When the card was last used; one that never was lives from its session's last entry."""
    return card.watermark if card.last_used is None else card.last_used


def _rank(card: Card) -> tuple[int, float, float, str]:
    return card.used, _alive(card), card.watermark, card.session
