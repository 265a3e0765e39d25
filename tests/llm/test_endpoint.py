"""An OpenAI-compatible endpoint, by the real package against a scripted server."""

from __future__ import annotations

import contextlib
import gzip
import json
import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

from tests.pi.model_server import Call, ModelServer, Reply, calls, says
from vaultmem.core.endpoint_url import Endpoint, parse_endpoint
from vaultmem.errors import (
    AnswerCutError,
    ModelAccessError,
    ModelDownError,
    ModelRefusedError,
    ModelStoppedError,
    ModelUnreachedError,
)
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.llm.model import MOST_STEPS, Ask, Purpose, Task, Usage

if TYPE_CHECKING:
    from vaultmem.core.json_splice import Json
    from vaultmem.store.desk import Desk

KEY = "sk-secret-0123456789abcdef"
SCHEMA: Json = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
ASK = Ask(Purpose.EXTRACT, "You extract.", "A transcript.", SCHEMA, 500)
PROSE = ASK._replace(schema=None)


def never() -> bool:
    return False


def of(model: ModelServer, key: str | None = None) -> EndpointModel:
    endpoint = parse_endpoint(model.url)
    assert endpoint is not None
    return EndpointModel(endpoint, "small", key=key, window=8000)


def task(desk: Desk, **changes: object) -> Task:
    made = Task(Purpose.CONSOLIDATE, "You rewrite.", "Begin.", desk, 60.0, never)
    return made._replace(**changes)


def test_a_question_sends_what_it_is_given_and_counts_what_it_costs(model: ModelServer) -> None:
    model.script(Reply(text='{"a": "b"}', usage={"cost": 0.25}))
    asked = of(model, KEY)
    answer = asked.ask(ASK, seconds=30, stop=never)
    assert (answer.text, answer.cut) == ('{"a": "b"}', False)
    assert asked.spent() == Usage(100, 10, 0.25)
    assert model.last.body == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "You extract."},
            {"role": "user", "content": "A transcript."},
        ],
        "max_tokens": 500,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
        },
    }
    assert (asked.name, asked.window) == ("small", 8000)
    assert asked.destination == f"{model.url}, model small"


def test_only_needed_headers_and_the_key_are_sent(
    model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-planted")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-planted")
    monkeypatch.setenv("OPENAI_API_KEY", "key-planted")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Planted: planted")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    model.script(says("one"), says("two"))
    of(model, KEY).ask(PROSE, seconds=30, stop=never)
    sent = model.last.headers
    assert sent.pop("authorization") == f"Bearer {KEY}"
    assert sent.pop("user-agent") == "vaultmem"
    assert sent.pop("x-stainless-raw-response") == "true"
    assert {*sent} <= {
        "host",
        "content-length",
        "content-type",
        "accept",
        "accept-encoding",
        "connection",
    }
    of(model).ask(PROSE, seconds=30, stop=never)
    assert "authorization" not in model.last.headers
    assert "planted" not in str([one.headers for one in model.requests])


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_knows_no_schema_is_asked_in_words_and_once_only(
    model: ModelServer, status: int
) -> None:
    refuses = Reply(status=status, text="'response_format' of type json_schema is not supported")
    refuses_both = Reply(status=status, text="response_format is unknown here")
    model.script(refuses, refuses_both, says('{"a": 1}'), says('{"a": 2}'))
    asked = of(model)
    assert asked.ask(ASK, seconds=30, stop=never).text == '{"a": 1}'
    second, third = model.requests[1:3]
    assert second.body["response_format"] == {"type": "json_object"}
    assert "response_format" not in third.body
    for one in (second, third):
        assert one.system_prompt.startswith("You extract.")
        assert json.dumps(SCHEMA) in one.system_prompt
    assert asked.ask(ASK, seconds=30, stop=never).text == '{"a": 2}'
    assert len(model.requests) == 4
    assert model.last.body == third.body


def test_the_length_of_an_answer_is_limited_as_the_server_wants_it(model: ModelServer) -> None:
    told = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    model.script(Reply(status=400, text=told), says("x"))
    of(model).ask(PROSE, seconds=30, stop=never)
    assert model.last.body["max_completion_tokens"] == 500
    assert "max_tokens" not in model.last.body


