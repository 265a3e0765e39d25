"""What the vault holds of the things that an operation names, and why it may not be done there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.evidence import Redaction
from vaultmem.core.model import Status
from vaultmem.core.patch_check import check, difference, drifted_fields, stale_fields
from vaultmem.core.patch_rules import RULES, Applier, Facts, Refusal
from vaultmem.core.place import Kind, inside
from vaultmem.core.state import NOT_IN_FORCE, MemoryState
from vaultmem.core.wording import argument
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.services.capturing.secret_scan import scan
from vaultmem.services.evidence import cited, find
from vaultmem.services.lookup import load
from vaultmem.services.syncing.attribution import Origin, origin_of_bytes
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.tombstones import deleted_texts, tombstone_for
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.core.likeness import Known
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory

WAIT = frozenset(("held", "unseen", "quiet", "readonly"))
"""Codes of what may pass by itself, so that a half-done operation waits for it."""


class CandidateNote(NamedTuple):
    """The note of a candidate as it is on disk.

    `ours` says whether its bytes are a device's or the person's; what an agent wrote gives no
    force.
    """

    path: str
    memory: Memory
    decoded: Decoded
    etag: Etag
    data: bytes
    ours: bool


class Case(NamedTuple):
    """An operation with what it names, as it is now.

    Attributes:
        target: the version that is in force; None where there is none.
        data: the bytes of the target's note, b"" without one.
        created: the memory that has the new memory's id already.
        candidate: the note of the candidate, None where it does not wait.
        facts: for `core.patch_check.check`.
        trouble: why the notes may not be written now.
    """

    operation: Operation
    target: FoundMemory | None
    data: bytes
    created: Memory | None
    candidate: CandidateNote | None
    facts: Facts
    trouble: Refusal | None

    @property
    def memory(self) -> Memory | None:
        """The target as it is in force."""
        return None if self.target is None else self.target.decoded.memory

    def refusal(self) -> Refusal | None:
        """Why the operation is not allowed, or None."""
        found = check(self.operation, self.memory, self.facts)
        return found or self.trouble or self._drift() or self._secret()

    def difference(self) -> str:
        """What changed since it was proposed, as a unified diff; "" where nothing did."""
        operation, new = self.operation, self.operation.memory
        if self.memory is not None and (names := stale_fields(operation, self.memory)):
            return difference(names, operation.before, self.memory)
        if new is None or self.candidate is None:
            return ""
        names = drifted_fields(new, self.candidate.memory)
        was = {name: getattr(new, name) for name in names}
        return difference(names, was, self.candidate.memory)

    def _drift(self) -> Refusal | None:
        """A candidate that was edited since is not what was looked at any more."""
        new = self.operation.memory
        if new is None or self.candidate is None:
            return None
        names = drifted_fields(new, self.candidate.memory)
        if not names:
            return None
        return Refusal(
            "stale",
            f"The candidate was edited since this was proposed: {', '.join(names)}.",
            "Approve the candidate in the inbox, or reject the operation.",
        )

    def _secret(self) -> Refusal | None:
        if not scan("\n".join(texts_of(self.operation))):
            return None
        return Refusal(
            "secret",
            "It holds a secret, and secrets are never remembered.",
            "Reject it, and say it without the secret.",
        )


def look(
    call: Call,
    operation: Operation,
    *,
    applier: Applier,
    ratified: bool,
    decided: bool,
    shared: Shared | None = None,
) -> Case:
    """An operation with everything that it names, read now; the caller holds the lock.

    `shared` is what `look_ahead` answers, from a caller that looks at many.
    """
    target, data, trouble = _target(call, operation, applier)
    candidates = _candidates(call, operation.candidate)
    if len(candidates) > 1:
        trouble = trouble or _copied(candidates)
    candidate = next(iter(candidates), None)
    new = operation.memory if RULES[operation.op].creates else None
    row = call.vault.baseline.memory(new.id) if new is not None else None
    created = None
    if row is not None and row.state != MemoryState.GONE:
        created = load(call, row).decoded.memory
    facts = Facts(
        applier=applier,
        ratified=ratified,
        decided=decided,
        exists=created is not None,
        tombstoned=_is_tombstoned(call, new, operation, shared.buried if shared else None),
        evidence_gone=new is not None and _is_evidence_gone(call, new, shared),
        candidate_waits=operation.candidate is None or candidate is not None,
    )
    return Case(operation, target, data, created, candidate, facts, trouble)


class Shared(NamedTuple):
    """What is looked up once for many operations.

    Attributes:
        buried: the deleted texts that are still there.
        gone: the pieces of evidence that they cite and that were taken out.
    """

    buried: Sequence[Known]
    gone: frozenset[EvidenceId]


def look_ahead(call: Call, operations: Iterable[Operation]) -> Shared:
    """What `look` would look up again for each of these operations."""
    new = [one.memory for one in operations if one.memory is not None]
    ids = [identifier for memory in new for identifier in cited(memory.evidence)]
    return Shared(deleted_texts(call), _gone(call, ids))


def texts_of(operation: Operation) -> tuple[str, ...]:
    """Every text that an operation would put into a note."""
    values: list[object] = [operation.reason, *operation.changes.values()]
    if (new := operation.memory) is not None:
        values += [getattr(new, name) for name in new.__dataclass_fields__ if name != "id"]
    texts: list[str] = []
    for value in values:
        texts += map(str, value) if isinstance(value, tuple) else [str(value or "")]
    return tuple(filter(None, texts))


def _target(
    call: Call, operation: Operation, applier: Applier
) -> tuple[FoundMemory | None, bytes, Refusal | None]:
    row = call.vault.baseline.memory(operation.target) if operation.target else None
    if row is None or row.state != MemoryState.LIVE:
        return None, b"", None
    target = load(call, row)
    data = _bytes_in_force(call, row.path)
    if isinstance(data, Refusal):
        return target, b"", data
    note = call.vault.baseline.note(row.path)
    quiet = applier is Applier.PERSON or note is None or call.is_quiet(note.mtime_ns)
    return target, data, None if quiet else _QUIET


def candidate_statement(call: Call, identifier: str) -> str:
    """What a candidate says, as its note has it; "" where none waits."""
    found = _candidates(call, identifier)
    return found[0].memory.statement if found else ""


def why_not_written(call: Call, path: str) -> Refusal | None:
    """Why the note of a memory may not be written now, or None."""
    found = _bytes_in_force(call, path)
    return found if isinstance(found, Refusal) else None


def _bytes_in_force(call: Call, path: str) -> bytes | Refusal:
    """The bytes of a memory's note, if they are what is in force and may be written."""
    if not inside(path, call.vault.root):
        return _OUTSIDE
    note = call.vault.baseline.note(path)
    if note is None or note.state in NOT_IN_FORCE:
        return _held(path)
    try:
        data = read_note(call.vault.path, path)
        writable = (call.vault.path / path).stat().st_mode & 0o222
    except (NoteError, UnsafePathError, FileNotFoundError):
        return _UNSEEN
    if not writable:
        return _READ_ONLY
    return data if etag_of(data) == note.etag else _UNSEEN


