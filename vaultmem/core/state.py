"""Where a memory is, and what the present bytes of a note are, as a machine remembers them."""

from __future__ import annotations

from enum import StrEnum


class MemoryState(StrEnum):
    """Where a memory is."""

    LIVE = "live"
    """In force, by its last good version."""
    MISSING = "missing"
    """Its note vanished; it may come back for seven days."""
    GONE = "gone"
    """Deleted for good."""


class NoteState(StrEnum):
    """What the present bytes of a note are."""

    PLAIN = ""
    """Nothing special: no memory's, or not read yet."""
    LIVE = "live"
    """The version of its memory that is in force."""
    WAITING = "waiting"
    """It lacks an id or what follows from an edit, or holds a decision that is followed later."""
    EXTERNAL = "external"
    """It holds, or misses, what an agent did to it."""
    HELD = "held"
    """The person's, and what it says keeps it out of force until they say so."""
    LATE = "late"
    """A deleted memory's that nobody brought back; out of force until the person says so."""
    BROKEN = "broken"
    """It cannot be read; its memory's last good version stays in force."""
    COPY = "copy"
    """It has another note's id."""


HELD_BACK = frozenset((NoteState.EXTERNAL, NoteState.HELD, NoteState.LATE))
"""States of a note whose present version is not in force until a person says so."""

NOT_IN_FORCE = HELD_BACK | {NoteState.BROKEN, NoteState.COPY}
"""States of a note that does not say what is in force, so that the machine leaves it as it is."""
