"""`serve` and `hook` as the agent's extension starts them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time

import psutil
import pytest
from click.testing import CliRunner

from tests.hooks.process import WAIT, Served, environment, hook
from tests.services.candidates import captured
from tests.world import SAYS
from vaultmem.cli.main import cli
from vaultmem.config import Environment
from vaultmem.hooks import __main__ as entry
from vaultmem.hooks import command as both
from vaultmem.hooks import processes
from vaultmem.hooks.wire import MAX_LINE
from vaultmem.services.curating.candidates import waiting as waits
from vaultmem.store.ended import read_ended
from vaultmem.store.process import this_process
from vaultmem.store.windows import close_window, open_window


@pytest.fixture
def served(world, known):
    made = Served(world)
    yield made
    made.end()


def test_a_whole_session_is_served(served, world, known):
    started = served.ask("session_start", mode="tui")
    assert started["program"]
    sections = served.ask("before_agent_start", prompt="which files do I add?")["sections"]
    assert SAYS in sections["project_memory"]
    assert served.ask("tool_call", tool="read", call="c1", input={"path": "x"}) == {}
    assert served.ask("tool_result", tool="read", call="c1", input={"path": "x"}, text="x") == {}
    found = served.ask(
        "tool", name="memory_search", arguments={"query": "files", "mode": "keyword"}
    )
    assert SAYS in found["text"]
    assert served.ask("turn_end", turn=0)["retry"] is False
    assert served.ask("session_shutdown", reason="quit") == {}
    assert served.end() == 0
    assert read_ended(world.here.call().vault.state.folder) == [], "settled before it ended"


def test_what_is_no_request_is_answered_and_the_next_one_is_served(served):
    served.write("nonsense")
    assert served.other()["error"]["code"] == "bad_request"
    served.write("x" * (MAX_LINE + 10))
    assert served.other()["error"]["code"] == "too_large"
    assert served.ask("rules")["rules"]["block"] == []


def test_answers_come_although_the_last_line_was_cut_off(served):
    number = served.send("session_start", mode="print")
    served.process.stdin.write(b'{"v":1,"id":99')
    assert served.answer(number)["result"]
    assert served.end() == 0


def test_the_person_speaks_only_through_the_extension_s_own_child(world, known):
    started_by_a_tool = Served(world, VAULTMEM_AGENT_PID=str(os.getppid()))
    told = started_by_a_tool.answer(started_by_a_tool.send("command", text="status"))
    assert told["error"]["code"] == "refused"
    started_by_a_tool.end()

    no_name = Served(world, VAULTMEM_AGENT_PID="", PI_SESSION_ID="s")
    assert no_name.answer(no_name.send("ui", panel="inbox", action="approve"))["error"]
    no_name.end()

    own = Served(world, VAULTMEM_AGENT_PID="")
    assert own.ask("command", text="inbox")["text"] == "Nothing waits for you."
    own.end()


INNER = """
import os, subprocess, sys
os.environ["VAULTMEM_AGENT_PID"] = str(os.getpid())
sys.exit(subprocess.run([sys.executable, "-I", "-m", "vaultmem.hooks", "serve", sys.argv[1]]).returncode)
"""
"""An agent that starts its helper as the extension does; it has taken every sign of another away."""


def _a_tool_runs(world, ends=False):
    """A tool of the agent that we are starts, or ends."""
    record = close_window if ends else open_window
    record(world.here.home / "state", this_process(), "tool", at_ns=time.time_ns())


def test_an_agent_that_a_tool_started_does_not_speak_for_the_person(world, known):
    """Whatever its environment says: a tool of the agent above it runs."""
    path = captured(world.here.call(), "Rebuild indexes concurrently.")
    _a_tool_runs(world)
    asked = {
        "command": {"text": "status"},
        "ui": {"panel": "inbox", "row": path, "action": "approve"},
    }
    for command in (["-c", INNER, str(world.vault)], None):
        inner = Served(world, command=command, VAULTMEM_AGENT_PID="")
        for event, payload in asked.items():
            assert inner.answer(inner.send(event, **payload))["error"]["code"] == "refused"
        inner.ask("input", text="Always run the linter before pushing to main.", source="rpc")
        inner.end()
    assert [one.candidate.memory.statement for one in waits(world.here.call())] == [
        "Rebuild indexes concurrently."
    ], "nothing was approved, and nothing was heard"
    _a_tool_runs(world, ends=True)
    inner = Served(world, command=["-c", INNER, str(world.vault)])
    assert "result" in inner.answer(inner.send("command", text="help"))
    inner.end()


def test_the_extension_s_own_child_speaks_for_the_person_while_a_tool_of_its_agent_runs(
    world, known
):
    """A helper that died is started again at any moment."""
    _a_tool_runs(world)
    own = Served(world)
    assert own.ask("command", text="help")
    own.end()


def test_what_a_tool_runs_in_place_of_its_shell_does_not_speak_for_the_person(world, known):
    """`exec` makes the agent the parent; but only what its shell runs has the session's id."""
    run = Served(world, PI_SESSION_ID="s")
    assert run.answer(run.send("command", text="status"))["error"]["code"] == "refused"
    run.end()


