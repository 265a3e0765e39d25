"""The inbox: what becomes of a candidate when a person decides."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.drafting import Reinforcement
from vaultmem.core.force import needs_force
from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Layer
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.place import Kind
from vaultmem.core.standing import lacks_project
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.core.wording import argument
from vaultmem.errors import (
    AmbiguousIdError,
    EditRefusedError,
    NoteError,
    NoteNotFoundError,
    NotRatifiedError,
)
from vaultmem.notes.candidate import Decision, State
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services import curate
from vaultmem.services.apply import apply_all
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.curating.candidates import (
    DECIDED,
    Waiting,
    find_waiting,
    is_external,
    waiting,
)
from vaultmem.services.decided import decided_before, version_of
from vaultmem.services.lookup import find_memory, refuse_copies
from vaultmem.services.ratify import Ratified, need_key, ratify, ratify_now
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.tombstones import lift
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.services.apply import Applied
    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag

__all__ = [
    "OUTCOMES",
    "Decided",
    "Waiting",
    "decide",
    "find_waiting",
    "put_away",
    "ratify_named",
    "settle",
    "waiting",
]

VIA = "inbox"
"""The verb that ledger lines name."""

OUTCOMES = {
    "approved": "Remembered",
    "reinforced": "Known already, counted there",
    "rejected": "Rejected",
    "deferred": "Put off",
}
"""What a person is told of each outcome."""


class Decided(NamedTuple):
    """What became of a candidate.

    Attributes:
        outcome: `approved`, `reinforced` (a memory says it already), `rejected` or `deferred`.
        id, path: the memory's where it was approved or reinforced one, else the candidate's.
        statement: what it says.
        patch: the patch that did it, None where none was needed; it can be reverted.
        replaced: the memory that it supersedes, None for none.
        before: the statement that it replaces, "" for none.
    """

    outcome: str
    id: str
    path: str
    statement: str
    patch: str | None = None
    replaced: str | None = None
    before: str = ""


def decide(
    call: Call,
    name: str,
    decision: Decision,
    *,
    seen: Etag | None = None,
    ratified: bool = False,
) -> Decided:
    """Do what a person decided about one candidate.

    Args:
        call: the circumstances; the baseline is up to date (`ensure_current`).
        name: the candidate's id, the end of it, its path, or its title.
        decision: approve makes it a memory, or changes the one that it is about; reject removes it
            until that is reverted; defer leaves it marked.
        seen: the version that the person looked at, where they looked at one.
        ratified: the person ratifies what an approval puts in force, as identity (L1) needs.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: if no or several candidates answer to the name.
        NoteChangedError: if it is not the version that the person looked at.
        CaptureRefusedError: if it holds a secret.
        NotRatifiedError: if it must be ratified and was not.
        EditRefusedError: if the patch that an approval makes is refused; the candidate waits.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    call.person_only(f"inbox {decision.value}")
    with call.vault.lock():
        one = find_waiting(call, name)
        need_as_shown("The candidate", same=seen in (None, one.etag), path=one.path)
        return settle(call, one, decision, ratified=ratified)


def ratify_named(call: Call, name: str) -> Ratified:
    """Ratify what a person names: a candidate, which that approves, or what `ratify` accepts.

    Raises:
        AmbiguousIdError: if a candidate and a memory are called so; an agent may propose what a
            memory says, and the name is not to choose between them.
        As `ratify` and `decide`.
    """
    call.person_only("ratify")
    need_key(call)
    ensure_current(call)
    try:
        one = find_waiting(call, name)
    except NoteNotFoundError:
        return ratify(call, name)
    _refuse_two(call, name, one)
    done = decide(call, one.id, Decision.APPROVE, seen=one.etag, ratified=True)
    return Ratified(done.id, done.path, "candidate", done.statement)


def _refuse_two(call: Call, name: str, one: Waiting) -> None:
    with suppress(NoteNotFoundError):
        found = find_memory(call, name)
        if found.row.state == MemoryState.LIVE:
            raise AmbiguousIdError(
                f"It could be the candidate {one.id} ({one.path}) or the memory {found.row.id} "
                f"({found.row.path}).",
                "Write the whole id, or the path.",
            )


def settle(call: Call, one: Waiting, decision: Decision, *, ratified: bool = False) -> Decided:
    """Do it; the caller holds the lock, and a person decided.

    Raises:
        As `decide`.
    """
    if decision is Decision.DEFER:
        return _defer(call, one)
    refuse_copies(call, one.id, one.path, Kind.CANDIDATE)
    if decision is Decision.REJECT:
        return _reject(call, one)
    if is_external(one):
        return _accept(call, one, ratified=ratified)
    return _approve(call, one, ratified=ratified)


def _defer(call: Call, one: Waiting) -> Decided:
    data = set_properties(one.data, {"state": State.DEFERRED.value, "decision": None})
    write = Write(one.path, data, one.etag, one.id, "deferred", "person", VIA, keys="state")
    write_notes(call, [write])
    return _as_candidate(one, "deferred", None)


def _reject(call: Call, one: Waiting) -> Decided:
    operation = Operation(
        op=Op.REJECT_CANDIDATE, candidate=one.id, reason="The person rejected it.", selected=True
    )
    done = apply_all(call, [(operation, None)], applier=Applier.PERSON, via=VIA)
    return _as_candidate(one, "rejected", _patch_of(done, one))


