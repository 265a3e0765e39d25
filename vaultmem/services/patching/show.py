"""What a patch says, for a person or a script: one that waits, or one that this machine decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import acts_sentence
from vaultmem.core.ids import is_end_of
from vaultmem.core.operation import spelled
from vaultmem.core.patch_rules import Applier, purges
from vaultmem.errors import NoteNotFoundError
from vaultmem.services.patches import find_patch, open_patches, summary
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.case import look
from vaultmem.services.patching.ticks import foreign_ticks

if TYPE_CHECKING:
    from datetime import datetime

    from vaultmem.core.operation import Json, Operation
    from vaultmem.core.patch import Patch
    from vaultmem.core.patch_status import PatchStatus
    from vaultmem.services.call import Call
    from vaultmem.services.patches import OpenPatch
    from vaultmem.store.patches import PatchRow, Step

_FORCE = ("layer", "pinned", "rule", "trigger", "action", "verifier")
"""Fields by which a memory acts."""


class Listed(NamedTuple):
    """One line of the list of patches; `path` is None where a patch has no note any more."""

    id: str
    status: PatchStatus
    path: str | None
    operations: int
    summary: str
    created: datetime | None


class Change(NamedTuple):
    """A property that an operation sets, as notes spell it; `before` is None for one that is new.

    Of exceptions and contexts `after` is what is added.
    """

    field: str
    before: Json
    after: Json

    @property
    def sentence(self) -> str:
        """`category: preference → lesson`."""
        after = _words(self.after)
        return (
            f"{self.field}: {after if self.before is None else f'{_words(self.before)} → {after}'}"
        )


class ShownOperation(NamedTuple):
    """One operation.

    Attributes:
        selected: whether `patch apply` would apply it, or whether it was chosen.
        statement: the new one, else the target's, else that of the candidate while it waits.
        result: "" while it waits, else begun, applied, refused, reverted.
        refusal: why it could not be applied now, or was not; "" where nothing is in the way.
        code: one word for the refusal.
        difference: what changed since it was proposed, as a unified diff.
        purges: whether it removes a memory's text for good.
        acts: how the memory would act, in a sentence, or what it would be given to act by; "" for
            what only informs.
        before: what the target says instead of a new statement; "" for none.
        changes: the other values that it sets.
    """

    id: str
    op: str
    target: str | None
    memory: str | None
    candidate: str | None
    risk: str
    selected: bool
    statement: str
    reason: str
    result: str = ""
    code: str = ""
    refusal: str = ""
    difference: str = ""
    purges: bool = False
    acts: str = ""
    before: str = ""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One patch; `altered` are the ids of operations that are there and may not be applied."""

    id: str
    status: PatchStatus
    path: str | None
    created: datetime | None
    device: str | None
    operations: tuple[ShownOperation, ...]
    altered: tuple[str, ...] = ()


def listed(call: Call, *, decided: bool = False) -> list[Listed]:
    """The patches that wait, the oldest first; then, if `decided`, those of this machine."""
    found = [_line(one.patch, one.path) for one in open_patches(call)]
    if decided:
        known = {one.id for one in found}
        rows = (row for row in call.vault.patches.rows() if row.id not in known)
        found += [_line(row.patch(), None) for row in rows]
    return found


def show(call: Call, name: str) -> Shown:
    """One patch: that waits, or that this machine decided.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: as `find_patch`.
    """
    wanted = name.strip()
    try:
        return _open(call, find_patch(call, wanted))
    except NoteNotFoundError:
        rows = call.vault.patches.rows()
        found = next((one for one in rows if is_end_of(wanted, one.id)), None)
        if found is None:
            raise
        return _decided(found)


def _line(patch: Patch, path: str | None) -> Listed:
    return Listed(
        patch.id, patch.status, path, len(patch.operations), summary(patch), patch.created
    )


def _open(call: Call, opened: OpenPatch) -> Shown:
    patch = opened.patch
    foreign = foreign_ticks(call, patch.id)
    decided = patch_ledger.said(call, patch.id).decided
    strange: frozenset[str] = frozenset()
    if call.vault.key is not None:
        strange = patch_ledger.unvouched(call, patch, patch.operations)
    shown = []
    for one in patch.operations:
        case = look(call, one, applier=Applier.PERSON, ratified=False, decided=one.id in decided)
        refusal = case.refusal()
        about = case.memory or (case.candidate.memory if case.candidate is not None else None)
        statement = about.statement if about is not None else ""
        shown.append(
            _operation(one, statement)._replace(
                selected=one.selected and one.id not in foreign | strange,
                code=refusal.code if refusal else "",
                refusal=refusal.text if refusal else "",
                difference=case.difference() if refusal and refusal.code == "stale" else "",
            )
        )
    return Shown(
        id=patch.id,
        status=patch.status,
        path=opened.path,
        created=patch.created,
        device=patch.device,
        operations=tuple(shown),
        altered=tuple(sorted({*opened.decoded.altered, *strange})),
    )


def _decided(row: PatchRow) -> Shown:
    patch, steps = row.patch(), row.progress()
    return Shown(
        id=row.id,
        status=patch.status,
        path=None,
        created=patch.created,
        device=patch.device,
        operations=tuple(_with_step(one, steps.get(one.id)) for one in patch.operations),
    )


def _with_step(operation: Operation, step: Step | None) -> ShownOperation:
    shown = _operation(operation, str(operation.before.get("statement") or ""))
    if step is None:
        return shown
    return shown._replace(result=step.stage.value, code=step.why)


def _operation(operation: Operation, target: str) -> ShownOperation:
    new = operation.memory.statement if operation.memory is not None else ""
    new = new or str(operation.changes.get("statement") or "")
    return ShownOperation(
        id=operation.id,
        op=operation.op.value,
        target=operation.target,
        memory=operation.memory.id if operation.memory is not None else None,
        candidate=operation.candidate,
        risk=operation.risk.value,
        selected=operation.selected,
        statement=new or target,
        reason=operation.reason,
        purges=purges(operation),
        acts=_acts(operation),
        before=target if operation.target and new and target != new else "",
        changes=tuple(
            Change(name, spelled(operation.before.get(name)), spelled(value))
            for name, value in operation.changes.items()
            if name != "statement"
        ),
    )


def _words(value: Json) -> str:
    match value:
        case list():
            return ", ".join(value) or "none"
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
    return str(value)


def _acts(operation: Operation) -> str:
    if operation.memory is not None:
        return acts_sentence(operation.memory)
    given = [f"{key}: {operation.changes[key]}" for key in _FORCE if key in operation.changes]
    return f"It sets {', '.join(given)}." if given else ""