def test_an_event_by_hand_speaks_for_the_person_unless_a_tool_runs_it(world, known):
    nobody = {"AI_AGENT": "", "PI_CODING_AGENT": "", "VAULTMEM_AGENT_PID": ""}
    assert "result" in hook(world, "command", {"text": "help"}, **nobody)
    _a_tool_runs(world)
    told = hook(world, "command", {"text": "help"}, **nobody)
    assert told["error"]["code"] == "refused"


def test_it_ends_with_its_parent(world, known):
    """The agent is killed and cannot close anything; its child holds the pipe of another process."""
    script = (
        "import subprocess, sys, os, time\n"
        "os.environ['VAULTMEM_AGENT_PID'] = str(os.getpid())\n"
        "child = subprocess.Popen([sys.executable, '-I', '-m', 'vaultmem.hooks', 'serve', sys.argv[1]],"
        " stdin=int(sys.argv[2]), stdout=subprocess.DEVNULL)\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    read, write = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", script, str(world.vault), str(read)],
        env=environment(world),
        stdout=subprocess.PIPE,
        pass_fds=(read,),
    ) as parent:
        child = int(parent.stdout.readline())
        parent.kill()
        parent.wait(WAIT)
        end = time.monotonic() + WAIT
        while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < end
            time.sleep(0.05)
    os.close(read)
    os.close(write)


def test_stdout_belongs_to_the_protocol(served):
    """A library that prints would break a line."""
    served.ask("before_agent_start", prompt="which files?")
    served.process.stdin.close()
    assert served.process.wait(WAIT) == 0
    assert served._other.empty()


def test_one_event_is_answered_by_hook(world, known):
    told = hook(world, "before_agent_start", {"prompt": "list the files", "sub_agent": True})

    assert list(told["result"]["sections"]) == ["project_memory"]
    assert SAYS in told["result"]["sections"]["project_memory"]


def test_hook_does_what_is_left_to_do_after_its_answer(world, known):
    captured(world.here.call(), "Rebuild indexes concurrently.")

    assert hook(world, "session_shutdown", {"reason": "quit"}) == {"result": {}}

    assert read_ended(world.here.call().vault.state.folder) == []
    said = [one.statement for one in world.here.call().vault.baseline.standings()]
    assert "Rebuild indexes concurrently." in said


@pytest.mark.parametrize(
    ("event", "payload", "code"),
    [
        ("wake_up", {}, "unknown_event"),
        ("tool_call", {}, "bad_request"),
        ("rules", "x", "bad_request"),
    ],
)
def test_hook_answers_what_is_wrong(world, event, payload, code):
    assert hook(world, event, payload)["error"]["code"] == code


def test_an_agent_s_hook_does_not_speak_for_the_person(world, known):
    assert hook(world, "command", {"text": "status"})["error"]["code"] == "refused"
    ours = {"AI_AGENT": "", "PI_CODING_AGENT": ""}
    assert "result" in hook(world, "command", {"text": "help"}, **ours)


def test_other_arguments_are_refused(world):
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vaultmem.hooks", "explode"], capture_output=True, check=False
    )

    assert done.returncode == 2
    assert done.stderr.startswith(b"usage: ")


