"""A command that a tool of an agent runs is the agent's, whatever its environment says."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tests.hooks.process import Served
from vaultmem.store.process import this_process
from vaultmem.store.windows import close_window, open_window

SCRIPT = f'exec {sys.executable} -m vaultmem "$@"'
TOOL = "call_1"


def _vaultmem(world, *words):
    """The command behind a shell, with nothing in its environment that names an agent."""
    env = {"PATH": os.defpath, "HOME": str(world.folder), "VAULTMEM_HOME": str(world.here.home)}
    command = ["/bin/sh", "-c", f"({SCRIPT}); exit $?", "sh", "--vault", str(world.vault), *words]
    return subprocess.run(
        command, env=env, cwd=world.folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def tool(world):
    """Starts and ends a tool of the agent that we are."""
    state, us = world.here.home / "state", this_process()

    def run(ends: bool = False):
        (close_window if ends else open_window)(state, us, TOOL, at_ns=time.time_ns())

    return run


def test_a_verb_of_the_persons_is_refused_while_a_tool_runs_it(world, known, tool):
    tool()
    done = _vaultmem(world, "pin", known)
    assert done.returncode != 0
    assert "`pin` is for the person; it was called from an agent." in done.stderr
    assert "pinned" not in world.read("Memory/Lessons/Add files by name.md")
    tool(ends=True)
    assert _vaultmem(world, "pin", known).returncode == 0, "in a terminal of the agent's, later"


def test_a_tool_of_another_process_makes_nobody_an_agent(world, known):
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        world.here.open_window(time.time_ns(), pid=other.pid)
        assert "is for the person" not in _vaultmem(world, "pin", known).stderr
    finally:
        other.communicate(b"\n")


def test_what_the_person_types_while_a_tool_runs_is_theirs(world, known, tool):
    tool()
    served = Served(world)
    told = served.ask("command", text=f"pin {known}")
    served.end()
    assert "person" not in told["text"]
    assert "pinned: true" in world.read("Memory/Lessons/Add files by name.md")
