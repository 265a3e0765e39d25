"""A canvas from the bytes of its file, JSON Canvas 1.0, and the bytes of one.

Written as Obsidian writes it: tabs and one card a line, so that a change of one card is a change of
one line. Keys that we do not know stay with their card.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from vaultmem.core.canvas import Canvas, Card, Line
from vaultmem.errors import NoteUnreadableError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENDING = ".canvas"
_PLACE = ("id", "x", "y", "width", "height")
_ENDS = ("id", "fromNode", "toNode")


def decode_canvas(data: bytes, *, path: str) -> Canvas:
    """Read a canvas; an empty file, as Obsidian makes one, is an empty canvas.

    Raises:
        NoteUnreadableError: if it is no JSON, or a card or line lacks what every one has.
    """
    if not data.strip():
        return Canvas()
    try:
        found = json.loads(data)
        cards = tuple(_card(one) for one in found.get("nodes", ()))
        lines = tuple(_line(one) for one in found.get("edges", ()))
        _no_doubles(cards, lines)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise NoteUnreadableError(
            "The canvas cannot be read.",
            "Open it in Obsidian and mend it, or delete it to have it made again.",
            path=path,
        ) from error
    rest = {key: value for key, value in found.items() if key not in ("nodes", "edges")}
    return Canvas(cards, lines, rest)


def encode_canvas(canvas: Canvas) -> bytes:
    """The bytes of a canvas."""
    nodes = [
        {"id": one.id, **one.rest, "x": one.x, "y": one.y, "width": one.width, "height": one.height}
        for one in canvas.cards
    ]
    edges = [
        {"id": one.id, "fromNode": one.start, "toNode": one.end, **one.rest} for one in canvas.lines
    ]
    parts = [_list("nodes", nodes), _list("edges", edges)]
    parts += (f"\t{_json(key)}:{_json(value)}" for key, value in canvas.rest.items())
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _list(name: str, entries: list[dict[str, object]]) -> str:
    lines = ",\n".join(f"\t\t{_json(one)}" for one in entries)
    return f'\t"{name}":[\n{lines}\n\t]' if lines else f'\t"{name}":[]'


def _json(value: object) -> str:
    """One line of JSON that shows what it says: what cannot be printed is spelled by number."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _card(entry: Mapping[str, object]) -> Card:
    x, y, width, height = (_number(entry[key]) for key in _PLACE[1:])
    rest = {key: value for key, value in entry.items() if key not in _PLACE}
    return Card(_text(entry["id"]), x, y, width, height, rest)


def _line(entry: Mapping[str, object]) -> Line:
    name, start, end = (_text(entry[key]) for key in _ENDS)
    return Line(name, start, end, {key: one for key, one in entry.items() if key not in _ENDS})


def _no_doubles(cards: Sequence[Card], lines: Sequence[Line]) -> None:
    names = [*(one.id for one in cards), *(one.id for one in lines)]
    if len(set(names)) < len(names):
        raise ValueError(names)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _number(value: object) -> float:
    """A number as it stands: other programs than Obsidian write places with decimals."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if not math.isfinite(value):
        raise ValueError(value)
    return value
