"""Operations of a patch that only add memories, taken many at a time.

What one operation needs for itself, two records of the patch and four signed lines, would be most
of the time of a migration. The order is that of `run`: the steps and a signed line come before the
notes, a second line after; so what a crash cut short is finished in the same way.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Status
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.operation import Op
from vaultmem.errors import NoteError
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.effects import sign_for
from vaultmem.services.tombstones import write_tombstone
from vaultmem.services.write import write_notes
from vaultmem.store.patches import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call
    from vaultmem.services.patching.case import Case
    from vaultmem.services.patching.progress import Progress
    from vaultmem.services.write import Write
    from vaultmem.store.patches import Step

AT_ONCE = patch_ledger.LINE_OPERATIONS
"""Operations that are taken together: those that one signed line names."""


class Added(NamedTuple):
    """An operation with the note that it makes; without one where the note is there already."""

    case: Case
    step: Step
    writes: Sequence[Write]

    @property
    def operation(self) -> Operation:
        """The operation."""
        return self.case.operation


class Batch:
    """Operations that are about to be written together."""

    def __init__(self) -> None:
        """Begin with none."""
        self.added: list[Added] = []
        self._names: set[str] = set()

    def put(self, one: Added) -> None:
        """Take one more."""
        self.added.append(one)
        self._names |= {_name(one.step), _new_id(one.operation)}

    def holds(self, operation: Operation, step: Step) -> bool:
        """Whether another one makes a note of that name or a memory of that id."""
        return not self._names.isdisjoint((_name(step), _new_id(operation)))


def in_groups(operations: Iterable[Operation]) -> Iterator[list[Operation]]:
    """The operations in their order: neighbours that only add together, any other one alone."""
    for only_adds, group in groupby(operations, _only_adds):
        members = list(group)
        size = AT_ONCE if only_adds else 1
        yield from (members[at : at + size] for at in range(0, len(members), size))


def write_batch(call: Call, progress: Progress, batch: Batch) -> bool:
    """Begin, write and sign them; False if a note could not be written, so each is tried alone.

    Raises:
        ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    operations = [one.operation for one in batch.added]
    progress.begin_all({one.operation.id: one.step for one in batch.added}, operations)
    writes = [(one.case, write, one.step) for one in batch.added for write in one.writes]
    sign_for(call, writes, progress.row)
    try:
        write_notes(call, [write for _, write, _ in writes])
    except NoteError:
        return False
    for operation in operations:
        bury(call, operation, by=progress.row.by)
    decided = progress.said.decided
    progress.tell_all(patch_ledger.APPLIED, [one for one in operations if one.id not in decided])
    progress.keep({one.operation.id: one.step._replace(stage=Stage.APPLIED) for one in batch.added})
    return True


def bury(call: Call, operation: Operation, *, by: str) -> None:
    """Leave the tombstone of a memory that was deleted where it comes from."""
    new = operation.memory
    if operation.op is Op.ADD and new is not None and new.status is Status.DELETED:
        write_tombstone(call, new, by=by)


def _only_adds(operation: Operation) -> bool:
    return operation.op is Op.ADD and operation.candidate is None


def _name(step: Step) -> str:
    return name_key(title_of(step.path))


def _new_id(operation: Operation) -> str:
    return operation.memory.id if operation.memory is not None else ""
