"""Everything that the diagnostics look at, read once: memories, candidates, evidence, notes.

What cannot be read is a finding and is left out, so that one broken note hides nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.place import Kind
from vaultmem.core.state import MemoryState
from vaultmem.errors import NoteError, NoteUnreadableError, UnsafePathError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.codec import finding_of
from vaultmem.notes.evidence import decode_evidence_day
from vaultmem.notes.patch import decode_patch
from vaultmem.notes.patch_day import decode_patch_day
from vaultmem.services.lookup import load
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.notes.candidate import Candidate
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.store.baseline_rows import NoteRow


class Piece(NamedTuple):
    """A piece of evidence and the note that it stands in."""

    path: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What there is to compare.

    Attributes:
        memories: those in force in some form, with the version that is.
        candidates: the readable ones that wait, by path.
        evidence: every readable piece by its id; several where it stands in several notes.
        findings: what was wrong with the notes that only a diagnosis reads.
    """

    memories: Sequence[FoundMemory]
    candidates: Mapping[str, Candidate]
    evidence: Mapping[EvidenceId, Sequence[Piece]]
    findings: tuple[Finding, ...]


def load_live(call: Call) -> tuple[list[FoundMemory], list[Finding]]:
    """Every memory in force, and a finding for each whose kept version cannot be read (VM742)."""
    found: list[FoundMemory] = []
    damaged: list[Finding] = []
    for row in call.vault.baseline.memories(state=MemoryState.LIVE):
        try:
            found.append(load(call, row))
        except NoteError:
            text = f"The version of {row.id} that this machine keeps cannot be read."
            damaged.append(finding("VM742", text, path=row.path))
    return found, damaged


def examine(call: Call, memories: Sequence[FoundMemory]) -> Examined:
    """Read what `sync` has no need to read."""
    findings: list[Finding] = []
    candidates: dict[str, Candidate] = {}
    evidence: dict[EvidenceId, list[Piece]] = {}
    for row, data in machine_notes(call):
        try:
            match row.kind:
                case Kind.CANDIDATE:
                    candidates[row.path], decoded = decode_candidate(data, path=row.path)
                    findings += decoded.findings
                case Kind.PATCH:
                    findings += decode_patch(data, path=row.path).findings
                case Kind.DECIDED:
                    findings += decode_patch_day(data, path=row.path)[1]
                case Kind.EVIDENCE:
                    pieces, told = decode_evidence_day(data, path=row.path)
                    findings += told
                    for one in pieces:
                        evidence.setdefault(one.id, []).append(Piece(row.path, one))
                case _:
                    continue
        except NoteUnreadableError as error:
            findings.append(finding_of(error, row.path))
    return Examined(
        memories=memories, candidates=candidates, evidence=evidence, findings=tuple(findings)
    )


def machine_notes(call: Call) -> Iterator[tuple[NoteRow, bytes]]:
    """Every note of ours with its present bytes; conflict copies are never read.

    One that cannot be opened was reported by the sync.
    """
    for row in call.vault.baseline.notes():
        if row.kind in (Kind.KNOWLEDGE, Kind.CONFLICT):
            continue
        try:
            yield row, read_note(call.vault.path, row.path)
        except (NoteError, UnsafePathError):
            continue
