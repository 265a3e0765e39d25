"""The lines of a text that say what was decided: those with `#decision` or `#key`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.inert import unescape_inline
from vaultmem.core.own_words import own_words, plain
from vaultmem.core.visible import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 300
"""Characters of one decision, as of a statement."""

_TAG = re.compile(r"(?<![\w&/#-])#(?:decision|key)(?![\w/-])", re.IGNORECASE)
_MARK = re.compile(r"\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\[.\]\s+)?(?:\d\d:\d\d(?::\d\d)?\s+)?")
"""What a list or a log puts before an entry."""


def decisions_in(text: str) -> tuple[str, ...]:
    """What a message of the user decides: each line of their own words that has the tag.

    Quoted text, code and what was pasted decide nothing (governed-memory.md, section 9.6).
    """
    if "#" not in text:
        return ()
    own = own_words(plain(text)).split("\n")
    return _decided(line for line, mine in zip(text.split("\n"), own, strict=True) if _has(mine))


def decisions_of_log(text: str) -> tuple[str, ...]:
    """What a log note decides: each entry that has the tag, without its mark and time."""
    lines = text.replace("\r\n", "\n").split("\n")
    return _decided(unescape_inline(line) for line in lines if _has(line))


def _has(line: str) -> bool:
    return _TAG.search(line) is not None


def _decided(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines as one visible line each; one that has nothing but the tag says nothing."""
    told = (visible_line(_MARK.sub("", line, count=1), LONGEST) for line in lines)
    return tuple(line for line in told if re.search(r"\w", _TAG.sub("", line)))
