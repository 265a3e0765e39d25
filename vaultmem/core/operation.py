"""An operation: one change to one memory, as a patch proposes it, and the hash it is held to."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from vaultmem.core.model import Category, Cue, Layer, Memory, RuleType, Scope, Stability, Status
from vaultmem.core.values import Normal

if TYPE_CHECKING:
    from vaultmem.core.ids import MemoryId

Changes: TypeAlias = Mapping[str, Normal]
"""Values by the name of a field of `Memory`; enums may be plain text."""

Json: TypeAlias = bool | int | float | str | list[str] | None
"""A value as it is spelled in a note and hashed."""


class Op(StrEnum):
    """What an operation does; `core.patch_rules` says when it may."""

    ADD = "add"
    UPDATE = "update"
    UPDATE_STABILITY = "update_stability"
    FLAG_FOR_REVIEW = "flag_for_review"
    DECAY = "decay"
    DEPRECATE = "deprecate"
    SUPERSEDE = "supersede"
    CONTEST = "contest"
    UNCONTEST = "uncontest"
    ADD_EXCEPTION = "add_exception"
    DELETE = "delete"
    REJECT_CANDIDATE = "reject_candidate"
    PROMOTE = "promote_to_vault_candidate"


class Risk(StrEnum):
    """How much an operation can spoil; a high one is never applied by itself."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for low, 2 for high."""
        return list(Risk).index(self)


class Deletion(StrEnum):
    """What is left after a delete: the text with its status, or a content-free tombstone."""

    AUDIT = "audit_preserving"
    PURGE = "privacy_purge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change, as proposed.

    Attributes:
        op: what it does.
        id: `op_001` and so on within its patch; "" until it is in one (`core.patch.new_patch`).
        target: the memory that it changes; None for `add` and `reject_candidate`.
        memory: the new memory of `add` and `supersede`.
        changes: the values that it sets; for `add_exception` the phrases that it adds.
        reason: one sentence for a person.
        risk: what its author says; `core.patch_rules.risk_of` may only raise it.
        selected: whether it is ticked: by the person, or by its author where it may be.
        candidate: the candidate (`cand_<ulid>`) that it comes from, or that it rejects.
        deletion: how a `delete` deletes.
        archive: whether the note of what a `deprecate` takes out of use goes to the archive.
        before: what the target's fields held when it was proposed: those that it changes, and the
            statement that was judged.
    """

    op: Op
    id: str = ""
    target: MemoryId | None = None
    memory: Memory | None = None
    changes: Changes = field(default_factory=dict)
    reason: str = ""
    risk: Risk = Risk.LOW
    selected: bool = False
    candidate: str | None = None
    deletion: Deletion = Deletion.AUDIT
    archive: bool = False
    before: Changes = field(default_factory=dict)


ENUMS: Mapping[str, type[StrEnum]] = {
    "layer": Layer,
    "category": Category,
    "rule": RuleType,
    "status": Status,
    "scope": Scope,
    "cue": Cue,
    "stability": Stability,
}
"""The fields of `Memory` that draw from a closed set."""

_OPERATION_ID = re.compile(r"op_\d{3,6}")


def operation_id(number: int) -> str:
    """`op_001` for 1."""
    return f"op_{number:03}"


def is_operation_id(text: object) -> bool:
    """Whether `text` has the form of an operation's id."""
    return isinstance(text, str) and _OPERATION_ID.fullmatch(text) is not None


def spelled(value: Normal) -> Json:
    """A value as notes spell it: local time to the second, a whole number without a point."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return [str(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return str(value) if isinstance(value, str) else value


_DEFAULTS: Mapping[str, object] = {
    one.name: (None if one.name in ("id", "statement") else one.default) for one in fields(Memory)
}


def spelled_memory(memory: Memory) -> dict[str, Json]:
    """The fields of a memory that are not at their default, in the order of the model."""
    values: dict[str, Normal] = {name: getattr(memory, name) for name in _DEFAULTS}
    return {name: spelled(value) for name, value in values.items() if value != _DEFAULTS[name]}


def spelled_operation(operation: Operation) -> dict[str, Json | dict[str, Json]]:
    """Everything of an operation but its tick, empty parts left out, in the order of a note."""
    parts: dict[str, Json | dict[str, Json]] = {
        "id": operation.id,
        "op": str(operation.op),
        "target": operation.target,
        "candidate": operation.candidate,
        "risk": str(operation.risk),
        "reason": operation.reason,
        "deletion": str(operation.deletion) if operation.op is Op.DELETE else None,
        "archive": True if operation.archive else None,
        "memory": None if operation.memory is None else spelled_memory(operation.memory),
        "changes": {name: spelled(value) for name, value in operation.changes.items()},
        "before": {name: spelled(value) for name, value in operation.before.items()},
    }
    return {name: part for name, part in parts.items() if part not in (None, "", {})}


def operation_hash(patch_id: str, operation: Operation) -> str:
    """SHA-256, in hex, of what the patch says that this operation does; the tick is the person's.

    Canonical JSON: sorted keys, no blanks, ASCII. The patch's id is part of it, so an operation
    that was copied into another patch does not match there.
    """
    content = {"patch": patch_id, **spelled_operation(operation)}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
