"""The loop: who is late is passed by, what tells of something is never lost, what it watches."""

from __future__ import annotations

import io
import json
import threading
import time
from pathlib import Path

import pytest

from tests.hooks.serving import SESSION, Serving
from tests.world import NOTE, SAYS
from vaultmem.hooks import dispatch, serve
from vaultmem.hooks.agent_tools import RUNS
from vaultmem.hooks.answers import Done, Started
from vaultmem.hooks.here import Later
from vaultmem.hooks.payloads import Compacted, Compacting, SessionStarted, ToolCalled, ToolDone
from vaultmem.hooks.serve import Server
from vaultmem.hooks.ways import Way
from vaultmem.hooks.wire import read_payload

EXAMPLES = Path(__file__).parent / "examples"
WAIT = 20.0
SHORT = {Way.EVENT: 0.2, Way.WORK: 0.2}


class Loop:
    """A server in this process, with the lines that it sent."""

    def __init__(self, serving: Serving, **options) -> None:
        self.serving = serving
        self.lines: list[dict] = []
        self._came = threading.Condition()
        self.server = Server(serving.shared, self._write, **options)
        self._number = 0

    def _write(self, line: bytes) -> None:
        with self._came:
            self.lines.append(json.loads(line))
            self._came.notify_all()

    def send(self, event: str, **payload) -> int:
        self._number += 1
        place = {"session": SESSION, "cwd": str(self.serving.world.vault)}
        request = {"v": 1, "id": self._number, "event": event, "payload": place | payload}
        self.server.take(json.dumps(request).encode())
        return self._number

    def answer(self, number: int) -> dict:
        with self._came:
            assert self._came.wait_for(lambda: any(one["id"] == number for one in self.lines), WAIT)
        return next(one for one in self.lines if one["id"] == number)

    def until(self, true) -> None:
        end = time.monotonic() + WAIT
        while not true():
            assert time.monotonic() < end
            time.sleep(0.01)


@pytest.fixture
def serving(world, known):
    made = Serving(world)
    yield made
    made.close()


def replaced(monkeypatch, kind, do):
    monkeypatch.setitem(dispatch._HANDLERS, kind, do)


def hung(monkeypatch) -> threading.Event:
    """What happens before a compaction hangs until this is set."""
    hangs = threading.Event()
    replaced(monkeypatch, Compacting, lambda _here, _event: (hangs.wait(WAIT), Done())[1])
    return hangs


def test_a_hung_event_costs_its_limit_and_the_next_one_is_served(serving, monkeypatch):
    hangs = hung(monkeypatch)
    loop = Loop(serving, limits=SHORT)

    late, next_one = loop.send("session_before_compact"), loop.send("session_compact")

    assert loop.answer(late)["error"]["code"] == "timeout"
    assert loop.answer(next_one)
    assert "result" in loop.answer(loop.send("session_compact"))
    hangs.set()
    loop.server.close()
    assert [one["id"] for one in loop.lines].count(late) == 1


def every_event() -> list[tuple[str, dict]]:
    """Each event that is worked off in a lane, with its first example."""
    found = (json.loads(path.read_text()) for path in sorted(EXAMPLES.glob("*.json")))
    first = (one["cases"][0]["request"] for one in found if "event" in one)
    return [(one["event"], one["payload"]) for one in first if one["event"] != "rules"]


@pytest.mark.parametrize(("event", "payload"), every_event(), ids=[one for one, _ in every_event()])
def test_any_event_may_hang_and_the_next_ones_are_served(serving, monkeypatch, event, payload):
    hangs = threading.Event()
    kind = type(read_payload(1, event, payload).payload)
    replaced(monkeypatch, kind, lambda _here, _event: (hangs.wait(WAIT), Done())[1])
    loop = Loop(serving, limits=SHORT)
    late = loop.send(event, **payload)
    another = "session_compact" if event == "session_before_compact" else "session_before_compact"

    assert loop.answer(late)["error"]["message"] == "It took longer than 0.2 seconds."
    assert "result" in loop.answer(loop.send("rules"))
    assert "result" in loop.answer(loop.send(another))
    hangs.set()
    loop.server.close()


def test_what_takes_longer_than_minutes_says_so(serving, monkeypatch):
    hangs = threading.Event()
    work = Later(lambda _here: (hangs.wait(WAIT), Done())[1])
    replaced(monkeypatch, ToolDone, lambda _here, _event: work)
    monkeypatch.setattr(serve, "LONG_SECONDS", 0.3)
    loop = Loop(serving)

    told = loop.answer(loop.send("tool_result", tool="bash"))["error"]

    assert told["message"] == "It took longer than 0.3 seconds."
    hangs.set()
    loop.server.close()


