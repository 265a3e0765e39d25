"""Change a candidate before deciding about it; it still waits afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import CaptureRefusedError, EditRefusedError, naming
from vaultmem.notes.body import replace_statement
from vaultmem.notes.frontmatter import set_properties
from vaultmem.notes.schema import CANDIDATE, MEMORY
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.curating.hinting import hints_of
from vaultmem.services.edit import Edited, Opened, property_value, visible_statement
from vaultmem.services.named_note import link_of
from vaultmem.services.sync import ensure_current
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call

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
        EditRefusedError: if a property is not the person's to set, or its value is not allowed.
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
            after = set_properties(one.data, values)
            after = after if text is None else replace_statement(after, text)
        if after == one.data:
            return Edited(one.id, one.path, changed=False)
        keys = " ".join(values if text is None else ("statement", *values))
        write = Write(one.path, after, one.etag, one.id, "edited", "person", "inbox", keys=keys)
        write_notes(call, [write])
    return Edited(one.id, one.path, changed=True)


def open_candidate(call: Call, name: str) -> Opened:
    """A candidate's note, for a person's own editor; `edit.take_in` reads what they did there.

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
