"""Where a bug leaves its trace: a log file in the state folder, for `doctor` and a report."""

from __future__ import annotations

import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000
"""From this size on the log begins anew: a bug in every event must not fill the disk."""


def log_crash(log: Path) -> str:
    """Write the exception being handled to `log` (0600, newest last); the text where it failed.

    Returns:
        "" where it was written, else the trace.
    """
    text = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}\n{traceback.format_exc()}\n"
    try:
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if log.exists() and log.stat().st_size > MAX_BYTES:
            log.unlink()
        log.touch(mode=0o600)
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return text
    return ""
