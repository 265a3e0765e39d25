"""What an edit of a memory's note changed, in the words of its properties."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId
from vaultmem.core.normal import differences, normal_text
from vaultmem.notes.schema import NoteType, rules

if TYPE_CHECKING:
    from vaultmem.notes.codec import Decoded

STATEMENT, BODY = "statement", "body"
"""Stand beside the property names for the two parts of a note that are none."""

_RULES = rules(NoteType.MEMORY)
_HARMLESS = frozenset(("id", "type", "category", "created", "reinforced", "updated"))
"""What a new note may keep from its first author: it makes nothing act."""


def changed_keys(old: Decoded | None, new: Decoded) -> tuple[str, ...]:
    """The properties whose meaning changed, in the note's order, with `statement` and `body`.

    Empty where the note was only restyled. `id` does not count: it is the machine's.
    """
    if old is None:
        return (STATEMENT,)
    keys = [key for key in differences(old.properties, new.properties, rules=_RULES) if key != "id"]
    if normal_text(old.memory.statement) != normal_text(new.memory.statement):
        keys.append(STATEMENT)
    elif _rest(old) != _rest(new):
        keys.append(BODY)
    return tuple(keys)


def still_theirs(good: Decoded | None, theirs: Decoded, now: Decoded) -> bool:
    """Whether a note still holds, beside what the person did since, something an agent wrote.

    Args:
        good: the version in force, None for a note that the agent created.
        theirs: what the agent wrote.
        now: what the note says now.
    """
    if good is None:
        set_by_them = differences({}, theirs.properties, rules=_RULES)
        written = {STATEMENT, *(key for key in set_by_them if key not in _HARMLESS)}
    else:
        written = set(changed_keys(good, theirs))
    return not written <= set(changed_keys(theirs, now))


def with_id(decoded: Decoded, identifier: str) -> Decoded:
    """The note as if its id line were still there."""
    return replace(decoded, memory=replace(decoded.memory, id=MemoryId(identifier)))


def _rest(decoded: Decoded) -> str:
    return normal_text(decoded.body)
