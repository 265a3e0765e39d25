"""A path that the system cannot look up is named, whatever the command wanted with it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "command",
    [
        ("migrate", "markdown"),
        ("migrate", "memories-db"),
        ("export", "topics", "--to"),
        ("review", "store"),
        ("review", "import"),
        ("init",),
        ("trust",),
        ("demo", "--keep"),
        ("pi", "install", "--agent-dir"),
    ],
)
@pytest.mark.parametrize("name", ["a" * 300, "loop", "loop/below"])
def test_a_name_that_cannot_be_looked_up_is_wrong_usage(terminal, command, name):
    (terminal.cwd / "loop").symlink_to("loop")

    done = terminal.run(*command, name)

    assert done.code == 2
    assert "cannot be opened" in " ".join(done.err.split())
    assert not (terminal.home / "state/crash.log").exists()