def _accept(call: Call, one: Waiting, *, ratified: bool) -> Decided:
    """Let the note in force that the candidate shows."""
    accepted = ratify_now(call, _held(call, one, ratified=ratified))
    _close(call, one)
    return Decided("approved", accepted.id, accepted.path, one.candidate.memory.statement)


def _approve(call: Call, one: Waiting, *, ratified: bool) -> Decided:
    memory = one.candidate.memory
    made = MemoryId(with_prefix(memory.id, "mem"))
    row = call.vault.baseline.memory(made)
    if row is not None and row.state != MemoryState.GONE:
        return _approved_before(call, one, made)
    if memory.layer is Layer.IDENTITY and not ratified:
        raise NotRatifiedError(
            f"{one.path} would be of your identity (L1), which you ratify in so many words.",
            f"Run `vaultmem ratify {one.id}`.",
        )
    if lacks_project(memory.scope, memory.project):
        raise EditRefusedError(
            f"{one.path} would hold in a project and names none, so it would be told nowhere.",
            "Set `project` in its note, or `scope: global`; then approve it.",
            path=one.path,
        )
    decided = curate.decide_one(call, one, ratified=ratified)
    if isinstance(decided, Reinforcement):
        curate.carry_out(call, decided, one, applier=Applier.PERSON, via=VIA)
        return _as_memory(call, "reinforced", decided.memory)
    new, target = decided.operation.memory, decided.target
    if new is not None:
        lift(call, made, new)
    done = curate.carry_out(call, decided, one, applier=Applier.PERSON, via=VIA, ratified=ratified)
    patch = _patch_of(done, one)
    if target is None:
        return _as_memory(call, "approved", made)._replace(patch=patch)
    replaced = None if new is None else target.id
    found = _as_memory(call, "approved", target.id if new is None else made)
    return found._replace(patch=patch, replaced=replaced, before=target.statement)


def _approved_before(call: Call, one: Waiting, made: MemoryId) -> Decided:
    """A sync program or an editor brought the note of an approved candidate back.

    Raises:
        EditRefusedError: if it says something else than what was approved.
    """
    found = _as_memory(call, "approved", made)
    before = decided_before(call, one.id, DECIDED)
    if before is None or not before.is_about(call, one.data):
        raise EditRefusedError(
            f"{one.path} was approved before, and its note came back with another text.",
            f"Put what is new into `{found.path}`, then delete the note or reject it.",
            path=one.path,
        )
    _close(call, one)
    return found


def _as_memory(call: Call, outcome: str, identifier: MemoryId) -> Decided:
    found = find_memory(call, identifier)
    return Decided(outcome, found.row.id, found.row.path, found.decoded.memory.statement)


def _as_candidate(one: Waiting, outcome: str, patch: str | None) -> Decided:
    return Decided(outcome, one.id, one.path, one.candidate.memory.statement, patch)


def _patch_of(done: Applied | None, one: Waiting) -> str:
    """The patch that decided about a candidate.

    Raises:
        EditRefusedError: if it did not.
    """
    if done is not None and done.applied:
        return done.id
    reasons = [skipped.reason for skipped in done.skipped] if done is not None else []
    raise EditRefusedError(
        "Nothing was decided.",
        " ".join(reasons) or "Run `vaultmem sync`, then decide again.",
        path=one.path,
    )


def _close(call: Call, one: Waiting) -> None:
    """Say that the candidate was approved, then take its note away."""
    values = {"by": "person", "via": VIA, **version_of(call, one.data)}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, "approved", one.id, values)])
    put_away(call, one)


def put_away(call: Call, one: Waiting) -> None:
    """Take the note of a decided candidate away; the caller holds the lock.

    Raises:
        NoteChangedError: if somebody changed it since it was read.
        AmbiguousIdError: if it was copied.
        NoteError, ReadOnlyError, DiskFailedError: if it cannot be removed.
    """
    refuse_copies(call, one.id, one.path, Kind.CANDIDATE)
    remove_file(call.vault.path, one.path, expected=one.etag)
    call.vault.baseline.drop_note(one.path)


def _held(call: Call, one: Waiting, *, ratified: bool) -> str:
    """The note that an external candidate shows, as it is held back now.

    An approval accepts no more than what the candidate shows: a note that was changed again, or
    that would act, is for `ratify`, which names the note itself.
    """
    for row in call.vault.baseline.notes():
        if row.state not in (NoteState.EXTERNAL, NoteState.HELD) or row.kind != Kind.MEMORY:
            continue
        data = read_note(call.vault.path, row.path)
        with suppress(NoteError):
            memory = decode_in(call.vault.root, row.path, data).memory
            shown = one.candidate.memory
            if memory.statement != shown.statement:
                continue
            if not ratified and (needs_force(memory) or _shown(memory) != _shown(shown)):
                raise NotRatifiedError(
                    f"{row.path} would act, or is not what the candidate shows.",
                    f"Look at it, then run `vaultmem ratify {argument(row.path)}`.",
                )
            return row.path
    raise NoteNotFoundError(
        "The note that this candidate shows is not held back any more.",
        "Reject the candidate; the note is as it should be.",
        path=one.path,
    )


def _shown(memory: Memory) -> Memory:
    """What a candidate repeats of a note that is held back."""
    return replace(memory, id=MemoryId(""), created=None, pinned=False)
