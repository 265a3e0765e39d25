"""Takes back what a patch did, on the machine that applied it and kept what was there before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import patch_effect
from vaultmem.core.ids import is_end_of
from vaultmem.core.model import Status
from vaultmem.core.naming import name_key, title_of
from vaultmem.core.operation import Op
from vaultmem.core.patch import move
from vaultmem.core.patch_rules import RULES, Applier, Refusal
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.place import INBOX
from vaultmem.core.state import MemoryState
from vaultmem.errors import NoteNotFoundError, PatchRefusedError
from vaultmem.notes.frontmatter import set_properties
from vaultmem.notes.patch_day import Decided, DecidedOperation, Result
from vaultmem.services.force import sign_force
from vaultmem.services.lookup import load
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.adding import in_groups
from vaultmem.services.patching.archive import archive, archive_all, take_out
from vaultmem.services.patching.case import WAIT, Shared, look, why_not_written
from vaultmem.services.patching.day import list_decided
from vaultmem.services.patching.result import Done, Skipped
from vaultmem.services.patching.writes import change_write, links
from vaultmem.services.syncing.attribution import EXTERNAL_ACT
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.record import force_mac
from vaultmem.services.tombstones import RESTORED, withdraw
from vaultmem.services.write import Write, write_notes
from vaultmem.store.patches import PatchRow, Stage, spelled_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.core.patch_effect import Outcome
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.services.patching.case import Case
    from vaultmem.store.patches import Step

_LARGE = 100
"""Operations up to which each is recorded by itself."""
_NOT_ASKED = Shared((), frozenset())
"""Deleted texts and evidence that is gone keep nothing from being taken back."""
REVERTIBLE = (PatchStatus.APPLIED.value, PatchStatus.PARTIALLY_APPLIED.value)

_NOT_KEPT = Refusal(
    "irreversible",
    "The note of the rejected candidate is not kept: it held a secret, or it was purged.",
    "Add its statement again.",
)


class Reverted(NamedTuple):
    """What was taken back.

    Attributes:
        id: the patch.
        at: when it had been applied, local to the person.
        by, via: who had applied it, and the verb.
        status: REVERTED; REVERTING where it waits for a note.
        reverted: its operations, the last one first.
        skipped: operations that cannot be taken back, with why.
    """

    id: str
    at: datetime
    by: str
    via: str
    status: PatchStatus
    reverted: tuple[Done, ...]
    skipped: tuple[Skipped, ...]


def revert(
    call: Call, name: str, *, told: Callable[[int, int], None] = lambda _done, _of: None
) -> Reverted:
    """Take back what a patch did; all that can be taken back of it, or nothing.

    Args:
        call: the circumstances; the baseline is up to date.
        name: the patch's id, or the end of it.
        told: is told now and then how many operations are taken back, and of how many.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError: if this machine applied no such patch.
        PatchRefusedError: if it is not applied, or what it wrote was changed since.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`; the next sync goes
            on.
    """
    call.person_only("patch revert")
    with call.vault.lock():
        row = _find(call, name)
        patch = row.patch()
        if isinstance(refusal := move(patch, PatchStatus.REVERTING), Refusal):
            raise PatchRefusedError(refusal.text)
        run = _Revert(call, row, patch, told)
        run.check()
        return run.run()


def go_on(call: Call, row: PatchRow) -> Reverted:
    """Finish a revert that was cut short; the caller holds the lock."""
    return _Revert(call, row, row.patch(), lambda _done, _of: None).run()


class _Revert:
    """One patch on its way back."""

    def __init__(
        self, call: Call, row: PatchRow, patch: Patch, told: Callable[[int, int], None]
    ) -> None:
        self._call = call
        self._told = told
        self._row = row
        self._steps = row.progress()
        self._reverted: list[Done] = []
        self._skipped: list[Skipped] = []
        applied = (Stage.APPLIED, Stage.REVERTED)
        self._operations = [
            one
            for one in reversed(patch.operations)
            if one.id in self._steps and self._steps[one.id].stage in applied
        ]

    def check(self) -> None:
        """See that all of it can be taken back, before any note is written.

        Raises:
            PatchRefusedError: if not.
        """
        seen: dict[MemoryId | None, Memory] = {}
        possible = False
        for operation in self._operations:
            if self._irreversible(operation) is not None:
                continue
            case = self._look(operation)
            memory = seen.get(operation.target) if operation.target in seen else case.memory
            outcome = self._outcome(case, memory, seen)
            if isinstance(outcome, Refusal):
                raise PatchRefusedError(f"{operation.id}: {outcome.text} Nothing was reverted.")
            if outcome.target is not None:
                seen[outcome.target.id] = outcome.target
            possible = True
        if not possible:
            reasons = [self._irreversible(one) for one in self._operations]
            first = next((one for one in reasons if one is not None), None)
            text = first.text if first else "Nothing that it changed is kept any more."
            raise PatchRefusedError(f"{self._row.id} cannot be reverted. {text}")

    def run(self) -> Reverted:
        """Do it; an operation that was taken back before is not done again."""
        self._put(PatchStatus.REVERTING)
        for group in in_groups(self._operations):
            self._archive_all(group)
            for operation in group:
                refusal = self._irreversible(operation)
                if refusal is None and self._steps[operation.id].stage is Stage.APPLIED:
                    refusal = self._one(operation)
                if refusal is not None:
                    self._skipped.append(Skipped(operation.id, refusal.code, refusal.text))
                    if refusal.code in WAIT:
                        return self._answer(PatchStatus.REVERTING)
            self._told(len(self._reverted) + len(self._skipped), len(self._operations))
        self._list()
        self._put(PatchStatus.REVERTED)
        return self._answer(PatchStatus.REVERTED)

    def _irreversible(self, operation: Operation) -> Refusal | None:
        """Why an operation cannot be taken back whatever the vault holds, or None."""
        step = self._steps[operation.id]
        lost = step.stage is Stage.APPLIED and not step.text
        if operation.op is Op.REJECT_CANDIDATE and lost:
            return _NOT_KEPT
        return patch_effect.irreversible(operation)

    def _archive_all(self, operations: Sequence[Operation]) -> None:
        """Take back together what only made a note; what is not as simple is left for `_one`."""
        simple: dict[str, tuple[Operation, FoundMemory]] = {}
        for operation in operations if len(operations) > 1 else ():
            step, found = self._steps[operation.id], self._created(operation)
            if step.stage is not Stage.APPLIED or found is None or _withdraws(operation):
                continue
            outcome = self._outcome(self._look(operation), None, {})
            if not isinstance(outcome, Refusal) and outcome.target is None:
                simple[operation.id] = (operation, found)
        if not simple:
            return
        paths = archive_all(
            self._call, [found for _, found in simple.values()], by="person", via="revert"
        )
        patch_ledger.tell_all(
            self._call,
            patch_ledger.REVERTED,
            self._row.id,
            [operation for operation, _ in simple.values()],
            by="person",
            via="revert",
        )
        for (operation, found), path in zip(simple.values(), paths, strict=True):
            step = self._steps[operation.id]
            self._steps[operation.id] = step._replace(stage=Stage.REVERTED, text="")
            self._reverted.append(Done(operation.id, operation.op.value, found.row.id, path))
        self._put(PatchStatus.REVERTING)

    def _one(self, operation: Operation) -> Refusal | None:
        case = self._look(operation)
        outcome = self._outcome(case, case.memory, {})
        if isinstance(outcome, Refusal):
            return outcome
        step = self._steps[operation.id]
        by, via = "person", "revert"
        path = case.target.row.path if case.target is not None else None
        if operation.op is Op.DELETE and operation.target is not None:
            withdraw(self._call, operation.target)
        elif operation.memory is not None and _withdraws(operation):
            withdraw(self._call, operation.memory.id)
        if outcome.target is not None:
            write = change_write(self._call, case, outcome.target, by=by, via=via)
            if operation.op is Op.DELETE:
                write = write._replace(act=RESTORED)
            if step.force:
                self._give_force(write)
            write_notes(self._call, [write])
        if operation.archive:
            path = self._take_out(operation, step)
        created = self._created(operation)
        if created is not None:
            path = archive(self._call, created, by=by, via=via)
        waits = self._bring_back(operation, step)
        patch_ledger.tell(
            self._call, patch_ledger.REVERTED, self._row.id, operation, by=by, via=via
        )
        self._steps[operation.id] = step._replace(stage=Stage.REVERTED, text="")
        self._keep()
        identifier = created.row.id if created is not None else operation.target
        self._reverted.append(Done(operation.id, operation.op.value, identifier, path or waits))
        return None

    def _outcome(
        self, case: Case, memory: Memory | None, seen: Mapping[MemoryId | None, Memory]
    ) -> Outcome | Refusal:
        """What takes the operation back, or why nothing may be written.

        `seen` holds memories as later operations of the patch, taken back first, leave them.
        """
        operation = case.operation
        found, new = self._created(operation), operation.memory
        created = seen.get(found.decoded.memory.id, found.decoded.memory) if found else None
        if created is not None and new is not None and created.status is Status.DEPRECATED:
            created = replace(
                created, status=new.status
            )  # as the archive sets it, if we were killed
        link = links(self._call, operation, "")
        held = why_not_written(self._call, found.row.path) if found is not None else None
        return (
            case.trouble
            or held
            or patch_effect.revert(operation, memory, created, now=self._call.local, link=link)
        )

    def _look(self, operation: Operation) -> Case:
        return look(
            self._call,
            operation,
            applier=Applier.PERSON,
            ratified=False,
            decided=False,
            shared=_NOT_ASKED,
        )

    def _created(self, operation: Operation) -> FoundMemory | None:
        """The memory that the operation brought, if its note is still there."""
        new = operation.memory if RULES[operation.op].creates else None
        row = self._call.vault.baseline.memory(new.id) if new is not None else None
        return load(self._call, row) if row is not None and row.state == MemoryState.LIVE else None

    def _take_out(self, operation: Operation, step: Step) -> str | None:
        """Put the note of what the patch took out of use back where it lay."""
        row = self._call.vault.baseline.memory(operation.target) if operation.target else None
        if row is None:
            return None
        return take_out(self._call, load(self._call, row), step.path, by="person", via="revert")

    def _give_force(self, write: Write) -> None:
        """What could act before the patch can act again: the person says so."""
        vault = self._call.vault
        memory = decode_in(vault.root, write.path, write.data).memory
        sign_force(self._call, write.id, force_mac(vault, memory), by=write.by, via=write.via)

    def _bring_back(self, operation: Operation, step: Step) -> str | None:
        """A candidate that the operation took away waits again, without its decision; where."""
        call, candidate = self._call, operation.candidate
        if not step.text or candidate is None:
            return None
        if waits := call.vault.baseline.notes_with_id(candidate):
            return waits[0].path
        data = set_properties(step.text.encode(), {"decision": None})
        path = step.candidate
        if call.vault.baseline.stems(name_key(title_of(path))) or (call.vault.path / path).exists():
            path = call.vault.free_path(
                INBOX, path.rpartition("/")[2].removesuffix(".md"), candidate
            )
        act = "created" if step.ours else EXTERNAL_ACT  # it gains no force by the way back
        write_notes(call, [Write(path, data, None, candidate, act, "person", "revert")])
        return path

    def _list(self) -> None:
        listed = tuple(
            DecidedOperation.of(one, Result.REVERTED)
            for one in self._operations
            if self._steps[one.id].stage is Stage.REVERTED
        )
        decided = Decided(
            id=self._row.id,
            status=PatchStatus.REVERTED,
            at=self._call.local,
            by="person",
            operations=listed,
        )
        list_decided(self._call, decided, via="revert")

    def _keep(self) -> None:
        """Record how far it came; of a large patch now and then, for a record holds all of it.

        What is not recorded is done again, which changes nothing.
        """
        if len(self._operations) <= _LARGE or len(self._reverted) % _LARGE == 0:
            self._put(PatchStatus.REVERTING)

    def _put(self, status: PatchStatus) -> None:
        self._row = self._row._replace(status=status.value, steps=spelled_steps(self._steps))
        self._call.vault.patches.put(self._row)

    def _answer(self, status: PatchStatus) -> Reverted:
        row, done, skipped = self._row, tuple(self._reverted), tuple(self._skipped)
        return Reverted(row.id, row.moment(), row.by, row.via, status, done, skipped)


def _withdraws(operation: Operation) -> bool:
    """Whether it brought a memory that was deleted, with its tombstone."""
    return operation.memory is not None and operation.memory.status is Status.DELETED


def _find(call: Call, name: str) -> PatchRow:
    wanted = name.strip()
    rows = call.vault.patches.rows()
    found = [row for row in rows if is_end_of(wanted, row.id)]
    if not found:
        raise NoteNotFoundError(
            f"This machine applied no patch that is called {wanted[:80]!r}.",
            "List them with `vaultmem patch list --all`; a patch is reverted where it was applied.",
        )
    return found[0]
