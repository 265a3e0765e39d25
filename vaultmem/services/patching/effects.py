"""What goes with an applied operation besides what it writes: force, candidates, open notes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.mechanical import spells_out
from vaultmem.core.patch import Fate
from vaultmem.core.patch_force import gives_force
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import NoteChangedError, NoteNotFoundError
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.decided import version_of
from vaultmem.services.force import sign_many
from vaultmem.services.patching.ledger import CLOSED
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.record import force_mac
from vaultmem.services.write import entry
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note, remove_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call
    from vaultmem.services.patching.case import Case
    from vaultmem.services.write import Write
    from vaultmem.store.patches import PatchRow, Step


def sign_for(call: Call, writes: Iterable[tuple[Case, Write, Step]], row: PatchRow) -> None:
    """Sign for what a person lets act, before the notes say it."""
    given = [(write.id, _given(call, case, write, row, step)) for case, write, step in writes]
    sign_many(call, given, by=row.by, via=row.via)


def _given(call: Call, case: Case, write: Write, row: PatchRow, step: Step) -> str:
    """The `force_mac` to sign for; "" for nothing.

    What an agent wrote into a candidate's note acts only if the person ratifies it. Policy signs
    only for a guardrail that the memory's own words spell out.
    """
    vault = call.vault
    is_target = write.id == case.operation.target
    theirs = case.candidate is not None and not case.candidate.ours and not is_target
    spelled_out = row.by == Applier.POLICY and is_target and spells_out(case.operation, case.memory)
    if not spelled_out and (row.by != Applier.PERSON or (theirs and not row.ratified)):
        return ""
    new = decode_in(vault.root, write.path, write.data).memory
    gives = gives_force(
        case.operation,
        case.memory if is_target else None,
        new,
        had_force=is_target and step.force,
        ratified=bool(row.ratified),
    )
    return force_mac(vault, new) if gives else ""


def take_back(call: Call, write: Write) -> None:
    """Remove a note that we made a moment ago, because what belongs to it was not written."""
    values = {"by": write.by, "via": write.via}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, "removed", write.id, values)])
    remove_file(call.vault.path, write.path, expected=etag_of(write.data))
    call.vault.baseline.drop_note(write.path)
    call.vault.baseline.forget(write.id)


def kept_for_revert(data: bytes) -> str:
    """What this machine keeps of a candidate's note that goes; "" where it holds a secret."""
    text = data.decode()
    return "" if refuse_fields(text) is not None else text


def close_candidate(
    call: Call, row: PatchRow, operation: Operation, step: Step, fate: Fate
) -> None:
    """Take a candidate's note away, if it is the one that was read, and say what became of it."""
    if not step.candidate or operation.candidate is None or fate is Fate.WAITS:
        return
    version = version_of(call, _version_read(call, step.candidate, step.etag))
    _remove(call, step.candidate, step.etag)
    act = "rejected" if fate is Fate.REJECTED else "approved"
    values = {"by": row.by, "via": row.via, **version}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, operation.candidate, values)])


def close_note(call: Call, patch: str, opened: str, *, by: str, via: str) -> None:
    """Say that a patch was decided, then take its note away, unless somebody wrote into it since.

    Args:
        call: the circumstances.
        patch: its id.
        opened: the path and the version of its note, joined by a line feed; "" for none.
        by: who decided.
        via: the verb, for the ledger.
    """
    path, _, etag = opened.partition("\n")
    if not path:
        return
    version = version_of(call, _version_read(call, path, etag))
    line = entry(call, CLOSED, patch, {"by": by, "via": via, **version})
    call.vault.append(LedgerKind.ACTIVITY, [line])
    _remove(call, path, etag)


def as_it_is(call: Call, opened: str) -> str:
    """The place of an open note with the version that it has now; "" where it is gone."""
    path = opened.partition("\n")[0]
    try:
        return f"{path}\n{etag_of(read_note(call.vault.path, path))}" if path else ""
    except NoteNotFoundError:
        return ""


def _version_read(call: Call, path: str, etag: str) -> bytes | None:
    """A note, if it still is the version that was read."""
    with suppress(NoteNotFoundError):
        data = read_note(call.vault.path, path)
        return data if etag_of(data) == etag else None
    return None


def _remove(call: Call, path: str, etag: str) -> None:
    """Remove a note and forget it, unless it is another version now."""
    try:
        remove_file(call.vault.path, path, expected=Etag(etag))
    except NoteNotFoundError:
        pass
    except NoteChangedError:
        return  # somebody wrote into it since: it stays for them
    call.vault.baseline.drop_note(path)
