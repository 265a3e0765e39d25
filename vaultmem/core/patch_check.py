"""Says why an operation is not allowed, the same at proposal and when it is applied."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.core.model import Layer, Memory, Status
from vaultmem.core.normal import normal_text
from vaultmem.core.operation import ENUMS, Op, Operation, spelled
from vaultmem.core.patch_rules import (
    ORIGIN,
    RULES,
    Applier,
    Refusal,
    judged_fields,
    may_select,
    only_proposes,
    purges,
    risk_of,
    way_back,
)
from vaultmem.core.topic import SUPERSEDES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultmem.core.operation import Changes
    from vaultmem.core.patch_rules import Facts, Rule
    from vaultmem.core.values import Normal


class _Case(NamedTuple):
    operation: Operation
    memory: Memory | None
    facts: Facts

    @property
    def rule(self) -> Rule:
        return RULES[self.operation.op]


def check(operation: Operation, memory: Memory | None, facts: Facts) -> Refusal | None:
    """Say why the operation is not allowed, or None.

    The same checks run when it is proposed (`facts.applier` is None) and when it is applied.

    Args:
        operation: as read; nothing that it says about its own risk or selection is believed.
        memory: the target as it is now, None if there is none.
        facts: what the store knows.
    """
    case = _Case(operation, memory, facts)
    for one in CHECKS:
        if (refusal := one(case)) is not None:
            return refusal
    return None


def stale_fields(operation: Operation, memory: Memory) -> tuple[str, ...]:
    """The fields that no longer hold what they held when the operation was proposed."""
    return tuple(
        name
        for name, value in operation.before.items()
        if not same_value(value, getattr(memory, name, None))
    )


def same_value(one: Normal, other: Normal) -> bool:
    """Whether two values of a field mean the same, however they are spelled."""
    return _meaning(one) == _meaning(other)


def drifted_fields(new: Memory, candidate: Memory) -> tuple[str, ...]:
    """The fields in which a candidate's note no longer says what was proposed of it.

    Args:
        new: the memory that an operation would make of the candidate.
        candidate: what its note says now.
    """
    review = "review" if candidate.review is not None else ""
    names = [name for name in (*_PROPOSED, review) if name]
    return tuple(name for name in names if not _is_kept(name, new, candidate))


def _is_kept(name: str, new: Memory, candidate: Memory) -> bool:
    was, now = getattr(new, name), getattr(candidate, name)
    if name == "tags":  # one that names what is superseded is no tag of the memory
        now = tuple(tag for tag in now if not SUPERSEDES.search(tag))
    return same_value(was, now)


def difference(fields: Iterable[str], before: Changes, now: Memory) -> str:
    """A unified diff of what these fields held when something was proposed, and hold now."""
    from difflib import unified_diff  # only where a person is shown one

    names = tuple(fields)
    old = [_line(name, before.get(name)) for name in names]
    new = [_line(name, getattr(now, name, None)) for name in names]
    return "\n".join(unified_diff(old, new, "proposed on", "now", lineterm="", n=0))


def _line(name: str, value: Normal) -> str:
    shown = spelled(value)
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
    return f"{name}: {text}"


def _undecided(case: _Case) -> Refusal | None:
    if not case.facts.decided:
        return None
    return Refusal(
        "decided",
        f"{case.operation.id or 'The operation'} was decided before.",
        "Nothing to do; it is never done twice.",
    )


def _parts(case: _Case) -> Refusal | None:
    operation, rule = case.operation, case.rule
    new = operation.memory
    own = new is not None and is_id(new.id, "mem") and new.id != operation.target
    faults = {
        "lacks a target": bool(rule.statuses) and not is_id(operation.target, "mem"),
        "takes no target": not rule.statuses and operation.target is not None,
        "lacks a new memory": rule.creates and new is None,
        "needs a new memory with an id of its own": rule.creates and not own,
        "takes no new memory": not rule.creates and own,
        "lacks a candidate": operation.op is Op.REJECT_CANDIDATE and not operation.candidate,
        "puts nothing into the archive": operation.archive and operation.op is not Op.DEPRECATE,
        "lacks changes": bool(rule.fields)
        and rule.sets is None
        and not (operation.changes or only_proposes(operation)),
        "cannot keep an L3 memory, which belongs in the log": new is not None
        and new.layer is Layer.SESSION,
    }
    return next((_malformed(case, fault) for fault, there in faults.items() if there), None)


def _fields(case: _Case) -> Refusal | None:
    wrong = sorted(case.operation.changes.keys() - case.rule.fields - _unknown_origin(case))
    if not wrong:
        return None
    return _malformed(case, f"may not change {', '.join(f'`{name}`' for name in wrong)}")


def _unknown_origin(case: _Case) -> frozenset[str]:
    """Where the memory came from, as far as its note does not say: an update may fill that in."""
    if case.operation.op is not Op.UPDATE or case.memory is None:
        return frozenset()
    return frozenset(name for name in ORIGIN if not getattr(case.memory, name))


def _values(case: _Case) -> Refusal | None:
    changes, memory = case.operation.changes, case.memory
    for name, value in changes.items():
        if name in ENUMS and value is not None and value not in tuple(ENUMS[name]):
            return _malformed(case, f"gives `{name}` a value that it cannot have")
    statements = [changes["statement"]] if "statement" in changes else []
    if case.operation.memory is not None:
        statements.append(case.operation.memory.statement)
    if any(not isinstance(text, str) or not text.strip() for text in statements):
        return _malformed(case, "leaves a memory without a statement")
    confidence = changes.get("confidence", 0)
    if not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        return _malformed(case, "needs a confidence from 0 to 1")
    if case.operation.op is Op.PROMOTE and not changes.get("vault_ref", "-"):
        return _malformed(case, "names no note")
    if case.operation.op is Op.DECAY and memory is not None and confidence > memory.confidence:
        return _malformed(case, "may only lower the confidence")
    return None


def _newness(case: _Case) -> Refusal | None:
    if not case.rule.creates:
        return None
    if case.facts.exists:
        return Refusal(
            "exists", "A memory with this id is there already.", "Nothing to do.", final=True
        )
    if case.facts.tombstoned:
        return Refusal(
            "tombstoned",
            "The same memory was deleted before and does not come back by itself.",
            "Ask the person; adding it by hand and approving it lifts the tombstone.",
            final=True,
        )
    if case.facts.evidence_gone:
        return Refusal(
            "evidence",
            "The new memory cites evidence that was deleted or redacted.",
            "Propose it again with evidence that is still there.",
            final=True,
        )
    return None


def _target(case: _Case) -> Refusal | None:
    operation, memory = case.operation, case.memory
    if not case.rule.statuses:
        return None
    if memory is None or memory.id != operation.target:
        return Refusal(
            "missing",
            f"The memory {operation.target} is not there.",
            "Run `vaultmem sync`, then propose the change again.",
        )
    if purges(operation):  # what was deleted with its text kept can still lose the text
        return None
    gone = case.facts.tombstoned and not case.rule.creates
    status = Status.DELETED if gone else memory.status
    if status in case.rule.statuses:
        return None
    return Refusal(
        "status",
        f"The memory is {status}; `{operation.op}` is for one that is "
        f"{' or '.join(sorted(case.rule.statuses))}.",
        way_back(memory, status),
        final=status in (Status.DELETED, Status.SUPERSEDED),
    )


def _freshness(case: _Case) -> Refusal | None:
    operation = case.operation
    unknown = set(judged_fields(operation)) - operation.before.keys()
    if case.facts.applier is not None and unknown:
        return _malformed(case, "does not say what the memory held when it was proposed")
    stale = () if case.memory is None else stale_fields(operation, case.memory)
    if not stale:
        return None
    return Refusal(
        "stale",
        f"The note was edited since this was proposed: {', '.join(stale)}.",
        _ANEW if operation.candidate else _NOT_SOON,
    )


_ANEW = "Compare the two; after `vaultmem patch reject`, `vaultmem curate` proposes it anew."
_NOT_SOON = (
    "Compare the two and make the change yourself, in the note or with `vaultmem edit`; "
    "`vaultmem maintain run` proposes the same again only when a review period of the memory is "
    "over."
)


def _candidate(case: _Case) -> Refusal | None:
    if case.operation.candidate is None or case.facts.candidate_waits:
        return None
    return Refusal(
        "candidate",
        f"The candidate {case.operation.candidate} no longer waits in the inbox.",
        "Nothing to do; it was decided elsewhere, or its note was deleted.",
    )


def _authority(case: _Case) -> Refusal | None:
    """L1 is a person's to ratify; policy applies only what may be selected by itself."""
    operation, memory, facts = case
    if facts.applier is None:
        return None
    layers = {one.layer for one in (memory, operation.memory) if one is not None}
    if Layer.IDENTITY in layers and case.rule.in_force and not facts.ratified:
        return Refusal(
            "identity",
            "An identity memory (L1) is in force only when a person ratifies it.",
            "Ask the person to run `vaultmem ratify` on it.",
        )
    if facts.applier is Applier.POLICY and not may_select(operation, memory):
        return Refusal(
            "person",
            f"`{operation.op}` with {risk_of(operation, memory)} risk is never applied by itself.",
            "Ask the person to tick it in the patch note and to set `decision: apply`.",
        )
    return None


CHECKS: tuple[Callable[[_Case], Refusal | None], ...] = (
    _undecided,
    _parts,
    _fields,
    _values,
    _newness,
    _target,
    _freshness,
    _candidate,
    _authority,
)
"""In this order; the first that refuses answers."""


_PROPOSED = tuple(
    name
    for name in Memory.__dataclass_fields__
    if name
    not in {
        *("id", "created", "updated", "reinforced", "review"),
        *("evidence", "evidence_count", "supersedes", "superseded_by"),
    }
)
"""Fields of a candidate that stay as they are when it becomes a memory."""


def _malformed(case: _Case, what: str) -> Refusal:
    return Refusal(
        "malformed", f"`{case.operation.op}` {what}.", "Propose it again; nothing was applied."
    )


def _meaning(value: Normal) -> object:
    if isinstance(value, str):
        return normal_text(value)
    if isinstance(value, tuple):
        return tuple(map(normal_text, value))
    return value
