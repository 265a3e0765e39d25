"""Where each line of the notebook stands: its file, the headings above it, its fenced block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.notebook.outline import fenced_lines, outline

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.notebook.outline import Section

_MARK = re.compile(r"[ \t]*(?:`{3,}|~{3,})")

Headings: TypeAlias = tuple[tuple[int, str], ...]
"""Level and title of each heading above a line, the outermost first; its own for a heading."""


class OwnLine(NamedTuple):
    """A line, or a fenced block, that is a person's, at its place.

    Attributes:
        file: `MEMORY.md` or `memory_summary.md`.
        headings: those above it.
        fence: the line that opens the block, stripped; "" for a line outside of one.
        text: the line, stripped; of a block those within that say something.
    """

    file: str
    headings: Headings
    fence: str
    text: str


class Block(NamedTuple):
    """A line, or a fenced block with its marks.

    Attributes:
        fence, text: as of an `OwnLine`; both "" for a blank line.
        lines: as they are written.
    """

    fence: str
    text: str
    lines: tuple[str, ...]


def headed(sections: Iterable[Section]) -> Iterator[tuple[Headings, Section]]:
    """Each section with the headings that it stands below, its own among them."""
    above: list[tuple[int, str]] = []
    for section in sections:
        while above and above[-1][0] >= section.level:
            above.pop()
        if section.level:
            above.append((section.level, section.title))
        yield tuple(above), section


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """The lines of a section, those of a fenced block as one.

    A block that reaches to the end is closed there.
    """
    opened: list[str] = []
    for line in fenced_lines("\n".join(lines)):
        if not line.fenced:
            yield Block("", line.text.strip(), (line.text,))
        elif line.fence and opened:
            yield _block(opened, line.text)
            opened = []
        else:
            opened.append(line.text)
    if opened:
        yield _block(opened, closing_mark(opened))


def closing_mark(lines: Iterable[str]) -> str:
    """The line that closes the block in which the lines end; "" where they end outside of one."""
    mark = ""
    for line in fenced_lines("\n".join(lines)):
        if line.fence:
            mark = "" if mark else line.text
    found = _MARK.match(mark)
    return found[0] if found else ""


def lines_at(file: str, text: str) -> Iterator[OwnLine]:
    """Every line and block of a file that says something, at its place."""
    for headings, section in headed(outline(text)):
        for block in blocks(all_lines(section)):
            if block.text:
                yield OwnLine(file, headings, block.fence, block.text)


def all_lines(section: Section) -> tuple[str, ...]:
    """The lines of a section, its heading first."""
    return (*section.head, *(line for item in section.items for line in item.lines))


def _block(opened: list[str], end: str) -> Block:
    inside = (line.strip() for line in opened[1:])
    return Block(opened[0].strip(), "\n".join(filter(None, inside)), (*opened, end))
