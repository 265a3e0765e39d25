"""The processes that a Pi of a test started, found by its own home folder."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def serving(home: Path) -> list[psutil.Process]:
    """Every `serve` and `hook` whose home folder it is."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if "vaultmem.hooks" in process.cmdline() and (
                process.environ().get("VAULTMEM_HOME") == str(home)
            ):
                found.append(process)
    return found


def eventually(holds: Callable[[], object], seconds: float = 60.0) -> bool:
    """Whether something becomes true before it is too late."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
