"""An open patch from the bytes of its note, as people and plugins leave it; a new one's note."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from vaultmem.core.inert import escape_inline
from vaultmem.core.patch import Patch
from vaultmem.core.patch_status import PatchStatus
from vaultmem.notes import frontmatter
from vaultmem.notes.markdown import structure
from vaultmem.notes.operation import AlteredError, operation_block, read_operation
from vaultmem.notes.reading import Reader, open_note, report_conflict
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.core.operation import Operation
    from vaultmem.notes.markdown import Fence, Task

T = TypeVar("T")
INTRODUCTION = (
    "Tick the operations that you want, then write `apply` (or `reject`) as the decision. "
    "Nothing happens before that."
)
TICKS = frozenset("xX")
"""The marks that select; every other one is left for other meanings (`[-]`, `[>]`, `[/]`)."""
UNUSABLE = frozenset({"VM108", "VM113", "VM117", "VM118"})
"""Findings of a note in which nothing is decided: conflict marks, no id, another type."""

NOTHING_SAID: Final[Mapping[str, str]] = MappingProxyType({})
LABEL = 200
"""Characters of a statement on its task line; the block holds all of it."""
# What the Tasks plugin reads behind a task: dates, recurrence, priorities, dependencies.
_TASK_SIGNS = re.compile("[📅📆🗓⏳⌛🛫➕✅❌🔁🆔⛔🏁🔺⏫🔼🔽⏬]\ufe0f?\\s?")
TASK_ID = re.compile(r"\W*(op_\d{3,6})(?!\w)")
"""How the line of a box names its operation."""
BLOCK_ID = re.compile(r"""^\s*["']?id["']?\s*:\s*["']?(op_\d{3,6})(?!\w)""", re.MULTILINE)
"""How a block names the operation that it holds, altered or not."""


class PatchDecision(StrEnum):
    """What a person may write as `decision`."""

    APPLY = "apply"
    REJECT = "reject"
    DEFER = "defer"


_WORDS = {
    **{decision.value: decision for decision in PatchDecision},
    "applied": PatchDecision.APPLY,
    "ok": PatchDecision.APPLY,
    "yes": PatchDecision.APPLY,
    "rejected": PatchDecision.REJECT,
    "deferred": PatchDecision.DEFER,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedPatch:
    """A patch note as it was read.

    Attributes:
        patch: its operations are those that are as they were proposed, in the order of their ids,
            selected as they are ticked; its id is "" where the note has none of the right form.
        decision: what the person decided; None for nothing, or nothing that has a meaning.
        altered: ids of operations that are there but may not be applied.
        lines: the line of each operation's box, for `notes.body.tick_task`.
        properties: as the frontmatter reader gave them, the person's own included.
        findings: what is wrong, none of which kept the note from being read.
    """

    patch: Patch
    decision: PatchDecision | None
    altered: tuple[str, ...]
    lines: Mapping[str, int]
    properties: Mapping[str, frontmatter.Value]
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether its decision may be followed at all."""
        return UNUSABLE.isdisjoint(found.code for found in self.findings)


def read_patch_decision(text: str | None) -> PatchDecision | None:
    """The decision that a person's word means, in any case; None for no or another word."""
    return _WORDS.get((text or "").strip().rstrip(".!").casefold())


def encode_patch(patch: Patch, said: Mapping[str, str] = NOTHING_SAID) -> bytes:
    """Make a new patch's note: `decision` empty, a box and a block for each operation.

    Args:
        patch: what the note holds.
        said: statements of candidates by their ids, for the lines of those that are rejected.

    Raises:
        ValueError: an operation has no id or a value that cannot be read back.
    """
    properties: dict[str, object] = {
        "id": patch.id,
        "type": str(NoteType.PATCH),
        "decision": None,
        "status": str(patch.status),
    }
    if patch.created is not None:
        properties["created"] = patch.created
    if patch.device is not None:
        properties["device"] = patch.device
    parts = [f"{INTRODUCTION}\n", *(_entry(patch.id, one, said) for one in patch.operations)]
    return frontmatter.new_note(properties, "\n".join(parts))


