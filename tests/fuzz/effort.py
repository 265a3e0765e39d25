"""How much the fuzzers try in each profile."""

from __future__ import annotations

from typing import NamedTuple


class Effort(NamedTuple):
    """Numbers of one profile.

    Attributes:
        seconds: that all fuzzers of a run share; None where the numbers of their examples bound
            them, which are then always the same.
        crashes: different ones of one fuzzer, after which it stops.
    """

    seconds: float | None
    crashes: int


EFFORTS = {
    "ci": Effort(None, 1),
    "minutes": Effort(600, 5),
    "hour": Effort(3_600, 10),
    "night": Effort(8 * 3_600, 20),
}
ROUND = 100
"""Examples of one round, of a fuzzer that goes on for a time."""
