"""The note that proposes a stronger form of a memory; a person reads it and decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline
from vaultmem.notes import frontmatter
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from datetime import datetime

INTRODUCTION = (
    "This memory may be worth a stronger form: a note of your own, a rule of the project, a skill. "
    "Nothing happens by itself; delete this note if it is not."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """A proposal to promote one memory.

    Attributes:
        id: `prom_<ulid>`.
        memory: the quoted wikilink of the memory's note.
        statement: the memory's, looked up when the note was made.
        reason: why, one sentence; may be "".
        evidence: links to the blocks that support the memory.
        created: local to the person.
        device: the machine that made the note.
    """

    id: str
    memory: str
    statement: str
    reason: str
    evidence: tuple[str, ...]
    created: datetime
    device: str


def encode_promotion(promotion: Promotion) -> bytes:
    """The bytes of a new note; captured text in it is inert."""
    properties: dict[str, object] = {
        "id": promotion.id,
        "type": str(NoteType.PROMOTION),
        "memory": promotion.memory,
        "created": promotion.created,
        "device": promotion.device,
    }
    if promotion.evidence:
        properties["evidence"] = list(promotion.evidence)
    parts = [INTRODUCTION, f"> {escape_inline(promotion.statement)}"]
    if reason := escape_inline(promotion.reason):
        parts.append(reason)
    return frontmatter.new_note(properties, "\n\n".join(parts) + "\n")
