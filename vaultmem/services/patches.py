"""Patches that wait: proposed, written into the inbox, found, and rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import patch as core
from vaultmem.core.ids import is_id, short_id
from vaultmem.core.naming import title_of
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.place import INBOX, Kind
from vaultmem.errors import (
    AmbiguousIdError,
    CaptureRefusedError,
    NoteChangedError,
    NoteError,
    NoteNotFoundError,
    UnsafePathError,
)
from vaultmem.notes.patch import decode_patch, encode_patch
from vaultmem.notes.patch_day import Decided, DecidedOperation, Result
from vaultmem.services import patch_ledger
from vaultmem.services.patch_case import texts_of
from vaultmem.services.patch_day import list_decided
from vaultmem.services.patch_effects import close_note
from vaultmem.services.patch_ticks import keep_marks
from vaultmem.services.secret_scan import scan
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        held = [*texts_of(operation), *map(str, operation.before.values())]
        if scan("\n".join(held)):
            raise CaptureRefusedError(
                f"{operation.id} ({operation.op}) holds a secret, and secrets are never written. "
                "Take the secret out of the note first."
            )
    data = encode_patch(patch)
    with call.vault.lock():
        path = call.vault.free_path(INBOX, summary(patch), patch.id)
        written = decode_patch(data, path=path)
        patch_ledger.vouch(call, written.patch)
        keep_marks(call, written, foreign=False)
        by = call.actor.value
        write_notes(call, [Write(path, data, None, patch.id, "created", by, "patch")])
    return path


def summary(patch: Patch) -> str:
    """What a patch is called: its first operation, and how many more there are."""
    if not patch.operations:
        return "Patch"
    first, *rest = patch.operations
    label = first.memory.statement if first.memory is not None else ""
    label = label or str(first.changes.get("statement") or first.before.get("statement") or "")
    more = f" and {len(rest)} more" if rest else ""
    return f"Patch - {first.op.value.replace('_', ' ')} - {label[:_LABEL].strip(' .')}{more}"


_LABEL = 50
"""Characters of a statement in the name of a patch's note."""


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
        AmbiguousIdError: if several answer to it.
    """
    wanted = name.strip().removeprefix("[[").removesuffix("]]").removesuffix(".md")
    found = [
        one
        for one in open_patches(call)
        if wanted in (one.id, one.path.removesuffix(".md"), title_of(one.path))
        or is_end_of(wanted, one.id)
    ]
    if not found:
        raise NoteNotFoundError(
            f"No open patch is called {name[:80]!r}.", "List them with `vaultmem patch list`."
        )
    if len(found) > 1:
        ids = ", ".join(one.path for one in found[:5])
        raise AmbiguousIdError(f"{name[:80]!r} could be {ids}.", "Write the whole path.")
    return found[0]


def is_end_of(text: str, identifier: str) -> bool:
    """Whether `text` is long enough an end of the id to mean it."""
    return len(text) >= 6 and short_id(identifier).endswith(text.lower())


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
                operations=tuple(map(_rejected, left)),
            ),
            via=via,
        )
    close_note(call, f"{opened.path}\n{opened.etag}")
    candidates = tuple(one.candidate for one in left if one.candidate is not None)
    return Rejected(opened.id, len(left), candidates)


def _rejected(operation: Operation) -> DecidedOperation:
    new_memory = operation.memory.id if operation.memory is not None else None
    return DecidedOperation(
        operation.id,
        operation.op,
        Result.REJECTED,
        target=operation.target,
        memory=new_memory,
        candidate=operation.candidate,
    )


def _read(call: Call, path: str) -> OpenPatch | None:
    try:
        data = read_note(call.vault.path, path)
        decoded = decode_patch(data, path=path)
    except (NoteError, UnsafePathError):
        return None
    patch = decoded.patch
    return OpenPatch(path, patch, decoded, etag_of(data), data) if is_id(patch.id) else None
