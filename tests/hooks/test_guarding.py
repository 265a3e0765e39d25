"""The guard and the windows, as the agent's extension meets them."""

from __future__ import annotations

import os
import time

import pytest

from tests.hooks.process import Served
from tests.world import NOTE, SAYS
from vaultmem.core.agent_literal import GUARD_ID
from vaultmem.hooks import guarding
from vaultmem.hooks.payloads import ToolCalled
from vaultmem.store.disk import DISK
from vaultmem.store.process import this_process
from vaultmem.store.windows import FOLDER, read_windows


def _is_open(world):
    return read_windows(world.here.home / "state", at_ns=time.time_ns()).is_open


def _bash(served, command, call="call_1", **more):
    return served.ask("tool_call", tool="bash", call=call, input={"command": command}, **more)


def _done(served, command, call="call_1"):
    return served.ask(
        "tool_result",
        tool="bash",
        call=call,
        input={"command": command},
        text="",
        is_error=False,
    )


@pytest.fixture
def served(world, known):
    one = Served(world)
    one.ask("session_start", reason="startup", mode="rpc")
    yield one
    one.end()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("sed -i s/a/b/ Memory/Lessons/*.md", "memory_edit"),
        ("cat {vault}/Memory/Lessons/x.md", "memory_read"),
        ("cat $VAULTMEM_HOME/state/device", "keeps for itself"),
        ("cat {home}/config/pi/package.json", "extension"),
        ("vaultmem ratify X", "terminal of their own"),
        ("python -m vaultmem inbox approve X", "`/memory`"),
        ("vaultmem hook tool_call", "never by the agent"),
        ("echo x > {vault}/../agent/settings.json", "lists the extension"),
        ("pi remove x", "what this agent loads"),
    ],
)
def test_a_command_of_the_agents_is_stopped_with_the_right_tool_named(
    world, serving, command, told
):
    answer = _bash(serving, command.format(vault=world.vault, home=world.here.home))
    assert answer["block"]
    assert told in answer["reason"]
    assert not _is_open(world), "what does not run opens no window"


def test_file_tools_are_stopped_by_where_a_path_lies_and_may_read_a_note(world, serving):
    for tool, may in (("read", True), ("write", False), ("edit", False)):
        answer = serving.ask(
            "tool_call", tool=tool, call="c", input={"path": str(world.path(NOTE))}
        )
        assert answer.get("block", False) is not may


def test_what_a_tool_changed_is_told_to_the_model_and_not_in_force(world, known, served):
    assert not _bash(served, "make").get("block")
    assert _is_open(world)
    world.replace(NOTE, SAYS, "Add everything.")
    told = _done(served, "make").get("append", "")
    assert not _is_open(world)
    limit = time.monotonic() + 20
    while NOTE not in told:  # it is looked for when nobody waits
        assert time.monotonic() < limit
        _bash(served, "true", call="call_2")
        told += _done(served, "true", call="call_2").get("append", "")
        time.sleep(0.1)
    assert "Nothing of it is in force" in told
    assert world.here.call().vault.baseline.standing(known).statement == SAYS


def test_at_the_end_of_a_turn_no_tool_runs(world, serving):
    _bash(serving, "make")
    serving.ask("turn_end", turn=0, outcome="aborted", tools=[], text="", by_user=True)
    assert not _is_open(world)


@pytest.mark.parametrize("how", ["kill", "end"])
def test_a_tool_whose_helper_was_killed_keeps_its_window_until_it_is_known_to_have_ended(
    world, known, served, how
):
    _bash(served, "kill helper; sleep 9")
    if how == "kill":
        served.process.kill()
    else:
        served.process.stdin.close()
    served.process.wait()
    assert _is_open(world), "the agent runs, and its tool with it"
    world.replace(NOTE, SAYS, "Add everything.")
    again = Served(world)
    try:
        running = {"tool": "bash", "call": "call_1", "at": int(time.time() * 1000) - 500}
        again.ask("session_start", reason="restart", mode="rpc", missed=[running])
        assert _is_open(world)
        _done(again, "kill helper; sleep 9")
        assert not _is_open(world)
    finally:
        again.end()
    world.here.sync()
    assert world.here.call().vault.baseline.standing(known).statement == SAYS


def test_a_tool_that_ran_while_nobody_answered_had_its_window(world, known):
    began = int(time.time() * 1000)
    world.replace(NOTE, SAYS, "Add everything.")
    ran = {"tool": "bash", "call": "c", "at": began, "ended": int(time.time() * 1000)}
    served = Served(world)
    try:
        served.ask("session_start", reason="startup", mode="rpc", missed=[ran])
    finally:
        served.end()
    world.here.sync()
    assert world.here.call().vault.baseline.standing(known).statement == SAYS


