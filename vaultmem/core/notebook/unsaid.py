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
_KINDS = (r"</?\w[^<>\n]*>", r"`+", r"\*+|(?<!\w)_+|_+(?!\w)", r"~~+|==+", r"\|", '["“”„‟«»]')
"""What sets words off: tags, code, emphasis, marks, cells of tables, quotation marks."""
_DRESSES = tuple(map(re.compile, (*_KINDS, "|".join(_KINDS))))
"""Each by itself, since a statement may hold some of another kind, and all of them."""
_BRACKETS = re.compile(r"[\[\]]+")
_OUTSIDE = " \t`*_~=|\"'“”„‟‘’‚‛«»‹›"
_ENDS = ".!?:;,…"


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


def forms(text: str) -> frozenset[str]:
    """What a line may be saying, however it is set off; statements are compared with each.

    The line without the marks of its sources and without escapes: as it is, without what sets words
    off within it or around it, and each part that is set off by itself; all of these without the
    stop at the end, too.
    """
    plain = unescape_inline(text)
    said = _MARKS.sub("", plain)
    bare = (dress.sub("", said) for dress in _DRESSES)
    parts = (part for dress in _DRESSES for part in dress.split(said))
    found = (text, said, said.strip(_OUTSIDE), *bare, *parts, *_BRACKETS.split(plain))
    whole = {one.strip() for one in found}
    unstopped = {one.rstrip(_ENDS) for one in whole}
    return frozenset(whole | unstopped | {one.strip(_OUTSIDE) for one in unstopped}) - {""}


def _without(
    lines: Iterable[str], is_unsaid: Callable[[str], bool], own: AbstractSet[str]
) -> Iterator[str]:
    return (line for line in lines if line.strip() in own or not is_unsaid(line))
