"""Applies the selected operations of one patch, one after the other, so that a crash loses nothing.

The row of the patch, with what its targets held before, and a signed line come before the notes; a
second line comes after. A run that was cut short goes on where it stopped, and does nothing twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core import patch_effect
from vaultmem.core.operation import Op
from vaultmem.core.patch import Fate, fate_of, settle
from vaultmem.core.patch_rules import Applier, Refusal, only_proposes
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import NoteChangedError, NoteError
from vaultmem.notes.patch import encode_patch
from vaultmem.notes.patch_day import Decided, DecidedOperation, Result
from vaultmem.services.lookup import load
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.adding import Added, Batch, bury, in_groups, write_batch
from vaultmem.services.patching.archive import archive
from vaultmem.services.patching.case import WAIT, look, look_ahead
from vaultmem.services.patching.day import list_decided
from vaultmem.services.patching.effects import (
    as_it_is,
    close_candidate,
    close_note,
    kept_for_revert,
    sign_for,
    take_back,
)
from vaultmem.services.patching.progress import Progress
from vaultmem.services.patching.result import Applied, Done, Skipped
from vaultmem.services.patching.writes import (
    change_write,
    links,
    new_write,
    place_of_new,
)
from vaultmem.services.tombstones import write_tombstone
from vaultmem.services.write import write_notes
from vaultmem.store.patches import PatchRow, Stage, Step, spelled_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.core.patch_effect import Outcome
    from vaultmem.services.call import Call
    from vaultmem.services.patching.case import Case, Shared
    from vaultmem.services.write import Write

QUIET = "quiet"
"""The code of a note that changed so recently that policy begins nothing in it."""
CLOSING = frozenset(("decided", "candidate"))
"""Codes of what leaves nothing to decide, beside refusals that are final."""


class _WaitsError(Exception):
    """A half-done operation cannot go on yet."""


class Run:
    """One patch on its way; the caller holds the lock and has brought the baseline up to date."""

    def __init__(
        self,
        call: Call,
        patch: Patch,
        row: PatchRow,
        skipped: list[Skipped],
        *,
        told: Callable[[int], None] = lambda _done: None,
    ) -> None:
        """Take a patch whose operations are selected as they are to be applied.

        Args:
            call: the circumstances.
            patch: as proposed.
            row: what is known of it; not in the table yet where it was not begun.
            skipped: what was refused before the run.
            told: is told now and then how many operations are done.
        """
        self._call = call
        self._patch = patch
        self._progress = Progress(call, row)
        self._told = told
        self._skipped = skipped
        self._done: list[Done] = []
        self._open = any(one.code not in CLOSING for one in skipped)

    def run(self) -> Applied:
        """Do what is allowed, then close the patch, unless nothing was done and it may be later.

        Raises:
            ReadOnlyError, DiskFailedError, BusyError: as `write_notes`; the next sync goes on.
        """
        for group in in_groups(one for one in self._patch.operations if one.selected):
            try:
                if len(group) > 1:
                    self._add_all(group)
                else:
                    self._take(group[0])
            except _WaitsError:
                return self._answer(PatchStatus.APPLYING)
            self._told(len(self._done) + len(self._skipped))
        if self._open and not self._progress.begun:
            return self._answer(PatchStatus.PROPOSED)
        return self._close()

    def _answer(self, status: PatchStatus) -> Applied:
        return Applied(
            id=self._patch.id,
            status=status,
            applied=tuple(self._done),
            skipped=tuple(self._skipped),
        )

    # several operations that only add

    def _add_all(self, operations: Sequence[Operation]) -> None:
        shared = look_ahead(self._call, operations)
        batch = Batch()
        for operation in operations:
            case, known = self._look(operation, shared), self._steps.get(operation.id)
            if known is not None and (self._is_decided(operation) or known.stage != Stage.BEGUN):
                self._go_on(case, known)
                continue
            step = known or self._first_step(case)
            if batch.holds(operation, step):
                self._write_all(batch)
                batch = Batch()
                case = self._look(operation, shared)
                step = known or self._first_step(case)
            self._put_into(batch, case, step, half_done=known is not None)
        self._write_all(batch)

    def _put_into(self, batch: Batch, case: Case, step: Step, *, half_done: bool) -> None:
        try:
            outcome = self._outcome(case, step, begun=half_done)
            if not isinstance(outcome, Refusal):
                batch.put(Added(case, step, self._writes(case, outcome, step)))
                return
        except NoteError as error:
            outcome = _refusal_of(error)
        self._refuse(case, outcome, half_done=half_done)

    def _write_all(self, batch: Batch) -> None:
        if not batch.added:
            return
        if write_batch(self._call, self._progress, batch):
            self._done += [self._done_by(one.operation, one.step) for one in batch.added]
            return
        for one in batch.added:
            self._take(one.operation)

    # one operation

    def _look(self, operation: Operation, shared: Shared | None = None) -> Case:
        return look(
            self._call,
            operation,
            applier=Applier(self._row.by),
            ratified=bool(self._row.ratified),
            decided=self._is_decided(operation),
            shared=shared,
        )

    def _is_decided(self, operation: Operation) -> bool:
        return operation.id in self._progress.said.decided

    def _take(self, operation: Operation) -> None:
        known = self._steps.get(operation.id)
        case = self._look(operation)
        if known is not None and (self._is_decided(operation) or known.stage is not Stage.BEGUN):
            self._go_on(case, known)
            return
        step = known or self._first_step(case)
        try:
            outcome = self._outcome(case, step, begun=known is not None)
            if isinstance(outcome, Refusal):
                self._refuse(case, outcome, half_done=known is not None)
                return
            writes = self._writes(case, outcome, step)
            self._progress.begin(operation, step)
            self._write(case, outcome, writes, step)
        except NoteError as error:
            if known is None:
                self._progress.take_begin_back(operation)
            self._refuse(case, _refusal_of(error), half_done=known is not None)
            return
        self._finish(case, step)

    def _go_on(self, case: Case, step: Step) -> None:
        """What was decided before the run was cut short: only its candidate may be left."""
        if step.stage is not Stage.REFUSED:
            self._finish(case, step)
            return
        close_candidate(self._call, self._row, case.operation, step, Fate.REJECTED)
        self._skipped.append(Skipped(case.operation.id, step.why, "It was refused."))

    def _first_step(self, case: Case) -> Step:
        candidate = case.candidate
        becomes = fate_of(case.operation, None) is Fate.BECOMES_MEMORY
        return Step(
            Stage.BEGUN,
            path=place_of_new(self._call, case) or _home(case),
            force=case.target is not None and bool(case.target.standing.force),
            candidate=candidate.path if candidate else "",
            etag=candidate.etag if candidate else "",
            text=kept_for_revert(candidate.data) if candidate and not becomes else "",
            ours=candidate is None or candidate.ours,
        )

    def _outcome(self, case: Case, step: Step, *, begun: bool) -> Outcome | Refusal:
        """What is to be written, or why nothing may be."""
        operation, memory, now = case.operation, case.memory, self._call.local
        link = links(self._call, operation, step.path)
        if begun or operation.id in self._progress.said.begun:
            left = patch_effect.remaining(operation, memory, case.created, now=now, link=link)
            quiet = case.trouble is not None and case.trouble.code == QUIET
            return left if quiet else case.trouble or left  # what changed it may have been we
        return case.refusal() or patch_effect.apply(operation, memory, now=now, link=link)

    def _writes(self, case: Case, outcome: Outcome, step: Step) -> list[Write]:
        """The notes; the new one first, which can be taken back if the other one was edited."""
        by, via = self._row.by, self._row.via
        writes = []
        if outcome.created is not None:
            writes.append(new_write(self._call, case, outcome.created, step.path, by=by, via=via))
        if outcome.target is not None:
            writes.append(change_write(self._call, case, outcome.target, by=by, via=via))
        if only_proposes(case.operation) and not (self._call.vault.path / step.path).exists():
            from vaultmem.services.promoting.by_patch import promotion_write  # few patches do

            writes.append(promotion_write(self._call, case, step.path, by=by, via=via))
        return writes

    def _write(self, case: Case, outcome: Outcome, writes: list[Write], step: Step) -> None:
        """Write the notes; of what belongs together either all of it or nothing."""
        memory = case.memory
        own = (case.operation.target, _new_id(case.operation))
        signed = [(case, write, step) for write in writes if write.id in own]
        sign_for(self._call, signed, self._row)
        try:
            write_notes(self._call, writes)
        except NoteChangedError:
            if outcome.created is not None and outcome.target is not None:
                take_back(self._call, writes[0])
            raise
        if only_proposes(case.operation) and memory is not None:
            from vaultmem.services.promoting.by_patch import tell_promotion  # likewise

            tell_promotion(self._call, case, memory, by=self._row.by, via=self._row.via)
        if outcome.archived is not None:
            self._archive(outcome.archived)
        if outcome.purged is not None:
            self._purge(outcome.purged)
        elif case.operation.op is Op.DELETE and memory is not None:
            write_tombstone(self._call, memory, by=self._row.by)
        bury(self._call, case.operation, by=self._row.by)

    def _archive(self, identifier: str) -> None:
        """Move a memory's note to the archive, now that it says that the memory is out of use."""
        row = self._call.vault.baseline.memory(identifier)
        if row is not None:
            archive(self._call, load(self._call, row), by=self._row.by, via=self._row.via)

    def _purge(self, identifier: str) -> None:
        """Remove a memory's text everywhere, also from what is kept of this patch."""
        from vaultmem.services.purge import purge_now  # it reads all that this machine keeps

        purge_now(self._call, identifier)
        left = self._call.vault.patches.row(self._patch.id)
        bare = encode_patch(replace(self._patch, operations=()))
        self._progress.row = self._row._replace(
            note=left.note if left is not None else bare,
            opened=as_it_is(self._call, self._row.opened),
        )

    def _finish(self, case: Case, step: Step) -> None:
        """Sign that it is done, and take its candidate's note away."""
        operation = case.operation
        if not self._is_decided(operation):
            self._progress.tell(patch_ledger.APPLIED, operation)
        close_candidate(self._call, self._row, operation, step, fate_of(operation, None))
        if step.stage is not Stage.APPLIED or step.candidate:
            self._keep(operation.id, step._replace(stage=Stage.APPLIED))
        self._done.append(self._done_by(operation, step))

    def _done_by(self, operation: Operation, step: Step) -> Done:
        identifier = _new_id(operation) or operation.target
        row = self._call.vault.baseline.memory(identifier) if identifier else None
        path = row.path if row is not None else step.path or None
        if only_proposes(operation):
            path = step.path
        return Done(operation.id, operation.op.value, identifier, path)

    def _refuse(self, case: Case, refusal: Refusal, *, half_done: bool) -> None:
        operation = case.operation
        shown = case.difference() if refusal.code == "stale" else ""
        self._skipped.append(Skipped(operation.id, refusal.code, refusal.text, shown))
        if half_done and refusal.code in WAIT:
            raise _WaitsError
        if not refusal.final and not half_done and operation.id not in self._steps:
            self._open = self._open or refusal.code not in CLOSING
            return
        step = self._steps.get(operation.id) or self._first_step(case)
        step = step._replace(stage=Stage.REFUSED, why=refusal.code, text="")
        fate = fate_of(operation, refusal)
        if fate is not Fate.REJECTED:
            step = step._replace(candidate="")
        self._keep(operation.id, step)
        self._progress.tell(patch_ledger.REFUSED, operation, why=refusal.code)
        close_candidate(self._call, self._row, operation, step, fate)

    def _keep(self, identifier: str, step: Step) -> None:
        self._progress.keep({identifier: step})

    # the patch

    @property
    def _row(self) -> PatchRow:
        return self._progress.row

    @property
    def _steps(self) -> Mapping[str, Step]:
        return self._progress.steps

    def _close(self) -> Applied:
        """List the patch in the day's note, take its open note away, and be done."""
        applied = [name for name, step in self._steps.items() if step.stage is Stage.APPLIED]
        status = settle(self._patch, applied)
        self._progress.put(PatchStatus.APPLYING)
        list_decided(
            self._call,
            Decided(
                id=self._patch.id,
                status=status,
                at=self._call.local,
                by=self._row.by,
                operations=tuple(map(self._listed, self._patch.operations)),
            ),
            via=self._row.via,
        )
        row = self._row
        close_note(self._call, row.id, row.opened, by=row.by, via=row.via)
        self._progress.put(status)
        return self._answer(status)

    def _listed(self, operation: Operation) -> DecidedOperation:
        step = self._steps.get(operation.id)
        skipped = {one.id: one.code for one in self._skipped}
        result, why = Result.LEFT, ""
        if step is not None and step.stage is Stage.APPLIED:
            result = Result.APPLIED
        elif operation.id in skipped:
            result, why = Result.REFUSED, skipped[operation.id]
        return DecidedOperation.of(operation, result, why)


def new_row(
    call: Call, patch: Patch, *, by: str, via: str, ratified: bool, opened: str = ""
) -> PatchRow:
    """The row of a patch that is about to be applied; it is not in the table yet."""
    return PatchRow(
        id=patch.id,
        status=PatchStatus.APPLYING.value,
        at=call.seconds,
        by=by,
        via=via,
        ratified=int(ratified),
        note=encode_patch(replace(patch, status=PatchStatus.APPLYING)),
        opened=opened,
        steps=spelled_steps({}),
    )


def _home(case: Case) -> str:
    """Where the note lies that goes to the archive, so that a revert can put it back."""
    return case.target.row.path if case.operation.archive and case.target is not None else ""


def _new_id(operation: Operation) -> str | None:
    return operation.memory.id if operation.memory is not None else None


def _refusal_of(error: NoteError) -> Refusal:
    """What an editor or an unusual spelling did not let us write."""
    code = "unseen" if isinstance(error, NoteChangedError) else "note"
    place = f"{error.path}: " if error.path else ""
    return Refusal(code, f"{place}{error.problem}", error.remedy)
