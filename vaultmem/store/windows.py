"""When a tool of an agent could write: one small file per agent, in the state folder.

A window opens before a tool starts and closes after it ends. It belongs to the whole machine, not
to one vault: a tool can write into any. A file is only ever added to, by the agent's own helper
process, so that opening and closing costs one short write, waits for no lock, and what a killed
process left behind can be read. Lines are `+ <ns> <call>`, `- <ns> <call>` and `= <ns>`, which
closes all. A window ends with the agent that runs the tool, not with the helper that wrote it down.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import DiskFailedError, ReadOnlyError
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.disk import DISK
from vaultmem.store.failures import REFUSED
from vaultmem.store.private import FILE_MODE, private_folder
from vaultmem.store.process import Process, is_running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FOLDER = "windows"
MAX_BYTES = 65_536
"""From this size on a file becomes the older one of two; some 800 windows."""
KEEP_NS = 30 * 86_400 * 1_000_000_000
"""What an agent left that is gone for longer, thirty days, explains no change that is yet met."""
LONGEST_NS = 86_400 * 1_000_000_000
"""No tool runs longer than a day; a window that nobody closed is over then."""
LAG_NS = 20_000_000
"""A file's time comes from a clock that ticks every 1 to 10 ms, so it may lie before the window."""
COARSE_NS = 2_000_000_000
"""A file system that keeps whole seconds may cut off two (FAT), so such a time is that long."""
_OLDER = ".older"
_SECOND = 1_000_000_000


class Window(NamedTuple):
    """A time in which a tool could write."""

    opened_ns: int
    closed_ns: int
    """0 while it is open."""


class Windows:
    """What is known of the windows at one moment."""

    def __init__(self, windows: Iterable[Window] = ()) -> None:
        """Order them, so that a moment is looked up in no time."""
        known = sorted(windows)
        self.is_open = _any_open(known)
        """Whether a tool may be writing now."""
        self._last = max((one.closed_ns for one in known), default=-1)
        self._starts: list[int] = []
        self._ends: list[int] = []
        for opened, closed in known:
            start, end = opened - LAG_NS, closed or _FOR_EVER
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def hold(self, *moments_ns: int) -> bool:
        """Whether a file with one of these times may have been written in a window."""
        return any(self._holds(moment) for moment in moments_ns)

    def any_since(self, moment_ns: int) -> bool:
        """Whether a window was open at that moment or at any later one."""
        return self.is_open or self._last >= moment_ns

    def _holds(self, moment: int) -> bool:
        last = moment if moment % _SECOND else moment + COARSE_NS
        at = bisect_right(self._starts, last) - 1
        return at >= 0 and self._ends[at] >= moment


_FOR_EVER = 1 << 63


def open_window(state: Path, owner: Process, call: str, *, at_ns: int) -> None:
    """Record that a tool which can write is about to start.

    Args:
        state: this machine's state folder, of all vaults.
        owner: the agent's process.
        call: the id of the tool call, in any form.
        at_ns: the moment, as file systems keep it.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if it cannot be recorded.
    """
    _append(state, owner, f"+ {at_ns} {_key(call)}")


def close_window(state: Path, owner: Process, call: str, *, at_ns: int) -> None:
    """Record that the tool ended; the arguments and errors of `open_window`."""
    _append(state, owner, f"- {at_ns} {_key(call)}")


def close_all(state: Path, owner: Process, *, at_ns: int) -> None:
    """Record that no tool of the agent runs; nothing is written where none was open.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: as `open_window`.
    """
    if _any_open(_windows(state, _name(owner), at_ns)):
        _append(state, owner, f"= {at_ns}")


def opened_at(state: Path, owner: Process, call: str) -> int:
    """When the window of a call was opened that is open still, in nanoseconds; 0 for none."""
    key, opened = _key(call), 0
    for sign, moment, name in _lines(state, _name(owner)):
        if sign == "+" and name == key:
            opened = opened or moment
        elif sign == "=" or name == key:
            opened = 0
    return opened


def read_windows(state: Path, *, at_ns: int) -> Windows:
    """Every window of this machine's agents; those of an agent that is gone end now."""
    found: list[Window] = []
    for name in _names(state):
        windows = _windows(state, name, at_ns)
        if _any_open(windows) and not is_running(_owner(name)):
            end = _now(at_ns)
            windows = [one._replace(closed_ns=one.closed_ns or end) for one in windows]
        found += windows
    return Windows(found)


