"""Tokens: how many a text takes, and how whole lines are packed into a number of them.

A token is estimated as four characters, and as one for each character of the scripts whose signs
models usually split one by one. Sums are kept in quarters of a token, because the quarters of a
text are the sum of those of its parts, and only the total is rounded (up).
"""

from __future__ import annotations

from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

QUARTERS = 4
"""Quarters in a token: what one character of a wide script takes; any other character takes one."""

WIDE_RANGES: tuple[tuple[int, int], ...] = (
    (0x1100, 0x11FF),  # Hangul Jamo
    (0x2E80, 0x2FDF),  # CJK and Kangxi radicals
    (0x2FF0, 0x303F),  # ideographic description, CJK symbols and punctuation
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3100, 0x31FF),  # Bopomofo, Hangul compatibility Jamo, CJK strokes, Katakana extensions
    (0x3200, 0x33FF),  # enclosed CJK, CJK compatibility
    (0x3400, 0x4DBF),  # CJK extension A
    (0x4E00, 0x9FFF),  # CJK unified ideographs
    (0xA960, 0xA97F),  # Hangul Jamo extended A
    (0xAC00, 0xD7FF),  # Hangul syllables, Jamo extended B
    (0xF900, 0xFAFF),  # CJK compatibility ideographs
    (0xFE30, 0xFE4F),  # CJK compatibility forms
    (0xFF00, 0xFFEF),  # half- and full-width forms
    (0x1AFF0, 0x1B16F),  # Kana extensions and supplement
    (0x20000, 0x3FFFF),  # supplementary and tertiary ideographic planes
)
"""Code points that count as one token each: blocks of the Unicode Standard 15.1, ends included."""

_FIRST_WIDE = chr(WIDE_RANGES[0][0])


def is_wide(character: str) -> bool:
    """Whether a character counts as a whole token."""
    if character < _FIRST_WIDE:
        return False
    code = ord(character)
    return any(first <= code <= last for first, last in WIDE_RANGES)


def quarters(text: str) -> int:
    """The quarters of a token that a text takes; additive over its parts."""
    if text.isascii():
        return len(text)
    wide = filter(is_wide, set(text))
    return len(text) + (QUARTERS - 1) * sum(map(text.count, wide))


def tokens(text: str) -> int:
    """The tokens that a text takes: its quarters, rounded up."""
    return whole(quarters(text))


def whole(quarter_tokens: int) -> int:
    """Quarters as tokens, rounded up."""
    return -(-quarter_tokens // QUARTERS)


def fitting(text: str, limit: int) -> int:
    """How many characters of a text's beginning take at most `limit` quarters."""
    near = text[: max(limit, 0)]  # no character takes less than a quarter
    if near.isascii():
        return len(near)
    sizes = accumulate(QUARTERS if is_wide(one) else 1 for one in near)
    return sum(1 for _ in takewhile(lambda size: size <= limit, sizes))


def shorten(text: str, limit: int) -> str:
    """The text, or as much of its beginning as fits into `limit` quarters with an ellipsis.

    It is cut at a blank where there is one in the second half of the room.
    """
    if quarters(text) <= limit:
        return text
    # The text is longer than the room, so the room ends before the text does.
    room, end = limit - 1, 0
    while (room := room - (QUARTERS if is_wide(text[end]) else 1)) >= 0:
        end += 1
    blank = text.rfind(" ", 0, end + 1)
    cut = blank if blank > end // 2 else end
    return f"{text[:cut].rstrip()}…" if limit > 0 else ""


class Room:
    """A number of quarters that whole lines are taken from; it never goes below zero.

    Attributes:
        left: the quarters that are left.
    """

    __slots__ = ("_whole", "left")

    def __init__(self, left: int, *, whole: Room | None = None) -> None:
        """Args: `whole` is the room of which this one is a part; what is taken here goes there."""
        self.left = left
        self._whole = whole

    def part(self, limit: int) -> Room:
        """A part of this room, at most `limit` quarters."""
        return Room(min(limit, self.left), whole=self)

    def take(self, lines: Iterable[str]) -> bool:
        """Take room for all of these lines, each with its line feed, or for none of them."""
        return self._take(sum(quarters(line) + 1 for line in lines))

    def _take(self, needed: int) -> bool:
        if needed > self.left or (self._whole is not None and not self._whole._take(needed)):
            return False
        self.left -= needed
        return True