def test_a_sign_of_life_is_given_while_everything_hangs(serving, monkeypatch):
    hangs = hung(monkeypatch)
    loop = Loop(serving, limits={Way.EVENT: WAIT, Way.WORK: WAIT})
    loop.send("session_before_compact")

    assert loop.answer(loop.send("rules"))["result"]["rules"]["version"] == ""

    hangs.set()
    loop.server.close()


def test_a_tool_of_ours_does_not_hold_up_an_event(serving, monkeypatch):
    hangs = threading.Event()
    monkeypatch.setitem(RUNS, "memory_topics", lambda *_: (hangs.wait(WAIT), "late")[1])
    loop = Loop(serving, limits={Way.EVENT: WAIT, Way.WORK: WAIT})
    slow = loop.send("tool", name="memory_topics")

    assert "result" in loop.answer(loop.send("session_compact"))
    hangs.set()
    assert loop.answer(slow)["result"]["text"] == "late"
    loop.server.close()


def test_what_tells_that_a_tool_runs_is_worked_off_although_it_is_late(serving, monkeypatch):
    hangs, seen = hung(monkeypatch), []
    replaced(monkeypatch, ToolCalled, lambda _here, event: (seen.append(event.call), Done())[1])
    replaced(monkeypatch, Compacted, lambda _here, _event: (seen.append("no"), Done())[1])
    monkeypatch.setattr("vaultmem.hooks.lanes.MOST_LATE", 0)
    loop = Loop(serving, limits=SHORT)
    loop.send("session_before_compact")
    waits = [loop.send("tool_call", tool="bash", call="c1"), loop.send("session_compact")]
    assert [loop.answer(one)["error"]["code"] for one in waits] == ["timeout", "timeout"]

    hangs.set()
    loop.until(lambda: seen)
    loop.server.close()
    assert seen == ["c1"]


def test_an_answer_that_takes_its_time_does_not_hold_up_the_next_event(serving, monkeypatch):
    hangs = threading.Event()
    work = Later(lambda _here: (hangs.wait(WAIT), Done())[1])
    replaced(monkeypatch, ToolDone, lambda _here, _event: work)
    loop = Loop(serving, limits=SHORT)
    slow = loop.send("tool_result", tool="bash")

    assert "result" in loop.answer(loop.send("session_compact"))
    hangs.set()
    assert loop.answer(slow) == {"v": 1, "id": slow, "result": {}}
    loop.server.close()


def test_what_a_late_start_has_to_tell_comes_with_the_next_prompt(serving, monkeypatch):
    hangs = threading.Event()

    def slow(_here, _event):
        hangs.wait(WAIT)
        return Started(notices=("4 wait.",))

    replaced(monkeypatch, SessionStarted, slow)
    loop = Loop(serving, limits={Way.EVENT: 0.2, Way.WORK: WAIT})
    assert loop.answer(loop.send("session_start"))["error"]["code"] == "timeout"
    hangs.set()
    loop.until(lambda: serving.shared.sessions.of(SESSION).notices)
    monkeypatch.undo()
    loop = Loop(serving)

    assert loop.answer(loop.send("before_agent_start"))["result"]["notices"] == ["4 wait."]
    loop.server.close()


def test_trouble_in_the_background_stops_nothing(serving):
    loop, done = Loop(serving), threading.Event()

    def bug(_here):
        raise ZeroDivisionError

    loop.server.do_later(bug)
    loop.server.do_later(lambda here: here.forget())
    loop.server.do_later(lambda _here: done.set())

    assert done.wait(WAIT)
    assert "ZeroDivisionError" in serving.crash
    loop.server.close()


def test_what_nobody_waits_for_begins_after_the_first_prompt(serving):
    loop, done = Loop(serving), threading.Event()
    serving.shared.calm.clear()
    loop.server.do_later(lambda _here: done.set())
    loop.answer(loop.send("rules"))
    assert not done.wait(0.1)

    loop.answer(loop.send("before_agent_start", prompt="x"))

    assert done.wait(WAIT)
    loop.server.close()


def test_what_nobody_waits_for_begins_soon_where_no_prompt_comes(serving, monkeypatch):
    monkeypatch.setattr(serve, "QUIET_SECONDS", 0.0)
    loop, done = Loop(serving), threading.Event()
    serving.shared.calm.clear()
    loop.server.do_later(lambda _here: done.set())

    loop.answer(loop.send("session_start"))

    assert done.wait(WAIT)
    loop.server.close()


