"""In which lane an event is worked off, and how long its answer may take."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.hooks.payloads import CommandTyped, Decided, ToolAsked

if TYPE_CHECKING:
    from vaultmem.hooks.payloads import Payload


class Way(StrEnum):
    """In which lane an event is worked off."""

    EVENT = "event"
    """The agent waits, and nothing may go before."""
    WORK = "work"
    """A tool of ours or a command: it may take longer, beside the events."""


LIMITS = {Way.EVENT: 1.8, Way.WORK: 29.0}
"""Seconds until an answer; the extension waits 2 and 30 (facts, pi-client §3.4)."""
LONG_SECONDS = 300.0
"""For an answer that runs commands of the person's; each has a limit of its own."""


def way_of(payload: Payload) -> Way:
    """The lane of an event."""
    return Way.WORK if isinstance(payload, ToolAsked | CommandTyped | Decided) else Way.EVENT
