"""How much the tests under faults try: `--faults sample`, `ci` or `long`."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest

from tests.faults.effort import EFFORTS, Effort
from tests.faults.tally import Tally, Trials
from tests.no_disk import IN_MEMORY, wait_for_no_disk

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT = "sample"
EXPLORES = "long"
"""The profile in which each run tries other plays."""
THINNED = 7
"""Of the tests of a scene, one in so many is run without a profile."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("faults")
    group.addoption("--faults", choices=list(EFFORTS), default=DEFAULT, help="how much to try")
    group.addoption("--faults-seed", type=int, default=None, help="try the same plays again")


TALLY = Tally()
"""What this process heard of its own tests, and of those of the processes that it started."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fault(name): what goes wrong, of tests.faults.catalogue")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a profile one scene in so many is tried in each manner; `ci` tries all of them."""
    if config.getoption("--faults", DEFAULT) != DEFAULT:
        return
    out = [one for one in items if _is_of_a_scene(one) and crc32(one.nodeid.encode()) % THINNED]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [one for one in items if one not in set(out)]


def _is_of_a_scene(item: pytest.Item) -> bool:
    parameters = getattr(item, "callspec", None)
    ours = item.path.parent == Path(__file__).parent and item.path.name != "test_kill.py"
    return ours and parameters is not None and "scene" in parameters.params


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    TALLY.hear(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Fault, invariants, trials and failures, where the campaign alone is run."""
    if terminalreporter.config.getoption("--faults", DEFAULT) != DEFAULT:
        terminalreporter.section("faults")
        for line in TALLY.lines():
            terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def trials(request: pytest.FixtureRequest) -> Trials | None:
    """Counts the trials of a test under a fault."""
    marker = request.node.get_closest_marker("fault")
    return Trials(request.node, marker.args[0]) if marker else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A play is split into parts, so that several processes share them."""
    effort = EFFORTS[metafunc.config.getoption("--faults", DEFAULT)]
    if "part" in metafunc.fixturenames:
        metafunc.parametrize("part", range(effort.parts))


@pytest.fixture
def effort(request: pytest.FixtureRequest) -> Effort:
    """How much to try."""
    return EFFORTS[request.config.getoption("--faults", DEFAULT)]


@pytest.fixture
def play_seed(request: pytest.FixtureRequest) -> Iterator[int]:
    """The plays of a change that is to land are always the same; `long` looks for new ones."""
    given = request.config.getoption("--faults-seed", None)
    explores = request.config.getoption("--faults", DEFAULT) == EXPLORES
    drawn = random.SystemRandom().randrange(2**32) if explores else 1
    seed = drawn if given is None else given
    print(f"again: pytest {request.node.nodeid} --faults-seed {seed}")
    return seed


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one, and files that no disk waits for."""
    wait_for_no_disk(monkeypatch)
    if IN_MEMORY is None:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-faults-", dir=IN_MEMORY) as folder:
        yield Path(folder)
