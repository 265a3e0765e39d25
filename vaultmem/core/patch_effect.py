"""What an operation makes of a memory, and how that is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Memory, Status
from vaultmem.core.operation import ENUMS, Changes, Op, Operation
from vaultmem.core.patch_check import same_value
from vaultmem.core.patch_rules import (
    RULES,
    Refusal,
    judged_fields,
    may_select,
    purges,
    risk_of,
    status_set,
    touched_fields,
)

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.values import Normal

Link = Callable[["MemoryId"], str]
"""The quoted wikilink of a memory's note, as it is named now: `[[Name]]`."""


class Outcome(NamedTuple):
    """What to write.

    Attributes:
        target: the target as it becomes; None where it does not change.
        created: the new memory.
        purged: the memory whose text is to be removed everywhere.
        archived: the memory whose note goes to the archive, without a tombstone.
    """

    target: Memory | None = None
    created: Memory | None = None
    purged: MemoryId | None = None
    archived: MemoryId | None = None


def propose(operation: Operation, memory: Memory | None) -> Operation:
    """The operation with what is computed: `before`, risk, and no tick that it may not have."""
    before: Changes = {}
    if memory is not None:
        before = {name: getattr(memory, name) for name in judged_fields(operation)}
    risk = risk_of(operation, memory)
    selected = operation.selected and may_select(operation, memory)
    return replace(operation, before=before, risk=risk, selected=selected)


def apply(operation: Operation, memory: Memory | None, *, now: datetime, link: Link) -> Outcome:
    """What the operation makes of its target; `check` must have allowed it.

    Args:
        operation: as proposed.
        memory: the target as it is now, None for an operation without one.
        now: local to the person, to the second; becomes `updated`.
        link: names the notes that a supersession links to each other.
    """
    if purges(operation):
        return Outcome(purged=operation.target)
    created = operation.memory if RULES[operation.op].creates else None
    if memory is None or not touched_fields(operation):
        return Outcome(created=created)
    target = with_values(memory, {**_written(operation, memory, link), "updated": now})
    if created is not None:
        older = _union(created.supersedes, (link(memory.id),))
        created = replace(created, supersedes=older)
    archived = memory.id if operation.archive else None
    return Outcome(target=target, created=created, archived=archived)


def remaining(
    operation: Operation,
    memory: Memory | None,
    created: Memory | None,
    *,
    now: datetime,
    link: Link,
) -> Outcome | Refusal:
    """What a run that was cut short has still to write: `apply`, without what is there already.

    An empty outcome means that the operation is done. Only for an operation that a signed line
    says was begun: `check` would take its own half-done work for somebody else's.

    Args:
        operation: as proposed, with `before`.
        memory: the target as it is now.
        created: the memory that it brings, as it is now; None if it is not there yet.
        now: becomes `updated`.
        link: as for `apply`.
    """
    was = memory if memory is None else _as_before(operation, memory)
    if was is None and memory is not None:
        return _ELSEWHERE
    outcome = apply(operation, was, now=now, link=link)
    if created is not None:
        outcome = outcome._replace(created=None)
    if memory is None or was is None or outcome.target is None:
        return outcome
    touched = touched_fields(operation)
    if not _differing(touched, outcome.target, memory):
        return outcome._replace(target=None)
    changed = _differing(touched, was, memory)
    return _changed_since(changed) if changed else outcome


def revert(
    operation: Operation,
    memory: Memory | None,
    created: Memory | None = None,
    *,
    now: datetime,
    link: Link,
) -> Outcome | Refusal:
    """What takes an applied operation back: its `before` values, and the archive for what it made.

    What holds its `before` values again, because a revert was cut short or a person put them back,
    is left as it is.

    Args:
        operation: with the `before` values that the device kept.
        memory: the target as it is now.
        created: the memory that it brought, as it is now; None if its note is gone.
        now: becomes `updated`.
        link: as for `apply`, with the names that the notes have today.

    A rejected candidate is no memory: the outcome is empty, and its note is the caller's.
    """
    if (refusal := _unrevertible(operation, memory, created)) is not None:
        return refusal
    archived = None if created is None else created.id
    if memory is None:
        return Outcome(archived=archived)
    if (was := _as_before(operation, memory)) is None:
        return _ELSEWHERE
    if not _differing(touched_fields(operation), was, memory):  # somebody did it already
        return Outcome(archived=archived)
    made = with_values(was, _written(operation, was, link))
    if changed := _differing(touched_fields(operation), made, memory):
        return _changed_since(changed)
    return Outcome(target=with_values(was, {"updated": now}), archived=archived)