def test_a_server_that_takes_no_manner_of_asking_is_given_up(model: ModelServer) -> None:
    model.script(Reply(status=400, text="max_tokens is wrong", repeat=True))
    with pytest.raises(ModelRefusedError, match="does not take the request"):
        of(model).ask(ASK, seconds=30, stop=never)
    assert len(model.requests) == 2
    model.script(Reply(status=400, text="json_schema is wrong", repeat=True))
    with pytest.raises(ModelRefusedError, match="does not take the request"):
        of(model).ask(ASK, seconds=30, stop=never)
    assert len(model.requests) == 5


def test_an_answer_that_its_tokens_cut_says_so(model: ModelServer) -> None:
    model.script(Reply(text='{"a": "b', finish="length"))
    answer = of(model).ask(ASK, seconds=30, stop=never)
    assert (answer.text, answer.cut) == ('{"a": "b', True)


@pytest.mark.parametrize(
    ("reply", "kind", "says_so"),
    [
        (Reply(status=401, text=f"Incorrect API key {KEY}"), ModelRefusedError, "the key (401)"),
        (Reply(status=403, text="no"), ModelRefusedError, "the key (403)"),
        (Reply(status=404, text="no such model"), ModelRefusedError, "no model small"),
        (Reply(status=402, text="pay"), ModelRefusedError, "credit"),
        (Reply(status=400, text="context length"), ModelRefusedError, "says: context length"),
        (Reply(status=307, raw="", headers={"Location": "http://127.0.0.1:9/v1"}), ModelRefusedError, "sends elsewhere"),
        (Reply(status=429, text="slow down"), ModelDownError, "busy or broken (429)"),
        (Reply(status=500, text=f"bad {KEY}"), ModelDownError, "busy or broken (500). Wait"),
        (Reply(status=500, text="oh"), ModelDownError, "busy or broken (500)"),
        (Reply(status=503, raw="<html>"), ModelDownError, "busy or broken (503)"),
        (Reply(raw="<html>hello</html>"), ModelDownError, "OpenAI-compatible"),
        (Reply(raw="[" * 100_000), ModelDownError, "OpenAI-compatible"),
        (Reply(raw='{"choices": []}'), ModelDownError, "OpenAI-compatible"),
        (Reply(raw='{"choices": [{"message": null}]}'), ModelDownError, "OpenAI-compatible"),
        (Reply(text="", finish="content_filter"), ModelRefusedError, "will not answer"),
        (Reply(raw='{"choices": [{"message": {"refusal": "I cannot"}}]}'), ModelRefusedError, "I cannot"),
        (Reply(status=429, raw='{"error": {"message": "x", "code": "insufficient_quota"}}'), ModelRefusedError, "credit"),
    ],
    ids=lambda one: str(one.status) if isinstance(one, Reply) else None,
)  # fmt: skip
def test_a_failure_is_one_sentence_with_the_next_step_and_is_not_repeated(
    model: ModelServer, reply: Reply, kind: type[ModelAccessError], says_so: str
) -> None:
    model.script(reply, says("never asked again"))
    with pytest.raises(kind) as caught:
        of(model, KEY).ask(PROSE, seconds=30, stop=never)
    assert says_so in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(model.requests) == 1


def test_an_error_that_repeats_what_was_sent_is_not_quoted(model: ModelServer) -> None:
    private = "the customer lives in Elm Street 7 and his dog is called Rex"
    model.script(Reply(status=500, text=f"cannot parse: {private}"))
    with pytest.raises(ModelDownError) as caught:
        of(model).ask(PROSE._replace(prompt=f"He said: {private}."), seconds=30, stop=never)
    assert "Elm" not in str(caught.value)
    assert caught.value.__suppress_context__  # nor does a log of ours show the package's error


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_end_is_not_read_to_its_end(status: int, packed: bool) -> None:
    sent: list[int] = []
    block = bytes(1 << 24)
    body, kind = (gzip.compress(block * 2), "gzip") if packed else (block, "identity")

    def flood(listening: socket.socket) -> None:
        talk, _ = listening.accept()
        with talk, contextlib.suppress(OSError):
            talk.recv(1 << 16)
            head = f"HTTP/1.1 {status} OK\r\nContent-Encoding: {kind}\r\n\r\n"
            talk.sendall(head.encode())
            for _ in range(20):
                talk.sendall(body)
                sent.append(len(block))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        flooding = threading.Thread(target=flood, args=(listening,))
        flooding.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        asked = EndpointModel(Endpoint(url, local=True), "m", key=None)
        with pytest.raises(ModelDownError, match="more than"):
            asked.ask(PROSE, seconds=30, stop=never)
        flooding.join()
    assert packed or len(sent) < 20