def test_the_commands_are_the_same(world, known):
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(world.vault), "hook", "rules"],
        env=environment(world),
        input=b"{}",
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b'{"result":{"rules":')
    command = ["-m", "vaultmem", "--vault", str(world.vault), "serve"]
    served = Served(world, command=command)
    assert served.ask("before_agent_start", prompt="which files?")["sections"]
    assert served.end() == 0


@pytest.mark.parametrize(
    ("named", "parent", "gone"),
    [
        ("ours", 1, False),
        ("1", 1, False),
        (str(2**22 + 7), 5, True),
        (None, 1, True),
        (None, 5, False),
        ("x", 5, False),
    ],
)
def test_a_process_whose_agent_has_gone_does_not_stay(monkeypatch, named, parent, gone):
    monkeypatch.setattr(os, "getppid", lambda: parent)
    pid = str(os.getpid()) if named == "ours" else named

    assert processes.agent_has_gone(Environment(agent_pid=pid)) is gone


@pytest.mark.parametrize(
    ("arguments", "called"),
    [
        (["serve"], ("serve", None)),
        (["serve", "V"], ("serve", "V")),
        (["hook", "rules"], ("rules", None)),
        (["hook", "rules", "V"], ("rules", "V")),
    ],
)
def test_the_arguments_name_what_is_started_and_the_vault(monkeypatch, arguments, called):
    seen = []
    monkeypatch.setattr(entry, "run_serve", lambda vault: seen.append(("serve", vault)))
    monkeypatch.setattr(entry, "run_hook", lambda event, vault, *_: seen.append((event, vault)))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{}")))

    assert entry.main(arguments) == 0
    assert seen == [called]


@pytest.mark.parametrize("vault", [[], ["--vault", "V"]])
def test_the_commands_start_the_same_with_the_vault_that_is_named(monkeypatch, vault):
    seen = []
    monkeypatch.setattr(both, "run_serve", lambda named: seen.append(("serve", named)))
    monkeypatch.setattr(
        both,
        "run_hook",
        lambda event, named, payload, say: (seen.append((event, named, payload)), say(b"{}\n")),
    )
    named = vault[-1] if vault else None

    for arguments in (["serve"], ["serve", "--json"]):
        assert CliRunner().invoke(cli, [*vault, *arguments]).exit_code == 0
    done = CliRunner().invoke(cli, [*vault, "hook", "rules"], input=b'{"session":"s1"}')

    assert done.output == "{}\n"
    assert seen == [("serve", named), ("serve", named), ("rules", named, b'{"session":"s1"}')]


@pytest.mark.parametrize("arguments", [[], ["serve", "a", "b"], ["hook"]])
def test_what_is_not_understood_is_answered_with_the_usage(capsys, arguments):
    assert entry.main(arguments) == 2
    assert capsys.readouterr().err == f"{entry.USAGE}\n"


def test_hook_in_this_process_answers_and_works_on(world, known, monkeypatch):
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    monkeypatch.chdir(world.vault)
    said = []

    processes.run_hook("session_shutdown", str(world.vault), b'{"session":"s1"}', said.append)
    processes.run_hook("nothing", None, b"{}", said.append)

    assert said[0] == b'{"result":{}}\n'
    assert b"unknown_event" in said[1]
    assert read_ended(world.here.call().vault.state.folder) == []


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["serve", "hook rules"])
@pytest.mark.parametrize("module", ["vaultmem.hooks", "vaultmem"])
def test_without_anybody_to_talk_to_it_ends_quietly(world, known, module, words, closed):
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m {module} {words} {closed}', sys.executable],
        env=environment(world, VAULTMEM_VAULT=str(world.vault)),
        input=b"",
        capture_output=True,
        timeout=WAIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_answer_that_nobody_reads_is_no_trouble(world, known):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vaultmem.hooks", "hook", "rules", str(world.vault)],
        env=environment(world),
        input=b"{}",
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=WAIT,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_place_for_complaints_it_serves_all_the_same(world, known):
    script = 'exec "$0" -I -m vaultmem.hooks serve "$1" 2>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", script, sys.executable, str(world.vault)],
        env=environment(world),
        input=b'{"v":1,"id":1,"event":"rules","payload":{}}\n',
        stdout=subprocess.PIPE,
        timeout=WAIT,
        check=True,
    )
    assert done.stdout.startswith(b'{"v":1,"id":1,"result"')
