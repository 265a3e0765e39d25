"""Nothing waits for a disk: files in memory where the system has room for them, and no fsync."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.store.disk import DISK

if TYPE_CHECKING:
    import pytest

_SHM = Path("/dev/shm")
IN_MEMORY = _SHM if _SHM.is_dir() else None
"""Where Linux keeps files in memory, as `dir` of `tempfile`; None elsewhere."""


def wait_for_no_disk(patched: pytest.MonkeyPatch) -> None:
    """Let nothing be made durable as long as the patch holds."""
    for step in ("fsync", "sync_folder", "sync_system"):
        patched.setattr(DISK, step, lambda _: None)
