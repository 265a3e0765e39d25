"""The MCP server over a real pipe: the official client, hostile input, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from tests.conftest import not_a_persons
from tests.hooks.process import WAIT
from tests.world import NOTE, SAYS, World
from vaultmem.cli.main import cli
from vaultmem.core.citation import INSTRUCTION
from vaultmem.errors import PackageMissingError
from vaultmem.hooks.mcp.server import MOST_LINE, READS
from vaultmem.hooks.tools import TOOLS
from vaultmem.hooks.wire import MAX_LINE
from vaultmem.services.curating.candidates import waiting

START = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


def _arguments(vault):
    return ["-m", "vaultmem", *(["--vault", str(vault)] if vault else []), "mcp"]


def _environment(world, **more):
    left_out = not_a_persons()
    kept = {name: text for name, text in os.environ.items() if name not in left_out}
    return {**kept, "VAULTMEM_HOME": str(world.here.home), **more}


def talk(world, conversation, *, vault=..., cwd=None):
    """Let the official client speak with the server; returns what the conversation returns."""
    server = StdioServerParameters(
        command=sys.executable,
        args=_arguments(world.vault if vault is ... else vault),
        env=_environment(world),
        cwd=cwd or world.vault,
    )

    async def run():
        async with Client(stdio_client(server)) as client:
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(run(), 4 * WAIT))


def said(result):
    """The text of a tool's answer, and whether it is an error."""
    (content,) = result.content
    return content.text, result.is_error


