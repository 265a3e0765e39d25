"""What waits in a topic-file memory to be looked at: preference candidates, proposed promotions.

Facts: topic-file memory, sections 2, 9 and 11. Both are candidates here, whatever they say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.category import Category
from vaultmem.core.importing.entry import Entry
from vaultmem.core.importing.item import ImportedEvidence, ImportedItem
from vaultmem.core.model import Cue
from vaultmem.store.importers.pi_config_scores import unscored
from vaultmem.store.importers.placed import place_key
from vaultmem.store.json_record import Record, RecordError

if TYPE_CHECKING:
    from vaultmem.store.importers.pi_config_promotions import Promoted
    from vaultmem.store.importers.snapshot import Kept

_SAID = ("text", "sentence", "statement", "preference", "content")
_BY = ("sourceSession", "sessionId", "session", "source_session")
_AT = ("created", "createdAt", "timestamp", "ts")
"""Names under which a preference candidate may keep its words; the facts know none for sure."""


def proposal_of(one: Promoted, project: str | None) -> ImportedItem:
    """A promotion that nobody decided and whose entry is gone."""
    memory = unscored(Entry(one.category, one.text), project).memory
    return ImportedItem(
        key=place_key(project, one.category, one.text),
        where=one.where,
        memory=replace(memory, evidence_count=one.evidence),
        evidence=(ImportedEvidence(excerpt=one.text, summary=one.reason, ref=one.where),),
        waits=f"It waited there to become: {one.destination.replace('_', ' ')}.",
    )


def candidate_of(kept: Kept, project: str | None) -> ImportedItem:
    """A preference candidate.

    Raises:
        RecordError: if it says nothing, or a field is of the wrong kind.
    """
    record = kept.record
    text = _first(record, _SAID).strip()
    if not text:
        raise RecordError(f"None of {', '.join(_SAID)} is there.")
    category = record.known("category", Category, Category.PREFERENCE)
    session = _first(record, _BY) or None
    at = next((record.moment(name) for name in _AT if record.has(name)), None)
    memory = unscored(Entry(category, text), project).memory
    return ImportedItem(
        key=place_key(project, category, text),
        where=kept.where,
        memory=replace(memory, cue=Cue.EXPLICIT, created=at, source_session=session),
        evidence=(ImportedEvidence(excerpt=text, session=session, ref=kept.where, created=at),),
        waits="It waited there to be looked through.",
    )


def _first(record: Record, names: tuple[str, ...]) -> str:
    """The first of some texts that is there."""
    return next(filter(None, (record.text(name) for name in names)), "")
