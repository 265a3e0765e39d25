"""Reads a memory from the bytes of its note; `encode_memory` makes the note of a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import (
    Category,
    Cue,
    Layer,
    Memory,
    RuleType,
    Scope,
    Stability,
    Status,
)
from vaultmem.core.naming import title_of
from vaultmem.notes.reading import Reader, open_note, report_conflict
from vaultmem.notes.schema import NoteType
from vaultmem.notes.statement import Statement, find_statement
from vaultmem.notes.writing import encode_memory, property_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.errors import NoteError
    from vaultmem.notes import frontmatter

__all__ = [
    "Decoded",
    "decode_memory",
    "decode_note",
    "encode_memory",
    "finding_of",
    "property_changes",
]

UNUSABLE = frozenset({"VM108", "VM109", "VM117"})
"""Findings of a note that was read but must not replace the last good version of its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """One note as it was read.

    Attributes:
        memory: its id is "" where the note has none of the right form, its statement "" where the
            note has none.
        title: the file's name without `.md`.
        statement_span: half-open byte offsets of the statement in the note, None without one.
        statement_line: its line in the note, from 1.
        body: the text after the properties, as it is.
        body_start: the byte where the body begins.
        properties: as the frontmatter reader gave them, the person's own included.
        findings: what is wrong, none of which kept the note from being read.
    """

    memory: Memory
    title: str
    statement_span: tuple[int, int] | None
    statement_line: int | None
    body: str
    body_start: int
    properties: Mapping[str, frontmatter.Value]
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether it may replace the last good version: it has a statement and no conflict."""
        return UNUSABLE.isdisjoint(found.code for found in self.findings)

    def with_findings(self, findings: Iterable[Finding]) -> Decoded:
        """The same, with these findings in place of its own."""
        return replace(self, findings=tuple(findings))


def decode_memory(data: bytes, *, path: str, folder_category: Category | None = None) -> Decoded:
    """Read the note of a memory.

    A wrong value of one property is a finding (VM110), and the property's default holds. Datetimes
    lose their zone (VM119): a note keeps the person's clock time.

    Args:
        data: the whole note.
        path: the note, relative to the vault, `/`-separated.
        folder_category: what the note's folder says, for a note that does not name its category.

    Raises:
        NoteUnreadableError: the bytes or the properties cannot be read at all; it names `path` and
            the line and has a finding code.
    """
    return decode_note(data, NoteType.MEMORY, path=path, folder_category=folder_category)[0]


def finding_of(error: NoteError, path: str) -> Finding:
    """What to report for a note that could not be read."""
    return finding(
        error.code or "VM103", error.problem, path=path, line=error.line, remedy=error.remedy
    )


def decode_note(
    data: bytes, note_type: NoteType, *, path: str, folder_category: Category | None = None
) -> tuple[Decoded, Reader]:
    """Read a note of a type that has a memory's properties; the reader gives the type's others.

    Raises:
        NoteUnreadableError: as `decode_memory`.
    """
    block, reader = open_note(data, note_type, path=path)
    statement = _statement(block, reader)
    span = line = None
    if statement is not None:
        start = block.body_start + len(block.body[: statement.start].encode())
        span = (start, start + len(block.body[statement.start : statement.end].encode()))
        line = block.body_line + statement.line - 1
    decoded = Decoded(
        memory=_memory(reader, statement.text if statement else "", folder_category),
        title=title_of(path),
        statement_span=span,
        statement_line=line,
        body=block.body,
        body_start=block.body_start,
        properties=block.properties,
        findings=tuple(reader.findings),
    )
    return decoded, reader


def _statement(block: frontmatter.Block, reader: Reader) -> Statement | None:
    report_conflict(block, reader)
    statement = find_statement(block.body)
    if statement is None:
        reader.report("VM109", "The note has no statement.", line=block.body_line)
    elif statement.hidden:
        count = len(statement.hidden)
        what = "a part that reading view hides" if count == 1 else f"{count} parts that are hidden"
        reader.report(
            "VM114",
            f"The statement holds {what}; the memory leaves that out.",
            line=block.body_line + statement.line - 1,
        )
    return statement


def _memory(reader: Reader, statement: str, folder_category: Category | None) -> Memory:
    return Memory(
        id=MemoryId(reader.identifier()),
        statement=statement,
        layer=reader.enum("layer", Layer) or Layer.PLAYBOOK,
        category=reader.enum("category", Category) or folder_category or Category.LESSON,
        rule=reader.enum("rule", RuleType),
        status=reader.enum("status", Status) or Status.ACTIVE,
        scope=reader.enum("scope", Scope) or Scope.GLOBAL,
        project=reader.text("project"),
        domains=reader.texts("domains"),
        cue=reader.enum("cue", Cue) or Cue.EXPLICIT,
        confidence=reader.number("confidence"),
        stability=reader.enum("stability", Stability) or Stability.SEMI_STABLE,
        evidence_count=reader.count("evidence_count"),
        pinned=reader.flag("pinned"),
        tags=reader.texts("tags"),
        created=reader.moment("created"),
        updated=reader.moment("updated"),
        reinforced=reader.moment("reinforced"),
        review=reader.day("review"),
        review_days=reader.count("review_days"),
        change_condition=reader.text("change_condition"),
        evidence=reader.texts("evidence"),
        supersedes=reader.texts("supersedes"),
        superseded_by=reader.texts("superseded_by"),
        vault_ref=reader.text("vault_ref"),
        applies_when=reader.texts("applies_when"),
        not_when=reader.texts("not_when"),
        exceptions=reader.texts("exceptions"),
        valid_from=reader.moment("valid_from"),
        valid_to=reader.moment("valid_to"),
        expires=reader.moment("expires"),
        trigger=reader.text("trigger"),
        action=reader.text("action"),
        verifier=reader.text("verifier"),
        source_session=reader.text("source_session"),
        derived_from=reader.texts("derived_from"),
        informs=reader.texts("informs"),
    )
