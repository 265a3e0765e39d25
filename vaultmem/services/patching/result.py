"""What becomes of a patch: the operations that were applied, and those that were not, with why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.core.patch_status import PatchStatus


class Done(NamedTuple):
    """An operation that was applied; `memory` and `path` are those of the note that it concerns."""

    id: str
    op: str
    memory: str | None = None
    path: str | None = None


class Skipped(NamedTuple):
    """An operation that was not applied.

    Attributes:
        code: one word for scripts: stale, status, tombstoned, altered and the like.
        reason: what is wrong and what to do next, for a person or a model.
        difference: what changed since it was proposed, as a unified diff; "" where nothing did.
    """

    id: str
    code: str
    reason: str
    difference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of a patch.

    Attributes:
        status: PROPOSED where nothing was done and it stays open, APPLYING where it waits.
        skipped: selected operations that were not applied; what was not selected is in neither.
    """

    id: str
    status: PatchStatus
    applied: tuple[Done, ...] = ()
    skipped: tuple[Skipped, ...] = ()
