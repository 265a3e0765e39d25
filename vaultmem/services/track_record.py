"""What came of a memory: how often it was told, used, confirmed, corrected; and the advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.reinforcement import Advice, Outcome, recommend, summarize
from vaultmem.services.maintaining.history import told
from vaultmem.services.outcomes import outcomes_of
from vaultmem.services.telemetry import Usage, usage_of

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call


class TrackRecord(NamedTuple):
    """What came of a memory.

    Attributes:
        usage: on this machine, in the prompts that it still knows of.
        confirmed, succeeded, corrected: outcomes on all devices, in sessions or a person's words.
        score: what they add up to.
        advice: what to do about it, for what happened since maintenance last proposed something.
    """

    usage: Usage
    confirmed: int
    succeeded: int
    corrected: int
    score: float
    advice: tuple[Advice, ...]


def track_record(call: Call, memory: Memory) -> TrackRecord:
    """What came of a memory so far; the baseline is up to date."""
    every = outcomes_of(call, memory.id)
    acted = max((one.at for one in told(call, memory.id).values()), default=None)
    since = every if acted is None else outcomes_of(call, memory.id, since=acted)
    return TrackRecord(
        usage=usage_of(call, memory.id),
        confirmed=every.count(Outcome.REINFORCED),
        succeeded=every.count(Outcome.SUCCESS),
        corrected=every.count(Outcome.CORRECTED),
        score=summarize(every).score,
        advice=recommend(memory, summarize(since), call.local.date()),
    )
