"""The worker's extension by itself: strict types against the installed Pi, and its own tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.pi.driver import SECONDS
from vaultmem.llm.pi_worker import FENCE

if TYPE_CHECKING:
    from tests.pi.installed import Installed

HERE = Path(__file__).parent
PI = "@earendil-works/pi-coding-agent"


def test_the_fence_has_strict_types_against_the_installed_pi(
    installed: Installed, tmp_path: Path
) -> None:
    source = FENCE.read_text(encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "fence.ts").write_text(source)
    wrong = source.replace("event.toolName", "event.callName", 1)  # so that the types are seen
    (tmp_path / "wrong.ts").write_text(wrong)
    config = json.loads((HERE.parent / "pi/npm/tsconfig.json").read_text())
    config["compilerOptions"] |= {
        "paths": {PI: [str(installed.modules / PI / "dist/index.d.ts")]},
        "typeRoots": [str(installed.modules / "@types")],
    }
    files = (tmp_path / "fence.ts", tmp_path / "wrong.ts", HERE / "fence.test.mts")
    config["files"] = [str(one) for one in files]
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    said = _run(installed, str(installed.compiler), "-p", str(tmp_path))
    assert said.count("error TS") == 1, said
    assert "wrong.ts" in said
    assert "Property 'callName' does not exist" in said


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
