"""Learned review guidelines in a note: each item of a list is one, and a box says who wants it.

`- text` and `- [x] text` are guidelines, `- [ ] text` is proposed and waits for the person's tick,
any other mark, as in `- [-] text`, says that it is not wanted. Everything else is the person's.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.comments import without_comments
from vaultmem.core.duplicate import same_text
from vaultmem.core.inert import escape_inline, unescape_inline
from vaultmem.core.seen import Hidden, with_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?P<mark>.)\][ \t]+)?(?P<text>\S.*)")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}\Z")
_MORE = re.compile(r"[ \t]+(?P<text>\S.*)")
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
    line = f"- {'[ ] ' if proposed else ''}{escape_inline(guideline)}"
    return with_line(text, line, behind=known[-1].end if known else None)


def accepted(text: str, guideline: Guideline) -> str:
    """The note in which a proposed guideline is ticked; one character changes."""
    return f"{text[: guideline.mark]}x{text[guideline.mark + 1 :]}"


def _read(text: str) -> Iterator[Guideline]:
    hidden = Hidden(text)
    found: Guideline | None = None
    for number, line in enumerate(_LINE.finditer(text), 1):
        start, end = line.span()
        seen, said = start not in hidden, line[0].rstrip()
        item = _ITEM.match(said) if seen and not _RULE.match(said) else None
        more = _MORE.match(said) if seen and item is None and found is not None else None
        if found is not None and more is not None:
            found = found._replace(text=f"{found.text} {more['text']}", end=end)
            continue
        if found is not None:
            yield _told(found)
        found = None if item is None else _begun(item, number, start, end)
    if found is not None:
        yield _told(found)


def _begun(item: re.Match[str], line: int, start: int, end: int) -> Guideline:
    mark = item["mark"]
    standing = Standing.HOLDS
    if mark is not None and mark not in _TICKS:
        standing = Standing.PROPOSED if mark == " " else Standing.UNWANTED
    return Guideline(item["text"], standing, line, end, start + item.start("mark") if mark else -1)


def _told(found: Guideline) -> Guideline:
    """Without comments inside the line, which a reader does not see, and without escapes."""
    return found._replace(text=unescape_inline(" ".join(without_comments(found.text).split())))
