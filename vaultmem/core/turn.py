"""Whether a decision that stands in a note is followed now, by this device, or later, or never."""

from __future__ import annotations

from enum import StrEnum

LATE_SECONDS = 600
"""How long another device's ledger may take to explain a change (docs/adr/0003)."""


class Turn(StrEnum):
    """What is done with a decision."""

    NOBODYS = "nobodys"
    """No person made it, so it counts for nothing."""
    WAITS = "waits"
    """It is the person's, and another command or another device follows it."""
    OURS = "ours"
    """It is the person's, and is followed now."""


def turn_of(*, persons: bool, agent: bool, elsewhere: bool, age: float) -> Turn:
    """What is done with a decision that was found in a note.

    Args:
        persons: the note's present bytes are the person's.
        agent: an agent's command found it; that follows nothing.
        elsewhere: another device made the note and acts first, so that not two do. It may know as
            well that the note's bytes are an agent's, and needs time to say so.
        age: seconds since the note changed.
    """
    if not persons:
        return Turn.NOBODYS
    if agent or (elsewhere and age < LATE_SECONDS):
        return Turn.WAITS
    return Turn.OURS
