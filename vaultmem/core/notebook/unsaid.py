"""A text without the lines, bullets and paragraphs that say what may not be said again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.inert import unescape_inline
from vaultmem.core.notebook.outline import outline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet

_MARKS = re.compile(r"\s*\[[^\[\]\n]+\]")
"""A citation with the blanks before it."""


def without_unsaid(
    text: str, *, is_unsaid: Callable[[str], bool], own: AbstractSet[str] = frozenset()
) -> str:
    """The text without what says it; the very text where nothing does.

    Args:
        text: Markdown.
        is_unsaid: whether a line, or the lines of a bullet or paragraph as one, say it.
        own: lines, stripped, that stay whatever they say.
    """
    kept: list[str] = []
    for section in outline(text):
        kept += _without(section.head, is_unsaid, own)
        for item in section.items:
            lines = list(_without(item.lines, is_unsaid, own))
            whole = " ".join(line.strip() for line in lines)
            theirs = any(line.strip() in own for line in lines)
            kept += lines if theirs or not is_unsaid(whole) else ()
    return "\n".join(kept)


def bare(text: str) -> str:
    """A line as it was said: without the marks of its sources and without escapes."""
    return unescape_inline(_MARKS.sub("", text)).strip()


def _without(
    lines: Iterable[str], is_unsaid: Callable[[str], bool], own: AbstractSet[str]
) -> Iterator[str]:
    return (line for line in lines if line.strip() in own or not is_unsaid(line))
