"""The person's own lines of the notebook, put back where a rewrite left them out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.outline import Section, fenced_lines, outline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet


def with_own_lines(text: str, before: str, own: AbstractSet[str]) -> str:
    """The text with every own line that it lacks, at the end of the section that it stood in.

    A section that is gone comes back at the end, with its own lines only. A line that the person
    removed themselves is not in `before`, and stays away. Of a fenced block the lines come back
    without its marks.

    Args:
        text: a file of the notebook after a rewrite.
        before: the same file when the rewrite began.
        own: lines, stripped, that the person wrote.
    """
    there = {line.strip() for line in text.split("\n")}
    made = list(outline(text))
    for section in outline(before):
        lines = [line for line in _lines(section) if line.strip() in own - there]
        if lines:
            _put_back(made, section, lines)
            there.update(line.strip() for line in lines)
    return "\n".join(line for section in made for line in _all(section))


def _put_back(made: list[Section], section: Section, lines: list[str]) -> None:
    if section.level and lines[0] == section.head[0]:
        lines = lines[1:]
    name = (section.level, section.title)
    at = next((at for at, one in enumerate(made) if (one.level, one.title) == name), None)
    if at is None:
        end = _all(made[-1])
        while end and not end[-1].strip():
            end.pop()
        made[-1] = made[-1]._replace(head=(*end, ""), items=())
        made.append(section._replace(head=(section.head[0], *lines, ""), items=()))
        return
    whole = _all(made[at])
    filled = len(whole)
    while filled and not whole[filled - 1].strip():
        filled -= 1
    made[at] = made[at]._replace(head=(*whole[:filled], *lines, *whole[filled:]), items=())


def _lines(section: Section) -> Iterator[str]:
    """The section's lines with words, the marks of fenced blocks left out."""
    text = "\n".join(_all(section))
    return (one.text for one in fenced_lines(text) if one.text.strip() and not one.fence)


def _all(section: Section) -> list[str]:
    return [*section.head, *(line for item in section.items for line in item.lines)]
