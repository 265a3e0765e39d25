"""Patches that wait: proposed, written into the inbox, found, and rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import patch as core
from vaultmem.core.ids import is_end_of, is_id, short_id
from vaultmem.core.naming import part_of_name
from vaultmem.core.patch_rules import purges
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.place import INBOX, Kind
from vaultmem.errors import (
    CaptureRefusedError,
    NoteChangedError,
    NoteError,
    NoteNotFoundError,
    UnsafePathError,
)
from vaultmem.notes.patch import decode_patch, encode_patch
from vaultmem.notes.patch_day import Decided, DecidedOperation, Result
from vaultmem.services.capturing.secret_scan import scan
from vaultmem.services.lookup import refuse_copies, the_only, those_called
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.case import candidate_statement, texts_of
from vaultmem.services.patching.day import list_decided
from vaultmem.services.patching.effects import close_note
from vaultmem.services.patching.ticks import keep_marks
from vaultmem.services.syncing.attribution import other_devices
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.notes.patch import DecodedPatch
    from vaultmem.services.call import Call


class OpenPatch(NamedTuple):
    """A patch that waits in the inbox, and the version of its note that was read."""

    path: str
    patch: Patch
    decoded: DecodedPatch
    etag: Etag
    data: bytes

    @property
    def id(self) -> str:
        """Its id, `patch_…`."""
        return self.patch.id

    @property
    def every(self) -> frozenset[str]:
        """The ids of all its operations, and of the altered ones, which are told as refused."""
        return frozenset((*(one.id for one in self.patch.operations), *self.decoded.altered))

    @property
    def half_ticked(self) -> tuple[Finding, ...]:
        """The boxes whose mark is no tick: it was not meant, or not understood."""
        return tuple(one for one in self.decoded.findings if one.code == "VM651")

    def purges(self, selected: frozenset[str] | None) -> tuple[Operation, ...]:
        """Those of the selected operations, of the ticked ones for None, that remove a text."""
        return tuple(
            one
            for one in self.patch.operations
            if purges(one) and (one.selected if selected is None else one.id in selected)
        )


class Rejected(NamedTuple):
    """A patch that was rejected, with the candidates that go with it."""

    id: str
    operations: int
    candidates: tuple[str, ...]


def new(call: Call, drafts: Sequence[tuple[Operation, Memory | None]]) -> Patch:
    """A patch of these operations, each with its target as it is now; nothing is written.

    Ids, `before` values and risks are computed; a tick that policy may not set is cleared, so a
    person's choice is named at `services.apply.apply(selected=…)`.
    """
    return core.new_patch(
        call.new_id("patch"), drafts, created=call.local, device=call.vault.device
    )


def save(call: Call, patch: Patch) -> str:
    """Write a patch into the inbox, where it waits for a decision; returns the note's path.

    Raises:
        CaptureRefusedError: if a text of it holds a secret.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    for operation in patch.operations:
        if holds_secret(operation):
            raise CaptureRefusedError(
                f"{operation.id} ({operation.op}) holds a secret, and secrets are never written. "
                "Take the secret out of the note first."
            )
    data = encode_patch(patch, _said(call, patch))
    with call.vault.lock():
        apart = patch.id if other_devices(call) else ""
        path = call.vault.free_path(INBOX, summary(patch), patch.id, apart=apart)
        written = decode_patch(data, path=path)
        patch_ledger.vouch(call, written.patch)
        keep_marks(call, written, foreign=False)
        by = call.actor.value
        write_notes(call, [Write(path, data, None, patch.id, "created", by, "patch")])
    return path


def _said(call: Call, patch: Patch) -> dict[str, str]:
    """What the candidates say that it rejects, by their ids; nothing of one with a secret."""
    named = (one.candidate for one in patch.operations if one.candidate and one.memory is None)
    found = {name: candidate_statement(call, name) for name in named}
    return {name: text for name, text in found.items() if not scan(text)}


