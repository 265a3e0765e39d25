"""What a person says of one memory: pin, contest, deprecate, or where it does not hold.

Each is a patch of one operation: checked, recorded and to be reverted like any other.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import renews
from vaultmem.core.inert import clean
from vaultmem.core.model import Layer, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import RULES, Applier
from vaultmem.core.standing import IN_USE
from vaultmem.errors import CaptureRefusedError, EditRefusedError, NotRatifiedError
from vaultmem.services.apply import apply_all
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.edit import refuse_held, refuse_status
from vaultmem.services.lookup import find_memory
from vaultmem.services.ratify import give_force
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.operation import Changes
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


class Changed(NamedTuple):
    """The memory after a person's word.

    Attributes:
        status, pinned, force: as they are now; `force` says whether it may act on this device.
        changed: False where it was so already.
        patch: the patch that did it, None where none was needed; it can be reverted.
    """

    id: str
    path: str
    statement: str
    status: str
    pinned: bool
    force: bool
    changed: bool
    patch: str | None


def pin(call: Call, name: str, *, ratified: bool = False) -> Changed:
    """Keep a memory in every report; a pin is the person's word, so it gives force.

    A guardrail gets no force by a pin; that is for `ratify`.

    Raises:
        As `contest`; NotRatifiedError for a memory of the person's identity.
    """
    found = _find(call, "pin", name, Op.UPDATE)
    refuse_status(found, "pin", IN_USE)  # it would stand in no report
    memory = found.decoded.memory
    if not memory.pinned:
        return _change(call, found, "pin", Op.UPDATE, changes={"pinned": True}, ratified=ratified)
    unsigned = not found.standing.force and call.vault.key is not None
    if not (unsigned and renews(None, memory, had_force=False)):
        return _as_it_is(found)
    with call.vault.lock():
        give_force(call, found)
    return _as_it_is(find_memory(call, found.row.id))._replace(changed=True)


def unpin(call: Call, name: str, *, ratified: bool = False) -> Changed:
    """Let a memory stand in the report by its score again.

    Raises:
        As `pin`.
    """
    found = _find(call, "unpin", name, Op.UPDATE)
    if not found.decoded.memory.pinned:
        return _as_it_is(found)
    return _change(call, found, "unpin", Op.UPDATE, changes={"pinned": False}, ratified=ratified)


def contest(call: Call, name: str, *, reason: str = "") -> Changed:
    """Put a memory in doubt: it is told as contested, and is no rule any more.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        reason: what speaks against it; kept with the patch on this device.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
        CaptureRefusedError: if a text holds a secret.
        EditRefusedError: if the memory's status does not allow it, its note is held back or gone,
            or it is contested already and there is a reason, of which one is kept.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if the note cannot be written.
    """
    found = _find(call, "contest", name, Op.CONTEST, already=Status.CONTESTED)
    if found.decoded.memory.status is Status.CONTESTED:
        if reason:
            raise EditRefusedError(
                "It is contested already, and one reason is kept of it; this one was not.",
                "Write it into the note, below the statement, for whoever settles the doubt.",
                path=found.row.path,
            )
        return _as_it_is(found)
    return _change(call, found, "contest", Op.CONTEST, reason=reason)


def uncontest(call: Call, name: str, *, reason: str = "", ratified: bool = False) -> Changed:
    """Settle a doubt in favour of a contested memory.

    Raises:
        As `contest`; NotRatifiedError for a memory of the person's identity.
    """
    found = _find(call, "uncontest", name, Op.UNCONTEST, already=Status.ACTIVE)
    if found.decoded.memory.status is Status.ACTIVE:
        return _as_it_is(found)
    return _change(call, found, "uncontest", Op.UNCONTEST, reason=reason, ratified=ratified)


def deprecate(call: Call, name: str, *, reason: str = "") -> Changed:
    """Take a memory out of use and keep its note.

    Raises:
        As `contest`.
    """
    found = _find(call, "deprecate", name, Op.DEPRECATE, already=Status.DEPRECATED)
    if found.decoded.memory.status is Status.DEPRECATED:
        return _as_it_is(found)
    return _change(call, found, "deprecate", Op.DEPRECATE, reason=reason)


def reviewed(call: Call, name: str) -> Changed:
    """Say that a memory was looked at and holds: its next review is one period away.

    Raises:
        As `contest`.
    """
    found = _find(call, "maintain reviewed", name, Op.FLAG_FOR_REVIEW)
    memory = found.decoded.memory
    review = call.local.date() + timedelta(days=memory.review_days)
    if memory.review == review:
        return _as_it_is(found)
    changes: Changes = {"review": review}
    return _change(call, found, "maintain reviewed", Op.FLAG_FOR_REVIEW, changes=changes)


def add_exception(
    call: Call,
    name: str,
    *,
    when: Sequence[str] = (),
    not_when: Sequence[str] = (),
    exceptions: Sequence[str] = (),
    ratified: bool = False,
) -> Changed:
    """Say where a memory holds and where it does not; phrases are added, none is taken away.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        when: conditions, one of which must match for it to be told.
        not_when: conditions under which it does not hold.
        exceptions: cases in which it does not hold.
        ratified: the person ratifies the change of an identity memory.

    Raises:
        As `contest`; NotRatifiedError for a memory of the person's identity; EditRefusedError if
        there is no phrase.
    """
    found = _find(call, "exception", name, Op.ADD_EXCEPTION)
    given = {"applies_when": when, "not_when": not_when, "exceptions": exceptions}
    changes = {key: phrases for key, texts in given.items() if (phrases := _phrases(texts))}
    if not changes:
        raise EditRefusedError(
            "There is no phrase to add.", "Give one with `--when`, `--not` or `--except`."
        )
    memory = found.decoded.memory
    if all(set(phrases) <= set(getattr(memory, key)) for key, phrases in changes.items()):
        return _as_it_is(found)
    return _change(call, found, "exception", Op.ADD_EXCEPTION, changes=changes, ratified=ratified)


def _find(
    call: Call, verb: str, name: str, op: Op, *, already: Status | None = None
) -> FoundMemory:
    call.person_only(verb)
    ensure_current(call)
    found = find_memory(call, name)
    refuse_held(call, found.row.path)
    refuse_status(found, verb, {*RULES[op].statuses, already})
    return found


def _change(
    call: Call,
    found: FoundMemory,
    verb: str,
    op: Op,
    *,
    changes: Changes | None = None,
    reason: str = "",
    ratified: bool = False,
) -> Changed:
    memory = found.decoded.memory
    if memory.layer is Layer.IDENTITY and RULES[op].in_force and not ratified:
        raise NotRatifiedError(
            f"{found.row.path} is of your identity (L1), which changes only when you ratify it.",
            "Run the command again with `--ratify`.",
        )
    operation = Operation(
        op=op,
        target=memory.id,
        changes=changes or {},
        reason=_text(reason) or f"The person said so with `vaultmem {verb}`.",
        selected=True,
    )
    made = [(operation, memory)]
    done = apply_all(call, made, applier=Applier.PERSON, ratified=ratified, via=verb)
    if not done.applied:
        reasons = [skipped.reason for skipped in done.skipped]
        why = " ".join(reasons) or "Run `vaultmem sync`, then say it again."
        raise EditRefusedError("Nothing was changed.", why, path=found.row.path)
    now = find_memory(call, found.row.id)
    return _as_it_is(now)._replace(changed=True, patch=done.id)


def _as_it_is(found: FoundMemory) -> Changed:
    standing = found.standing
    return Changed(
        id=found.row.id,
        path=found.row.path,
        statement=found.decoded.memory.statement,
        status=standing.status,
        pinned=bool(standing.pinned),
        force=bool(standing.force),
        changed=False,
        patch=None,
    )


def _phrases(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_text, texts))))


def _text(raw: str) -> str:
    """A person's text as a note may hold it.

    Raises:
        CaptureRefusedError: if it holds a secret.
    """
    if refusal := refuse_fields(raw):
        raise CaptureRefusedError(refusal.text)
    return clean(raw).text
