"""Hooks of other agents: their payloads, our answers, and what they may not do."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from tests.hooks.hosting import PAYLOADS, Hosted, clean, context, denied, example
from tests.hooks.process import WAIT
from tests.world import NOTE, SAYS
from vaultmem.config import Environment
from vaultmem.core.citation import TAG
from vaultmem.core.ids import short_id
from vaultmem.errors import ReadOnlyError
from vaultmem.hooks.hosts.events import EVENTS, _new_lines
from vaultmem.hooks.hosts.host import Host, HostEvent
from vaultmem.hooks.hosts.run import MAX_PAYLOAD, run_from
from vaultmem.hooks.hosts.surroundings import agent_above, settings_of
from vaultmem.hooks.hosts.told import MOST_CONTEXT, Told, in_terminal, sections_text
from vaultmem.hooks.hosts.tool_names import each_file, our_call
from vaultmem.hooks.hosts.transcript import MOST_CALLS, Talk, read_talk
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.ratify import ratify
from vaultmem.services.session_use import session_use
from vaultmem.store.ended import read_ended
from vaultmem.store.process import Process, this_process
from vaultmem.store.sessions.tail import MOST_BYTES, last_lines
from vaultmem.store.windows import open_window, opened_at, read_windows

HOSTS = list(Host)
STATED = "Never stage everything at once."


@pytest.fixture
def beside(world, known, monkeypatch):
    """A vault with one memory; this process is the agent beside it."""
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    monkeypatch.setattr("vaultmem.hooks.hosts.run.ancestors", lambda: [this_process()])
    monkeypatch.setattr("vaultmem.hooks.hosts.surroundings.name_of", lambda _: "agent")
    return world


@pytest.fixture(params=HOSTS, ids=str)
def hosted(request, beside):
    """Each agent, with the transcript of its example."""
    made = Hosted(beside, request.param)
    made.talked()
    yield made
    assert not (beside.here.home / "state/crash.log").exists()


@pytest.fixture
def claude(beside):
    return Hosted(beside, Host.CLAUDE_CODE)


def enforced(hosted, **properties):
    """A guardrail with force."""
    made = hosted.world.memory("Memory/Lessons/Never stage everything.md", STATED, **properties)
    hosted.world.here.sync()
    ratify(hosted.world.here.call(), made)
    return made


def candidates(world):
    return [one.candidate for one in waiting(world.here.call())]


def is_open(world):
    return read_windows(world.here.home / "state", at_ns=time.time_ns()).is_open


# Every event


@pytest.mark.parametrize(
    ("host", "event"),
    [(Host(place.parent.name), place.stem) for place in sorted(PAYLOADS.glob("*/*.json"))],
    ids=str,
)
def test_every_example_is_understood(world, known, monkeypatch, host, event):
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    hosted = Hosted(world, host)
    hosted.talked()
    hosted.send(event)
    assert hosted.warned == []
    assert event in {one.value for one in HostEvent}


def test_a_session_is_told_the_report_once_and_what_waits_in_a_terminal_s_words(hosted):
    told = hosted.send("SessionStart")

    assert context(told).startswith("<project_memory>\n# Project Memory")
    assert SAYS in context(told)
    assert context(told).endswith("</project_memory>")
    assert told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    hosted.send("UserPromptSubmit")
    again = hosted.send("SessionStart", source="resume")
    assert "`vaultmem inbox`" in again["systemMessage"]
    assert "/memory" not in again["systemMessage"]


def test_the_user_s_correction_is_heard_as_theirs(hosted):
    hosted.send("UserPromptSubmit")

    (one,) = candidates(hosted.world)
    assert one.trust == "user_correction"
    assert "git add ." in one.memory.statement


def test_memories_near_a_prompt_are_told_each_once_until_the_session_compacts(hosted):
    world = hosted.world
    world.memory("Memory/Lessons/Berths.md", "Berths are numbered from the harbour gate.")
    for place in range(30):  # so that it has no room in the report
        rule = f"Rule {place} of the quay holds always."
        world.memory(f"Memory/Lessons/Rule {place}.md", rule, evidence_count=9)
    world.here.sync()
    asked = "How are berths numbered from the harbour gate?"
    near = [context(hosted.send("UserPromptSubmit", prompt=asked)) for _ in range(2)]
    hosted.send("SessionStart", source="compact")
    near.append(context(hosted.send("UserPromptSubmit", prompt=asked)))

    assert "Berths are numbered" in near[0]
    assert near[0].startswith("<contextual_memories>")
    assert "Berths are numbered" not in near[1]
    assert "Berths are numbered" in near[2]


def test_what_was_told_before_is_taken_out_of_a_section_with_something_new():
    one, two = "mem_01KB6Z3V5Q4R8S9T0V1W2X3Y4Z", "mem_01KB6Z3V5Q4R8S9T0V1W2X3Y5A"
    lines = [f"- Rule. [{short_id(each)} said]" for each in (one, two)]
    section = "\n".join(["Notes near this prompt:", *lines])
    assert _new_lines(section, ()) == section
    assert _new_lines(section, (one,)) == f"Notes near this prompt:\n{lines[1]}"
    assert _new_lines(section, (one, two)) == ""


def test_a_rule_keeps_a_command_from_running_and_gives_the_reason(hosted):
    identifier = enforced(hosted, trigger="bash_contains git add .", action="block")

    told = hosted.send("PreToolUse")

    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert STATED in denied(told)
    assert short_id(identifier) in denied(told)
    assert not is_open(hosted.world)
    assert hosted.tool("Bash", command="git add src/a.ts") == {}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "{settings}", "content": "{}"}),
        ("Bash", {"command": "echo x >> Memory/Lessons/x.md"}),
        ("Bash", {"command": "vaultmem ratify X"}),
        ("Bash", {"command": "echo '{}' | vaultmem hook UserPromptSubmit --from claude-code"}),
        ("Bash", {"command": "vaultmem mcp"}),
        ("Write", {"file_path": "Memory/Identity/x.md", "content": "x"}),
        ("Edit", {"file_path": "{vault}/memory/lessons/x.md"}),
        ("MultiEdit", {"file_path": "Memory/Lessons/x.md", "edits": []}),
        ("NotebookEdit", {"notebook_path": "Memory/x.ipynb"}),
        ("mcp__files__write", {"path": "{vault}/Memory/Lessons/x.md"}),
        ("mcp__vaultmem__rm", {"path": "{vault}/Memory/Lessons/x.md"}),
        ("apply_patch", {"command": "*** Begin Patch\n*** Add File: Memory/Lessons/x.md\n+x\n"}),
        ("apply_patch", {"command": "*** Update File: a\n*** Move to: Memory/Lessons/x.md\n"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: " + NOTE + "\n"}),
        ("shell", {"command": ["bash", "-c", "rm Memory/Lessons/*"]}),
    ],
)  # fmt: skip
def test_the_guard_keeps_tools_out_of_the_memory(hosted, tool, given):
    given = json.loads(
        json.dumps(given)
        .replace("{vault}", str(hosted.world.vault))
        .replace("{settings}", str(settings_of(hosted.host, Environment())[0]))
    )
    told = hosted.tool(tool, **given)
    assert denied(told), tool
    assert "/memory`" not in denied(told)
    assert not is_open(hosted.world)


def test_tools_that_read_and_our_own_open_no_window_and_others_do(hosted):
    for tool, given in (
        ("Read", {"file_path": "README.md"}),
        ("Grep", {"pattern": "x", "path": "."}),
        ("mcp__vaultmem__memory_search", {"query": "Memory/"}),
    ):
        assert hosted.tool(tool, **given) == {}
        assert not is_open(hosted.world)
    assert hosted.tool("Bash", "c9", command="make") == {}
    assert is_open(hosted.world)
    hosted.done("Bash", "c9", command="make")
    assert not is_open(hosted.world)


def test_a_tool_that_failed_ends_as_well(claude):
    claude.tool("Bash", "toolu_01C", command="make")
    assert is_open(claude.world)
    assert claude.send("PostToolUseFailure") == {}
    assert not is_open(claude.world)


def test_what_a_tool_wrote_into_the_vault_is_not_the_person_s(hosted):
    world = hosted.world
    hosted.tool("Bash", command="sed -i s/a/b/ x")
    world.replace(NOTE, SAYS, "Add everything.")
    hosted.done("Bash", command="sed -i s/a/b/ x")

    assert "Add everything." not in context(hosted.send("SessionStart", source="clear"))
    (one,) = candidates(world)
    assert one.trust == "agent_inference"


def test_a_rule_warns_of_a_file_that_was_changed(hosted):
    enforced(hosted, trigger="file_modified Dockerfile", action="warn")

    told = hosted.send("PostToolUse")

    assert STATED in context(told)
    assert told["hookSpecificOutput"]["hookEventName"] == "PostToolUse"
    assert hosted.done("Edit", file_path="README") == {}


def test_a_rule_warns_of_a_file_that_a_command_changed(hosted):
    enforced(hosted, trigger="file_modified Dockerfile", action="warn")
    hosted.world.write("Dockerfile", "FROM a")
    time.sleep(0.05)  # the clock of files ticks
    used = {"command": "sed -i s/a/b/ Dockerfile"}

    hosted.tool("Bash", "c1", **used)
    hosted.world.write("Dockerfile", "FROM b")

    assert STATED in context(hosted.done("Bash", "c1", **used))
    assert hosted.done("Bash", "c1", **used) == {}, "nobody saw it begin"


def test_memories_about_a_changed_file_come_once(hosted):
    hosted.world.memory(
        "Memory/Lessons/Dock.md", "Modified files of the harbour gate get painted masts."
    )
    hosted.world.here.sync()
    hosted.send("SessionStart")
    first = context(hosted.done("Write", file_path="harbour/gate/masts painted"))
    assert "painted masts" in first
    assert hosted.done("Write", file_path="harbour/gate/masts painted") == {}


def test_a_check_at_the_end_sends_the_agent_back_once(hosted):
    enforced(hosted, verifier="tool_called ask_user before gh pr merge")

    told = hosted.send("Stop")

    assert told["decision"] == "block"
    assert "ask_user" in told["reason"]
    assert hosted.send("Stop", stop_hook_active=True) == {}


def test_what_a_hook_kept_from_running_was_not_done(claude):
    enforced(claude, verifier="tool_called ask_user before gh pr merge")
    claude.talked()
    place = claude.world.folder / "talk.jsonl"
    text = place.read_text()
    refused = '"content": "PreToolUse:Bash hook error: no", "is_error": true'
    whole = '"content": [{"type": "text", "text": "merged"}]'
    assert whole in text
    place.write_text(text.replace(whole, refused))
    assert claude.send("Stop") == {}


def test_a_citation_of_a_reply_is_counted(hosted, known):
    hosted.send("SessionStart")
    text = f"Done.\n\n<{TAG}>\n{short_id(known)}\n</{TAG}>"
    session = example(hosted.host, "Stop", hosted.world)["session_id"]

    assert hosted.send("Stop", last_assistant_message=text) == {}
    assert session_use(hosted.world.here.call(), session).used == {known: 1}


def test_a_session_ends_and_is_settled(hosted):
    hosted.send("SessionStart")
    state = hosted.world.here.call().vault.state.folder
    if hosted.host is Host.CODEX:
        hosted.send("Stop")
        assert len(read_ended(state)) == 1
        hosted.send("SessionStart", session_id="another")
    else:
        hosted.send("SessionEnd")
    assert read_ended(state) == []


# Who speaks


def test_what_a_tool_s_command_says_is_not_the_user_s(claude):
    claude.talked({"type": "user", "message": {"role": "user", "content": "Go on."}})
    claude.tool("Bash", "c1", command="make")
    entry = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "make"}}
    claude.talked(
        {"type": "user", "message": {"role": "user", "content": "Go on."}},
        {"type": "assistant", "message": {"role": "assistant", "content": [entry]}},
    )
    claude.send("UserPromptSubmit")
    assert candidates(claude.world) == []


def test_without_a_transcript_nobody_is_believed_while_a_tool_runs(claude):
    claude.tool("Bash", "c1", command="make")
    claude.send("UserPromptSubmit", transcript_path="/nowhere")
    assert candidates(claude.world) == []
    assert not is_open(claude.world), "a prompt ends what was interrupted"
    claude.send("UserPromptSubmit", transcript_path="/nowhere")
    assert len(candidates(claude.world)) == 1


def test_after_an_interrupted_tool_the_user_is_heard(claude):
    claude.tool("Bash", "c1", command="make")
    entry = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "make"}}
    ended = {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "stopped"}
    claude.talked(
        {"type": "assistant", "message": {"role": "assistant", "content": [entry]}},
        {"type": "user", "message": {"role": "user", "content": [ended]}},
        {"type": "user", "message": {"role": "user", "content": "[Request interrupted by user]"}},
    )
    claude.send("UserPromptSubmit")
    assert len(candidates(claude.world)) == 1


def test_nobody_types_where_a_tool_of_another_agent_runs_this_one(claude, monkeypatch):
    other = Process(os.getppid())
    monkeypatch.setattr("vaultmem.hooks.hosts.run.ancestors", lambda: [this_process(), other])
    open_window(claude.world.here.home / "state", other, "c0", at_ns=time.time_ns())
    claude.send("SessionStart")
    claude.send("UserPromptSubmit")
    assert candidates(claude.world) == []


def test_the_agent_s_settings_are_where_its_variable_says(tmp_path):
    env = Environment(claude_dir=str(tmp_path), codex_home="relative")
    assert settings_of(Host.CLAUDE_CODE, env) == (
        tmp_path / "settings.json", tmp_path / "settings.local.json",
    )  # fmt: skip
    assert settings_of(Host.CODEX, env) == ()


def test_the_agent_is_the_nearest_process_that_is_no_shell(monkeypatch):
    names = {1: "systemd", 2: "claude", 3: "-bash", 4: "sh"}
    monkeypatch.setattr(
        "vaultmem.hooks.hosts.surroundings.name_of", lambda one: names.get(one.pid, "")
    )
    above = [Process(4), Process(3), Process(2), Process(1)]
    assert agent_above(above) == (Process(2), (Process(1),))
    names.clear()
    found = agent_above(above)
    assert found.process.pid == os.getppid()
    assert found.beyond == tuple(above[1:])


# Broken payloads


@pytest.mark.parametrize("event", [one.value for one in HostEvent])
@pytest.mark.parametrize(
    "payload",
    [b"", b"nonsense", b"\xff\xfe", b"[]", b"7", b"{}", b'{"session_id": 7}', b'{"session_id": ""}',
     b'{"session_id": "a\\u0000b"}', b'{"a":' * 100_000,
     b'{"session_id": "s", "cwd": 7, "transcript_path": {}}'],
    ids=lambda payload: repr(payload[:30]),
)  # fmt: skip
def test_a_broken_payload_breaks_nothing(claude, event, payload):
    assert claude.raw(event, payload) == ""
    assert len(claude.warned) == 1


@pytest.mark.parametrize(
    ("event", "changes", "warned"),
    [
        ("PreToolUse", {"tool_name": None}, "`tool_name` is missing."),
        ("PreToolUse", {"tool_input": "rm"}, None),
        ("PreToolUse", {"tool_input": None, "tool_use_id": None}, None),
        ("PostToolUse", {"tool_response": [1, {"a": None}]}, None),
        ("UserPromptSubmit", {"prompt": 7}, "`prompt` must be a text."),
        ("UserPromptSubmit", {"prompt": None}, None),
        ("UserPromptSubmit", {"transcript_path": None, "new_field": [1]}, None),
        ("SessionStart", {"source": "from the future"}, None),
        ("Stop", {"stop_hook_active": "yes"}, "`stop_hook_active` must be true or false."),
        ("Stop", {"transcript_path": "/dev/zero"}, None),
    ],
)
def test_fields_of_another_form_are_named_or_passed_over(claude, event, changes, warned):
    claude.send(event, **changes)
    assert claude.warned == ([] if warned is None else [warned])


def test_a_payload_that_is_too_large_and_an_unknown_event_are_said_on_stderr(claude):
    assert claude.raw("Stop", b" " * (MAX_PAYLOAD + 1)) == ""
    assert claude.warned == [f"The payload has more than {MAX_PAYLOAD} bytes."]
    assert claude.raw("Notification", b"{}") == ""
    assert claude.warned[0].startswith("There is no event of that name; there are SessionStart,")


def test_a_bug_is_logged_and_breaks_nothing(claude, monkeypatch):
    monkeypatch.setattr("vaultmem.hooks.hosts.run.read_talk", lambda *_: 1 / 0)
    claude.talked()
    assert claude.raw("Stop", json.dumps(example(claude.host, "Stop", claude.world)).encode()) == ""
    assert claude.warned == ["This is a bug of vaultmem. Run `vaultmem doctor`."]
    log = claude.world.here.home / "state/crash.log"
    assert "ZeroDivisionError" in log.read_text()
    log.unlink()


def test_without_a_vault_the_person_is_told_once_and_tools_stay_guarded(
    tmp_path, monkeypatch, world
):
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    hosted = Hosted(world, Host.CLAUDE_CODE)
    empty = tmp_path / "empty"
    empty.mkdir()
    world.vault = empty
    told = hosted.send("SessionStart")
    assert "vaultmem" in told["systemMessage"]
    assert context(told) == ""
    hosted.send("UserPromptSubmit")
    assert len(hosted.warned) == 1
    assert denied(hosted.tool("Bash", command=f"cat {world.here.home}/state/device"))
    assert hosted.tool("Bash", command="ls") == {}


# As a command


def run(world, event, payload, *, host="claude-code", shell=False, **env):
    line = [sys.executable, "-m", "vaultmem", "--vault", str(world.vault)]
    line += ["hook", event, "--from", host]
    if shell:
        line = ["sh", "-c", " ".join(line) + "; true"]
    return subprocess.run(
        line, cwd=world.vault, env=clean(world, **env), input=payload,
        capture_output=True, timeout=WAIT, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("shell", [False, True])
def test_the_command_belongs_to_the_agent_above_the_shell(world, known, shell):
    given = example(Host.CLAUDE_CODE, "PreToolUse", world) | {"tool_input": {"command": "make"}}
    done = run(world, "PreToolUse", json.dumps(given).encode(), shell=shell)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert is_open(world)
    found = opened_at(world.here.home / "state", this_process(), given["tool_use_id"])
    assert found


def test_the_command_says_what_is_wrong_on_stderr_and_ends_well(world, known):
    done = run(world, "Stop", b"nonsense")
    assert (done.returncode, done.stdout) == (0, b"")
    said = b"vaultmem: The payload is no JSON. Send one JSON object on standard input.\n"
    assert done.stderr == said


def test_the_answer_does_not_wait_for_what_is_heard(world, known):
    given = example(Host.CLAUDE_CODE, "UserPromptSubmit", world)
    done = run(world, "UserPromptSubmit", json.dumps(given).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    until = time.monotonic() + WAIT
    while not (found := candidates(world)) and time.monotonic() < until:
        time.sleep(0.1)
    assert [one.trust for one in found] == ["user_correction"]


def test_an_agent_that_is_unknown_is_refused_by_the_command_line(world):
    done = run(world, "Stop", b"{}", host="nobody")
    assert done.returncode == 2
    assert b"claude-code" in done.stderr


# The parts


def test_tools_are_called_as_our_own_extension_calls_them():
    assert our_call("Bash", {"command": "ls"}) == ("bash", {"command": "ls"})
    assert our_call("Edit", {"file_path": "a", "old_string": "x"}) == (
        "edit", {"old_string": "x", "path": "a"},
    )  # fmt: skip
    assert our_call("mcp__other__x", {"file_path": "a"}) == ("mcp__other__x", {"file_path": "a"})
    assert our_call("mcp__vaultmem__memory_add", {}) == ("memory_add", {})
    assert our_call("mcp__vaultmem__read", {}) == ("mcp__vaultmem__read", {}), "none of ours"
    patch = our_call("apply_patch", {"command": "*** Add File: a\n*** Update File: b c \n", "n": 1})
    assert patch == ("apply_patch", {"files": ["a", "b c"]})
    assert each_file(patch) == (("edit", {"path": "a"}), ("edit", {"path": "b c"}))
    assert each_file(our_call("Bash", {"files": ["x"]})) == (("bash", {"files": ["x"]}),)


@pytest.mark.parametrize("host", HOSTS)
def test_a_transcript_tells_the_last_prompt_and_what_followed(host):
    talk = read_talk(host, (PAYLOADS / host.value / "transcript.jsonl").read_bytes().splitlines())
    assert talk.prompt == "Now merge it."
    assert talk.reply == "I merged it."
    assert not talk.runs
    assert [one.call.tool for one in talk.calls] == ["bash", "bash"][: len(talk.calls)]
    assert [one.failed for one in talk.calls] == [False] * len(talk.calls)


@pytest.mark.parametrize("host", HOSTS)
def test_a_transcript_of_another_form_tells_nothing(host):
    lines = [
        b"", b"nonsense", b"[]", b"7", b"{}", b'{"a":' * 100_000, b'{"payload": 7, "message": 7}',
        b'{"type": "user", "message": {"content": 7}}',
        b'{"type": "user", "message": {"content": [7, {"type": "tool_result"}, {}]}}',
        b'{"type": "response_item", "payload": {"type": "function_call_output", "call_id": 7}}',
        b'{"type": "event_msg", "payload": {"type": "user_message", "message": [1]}}',
    ]  # fmt: skip
    found = read_talk(host, lines)
    assert (found.prompt, found.calls, found.reply) == ("", (), "")
    assert Talk().runs


def test_calls_of_codex_are_read_in_each_of_their_forms():
    def item(**payload):
        return json.dumps({"type": "response_item", "payload": payload}).encode()

    talk = read_talk(
        Host.CODEX,
        [
            item(type="function_call", call_id="a", name="shell", arguments='{"command": ["ls"]}'),
            item(type="function_call", call_id="b", name="x", arguments="nonsense"),
            item(type="function_call", call_id="c", name="x", arguments="[]"),
            item(type="local_shell_call", call_id="d", action=None),
            item(type="function_call_output", call_id="a", output={"success": False, "content": "no"}),
            item(type="function_call_output", call_id="b", output="Blocked by PreToolUse hook: x"),
            item(type="message", role="user", content=[{"text": "not typed"}]),
        ],
    )  # fmt: skip
    assert [(one.call.tool, one.failed, one.ran) for one in talk.calls] == [
        ("bash", True, True), ("x", False, False), ("x", None, True), ("bash", None, True),
    ]  # fmt: skip
    assert talk.runs
    assert talk.prompt == ""


def test_only_the_last_calls_are_kept():
    part = [{"type": "tool_use", "id": str(one), "name": "Bash"} for one in range(MOST_CALLS + 5)]
    line = json.dumps({"type": "assistant", "message": {"content": part}}).encode()
    talk = read_talk(Host.CLAUDE_CODE, [line])
    assert len(talk.calls) == MOST_CALLS
    assert talk.calls[-1].id == str(MOST_CALLS + 4)


def test_the_end_of_a_file_is_read_in_whole_lines(tmp_path):
    place = tmp_path / "talk.jsonl"
    place.write_bytes(b"a\nb\n")
    assert last_lines(place) == [b"a", b"b", b""]
    place.write_bytes(b"x" * MOST_BYTES + b"\nb\n")
    assert last_lines(place) == [b"b", b""]
    os.mkfifo(tmp_path / "pipe")
    for other in (tmp_path / "pipe", tmp_path, tmp_path / "none", tmp_path / "a\0b"):
        assert last_lines(other) == []


def test_what_is_empty_is_not_printed():
    assert Told().line(HostEvent.STOP) == ""
    assert json.loads(Told(notice="x").line(HostEvent.STOP)) == {"systemMessage": "x"}


def test_sections_are_added_while_there_is_room():
    assert sections_text([("a", ""), ("b", "x")]) == "<b>\nx\n</b>"
    assert sections_text([("a", "x"), ("b", "y" * MOST_CONTEXT), ("c", "z")]) == "<a>\nx\n</a>"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("See `/memory inbox`.", "See `vaultmem inbox`."),
        ("`/memory` shows it", "`vaultmem inbox` shows it"),
        ("`/memory review`", "`vaultmem patch list`"),
        ("`/memory on read`", "`vaultmem on --read --session s1`"),
        ("`/memory on`", "`vaultmem on --session s1`"),
        ("a /memory b", "a /memory b"),
    ],
)
def test_commands_are_told_as_a_terminal_takes_them(text, told):
    assert in_terminal(text, session="s1") == told
    assert in_terminal("`/memory on`", session="a; rm") == "`vaultmem on`"


# The lines for their settings

PAGE = Path(__file__).resolve().parents[2] / "docs/tutorial/other-agents.md"


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(), re.S)


def test_the_settings_of_the_tutorial_name_events_that_we_know():
    servers, claude = map(json.loads, blocks("json"))
    (codex,) = map(tomllib.loads, blocks("toml"))
    assert (
        servers["mcpServers"]
        == codex["mcp_servers"]
        == {"vaultmem": {"command": "vaultmem", "args": ["mcp"]}}
    )
    for host, settings in (("claude-code", claude), ("codex", codex)):
        for event, groups in settings["hooks"].items():
            assert HostEvent(event)
            assert [one["command"] for group in groups for one in group["hooks"]] == [
                f"vaultmem hook {event} --from {host}"
            ]
            assert (PAYLOADS / host / f"{event}.json").is_file()
    named = {*claude["hooks"], *codex["hooks"]}
    assert named == {one.value for one in HostEvent}


def test_the_line_of_the_tutorial_to_try_a_hook_works(world, known):
    (line,) = [one for one in PAGE.read_text().splitlines() if one.startswith("echo ")]
    program = f"{sys.executable} -m vaultmem --vault {world.vault}"
    done = subprocess.run(
        ["sh", "-c", line.replace("| vaultmem", f"| {program}")],
        cwd=world.vault, env=clean(world), capture_output=True, timeout=WAIT, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert SAYS in context(json.loads(done.stdout))


# What nobody waits for


@pytest.mark.parametrize("child", [0, 7])
def test_the_rest_is_left_to_a_process_of_its_own(claude, monkeypatch, child):
    done = []
    for name in ("setsid", "dup2", "_exit"):
        monkeypatch.setattr(os, name, lambda *_, name=name: done.append(name))
    monkeypatch.setattr(os, "fork", lambda: child)
    monkeypatch.setattr("vaultmem.hooks.hosts.run.threading.active_count", lambda: 1)
    given = json.dumps(example(claude.host, "UserPromptSubmit", claude.world)).encode()
    run_from(
        claude.host, "UserPromptSubmit", str(claude.world.vault), given,
        say=lambda _: None, warn=claude.warned.append,
    )  # fmt: skip
    monkeypatch.undo()
    if child:
        assert done == []
        assert candidates(claude.world) == []
    else:
        assert done == ["setsid", "dup2", "dup2", "dup2", "_exit"]
        assert len(candidates(claude.world)) == 1


def test_what_a_person_can_mend_is_said(claude, monkeypatch):
    def broken(_):
        raise ReadOnlyError("The disk is full. Free some space.")

    monkeypatch.setitem(EVENTS, HostEvent.STOP, broken)
    assert claude.send("Stop") == {}
    assert claude.warned == ["The disk is full. Free some space."]
