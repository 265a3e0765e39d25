"""What of a note its reader sees: which places stand in no fence and no comment."""

from __future__ import annotations

import re
from bisect import bisect_right

from vaultmem.core.comments import comments

FENCED = re.compile(r"^(```+|~~~+).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE)
"""A fence, in which no line is an item; one that nobody closes goes to the end."""


class Hidden:
    """The places of a note that stand in a fence or in a comment."""

    __slots__ = ("_ends", "_starts", "_text")

    def __init__(self, text: str) -> None:
        """Find them in `text`."""
        self._text = text
        self._starts: list[int] = []
        self._ends: list[int] = []
        fences = (found.span() for found in FENCED.finditer(text))
        for start, end in sorted([*fences, *comments(text)]):
            if not self._ends or end > self._ends[-1]:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, place: int) -> bool:
        at = bisect_right(self._starts, place) - 1
        return at >= 0 and place < self._ends[at]

    def before(self, place: int) -> int:
        """The place itself, or the beginning of the line in which what hides it begins."""
        for start, end in zip(reversed(self._starts), reversed(self._ends), strict=True):
            if start < place < end:
                place = max(self._text.rfind(mark, 0, start) for mark in "\r\n") + 1
        return place


def with_line(text: str, line: str, *, behind: int | None) -> str:
    """The text with one more line; no other byte changes, but a line that had no end gets one.

    Args:
        text: a note, or its body.
        line: without its end, which will be that of the others.
        behind: the offset behind the line that it follows; None for the end of the text. Where
            that stands in a fence or a comment that nobody closed, it goes before this.
    """
    eol = "\r\n" if "\r\n" in text else "\n"
    # What nobody closed reaches behind the end, and hides what is added there.
    place = Hidden(f"{text}\n").before(len(text) if behind is None else behind)
    before = text[:place]
    missing = eol if before and not before.endswith(("\n", "\r")) else ""
    return f"{before}{missing}{line}{eol}{text[place:]}"
