"""The inbox: what waits for a person, and what becomes of it when they decide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import can_act
from vaultmem.core.guards import refuse_secret
from vaultmem.core.ids import MemoryId, is_id, short_id, with_prefix
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import Kind, home_folder
from vaultmem.errors import (
    AmbiguousIdError,
    CaptureRefusedError,
    NoteError,
    NoteNotFoundError,
)
from vaultmem.notes.candidate import Candidate, Decision, State, decode_candidate, read_decision
from vaultmem.notes.codec import property_changes
from vaultmem.notes.frontmatter import set_properties, unset_property
from vaultmem.notes.schema import CANDIDATE, MEMORY
from vaultmem.services.identify import STATED_EVIDENCE
from vaultmem.services.lookup import find_memory
from vaultmem.services.ratify import give_force, ratify
from vaultmem.services.tombstones import tombstone_for, withdraw
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call

EXTERNAL_REASON = "external:"
"""How the reason begins of a candidate that shows what an agent did to a note."""

_OWN = tuple(row.name for row in CANDIDATE if row not in MEMORY)


class Waiting(NamedTuple):
    """A candidate as its note says it, and the version that was read."""

    path: str
    candidate: Candidate
    decoded: Decoded
    etag: Etag
    data: bytes

    @property
    def id(self) -> str:
        """Its own id, `cand_…`."""
        return self.candidate.memory.id

    @property
    def decision(self) -> Decision | None:
        """What the person wrote, if it means something."""
        return read_decision(self.candidate.decision)


class Decided(NamedTuple):
    """What became of a candidate: `approved`, `rejected` or `deferred`.

    `id` and `path` are the memory's where it was approved, else the candidate's.
    """

    outcome: str
    id: str
    path: str
    statement: str


def waiting(call: Call) -> list[Waiting]:
    """Every candidate that can be read, by path; the others are findings of a sync."""
    found = []
    for row in call.vault.baseline.notes(kind=Kind.CANDIDATE.value):
        try:
            found.append(_read(call, row.path))
        except NoteError:
            continue
    return [one for one in found if is_id(one.id, "cand")]


def decide(call: Call, name: str, decision: Decision) -> Decided:
    """Do what a person decided about one candidate.

    Args:
        call: the circumstances.
        name: the candidate's id, the end of it, its path, or its title.
        decision: approve makes it a memory, reject removes it, defer leaves it marked.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: if no or several candidates answer to the name.
        CaptureRefusedError: if it holds a secret.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    call.person_only(f"inbox {decision.value}")
    with call.vault.lock():
        return settle(call, _find(call, name), decision)


def settle(call: Call, one: Waiting, decision: Decision) -> Decided:
    """Do it; the caller holds the lock, and a person decided."""
    statement = one.candidate.memory.statement
    if decision is Decision.DEFER:
        _mark_deferred(call, one)
        return Decided("deferred", one.id, one.path, statement)
    external = any(reason.startswith(EXTERNAL_REASON) for reason in one.candidate.reasons)
    if decision is Decision.REJECT:
        _close(call, one, "rejected")
        return Decided("rejected", one.id, one.path, statement)
    if external:
        accepted = ratify(call, _held(call, one))
        _close(call, one, "approved")
        return Decided("approved", accepted.id, accepted.path, statement)
    return _approve(call, one)


def _approve(call: Call, one: Waiting) -> Decided:
    """The candidate's note becomes the memory's: same name, same text, its category's folder."""
    memory = one.candidate.memory
    if refusal := refuse_secret(memory.statement):
        raise CaptureRefusedError(f"{refusal.sentence} {refusal.remedy}")
    identifier = MemoryId(with_prefix(memory.id, "mem"))
    path = f"{call.vault.root}/{home_folder(memory.category, identity=False)}/{_file(one.path)}"
    if call.vault.baseline.memory(identifier) is None:
        approved = replace(
            memory,
            id=identifier,
            evidence_count=max(memory.evidence_count, STATED_EVIDENCE),
            reinforced=call.local,
        )
        data = one.data
        for key in _OWN:
            data = unset_property(data, key) if key in one.decoded.properties else data
        data = set_properties(
            data, {"id": identifier, "type": "memory"} | property_changes(memory, approved)
        )
        if (stone := tombstone_for(call, "", memory)) is not None:
            withdraw(call, stone.note)
        write_notes(call, [Write(path, data, None, identifier, "created", "person", "inbox")])
        found = find_memory(call, identifier)
        if can_act(found.decoded.memory):
            give_force(call, found)
    _close(call, one, "approved")
    return Decided("approved", identifier, path, memory.statement)


def _close(call: Call, one: Waiting, act: str) -> None:
    """Say what became of the candidate, then take its note away."""
    values = {"by": "person", "via": "inbox"}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, one.id, values)])
    remove_file(call.vault.path, one.path, expected=one.etag)
    call.vault.baseline.drop_note(one.path)


def _mark_deferred(call: Call, one: Waiting) -> None:
    data = set_properties(one.data, {"state": State.DEFERRED.value, "decision": None})
    write = Write(one.path, data, one.etag, one.id, "deferred", "person", "inbox", keys="state")
    write_notes(call, [write])


def _held(call: Call, one: Waiting) -> str:
    """The note that an external candidate shows: the one held back whose statement it has."""
    for row in call.vault.baseline.notes():
        if row.state in ("external", "held") and row.kind == Kind.MEMORY:
            data = read_note(call.vault.path, row.path)
            if one.candidate.memory.statement.encode() in data:
                return row.path
    raise NoteNotFoundError(
        "The note that this candidate shows is not held back any more.",
        "Reject the candidate; the note is as it should be.",
        path=one.path,
    )


def _find(call: Call, name: str) -> Waiting:
    wanted = name.strip().removeprefix("[[").removesuffix("]]").removesuffix(".md")
    found = [
        one
        for one in waiting(call)
        if wanted in (one.id, one.path.removesuffix(".md"), one.decoded.title)
        or (len(wanted) >= 6 and short_id(one.id).endswith(wanted.lower()))
    ]
    if not found:
        raise NoteNotFoundError(
            f"No candidate is called {name[:80]!r}.", "List them with `vaultmem inbox`."
        )
    if len(found) > 1:
        ids = ", ".join(one.id for one in found[:5])
        raise AmbiguousIdError(f"{name!r} could be {ids}.", "Write the whole id.")
    return found[0]


def _read(call: Call, path: str) -> Waiting:
    data = read_note(call.vault.path, path)
    candidate, decoded = decode_candidate(data, path=path)
    return Waiting(path, candidate, decoded, etag_of(data), data)


def _file(path: str) -> str:
    return path.rpartition("/")[2]
