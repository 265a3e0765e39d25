"""Where a bug leaves its trace, said to the person who met it."""

from __future__ import annotations

from vaultmem.config import home_dirs, read_environment
from vaultmem.store.crash_log import log_crash


def write_crash_log() -> str:
    """Write the exception being handled to `crash.log`, and say where, or what it is."""
    log = home_dirs(read_environment()).crash_log
    text = log_crash(log)
    return f"The trace:\n{text}" if text else f"The trace is in {log}."
