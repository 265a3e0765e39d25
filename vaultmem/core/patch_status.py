"""Where a patch is in its life, and which status may follow which; cheap to import."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class PatchStatus(StrEnum):
    """Where a patch is in its life."""

    PROPOSED = "proposed"
    APPLYING = "applying"
    APPLIED = "applied"
    PARTIALLY_APPLIED = "partially_applied"
    REJECTED = "rejected"
    REVERTING = "reverting"
    REVERTED = "reverted"


MOVES: Mapping[PatchStatus, frozenset[PatchStatus]] = {
    PatchStatus.PROPOSED: frozenset({PatchStatus.APPLYING, PatchStatus.REJECTED}),
    # a run that was cut short goes on where it stopped
    PatchStatus.APPLYING: frozenset(
        {PatchStatus.APPLYING, PatchStatus.APPLIED, PatchStatus.PARTIALLY_APPLIED}
    ),
    PatchStatus.APPLIED: frozenset({PatchStatus.REVERTING}),
    PatchStatus.PARTIALLY_APPLIED: frozenset({PatchStatus.REVERTING}),
    PatchStatus.REJECTED: frozenset(),
    PatchStatus.REVERTING: frozenset({PatchStatus.REVERTING, PatchStatus.REVERTED}),
    PatchStatus.REVERTED: frozenset(),
}
"""From each status to those that may follow."""
