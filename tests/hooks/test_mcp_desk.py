"""The MCP server in this process: the same client without a pipe, and the parts one by one."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from concurrent.futures import CancelledError

import pytest
from mcp import Client, MCPError

from tests.hooks.serving import Serving
from tests.world import NOTE, SAYS
from vaultmem.config import Environment
from vaultmem.hooks import processes
from vaultmem.hooks.answers import Code, ToolText, WireError
from vaultmem.hooks.mcp import server as made
from vaultmem.hooks.mcp.desk import TOO_LARGE, Desk
from vaultmem.hooks.mcp.texts import MOST_TASK, PROMPTS, RESOURCES
from vaultmem.hooks.wire import MAX_LINE, error_line
from vaultmem.services.curating.candidates import waiting
from vaultmem.store.process import Process


@pytest.fixture
def shared(world, known):
    serving = Serving(world, typed=False)
    yield serving.shared
    assert serving.crash == ""


@pytest.fixture
def desk(shared):
    one = Desk(shared)
    one.begin()
    yield one
    one.server.close()


def talk(desk, conversation):
    async def run():
        async with Client(made.make_server(desk)) as client:
            return await conversation(client)

    return asyncio.run(run())


def test_everything_that_is_listed_can_be_asked_for(desk):
    async def conversation(client):
        tools = (await client.list_tools()).tools
        told = {}
        for one in (await client.list_resources()).resources:
            try:
                told[one.uri] = (await client.read_resource(one.uri)).contents[0].text
            except MCPError as error:
                told[one.uri] = str(error)
        for one in (await client.list_prompts()).prompts:
            given = {each.name: "Add the files." for each in one.arguments}
            told[one.name] = (await client.get_prompt(one.name, given)).messages[0].content.text
        return tools, told

    tools, told = talk(desk, conversation)

    assert len(tools) == 17
    assert [*told] == [*(one.uri for one in RESOURCES), *(one.name for one in PROMPTS)]
    assert SAYS in told["vaultmem://report"]
    assert SAYS in told["recall"]
    assert "The notebook is off" in told["vaultmem://notebook"]


def test_what_is_not_there_is_named_with_what_is(desk):
    async def conversation(client):
        asked = (
            client.read_resource("vaultmem://other"),
            client.get_prompt("other"),
            client.get_prompt("recall", {"task": " "}),
        )
        errors = []
        for one in asked:
            with pytest.raises(MCPError) as failed:
                await one
            errors.append(str(failed.value))
        return errors, await client.call_tool("other", {})

    errors, tool = talk(desk, conversation)

    assert errors[0].startswith("There is no such resource. There are vaultmem://report")
    assert errors[1] == "There is no such prompt. There are recall, learn."
    assert errors[2] == "`task` is missing."
    assert tool.is_error


def test_the_client_s_name_is_what_is_refused_and_written(desk, shared):
    async def conversation(client):
        await client.call_tool("memory_topics", {})

    talk(desk, conversation)
    assert shared.agent not in ("", "pi")


def test_a_report_without_a_memory_says_so(world):
    serving = Serving(world, typed=False)
    desk = Desk(serving.shared)
    world.here.sync()
    assert desk.text("report", RESOURCES[0].make).result(30).text == "There is no memory yet."
    world.here.call()
    desk.server.close()


def test_arguments_that_are_too_large_or_too_deep_are_not_worked_on(desk):
    deep: dict = {}
    for _ in range(sys.getrecursionlimit() * 50):
        deep = {"a": deep}
    for given in ({"query": "x" * MAX_LINE}, deep):
        assert desk.tool("memory_search", given).result(30) == TOO_LARGE
    while deep:
        deep = deep.pop("a")


def test_an_error_of_the_wire_is_told_with_its_next_step(desk):
    future = desk.tool("memory_topics", {})
    future.result(30)
    desk._asked[99] = waits = type(future)()
    desk._answered(error_line(99, WireError(Code.TIMEOUT, "Late.", "Go on.")))
    assert waits.result(1) == ToolText(text="Late. Go on.", is_error=True)


def test_an_answer_that_nobody_waits_for_any_more_is_dropped(desk):
    future = desk.tool("memory_topics", {})
    future.cancel()
    assert not desk.tool("memory_topics", {}).result(30).is_error
    with pytest.raises(CancelledError):
        future.result()


def test_only_where_an_agent_is_named_what_is_met_is_held(world, shared):
    desk = Desk(shared, looks=False)
    world.replace(NOTE, SAYS, "Add everything.")
    assert "Add everything." not in desk.tool("memory_search", {"query": "add"}).result(30).text
    assert len(waiting(world.here.call())) == 1
    desk.server.close()


def test_a_line_that_is_too_long_is_an_empty_one(monkeypatch):
    monkeypatch.setattr(made, "MOST_LINE", 8)
    lines = made.Lines(
        io.BytesIO(b"short\n12345678\n1234567\nend" + b"x" * 30 + b"\nlast" + b"y" * 9)
    )
    told = [lines.readline() for _ in range(6)]
    assert told == ["short\n", "\n", "1234567\n", "\n", "", ""]
    assert made.Lines(io.BytesIO(b"abc\n")).readline(2) == "ab"


@pytest.mark.parametrize(("agent", "parent"), [(None, 7), ("coder", 1)])
def test_the_process_serves_its_client_and_ends(monkeypatch, world, agent, parent):
    done = []
    env = Environment(home=str(world.here.home), vault=str(world.vault), agent=agent)
    monkeypatch.setattr(processes, "read_environment", lambda: env)
    monkeypatch.setattr(processes, "_end", lambda server: (done.append("end"), server.close()))
    monkeypatch.setattr(processes, "watch_parent", lambda *_: done.append("watch"))
    monkeypatch.setattr("vaultmem.hooks.here.parent_process", lambda: Process(parent))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    source = io.TextIOWrapper(io.BytesIO(json.dumps(asked).encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", source)
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)

    processes.run_mcp(None)

    assert done == (["watch", "end"] if parent != 1 else ["end"])
    monkeypatch.setattr(sys, "stdin", None)
    processes.run_mcp(None)
    assert done[-1] == "end"


@pytest.mark.parametrize("what", ["resource", "prompt"])
def test_what_is_read_is_read_in_the_client_s_name(desk, shared, what):
    async def conversation(client):
        if what == "resource":
            await client.read_resource("vaultmem://report")
        else:
            await client.get_prompt("learn")

    shared.agent = "pi"
    talk(desk, conversation)
    assert shared.agent != "pi"


def test_a_very_long_task_is_cut_in_a_prompt(desk):
    async def conversation(client):
        asked = await client.get_prompt("recall", {"task": "harbour " * 2_000})
        return asked.messages[0].content.text

    told = talk(desk, conversation)
    assert len(told.partition("The task:\n\n")[2]) <= MOST_TASK
