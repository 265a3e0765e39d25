"""How much the tests under faults try: `--faults sample`, `ci` or `long`."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.faults.effort import EFFORTS, Effort
from vaultmem.store.disk import DISK

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT = "sample"
EXPLORES = "long"
"""The profile in which each run tries other plays."""
MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("faults")
    group.addoption("--faults", choices=list(EFFORTS), default=DEFAULT, help="how much to try")
    group.addoption("--faults-seed", type=int, default=None, help="try the same plays again")


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
    monkeypatch.setattr(DISK, "fsync", lambda _: None)
    monkeypatch.setattr(DISK, "sync_folder", lambda _: None)
    monkeypatch.setattr(DISK, "sync_system", lambda _: None)
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-faults-", dir=MEMORY) as folder:
        yield Path(folder)
