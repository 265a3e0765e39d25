"""One measured figure with its reference and goal, and the table of all."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path


class Figure(NamedTuple):
    """A figure; `value` and `reference` have the same unit."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    """What `value` may be at most; with `faster`, what the ratio must be at least."""
    reference: float | None = None
    of: str = ""
    """What the reference is."""
    faster: bool = False
    least: float | None = None
    """What `value` must be at least, where more is better."""

    @property
    def ratio(self) -> float | None:
        """The value in units of its reference."""
        return self.value / self.reference if self.reference else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        if self.least is not None:
            return self.value >= self.least
        if self.goal is None:
            return None
        if self.faster:
            return (self.ratio or 0) >= self.goal
        return self.value <= self.goal


HEADERS = ("figure", "measured", "reference", "ratio", "goal", "met")
_WORDS = {True: "yes", False: "NO", None: ""}


def goal_at(memories: int, goals: Mapping[int, float]) -> float | None:
    """The goal of the smallest size that has as many memories; None beyond, where none was set."""
    return next((goals[most] for most in sorted(goals) if memories <= most), None)


def row(figure: Figure) -> tuple[str, ...]:
    """The cells of one line, as `HEADERS`."""
    goal = "" if figure.least is None else f">= {_number(figure.least)}"
    if figure.goal is not None:
        goal = f">= {figure.goal:g} x" if figure.faster else f"<= {_number(figure.goal)}"
        if figure.reference and not figure.faster:
            goal += f" ({figure.goal / figure.reference:.1f} x)"
    reference = f"{_number(figure.reference)} {figure.of}" if figure.reference else ""
    ratio = f"{figure.ratio:.2f}" if figure.ratio is not None else ""
    measured = f"{_number(figure.value)} {figure.unit}".rstrip()
    return (figure.name, measured, reference, ratio, goal, _WORDS[figure.met])


def table(figures: Iterable[Figure]) -> str:
    """All figures as lines of text."""
    rows = [HEADERS, *map(row, figures)]
    widths = [max(len(cells[at]) for cells in rows) for at in range(len(HEADERS))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in rows
    ]
    return "\n".join((lines[0], "-" * max(map(len, lines)), *lines[1:]))


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def seconds(action: Callable[[], object], rounds: int) -> list[float]:
    """How long each of so many rounds took."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return taken


def milliseconds(action: Callable[[], object], rounds: int = 9) -> float:
    """The median of so many rounds, after one that does not count."""
    action()
    return 1000 * statistics.median(seconds(action, rounds))


class Process(NamedTuple):
    """What a fresh process took, in seconds."""

    wall: float
    cpu: float


def process(command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> Process:
    """Run a process to its end; it must succeed."""
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, env=env, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Process(wall, cpu)


def processes(
    command: Sequence[str], *, env: Mapping[str, str], cwd: Path, rounds: int = 9
) -> Process:
    """The medians of several runs, after one that does not count."""
    return median([process(command, env=env, cwd=cwd) for _ in range(rounds + 1)][1:])


def beside_bare(
    command: Sequence[str], *, env: Mapping[str, str], cwd: Path, rounds: int = 15
) -> tuple[Process, Process]:
    """The medians of a command and of `python -c pass`, run in turn: both meet the same load."""
    bare = [sys.executable, "-c", "pass"]
    taken = [
        (process(command, env=env, cwd=cwd), process(bare, env=env, cwd=cwd))
        for _ in range(rounds + 1)
    ][1:]
    return median([one for one, _ in taken]), median([other for _, other in taken])


def median(taken: Sequence[Process]) -> Process:
    """The median of the wall times and that of the CPU times."""
    return Process(
        statistics.median(one.wall for one in taken), statistics.median(one.cpu for one in taken)
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so large a share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
