"""What the vault holds as a governed memory keeps it: JSONL stores, one record a line.

Facts: governed memory, sections 1 and 2. What its records have no field for stands in an object
`vaultmem` of each, which that tool passes over and our own import reads.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Redaction, SourceKind
from vaultmem.core.exporting.topic_files import Rendered
from vaultmem.core.model import Cue, Layer, Memory, Scope, Status
from vaultmem.core.naming import link_targets
from vaultmem.core.topic import slug
from vaultmem.core.trust import TrustClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.holdings import Asked, Deleted, Happened, Held, Holdings, Waits
    from vaultmem.core.json_splice import Json

IDENTITY, PLAYBOOKS = "memory/L1.identity.jsonl", "memory/L2.playbooks.jsonl"
STORES = (
    IDENTITY,
    PLAYBOOKS,
    "memory/profiles.jsonl",
    "memory/evidence.jsonl",
    "memory/tombstones.jsonl",
    "memory/reinforcement.jsonl",
    "memory/inquiries.jsonl",
    "inbox/captured.jsonl",
)
"""The files that it makes on first use, empty where there is nothing to hold."""
PAD = "scratchpad.md"
CHANGE = "Revise or deprecate it if later sessions contradict it."
"""A record without a condition of change is invalid there."""
_TYPES = {
    SourceKind.CONVERSATION: "conversation",
    SourceKind.PATCH: "commit",
    SourceKind.TEST_RESULT: "test_result",
    SourceKind.CODEBASE_ANALYSIS: "codebase_analysis",
}
_NAME = 60
"""Characters of a project in a file's name; records say the whole project."""
_SCOPES = (Scope.GLOBAL, Scope.PROJECT, Scope.DOMAIN)