def is_run_by_tool(state: Path, runs_us: Iterable[Process], *, at_ns: int) -> bool:
    """Whether a tool runs now of one of the agents among the processes that started us.

    A command that a tool runs is the agent's, whatever its environment says. One that goes on when
    its tool and the shell around it have ended has no agent above it any more.

    Args:
        state: this machine's state folder, of all vaults.
        runs_us: our ancestors, or those of them that count.
        at_ns: the moment.
    """
    if not _names(state):
        return False
    return any(_any_open(_windows(state, _name(owner), at_ns)) for owner in runs_us)


def tidy_windows(state: Path, *, at_ns: int) -> None:
    """Close the windows of agents that are gone, for good, and forget what is too old to matter."""
    for name in _names(state):
        if is_running(_owner(name)):
            continue
        with suppress(OSError, ReadOnlyError, DiskFailedError):
            if _any_open(_windows(state, name, at_ns)):
                _append(state, _owner(name), f"= {_now(at_ns)}")
            elif at_ns - (state / FOLDER / name).stat().st_mtime_ns > KEEP_NS:
                DISK.unlink(state / FOLDER / f"{name}{_OLDER}")
                DISK.unlink(state / FOLDER / name)


def _now(at_ns: int) -> int:
    """The moment at which an agent was found to be gone.

    A command that waited for the lock believes that it is earlier, and the agent may have written
    since; so the clock is asked by which files get their times.
    """
    return max(at_ns, time.time_ns())


def _any_open(windows: Iterable[Window]) -> bool:
    return any(not one.closed_ns for one in windows)


def _windows(state: Path, name: str, at_ns: int) -> list[Window]:
    """The windows of one agent, as they were written down."""
    found: list[Window] = []
    running: dict[str, int] = {}
    for sign, moment, call in _lines(state, name):
        if sign == "+":
            running.setdefault(call, moment)
        elif sign == "-" and call in running:
            found.append(Window(running.pop(call), moment))
        elif sign == "=":
            found += (Window(opened, moment) for opened in running.values())
            running.clear()
    for opened in running.values():
        over = at_ns - opened > LONGEST_NS
        found.append(Window(opened, opened + LONGEST_NS if over else 0))
    return found


def _lines(state: Path, name: str) -> Iterator[tuple[str, int, str]]:
    """The whole lines of an agent's two files; what was cut short is left out."""
    for ending in (_OLDER, ""):
        data = read_bounded(state / FOLDER / f"{name}{ending}", limit=4 * MAX_BYTES, follow=False)
        if isinstance(data, Unread):
            continue
        for line in data.decode("ascii", "replace").splitlines():
            sign, _, rest = line.partition(" ")
            moment, _, call = rest.partition(" ")
            if moment.isdecimal() and len(moment) <= _DIGITS and (sign == "=") != bool(call):
                yield sign, int(moment), call


_DIGITS = 19
"""Of nanoseconds since 1970 until the year 2286."""


def _names(state: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(state / FOLDER) if not name.endswith(_OLDER))  # noqa: PTH208
    except OSError:
        return []


def _name(owner: Process) -> str:
    return f"{owner.pid}-{owner.started}"


def _owner(name: str) -> Process:
    pid, _, started = name.partition("-")
    return Process(int(pid) if pid.isdecimal() else 0, started)


def _key(call: str) -> str:
    """A call's id as one word: anything can be the id of a call."""
    from hashlib import blake2b  # every command looks for windows, few open one

    return blake2b(call.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _append(state: Path, owner: Process, line: str) -> None:
    """Add a line; what a process that died left behind ends before it."""
    path = state / FOLDER / _name(owner)
    try:
        descriptor = _open(path)
        try:
            full = os.fstat(descriptor).st_size > MAX_BYTES
            DISK.write(descriptor, f"\n{line}\n".encode())
        finally:
            os.close(descriptor)
        if full:
            DISK.replace(path, path.with_name(f"{path.name}{_OLDER}"))
    except OSError as error:
        kind = ReadOnlyError if error.errno in REFUSED else DiskFailedError
        raise kind(
            f"{path} cannot be written ({error.strerror}), so what a tool changes now may count as "
            "the person's. Check the disk and the permissions of its folder."
        ) from error


def _open(path: Path) -> int:
    try:
        return DISK.open_append(path)
    except FileNotFoundError:
        private_folder(path.parent)
        with suppress(FileExistsError):  # another process was first
            os.close(DISK.open_new(path, FILE_MODE))
        return DISK.open_append(path)
