"""The day's note of decided patches: a callout with a block id for each, ids and no statements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import ULID_FORM, is_id
from vaultmem.core.operation import Op
from vaultmem.core.patch_status import PatchStatus
from vaultmem.notes import frontmatter
from vaultmem.notes.body import append_callout
from vaultmem.notes.reading import open_note
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from vaultmem.core.finding import Finding
    from vaultmem.core.operation import Operation


class Result(StrEnum):
    """What was done with an operation or a candidate."""

    APPLIED = "applied"
    LEFT = "left"
    """It was not selected."""
    REFUSED = "refused"
    REJECTED = "rejected"
    REVERTED = "reverted"


class DecidedOperation(NamedTuple):
    """What became of one operation; everything is named by id.

    `why` is the code of the refusal, "" where nothing was refused.
    """

    id: str
    op: Op
    result: Result
    why: str = ""
    target: str | None = None
    memory: str | None = None
    candidate: str | None = None

    @classmethod
    def of(cls, operation: Operation, result: Result, why: str = "") -> DecidedOperation:
        """An operation with what became of it."""
        return cls(
            operation.id,
            operation.op,
            result,
            why,
            target=operation.target,
            memory=operation.memory.id if operation.memory is not None else None,
            candidate=operation.candidate,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A patch, or a candidate that no patch took up, with what was decided.

    Attributes:
        id: `patch_<ulid>` or `cand_<ulid>`.
        status: of the patch then; of a candidate always REJECTED.
        at: local to the person, to the second.
        by: person or policy.
        operations: empty for a candidate.
    """

    id: str
    status: PatchStatus
    at: datetime
    by: str
    operations: tuple[DecidedOperation, ...] = ()

    @property
    def block_id(self) -> str:
        """What links name as `#^…`; a patch has each status once."""
        return f"{self.id}-{self.status}".lower().replace("_", "-")


_CALLOUT = {
    PatchStatus.PROPOSED: "note",
    PatchStatus.APPLYING: "note",
    PatchStatus.APPLIED: "success",
    PatchStatus.PARTIALLY_APPLIED: "warning",
    PatchStatus.REJECTED: "failure",
    PatchStatus.REVERTING: "note",
    PatchStatus.REVERTED: "info",
}
_HEAD = re.compile(
    rf"\s*>\s*\[!\w+\][-+]?\s*(?P<id>(?:patch|cand)_{ULID_FORM}) (?P<status>\w+) "
    r"(?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) by (?P<by>[a-z]+)(?!\w)"
)
_ITEM = re.compile(
    r"\s*>\s*[-*+]\s+(?P<id>op_\d{3,6}) (?P<op>\w+) (?P<result>\w+)(?: \((?P<why>\w+)\))?"
    rf"(?: target (?P<target>mem_{ULID_FORM}))?(?: memory (?P<memory>mem_{ULID_FORM}))?"
    rf"(?: candidate (?P<candidate>cand_{ULID_FORM}))?(?!\w| (?:target|memory|candidate)\b)"
)
_CALLED = re.compile(r"\s*>\s*\[!")
_LISTED = re.compile(r"\s*>\s*[-*+]\s")
_LINES = re.compile(r"\r\n|[\r\n]")


def new_patch_day(identifier: str, *, device: str, day: date) -> bytes:
    """The note of a device for a day on which nothing was decided yet.

    Args:
        identifier: `patch_<ulid>`, the note's own.
        device: the machine that writes it.
        day: the person's.
    """
    return frontmatter.new_note(
        {"id": identifier, "type": str(NoteType.PATCH), "device": device, "date": day},
        "# Decided patches\n",
    )


def append_decided(data: bytes, decided: Decided) -> bytes:
    """The note with one more callout at its end, in the note's own line ends.

    Raises:
        ValueError: an id has not its form, so that a reader would not find it.
        NoteUnreadableError: the note cannot be read.
    """
    lines = [_head(decided), *map(_item, decided.operations)]
    if _parse(lines) != decided:
        raise ValueError(f"{decided.id} cannot be spelled as a decided patch")
    return append_callout(data, lines, decided.block_id)


def decode_patch_day(data: bytes, *, path: str) -> tuple[tuple[Decided, ...], tuple[Finding, ...]]:
    """What the note lists, in its order; an entry that was damaged is a finding (VM656).

    An id can stand more than once: applied, then reverted. The last one holds.

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    block, reader = open_note(data, NoteType.PATCH, path=path)
    found: list[Decided] = []
    for first, lines in _callouts(block.body):
        if (decided := _parse(lines)) is not None:
            found.append(decided)
        else:
            message = "An entry of the list of decided patches cannot be read."
            reader.report("VM656", message, line=block.body_line + first)
    return tuple(found), tuple(reader.findings)


def _head(decided: Decided) -> str:
    moment = decided.at.replace(tzinfo=None).isoformat(timespec="seconds")
    kind = _CALLOUT[decided.status]
    return f"> [!{kind}]- {decided.id} {decided.status} {moment} by {decided.by}"


def _item(one: DecidedOperation) -> str:
    why = f" ({one.why})" if one.why else ""
    named = (("target", one.target), ("memory", one.memory), ("candidate", one.candidate))
    ids = "".join(f" {name} {value}" for name, value in named if value is not None)
    return f"> - {one.id} {one.op} {one.result}{why}{ids}"


def _callouts(body: str) -> Iterator[tuple[int, list[str]]]:
    """The callouts, each with the number of its first line in the body, from 0."""
    first, lines = 0, list[str]()
    for number, line in enumerate([*_LINES.split(body), ""]):
        if lines and (not line.lstrip().startswith(">") or _CALLED.match(line)):
            yield first, lines
            lines = []
        if lines:
            lines.append(line)
        elif _CALLED.match(line):
            first, lines = number, [line]


def _parse(lines: list[str]) -> Decided | None:
    """The decision in a callout; None where a part of it was damaged."""
    head = _HEAD.match(lines[0])
    items = [_ITEM.match(line) for line in lines[1:] if _LISTED.match(line)]
    if head is None or not is_id(head["id"]):
        return None
    try:
        return Decided(
            id=head["id"],
            status=PatchStatus(head["status"]),
            at=datetime.fromisoformat(head["at"]),
            by=head["by"],
            operations=tuple(_operation(item) for item in items),
        )
    except ValueError:
        return None


def _operation(item: re.Match[str] | None) -> DecidedOperation:
    if item is None:
        raise ValueError("no operation")
    return DecidedOperation(
        id=item["id"],
        op=Op(item["op"]),
        result=Result(item["result"]),
        why=item["why"] or "",
        target=item["target"],
        memory=item["memory"],
        candidate=item["candidate"],
    )
