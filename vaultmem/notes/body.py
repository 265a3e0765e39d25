"""Changes one place in a note's body (statement, tick, new last lines); no other byte moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline
from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.statement import find_statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TASK = re.compile(r"^(?P<head>[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)(?P<mark>[^\r\n])\](?=[ \t])")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")


def replace_statement(data: bytes, statement: str) -> bytes:
    """The note with another statement, made inert, in the place of the one it has.

    Raises:
        EditRefusedError: the note has no statement, hidden text stands in it, or the new one is
            empty once what cannot be seen is taken out, or would be read as a property.
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    found = find_statement(block.body)
    if found is None:
        raise EditRefusedError(
            "The note has no statement that could be replaced.",
            "Write one as the first paragraph.",
            line=block.body_line,
            code="VM109",
        )
    if found.hidden:
        raise EditRefusedError(
            "Hidden text stands in the statement and would be lost.",
            "Move it out of the first paragraph.",
            line=block.body_line + found.line - 1,
            code="VM114",
        )
    if not (paragraph := escape_inline(statement)):
        raise EditRefusedError(
            "The new statement holds nothing that can be seen.", "Give it words."
        )
    changed = _splice(data, block, found.start, found.end, paragraph)
    if b"---" not in data[: block.body_start] and _has_properties(changed):
        raise EditRefusedError(
            "Below the line of dashes on top, the new statement would be read as a property.",
            "Put a word above that line, or close the properties with a line `---`.",
            line=1,
            code="VM102",
        )
    return changed


def _has_properties(data: bytes) -> bool:
    """Whether a note is read as one with properties, be they good or bad."""
    try:
        return bool(frontmatter.read(data).properties)
    except NoteUnreadableError:
        return True


def tick_task(data: bytes, line: int, item: str, *, done: bool = True) -> bytes:
    """The note with one task ticked (`[x]`) or cleared (`[ ]`).

    Only the mark between the brackets changes; a task that is ticked already, by any mark that
    Obsidian counts, stays as it is when it is to be ticked.

    Args:
        data: the whole note.
        line: the task's line in the note, from 1.
        item: a word that the line must hold, such as the operation's id; it guards against a note
            that changed in between.
        done: whether the task is to be ticked.

    Raises:
        EditRefusedError: that line is no task or does not hold `item`.
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    lines = [found.span() for found in _LINE.finditer(block.body)]
    place = line - block.body_line
    text = block.body[slice(*lines[place])] if 0 <= place < len(lines) else ""
    task = _TASK.match(text)
    if task is None or not re.search(rf"(?<![\w-]){re.escape(item)}(?![\w-])", text):
        raise EditRefusedError(
            f"The line is not the task of {item}.", "Read the note again; it changed.", line=line
        )
    if (task["mark"] != " ") == done:
        return data
    mark = lines[place][0] + task.start("mark")
    return _splice(data, block, mark, mark + 1, "x" if done else " ")


def append_line(data: bytes, text: str) -> bytes:
    """The note with one more line at its end, in the note's own line ends.

    `text` is written as it is, so captured parts of it must be inert already. A last line without
    an end gets one first.

    Raises:
        ValueError: `text` holds a line end.
        NoteUnreadableError: the note cannot be read.
    """
    if "\n" in text or "\r" in text:
        raise ValueError("one line at a time")
    return _with_lines(data, [text])


def append_callout(data: bytes, lines: Sequence[str], block_id: str) -> bytes:
    """The note with one more callout at its end, and the id by which links name it.

    Args:
        data: the whole note.
        lines: of the callout, inert, without line ends.
        block_id: without the `^`.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    return append_callouts(data, [(lines, block_id)])


def append_callouts(data: bytes, callouts: Iterable[tuple[Sequence[str], str]]) -> bytes:
    """As `append_callout`, for several pairs of lines and id; the note is read once.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    added: list[str] = []
    for lines, block_id in callouts:
        added += ["", *lines, "", f"^{block_id}"]
    return _with_lines(data, added)


def _with_lines(data: bytes, lines: Sequence[str]) -> bytes:
    block = frontmatter.read(data)
    eol = block.body_eol
    missing = "" if not block.body or block.body.endswith(("\n", "\r")) else eol
    added = missing + "".join(f"{line}{eol}" for line in lines)
    return frontmatter.with_body(data, block, block.body + added)


def _splice(data: bytes, block: frontmatter.Block, start: int, end: int, text: str) -> bytes:
    """The note with the characters `start` to `end` of its body replaced."""
    first = block.body_start + len(block.body[:start].encode())
    last = first + len(block.body[start:end].encode())
    return data[:first] + text.encode() + data[last:]
