"""Where a bug leaves its trace: a log file in the state folder, for `doctor` and a report."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime

from vaultmem.config import home_dirs, read_environment


def write_crash_log() -> str:
    """Write the exception being handled to `crash.log` (0600, newest last) and say where."""
    text = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}\n{traceback.format_exc()}\n"
    try:
        log = home_dirs(read_environment()).crash_log
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        log.touch(mode=0o600)
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return f"The trace:\n{text}"
    return f"The trace is in {log}."