def _candidates(call: Call, identifier: str | None) -> list[CandidateNote]:
    """The candidate's note, if one waits and can be read; more than one if it was copied."""
    found: list[CandidateNote] = []
    rows = call.vault.baseline.notes_with_id(identifier) if identifier else []
    for row in rows:
        if row.kind != Kind.CANDIDATE:
            continue
        try:
            data = read_note(call.vault.path, row.path)
            candidate, decoded = decode_candidate(data, path=row.path)
        except (NoteError, UnsafePathError):
            continue
        if candidate.memory.id == identifier:
            ours = _is_ours(call, candidate.memory.id, row.path, data)
            etag = etag_of(data)
            found.append(CandidateNote(row.path, candidate.memory, decoded, etag, data, ours))
    return found


def _is_ours(call: Call, identifier: str, path: str, data: bytes) -> bool:
    fresh = fresh_now(call.vault, path, data)
    return origin_of_bytes(call, identifier, fresh) in (Origin.DEVICE, Origin.PERSON)


def _is_tombstoned(
    call: Call, new: Memory | None, operation: Operation, buried: Sequence[Known] | None
) -> bool:
    if new is not None:
        return tombstone_for(call, new.id, new, buried=buried) is not None
    row = call.vault.baseline.memory(operation.target) if operation.target else None
    if row is None or row.state == MemoryState.GONE:
        return False
    memory = load(call, row).decoded.memory
    stone = tombstone_for(call, memory.id, memory)
    return stone is not None and stone.note == memory.id and memory.status is not Status.DELETED


def _is_evidence_gone(call: Call, new: Memory, shared: Shared | None) -> bool:
    """Whether a piece that the new memory cites was taken out."""
    ids = cited(new.evidence)
    gone = _gone(call, ids) if shared is None else shared.gone
    return not gone.isdisjoint(ids)


def _gone(call: Call, ids: Iterable[EvidenceId]) -> frozenset[EvidenceId]:
    """Those of the pieces that were taken out."""
    return frozenset(one.id for one in find(call, ids) if one.redaction is not Redaction.NONE)


_OUTSIDE = Refusal(
    "outside",
    "The note lies outside the memory root, where vaultmem writes nothing.",
    "Move it back into the memory root, or make the change yourself.",
)
_READ_ONLY = Refusal(
    "readonly",
    "The note is marked as read-only.",
    "Make it writable, then run `vaultmem sync` and apply the patch again.",
)
_UNSEEN = Refusal(
    "unseen",
    "The note changed a moment ago.",
    "Run `vaultmem sync`, then apply the patch again.",
)
_QUIET = Refusal(
    "quiet",
    "The note was edited within the last two minutes.",
    "Nothing to do; it is tried again later.",
)


def _copied(candidates: list[CandidateNote]) -> Refusal:
    paths = ", ".join(one.path for one in candidates[:5])
    return Refusal(
        "held",
        f"The candidate stands in several notes: {paths}.",
        "Delete those that you do not want, then apply the patch again.",
    )


def _held(path: str) -> Refusal:
    return Refusal(
        "held",
        "The note holds a version that is not in force.",
        f"Look at it, then run `vaultmem ratify {argument(path)}`, or put the old text back.",
    )
