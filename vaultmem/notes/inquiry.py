"""An inquiry from the bytes of its note in `Inquiries/`, and the bytes of a new one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import escape_inline
from vaultmem.core.inquiry import WAITING, Inquiry, InquiryStatus, Priority
from vaultmem.core.naming import link_targets
from vaultmem.notes import frontmatter
from vaultmem.notes.reading import open_note, report_conflict
from vaultmem.notes.schema import SCHEMAS, NoteType
from vaultmem.notes.statement import find_statement
from vaultmem.notes.writing import written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.finding import Finding
    from vaultmem.notes.candidate import Touched

UNUSABLE = frozenset({"VM108", "VM109", "VM113", "VM117", "VM118"})
"""Findings of a note that asks nothing: conflict marks, no question, no id, another type."""

HOW_TO_ANSWER = (
    "Set `answer` to a link to the memory that answers it, or `status` to withdrawn; or write the "
    "answer as a memory and name it with `vaultmem maintain answer`."
)


class DecodedInquiry(NamedTuple):
    """An inquiry's note as it was read.

    Attributes:
        inquiry: its id and its question are "" where the note has none.
        findings: what is wrong, none of which kept the note from being read.
    """

    inquiry: Inquiry
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether it asks something that can be answered."""
        return UNUSABLE.isdisjoint(found.code for found in self.findings)


def encode_inquiry(inquiry: Inquiry, touched: Iterable[Touched] = ()) -> bytes:
    """Make a new inquiry's note; `status` and `answer` are always there, for the person to set.

    Args:
        inquiry: what is asked; texts are made inert.
        touched: the memories that it is about, with what they say.

    Raises:
        ValueError: the question is empty once what cannot be seen is taken out.
    """
    question = escape_inline(inquiry.question)
    if not question:
        raise ValueError("an inquiry needs a question that can be seen")
    properties: dict[str, object] = {"id": inquiry.id, "type": str(NoteType.INQUIRY)}
    values = written(SCHEMAS[NoteType.INQUIRY], inquiry)
    properties |= {"status": str(inquiry.status), "answer": values.pop("answer", None)} | values
    parts = [question]
    if context := escape_inline(inquiry.context):
        parts.append(context)
    if lines := [f"> - {one.link}: {escape_inline(one.statement)}" for one in touched]:
        parts.append("\n".join(["> [!info] It is about", *lines]))
    parts.append(f"> [!question] {HOW_TO_ANSWER}")
    return frontmatter.new_note(properties, "\n\n".join(parts) + "\n")


def decode_inquiry(data: bytes, *, path: str) -> DecodedInquiry:
    """Read an inquiry's note; one whose answer is a link is answered, whatever its status says.

    What the note says beside the question is the person's to read, and is not read here.

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    block, reader = open_note(data, NoteType.INQUIRY, path=path)
    report_conflict(block, reader)
    found = find_statement(block.body)
    if found is None:
        reader.report("VM109", "The note asks no question.", line=block.body_line)
    inquiry = Inquiry(
        id=reader.identifier(),
        question=found.text if found is not None else "",
        status=reader.enum("status", InquiryStatus) or InquiryStatus.OPEN,
        priority=reader.enum("priority", Priority) or Priority.MEDIUM,
        project=reader.text("project"),
        tags=reader.texts("tags"),
        matched=reader.texts("matched"),
        candidate=reader.text("candidate"),
        sessions=reader.texts("sessions"),
        created=reader.moment("created"),
        last_seen=reader.moment("last_seen"),
        answer=reader.text("answer"),
        device=reader.text("device"),
    )
    if inquiry.status in WAITING and any(link_targets([inquiry.answer or ""])):
        inquiry = replace(inquiry, status=InquiryStatus.ANSWERED)
    return DecodedInquiry(inquiry, tuple(reader.findings))
