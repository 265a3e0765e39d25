"""Processes of this machine: which one is meant, whether it runs, and when our parent ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from signal import Signals
    from subprocess import Popen

CHECK_SECONDS = 0.5
"""How often `watch_parent` looks."""

MOST_ANCESTORS = 64
"""Processes above ours that are looked at."""

_CHUNK = 8_192
"""Bytes of a pipe that are read at once, at most."""
_PARENT = 1
_STARTED = 19
"""Places of parent and start time in /proc/PID/stat behind the name (proc_pid_stat(5))."""
_ENDED = ("Z", "X")
"""States of a process that ended and that nobody asked about yet."""


class Process(NamedTuple):
    """A process, told from a later one with the same number."""

    pid: int
    started: str = ""
    """When it was started, in the system's own count; empty where the system does not say."""


def end_group(process: Popen[bytes], *, grace: float = 0.0) -> None:
    """End a process that began a session of its own, and all that it started and left running.

    Args:
        process: the one that began the session.
        grace: seconds in which it may end by itself once it is told to; 0 tells it nothing.
    """
    import signal  # few processes end another
    from subprocess import TimeoutExpired  # it is loaded: there is a process

    if grace:
        _tell_group(process, signal.SIGTERM)
        with suppress(TimeoutExpired):
            process.wait(grace)
    _tell_group(process, signal.SIGKILL if hasattr(os, "killpg") else signal.SIGTERM)
    process.wait()


def _tell_group(process: Popen[bytes], signal: Signals) -> None:
    with suppress(OSError):  # it ended meanwhile
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal)
        else:
            process.send_signal(signal)


def keep_end(pipe: IO[bytes] | None, kept: bytearray, most: int) -> None:
    """Read what a process prints until it ends, and keep at most so many bytes of its end."""
    while pipe is not None and (part := pipe.read1(_CHUNK)):  # type: ignore[attr-defined]
        kept += part
        del kept[:-most]


def this_process() -> Process:
    """The process that we are."""
    return process_of(os.getpid())


def parent_process() -> Process:
    """The process that started us; the system's first one (pid 1) if that is gone already."""
    return process_of(os.getppid())


def ancestors() -> Iterator[Process]:
    """The processes that started us, the nearest first, as far up as the system tells."""
    pid = os.getppid()
    for _ in range(MOST_ANCESTORS):
        if pid <= 0:
            return
        fields = _fields(pid)
        yield Process(pid, fields[_STARTED] if fields else "")
        parent = fields[_PARENT] if fields else ""
        pid = int(parent) if parent.isdecimal() else 0


def is_running(process: Process) -> bool:
    """Whether the process runs; not one that got its number later, where that can be told."""
    state, started = _stat(process.pid)
    if state:
        return state not in _ENDED and (not process.started or started == process.started)
    return not process.started and _answers(process.pid)


def watch_parent(
    parent: Process, on_end: Callable[[], None], *, every: float = CHECK_SECONDS
) -> Event:
    """Call `on_end` once, in a thread of its own, when the parent has ended.

    Args:
        parent: what `parent_process` said at the very start.
        on_end: ends this process, or tells it to; not called once the returned event is set.
        every: seconds between two looks.

    Returns:
        An event that ends the watch when it is set.
    """
    stop = Event()

    def look() -> None:
        while not stop.wait(every):
            if os.getppid() != parent.pid or not is_running(parent):
                on_end()
                return

    Thread(target=look, name="parent", daemon=True).start()
    return stop


def place() -> str:
    """Where process numbers mean the same processes: this boot, and these namespaces of Linux.

    On macOS, which has one count for all, the machine by its name: a state folder may lie on a
    disk that several share. Empty where the system does not say.
    """
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:  # noqa: PTH123  (as below)
            boot = file.read(64).strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115  (as below)
    except OSError:
        return f"darwin {os.uname().nodename}" if sys.platform == "darwin" else ""


def process_of(pid: int) -> Process:
    """The process that has that number now."""
    return Process(pid, _stat(pid)[1])


def name_of(process: Process) -> str:
    """The name of a process's program, cut as the system keeps it; "" where it does not say."""
    try:
        with open(f"/proc/{process.pid}/comm", encoding="utf-8", errors="replace") as file:  # noqa: PTH123  (as below)
            return file.read(64).strip()
    except OSError:
        return ""


def _stat(pid: int) -> tuple[str, str]:
    """State and start of a process; both empty where that cannot be read."""
    fields = _fields(pid)
    return (fields[0], fields[_STARTED]) if fields else ("", "")


def _fields(pid: int) -> list[str]:
    """What the system says of a process, behind its name; empty where that cannot be read."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123  (several times a command)
            fields = file.read(4096).rpartition(b") ")[2].decode("ascii", "replace").split()
    except OSError:
        return []
    return fields if len(fields) > _STARTED else []


def _answers(pid: int) -> bool:
    """Whether there is a process of that number."""
    if sys.platform == "win32" or pid <= 0:  # there, asking would end it
        return sys.platform == "win32"
    try:
        with suppress(PermissionError):  # another user's
            os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    return True
