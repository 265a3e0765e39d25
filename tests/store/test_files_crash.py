"""A process that is killed between any two system calls loses nothing and leaves nothing torn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.crash_driver import KEY, NEW, NOTE, OLD, OTHER, RUN, append
from tests.store.faults import FILE_SYSTEMS
from vaultmem.store.files import clean_temporaries, is_temporary
from vaultmem.store.ledger import FOLDER, read_ledger

REPOSITORY = Path(__file__).parents[2]


def _killed(operation: str, file_system: str, folder: Path) -> list[Path]:
    """The vaults after a kill before each call; the last one was not killed."""
    command = [sys.executable, "-m", "tests.store.crash_driver", operation, file_system]
    done = subprocess.run(
        [*command, str(folder)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    vaults = [folder / line for line in done.stdout.split()]
    assert len(vaults) > 3
    return vaults


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _numbers(vault: Path) -> list[object]:
    found = []
    for path in (vault / "Memory" / FOLDER).glob("*.md"):
        lines, _ = read_ledger(path.read_bytes(), KEY, path=path.name)
        assert all(line.signed for line in lines)
        found += [line.values["n"] for line in lines]
    return found


def _temporaries(vault: Path) -> list[Path]:
    return [path for path in vault.rglob(".*") if is_temporary(path.name)]


def _check_replace(vault: Path) -> bool:
    assert _bytes(vault / NOTE) in (OLD, NEW)
    return _bytes(vault / NOTE) == NEW


def _check_create(vault: Path) -> bool:
    assert _bytes(vault / NOTE) in (None, b"", NEW)  # empty: a placeholder, where nothing else is
    return _bytes(vault / NOTE) == NEW


def _check_remove(vault: Path) -> bool:
    assert _bytes(vault / NOTE) in (None, OLD)
    return not (vault / NOTE).exists()


def _check_move(vault: Path) -> bool:
    state = (_bytes(vault / NOTE), _bytes(vault / OTHER))
    assert state in ((OLD, None), (OLD, b""), (None, OLD))
    return state == (None, OLD)


def _check_append(vault: Path) -> bool:
    numbers = _numbers(vault)
    assert numbers[:3] == [1, 1, 1]
    assert numbers[3:] == [2] * (len(numbers) - 3)
    return len(numbers) == 6


def _check_first_append(vault: Path) -> bool:
    assert _numbers(vault) in ([], [2, 2, 2])
    return _numbers(vault) == [2, 2, 2]


def _check_private(vault: Path) -> bool:
    assert _bytes(vault / "binding.json") in (OLD, NEW)
    return _bytes(vault / "binding.json") == NEW


CHECK = {
    "replace": _check_replace,
    "create": _check_create,
    "remove": _check_remove,
    "move": _check_move,
    "append": _check_append,
    "first_append": _check_first_append,
    "private": _check_private,
}


@pytest.mark.parametrize("file_system", FILE_SYSTEMS)
@pytest.mark.parametrize("operation", RUN)
def test_a_kill_leaves_the_old_or_the_new_state(
    operation: str, file_system: str, tmp_path: Path
) -> None:
    vaults = _killed(operation, file_system, tmp_path)
    outcomes = [CHECK[operation](vault) for vault in vaults]
    assert outcomes == sorted(outcomes), "once done, it stays done"
    assert outcomes[0] is False
    assert outcomes[-1] is True
    for vault, outcome in zip(vaults, outcomes, strict=True):
        cleaned = clean_temporaries(vault, older_than_seconds=60, now=4e9)
        assert cleaned.findings == ()
        assert _temporaries(vault) == []
        assert CHECK[operation](vault) is outcome, "cleaning up changes no note"
    assert clean_temporaries(vaults[-1], older_than_seconds=60, now=4e9).removed == ()


@pytest.mark.parametrize("operation", ["append", "first_append"])
def test_a_ledger_is_whole_again_after_the_next_append(operation: str, tmp_path: Path) -> None:
    for vault in _killed(operation, "exchange", tmp_path):
        before = _numbers(vault)
        append(vault, 3)
        assert _numbers(vault) == [*before, 3, 3, 3]
