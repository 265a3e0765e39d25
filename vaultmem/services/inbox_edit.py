"""Change a candidate before deciding about it; it still waits afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import CaptureRefusedError, EditRefusedError, naming
from vaultmem.notes.body import replace_statement
from vaultmem.notes.candidate import decode_candidate, with_evidence
from vaultmem.notes.frontmatter import set_properties
from vaultmem.notes.schema import CANDIDATE, MEMORY
from vaultmem.services import evidence
from vaultmem.services.capturing.propose import assess
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.curating.candidates import find_waiting, is_external, waiting
from vaultmem.services.curating.hinting import hints_of
from vaultmem.services.edit import (
    Edited,
    Opened,
    property_value,
    refuse_slips,
    take_in,
    visible_statement,
)
from vaultmem.services.named_note import link_of
from vaultmem.services.sync import ensure_current
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting

_KEPT = {row.name for row in CANDIDATE} - {row.name for row in MEMORY}


def edit_candidate(
    call: Call, name: str, *, statement: str | None = None, properties: Mapping[str, str]
) -> Edited:
    """Change the statement or properties that the memory would have.

    Args:
        call: the circumstances.
        name: what `find_waiting` accepts.
        statement: the new statement; None to keep it.
        properties: property name to new value as text; several items of a list by commas, a
            `vault_ref` as `link_of` takes it.

    Raises:
        AgentRefusedError: if an agent calls.
        CaptureRefusedError: if nothing is left of the statement, or a text holds a secret.
        EditRefusedError: if a property is misspelt or not the person's to set, or its value is not
            allowed.
        NoteNotFoundError, AmbiguousIdError: if `vault_ref` names no note, or several.
        NoteError, BusyError, ReadOnlyError, DiskFailedError: as a write.
    """
    call.person_only("inbox edit")
    ensure_current(call)
    text = None if statement is None else visible_statement(statement)
    if refusal := refuse_fields(statement or "", *properties.values()):
        raise CaptureRefusedError(refusal.text)
    values = {key: _value(key, value) for key, value in properties.items()}
    with call.vault.lock():
        one = find_waiting(call, name)
        if named := values.get("vault_ref"):
            links = [hint.link for hint in hints_of(call, one)]
            values["vault_ref"] = link_of(call, str(named), suggested=links)
        with naming(one.path):
            refuse_slips(call, values, one.data)
            after = set_properties(one.data, values)
            after = after if text is None else replace_statement(after, text)
        if after == one.data:
            return Edited(one.id, one.path, changed=False)
        if text is not None and text != one.candidate.memory.statement and not is_external(one):
            after = _vouched(call, one, after, text)
        keys = " ".join(values if text is None else ("statement", *values))
        _write(call, one, after, keys)
    return Edited(one.id, one.path, changed=True)


def _vouched(call: Call, one: Waiting, data: bytes, text: str) -> bytes:
    """The note with the person's words as evidence, so that they count as the person's.

    How long they meant it nobody knows, so that it goes on waiting for their decision.
    """
    memory = replace(one.candidate.memory, statement=text)
    trust, durability = TrustClass.DIRECT_USER_INSTRUCTION, Durability.UNKNOWN
    piece = new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=trust,
        excerpt=text,
        project=memory.project,
        durability=durability,
        created=call.local,
    )
    (link,) = evidence.record(call, [piece])
    before = evidence.find(call, evidence.cited(memory.evidence))
    told = assess(call, memory, (*before, piece), trust=trust, durability=durability)
    changes: dict[str, object] = {
        "trust": trust.value,
        "durability": durability.value,
        "verification": told.verification,
        "reasons": list(told.reasons) or None,
    }
    return set_properties(with_evidence(data, link), changes)


def take_in_candidate(call: Call, opened: Opened) -> Edited:
    """Let in force what the person did to a candidate in their editor; new words are theirs.

    Raises:
        As `take_in` and `edit_candidate`.
    """
    done = take_in(call, opened)
    if not done.changed:
        return done
    before, _ = decode_candidate(opened.data, path=opened.path)
    with call.vault.lock():
        for one in waiting(call):
            text = one.candidate.memory.statement
            if one.id == opened.id and text != before.memory.statement and not is_external(one):
                after = _vouched(call, one, one.data, text)
                _write(call, one, after, "evidence")
    return done


def _write(call: Call, one: Waiting, data: bytes, keys: str) -> None:
    write_notes(
        call, [Write(one.path, data, one.etag, one.id, "edited", "person", "inbox", keys=keys)]
    )


def open_candidate(call: Call, name: str) -> Opened:
    """A candidate's note, for the person's own editor; `take_in_candidate` reads what they did.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_waiting`.
    """
    call.person_only("inbox edit")
    ensure_current(call)
    one = find_waiting(call, name)
    return Opened(one.id, one.path, one.data)


def _value(key: str, text: str) -> object:
    if key == "decision":
        raise EditRefusedError(
            "`decision` is not set here.", "Add `--approve`, or run `vaultmem inbox reject`."
        )
    if key in _KEPT:
        raise EditRefusedError(f"`{key}` is kept by vaultmem.", "Set another property.")
    return property_value(key, text)
