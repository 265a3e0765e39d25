"""Lines for the person at the start of a session, in words that are safe to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.core.inert import clean

if TYPE_CHECKING:
    from vaultmem.services.curating.applied_alone import AppliedAlone
    from vaultmem.services.session_start import SessionStart

MOST_TOLD = 3
"""Changes that are told one by one; the rest is counted."""
WIDTH = 100
"""Quarters of a statement in a line."""


def notices_of(done: SessionStart) -> tuple[str, ...]:
    """What the person is told when a session starts."""
    lines = [_applied(one) for one in done.applied[:MOST_TOLD]]
    if more := len(done.applied) - len(lines):
        lines.append(f"{more} more changes were applied by themselves: `/memory patch list`.")
    if done.waiting:
        noun = "candidate waits" if done.waiting == 1 else "candidates wait"
        lines.append(f"{done.waiting} {noun} in the inbox: `/memory inbox`.")
    return tuple(lines)


def problem(message: str) -> tuple[str, ...]:
    """A sentence of an error as a notice."""
    return (f"vaultmem: {one_line(message)}",)


def one_line(text: str) -> str:
    """Any text as one line that shows nothing else."""
    return clean(text).text


def _applied(one: AppliedAlone) -> str:
    """What policy did, and how to take it back."""
    said = shorten(one_line(one.statement), WIDTH) or one.memory
    return (
        f"Applied by itself ({one.op.replace('_', ' ')}): {said} - take it back with "
        f"`/memory patch revert {one.patch}`."
    )
