"""A terminal with a small vault, and one with the example vault, for the tests of commands."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, copy_example, small_vault


@pytest.fixture
def terminal(tmp_path) -> Terminal:
    """In a small vault that was synced once."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("--vault", ".", "trust", ".")
    made.ok("sync")
    return made


@pytest.fixture(scope="module")
def example(tmp_path_factory) -> Terminal:
    """In a copy of the example vault whose memories are ratified; tests only read it."""
    folder = tmp_path_factory.mktemp("example")
    made = Terminal(copy_example(folder / "tide-notes"), folder / "home")
    made.ok("trust", ".")
    made.ok("sync")
    made.ok("ratify", "--review", "--yes")
    made.ok("search", "migration")  # or the first test that searches makes the index
    return made