def with_values(memory: Memory, values: Changes) -> Memory:
    """The memory with these fields; None or nothing returns a field to its default.

    Raises:
        ValueError: if a closed set does not hold its value.
    """
    known = {name: _typed(name, value) for name, value in values.items()}
    return _replace(memory, **known)


_replace: Callable[..., Memory] = replace  # the fields are named by data

_EDITABLE = tuple(
    name
    for name in Memory.__dataclass_fields__
    if name not in {"id", "created", "updated", "reinforced", "evidence_count", "supersedes"}
)
"""Fields of a new memory that do not change unless somebody edits it."""


def _typed(name: str, value: Normal) -> object:
    if value in (None, ()):
        return Memory.__dataclass_fields__[name].default
    return ENUMS[name](str(value)) if name in ENUMS else value


def _written(operation: Operation, memory: Memory, link: Link) -> Changes:
    """The values that the operation writes into its target, `updated` apart."""
    rule = RULES[operation.op]
    values = dict(operation.changes)
    if operation.op is Op.ADD_EXCEPTION:
        values = {name: _union(getattr(memory, name), new) for name, new in values.items()}
    if (status := status_set(operation)) is not None:
        values["status"] = status
    if rule.creates and operation.memory is not None:
        values["superseded_by"] = _union(memory.superseded_by, (link(operation.memory.id),))
    return values


def _union(old: tuple[str, ...], new: Normal) -> tuple[str, ...]:
    """Both, in their order, each phrase once."""
    added = new if isinstance(new, tuple) else (str(new),)
    return tuple(dict.fromkeys((*old, *added)))


def irreversible(operation: Operation) -> Refusal | None:
    """Why an operation of this kind cannot be reverted; None if it can."""
    if purges(operation):
        return Refusal("irreversible", "A purge leaves nothing to restore.", "Add it again.")
    return None if status_set(operation) is Status.PROMOTED else RULES[operation.op].irreversible


def _unrevertible(
    operation: Operation, current: Memory | None, created: Memory | None
) -> Refusal | None:
    rule = RULES[operation.op]
    if (refusal := irreversible(operation)) is not None:
        return refusal
    made = operation.memory if rule.creates else None
    if rule.statuses and current is None:
        return _gone(operation.target)
    if rule.creates and not rule.statuses and created is None:
        return _gone(None if made is None else made.id)
    changed = [] if created is None or made is None else _differing(_EDITABLE, made, created)
    return _changed_since(changed) if changed else None


_ELSEWHERE = Refusal(
    "before",
    "The values from before are kept only on the device that applied the patch.",
    "Revert it there, or edit the note.",
)


def _as_before(operation: Operation, memory: Memory) -> Memory | None:
    """The target as it was before the operation; None where that is not known here."""
    touched = touched_fields(operation)
    if not operation.before.keys() >= set(touched):
        return None
    return with_values(memory, {name: operation.before[name] for name in touched})


def _differing(names: Iterable[str], one: Memory, other: Memory) -> list[str]:
    return [name for name in names if not same_value(getattr(one, name), getattr(other, name))]


def _gone(memory: MemoryId | None) -> Refusal:
    return Refusal("missing", f"The memory {memory} is not there.", "Put its note back first.")


def _changed_since(names: list[str]) -> Refusal:
    return Refusal(
        "stale",
        f"The note was edited since the patch was applied: {', '.join(names)}.",
        "Edit the note by hand, or put those values back and revert again.",
    )
