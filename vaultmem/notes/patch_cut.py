"""Takes operations out of a patch's note, box and block; every other byte stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.notes import frontmatter
from vaultmem.notes.markdown import structure
from vaultmem.notes.patch import BLOCK_ID, TASK_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")


class CutPatch(NamedTuple):
    """A patch's note without some of its operations."""

    data: bytes
    gone: tuple[str, ...]
    """The ids of the operations that were taken out."""
    left: int
    """How many operations it still has."""


def without_operations(data: bytes, doomed: Callable[[str], bool]) -> CutPatch:
    """Take out the operations whose block, as it is spelled, `doomed` says goes.

    Blocks that were altered are judged as they are; the others keep their hash.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    found = structure(block.body, first_line=block.body_line)
    named = [(fence, BLOCK_ID.search(fence.content)) for fence in found.fences]
    blocks = [(fence, match[1]) for fence, match in named if match is not None]
    gone = {identifier for fence, identifier in blocks if doomed(fence.content)}
    if not gone:
        return CutPatch(data, (), len({identifier for _, identifier in blocks}))
    lines = [task.line for task in found.tasks if _names(task.text, gone)]
    for fence, identifier in blocks:
        if identifier in gone:
            lines += range(fence.line, fence.end + 1)
    left = {identifier for _, identifier in blocks} - gone
    kept = frontmatter.with_body(data, block, _without(block, frozenset(lines)))
    return CutPatch(kept, tuple(sorted(gone)), len(left))


def _without(block: frontmatter.Block, lines: Collection[int]) -> str:
    """The body without these lines of the note, each ended as `structure` has it, also by a CR."""
    found = enumerate(_LINE.finditer(block.body), block.body_line)
    return "".join(line[0] for number, line in found if number not in lines)


def _names(text: str, gone: set[str]) -> bool:
    match = TASK_ID.match(text)
    return match is not None and match[1] in gone