def holds_secret(operation: Operation) -> bool:
    """Whether a text of it, or of its target as it was, holds a secret, so that `save` refuses."""
    return bool(scan("\n".join((*texts_of(operation), *map(str, operation.before.values())))))


def summary(patch: Patch) -> str:
    """What a patch is called: its first operation, and how many more there are."""
    if not patch.operations:
        return "Patch"
    first, *rest = patch.operations
    label = first.memory.statement if first.memory is not None else ""
    label = label or str(first.changes.get("statement") or first.before.get("statement") or "")
    about = first.target or first.candidate  # where nothing is told of what it says
    label = label or (short_id(about) if about else "")
    more = f" and {len(rest)} more" if rest else ""
    what = f"Patch - {first.op.value.replace('_', ' ')}"
    label = f" - {part_of_name(label, f'{what} - {more}')}" if label else ""
    return f"{what}{label}{more}"


def open_patches(call: Call) -> list[OpenPatch]:
    """Every patch that waits and can be read, the oldest first; the others are findings of a sync.

    The baseline must be up to date.
    """
    found = [_read(call, row.path) for row in call.vault.baseline.notes(kind=Kind.PATCH.value)]
    known = [one for one in found if one is not None and one.id and one.decoded.usable]
    return sorted(known, key=lambda one: (one.id, one.path))


def find_patch(call: Call, name: str) -> OpenPatch:
    """The open patch that `name` means: its id, the end of it, its path, or its title.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it, or its note was copied.
    """
    found = those_called(name, open_patches(call))
    if not found:
        _refuse_decided(call, name)
    one = the_only(found, name, kind="open patch", listing="`vaultmem patch list`")
    refuse_copies(call, one.id, one.path, Kind.PATCH)
    return one


def _refuse_decided(call: Call, name: str) -> None:
    """Say so where the name is that of a patch which this machine decided.

    Raises:
        NoteNotFoundError: if it is.
    """
    row = next((one for one in call.vault.patches.rows() if is_end_of(name.strip(), one.id)), None)
    if row is not None:
        raise NoteNotFoundError(
            f"{row.id} is {row.status.replace('_', ' ')} already, and waits no more.",
            f"Look at it with `vaultmem patch show {row.id}`.",
        )


def reject(call: Call, name: str, *, via: str = "patch") -> Rejected:
    """Reject an open patch and every operation in it; its candidates stay in the inbox.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_patch`.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only("patch reject")
    with call.vault.lock():
        return reject_open(call, find_patch(call, name), via=via)


def reject_open(call: Call, opened: OpenPatch, *, via: str) -> Rejected:
    """Reject it; the caller holds the lock, and a person decided."""
    if etag_of(read_note(call.vault.path, opened.path)) != opened.etag:
        raise NoteChangedError(
            "The patch was edited since it was read.", "Look at it again.", path=opened.path
        )
    decided = patch_ledger.said(call, opened.id).decided
    left = [one for one in opened.patch.operations if one.id not in decided]
    for one in left:
        patch_ledger.tell(call, patch_ledger.REJECTED, opened.id, one, by="person", via=via)
    if left:
        list_decided(
            call,
            Decided(
                id=opened.id,
                status=PatchStatus.REJECTED,
                at=call.local,
                by="person",
                operations=tuple(DecidedOperation.of(one, Result.REJECTED) for one in left),
            ),
            via=via,
        )
    close_note(call, opened.id, f"{opened.path}\n{opened.etag}", by="person", via=via)
    candidates = tuple(one.candidate for one in left if one.candidate is not None)
    return Rejected(opened.id, len(left), candidates)


def _read(call: Call, path: str) -> OpenPatch | None:
    try:
        data = read_note(call.vault.path, path)
        decoded = decode_patch(data, path=path)
    except (NoteError, UnsafePathError):
        return None
    patch = decoded.patch
    return OpenPatch(path, patch, decoded, etag_of(data), data) if is_id(patch.id) else None
