"""One writer at a time: among processes, among threads, and again for who holds it already."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from vaultmem.errors import BusyError, ReadOnlyError
from vaultmem.store.lock import VaultLock

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from vaultmem.store.lock import VaultLock
with VaultLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def _holder(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_waited_for_and_then_named_busy(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with _holder(path) as process:
        with pytest.raises(BusyError) as caught, VaultLock(path, timeout=0.05):
            pytest.fail("two held it")
        assert str(caught.value) == (
            f"Another vaultmem is writing to this vault (lock {path}, waited 0.05 s). "
            "Try again when it is done."
        )
        assert process.stdin is not None
        process.stdin.close()
        with VaultLock(path, timeout=30) as lock:
            assert lock.held


def test_a_process_that_is_killed_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with _holder(path) as process:
        process.kill()
        with VaultLock(path, timeout=30) as lock:
            assert lock.held


def test_who_holds_it_may_take_it_again(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = VaultLock(path, timeout=0.05)
    with lock, lock, VaultLock(path, timeout=0.05):
        assert lock.held
    assert not lock.held
    with _holder(path) as process:  # it was really given back
        process.kill()


def test_the_same_file_by_another_path_is_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    other = VaultLock(tmp_path / "link" / "lock", timeout=0.05)
    with VaultLock(tmp_path / "real" / "lock"), other:
        assert other.held


def test_another_thread_waits(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    order: list[str] = []
    refused: list[BusyError] = []

    def impatient() -> None:
        try:
            with VaultLock(path, timeout=0.01):
                order.append("impatient")
        except BusyError as error:
            refused.append(error)

    def patient() -> None:
        with VaultLock(path, timeout=30):
            order.append("patient")

    with VaultLock(path):
        first = threading.Thread(target=impatient)
        first.start()
        first.join()
        second = threading.Thread(target=patient)
        second.start()
        order.append("holder")
    second.join()
    assert order == ["holder", "patient"]
    assert len(refused) == 1


def test_no_update_of_many_threads_is_lost(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count() -> None:
        for _ in range(50):
            with VaultLock(tmp_path / "lock", timeout=60):
                counter.write_text(str(int(counter.read_text()) + 1))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "200"


FORK = """
import os, sys
from pathlib import Path
from vaultmem.errors import BusyError
from vaultmem.store.lock import VaultLock
path = Path(sys.argv[1])
for _ in range(2):  # a child that gives up must not free its parent's lock
    with VaultLock(path) as lock:
        child = os.fork()
        if child == 0:
            try:
                VaultLock(path, timeout=0.05).__enter__()
            except BusyError:
                os._exit(0 if not lock.held else 2)
            os._exit(1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_does_not_hold_what_its_parent_holds(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORK, str(tmp_path / "lock")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["0", "0"]


def test_an_error_inside_gives_it_back(tmp_path: Path) -> None:
    lock = VaultLock(tmp_path / "lock")
    with pytest.raises(ZeroDivisionError), lock:
        1 / 0  # noqa: B018
    assert not lock.held


def test_a_lock_that_cannot_be_made_says_where(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.mkdir()
    with pytest.raises(ReadOnlyError, match="permissions"), VaultLock(path):
        pytest.fail("a folder is no lock")
    assert not VaultLock(path).held
    path.rmdir()
    taken: list[bool] = []

    def take() -> None:
        with VaultLock(path, timeout=0.05) as lock:
            taken.append(lock.held)

    other = threading.Thread(target=take)  # the failed attempt kept nothing from others
    other.start()
    other.join()
    assert taken == [True]


def test_the_lock_file_is_private(tmp_path: Path) -> None:
    with VaultLock(tmp_path / "lock"):
        assert (tmp_path / "lock").stat().st_mode & 0o077 == 0
