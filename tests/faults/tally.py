"""Counts the trials of every fault, over all processes of a run, and prints them as a table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.faults.catalogue import FAULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

TRIALS = "trials"
"""What a test's report calls the number of its trials."""
FAULT = "fault"
"""What it calls the fault's name."""


class Trials:
    """The trials of one test so far; its report carries them to the process that prints."""

    def __init__(self, item: pytest.Item, name: str) -> None:
        self._item, self._name = item, name
        self.count = 0
        self._tell()

    def add(self, count: int = 1) -> None:
        """So many more were made."""
        self.count += count
        self._tell()

    def _tell(self) -> None:
        self._item.user_properties[:] = [(FAULT, self._name), (TRIALS, self.count)]


class Tally:
    """What all tests reported."""

    def __init__(self) -> None:
        self.trials: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def hear(self, report: pytest.TestReport) -> None:
        """Count a report of a test; one that counted nothing was one trial."""
        told = dict(report.user_properties)
        name = told.get(FAULT)
        if name is None:
            return
        if report.when == "call":
            self.trials[str(name)] += int(told[TRIALS]) or 1
        self.failures[str(name)] += report.failed

    def lines(self) -> Iterator[str]:
        """The table: fault, invariants, trials, failures; only what was tried."""
        rows = [
            (one.what, ", ".join(map(str, one.invariants)), self.trials[name], self.failures[name])
            for name, one in FAULTS.items()
            if self.trials[name] or self.failures[name]
        ]
        if not rows:
            return
        yield f"{'fault':<52} {'invariants (DESIGN §12)':<26} {'trials':>8} {'failures':>8}"
        for what, invariants, trials, failures in rows:
            yield f"{what:<52} {invariants:<26} {trials:>8,} {failures:>8,}"
        total, failed = self.trials.total(), self.failures.total()
        yield f"{'all':<52} {'':<26} {total:>8,} {failed:>8,}"