def decode_patch(data: bytes, *, path: str) -> DecodedPatch:
    """Read an open patch's note.

    Boxes and blocks belong together by the operation's id, wherever they stand. An operation is
    selected by a tick in each of its boxes, and only if its block matches its hash.

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    block, reader = open_note(data, NoteType.PATCH, path=path)
    report_conflict(block, reader)
    word = reader.text("decision")
    decision = read_patch_decision(word)
    if word is not None and decision is None:
        reader.report("VM650", f"`decision` is `{word}`, which decides nothing.", key="decision")
    patch_id = reader.identifier()
    found = structure(block.body, first_line=block.body_line)
    boxes = _by_operation(found.tasks, lambda task: TASK_ID.match(task.text))
    blocks = _by_operation(found.fences, lambda fence: BLOCK_ID.search(fence.content))
    operations = _operations(patch_id, blocks, reader)
    ticked = _ticked(boxes, reader)
    _report_partners(boxes, operations, reader)
    in_order = sorted(operations.items(), key=lambda item: (len(item[0]), item[0]))
    intact = [one for _, one in in_order if one is not None]
    patch = Patch(
        id=patch_id,
        operations=tuple(replace(one, selected=one.id in ticked) for one in intact),
        status=reader.enum("status", PatchStatus) or PatchStatus.PROPOSED,
        created=reader.moment("created"),
        device=reader.text("device"),
    )
    decoded = DecodedPatch(
        patch=patch,
        decision=decision,
        altered=tuple(sorted((boxes.keys() | operations.keys()) - {one.id for one in intact})),
        lines={identifier: tasks[0].line for identifier, tasks in boxes.items()},
        properties=block.properties,
        findings=tuple(reader.findings),
    )
    return decoded if decoded.usable else replace(decoded, decision=None)


def _entry(patch_id: str, operation: Operation, said: Mapping[str, str]) -> str:
    """The task line and the block; no value of a block can hold a backtick, so three close it."""
    mark = "x" if operation.selected else " "
    head = f"- [{mark}] {operation.id} · {operation.op} · {operation.risk}"
    label = _label(operation, said.get(operation.candidate or "", ""))
    block = operation_block(patch_id, operation)
    return f"{head}{f': {label}' if label else ''}\n\n```yaml\n{block}```\n"


def _label(operation: Operation, said: str) -> str:
    new = None if operation.memory is None else operation.memory.statement
    text = new or operation.changes.get("statement") or operation.before.get("statement")
    text = text or said or operation.reason or operation.target or operation.candidate
    words = " ".join(_TASK_SIGNS.sub("", str(text or "")).split())
    return escape_inline(words if len(words) <= LABEL else f"{words[:LABEL].rstrip()} …")


def _by_operation(
    items: Iterable[T], named: Callable[[T], re.Match[str] | None]
) -> dict[str, list[T]]:
    """The items that name an operation, by its id."""
    found: dict[str, list[T]] = defaultdict(list)
    for item in items:
        if (name := named(item)) is not None:
            found[name[1]].append(item)
    return found


def _operations(
    patch_id: str, blocks: Mapping[str, Sequence[Fence]], reader: Reader
) -> dict[str, Operation | None]:
    """The operation of each id; None where no block may be believed."""
    operations: dict[str, Operation | None] = {}
    for identifier, fences in blocks.items():
        read = [_read(patch_id, identifier, one, reader) for one in fences]
        operations[identifier] = read[0] if all(one == read[0] for one in read) else None
        if len(fences) > 1:
            message = f"{identifier} has {len(fences)} blocks" + (
                "." if operations[identifier] else "; none of them is applied."
            )
            reader.report("VM655", message, line=fences[1].line)
    return operations


def _read(patch_id: str, identifier: str, block: Fence, reader: Reader) -> Operation | None:
    fault = "names another operation"
    try:
        operation = read_operation(patch_id, block.content)
    except AlteredError as altered:
        fault = str(altered)
    else:
        if operation.id == identifier:
            return operation
    reader.report("VM652", f"The block of {identifier} {fault}.", line=block.line)
    return None


def _ticked(boxes: Mapping[str, Sequence[Task]], reader: Reader) -> set[str]:
    ticked: set[str] = set()
    for identifier, tasks in boxes.items():
        marks = [task.mark in TICKS for task in tasks]
        for task in tasks:
            if task.mark not in TICKS and not task.mark.isspace():
                message = f"{identifier} is marked `[{task.mark}]`, which is no tick."
                reader.report("VM651", message, line=task.line)
        if len(tasks) > 1:
            outcome = "." if len(set(marks)) == 1 else " that differ; it is not selected."
            message = f"{identifier} has {len(tasks)} boxes{outcome}"
            reader.report("VM655", message, line=tasks[1].line)
        if all(marks):
            ticked.add(identifier)
    return ticked


def _report_partners(
    boxes: Mapping[str, Sequence[Task]],
    operations: Mapping[str, Operation | None],
    reader: Reader,
) -> None:
    for identifier, tasks in boxes.items():
        if identifier not in operations:
            message = f"{identifier} has a box and no block."
            reader.report("VM653", message, line=tasks[0].line)
    for identifier in operations:
        if identifier not in boxes:
            reader.report("VM654", f"{identifier} has a block and no line with a box.")
