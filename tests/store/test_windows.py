"""When a tool of an agent could write: what is recorded, and what a crash leaves of it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.fakes import fake
from vaultmem.errors import DiskFailedError, ReadOnlyError, UnsafePathError
from vaultmem.store.disk import DISK
from vaultmem.store.process import Process, this_process
from vaultmem.store.windows import (
    COARSE_NS,
    FOLDER,
    KEEP_NS,
    LAG_NS,
    LONGEST_NS,
    MAX_BYTES,
    Window,
    Windows,
    close_all,
    close_window,
    open_window,
    opened_at,
    read_windows,
    tidy_windows,
)

SECOND = 1_000_000_000
NOW = 1_795_979_174 * SECOND + 123_456_789
US = this_process()
GONE = Process(2**30, "77")


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


def _file(state, owner=US):
    return state / FOLDER / f"{owner.pid}-{owner.started}"


def test_a_window_is_open_from_its_tool_to_its_end(state):
    assert not read_windows(state, at_ns=NOW).is_open
    open_window(state, US, "call_1", at_ns=NOW)
    assert read_windows(state, at_ns=NOW + SECOND).is_open
    close_window(state, US, "call_1", at_ns=NOW + 2 * SECOND)
    seen = read_windows(state, at_ns=NOW + 9 * SECOND)
    assert not seen.is_open
    assert seen.hold(NOW + SECOND)
    assert seen.hold(5, NOW + SECOND), "one of its times is enough"
    assert not seen.hold(NOW + 3 * SECOND)
    assert not seen.hold()


def test_the_moment_of_a_call_is_known_while_its_window_is_open(state):
    assert opened_at(state, US, "call_1") == 0
    open_window(state, US, "call_1", at_ns=NOW)
    open_window(state, US, "call_1", at_ns=NOW + 1)
    open_window(state, US, "call_2", at_ns=NOW + 2)
    close_window(state, US, "call_2", at_ns=NOW + 3)
    assert opened_at(state, US, "call_1") == NOW
    assert opened_at(state, US, "call_2") == 0
    assert opened_at(state, GONE, "call_1") == 0
    close_all(state, US, at_ns=NOW + SECOND)
    assert opened_at(state, US, "call_1") == 0


def test_tools_that_run_side_by_side_close_one_by_one(state):
    open_window(state, US, "a", at_ns=NOW)
    open_window(state, US, "b", at_ns=NOW + 1)
    close_window(state, US, "b", at_ns=NOW + 2)
    assert read_windows(state, at_ns=NOW + 3).is_open
    close_window(state, US, "a", at_ns=NOW + 4)
    close_window(state, US, "a", at_ns=NOW + 5 * SECOND)
    seen = read_windows(state, at_ns=NOW + 9 * SECOND)
    assert not seen.is_open
    assert not seen.hold(NOW + 5 * SECOND), "what is closed is not closed again"


def test_all_of_an_agents_windows_close_at_once_and_only_its_own(state):
    other = Process(os.getppid())
    close_all(state, US, at_ns=NOW)
    assert not (state / FOLDER).exists(), "nothing is written where none was open"
    for owner in (US, other):
        open_window(state, owner, "a", at_ns=NOW)
    open_window(state, US, "b", at_ns=NOW)
    close_all(state, US, at_ns=NOW + 1)
    size = _file(state).stat().st_size
    close_all(state, US, at_ns=NOW + 2)
    assert _file(state).stat().st_size == size
    assert read_windows(state, at_ns=NOW + 3).is_open
    close_all(state, other, at_ns=NOW + 4)
    assert not read_windows(state, at_ns=NOW + 5).is_open


def test_a_window_ends_with_its_agent_whoever_wrote_it_down(state):
    now = time.time_ns()
    open_window(state, GONE, "a", at_ns=now - SECOND)
    seen = read_windows(state, at_ns=now + SECOND)
    assert not seen.is_open
    assert seen.hold(now)
    tidy_windows(state, at_ns=now + 20 * SECOND)
    later = read_windows(state, at_ns=now + 90 * SECOND)
    assert later.hold(now + 19 * SECOND)
    assert not later.hold(now + 23 * SECOND), "it was closed for good when that was noticed"


@pytest.mark.parametrize("tidied", [False, True])
def test_a_command_that_waited_ends_no_window_in_the_past(state, tidied):
    """It began before the agent did what it did, and notices afterwards that the agent is gone."""
    began = time.time_ns()
    open_window(state, GONE, "a", at_ns=began)
    written = time.time_ns() + 1
    while time.time_ns() <= written:
        pass
    if tidied:
        tidy_windows(state, at_ns=began)
    assert read_windows(state, at_ns=began).hold(written)


def test_a_window_of_an_agent_that_runs_survives_its_helper(state):
    code = (
        "import sys; from pathlib import Path; from vaultmem.store.process import Process;"
        "from vaultmem.store.windows import open_window;"
        "open_window(Path(sys.argv[1]), Process(int(sys.argv[2]), sys.argv[3]), 'a', at_ns=int(sys.argv[4]))"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(state), str(US.pid), US.started, str(NOW)], check=True
    )
    tidy_windows(state, at_ns=NOW + SECOND)
    assert read_windows(state, at_ns=NOW + 2 * SECOND).is_open


def test_no_tool_runs_longer_than_a_day(state):
    open_window(state, US, "a", at_ns=NOW)
    assert read_windows(state, at_ns=NOW + LONGEST_NS).is_open
    seen = read_windows(state, at_ns=NOW + LONGEST_NS + 1)
    assert not seen.is_open
    assert seen.hold(NOW + LONGEST_NS)
    assert not seen.hold(NOW + LONGEST_NS + 2 * SECOND)


def test_what_an_agent_left_is_forgotten_after_thirty_days(state):
    open_window(state, GONE, "a", at_ns=NOW)
    close_window(state, GONE, "a", at_ns=NOW + 1)
    os.utime(_file(state, GONE), ns=(NOW, NOW))
    tidy_windows(state, at_ns=NOW + KEEP_NS)
    assert read_windows(state, at_ns=NOW).hold(NOW)
    tidy_windows(state, at_ns=NOW + KEEP_NS + 2)
    assert not _file(state, GONE).exists()


def test_a_file_of_an_agent_that_runs_is_left_alone(state):
    open_window(state, US, "a", at_ns=NOW)
    os.utime(_file(state), ns=(1, 1))
    tidy_windows(state, at_ns=NOW)
    assert read_windows(state, at_ns=NOW).is_open


@pytest.mark.parametrize(
    ("opened", "closed", "moment", "held"),
    [
        (NOW, NOW + 1, NOW - 10_000_000, True),  # a tick of the kernel's clock (HZ=100)
        (NOW, NOW + 1, NOW - LAG_NS, True),
        (NOW, NOW + 1, NOW - LAG_NS - 1, False),
        (NOW, 0, NOW + 10**18, True),
        (NOW, NOW + SECOND, NOW + SECOND, True),
        (NOW, NOW + SECOND, NOW + SECOND + 1, False),
        # a time in whole seconds may have lost up to two of them
        (NOW, NOW + SECOND, NOW - NOW % SECOND, True),
        (NOW, NOW + SECOND, NOW - NOW % SECOND - 2 * SECOND, False),
        (NOW + LAG_NS, NOW + SECOND, NOW - NOW % SECOND + SECOND - COARSE_NS, True),
    ],
)
def test_a_files_time_is_compared_as_exactly_as_it_is_kept(opened, closed, moment, held):
    assert Windows([Window(opened, closed)]).hold(moment) is held


def test_a_file_that_is_written_at_once_lies_in_its_window(tmp_path):
    for number in range(100):
        opened = time.time_ns()
        file = tmp_path / str(number)
        file.write_text("x")
        found = file.stat()
        window = Window(opened, time.time_ns())
        assert Windows([window]).hold(found.st_ctime_ns), opened - found.st_ctime_ns
        assert Windows([window]).hold(found.st_mtime_ns)


@pytest.mark.parametrize(
    ("windows", "since", "any_"),
    [
        ([], 0, False),
        ([Window(5, 9)], 0, True),
        ([Window(5, 9)], 9, True),
        ([Window(5, 9)], 10, False),
        ([Window(5, 0)], 10, True),
        ([Window(1, 20), Window(5, 9)], 10, True),
    ],
)
def test_whether_any_was_open_since_a_moment(windows, since, any_):
    assert Windows(windows).any_since(since) is any_


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(1, 99)), max_size=8), st.integers(0, 250))
def test_a_moment_is_held_exactly_if_some_window_holds_it(pairs, moment):
    scale = 100_000_000 + 1  # so that no time is one in whole seconds, and the lag is small
    windows = [Window(1 + at * scale, 1 + (at + length) * scale) for at, length in pairs]
    at = 1 + moment * scale
    expected = any(one.opened_ns - LAG_NS <= at <= one.closed_ns for one in windows)
    assert Windows(windows).hold(at) is expected


def test_lines_that_were_cut_short_or_forged_say_nothing_and_hide_nothing(state):
    open_window(state, US, "a", at_ns=NOW)
    with _file(state).open("ab") as file:
        file.write(b"+ 12\n- \xff x\n= 1 2\n+ 99999999999999999999 x\n? 1 2\n= \n- 1795")
    assert read_windows(state, at_ns=NOW).is_open
    close_window(state, US, "a", at_ns=NOW + 1)
    assert not read_windows(state, at_ns=NOW).is_open


def test_a_file_that_nobody_of_ours_named_is_nobodys_window(state):
    open_window(state, US, "a", at_ns=NOW)
    (state / FOLDER / "x").write_bytes(_file(state).read_bytes())
    close_all(state, US, at_ns=NOW + 1)
    assert not read_windows(state, at_ns=NOW + 2).is_open


def test_many_windows_take_little_room_and_the_newest_are_kept(state):
    for number in range(4_000):
        open_window(state, US, f"call {number}", at_ns=NOW + number * SECOND)
        close_window(state, US, f"call {number}", at_ns=NOW + number * SECOND + 1)
    assert sum(one.stat().st_size for one in (state / FOLDER).iterdir()) <= 2 * MAX_BYTES + 200
    seen = read_windows(state, at_ns=NOW + 4_000 * SECOND)
    assert not seen.is_open
    assert all(seen.hold(NOW + number * SECOND) for number in range(3_200, 4_000))


def test_folder_and_file_are_the_users_alone_and_name_no_call(state):
    secret = f"call {fake(30)}"
    open_window(state, US, secret, at_ns=NOW)
    assert stat.S_IMODE((state / FOLDER).stat().st_mode) == 0o700
    assert stat.S_IMODE(_file(state).stat().st_mode) == 0o600
    assert secret.encode() not in _file(state).read_bytes()


def test_any_text_is_the_id_of_a_call(state):
    for call in ("", "a\nb", "\ud800", "x" * 10_000):
        open_window(state, US, call, at_ns=NOW)
        assert read_windows(state, at_ns=NOW).is_open
        close_window(state, US, call, at_ns=NOW + 1)
        assert not read_windows(state, at_ns=NOW + 1).is_open


def test_several_processes_write_at_once_and_lose_nothing(state):
    code = (
        "import sys; from pathlib import Path; from vaultmem.store.process import Process;"
        "from vaultmem.store.windows import open_window, close_window\n"
        "state, owner, base = Path(sys.argv[1]), Process(int(sys.argv[2]), sys.argv[3]), int(sys.argv[4])\n"
        "for n in range(100):\n"
        "    open_window(state, owner, f'{base} {n}', at_ns=base + n * 10**9)\n"
        "    close_window(state, owner, f'{base} {n}', at_ns=base + n * 10**9 + 1)\n"
    )

    def run(number):
        argv = [str(state), str(US.pid), US.started, str(NOW + number * 1_000 * SECOND)]
        subprocess.run([sys.executable, "-c", code, *argv], check=True)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(run, range(5)))
    seen = read_windows(state, at_ns=NOW + 9_000 * SECOND)
    assert not seen.is_open
    missing = [
        (number, n)
        for number in range(5)
        for n in range(100)
        if not seen.hold(NOW + (number * 1_000 + n) * SECOND)
    ]
    assert missing == []


def test_what_cannot_be_recorded_is_said_with_what_it_means(state, monkeypatch):
    open_window(state, US, "a", at_ns=NOW)

    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DISK, "write", full)
    with pytest.raises(DiskFailedError, match="may count as the person's"):
        open_window(state, US, "b", at_ns=NOW)


def test_a_folder_that_may_not_be_written_is_an_error_with_a_remedy(state, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(DISK, "open_append", refused)
    with pytest.raises(ReadOnlyError, match="permissions"):
        open_window(state, US, "a", at_ns=NOW)


def test_a_link_in_the_place_of_the_folder_is_not_followed(state, tmp_path):
    state.mkdir(mode=0o700)
    (state / FOLDER).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        open_window(state, US, "a", at_ns=NOW)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_cannot_be_tidied_stops_nothing(state, monkeypatch):
    open_window(state, GONE, "a", at_ns=NOW)

    def refused(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(DISK, "open_append", refused)
    tidy_windows(state, at_ns=NOW)
    assert read_windows(state, at_ns=NOW).hold(NOW)
