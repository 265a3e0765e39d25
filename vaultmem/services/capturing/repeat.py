"""What a new text repeats: a memory, which is reinforced, or a candidate, which gets evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.duplicate import difference, same_text
from vaultmem.core.likeness import MatchKind, known, relation
from vaultmem.core.model import Status
from vaultmem.core.normal import statement_key
from vaultmem.core.selection import is_over
from vaultmem.core.standing import is_comparable
from vaultmem.core.state import MemoryState
from vaultmem.core.trust import Durability, TrustClass, best_of, longer_of
from vaultmem.index.hybrid import Mode
from vaultmem.notes.candidate import with_evidence
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services import evidence
from vaultmem.services.capturing.propose import assess
from vaultmem.services.curating.candidates import is_external, waiting
from vaultmem.services.curating.proposals import as_written, is_the_persons
from vaultmem.services.syncing.attribution import Origin, origin_of_bytes
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.model import Memory
    from vaultmem.core.standing import Standing
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting

_NEAREST = 5

SET_ASIDE: tuple[str, ...] = (
    Status.CONTESTED,
    Status.PROMOTED,
    Status.SUPERSEDED,
    Status.DEPRECATED,
)
"""Where the same words can stand without being in force, those first that say most about them."""


def repeated_memory(
    call: Call, engine: SearchEngine, memory: Memory, near: Iterable[Standing]
) -> str | None:
    """The live memory of the category that says the same, by its words or by its meaning.

    Args:
        call: the circumstances.
        engine: the search engine of the vault, up to date.
        memory: what would be remembered.
        near: the memories that share the most words with it.
    """
    for one in (*_of_these_words(call, memory), *near):
        if _in_force(call, one, memory) and same_text(one.statement, memory.statement):
            return one.id
    alike = engine.search(memory.statement, mode=Mode.SEMANTIC, limit=_NEAREST)
    for hit in alike.hits:
        if hit.id is None or hit.cosine is None or hit.cosine < engine.thresholds.dedup:
            continue
        found = call.vault.baseline.standing(hit.id)
        if found is None or not _in_force(call, found, memory):
            continue
        if difference(memory.statement, found.statement) is None:
            return hit.id
    return None


def set_aside(call: Call, memory: Memory) -> Standing | None:
    """The memory of the category that says the same in these words and is not simply in force.

    It is contested, promoted, superseded or deprecated; the first of these that there is. What was
    deleted has a tombstone, which says more.
    """
    found = [
        one
        for one in _of_these_words(call, memory)
        if one.status in SET_ASIDE
        and is_comparable(one, memory)
        and same_text(one.statement, memory.statement)
        and not (one.status == Status.CONTESTED and is_over(one, call.seconds))
    ]
    return min(found, key=lambda one: (SET_ASIDE.index(one.status), one.id), default=None)


def _of_these_words(call: Call, memory: Memory) -> list[Standing]:
    """The live memories, of any status, category and place, that say the same in these words."""
    baseline = call.vault.baseline
    rows = baseline.memories_that_say(statement_key(memory.statement))
    found = (baseline.standing(row.id) for row in rows if row.state == MemoryState.LIVE)
    return [one for one in found if one is not None]


def _in_force(call: Call, found: Standing, memory: Memory) -> bool:
    """Whether a memory holds now, where the new one would, so that this one can repeat it."""
    active = found.status == Status.ACTIVE
    return active and not is_over(found, call.seconds) and is_comparable(found, memory)


def repeated_candidate(call: Call, memory: Memory) -> Waiting | None:
    """The candidate of the category that waits and says the same, in the same place.

    One that an agent edited is none: signing it with the new evidence would vouch for the edit.
    """
    new = known(memory)
    for one in waiting(call):
        old = known(one.candidate.memory)
        comparable = old.scope == new.scope and old.memory.category is memory.category
        if (
            comparable
            and not is_external(one)
            and relation(new, old) is MatchKind.DUPLICATE
            and _is_vouched_for(call, one)
        ):
            return one
    return None


def _is_vouched_for(call: Call, one: Waiting) -> bool:
    """Whether a device or the person stands for the note; without a key nobody can tell."""
    if call.vault.key is None:
        return True
    return as_written(call, one.id, one.data) or is_the_persons(call, one)


def strengthen(call: Call, one: Waiting, piece: Evidence, *, confidence: float) -> bool:
    """Give a waiting candidate one piece of evidence more; the caller holds the lock.

    Once a session; it is checked again. Only the user's own correction in just these words makes
    it surer or lasting: what an agent adds must not turn a preference into a rule. A note that
    somebody else saved in the last two minutes is left alone.

    Args:
        call: the circumstances.
        one: the candidate.
        piece: what was said now.
        confidence: of the source.

    Returns:
        Whether it was counted.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    memory = one.candidate.memory
    before = evidence.find(call, evidence.cited(memory.evidence))
    if piece.session in {other.session for other in before} or _is_being_edited(call, one):
        return False
    (link,) = evidence.record(call, [piece])
    pieces = (*before, piece)
    claimed = TrustClass(one.candidate.trust) if one.candidate.trust else piece.trust
    trust = best_of((claimed, piece.trust))
    durability = Durability(one.candidate.durability)
    corrects = piece.worth is TrustClass.USER_CORRECTION
    own_words = corrects and same_text(piece.text, memory.statement)
    if own_words:
        durability = longer_of(durability, piece.durability)
    told = assess(call, memory, pieces, trust=trust, durability=durability)
    changes: dict[str, object] = {
        "trust": trust.value,
        "durability": durability.value,
        "verification": told.verification,
        "reasons": list(told.reasons) or None,
    }
    if own_words:
        changes["confidence"] = max(memory.confidence, confidence)
    data = set_properties(with_evidence(one.data, link), changes)
    keys = " ".join(("evidence", *changes))
    by = call.actor.value
    write_notes(call, [Write(one.path, data, one.etag, one.id, "strengthened", by, "inbox", keys)])
    return True


def _is_being_edited(call: Call, one: Waiting) -> bool:
    """Whether somebody but us saved the note within the last two minutes."""
    fresh = fresh_now(call.vault, one.path, one.data)
    if call.is_quiet(fresh.stat[0]):
        return False
    return origin_of_bytes(call, one.id, fresh) is not Origin.DEVICE
