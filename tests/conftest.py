"""What every test may rely on: a clean environment and no way out of the temporary folder."""

from __future__ import annotations

import gc
import os
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.world import World

# A slow machine is no fault: speed is measured in benchmarks.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# What lands passes the same examples at each run; `wide` looks for new ones (`just properties`).
settings.register_profile(
    "same", settings.get_profile("untimed"), derandomize=True, max_examples=50
)
settings.register_profile("wide", settings.get_profile("untimed"), max_examples=1_000)
settings.load_profile("same")

_MEMORY = Path("/dev/shm")
"""Where Linux keeps files in memory: a disk makes the suite wait for 40 fsyncs in each test."""
_ROOM = 4 << 30
_WHOLE = {
    Path(__file__).with_name(name)
    for name in ("acceptance", "benchmarks", "evals", "faults", "fuzz", "simulation")
}
"""Folders whose tests play what others test in parts: no line may count as tested by them alone,
and none by what a property happens to try."""

_CLEARED = ("AI_AGENT", "PI_CODING_AGENT")


def not_a_persons() -> list[str]:
    """The variables here that say that an agent runs us, or that are this machine's own settings."""
    return [
        name for name in os.environ if name in _CLEARED or name.startswith(("PI_", "VAULTMEM_"))
    ]


def _has_room(folder: Path) -> bool:
    """Whether there is a folder with room for the files of a run, in which programs may be run."""
    if not folder.is_dir():
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize > _ROOM and not found.f_flag & os.ST_NOEXEC


def pytest_configure() -> None:
    if "TMPDIR" not in os.environ and _has_room(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        is_property = is_hypothesis_test(getattr(item, "obj", None))
        if is_property or not _WHOLE.isdisjoint(item.path.parents):
            item.add_marker("no_cover")


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # twenty thousand tests live to the end; no collection need look at them again


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new folder each time, in one of their own: pytest looks at all it made to name the next."""
    homes = tmp_path_factory.mktemp("homes")
    return (homes / str(number) for number in count())


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, _homes: Iterator[Path]) -> None:
    for name in not_a_persons():
        monkeypatch.delenv(name)
    home = next(_homes)
    home.mkdir()
    monkeypatch.setenv("VAULTMEM_HOME", str(home))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A vault of its own, with one device."""
    from tests.world import World  # most tests need none

    made = World(tmp_path)
    yield made
    made.close()


@pytest.fixture
def known(world: World) -> str:
    """The id of a memory in force, `NOTE` of `tests.world`, without any force of its own."""
    from tests.world import NOTE, SAYS

    identifier = world.memory(NOTE, SAYS, category="lesson")
    world.here.sync()
    return identifier
