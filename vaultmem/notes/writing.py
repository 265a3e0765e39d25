"""Spells a memory as the properties and the paragraph of a note, with all captured text inert."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline, inert_value
from vaultmem.core.values import Kind, Normal
from vaultmem.notes import frontmatter
from vaultmem.notes.schema import MEMORY, NoteType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.model import Memory
    from vaultmem.notes.property import Property

ALWAYS_WRITTEN = frozenset({"id", "type", "category", "decision"})
"""Properties that a new note has also where they are at their default."""


def encode_memory(memory: Memory, *, body: str = "") -> bytes:
    """Make a new note: properties that are not at their default, the statement, then `body`.

    The statement and text properties are made inert; `codec.decode_memory` gives the same memory
    back if its texts already are what `core.inert.clean` and `inert_value` leave of them.

    Raises:
        ValueError: the statement is empty once what cannot be seen is taken out.
    """
    return encode(memory_properties(memory), memory.statement, body)


def memory_properties(memory: Memory) -> dict[str, object]:
    """The properties of a memory's note in their order, those at their default left out."""
    values: dict[str, object] = {"id": memory.id, "type": str(NoteType.MEMORY)}
    return values | written(MEMORY, memory)


def property_changes(old: Memory, new: Memory) -> dict[str, object]:
    """What to set on the note of `old` so that it reads as `new`; the statement is the body's.

    Values are ready for `frontmatter.set_properties`: a property that returns to its default gets
    the default, None where that is to be empty. `id` and `type` never change.
    """
    changes: dict[str, object] = {}
    for row in MEMORY[2:]:
        before: Normal = getattr(old, row.name)
        after: Normal = getattr(new, row.name)
        if before != after:
            changes[row.name] = _spelled(row, after)
    return changes


def encode(properties: Mapping[str, object], statement: str, body: str) -> bytes:
    """The bytes of a new note with that statement; see `encode_memory`."""
    paragraph = escape_inline(statement)
    if not paragraph:
        raise ValueError("a note needs a statement that can be seen")
    return frontmatter.new_note(properties, f"{paragraph}\n\n{body}" if body else f"{paragraph}\n")


def written(rows: tuple[Property, ...], values: object) -> dict[str, object]:
    """The properties among `rows` that `values` has as attributes and that a new note needs."""
    found: dict[str, object] = {}
    for row in rows:
        if row.name in ("id", "type") or not hasattr(values, row.name):
            continue
        value: Normal = getattr(values, row.name)
        if value != row.default or row.name in ALWAYS_WRITTEN:
            found[row.name] = _spelled(row, value)
    return found


def _spelled(row: Property, value: Normal) -> object:
    if isinstance(value, tuple):
        texts = [str(item) for item in value]
        return (texts if row.kind is Kind.LINKS else [inert_value(text) for text in texts]) or None
    if isinstance(value, str):
        return inert_value(str(value)) if row.kind is Kind.TEXT else str(value)
    return value
