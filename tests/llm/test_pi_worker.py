"""The real Pi as the notebook's model, with a scripted provider behind it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.pi.installed import BOTH
from tests.pi.model_server import MODEL, Call, ModelServer, Reply, calls, says
from tests.pi.processes import eventually
from vaultmem.errors import (
    AnswerCutError,
    ModelDownError,
    ModelRefusedError,
    ModelStoppedError,
    NoModelError,
)
from vaultmem.llm.model import MOST_STEPS, MOST_TOLD, Answer, Ask, Purpose, Task, Usage
from vaultmem.llm.pi_worker import PiModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultmem.core.json_splice import Json
    from vaultmem.store.desk import Desk

    StartPi = Callable[..., PiModel]

SCHEMA: Json = {"type": "object", "properties": {"a": {"type": "string"}}}
ASK = Ask(Purpose.EXTRACT, "You extract.", "- A transcript\nof “two” lines.", SCHEMA, 500)
FENCED = [f"notebook_{name}" for name in ("list", "read", "write", "edit", "remove")]


def never() -> bool:
    return False


def task(desk: Desk, **changes: object) -> Task:
    made = Task(Purpose.CONSOLIDATE, "You rewrite.", "Begin.", desk, 60.0, never)
    return made._replace(**changes)


@BOTH
def test_pi_is_asked_with_our_instructions_and_nothing_of_the_persons(
    start_pi: StartPi, model: ModelServer, tmp_path: Path
) -> None:
    model.script(says('{"a": "b"}'))
    pi = start_pi()
    answer = pi.ask(ASK, seconds=60, stop=never)
    assert (answer.text, answer.cut) == ('{"a": "b"}', False)
    assert pi.spent() == Usage(100, 10, None)
    assert model.last.system_prompt.startswith("You extract.")
    assert model.last.system_prompt.rstrip().endswith(json.dumps(SCHEMA))
    assert model.last.newest_text == ASK.prompt
    assert model.last.tool_names == []
    assert "PLANTED" not in model.last.text
    assert len(model.requests) == 1
    assert not (tmp_path / "pi/agent/sessions").exists()
    assert (pi.name, pi.window, pi.remaining_percent()) == ("default", 32_000, None)


@pytest.mark.parametrize("prompt", ["/planted now", "/skill:planted now", "@AGENTS.md now"])
def test_a_prompt_is_text_whatever_it_begins_with(
    start_pi: StartPi, model: ModelServer, prompt: str
) -> None:
    model.script(says("{}"))
    start_pi().ask(ASK._replace(prompt=prompt), seconds=60, stop=never)
    assert model.last.newest_text == prompt


@BOTH
def test_pi_works_on_the_desk_with_the_five_tools_only(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    model.script(
        calls("notebook_read", path="raw_memories.md"),
        Reply(
            calls=(
                Call(
                    name="notebook_edit", arguments={"path": "MEMORY.md", "old": "old", "new": "a"}
                ),
                Call(
                    name="notebook_edit", arguments={"path": "MEMORY.md", "old": "line", "new": "b"}
                ),
                Call(name="notebook_write", arguments={"path": "Skills/x/SKILL.md", "text": "s\n"}),
            )
        ),
        says("Done."),
    )
    pi = start_pi(f"fake/{MODEL}")
    pi.work(task(desk))
    assert (len(model.requests), pi.spent()) == (3, Usage(300, 30, None))
    assert model.last.tool_names == FENCED
    assert (desk.folder / "MEMORY.md").read_text() == "# Task Group: build\na b\n"
    assert (desk.folder / "Skills/x/SKILL.md").read_text() == "s\n"
    assert model.last.results()[0] == "# Raw memories\nThe build needs make.\n"
    assert desk.strays() == ()
    assert model.last.body["model"] == MODEL
    assert pi.destination == f"Pi, model fake/{MODEL}"


@BOTH
def test_a_worker_that_tries_to_leave_the_fence_gets_errors(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    outside = desk.folder.parent / "outside.txt"
    outside.write_text("private")
    (desk.folder / "link.md").symlink_to(outside)
    tries = (
        Call(name="notebook_read", arguments={"path": "../outside.txt"}),
        Call(name="notebook_read", arguments={"path": str(outside)}),
        Call(name="notebook_read", arguments={"path": "link.md"}),
        Call(name="notebook_write", arguments={"path": ".git/config", "text": "x"}),
        Call(name="notebook_write", arguments={"path": "MEMORY.md", "text": "x" * 1_100_000}),
        Call(name="bash", arguments={"command": f"echo x > {outside}"}),
        Call(name="read", arguments={"path": str(outside)}),
        Call(name="write", arguments={"path": str(outside), "content": "x"}),
    )
    model.script(Reply(calls=tries), says("Oh."))
    start_pi().work(task(desk))
    results = model.last.results()
    assert len(results) == len(tries)
    assert "private" not in "".join(results)
    assert outside.read_text() == "private"
    assert (desk.folder / "MEMORY.md").read_text() == "# Task Group: build\nold line\n"
    assert [one.path for one in desk.strays()] == ["link.md"]


def test_pi_sees_nothing_that_leads_back_to_us_and_knows_that_it_is_an_agent(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    seen: list[dict[str, str]] = []
    before = set(psutil.Process().children())  # what other tests of this process left running

    def look() -> bool:
        if not seen and model.requests:
            (pi,) = set(psutil.Process().children()) - before
            seen.append(pi.environ())
        return False

    model.script(Reply(text="Done.", delay=1.0))
    planted = dict.fromkeys(("VAULTMEM_VAULT", "VAULTMEM_LLM_KEY", "PI_SESSION_ID"), "planted")
    start_pi(**planted, AI_AGENT="pi", ACME_API_KEY="of-a-provider").work(task(desk, stop=look))
    (environment,) = seen
    assert "planted" not in environment.values()
    assert environment["AI_AGENT"] in ("vaultmem", "pi")
    assert environment["ACME_API_KEY"] == "of-a-provider"


def test_stopped_work_ends_pi_and_all_that_it_started(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    found: list[psutil.Process] = []
    before = set(psutil.Process().children(recursive=True))

    def look() -> bool:
        found[:] = set(psutil.Process().children(recursive=True)) - before
        return len(model.requests) == 2

    model.script(calls("notebook_list"), Reply(text="late", delay=30.0))
    with pytest.raises(ModelStoppedError):
        start_pi().work(task(desk, stop=look))
    assert time.monotonic() - model.last.received_at < 20
    assert len(found) >= 2  # Pi and the Python that does its calls
    assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in found)


def test_work_that_takes_too_long_is_ended(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    model.script(Reply(text="late", delay=30.0))
    with pytest.raises(ModelDownError, match="within 2 seconds"):
        start_pi().work(task(desk, seconds=2.0))


def test_a_cut_answer_is_told_apart(start_pi: StartPi, model: ModelServer, desk: Desk) -> None:
    model.script(Reply(text='{"a": "b', finish="length", repeat=True))
    pi = start_pi()
    assert pi.ask(ASK, seconds=60, stop=never).cut
    with pytest.raises(AnswerCutError):
        pi.work(task(desk))
    assert pi.spent().output == 20  # Pi says nothing of a summary that was cut itself


def test_what_pi_spends_on_a_summary_of_its_own_is_counted(
    start_pi: StartPi, model: ModelServer, desk: Desk
) -> None:
    model.script(Reply(text="I will", finish="length"), says("Done.", "Begin."), says("Done."))
    pi = start_pi()
    pi.work(task(desk))
    assert len(model.requests) > 1
    assert pi.spent() == Usage(100 * len(model.requests), 10 * len(model.requests))


def test_a_provider_that_fails_is_down_and_what_was_sent_is_not_quoted(
    start_pi: StartPi, model: ModelServer
) -> None:
    private = "the customer lives in Elm Street 7 and his dog is called Rex"
    model.script(Reply(status=400, text=f"cannot parse {private}", repeat=True))
    with pytest.raises(ModelDownError, match="Pi's model failed") as caught:
        start_pi().ask(ASK._replace(prompt=private), seconds=60, stop=never)
    assert "Elm" not in str(caught.value)
    model.script(Reply(status=400, text="too many tokens", repeat=True))
    with pytest.raises(ModelDownError, match="too many tokens"):
        start_pi().ask(ASK, seconds=60, stop=never)


def test_a_model_that_pi_does_not_know_is_refused(start_pi: StartPi) -> None:
    with pytest.raises(ModelRefusedError, match="Pi ended without an answer"):
        start_pi("nowhere/nothing").ask(ASK, seconds=60, stop=never)


def test_a_pi_that_is_not_there_or_cannot_start_says_what_to_do(tmp_path: Path) -> None:
    pi = PiModel(None, environment={"PATH": str(tmp_path)})
    with pytest.raises(NoModelError, match="Pi is not found"):
        pi.ask(ASK, seconds=5, stop=never)
    (tmp_path / "pi").write_text("#!/nowhere/at/all\n")
    (tmp_path / "pi").chmod(0o700)
    with pytest.raises(NoModelError, match="could not be started"):
        pi.ask(ASK, seconds=5, stop=never)
    assert pi.destination == "Pi, its default model"


def printing(folder: Path, text: str) -> PiModel:
    """A program by the name of Pi that prints what no real one does."""
    (folder / "lines").write_text(text)
    (folder / "pi").write_text(f'#!/bin/sh\nexec cat "{folder}/lines"\n')
    (folder / "pi").chmod(0o700)
    return PiModel(None, environment={"PATH": f"{folder}{os.pathsep}{os.defpath}"})


ANSWER = {"role": "assistant", "stopReason": "stop", "content": [{"type": "text", "text": "x"}]}


def test_lines_that_are_no_event_are_passed_over(tmp_path: Path) -> None:
    told = '{"type":"message_end","message":'
    odd = ("{", f"{told}{{", f"{told}null}}", f'{told}{{"role":"user"}}}}', "[]")
    pi = printing(tmp_path, "\n".join((*odd, f"{told}{json.dumps(ANSWER)}}}")))
    assert pi.ask(ASK, seconds=60, stop=never) == Answer("x")


def test_what_no_pi_tells_ends_nothing_and_is_not_believed(tmp_path: Path) -> None:
    told = '{"type":"message_end","message":'
    usage = {"input": 10**23, "cacheRead": -5, "output": 10**23, "cost": {"total": 10**400}}
    lying = ANSWER | {"content": [{"text": "no type"}, *ANSWER["content"]], "usage": usage}
    lines = (f"{told}{'[' * 100_000}", f"{told}{json.dumps(lying)}}}")
    pi = printing(tmp_path, "\n".join(lines))
    assert pi.ask(ASK, seconds=60, stop=never) == Answer("x")
    assert pi.spent() == Usage(MOST_TOLD, MOST_TOLD, None)


def test_work_without_an_end_is_given_up(tmp_path: Path, desk: Desk) -> None:
    line = f'{{"type":"message_end","message":{json.dumps(ANSWER)}}}\n'
    with pytest.raises(AnswerCutError, match=f"{MOST_STEPS} steps"):
        printing(tmp_path, line * (MOST_STEPS + 5)).work(task(desk))


STARTER = """
import json, sys
from pathlib import Path
from vaultmem.llm.model import Purpose, Task
from vaultmem.llm.pi_worker import PiModel
from vaultmem.store.desk import Desk

folder, environment = json.load(sys.stdin)
desk = Desk(Path(folder), ["MEMORY.md"])
task = Task(Purpose.CONSOLIDATE, "You rewrite.", "Begin.", desk, 60.0, lambda: False)
PiModel(None, environment=environment).work(task)
"""


def test_a_pi_whose_starter_is_killed_ends_by_itself(
    pi_environment: dict[str, str], model: ModelServer, desk: Desk
) -> None:
    model.script(Reply(text="late", delay=90.0))
    starter = subprocess.Popen([sys.executable, "-c", STARTER], stdin=subprocess.PIPE)
    assert starter.stdin is not None
    with starter.stdin:
        starter.stdin.write(json.dumps([str(desk.folder), pi_environment]).encode())
    assert eventually(lambda: model.requests)
    (pi,) = psutil.Process(starter.pid).children()
    starter.kill()
    starter.wait()
    assert eventually(lambda: not pi.is_running())
