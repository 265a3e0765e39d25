"""Saves an export as a note in `System/Reports`, where it is safe to delete."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from vaultmem.core.naming import base_name, name_key, with_suffix
from vaultmem.core.place import REPORTS
from vaultmem.notes.frontmatter import new_note
from vaultmem.notes.schema import NoteType
from vaultmem.services.call import Actor
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.services.call import Call

_PROJECT = 40
"""Characters of a project's name in the name of a note."""


def save(call: Call, kind: str, lines: Iterable[str], *, via: str) -> str:
    """Write a report of this moment; the path of its note.

    What an agent asked for is written as policy's note: nobody's word.

    Args:
        call: the circumstances.
        kind: what it is, a word of its name.
        lines: its body.
        via: the verb, for the ledger.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    identifier = call.new_id("rep")
    data = new_report(call, identifier, "\n".join(lines) + "\n")
    by = Actor.PERSON if call.actor is Actor.PERSON else Actor.POLICY
    with call.vault.lock():
        path = _path(call, kind, identifier)
        write_notes(call, [Write(path, data, None, identifier, "created", by.value, via)])
    return path


def save_by_person(call: Call, kind: str, lines: Iterable[str]) -> str:
    """As `save`, for a report that only a person may write into the vault.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `save`.
    """
    call.person_only(f"export {kind} --save")
    return save(call, kind, lines, via="export")


def new_report(call: Call, identifier: str, body: str) -> bytes:
    """The bytes of a report's note."""
    properties: dict[str, object] = {
        "id": identifier,
        "type": str(NoteType.REPORT),
        "device": call.vault.device,
        "created": call.local,
    }
    return new_note(properties, body)


def lasting_path(call: Call, kind: str, project: str, ending: str = ".md") -> str:
    """Where a report lies that is made again and again, relative to the vault.

    The end of a hash keeps two projects of one name apart.
    """
    parts = [kind]
    if project:
        mark = hashlib.sha256(project.casefold().encode()).hexdigest()[:6]
        parts.append(f"{base_name(project.rpartition('/')[2])[:_PROJECT].rstrip(' .-')} {mark}")
    return f"{call.vault.root}/{REPORTS}/{' '.join((*parts, call.vault.device))}{ending}"


def _path(call: Call, kind: str, identifier: str) -> str:
    """A name for this second; a second report of it has the end of its id in its name."""
    name = f"{call.local:%Y-%m-%d %H%M%S} {kind} {call.vault.device}"
    if call.vault.baseline.stems(name_key(name)):
        name = with_suffix(name, identifier)
    return f"{call.vault.root}/{REPORTS}/{name}.md"
