"""What each kind of operation needs and may do, as one table, with the words of the checks."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, assert_never

from vaultmem.core.force import needs_force
from vaultmem.core.mechanical import spells_out
from vaultmem.core.model import Memory, Stability, Status
from vaultmem.core.operation import Deletion, Op, Risk

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.operation import Operation


class Applier(StrEnum):
    """Who applies an operation; an agent only proposes."""

    PERSON = "person"
    POLICY = "policy"


class Facts(NamedTuple):
    """What the store knows about the things that an operation names.

    Attributes:
        applier: who applies it now; None while it is only proposed.
        ratified: a person ratifies it in so many words (`vaultmem ratify`), which L1 needs.
        decided: this operation of this patch was applied or rejected before.
        exists: a memory with the new memory's id is there already.
        tombstoned: what the operation is about was deleted and not restored: the new memory's id
            or text where it brings one, else the target's id.
        evidence_gone: the new memory cites evidence that was deleted or redacted.
        candidate_waits: the candidate that it names waits in the inbox.
    """

    applier: Applier | None = None
    ratified: bool = False
    decided: bool = False
    exists: bool = False
    tombstoned: bool = False
    evidence_gone: bool = False
    candidate_waits: bool = True


class Refusal(NamedTuple):
    """Why an operation is not allowed.

    Attributes:
        code: one word for scripts.
        sentence: what is wrong.
        remedy: the next step, one sentence for a person or a model.
        final: it can never be allowed any more, so its candidate is done with as well.
    """

    code: str
    sentence: str
    remedy: str
    final: bool = False

    @property
    def text(self) -> str:
        """The sentence and the next step."""
        return f"{self.sentence} {self.remedy}"


class Rule(NamedTuple):
    """What one kind of operation needs and may do.

    Attributes:
        statuses: those of a target that it may change; empty where it has no target.
        fields: of `Memory`, that its `changes` may name.
        risk: the least that it is.
        sets: the status that it gives the target.
        creates: whether it brings a new memory.
        alone: whether policy may apply it; False means that a person must choose it.
        in_force: whether it puts words in force, which L1 has a person ratify.
        irreversible: why it cannot be reverted; None if it can.
    """

    statuses: frozenset[Status]
    fields: frozenset[str]
    risk: Risk
    sets: Status | None = None
    creates: bool = False
    alone: bool = True
    in_force: bool = False
    irreversible: Refusal | None = None


_STANDING = frozenset({Status.ACTIVE, Status.CONTESTED, Status.PROMOTED})
_KEPT = _STANDING | {Status.DEPRECATED}
_NO_FIELD: frozenset[str] = frozenset()
_NO_TARGET: frozenset[Status] = frozenset()

GOVERNED = frozenset(
    {
        *("id", "layer", "created", "updated"),
        *("supersedes", "superseded_by", "source_session", "derived_from"),
        *("status", "stability"),
    }
)
"""Fields that no `update` touches: identity, provenance, and what other operations are for."""

ORIGIN = frozenset({"source_session", "derived_from"})
"""Governed fields that an `update` may fill where a memory has none; nothing changes them."""

GUARDED = frozenset({"pinned", "trigger", "action", "verifier"})
"""Fields that make a memory act; changing one is always a high risk."""

RULES: Mapping[Op, Rule] = {
    Op.ADD: Rule(_NO_TARGET, _NO_FIELD, Risk.LOW, creates=True, in_force=True),
    Op.UPDATE: Rule(
        _KEPT, frozenset(Memory.__dataclass_fields__) - GOVERNED, Risk.MEDIUM, in_force=True
    ),
    Op.UPDATE_STABILITY: Rule(_STANDING, frozenset({"stability"}), Risk.LOW),
    Op.FLAG_FOR_REVIEW: Rule(_STANDING, frozenset({"review"}), Risk.LOW),
    Op.DECAY: Rule(_STANDING - {Status.PROMOTED}, frozenset({"confidence", "review"}), Risk.LOW),
    Op.DEPRECATE: Rule(
        _STANDING, frozenset({"valid_to"}), Risk.MEDIUM, sets=Status.DEPRECATED, alone=False
    ),
    Op.SUPERSEDE: Rule(
        _KEPT,
        frozenset({"valid_to"}),
        Risk.MEDIUM,
        sets=Status.SUPERSEDED,
        creates=True,
        alone=False,
        in_force=True,
    ),
    Op.CONTEST: Rule(
        frozenset({Status.ACTIVE}), _NO_FIELD, Risk.MEDIUM, sets=Status.CONTESTED, alone=False
    ),
    Op.UNCONTEST: Rule(
        frozenset({Status.CONTESTED}),
        _NO_FIELD,
        Risk.MEDIUM,
        sets=Status.ACTIVE,
        alone=False,
        in_force=True,
    ),
    Op.ADD_EXCEPTION: Rule(
        _STANDING,
        frozenset({"applies_when", "not_when", "exceptions"}),
        Risk.MEDIUM,
        in_force=True,
    ),
    Op.DELETE: Rule(
        frozenset(Status) - {Status.DELETED},
        _NO_FIELD,
        Risk.HIGH,
        sets=Status.DELETED,
        alone=False,
    ),
    Op.REJECT_CANDIDATE: Rule(_NO_TARGET, _NO_FIELD, Risk.LOW),
    Op.PROMOTE: Rule(
        _STANDING - {Status.CONTESTED},
        frozenset({"vault_ref"}),
        Risk.LOW,
        irreversible=Refusal(
            "irreversible",
            "A proposed promotion changes no memory.",
            "Reject its note in `Promotions/`.",
        ),
    ),
}
"""One row for each kind; nothing else tells the kinds apart when it says what is allowed."""


def way_back(memory: Memory, status: Status) -> str:
    """What a person can do about a status that keeps a memory from a change, one sentence."""
    back = f"`vaultmem edit {memory.id} --set status active`"
    match status:
        case Status.DELETED | Status.DEPRECATED:
            return f"To have it back, run {back} first."
        case Status.SUPERSEDED:
            links = ", ".join(memory.superseded_by)
            newer = f"{links}, which" if links else "the memory that"
            return f"Change {newer} replaced it; to have it back, run {back} first."
        case Status.PROMOTED:
            return f"Change what it was promoted to; to have it back, run {back} first."
        case Status.CONTESTED:
            return f"Settle the doubt first, with `vaultmem uncontest {memory.id}`."
        case Status.ACTIVE:
            return "Nothing to do; it is in force."
        case _:  # pragma: no cover - the type checker proves it
            assert_never(status)


def purges(operation: Operation) -> bool:
    """Whether the operation removes the text itself."""
    return operation.op is Op.DELETE and operation.deletion is Deletion.PURGE


def touched_fields(operation: Operation) -> tuple[str, ...]:
    """The fields of the target that the operation writes, `updated` apart; none of a purge."""
    if purges(operation):
        return ()
    rule = RULES[operation.op]
    fields = list(operation.changes)
    if status_set(operation) is not None:
        fields.append("status")
    if rule.creates and rule.statuses:
        fields.append("superseded_by")
    return tuple(fields)


def judged_fields(operation: Operation) -> tuple[str, ...]:
    """The fields whose values it was proposed on: those that it writes, and the statement.

    A purge is judged on nothing: it must go through whatever the note says, and leave no copy.
    """
    if not RULES[operation.op].statuses or purges(operation):
        return ()
    fields = touched_fields(operation)
    return fields if "statement" in fields else ("statement", *fields)


def risk_of(operation: Operation, memory: Memory | None) -> Risk:
    """The computed risk: that of its kind, raised by what it touches; an author may only raise it.

    Args:
        operation: as proposed; its own `risk` counts where it is higher.
        memory: the target as it is now, None for an operation without one.
    """
    concerned = [one for one in (memory, operation.memory) if one is not None]
    acts = not only_proposes(operation) and any(map(needs_force, concerned))
    if acts or not GUARDED.isdisjoint(operation.changes):
        return Risk.HIGH
    lowered = Risk.MEDIUM if _lowers_stability(operation, memory) else Risk.LOW
    return max(RULES[operation.op].risk, operation.risk, lowered, key=lambda risk: risk.rank)


def may_select(operation: Operation, memory: Memory | None) -> bool:
    """Whether the operation may be ticked, and applied, without a person.

    What makes a memory act never may, but for a guardrail that its own words spell out.
    """
    if status_set(operation) is Status.PROMOTED:
        return False
    risky = risk_of(operation, memory) is Risk.HIGH
    return RULES[operation.op].alone and (not risky or spells_out(operation, memory))


def status_set(operation: Operation) -> Status | None:
    """The status that the operation gives its target, None for none.

    A promotion that names the knowledge note has happened; another one is only proposed.
    """
    if operation.op is Op.PROMOTE:
        return Status.PROMOTED if operation.changes else None
    return RULES[operation.op].sets


def only_proposes(operation: Operation) -> bool:
    """Whether the operation changes no memory, and makes the note of a promotion."""
    return operation.op is Op.PROMOTE and not operation.changes


def _lowers_stability(operation: Operation, memory: Memory | None) -> bool:
    wanted = operation.changes.get("stability")
    order = [str(member) for member in Stability]
    if memory is None or not isinstance(wanted, str) or wanted not in order:
        return False
    return order.index(wanted) < order.index(memory.stability)
