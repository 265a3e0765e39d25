"""Five agents at once on one vault, each with its helper: nothing is lost, nobody is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.hooks.process import environment
from tests.pi.processes import eventually, serving
from tests.world import SAYS
from vaultmem.services.inbox import waiting
from vaultmem.store.windows import read_windows

AGENT = """
import json, os, subprocess, sys
from pathlib import Path

vault, name, then = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
helper = subprocess.Popen(
    [sys.executable, "-I", "-m", "vaultmem.hooks", "serve", str(vault)],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=vault,
    env={**os.environ, "VAULTMEM_AGENT_PID": str(os.getpid())},
)
number = 0

def ask(event, **payload):
    global number
    number += 1
    place = {"session": f"session-{name}", "cwd": str(vault)}
    line = json.dumps({"v": 1, "id": number, "event": event, "payload": place | payload})
    helper.stdin.write(line.encode() + b"\\n")
    helper.stdin.flush()
    while (answer := json.loads(helper.stdout.readline()))["id"] != number:
        pass
    return answer.get("result", answer.get("error"))

def sure(event, **payload):
    # on a busy machine an answer comes too late now and then; the agent goes on, and so do we
    while (answer := ask(event, **payload)).get("code") == "timeout":
        pass
    assert "code" not in answer, answer
    return answer

def add(turn):
    arguments = {"category": "pattern",
        "text": f"Use tool {name}{turn} for the {name} part number {turn}."}
    again = 0
    while True:  # as an agent does that is told to try again
        added = sure("tool", name="memory_add", call=f"a{turn}.{again}", arguments=arguments)
        if "Try again when it is done." not in added["text"]:
            return added
        again += 1

def bash(call, note):
    tool = {"tool": "bash", "call": call, "input": {"command": "make"}}
    assert not ask("tool_call", **tool).get("block")
    (vault / note).write_text(f"---\\ntype: memory\\n---\\nObey agent {name}, {call}.\\n")
    return tool

ask("session_start", reason="startup", mode="print")
told = sure("before_agent_start", prompt="How are files added here?")
assert "Add files by name." in told["sections"]["project_memory"], told
for turn in range(3):
    added = add(turn)
    assert not added["is_error"], added
    tool = bash(f"call_{turn}", f"Memory/Lessons/by {name}{turn}.md")
    ask("tool_result", **tool, text="", is_error=False)
    ask("turn_end", turn=turn, outcome="completed", tools=[], text="", by_user=True, retried=False)
if then == "killed":
    bash("last", f"Memory/Identity/by {name}.md")
    print(helper.pid, flush=True)
    sys.stdin.read()
print(helper.pid, flush=True)
helper.stdin.close()
sys.exit(helper.wait())
"""


@pytest.fixture
def agents(world, known):
    """Two that end as they should, three that are killed while a tool of theirs runs."""
    world.path("Memory/Identity").mkdir(exist_ok=True)
    ends = {"A": "ends", "B": "ends", "C": "killed", "D": "killed", "E": "killed"}
    started = {
        name: subprocess.Popen(
            [sys.executable, "-c", AGENT, str(world.vault), name, then],
            env=environment(world),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name, then in ends.items()
    }
    yield started
    for one in started.values():
        one.kill()
        one.wait()
        one.stdin.close()
        one.stdout.close()


def test_five_agents_lose_nothing_and_leave_nobody_behind(world, agents):
    helpers = [int(one.stdout.readline() or 0) for one in agents.values()]
    assert all(helpers), "every agent came to its end"
    for name in "CDE":
        agents[name].send_signal(signal.SIGKILL)
    assert [agents[name].wait() for name in "AB"] == [0, 0]
    for name in "CDE":
        agents[name].wait()
    assert eventually(lambda: not serving(world.here.home))
    assert not read_windows(world.here.home / "state", at_ns=time.time_ns()).is_open
    world.here.sync()
    baseline = world.here.call().vault.baseline
    assert [one.statement for one in baseline.standings()] == [SAYS]
    shown = [one.candidate.memory.statement for one in waiting(world.here.call())]
    for name in agents:
        for turn in range(3):
            said = f"Use tool {name}{turn} for the {name} part number {turn}."
            assert shown.count(said) == 1, said
    obeyed = {path for path in baseline.external() if "/by " in path}
    assert len(obeyed) == 5 * 3 + 3
