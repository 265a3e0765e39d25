"""Learned review guidelines in a note: each item of a list is one, and a box says who wants it.

`- text` and `- [x] text` are guidelines, `- [ ] text` is proposed and waits for the person's tick,
any other mark, as in `- [-] text`, says that it is not wanted. Everything else is the person's.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.duplicate import same_text
from vaultmem.core.inert import escape_inline, unescape_inline
from vaultmem.core.scratchpad import FENCED

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = re.compile(r"%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_ITEM = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?P<mark>.)\][ \t]+)?(?P<text>\S.*?)\s*\Z"
)
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}\s*\Z")
_MORE = re.compile(r"[ \t]+(?P<text>\S.*?)\s*\Z")
_TICKS = "xX"


class Standing(StrEnum):
    """Whether a guideline holds."""

    HOLDS = "holds"
    PROPOSED = "proposed"
    UNWANTED = "unwanted"
    HELD = "held"
    """The note says that it holds, but an agent may have written it; no note says this itself."""


class Guideline(NamedTuple):
    """One guideline of a note.

    Attributes:
        text: what it says in one line, backslash escapes undone.
        standing: whether it holds.
        line: of the body, from 1.
        end: the offset behind its last line.
        mark: the offset of the character in its box; -1 where it has none.
    """

    text: str
    standing: Standing
    line: int
    end: int
    mark: int


def guidelines(text: str) -> tuple[Guideline, ...]:
    """The guidelines of a note in their order; what stands in a fence or comment is none.

    Args:
        text: the body of the note.
    """
    return tuple(_read(text))


def find(known: tuple[Guideline, ...], text: str) -> Guideline | None:
    """The guideline that says this; spelling and end marks do not count."""
    return next((one for one in known if same_text(one.text, text)), None)


def with_guideline(text: str, guideline: str, *, proposed: bool = False) -> str:
    """The note with one more guideline behind its last one, else at its end; no other byte changes.

    Args:
        text: as for `guidelines`.
        guideline: visible characters in one line; it is spelled so that nothing of it acts.
        proposed: whether it waits for the person.
    """
    known = guidelines(text)
    eol = "\r\n" if "\r\n" in text else "\n"
    place = known[-1].end if known else len(text)
    before = text[:place]
    missing = eol if before and not before.endswith(("\n", "\r")) else ""
    box = "[ ] " if proposed else ""
    return f"{before}{missing}- {box}{escape_inline(guideline)}{eol}{text[place:]}"


def accepted(text: str, guideline: Guideline) -> str:
    """The note in which a proposed guideline is ticked; one character changes."""
    return f"{text[: guideline.mark]}x{text[guideline.mark + 1 :]}"


def _read(text: str) -> Iterator[Guideline]:
    hidden = _hidden(text)
    found: Guideline | None = None
    for number, line in enumerate(_LINE.finditer(text), 1):
        start, end = line.span()
        seen = not any(first <= start < last for first, last in hidden)
        item = _ITEM.match(line[0]) if seen and not _RULE.match(line[0]) else None
        more = _MORE.match(line[0]) if seen and item is None and found is not None else None
        if found is not None and more is not None:
            found = found._replace(text=f"{found.text} {more['text']}", end=end)
            continue
        if found is not None:
            yield _told(found)
        found = None if item is None else _begun(item, number, start, end)
    if found is not None:
        yield _told(found)


def _hidden(text: str) -> list[tuple[int, int]]:
    return [found.span() for form in (FENCED, _COMMENT) for found in form.finditer(text)]


def _begun(item: re.Match[str], line: int, start: int, end: int) -> Guideline:
    mark = item["mark"]
    standing = Standing.HOLDS
    if mark is not None and mark not in _TICKS:
        standing = Standing.PROPOSED if mark == " " else Standing.UNWANTED
    return Guideline(item["text"], standing, line, end, start + item.start("mark") if mark else -1)


def _told(found: Guideline) -> Guideline:
    """Without comments inside the line, which a reader does not see, and without escapes."""
    return found._replace(text=unescape_inline(" ".join(_COMMENT.sub("", found.text).split())))
