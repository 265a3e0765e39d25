"""Lays memories out on a canvas, and leaves what a person put or moved there where it is.

Cards of ours are known by their id: a card's is that of its memory, a group's begins with
`vaultmem`. Everything else on the canvas is the person's. A card that was moved or made larger
stays so; a new one goes below the others of its group, where nothing lies. Ours stand on whole
pixels, as JSON Canvas 1.0 wants it, even beside cards that another program put between two.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

GROUP = "vaultmem group "
LINK = "vaultmem "
WIDTH, HEIGHT = 360, 140
"""Of a card, in pixels of the canvas."""
GAP = 20
_BETWEEN = 80


class Card(NamedTuple):
    """Anything on the canvas; `rest` is what else its entry holds, unknown keys included."""

    id: str
    x: float
    y: float
    width: float
    height: float
    rest: Mapping[str, object]

    @property
    def bottom(self) -> float:
        """Where it ends, downwards."""
        return self.y + self.height

    @property
    def right(self) -> float:
        """Where it ends, to the right."""
        return self.x + self.width


class Line(NamedTuple):
    """A line from card to card."""

    id: str
    start: str
    end: str
    rest: Mapping[str, object]


class Canvas(NamedTuple):
    """A whole canvas; `rest` holds keys that are neither cards nor lines."""

    cards: tuple[Card, ...] = ()
    lines: tuple[Line, ...] = ()
    rest: Mapping[str, object] = {}


class Wanted(NamedTuple):
    """A memory that shall be on the canvas: its id, its note, and the group it goes to."""

    id: str
    file: str
    group: str


class Joined(NamedTuple):
    """Two memories that shall be joined, and what the one is to the other."""

    start: str
    end: str
    label: str


def is_ours(identifier: str) -> bool:
    """Whether a card or line is one that we made."""
    return is_id(identifier, "mem") or identifier.startswith((GROUP, LINK))


def merge(old: Canvas, wanted: Sequence[Wanted], joined: Sequence[Joined]) -> Canvas:
    """The canvas with these memories, and with everything that a person put there.

    Cards of memories that are not wanted any more go, with the lines that led to them.
    """
    there = {one.id: one for one in old.cards}
    names = {one.id for one in wanted}
    groups = list(dict.fromkeys(one.group for one in wanted))
    kept = [
        one for one in old.cards if not is_ours(one.id) or one.id in names or _keeps(one, groups)
    ]
    cards = {one.id: one for one in kept}
    for group in groups:
        members = [one for one in wanted if one.group == group]
        frame = cards.get(GROUP + group) or _new_frame(group, list(cards.values()))
        cards[frame.id] = frame
        for one in members:
            card = there.get(one.id) or _below(one.id, frame, list(cards.values()))
            cards[one.id] = card._replace(rest={**card.rest, "type": "file", "file": one.file})
            if one.id not in there:
                frame = frame._replace(height=max(frame.height, ceil(card.bottom + GAP - frame.y)))
                cards[frame.id] = frame
    lines = [
        one for one in old.lines if not is_ours(one.id) and one.start in cards and one.end in cards
    ]
    return Canvas(tuple(_behind(cards.values())), (*lines, *_lines(old, joined, cards)), old.rest)


def without(old: Canvas, gone: frozenset[str], files: frozenset[str]) -> Canvas:
    """The canvas without the cards with these ids or of these files, and the lines to them."""
    cards = [one for one in old.cards if one.id not in gone and one.rest.get("file") not in files]
    names = {one.id for one in cards}
    lines = (one for one in old.lines if one.start in names and one.end in names)
    return Canvas(tuple(cards), tuple(lines), old.rest)


def _keeps(card: Card, groups: Sequence[str]) -> bool:
    return card.id.startswith(GROUP) and card.id.removeprefix(GROUP) in groups


def _new_frame(group: str, cards: Sequence[Card]) -> Card:
    """An empty group to the right of everything."""
    x = ceil(max((one.right for one in cards), default=-_BETWEEN)) + _BETWEEN
    top = floor(min((one.y for one in cards), default=0))
    rest = {"type": "group", "label": group}
    return Card(GROUP + group, x, top, WIDTH + 2 * GAP, HEIGHT + 2 * GAP, rest)


def _below(identifier: str, frame: Card, cards: Sequence[Card]) -> Card:
    """A new card in a group, below whatever lies in its column."""
    left = ceil(frame.x) + GAP
    right = left + WIDTH
    column = (
        one.bottom
        for one in cards
        if one.rest.get("type") != "group" and one.x < right and one.right > left
    )
    y = ceil(max((*column, frame.y))) + GAP
    return Card(identifier, left, y, WIDTH, HEIGHT, {})


def _behind(cards: Iterable[Card]) -> list[Card]:
    """Groups first, because what stands later in the file lies above."""
    return sorted(cards, key=lambda one: one.rest.get("type") != "group")


def _lines(old: Canvas, joined: Sequence[Joined], cards: Mapping[str, Card]) -> Iterator[Line]:
    there = {one.id: one for one in old.lines}
    for one in joined:
        if one.start in cards and one.end in cards:
            name = f"{LINK}{one.label} {one.start} {one.end}"
            known = there.get(name)
            rest = {"label": one.label} if known is None else known.rest
            yield Line(name, one.start, one.end, rest)