def test_a_port_where_nobody_listens_is_said_so() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    asked = EndpointModel(Endpoint(f"http://127.0.0.1:{port}/v1", local=True), "m", key=None)
    with pytest.raises(ModelUnreachedError, match="cannot be reached"):
        asked.ask(PROSE, seconds=30, stop=never)


def test_an_address_that_hangs_up_was_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]

        def hang_up() -> None:
            one.accept()[0].close()

        hanging = threading.Thread(target=hang_up)
        hanging.start()
        asked = EndpointModel(Endpoint(f"http://127.0.0.1:{port}/v1", local=True), "m", key=None)
        with pytest.raises(ModelDownError, match="cannot be reached") as met:
            asked.ask(PROSE, seconds=30, stop=never)
        hanging.join()
    assert type(met.value) is ModelDownError


def test_a_slow_answer_is_not_waited_for_longer_than_asked(model: ModelServer) -> None:
    model.script(Reply(text="late", delay=30.0))
    begin = time.monotonic()
    with pytest.raises(ModelDownError, match=r"within 0 seconds|in time"):
        of(model).ask(PROSE, seconds=0.3, stop=never)
    assert time.monotonic() - begin < 20


def test_an_answer_that_nobody_wants_any_more_is_given_up(model: ModelServer) -> None:
    model.script(Reply(text="late", delay=30.0))
    with pytest.raises(ModelStoppedError):
        of(model).ask(PROSE, seconds=30, stop=lambda: bool(model.requests))
    with pytest.raises(ModelStoppedError):
        of(model).ask(PROSE, seconds=30, stop=lambda: True)
    assert len(model.requests) == 1


def test_the_limits_of_the_provider_are_known_after_an_answer(model: ModelServer) -> None:
    some = {"x-ratelimit-limit-requests": "200", "x-ratelimit-remaining-requests": "150"}
    less = {"x-ratelimit-limit-tokens": "1000", "x-ratelimit-remaining-tokens": "100"}
    model.script(
        Reply(headers=some), Reply(headers=some | less), Reply(), Reply(status=429, headers=less)
    )
    asked = of(model)
    assert asked.remaining_percent() is None
    for percent in (75.0, 10.0, None):
        asked.ask(PROSE, seconds=30, stop=never)
        assert asked.remaining_percent() == percent
    with pytest.raises(ModelDownError):
        asked.ask(PROSE, seconds=30, stop=never)
    assert asked.remaining_percent() == 0.0


@pytest.mark.parametrize("limit", ["many", "0", "-1", ""])
def test_limits_that_are_no_numbers_are_unknown(model: ModelServer, limit: str) -> None:
    headers = {"x-ratelimit-limit-tokens": limit, "x-ratelimit-remaining-tokens": "1"}
    model.script(Reply(headers=headers))
    asked = of(model)
    asked.ask(PROSE, seconds=30, stop=never)
    assert asked.remaining_percent() is None


def test_work_that_a_server_does_not_understand_is_refused_at_once(
    model: ModelServer, desk: Desk
) -> None:
    model.script(Reply(status=400, text="max_tokens: tools are not supported", repeat=True))
    with pytest.raises(ModelRefusedError, match="tools are not supported"):
        of(model).work(task(desk))
    assert len(model.requests) == 1


