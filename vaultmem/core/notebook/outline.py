"""A Markdown text as headings with the bullets and paragraphs below them, line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


class Item(NamedTuple):
    """A bullet or a paragraph with the lines that belong to it, blank ones behind it included."""

    indent: int
    lines: tuple[str, ...]


class Section(NamedTuple):
    """A heading and what stands below it up to the next one."""

    level: int
    """1 to 6; 0 for what stands above the first heading."""
    title: str
    head: tuple[str, ...]
    """Its line, and the blank ones behind it."""
    items: tuple[Item, ...]


class Line(NamedTuple):
    """A line, and whether it is part of a fenced block, its fences included."""

    text: str
    fenced: bool
    fence: bool = False
    """Whether it opens or closes a block."""


def outline(text: str) -> tuple[Section, ...]:
    """The sections of a text in their order; a heading inside a fenced block is none."""
    found: list[Section] = []
    level, title, lines = 0, "", list[Line]()
    for line in fenced_lines(text):
        match = None if line.fenced else _HEADING.match(line.text)
        if match is not None:
            found.append(_section(level, title, lines))
            level, title, lines = len(match[1]), match[2].strip(" \t#"), []
        lines.append(line)
    found.append(_section(level, title, lines))
    return tuple(found)


def fenced_lines(text: str) -> Iterator[Line]:
    """The lines of a text; a block that is not closed reaches to the end."""
    mark = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if not mark:
            mark = match[1] if match else ""
            yield Line(line, fenced=bool(mark), fence=bool(mark))
            continue
        closes = line.strip().startswith(mark) and not line.strip().strip(mark[0])
        yield Line(line, fenced=True, fence=closes)
        mark = "" if closes else mark


def is_bullet(line: str) -> bool:
    """Whether a line begins an item of a list."""
    return _BULLET.match(line) is not None


def _section(level: int, title: str, lines: Sequence[Line]) -> Section:
    start = min(level, 1)
    while start < len(lines) and not lines[start].text.strip():
        start += 1
    head = tuple(line.text for line in lines[:start])
    return Section(level, title, head, tuple(_items(lines[start:])))


def _items(lines: Iterable[Line]) -> Iterator[Item]:
    current: list[str] = []
    for line in lines:
        if current and _begins(line, current):
            yield _item(current)
            current = []
        current.append(line.text)
    if current:
        yield _item(current)


def _begins(line: Line, current: list[str]) -> bool:
    """Whether a line begins an item: a bullet, or text behind a blank line that is not indented."""
    if line.fenced or not line.text.strip():
        return False
    if is_bullet(line.text):
        return True
    return not current[-1].strip() and not line.text.startswith((" ", "\t"))


def _item(lines: list[str]) -> Item:
    first = lines[0]
    return Item(len(first) - len(first.lstrip()), tuple(lines))
