"""What agents send: answered or refused by name, never a bug, and never a note that was not meant."""

from __future__ import annotations

import contextlib
import json
from functools import cache

import pytest
from hypothesis import strategies as st

from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import grafted, grafts, json_mutants, mutants, texts, values
from tests.fuzz.stage import SAID, stage
from tests.hooks.hosting import PAYLOADS, Hosted
from tests.hooks.serving import SESSION, Serving
from vaultmem.app import App
from vaultmem.hooks.dispatch import answer, go_on, line_of
from vaultmem.hooks.here import Later
from vaultmem.hooks.hosts.host import Host
from vaultmem.hooks.hosts.transcript import read_talk
from vaultmem.hooks.tools import TOOLS
from vaultmem.hooks.wire import MAX_LINE, BadRequestError, read_request
from vaultmem.store.process import this_process

REQUESTS = json_mutants(seeds.wire())
LINES = mutants([json.dumps(one).encode() + b"\n" for one in seeds.wire()])


@fuzz(LINES | REQUESTS.map(lambda one: json.dumps(one).encode()), examples=25)
def test_a_line_is_read_or_refused_with_its_number(line):
    try:
        request = read_request(line)
    except BadRequestError as error:
        number, told = error.id, line_of(error.id, error.error)
        said = error.error.message
    else:
        number = request.id
        told, said = b"\n", "".join(request.unknown) or "x"
    assert said.isprintable()
    assert told.isascii()
    assert told.count(b"\n") == 1
    assert len(told) <= MAX_LINE
    assert isinstance(number, int)
    assert number >= 0


def _handle(serving: Serving, request) -> bytes:
    told = answer(serving.here, request)
    if isinstance(told, Later):
        told = go_on(serving.here, request, told)
    return line_of(request.id, told)


def _is_told(line: bytes) -> dict:
    """The answer, which is one line of JSON and tells of no bug."""
    assert line.isascii()
    assert line.count(b"\n") == 1
    whole = json.loads(line)
    assert whole.get("error", {}).get("code") != "bug"
    return whole


@fuzz(st.lists(REQUESTS, min_size=1, max_size=3), st.booleans(), examples=7)
def test_no_event_is_a_bug_and_no_agent_changes_a_memory(requests, typed):
    with stage().set() as world:
        world.here.sync()
        before = world.snapshot()
        serving = Serving(world, typed=typed)
        for one in requests:
            try:
                read = read_request(json.dumps(_here(one, world)).encode())
            except (BadRequestError, ValueError):
                continue
            _is_told(_handle(serving, read))
        serving.settle()
        serving.close()
        assert serving.crash == ""
        if not typed:
            after = world.snapshot()
            assert all(after[path] == before[path] for path in SAID)


def _here(request: object, world) -> object:
    """A request whose paths are those of this vault, as far as it still has the form of one."""
    text = json.dumps(request)
    return json.loads(text.replace("/projects/shop", str(world.vault)))


PATHS = st.deferred(lambda: st.sampled_from([*stage().paths, *stage().ids.values()]))
SHORT = st.deferred(lambda: st.sampled_from([one[-4:].lower() for one in stage().ids.values()]))
ARGUMENT = st.one_of(PATHS, SHORT, texts, values, st.sampled_from(["memory", "log", "update", "daily", "add", "notebook", "lesson", "global", 1, 20]))  # fmt: skip


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict]:
    """A tool with arguments of which most have their names."""
    tool = draw(st.sampled_from(TOOLS))
    given = {}
    for one in tool.parameters:
        if one.required or draw(st.booleans()):
            usual = st.sampled_from(one.choices) if one.choices else ARGUMENT
            given[one.name] = draw(st.one_of(usual, usual, ARGUMENT))
    if draw(st.integers(0, 9)) == 0:
        given[draw(texts)] = draw(values)
    return tool.name, given


@fuzz(st.lists(calls(), min_size=1, max_size=4), examples=7)
def test_no_call_of_a_tool_is_a_bug_and_none_changes_a_memory(made):
    with stage().set() as world:
        world.here.sync()
        before = world.snapshot()
        serving = Serving(world)
        place = {"session": SESSION, "cwd": str(world.vault)}
        for number, (name, given) in enumerate(made, start=1):
            payload = {**place, "name": name, "call": f"c{number}", "arguments": given}
            whole = {"v": 1, "id": number, "event": "tool", "payload": payload}
            try:
                line = json.dumps(whole).encode()
                request = read_request(line)
            except BadRequestError:
                continue
            told = _is_told(_handle(serving, request))
            assert told["result"]["text"].strip()
        serving.settle()
        serving.close()
        assert serving.crash == ""
        after = world.snapshot()
        assert all(after[path] == before[path] for path in SAID)


# other agents


@cache
def payloads() -> list[tuple[Host, str, str]]:
    """Every example of a payload with its host and its event."""
    return [
        (host, path.stem, path.read_text())
        for host in Host
        for path in sorted((PAYLOADS / host.value).glob("*.json"))
    ]


TALKS = mutants(seeds.session_lines())


def _without_model(**given: object) -> App:
    return App(**{**given, "embedder": lambda: None})


@contextlib.contextmanager
def beside(world, monkeypatch):
    """This process stands for the agent, as in tests/hooks/test_hosts.py."""
    monkeypatch.setattr("vaultmem.hooks.hosts.run.App", _without_model)
    monkeypatch.setenv("VAULTMEM_HOME", str(world.here.home))
    monkeypatch.setattr("vaultmem.hooks.hosts.run.ancestors", lambda: [this_process()])
    monkeypatch.setattr("vaultmem.hooks.hosts.surroundings.name_of", lambda _: "agent")
    yield


@fuzz(
    st.lists(st.tuples(st.sampled_from(payloads()), grafts), min_size=1, max_size=3),
    TALKS,
    st.booleans(),
    examples=6,
)
def test_no_payload_of_another_agent_is_a_bug(made, talk, whole):
    with stage().set() as world, pytest.MonkeyPatch.context() as patch, beside(world, patch):
        world.here.sync()
        before = world.snapshot()
        place = world.folder / "talk.jsonl"
        place.write_bytes(talk)
        for (host, event, text), done in made:
            here = text.replace("{cwd}", str(world.vault)).replace("{transcript}", str(place))
            given = json.loads(here) if whole else grafted(json.loads(here), done)
            hosted = Hosted(world, host)
            said = hosted.raw(event, json.dumps(given).encode())
            assert not said or isinstance(json.loads(said), dict)
            assert not any("bug" in one for one in hosted.warned)
        assert not (world.here.home / "state/crash.log").exists()
        after = world.snapshot()
        assert all(after[path] == before[path] for path in SAID)


@fuzz(
    mutants([text.encode() for _, _, text in payloads()]), st.sampled_from(payloads()), examples=15
)
def test_no_bytes_of_another_agent_are_a_bug(data, one):
    host, event, _ = one
    with stage().set() as world, pytest.MonkeyPatch.context() as patch, beside(world, patch):
        hosted = Hosted(world, host)
        hosted.raw(event, data)
        assert not any("bug" in one for one in hosted.warned)
        assert not (world.here.home / "state/crash.log").exists()


@fuzz(TALKS, examples=40)
def test_any_transcript_says_something_or_nothing(data):
    for host in Host:
        talk = read_talk(host, data.split(b"\n"))
        assert isinstance(talk.prompt, str)
        assert all(one.call.tool is not None for one in talk.calls)
