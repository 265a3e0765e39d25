"""What stands beside a figure that has no reference of its own: what this machine does, and how fast."""

from __future__ import annotations

import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.benchmarks.figure import seconds

if TYPE_CHECKING:
    from tests.benchmarks.figure import Figure

ADDITIONS = "1,000,000 additions"
BARE = "python -c pass"
_ROUNDS = 5
_SECONDS = {"s": 1.0, "ms": 0.001}
_PEAK = "from tests.benchmarks.memory import peak_mb; print(peak_mb())"


def beside(figure: Figure) -> Figure:
    """The figure with its reference: a time with that of a loop, memory with that of a Python."""
    if figure.reference is not None:
        return figure
    if figure.unit in _SECONDS:
        plain = statistics.median(seconds(additions, _ROUNDS)) / _SECONDS[figure.unit]
        return figure._replace(reference=plain, of=ADDITIONS)
    if figure.unit == "MB":
        return figure._replace(reference=_bare_mb(), of=BARE)
    return figure


def additions() -> None:
    """What a loop of Python takes says how fast the machine is, and how busy."""
    total = 0
    for number in range(1_000_000):
        total += number


def _bare_mb() -> float:
    done = subprocess.run([sys.executable, "-c", _PEAK], check=True, capture_output=True, text=True)
    return float(done.stdout)
