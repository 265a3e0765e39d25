"""Spells what a worker wrote so that nothing in the vault loads, runs, ticks or hides it.

The text stays Markdown with its headings, lists, emphasis, code and fenced blocks. Everything else
that Obsidian or a plugin would act on is escaped as captured text is (`core.inert`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline, inside_fence, unescape_inline
from vaultmem.core.notebook.outline import fenced_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.outline import Line

_MARKS = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]+|$)|(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))?")
_LINK = re.compile(r"(?<![!\\])\[\[([^\[\]|#^\n]+)(?:[#^][^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_FENCE = re.compile("`{3,}|~{3,}")


def inert_markdown(
    text: str, *, own: AbstractSet[str], is_note: Callable[[str], bool] = lambda _: False
) -> str:
    """The text, made inert line by line; idempotent.

    Args:
        text: Markdown without properties.
        own: lines, stripped, that the person wrote; they stay as they are.
        is_note: whether a link's target is a note of the vault; other links become plain text.
    """
    lines = fenced_lines(re.sub(r"\r\n?", "\n", text))
    return "\n".join(_inert(line, line.text.strip() in own, is_note) for line in lines)


def _inert(line: Line, own: bool, is_note: Callable[[str], bool]) -> str:  # noqa: FBT001
    if line.fence:
        # At the margin, where no list can end the block before its end. Without a language, which
        # could name a plugin that runs it.
        text = line.text.strip()
        found = _FENCE.match(text)
        return text if own or found is None else found[0]
    if own:
        return line.text
    if line.fenced:
        return inside_fence(line.text)
    found = _MARKS.match(line.text)
    marks = found[0] if found else ""
    return (marks.replace("\t", "    ") + _line(line.text[len(marks) :], is_note)).rstrip()


def _line(text: str, is_note: Callable[[str], bool]) -> str:
    """One line's words, its links to notes apart."""
    parts: list[str] = []
    at = 0
    for link in _LINK.finditer(text):
        if is_note(link[1].strip()):
            parts += (_words(text[at : link.start()]), link[0])
            at = link.end()
    return "".join((*parts, _words(text[at:])))


def _words(text: str) -> str:
    """Plain words; blanks at either end stay, since the words may stand beside a link."""
    inner = escape_inline(unescape_inline(text))
    if not inner:
        return " " if text else ""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() else ""
    return f"{before}{inner}{after}"
