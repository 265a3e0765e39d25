"""Where the sentences of a chat message begin and end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_STOP = re.compile(r"[.!?]+[)\]\"'”’]*(?=\s|$)|\n+|\s(?=\d{1,2}[.)] )")
"""A stop counts only before white space: `v1.2.3`, `README.md` and addresses have none inside."""

_BULLET = re.compile(r"\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+|#{1,6}\s+)?\s*")
"""What stands before a line's text: a list mark, a tick box, a heading's mark."""

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|incl|resp|aka|a\.k\.a|no|nr|fig|sec|min|max|mr|mrs|"
    r"ms|dr|prof|st|jr|inc|ltd|dept|est|viz|ca|et al|p\.s)|(?:^|[\s(])[a-z]|\.{2,})\.?$",
    re.IGNORECASE,
)
"""What a sentence does not end with, except where nothing follows or a capital follows `etc.`."""

_ENDS_ANYWAY = re.compile(r"\b(?:etc|no|min|max|inc)\.$", re.IGNORECASE)
_FINISHED = re.compile(r"\s*(?:[A-Z]|\n|$)")
_INSTEAD = re.compile(r"(?!.*\?)[^.!?\n]{1,120}\binstead\b(?! of)[.!]*$", re.IGNORECASE)
_REACH = 12
"""Characters before a full stop in which an abbreviation is looked for."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences of `text`, in order, without bullets and outer blanks.

    A line break always ends one: people write lists without full stops. A full stop does not
    where an abbreviation, an initial or an ellipsis has it. A short sentence that ends in
    "instead" belongs to the one before it, without which it says nothing.
    """
    found: list[tuple[int, int]] = []
    for start, stop in _pieces(text):
        mark = _BULLET.match(text, start, stop)
        begin = mark.end() if mark else start
        end = begin + len(text[begin:stop].rstrip())
        if begin == end:
            continue
        if found and "\n" not in text[found[-1][1] : begin] and _INSTEAD.match(text[begin:end]):
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
    return found


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(text):
        if not _goes_on(text, start, stop):
            yield start, stop.end()
            start = stop.end()
    yield start, len(text)


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the full stop is part of the sentence."""
    if not stop[0].startswith("."):
        return False
    before = text[max(start, stop.start() - _REACH) : stop.end()]
    if before.strip().rstrip(".").isdigit():  # the number of a list's item
        return True
    if _ENDS_ANYWAY.search(before):
        return _FINISHED.match(text, stop.end()) is None
    return _ABBREVIATION.search(before) is not None
