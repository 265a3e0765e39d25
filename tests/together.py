"""Processes that begin at the same moment.

Each calls `wait_for_the_others` once it is set up, and prints what it met.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).parents[1]
"""Where they are started, so that they can import the tests."""


def run_together(commands: Iterable[Sequence[str]]) -> tuple[list[str], float]:
    """What each printed, and the seconds from the start to the last one's end."""
    processes = [
        subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for command in commands
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    start = time.perf_counter()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate()[0] for process in processes]
    seconds = time.perf_counter() - start
    assert [process.returncode for process in processes] == [0] * len(processes)
    return told, seconds


def wait_for_the_others() -> None:
    """Say that this process is ready, and return once it may begin."""
    print("ready", flush=True)
    sys.stdin.readline()