def record_files(held: Holdings, tasks: Sequence[tuple[str, bool]], *, day: str) -> Rendered:
    """The files of a memory root that holds everything but what was deleted.

    Args:
        held: everything, memories with their live count, texts one visible line each.
        tasks: the items of the scratchpad, and whether each is done.
        day: today, which stands for a date that nothing says.
    """
    pieces = {one.id: one for one in held.evidence}
    lines: dict[str, list[dict[str, Json]]] = {name: [] for name in STORES}
    related: dict[EvidenceId, list[str]] = defaultdict(list)
    memories = [one for one in held.memories if one.memory.status is not Status.DELETED]
    for one in memories:
        cited = [pieces[name] for name in (*one.cites, *one.counted) if name in pieces]
        for piece in cited:
            related[piece.id].append(one.memory.id)
        lines.setdefault(_store(one.memory), []).append(_memory(one, cited, day))
    lines["memory/evidence.jsonl"] = [
        _piece(one, related[one.id]) for one in held.evidence if one.redaction is Redaction.NONE
    ]
    lines["memory/tombstones.jsonl"] = [_tombstone(one) for one in held.deleted]
    lines["memory/reinforcement.jsonl"] = [_outcome(one) for one in held.outcomes]
    lines["memory/inquiries.jsonl"] = [_inquiry(one) for one in held.inquiries]
    lines["inbox/captured.jsonl"] = [_candidate(one, day) for one in held.candidates]
    files = {name: "".join(map(_line, records)) for name, records in lines.items()}
    boxes = (f"- [{'x' if done else ' '}] {text}\n" for text, done in tasks)
    files[PAD] = "# Scratchpad\n\n" + "".join(boxes)
    told = {
        "memories": len(memories),
        "candidates": len(held.candidates),
        "pieces of evidence": len(lines["memory/evidence.jsonl"]),
        "outcomes": len(held.outcomes),
        "tombstones": len(held.deleted),
        "questions": len(held.inquiries),
        "items of the scratchpad": len(tasks),
    }
    left = {
        "open patches": len(held.patches),
        "open promotions": len(held.promotions),
        "memories that were deleted": len(held.memories) - len(memories),
        "pieces of evidence that were taken out": len(held.evidence) - told["pieces of evidence"],
    }
    return Rendered(files, _some(told), _some(left))


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def _line(record: Mapping[str, Json]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _store(memory: Memory) -> str:
    """The file of a memory: a project's own, whatever the layer."""
    if memory.project is not None:
        return f"memory/projects/{slug(memory.project)[:_NAME]}.jsonl"
    return IDENTITY if memory.layer is Layer.IDENTITY else PLAYBOOKS


def _memory(one: Held, cited: Sequence[Evidence], day: str) -> dict[str, Json]:
    memory = one.memory
    created = _day(memory.created) or day
    return {
        "id": memory.id,
        "layer": memory.layer.value,
        "scope": _scope(memory),
        "tags": _list(memory.tags),
        "statement": memory.statement,
        "evidence": [_source(piece) for piece in cited] or [_no_source(one)],
        "confidence": memory.confidence,
        "stability": memory.stability.value,
        "status": memory.status.value,
        "created_at": created,
        "updated_at": _day(memory.updated or memory.reinforced) or created,
        "review": {
            "cadence_days": memory.review_days,
            "next_review": memory.review.isoformat() if memory.review is not None else day,
            "change_condition": memory.change_condition or CHANGE,
        },
        "supersedes": _list(one.supersedes),
        "superseded_by": _list(one.superseded_by),
        "vault_ref": _path(memory.vault_ref),
        **_conditions(memory),
        "vaultmem": _ours(memory, one.derived_from, one.informs),
    }


def _conditions(memory: Memory) -> dict[str, Json]:
    """The fields that a record need not have."""
    told: dict[str, Json] = {
        "ruleType": memory.rule.value if memory.rule is not None else None,
        "applies_when": _list(memory.applies_when),
        "does_not_apply_when": _list(memory.not_when),
        "known_exceptions": _list(memory.exceptions),
        "valid_from": _moment(memory.valid_from),
        "valid_to": _moment(memory.valid_to),
    }
    return {name: value for name, value in told.items() if value}


def _ours(
    memory: Memory, derived_from: Iterable[str] = (), informs: Iterable[str] = ()
) -> dict[str, Json]:
    """What its records have no field for, as far as it is there."""
    told: dict[str, Json] = {
        "category": memory.category.value,
        "cue": memory.cue.value,
        "evidence_count": memory.evidence_count,
        "scope": memory.scope.value,
        "project": memory.project,
        "pinned": memory.pinned,
        "trigger": memory.trigger,
        "action": memory.action,
        "verifier": memory.verifier,
        "review": memory.review.isoformat() if memory.review is not None else None,
        "change_condition": memory.change_condition,
        "created": _moment(memory.created),
        "updated": _moment(memory.updated),
        "reinforced": _moment(memory.reinforced),
        "expires": _moment(memory.expires),
        "source_session": memory.source_session,
        "derived_from": _list(derived_from),
        "informs": _list(informs),
    }
    return {name: value for name, value in told.items() if value not in (None, False, [])}


def _scope(memory: Memory) -> dict[str, Json]:
    scope = memory.scope if memory.scope in _SCOPES else Scope.PROJECT
    told: dict[str, Json] = {"type": scope.value}
    if memory.project is not None:
        told["project"] = memory.project
    if memory.domains:
        told["domains"] = _list(memory.domains)
    return told


def _source(piece: Evidence) -> dict[str, Json]:
    corrected = piece.trust is TrustClass.USER_CORRECTION
    kind = "user_correction" if corrected else _TYPES.get(piece.source_kind, "artifact")
    return {"type": kind, "ref": piece.id, "note": piece.summary or piece.source_ref or kind}


def _no_source(one: Held) -> dict[str, Json]:
    """What stands for evidence where none is kept: a record without any is invalid there."""
    kind = "manual" if one.memory.cue is Cue.EXPLICIT else "artifact"
    return {"type": kind, "ref": one.path, "note": "Kept in a vault."}


def _piece(one: Evidence, related: Sequence[str]) -> dict[str, Json]:
    return {
        "id": one.id,
        "created_at": _moment(one.created) or "",
        "source_kind": one.source_kind.value,
        "source_session_id": one.session,
        "source_ref": one.source_ref,
        "source_summary": one.summary,
        "source_excerpt": one.excerpt,
        "redaction_status": "none",
        "trust_class": one.trust.value,
        "polarity": one.polarity.value,
        "durability_signal": one.durability.value,
        "related_memory_ids": _list(related),
    }


def _candidate(one: Waits, day: str) -> dict[str, Json]:
    memory = one.memory
    return {
        "id": memory.id.replace("cand_", "cap_", 1),
        "created_at": _moment(memory.created) or day,
        "source": {"type": "vaultmem", "ref": one.path},
        "text": memory.statement,
        "tags": _list(memory.tags),
        "evidence_refs": [],
        "evidence_ids": _list(one.cites),
        "confidence": memory.confidence,
        "status": "new",
        **_conditions(memory),
        "vaultmem": _ours(memory),
    }


def _tombstone(one: Deleted) -> dict[str, Json]:
    return {
        "id": f"tomb_{one.memory}",
        "deleted_record_id": one.memory,
        "deleted_at": one.at.isoformat(),
        "deletion_mode": one.mode,
        "deletion_reason": "user_requested",
        "content_removed": True,
    }


def _outcome(one: Happened) -> dict[str, Json]:
    return {
        "id": f"rein_{one.id}",
        "memory_id": one.memory,
        "timestamp": one.at.isoformat(),
        "outcome": one.outcome.value,
    }


def _inquiry(one: Asked) -> dict[str, Json]:
    told: dict[str, Json] = {
        "id": one.id,
        "question": one.question,
        "context": "",  # a paragraph of the note, which is the person's
        "tags": _list(one.tags),
        "related_memory_ids": _list(one.memories),
        "sessions_touched": _list(one.sessions),
        "first_seen": _moment(one.first_seen),
        "last_seen": _moment(one.last_seen),
        "status": "open" if one.is_open else "answered",
        "priority": one.priority.value,
    }
    if one.project:
        told |= {"scope_level": "project", "scope_ref": one.project}
    return told


def _path(reference: str | None) -> str | None:
    """A link to a knowledge note as a path of the vault."""
    target = next(iter(link_targets([reference or ""])), "")
    return f"{target}.md" if target and not target.endswith(".md") else target or None


def _list(texts: Iterable[str]) -> list[Json]:
    return [*texts]


def _day(at: datetime | None) -> str:
    return at.date().isoformat() if at is not None else ""


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None
