"""Work on the notebook while the agent rests: when it starts, that one process does it, its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.hooks.serving import SESSION, Serving
from tests.hooks.test_serve import WAIT, Loop
from tests.pi.model_server import MODEL, ModelServer
from tests.services.notebook.scripted_run import (
    LINE,
    RESTED,
    dreamt,
    learned,
    rested,
    rewritten,
    with_model,
)
from vaultmem.hooks import resting
from vaultmem.hooks.resting import NICE, Pauses, Resting
from vaultmem.services.notebook.enable import disable, enable
from vaultmem.store.notebook_runs import NOBODY, NotebookRun, read_run, write_run
from vaultmem.store.process import Process, is_running, process_of, this_process
from vaultmem.store.user_config_edit import edit_user_config

NOW = Pauses(look=0.02, rest=0.0, asked=0.0, between=900.0, failed=3_600.0)
LONG = NOW._replace(rest=3_600.0)
SLEEPS = "import time; time.sleep(600)"
WITH_A_CHILD = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open(sys.argv[1], 'w').write(str(child.pid)); time.sleep(600)"
)
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(600)"


def set_llm(serving, value: str | None) -> None:
    edit_user_config(serving.shared.home, lambda config: config.update(llm=value))


def project(serving) -> str:
    from vaultmem.hooks.payloads import Place

    return serving.here.project(Place(session=SESSION, cwd=str(serving.world.vault)))


@pytest.fixture
def serving(world, known):
    """The notebook is on, on this device, and a model is named; nothing was ever dreamt."""
    made = Serving(world)
    enable(world.here.call(), made.shared.home, project(made))
    set_llm(made, "http://127.0.0.1:9/v1")
    yield made
    made.close()
    assert made.crash == ""


class Children:
    """What is started in place of a run."""

    def __init__(self) -> None:
        self.code = SLEEPS
        self.arguments: list[str] = []
        self.made: list[subprocess.Popen] = []

    def start(self, _here) -> subprocess.Popen:
        command = [sys.executable, "-c", self.code, *self.arguments]
        self.made.append(subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True))
        return self.made[-1]


@pytest.fixture
def children(monkeypatch):
    made = Children()
    monkeypatch.setattr(resting, "_child", made.start)
    yield made
    for one in made.made:
        one.kill()
        one.wait(WAIT)
        one.stdout.close()


@pytest.fixture
def rest(serving):
    made = Resting(serving.shared, NOW)
    yield made
    made.end()


def record(serving) -> NotebookRun:
    return read_run(serving.here.app.vault.state.folder)


def write(serving, run: NotebookRun) -> None:
    write_run(serving.here.app.vault.state.folder, run)


def test_a_run_starts_when_the_agent_rests_and_something_is_due(serving, children, rest):
    rest.look(serving.here)

    (child,) = children.made
    assert record(serving).process == process_of(child.pid)
    rest.look(serving.here)  # one at a time
    assert len(children.made) == 1


def test_none_starts_while_the_agent_works(serving, children):
    rest = Resting(serving.shared, LONG)

    rest.look(serving.here)

    assert children.made == []


def test_after_a_look_the_next_one_waits_as_long_as_a_rest(serving, children, monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr(resting, "time", SimpleNamespace(monotonic=lambda: now))
    rest = Resting(serving.shared, NOW._replace(rest=60.0))
    write(serving, NotebookRun(this_process()))  # another one works
    now += 60
    rest.look(serving.here)
    write(serving, NotebookRun())

    now += 59
    rest.look(serving.here)
    assert children.made == []
    now += 1
    rest.look(serving.here)
    assert len(children.made) == 1
    rest.end()


def off(serving):
    disable(serving.world.here.call(), serving.shared.home, project(serving))


def no_model(serving):
    set_llm(serving, None)


def stopping(serving):
    serving.shared.stopping.set()


def another_works(serving):
    write(serving, NotebookRun(this_process()))


def lately(serving):
    write(serving, NotebookRun(NOBODY, time.time() + 60))


def another_device(serving):
    text = serving.world.read("Memory/Settings.md")
    own = serving.world.here.call().vault.device
    serving.world.write("Memory/Settings.md", text.replace(own, f"dev_{'0' * 25}1"))
    serving.world.here.sync()


def a_tool_runs(serving):
    serving.world.here.open_window(time.time_ns())


@pytest.mark.parametrize(
    "why", [off, no_model, stopping, another_works, lately, another_device, a_tool_runs]
)
def test_none_starts_where_it_may_not(serving, children, rest, why):
    why(serving)

    rest.look(serving.here)

    assert children.made == []


@pytest.mark.parametrize("why", [off, no_model, stopping, another_works, a_tool_runs])
def test_what_was_asked_for_may_not_start_there_either(serving, children, why):
    rest = Resting(serving.shared, LONG)
    serving.shared.notebook_wanted.set()
    why(serving)

    rest.look(serving.here)

    assert children.made == []
    assert serving.shared.notebook_wanted.is_set()


@pytest.mark.parametrize("why", [lately, another_device])
def test_what_was_asked_for_starts_soon(serving, children, why):
    rest = Resting(serving.shared, LONG)
    serving.shared.notebook_wanted.set()
    why(serving)

    rest.look(serving.here)
    rest.end()

    assert len(children.made) == 1
    assert not serving.shared.notebook_wanted.is_set()


@pytest.mark.parametrize(("code", "wait"), [("", 900), ("raise SystemExit(3)", 3_600)])
def test_when_the_next_one_may_start_depends_on_how_it_ended(serving, children, rest, code, wait):
    children.code = code
    rest.look(serving.here)
    children.made[0].wait(WAIT)

    rest.look(serving.here)

    assert len(children.made) == 1
    assert record(serving).process == NOBODY
    assert record(serving).next == pytest.approx(time.time() + wait, abs=60)


def test_two_processes_beside_agents_start_one_run(serving, world, children, rest):
    other = Serving(world)
    second = Resting(other.shared, NOW)

    rest.look(serving.here)
    second.look(other.here)
    second.end()
    other.close()

    assert len(children.made) == 1


def test_a_run_ends_with_all_that_it_started(serving, children, rest, tmp_path):
    children.code, children.arguments = WITH_A_CHILD, [str(tmp_path / "pid")]
    rest.look(serving.here)
    until((tmp_path / "pid").exists)
    grandchild = Process(int((tmp_path / "pid").read_text() or 0))

    rest.end()

    assert children.made[0].wait(WAIT) == -signal.SIGTERM
    until(lambda: not is_running(process_of(grandchild.pid)))


def test_a_run_that_does_not_listen_is_killed(serving, children, rest, monkeypatch):
    monkeypatch.setattr(resting, "ENDING_SECONDS", 0.2)
    children.code = DEAF
    rest.look(serving.here)
    assert children.made[0].stdout.readline() == b"x\n"

    rest.end()

    assert children.made[0].wait(WAIT) == -signal.SIGKILL


def until(true, seconds: float = WAIT) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# in the loop


@pytest.fixture
def begun(serving):
    """A loop that listens, with the pauses that are asked for."""
    ends = []

    def begin(pauses: Pauses) -> Loop:
        source, sink = os.pipe()
        loop = Loop(serving, pauses=pauses)
        reader = os.fdopen(source, "rb")
        runs = threading.Thread(target=lambda: (loop.server.run(reader), loop.server.close()))
        runs.start()
        ends.append((sink, runs, reader))
        return loop

    def end() -> None:
        while ends:
            sink, runs, reader = ends.pop()
            os.close(sink)
            runs.join(WAIT)
            reader.close()

    begin.end = end
    yield begin
    end()


def test_the_loop_starts_a_run_when_the_agent_rests_and_ends_it(children, begun):
    begun(NOW)
    until(lambda: children.made)

    begun.end()

    assert children.made[0].wait(WAIT) == -signal.SIGTERM


def test_events_are_no_rest_and_signs_of_life_no_work(serving, monkeypatch):
    heard: list[float] = []
    monkeypatch.setattr(Resting, "hear", lambda _: heard.append(time.monotonic()))
    loop = Loop(serving)

    loop.answer(loop.send("rules"))
    assert heard == []
    loop.answer(loop.send("session_compact", will_retry=False))
    assert len(heard) == 1
    loop.server.close()


def test_the_agent_rests_from_its_last_event_on(serving, children, rest):
    rest = Resting(serving.shared, LONG)
    rest._heard -= LONG.rest
    rest.hear()

    rest.look(serving.here)

    assert children.made == []


# the child


def test_the_child_is_the_command_in_a_group_of_its_own_and_gives_way(serving, monkeypatch):
    monkeypatch.setenv("VAULTMEM_HOME", str(serving.world.here.home))
    monkeypatch.setenv("AI_AGENT", "pi")
    monkeypatch.setattr(resting, "COMMAND", ("watch",))  # goes on until it is ended
    rest = Resting(serving.shared, NOW)
    rest.look(serving.here)
    pid = record(serving).process.pid

    about = Path(f"/proc/{pid}")
    words = (about / "cmdline").read_bytes().split(b"\0")[1:-1]
    assert words == [
        b"-I",
        b"-m",
        b"vaultmem",
        b"--vault",
        os.fsencode(serving.world.vault),
        b"watch",
    ]
    assert os.getpgid(pid) == pid
    assert os.getpriority(os.PRIO_PROCESS, pid) >= NICE
    assert b"AI_AGENT" not in (about / "environ").read_bytes()

    rest.end()
    assert not is_running(process_of(pid))


# for real


def test_while_the_agent_rests_sessions_become_the_notebook(
    serving, world, known, begun, monkeypatch
):
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(world.folder / "agent"))
    rested(world.folder / "agent/sessions", world.vault)
    with ModelServer(learned(), *rewritten(), dreamt()) as model:
        with_model(world, llm=model.url, llm_model=MODEL)
        loop = begun(NOW._replace(rest=0.5))
        given = {"reason": "startup", "mode": "tui", "file": "", "nested": False, "missed": []}
        loop.answer(loop.send("session_start", **given))

        until(world.path("Memory/MEMORY.md").is_file, 60.0)
        until(lambda: record(serving).process == NOBODY, 60.0)
        begun.end()

    assert LINE in world.read("Memory/MEMORY.md")
    assert model.unexpected == []
    assert record(serving).next == pytest.approx(time.time() + NOW.between, abs=120)
    (made,) = serving.here.app.notebook.cards.all()
    assert made.session == RESTED
