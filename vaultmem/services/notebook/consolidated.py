"""What became of a consolidation, for whoever asked for it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.llm.model import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.finding import Finding


REWRITING = "Rewriting the notebook"
"""What a person who waits is told meanwhile."""


class Outcome(StrEnum):
    """What became of a consolidation."""

    DONE = "done"
    NOTHING = "nothing"
    """Nothing had changed, or nothing was worth a change; a success without a new version."""
    PLANNED = "planned"
    COOLDOWN = "cooldown"
    RUNNING = "running"
    WAITING = "waiting"
    """It failed less than an hour ago, or too often."""
    OUTDATED = "outdated"
    """The input or the notebook changed meanwhile; it can begin again at once."""
    LOST = "lost"
    """Another worker took the job over."""
    BLOCKED = "blocked"
    """A file in the vault holds a change that is not published."""
    STOPPED = "stopped"
    FAILED = "failed"
    NOT_THIS_DEVICE = "not_this_device"
    OFF = "off"
    """Nothing may be sent: remembering is switched off, or the notebook is on nowhere."""


class Work(NamedTuple):
    """What would be sent to the model."""

    system: str
    prompt: str
    files: Mapping[str, bytes]
    """The worker's folder; it reads what it wants of it."""


class Consolidated(NamedTuple):
    """What a consolidation did.

    Attributes:
        outcome: in one word.
        commit: the version in force afterwards, where one was looked for.
        dropped_lines: what the worker wrote without a source, and was left out.
        usage: of the model.
        findings: what was met on the way.
        message: why it did not come to a version, one sentence; "" where it did.
        task: what would be sent, only if asked for and if anything is due.
        skills: names of those that the version has anew, or otherwise than before.
    """

    outcome: Outcome
    commit: str | None = None
    dropped_lines: tuple[str, ...] = ()
    usage: Usage = Usage()
    findings: tuple[Finding, ...] = ()
    message: str = ""
    task: Work | None = None
    skills: tuple[str, ...] = ()
