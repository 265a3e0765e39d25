"""Which process is meant, whether it runs, and what a child does when its parent ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from vaultmem.store.process import (
    Process,
    ancestors,
    is_running,
    name_of,
    parent_process,
    place,
    this_process,
    watch_parent,
)

SLEEPS = [sys.executable, "-c", "import time; print('on', flush=True); time.sleep(60)"]


@pytest.fixture
def child():
    """A process that runs until the test ends."""
    process = subprocess.Popen(SLEEPS, stdout=subprocess.PIPE)
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def _seen(process):
    started = Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2].split()[19]
    return Process(process.pid, started)


def test_a_process_and_its_parent_run():
    assert this_process().pid == os.getpid()
    assert this_process().started
    assert is_running(this_process())
    assert is_running(parent_process())


def test_a_process_that_was_killed_does_not_run_whether_or_not_somebody_asked_for_its_end(child):
    known = _seen(child)
    assert is_running(known)
    child.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not is_running(known)
    child.wait()
    assert not is_running(known)
    assert not is_running(Process(child.pid))


def test_a_place_is_one_of_this_boot_and_namespace_and_a_child_is_there_too():
    code = "from vaultmem.store.process import place; print(place())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert place() == told.stdout.strip() != ""
    assert Path("/proc/sys/kernel/random/boot_id").read_text().strip() in place()


@pytest.mark.parametrize(
    ("system", "there"), [("darwin", f"darwin {os.uname().nodename}"), ("linux", "")]
)
def test_where_the_system_tells_no_boot_the_place_is_a_mac_or_unknown(monkeypatch, system, there):
    def missing(_: str) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(os, "readlink", missing)
    monkeypatch.setattr(sys, "platform", system)
    assert place() == there


def test_a_later_process_with_the_same_number_is_another_one(child):
    assert is_running(Process(child.pid)), "without its start it cannot be told"
    assert not is_running(Process(child.pid, "1"))


@pytest.mark.parametrize("pid", [0, -1, 2**40])
def test_what_is_no_number_of_a_process_does_not_run(pid):
    assert not is_running(Process(pid))


_PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]])
print(child.pid, flush=True)
sys.stdin.read()
"""
_CHILD = """
import os, sys, threading
from vaultmem.store.process import parent_process, watch_parent
done = threading.Event()
watch_parent(parent_process(), done.set, every=0.02)
print("watching", flush=True)
done.wait(60)
open(sys.argv[1] if sys.argv[1:] else os.environ["ENDED"], "w").close()
os._exit(0)
"""


def test_a_child_ends_when_its_parent_is_killed_and_nobody_is_left(tmp_path):
    ended = tmp_path / "ended"
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "ENDED": str(ended)},
    )
    number = int(parent.stdout.readline())
    assert parent.stdout.readline() == b"watching\n"
    child = Process(number)
    assert is_running(child)
    parent.kill()
    parent.wait()
    parent.stdin.close()
    _until(ended.exists)
    _until(lambda: not is_running(child))
    parent.stdout.close()


def test_a_watch_that_is_stopped_ends_nothing():
    called = []
    before = {*threading.enumerate()}
    stop = watch_parent(Process(2**30), lambda: called.append(1), every=60)
    (watch,) = {*threading.enumerate()} - before
    stop.set()
    watch.join(20)
    assert (watch.is_alive(), called) == (False, [])


def test_a_parent_that_is_gone_from_the_start_is_noticed():
    called = []
    watch_parent(Process(2**30), lambda: called.append(1), every=0.01)
    _until(lambda: called == [1])


def _until(holds):
    limit = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_the_processes_above_us_are_known_up_to_the_first():
    above = list(ancestors())
    assert above[0] == parent_process()
    assert this_process() not in above
    assert all(is_running(one) for one in above if one.pid)
    code = "from vaultmem.store.process import ancestors; print([p.pid for p in ancestors()])"
    shell = [
        sys.executable,
        "-c",
        f"import subprocess as s, sys; s.run([sys.executable, '-c', {code!r}])",
    ]
    told = subprocess.run(shell, capture_output=True, text=True, check=True).stdout
    assert f" {os.getpid()}, {above[0].pid}" in told, (
        "the child's child knows us, behind its parent"
    )


def test_a_process_is_named_by_its_program():
    process = subprocess.Popen(["sleep", "60"])
    _until(lambda: name_of(Process(process.pid)) == "sleep")
    process.kill()
    process.wait()
    assert name_of(Process(2**30)) == ""
