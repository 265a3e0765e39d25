"""The worker's extension by itself passes its own tests; `tests/pi/test_shim.py` checks its types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.pi.driver import SECONDS

if TYPE_CHECKING:
    from tests.pi.installed import Installed

HERE = Path(__file__).parent


def test_the_fence_passes_its_own_tests(installed: Installed) -> None:
    said = _run(
        installed,
        "--no-warnings",
        "--test",
        "--test-reporter=tap",
        str(HERE / "fence.test.mts"),
    )
    assert "\n# fail 0\n" in said, said[-8000:]
    assert "\n# skipped 0\n" in said


def _run(installed: Installed, *arguments: str) -> str:
    done = subprocess.run(
        [str(installed.node), *arguments],
        env={**os.environ, "FENCE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return done.stdout + done.stderr
