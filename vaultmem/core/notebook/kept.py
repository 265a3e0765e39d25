"""The person's own lines of the notebook, put back where a rewrite left them out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from vaultmem.core.notebook.outline import outline
from vaultmem.core.notebook.places import (
    Block,
    OwnLine,
    all_lines,
    blocks,
    closing_mark,
    headed,
    lines_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.places import Headings


def with_own_lines(text: str, before: str, own: AbstractSet[OwnLine], file: str) -> str:
    """The text with every own line that it lacks, at the end of the section that it stood in.

    A section that is gone comes back below what is left of its headings, with its own lines only.
    A line that the person removed themselves is not in `before`, and stays away. A fenced block
    comes back as it was, and takes the place of what a rewrite left of it.

    Args:
        text: a file of the notebook after a rewrite.
        before: the same file when the rewrite began.
        own: lines and blocks that the person wrote.
        file: which of the two it is.
    """
    made = _Made(text)
    times = Counter(lines_at(file, before))
    for headings, section in headed(outline(before)):
        parts = list(blocks(all_lines(section)))
        if section.level:
            made.heads[headings] = section.head[0]
        for number, part in enumerate(parts):
            line = OwnLine(file, headings, part.fence, part.text)
            if line not in own:
                continue
            if section.level and not number:
                made.section(headings)
                continue
            others = {one.lines for one in parts} - {part.lines}
            if part.fence:
                made.block(headings, part, others)
            else:
                is_apart = number > 0 and not parts[number - 1].text
                made.line(headings, part, is_apart=is_apart)
            made.thin(headings, part, others, times[line])
    return made.text


class _Made:
    """A text that gets lines back."""

    def __init__(self, text: str) -> None:
        self._sections = [
            (headings, list(all_lines(section))) for headings, section in headed(outline(text))
        ]
        self.heads: dict[Headings, str] = {}
        """How the headings were written, for a section that is made anew."""

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(line for _, lines in self._sections for line in lines)

    def section(self, headings: Headings) -> list[str]:
        """The lines of the first section below these headings, which is made if it is gone."""
        return self._sections[self._at(headings)][1]

    def line(self, headings: Headings, part: Block, *, is_apart: bool) -> None:
        """Put a line back, behind a blank one where it stood so."""
        there = (one for lines in self._below(headings) for one in blocks(lines))
        if all(one.fence or one.text != part.text for one in there):
            _append(self.section(headings), part.lines, is_apart=is_apart)

    def block(self, headings: Headings, block: Block, others: AbstractSet[tuple[str, ...]]) -> None:
        """Put a fenced block back, over what a rewrite left of it; `others` are none of that."""
        for lines in self._below(headings):
            parts = list(blocks(lines))
            if block.lines in (part.lines for part in parts):
                return
            for at, part in enumerate(parts):
                if _is_left_of(part, block) and part.lines not in others:
                    parts[at] = block
                    lines[:] = (line for part in parts for line in part.lines)
                    return
        _append(self.section(headings), block.lines, is_apart=True)

    def thin(
        self, headings: Headings, wanted: Block, others: AbstractSet[tuple[str, ...]], most: int
    ) -> None:
        """Take away what a rewrite wrote more than so often of a line or block."""
        seen = 0
        for lines in self._below(headings):
            kept: list[str] = []
            for part in blocks(lines):
                same = part.text == wanted.text and bool(part.fence) == bool(wanted.fence)
                seen += same and part.lines not in others
                kept += part.lines if not same or seen <= most or part.lines in others else ()
            if len(kept) < len(lines):
                lines[:] = kept

    def _below(self, headings: Headings) -> Iterator[list[str]]:
        return (lines for one, lines in self._sections if one == headings)

    def _at(self, headings: Headings) -> int:
        for at, (one, _) in enumerate(self._sections):
            if one == headings:
                return at
        above, level = headings[:-1], headings[-1][0]
        end = self._at(above) + 1
        while end < len(self._sections) and _goes_before(self._sections[end][0], above, level):
            end += 1
        lines = self._sections[end - 1][1]
        filled, _ = _filled(lines)
        lines[:] = [*filled, ""] if filled else []
        self._sections.insert(end, (headings, [self.heads[headings], ""]))
        return end


def _goes_before(headings: Headings, above: Headings, level: int) -> bool:
    """Whether a section stands before the end of those below `above`, for one of that level."""
    depth = len(above)
    below = headings[depth:]  # none where the same headings stand there once more
    return headings[:depth] == above and bool(below) and below[0][0] >= level


def _is_left_of(part: Block, block: Block) -> bool:
    """Whether a block holds nothing but lines of another one."""
    said = set(part.text.split("\n"))
    return bool(part.fence and part.text) and said <= set(block.text.split("\n"))


def _append(lines: list[str], more: Iterable[str], *, is_apart: bool) -> None:
    """Put lines behind the last one that says something."""
    filled, behind = _filled(lines)
    blank = [""] if is_apart and filled and filled[-1].strip() else []
    lines[:] = [*filled, *blank, *more, *behind]


def _filled(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines up to the last one that says something, with its block closed; and the others."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    mark = closing_mark(lines)
    return [*lines[:end], *([mark] if mark else [])], lines[end:]
