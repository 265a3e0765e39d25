"""Whatever happens to `serve`, a turn completes, and what is blocked stays blocked."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING

import pytest

from tests.pi.installed import BOTH
from tests.pi.model_server import calls, says
from tests.pi.processes import eventually, serving
from tests.pi.test_enforcement import MARKER, block_marker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.pi.driver import Pi, Rpc
    from tests.pi.model_server import ModelServer
    from tests.world import World

LIMIT = 3.0
"""Seconds; a turn has some ten events, so one that waits for each takes ten times as long."""


@pytest.fixture
def guarded(pi: Pi, world: World) -> Pi:
    """A Pi with a rule that blocks, and a short limit."""
    block_marker(world)
    pi.variables["VAULTMEM_PI_LIMIT_MS"] = str(int(LIMIT * 1000))
    return pi


def warm(talk: Rpc, model: ModelServer) -> None:
    """Say something until `serve` has answered; one that died just now is started a second later."""
    until = time.monotonic() + 20 * LIMIT
    while time.monotonic() < until:
        model.script(says("Hello."))
        talk.prompt("hello there, how are things?")
        if MARKER in model.last.system_prompt:
            return
        time.sleep(0.1)
    pytest.fail("serve never answered")


def play(talk: Rpc, model: ModelServer) -> float:
    """Let the model try what is blocked, and what is not; returns the seconds."""
    model.script(
        calls("bash", command="touch marker"), calls("bash", command="touch other"), says("Done.")
    )
    begun = time.monotonic()
    talk.prompt("touch both files now")
    assert model.unused == []
    assert model.unexpected == []
    return time.monotonic() - begun


@BOTH
def test_a_serve_that_hangs_costs_one_limit_and_its_rules_hold(
    guarded: Pi, model: ModelServer, world: World
):
    with guarded.rpc() as talk:
        warm(talk, model)
        (serve,) = serving(world.here.home)
        serve.suspend()
        assert play(talk, model) < 3 * LIMIT
        assert MARKER not in model.last.system_prompt
        assert MARKER in model.last.results()[0]
        assert not (guarded.project / "marker").exists()
        assert (guarded.project / "other").exists()
    assert eventually(lambda: not serving(world.here.home))


def test_a_serve_that_is_killed_is_started_again_and_ends_with_pi(
    guarded: Pi, model: ModelServer, world: World
):
    with guarded.rpc() as talk:
        warm(talk, model)
        (serve,) = serving(world.here.home)
        serve.kill()
        assert play(talk, model) < 5 * LIMIT
        assert not (guarded.project / "marker").exists()
        assert (guarded.project / "other").exists()
        warm(talk, model)
        (again,) = serving(world.here.home)
        assert again.pid != serve.pid
        talk.kill()
        assert eventually(lambda: not serving(world.here.home))


def test_a_serve_that_hangs_from_the_start_costs_what_a_start_may(
    guarded: Pi, model: ModelServer, world: World
):
    rewrite(world, arguments=["-c", "import time; time.sleep(600)", "vaultmem.hooks"])
    model.script(calls("bash", command="touch other"), says("Done."))
    begun = time.monotonic()
    ran = guarded.run("touch the file now")
    assert (ran.stdout, ran.stderr, ran.code) == ("Done.\n", "", 0)
    assert time.monotonic() - begun < 5 * LIMIT
    assert (guarded.project / "other").exists()
    assert eventually(lambda: not serving(world.here.home))


def test_an_interpreter_that_is_gone_costs_nothing(guarded: Pi, model: ModelServer, world: World):
    rewrite(world, interpreter="/nowhere/python")
    model.script(calls("memory_search", query="x"), says("Done."))
    assert guarded.run("search the memory for x").stdout == "Done.\n"
    assert "does not answer" in model.last.results()[0]


def test_an_interpreter_that_is_gone_is_told_once(guarded: Pi, model: ModelServer, world: World):
    rewrite(world, interpreter="/nowhere/python")
    model.script(says("Done."), says("Again."))
    with guarded.rpc() as talk:
        talk.until(lambda one: one.get("method") == "notify")
        talk.prompt("hello to you all")
        talk.prompt("and hello once more")
        (notice,) = talk.notices()
    assert "does not answer" in notice
    assert "vaultmem pi status" in notice


def test_a_pi_that_is_ended_leaves_no_process(guarded: Pi, model: ModelServer, world: World):
    with guarded.rpc() as talk:
        warm(talk, model)
        talk.send_signal(signal.SIGTERM)
        assert eventually(lambda: not serving(world.here.home))


def rewrite(world: World, **changes: object) -> None:
    """Let the extension start something else."""
    runtime: Path = world.here.home / "config/pi/runtime.json"
    runtime.write_text(json.dumps({**json.loads(runtime.read_text()), **changes}))
