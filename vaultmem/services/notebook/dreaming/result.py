"""How a dream ended, and what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.llm.model import Usage

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.dream_proposals import DreamProposal
    from vaultmem.llm.model import Ask


class DreamOutcome(StrEnum):
    """How a dream ended."""

    DONE = "done"
    NOTHING = "nothing"
    """There was nothing to do or to propose."""
    WAITING = "waiting"
    """An earlier dream's patch waits for the person, so that nothing more is proposed."""
    WITHOUT_MODEL = "without_model"
    """The steps that need no model were done."""
    COOLDOWN = "cooldown"
    RUNNING = "running"
    RETRY = "retry"
    """It failed less than an hour ago, or three times."""
    OFF = "off"
    """Remembering is off, the notebook is on nowhere, or this device lacks the vault's key."""
    STOPPED = "stopped"
    """The caller ended it, or it lost its claim; what it had not done is done by the next one."""
    PLANNED = "planned"
    """A dry run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dreamed:
    """What a dream did.

    Attributes:
        outcome: how it ended.
        reviewed: candidates that the model sorted.
        durable: those of them that last, by id; their notes say so.
        patch: the id of the patch that it made, None for none.
        path: its note.
        proposals: what the patch proposes.
        waiting: the id of an earlier dream's patch that waits for the person.
        merged: memories whose session was filled in from their evidence.
        promoted: promotions that it proposed, and guardrails that policy made.
        usage: tokens and cost.
        findings: what kept it from doing more.
        asks: what a dry run would send.
    """

    outcome: DreamOutcome
    reviewed: int = 0
    durable: tuple[str, ...] = ()
    patch: str | None = None
    path: str | None = None
    proposals: tuple[DreamProposal, ...] = ()
    waiting: str | None = None
    merged: int = 0
    promoted: int = 0
    usage: Usage = field(default_factory=Usage)
    findings: tuple[Finding, ...] = ()
    asks: tuple[Ask, ...] = ()