def test_work_goes_on_until_the_model_calls_nothing(model: ModelServer, desk: Desk) -> None:
    model.script(
        calls("notebook_read", path="raw_memories.md"),
        Reply(
            calls=(
                Call(name="notebook_write", arguments={"path": "MEMORY.md", "text": "new\n"}),
                Call(
                    name="notebook_write", arguments={"path": "memory_summary.md", "text": "v1\n"}
                ),
            )
        ),
        says("Done."),
    )
    asked = of(model)
    asked.work(task(desk))
    assert (len(model.requests), asked.spent()) == (3, Usage(300, 30))
    assert (desk.folder / "MEMORY.md").read_text() == "new\n"
    assert model.last.results() == [
        "# Raw memories\nThe build needs make.\n",
        "MEMORY.md is written.",
        "memory_summary.md is written.",
    ]
    assert model.last.tool_names == [
        f"notebook_{name}" for name in ("list", "read", "write", "edit", "remove")
    ]
    assert "max_tokens" not in model.last.body
    assert desk.strays() == ()


def test_a_worker_that_tries_to_leave_the_fence_gets_errors(model: ModelServer, desk: Desk) -> None:
    outside = desk.folder.parent / "outside.txt"
    outside.write_text("private")
    tries = (
        Call(name="notebook_read", arguments={"path": "../outside.txt"}),
        Call(name="notebook_read", arguments={"path": str(outside)}),
        Call(name="notebook_write", arguments={"path": ".git/hooks/post-commit", "text": "x"}),
        Call(name="notebook_write", arguments={"path": "MEMORY.md", "text": "x" * 2_000_000}),
        Call(name="bash", arguments={"command": "cat ../outside.txt"}),
        Call(name="notebook_read", arguments={"path": "MEMORY.md", "also": 1}),
    )
    model.script(Reply(calls=tries), says("Oh."))
    of(model).work(task(desk))
    results = model.last.results()
    assert len(results) == len(tries)
    assert all(one.startswith("Error: ") for one in results)
    assert "private" not in "".join(results)
    assert (desk.folder / "MEMORY.md").read_text() == "# Task Group: build\nold line\n"
    assert desk.strays() == ()


def test_arguments_that_are_no_json_are_answered_with_an_error(
    model: ModelServer, desk: Desk
) -> None:
    bad = {"id": "c", "type": "function", "function": {"name": "notebook_list", "arguments": "{"}}
    body = {
        "choices": [{"message": {"content": None, "tool_calls": [bad, 7]}, "finish_reason": "x"}]
    }
    model.script(Reply(raw=json.dumps(body)), says("Done."))
    of(model).work(task(desk))
    assert len(model.requests) == 2
    assert model.last.results() == [
        "Error: notebook_list takes other arguments. See how it is declared."
    ]


def test_half_a_character_of_the_model_is_neither_stored_nor_sent_back(
    model: ModelServer, desk: Desk
) -> None:
    call = {
        "id": "c",
        "function": {
            "name": "notebook_write",
            "arguments": '{"path": "MEMORY.md", "text": "\\ud800"}',
        },
    }
    body = json.dumps({"choices": [{"message": {"content": "\ud800", "tool_calls": [call]}}]})
    model.script(Reply(raw=body), says("Done."))
    of(model).work(task(desk))
    assert model.last.results() == ["Error: The text holds half a character. Write it anew."]


def test_work_that_is_cut_or_never_ends_fails_and_is_paid_for(
    model: ModelServer, desk: Desk
) -> None:
    model.script(Reply(text="I will", finish="length"))
    asked = of(model)
    with pytest.raises(AnswerCutError, match="cut off"):
        asked.work(task(desk))
    assert asked.spent() == Usage(100, 10)
    model.script(Reply(calls=(Call(name="notebook_list"),), repeat=True))
    with pytest.raises(AnswerCutError, match=f"{MOST_STEPS} steps"):
        asked.work(task(desk))
    assert asked.spent().output == 10 * (MOST_STEPS + 1)


def test_work_is_stopped_between_and_within_answers(model: ModelServer, desk: Desk) -> None:
    model.script(calls("notebook_list"), Reply(text="late", delay=30.0))
    with pytest.raises(ModelStoppedError):
        of(model).work(task(desk, stop=lambda: len(model.requests) == 2))
    with pytest.raises(ModelDownError):
        of(model).work(task(desk, seconds=0.0))
