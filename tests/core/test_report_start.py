"""A report without a prompt costs little to start: a fresh interpreter loads nothing heavy for it."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from vaultmem.core.context import Context
from vaultmem.core.report import build_report
from vaultmem.core.standing import STANDING_COLUMNS, Standing

numbers = {"confidence", "evidence_count", "pinned", "enforced", "force", "reinforced", "created",
           "review", "valid_from", "valid_to", "expires"}
row = {name: 1 if name in numbers else "" for name in STANDING_COLUMNS}
row |= {"id": "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "statement": "Use tabs.", "category": "lesson",
        "layer": "L2", "status": "active", "cue": "explicit", "valid_to": 0, "expires": 0}
assert "Use tabs." in build_report([Standing(**row)], Context(86_400.0)).text
print(*sorted(sys.modules))
"""

HEAVY = {
    "dataclasses", "inspect", "datetime", "json", "logging", "subprocess", "pathlib", "ruamel",
    "markdown_it", "rich", "filelock", "click", "numpy", "whoosh", "fastembed", "dulwich",
    "vaultmem.core.model", "vaultmem.core.words", "vaultmem.core.query_words",
    "vaultmem.core.query_signals",
}  # fmt: skip


def test_a_report_without_a_prompt_loads_nothing_heavy() -> None:
    # -S: the packages' own start-up hooks are not ours to judge.
    path = "import sys; sys.path[:0] = " + repr(sys.path) + PROGRAM
    done = subprocess.run(
        [sys.executable, "-S", "-c", path], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "vaultmem.core.report" in loaded
    assert loaded & HEAVY == set()
