"""The code whose mutants must be killed, each part with the tests that concern it."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """A piece of behaviour, in one module or several.

    Attributes:
        sources: files and glob patterns of `vaultmem/`, seen from the repository.
        tests: files of tests.
    """

    sources: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = {
    "patch": Part(
        ("vaultmem/core/patch.py", "vaultmem/core/patch_*.py"),
        (
            "tests/core/test_patch.py",
            "tests/core/test_patch_check.py",
            "tests/core/test_patch_effect.py",
            "tests/core/test_patch_force.py",
            "tests/core/test_patch_rules.py",
            "tests/core/test_mechanical.py",
        ),
    ),
    "scoring": Part(("vaultmem/core/scoring.py",), ("tests/core/test_scoring.py",)),
    "guards": Part(
        ("vaultmem/core/guards.py", "vaultmem/core/grant.py", "vaultmem/core/task_scope.py"),
        (
            "tests/core/test_guards.py",
            "tests/core/test_grant.py",
            "tests/core/test_task_scope.py",
        ),
    ),
    "frontmatter": Part(
        ("vaultmem/notes/frontmatter/*.py",),
        (
            "tests/notes/test_frontmatter_cases.py",
            "tests/notes/test_frontmatter_create.py",
            "tests/notes/test_frontmatter_edits.py",
            "tests/notes/test_frontmatter_flat.py",
            "tests/notes/test_frontmatter_reading.py",
        ),
    ),
}
