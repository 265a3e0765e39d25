"""The extensions by themselves: strict types against the installed Pi, and its own tests under Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pi.driver import SECONDS
from vaultmem.core.citation import parse
from vaultmem.llm.pi_worker import FENCE

if TYPE_CHECKING:
    from tests.pi.installed import Installed

HERE = Path(__file__).parent
EXTENSION = HERE.parents[1] / "templates/pi/extensions/vaultmem.ts"
EXAMPLES = HERE.parent / "hooks/examples"
PI = "@earendil-works/pi-coding-agent"


def test_our_extensions_have_strict_types_against_the_installed_pi(
    installed: Installed, tmp_path: Path
):
    """Both in one go, since the compiler reads all of Pi's types each time."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    fence = tmp_path / "fence.ts"
    shutil.copy(FENCE, fence)
    wrong = {  # so that it is seen that the types are those of Pi
        "wrong.mts": (EXTENSION, "event.toolCallId", "event.callId"),
        "wrong_fence.ts": (FENCE, "event.toolName", "event.callName"),
    }
    for name, (source, right, other) in wrong.items():
        (tmp_path / name).write_text(source.read_text().replace(right, other, 1))
    config = json.loads((HERE / "npm/tsconfig.json").read_text())
    config["compilerOptions"] |= {
        "paths": {PI: [str(installed.modules / PI / "dist/index.d.ts")]},
        "typeRoots": [str(installed.modules / "@types")],
    }
    ours = (EXTENSION, *(HERE / "shim").glob("*.mts"), fence, HERE.parent / "llm/fence.test.mts")
    config["files"] = [str(place) for place in (*ours, *map(tmp_path.joinpath, wrong))]
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    said = _run(installed, str(installed.compiler), "-p", str(tmp_path))
    assert said.count("error TS") == 2, said
    for name, (_, _, other) in wrong.items():
        (error,) = [line for line in said.splitlines() if f"/{name}(" in line]
        assert f"Property '{other.partition('.')[2]}' does not exist" in error


def test_the_extension_passes_its_own_tests(installed: Installed):
    said = _run(
        installed,
        "--no-warnings",
        "--test",
        "--test-reporter=tap",
        str(HERE / "shim/shim.test.mts"),
    )
    assert "\n# fail 0\n" in said, said[-8000:]
    assert "\n# skipped 0\n" in said


@pytest.mark.parametrize(
    "case",
    json.loads((EXAMPLES / "citations.json").read_text())["cases"],
    ids=lambda case: case["about"],
)
def test_python_takes_citations_out_as_the_examples_say(case: dict[str, str]):
    assert parse(case["text"]).text == case["without"]


def _run(installed: Installed, *arguments: str) -> str:
    done = subprocess.run(
        [str(installed.node), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * SECONDS,
    )
    return done.stdout + done.stderr