def test_the_extension_gets_what_of_the_guard_it_can_hold_itself(world, serving):
    rules = serving.ask("rules")["rules"]["block"]
    needles = {one["needle"]: one for one in rules if one["id"] == GUARD_ID}
    assert needles["vaultmem ratify"]["command"]
    assert os.path.realpath(world.path("Memory")) in needles


def test_a_window_that_cannot_be_recorded_breaks_no_turn(world, known, serving, monkeypatch):
    def full(descriptor, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DISK, "write", full)
    assert not serving.ask("tool_call", tool="bash", call="c", input={"command": "make"}).get(
        "block"
    )
    (told,) = serving.here.shared.sessions.newest().take_notices()
    assert "may count as the person's" in told


def test_a_tool_is_known_to_come_before_anything_is_asked_of_the_vault(tmp_path):
    now = time.time_ns()
    for tool, at, known in (("read", 0, False), ("bash", now // 1_000_000 - 900, True)):
        guarding.comes(tmp_path, this_process(), _called(tool, at))
        assert read_windows(tmp_path, at_ns=now).hold(now - 800_000_000) is known
    (tmp_path / FOLDER).rename(tmp_path / "gone")
    (tmp_path / FOLDER).write_text("no folder")
    guarding.comes(tmp_path, this_process(), _called("bash", 0))  # it breaks nothing


@pytest.mark.parametrize("at", [10**15, -5, 1])
def test_a_tool_that_comes_at_a_moment_that_cannot_be_is_brought_within_reach(tmp_path, at):
    now = time.time_ns()
    guarding.comes(tmp_path, this_process(), _called("bash", at))
    assert read_windows(tmp_path, at_ns=time.time_ns()).hold(now)


def _called(tool, at):
    return ToolCalled(session="s", cwd="/", tool=tool, call="c", input={}, at=at)


def test_what_ran_unseen_and_what_a_rule_runs_have_their_windows(world, known, serving):
    now = int(time.time() * 1000)
    missed = [
        {"tool": "bash", "call": "a", "at": now - 50_000, "ended": now - 40_000},
        {"tool": "bash", "call": "b", "at": now - 30_000},
    ]
    serving.ask("session_start", reason="restart", mode="rpc", missed=missed)
    assert _is_open(world)
    serving.ask("turn_end", turn=0, outcome="completed", tools=[], text="", by_user=True)
    assert not _is_open(world)
    seen = read_windows(world.here.home / "state", at_ns=time.time_ns())
    held = [seen.hold((now - ago) * 1_000_000 + 1) for ago in (45_000, 35_000, 20_000)]
    assert held == [True, False, True]
    with guarding.running(serving.here, "after"):
        assert _is_open(world)
    assert not _is_open(world)


@pytest.fixture
def lost(world, known, tmp_path):
    """A process of ours in a folder whose vault is not there, beside a vault that is trusted."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    command = ["-I", "-m", "vaultmem.hooks", "serve", str(place / "gone")]
    one = Served(world, command=command)
    yield one
    one.end()


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("tool_result", {"tool": "bash", "call": "call_1", "input": {}, "text": ""}),
        ("turn_end", {"turn": 0, "outcome": "aborted", "tools": [], "text": ""}),
        ("before_agent_start", {"prompt": "which files do I add?"}),
        ("session_start", {"reason": "startup", "mode": "rpc"}),
        ("session_shutdown", {"reason": "quit"}),
    ],
)
def test_where_no_vault_is_found_a_window_closes_all_the_same(world, lost, event, payload):
    """Else the person's edits in every other vault would wait as long as this agent lives."""
    lost.answer(lost.send("tool_call", tool="bash", call="call_1", input={"command": "make"}))
    assert _is_open(world), "the tool may write into any vault"
    lost.answer(lost.send(event, **payload))
    assert not _is_open(world)


def test_where_no_vault_is_found_what_is_ours_on_this_machine_is_guarded(world, lost):
    command = f"cat {world.here.home}/config/config.yaml"
    assert "keeps for itself" in _bash(lost, command)["reason"]
    assert not _is_open(world)


def test_what_a_tool_changed_in_the_user_config_is_told_when_the_next_session_starts(
    world, serving
):
    serving.ask("session_start", mode="rpc")
    _bash(serving, "make")
    config = world.here.home / "config/config.yaml"
    config.parent.mkdir(exist_ok=True)
    with config.open("a") as file:
        file.write("\nrun_after: [rm x]\n")
    _done(serving, "make")
    assert serving.ask("session_start", mode="print")["notices"] == []
    (told,) = serving.ask("session_start", mode="rpc")["notices"]
    assert told.endswith("\n+ run_after: [rm x]")
    assert serving.ask("session_start", mode="rpc")["notices"] == []
