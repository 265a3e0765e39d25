"""How much is tried in each profile."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """Numbers of one profile.

    Attributes:
        parts: tests into which the plays in memory are split.
        plays: examples of the state machine in each part.
        plays_on_disk: examples with real fsync.
        steps: of one example, at most.
        every: of the steps of a killed verb, one in so many is tried.
        moments: how often a real process is killed at a random moment.
        patches: that each of the 8 processes applies.
        faults: moments of each verb at which the disk fails, the clock jumps or an editor saves.
        synced: plays of two devices and a sync program.
        lies: answers of a model that lies.
        dead: agents that die in the middle of a turn.
        notes: of a large vault.
        megabytes: of one large note.
    """

    parts: int
    plays: int
    plays_on_disk: int
    steps: int
    every: int
    moments: int
    patches: int
    faults: int
    synced: int
    lies: int
    dead: int
    notes: int
    megabytes: int


EFFORTS = {
    "sample": Effort(1, 30, 3, 12, 40, 3, 6, 1, 2, 25, 1, 300, 1),
    "ci": Effort(8, 110, 30, 14, 1, 30, 50, 1, 10, 15, 6, 1_000, 3),
    "long": Effort(16, 2_000, 400, 30, 1, 200, 50, 1_000, 1_000, 2_000, 60, 100_000, 50),
}