def test_what_waits_for_a_prompt_is_done_at_the_end(serving):
    loop, done = Loop(serving), threading.Event()
    serving.shared.calm.clear()
    loop.server.do_later(lambda _here: done.set())

    loop.server.close()

    assert done.is_set()


def test_a_vault_that_has_gone_is_an_error_and_back_again_it_is_served(serving):
    loop = Loop(serving)
    settings = serving.world.path("Memory/Settings.md")
    data = settings.read_bytes()
    assert "result" in loop.answer(loop.send("before_agent_start", prompt="x"))
    settings.rename(settings.with_suffix(".away"))
    settings.parent.rename(serving.world.folder / "away")
    assert "error" in loop.answer(loop.send("before_agent_start", prompt="x"))
    (serving.world.folder / "away").rename(settings.parent)
    settings.write_bytes(data)

    assert "result" in loop.answer(loop.send("before_agent_start", prompt="x"))
    loop.server.close()


def test_an_agent_that_has_gone_is_written_to_in_vain(serving):
    def gone(_line):
        raise BrokenPipeError

    server = Server(serving.shared, gone)
    server.take(b"nonsense\n")
    server.close()


def test_edits_are_seen_by_the_watch_and_events_need_not_look(serving, known, monkeypatch):
    monkeypatch.setattr("vaultmem.services.watch.QUIET_MS", 50)
    monkeypatch.setattr("vaultmem.services.watch.STEP_MS", 20)
    loop, ended = Loop(serving), threading.Event()
    source = _Pipe(ended)
    runs = threading.Thread(target=lambda: (loop.server.run(source), loop.server.close()))
    runs.start()
    assert serving.shared.watching.wait(WAIT)

    serving.world.replace(NOTE, SAYS, "Add every file by its name.")

    def told():
        answer = loop.answer(loop.send("before_agent_start", prompt="files"))
        return "Add every file by its name." in answer["result"]["sections"]["project_memory"]

    loop.until(told)
    ended.set()
    runs.join(WAIT)
    assert not serving.shared.watching.is_set()


def test_a_process_brings_the_index_up_once_the_first_prompt_is_answered(serving, monkeypatch):
    monkeypatch.setattr(serve, "watch_vault", lambda _shared, _own: None)  # it feeds the index too
    loop, ended = Loop(serving), threading.Event()
    runs = threading.Thread(target=lambda: (loop.server.run(_Pipe(ended)), loop.server.close()))
    runs.start()
    loop.answer(loop.send("rules"))
    assert not serving.shared.warm.is_set()

    loop.answer(loop.send("before_agent_start", prompt="x"))

    warm = serving.shared.warm.wait(WAIT)
    held = serving.here.engine.contents().words
    ended.set()
    runs.join(WAIT)
    assert warm
    assert NOTE in held


class _Pipe(io.RawIOBase):
    """A pipe on which nothing comes until it ends."""

    def __init__(self, ended: threading.Event) -> None:
        self._ended = ended

    def readline(self, _size=-1):
        self._ended.wait(WAIT)
        return b""


def test_a_watch_that_fails_is_tried_again(serving, monkeypatch):
    tried = []

    def fails(_shared, _own):
        tried.append(1)
        raise OSError("no more watches")

    monkeypatch.setattr(serve, "watch_vault", fails)
    monkeypatch.setattr(serve, "RETRY_SECONDS", 0.01)
    loop = Loop(serving)
    watcher = threading.Thread(target=loop.server._watch, daemon=True)
    watcher.start()
    loop.until(lambda: len(tried) > 2)
    loop.server.close()
    watcher.join(WAIT)


def test_lines_are_read_to_the_end_and_one_that_is_too_long_is_passed_over(serving, monkeypatch):
    monkeypatch.setattr(serve, "watch_vault", lambda _shared, _own: None)
    monkeypatch.setattr(serve, "MAX_LINE", 100)
    asked = b'{"v":1,"id":7,"event":"rules","payload":{}}\n'
    loop = Loop(serving)

    loop.server.run(io.BytesIO(b"x" * 350 + b"\n" + asked + b"y" * 102 + b"z" * 98))
    loop.server.close()

    assert [one["id"] for one in loop.lines] == [0, 7, 0]
    assert loop.lines[0]["error"]["code"] == "too_large"
