"""How much the fuzzers try, `--fuzz ci`, `minutes`, `hour` or `night`, and the table of what they did."""

from __future__ import annotations

import pytest

from tests.fuzz.effort import EFFORTS
from tests.fuzz.fuzzer import Run
from tests.no_disk import wait_for_no_disk

DEFAULT = "ci"
_RUN = pytest.StashKey[Run]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fuzz")
    group.addoption("--fuzz", choices=list(EFFORTS), default=DEFAULT, help="how much to try")
    group.addoption("--fuzz-seconds", type=float, default=None, help="that each one goes on")
    group.addoption("--fuzz-seed", type=int, default=None, help="try the same examples again")


def pytest_collection_finish(session: pytest.Session) -> None:
    """The fuzzers that were chosen share the time."""
    config = session.config
    chosen = [one for one in session.items if "fuzzing" in getattr(one, "fixturenames", ())]
    effort = EFFORTS[config.getoption("--fuzz", DEFAULT)]
    seconds = config.getoption("--fuzz-seconds", None)
    if seconds is None and effort.seconds is not None:
        seconds = effort.seconds / max(len(chosen), 1)
    seed = config.getoption("--fuzz-seed", None)
    config.stash[_RUN] = Run(seconds, effort.crashes, seed)


@pytest.fixture
def fuzzing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    """How much to try; no disk is waited for meanwhile."""
    wait_for_no_disk(monkeypatch)
    return request.config.stash[_RUN]


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    run = config.stash.get(_RUN, None)
    if run is None or not run.rows or run.seconds is None:
        return
    terminalreporter.section("fuzzers")
    terminalreporter.line(f"{'fuzzer':<72} {'examples':>9} {'seconds':>8} {'crashes':>8}")
    for row in run.rows:
        line = f"{row.name:<72} {row.examples:>9,} {row.seconds:>8.0f} {row.crashes:>8}"
        terminalreporter.line(line)
    total = sum(row.examples for row in run.rows), sum(row.crashes for row in run.rows)
    terminalreporter.line(f"{len(run.rows)} fuzzers, {total[0]:,} examples, {total[1]} crashes")
