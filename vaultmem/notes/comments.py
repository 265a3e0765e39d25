"""Blanks out the comments of a note's body, which may run over paragraphs, keeping every offset."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from vaultmem.core.inline import Ticks

_STOP = re.compile(
    r"(?P<fence>^ {0,3}(?P<run>`{3,}(?=[^`\r\n]*$)|~{3,}).*$)|\\.|(?P<ticks>`+)|%%|<!--",
    re.MULTILINE,
)
_BLANK_LINE = re.compile(r"(?:\r\n|[\r\n])[ \t]*(?=[\r\n])")
_NOT_LINE_END = re.compile(r"[^\r\n]")


class Masked(NamedTuple):
    """A body of the same length in which `filler`, which it did not hold, covers the comments."""

    text: str
    filler: str
    comments: tuple[tuple[int, int], ...]
    """Half-open character offsets."""


def mask_comments(body: str) -> Masked:
    """Cover `%%…%%` and `<!--…-->` outside code by a filler character, line ends apart.

    A `%%` without a partner covers the rest, as Obsidian has it; so does a `<!--` that begins a
    line, as CommonMark has it.
    """
    filler = _free(body)
    if "%%" not in body and "<!--" not in body:
        return Masked(body, filler, ())
    comments = tuple(_comments(body))
    parts: list[str] = []
    last = 0
    for start, end in comments:
        parts += (body[last:start], _NOT_LINE_END.sub(filler, body[start:end]))
        last = end
    parts.append(body[last:])
    return Masked("".join(parts), filler, comments)


def _comments(body: str) -> list[tuple[int, int]]:
    ticks = Ticks(body)
    paragraphs = [found.start() for found in _BLANK_LINE.finditer(body)] + [len(body)]
    spans: list[tuple[int, int]] = []
    place = 0
    while (found := _STOP.search(body, place)) is not None:
        place = found.end()
        if found["fence"] is not None:
            place = _fence_end(body, place, found["run"])
        elif found["ticks"] is not None:
            end = ticks.close(place, len(found["ticks"]))
            if end is not None and end <= paragraphs[bisect_left(paragraphs, place)]:
                place = end
        elif found[0] in ("%%", "<!--") and (end := _comment_end(body, found)) is not None:
            spans.append((found.start(), end))
            place = end
    return spans


def _fence_end(body: str, place: int, run: str) -> int:
    closing = re.compile(rf"^ {{0,3}}{run[0]}{{{len(run)},}}[ \t]*$", re.MULTILINE)
    found = closing.search(body, place)
    return len(body) if found is None else found.end()


def _comment_end(body: str, opening: re.Match[str]) -> int | None:
    closing = "%%" if opening[0] == "%%" else "-->"
    end = body.find(closing, opening.end())
    if end >= 0:
        return end + len(closing)
    line = body[
        max(body.rfind("\n", 0, opening.start()), body.rfind("\r", 0, opening.start()))
        + 1 : opening.start()
    ]
    return len(body) if closing == "%%" or not line.strip() else None


def _free(body: str) -> str:
    """A private-use character that the body does not hold."""
    return next(char for char in map(chr, range(0xE000, 0xF900)) if char not in body)