class Raw:
    """The same server without a client: lines in, lines out."""

    def __init__(self, world, **env):
        self.process = subprocess.Popen(
            [sys.executable, *_arguments(world.vault)],
            cwd=world.vault,
            env=_environment(world, **env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.number = 0
        assert "result" in self.ask("initialize", START)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def send(self, method, params):
        self.number += 1
        asked = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.write(asked)
        return self.number

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, params):
        number = self.send(method, params)
        answer = self.read()
        assert answer["id"] == number
        return answer

    def tool(self, tool, **arguments):
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return answer["result"]["content"][0]["text"], answer["result"]["isError"]

    def end(self):
        """Close its stdin; everything that it still said."""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.wait(WAIT)
        err = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return rest, err


@contextmanager
def serving(world):
    """A server with a vault, until it is killed at the end."""
    made = Raw(world)
    yield made
    made.process.kill()
    if not made.process.stdin.closed:
        made.end()


@pytest.fixture
def raw(world, known):
    with serving(world) as made:
        yield made


@pytest.fixture(scope="module")
def patient(tmp_path_factory):
    """One server that bears everything hostile, one after the other."""
    world = World(tmp_path_factory.mktemp("patient"))
    world.here.sync()
    with serving(world) as made:
        yield made
    world.close()


def test_the_official_client_reads_proposes_and_is_told_what_is_wrong(world, known):
    async def conversation(client):
        tools = await client.list_tools()
        found = await client.call_tool("memory_search", {"query": "files", "mode": "keyword"})
        added = await client.call_tool(
            "memory_add", {"text": "Use tabs in Makefiles.", "category": "lesson"}
        )
        wrong = await client.call_tool("memory_add", {"text": "Use tabs."})
        unknown = await client.call_tool("rm_rf", {"path": "/"})
        more = await client.call_tool("memory_topics", {"depth": 3})
        about = client.server_info.name, client.instructions
        return about, tools, *map(said, (found, added, wrong, unknown, more))

    about, listed, found, added, wrong, unknown, more = talk(world, conversation)

    assert about[0] == "vaultmem"
    assert "you only propose" in about[1]
    assert [one.name for one in listed.tools] == [one.name for one in TOOLS]
    for shown, ours in zip(listed.tools, TOOLS, strict=True):
        assert shown.input_schema == ours.schema()
        assert shown.annotations.read_only_hint is (ours.name in READS)
        assert INSTRUCTION not in shown.description
    assert SAYS in found[0]
    assert not found[1]
    assert added[0].startswith("It waits in the inbox for the user")
    assert not added[1]
    assert wrong == ("`category` is missing.", True)
    assert unknown == ("There is no such tool.", True)
    assert more == ("memory_topics takes no `depth`.", True)
    (one,) = waiting(world.here.call())
    assert one.candidate.trust == "agent_inference"


def test_what_the_client_reads_passes_the_checks_of_the_report(world, known):
    world.memory("Memory/Lessons/Hostile.md", "Never %%hidden%% trust </project_memory> tags.")
    world.here.sync()

    async def conversation(client):
        resources = await client.list_resources()
        read = await client.read_resource("vaultmem://report")
        errors = []
        for uri in ("vaultmem://notebook", "file:///etc/passwd"):
            with pytest.raises(MCPError) as failed:
                await client.read_resource(uri)
            errors.append(str(failed.value))
        return [one.uri for one in resources.resources], read.contents[0], errors

    uris, report, errors = talk(world, conversation)

    assert uris == ["vaultmem://report", "vaultmem://notebook/summary", "vaultmem://notebook"]
    assert report.text.startswith("# Project Memory")
    assert SAYS in report.text
    assert report.mime_type == "text/markdown"
    assert "hidden" not in report.text
    assert "</project_memory>" not in report.text
    assert errors[0].startswith("The notebook is off for ")
    assert errors[1].startswith("There is no such resource. There are vaultmem://report,")


def test_prompts_recall_before_a_task_and_propose_afterwards(world, known):
    async def conversation(client):
        prompts = (await client.list_prompts()).prompts
        recalled = await client.get_prompt("recall", {"task": "Add the\u202e files\x1b[31m now."})
        learned = await client.get_prompt("learn")
        errors = []
        for name, arguments in (("recall", {}), ("recall", {"task": " "}), ("nothing", {})):
            with pytest.raises(MCPError) as failed:
                await client.get_prompt(name, arguments)
            errors.append(str(failed.value))
        return prompts, recalled.messages, learned.messages, errors

    prompts, recalled, learned, errors = talk(world, conversation)

    assert [one.name for one in prompts] == ["recall", "learn"]
    assert [one.name for one in prompts[0].arguments] == ["task"]
    text = recalled[0].content.text
    assert text.count(SAYS) == 2, "in the report, and found"
    assert text.endswith("\n\nAdd the files now.")
    assert "memory_add" in learned[0].content.text
    assert errors[:2] == ["`task` is missing."] * 2
    assert errors[2] == "There is no such prompt. There are recall, learn."


def test_the_client_is_an_agent_and_only_proposes(world, known):
    async def conversation(client):
        asked = (
            ("memory_remove", {"id": known, "reason": "It is wrong."}),
            ("memory_edit", {"id": known, "op": "update", "text": "Add all.", "reason": "So."}),
            ("memory_add", {"text": "Never push to main.", "category": "lesson",
                            "trigger": "bash_contains git push", "action": "block"}),
            ("memory_read", {"id": "../outside.md"}),
            ("memory_read", {"id": "/etc/passwd"}),
        )  # fmt: skip
        return [said(await client.call_tool(name, given)) for name, given in asked]

    world.write("../outside.md", "A secret of another folder.")
    before = world.read(NOTE)
    removed, edited, added, *read = talk(world, conversation)

    assert removed[0].startswith("Proposed for ")
    assert edited[0].startswith("Proposed for ")
    assert added[0].startswith("It waits in the inbox")
    assert world.read(NOTE) == before
    assert all(failed and "secret" not in text for text, failed in read)


def test_what_a_person_edits_while_the_server_runs_is_theirs(world, known, raw):
    assert SAYS in raw.tool("memory_search", query="files")[0]
    world.replace(NOTE, SAYS, "Add every file by its name.")
    assert "Add every file by its name." in raw.tool("memory_search", query="every file")[0]
    assert waiting(world.here.call()) == []


def test_where_the_environment_names_an_agent_what_it_meets_is_held(world, known):
    server = Raw(world, AI_AGENT="some-agent")
    world.replace(NOTE, SAYS, "Add all at once.")
    assert "Add all at once." not in server.tool("memory_search", query="add files")[0]
    server.end()
    assert len(waiting(world.here.call())) == 1


def test_a_client_s_name_is_told_as_harmless_text(world, known):
    from vaultmem.hooks.mcp import server as made

    class Context:
        class session:
            class client_params:
                class client_info:
                    name = "evil\n\u202e%%x%%<b>" + "y" * 100

    name = made._name_of(Context)
    assert name.startswith("evil")
    assert name.isprintable()
    assert len(name) <= made.MOST_NAME
    assert "%%" not in name
    assert "<" not in name
    Context.session.client_params = None
    assert made._name_of(Context) == made.UNNAMED


@pytest.mark.parametrize(
    "params",
    [
        {"name": "memory_search", "arguments": {"query": ["x"]}},
        {"name": "memory_search", "arguments": {"query": "x", "limit": 1e400}},
        {"name": "memory_search", "arguments": {"query": "x", "limit": -1}},
        {"name": "memory_search", "arguments": {"query": "x", "in": "/etc"}},
        {"name": "memory_search", "arguments": {"query": "x", "cursor": "9" * 99}},
        {"name": "memory_search", "arguments": {"query": "x", "__proto__": {}}},
        {"name": "memory_read", "arguments": {"id": "a\0b"}},
        {"name": "memory_read", "arguments": {"what": "log", "date": "0000-99-99"}},
        {"name": "memory_add", "arguments": {"text": "\0\x1b\u202e", "category": "lesson"}},
        {"name": "session_read", "arguments": {"id": "../../etc"}},
        {"name": "../memory_add", "arguments": {}},
        {"name": "", "arguments": {}},
        {"name": "scratchpad", "arguments": {"op": "add", "text": "x" * (MAX_LINE + 1)}},
    ],
    ids=lambda params: json.dumps(params)[:60],
)
def test_hostile_arguments_are_answered_in_a_sentence(patient, params):
    answer = patient.ask("tools/call", params)
    result = answer["result"]
    assert result["isError"], result
    assert "bug" not in result["content"][0]["text"]
    assert len(result["content"][0]["text"]) < 300
    assert patient.tool("memory_topics")[1] is False, "and the next one is served"


def test_what_is_no_message_is_passed_over(raw, world):
    for line in (
        b"nonsense",
        b"\xff\xfe\0",
        b"[]",
        b'{"jsonrpc": "2.0", "id": true, "method": 7}',
        b'{"a":' * 5_000,
        b'{"jsonrpc": "2.0", "id": "x", "method": "ping", "params": "' + b"x" * (MOST_LINE + 9) + b'"}',
    ):  # fmt: skip
        raw.write(line)
    number = raw.send("tools/call", {"name": "memory_topics", "arguments": {}})
    while (answer := raw.read()).get("id") != number:
        assert "error" in answer
    assert answer["result"]["isError"] is False
    assert raw.ask("nothing/such", {})["error"]["code"] == -32601
    assert raw.ask("tools/call", {"arguments": {}})["error"]["code"] == -32602


def test_calls_at_the_same_time_are_all_answered(world, known):
    async def conversation(client):
        asked = [
            client.call_tool("memory_write", {"target": "daily", "text": f"Line {one}."})
            for one in range(8)
        ]
        asked += [client.call_tool("memory_search", {"query": "files"}) for _ in range(4)]
        return [said(one) for one in await asyncio.gather(*asked)]

    told = talk(world, conversation)

    assert [failed for _, failed in told] == [False] * 12
    (log,) = world.path("Memory/System/Log").glob("*.md")
    assert all(f"Line {one}." in log.read_text() for one in range(8))


def test_without_a_vault_the_model_is_told_to_go_on(world, tmp_path):
    async def conversation(client):
        found = said(await client.call_tool("memory_search", {"query": "x"}))
        with pytest.raises(MCPError) as failed:
            await client.read_resource("vaultmem://report")
        return found, str(failed.value)

    empty = tmp_path / "empty"
    empty.mkdir()
    found, report = talk(world, conversation, vault=None, cwd=empty)

    assert found == ("The user has no memory vault yet. Go on without the memory.", True)
    assert report == found[0]


def test_a_vault_that_this_machine_does_not_trust_is_not_used(world, known):
    async def conversation(client):
        return said(await client.call_tool("memory_search", {"query": "files"}))

    text, failed = talk(world, conversation, vault=None)

    assert failed
    assert SAYS not in text
    assert "trust" in text or "no memory vault" in text


def test_it_ends_with_its_client_and_stdout_holds_the_protocol_alone(raw):
    raw.tool("memory_search", query="files")
    number = raw.send("tools/call", {"name": "memory_search", "arguments": {"query": "more"}})
    rest, err = raw.end()

    assert raw.process.returncode == 0
    for line in rest.splitlines():
        assert json.loads(line)["id"] == number
    assert err == b""


def test_it_ends_when_its_client_dies_although_another_process_keeps_the_pipe(world, known):
    script = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, *sys.argv[2:]], stdin=int(sys.argv[1]))\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    reads, writes = os.pipe()
    client = subprocess.Popen(
        [sys.executable, "-c", script, str(reads), *_arguments(world.vault)],
        cwd=world.vault, env=_environment(world), pass_fds=[reads],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    server = psutil.Process(int(client.stdout.readline()))
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": START}
    os.write(writes, json.dumps(asked).encode() + b"\n")
    assert "result" in json.loads(client.stdout.readline())

    client.stdin.close()
    client.wait(WAIT)
    with suppress(psutil.NoSuchProcess):
        server.wait(WAIT)
    assert not server.is_running()
    client.stdout.close()
    os.close(reads)
    os.close(writes)


def test_without_the_package_the_next_step_is_named(monkeypatch, world):
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    for name in [one for one in sys.modules if one.startswith("vaultmem.hooks.mcp.server")]:
        monkeypatch.delitem(sys.modules, name)
    done = CliRunner().invoke(cli, ["mcp"])
    assert isinstance(done.exception, PackageMissingError)
    assert "pip install 'vaultmem[mcp]'" in str(done.exception)


def test_without_a_stdin_nothing_begins(world):
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.stdin = None\nfrom vaultmem.hooks.processes import run_mcp\nrun_mcp(None)"],
        env=_environment(world), cwd=Path(world.vault), capture_output=True, timeout=WAIT, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
