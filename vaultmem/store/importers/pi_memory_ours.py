"""What `vaultmem export jsonl` adds to a governed memory's record, so that nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.category import Category
from vaultmem.core.model import Cue, Scope

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.store.json_record import Record

OURS = "vaultmem"


def with_ours(memory: Memory, record: Record, project: str | None) -> Memory:
    """The memory with what the object `vaultmem` of its record says, where it has one.

    Raises:
        RecordError: if a field of it is of the wrong kind.
    """
    if not record.has(OURS):
        return memory
    told = record.record(OURS)
    scope = told.word("scope", Scope, memory.scope)
    return replace(
        memory,
        category=told.word("category", Category, memory.category),
        cue=told.word("cue", Cue, memory.cue),
        scope=scope,
        project=told.text("project") or (project if scope is Scope.PROJECT else None),
        evidence_count=told.count("evidence_count", memory.evidence_count),
        pinned=told.flag("pinned") is True,
        trigger=told.text("trigger") or None,
        action=told.text("action") or None,
        verifier=told.text("verifier") or None,
        review=told.day("review"),
        change_condition=told.text("change_condition") or None,
        created=told.moment("created"),
        updated=told.moment("updated"),
        reinforced=told.moment("reinforced"),
        expires=told.moment("expires"),
        source_session=told.text("source_session") or None,
    )
