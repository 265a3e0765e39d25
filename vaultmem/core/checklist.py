"""Changes to a checklist in a note: an item added, ticked or taken out, every other byte kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import unescape_inline
from vaultmem.core.seen import Hidden, with_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_ITEM = re.compile(
    r"^[ \t]*(?:[-*+]|\d+[.)]) \[(?P<mark>[ xX])\] +(?P<text>\S[^\r\n]*)(?:\r\n|\n|\r|\Z)",
    re.MULTILINE,
)


class Item(NamedTuple):
    """One item of a checklist.

    Attributes:
        text: what it says, backslash escapes undone.
        done: whether it is ticked.
        start, end: half-open offsets of its lines, the line end included.
        mark: the offset of the character between the brackets.
    """

    text: str
    done: bool
    start: int
    end: int
    mark: int


def items(text: str) -> tuple[Item, ...]:
    """The items of a note in their order; what stands in a fence or comment is none.

    Args:
        text: the note, with or without its properties.
    """
    return tuple(_items(text))


def find_item(text: str, part: str, *, done: bool) -> Item | None:
    """The first item, ticked or not, that contains `part` in any case; one that equals it first."""
    wanted = " ".join(part.casefold().split())
    found = [one for one in _items(text) if one.done is done and wanted in one.text.casefold()]
    exact = (one for one in found if one.text.casefold() == wanted)
    return next(exact, found[0] if found else None)


def with_item(text: str, line: str) -> str:
    """The note with one more open item: behind the last one, else at its end.

    Args:
        text: the note.
        line: the item as a note may hold it, one line.
    """
    known = items(text)
    return with_line(text, f"- [ ] {line}", behind=known[-1].end if known else None)


def with_mark(text: str, item: Item, *, done: bool) -> str:
    """The note with that item ticked or not; one character changes."""
    return f"{text[: item.mark]}{'x' if done else ' '}{text[item.mark + 1 :]}"


def without_done(text: str) -> str:
    """The note without its ticked items; each takes its line along and nothing else."""
    for one in reversed(items(text)):
        if one.done:
            text = text[: one.start] + text[one.end :]
    return text


def _items(text: str) -> Iterator[Item]:
    hidden = Hidden(text)
    for found in _ITEM.finditer(text):
        if found.start() in hidden:
            continue
        yield Item(
            unescape_inline(found["text"].rstrip(" \t")),
            found["mark"] != " ",
            found.start(),
            found.end(),
            found.start("mark"),
        )
