"""Save what the diagnostics found as a note in `System/Reports`: ids and codes, no statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import CODES, Finding, Severity
from vaultmem.core.ids import is_id, short_id
from vaultmem.core.naming import title_of
from vaultmem.core.place import Kind
from vaultmem.services.exporting.saved import save as save_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.call import Call
    from vaultmem.services.doctor import Diagnosis

SAYS_IDS = "VM7"
"""How the codes begin whose messages hold nothing but ids and counts; of any other one the meaning
of the code is written, because its message may quote a note."""

_PERSONAL = (Kind.MEMORY, Kind.CANDIDATE, Kind.PATCH, Kind.KNOWLEDGE, Kind.CONFLICT)
"""Kinds of notes whose names people or their statements gave."""
_HEADINGS = {
    Severity.ERROR: "Errors",
    Severity.WARNING: "Warnings",
    Severity.INFO: "Worth knowing",
}
_INTRODUCTION = (
    "What `vaultmem doctor --diagnostics` found at that moment. This note is safe to delete."
)


def save(call: Call, diagnosis: Diagnosis) -> str:
    """Write the report of this moment; the path of its note.

    What an agent asked for is written as policy's note: nobody's word.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    return save_report(call, "diagnostics", _lines(call, diagnosis), via="doctor")


def _lines(call: Call, diagnosis: Diagnosis) -> Iterator[str]:
    yield "# Diagnostics"
    yield ""
    yield _INTRODUCTION
    if not diagnosis.findings:
        yield ""
        yield "Nothing was found."
    for severity, heading in _HEADINGS.items():
        found = [one for one in diagnosis.findings if one.severity is severity]
        if found:
            yield ""
            yield f"## {heading} ({len(found)})"
            yield ""
            yield from dict.fromkeys(f"- {_line(call, one)}" for one in found)


def _line(call: Call, found: Finding) -> str:
    code = CODES[found.code]
    said = found.message if found.code.startswith(SAYS_IDS) else code.meaning
    place = _place(call, found)
    where = f" {place}" if place and place not in said else ""
    remedy = code.remedy
    if is_id(place):
        remedy = remedy.replace(" ID`", f" {short_id(place)}`")
    return f"{found.code}{where}: {said} {remedy}"


def _place(call: Call, found: Finding) -> str:
    """The id of the note that a finding is about; its name only where the machine gave it."""
    row = call.vault.baseline.note(found.path or "")
    if row is None:
        return ""
    personal = row.kind in _PERSONAL
    line = f":{found.line}" if found.line is not None else ""
    return row.id if personal or row.id else f"{title_of(row.path)}{line}"
