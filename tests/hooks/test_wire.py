"""The messages of the protocol: every example is read and spelled as it stands, broken ones refused."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hooks.protocol import example
from vaultmem.hooks.answers import Code, Done, ToolText, WireError
from vaultmem.hooks.parsing import READERS
from vaultmem.hooks.payloads import MessageEnded, ToolDone, TurnEnded
from vaultmem.hooks.wire import (
    MAX_LINE,
    VERSION,
    BadRequestError,
    error_line,
    read_event,
    read_request,
    result_line,
)

CASES = [
    pytest.param(case, id=f"{name}-{number}")
    for name in READERS
    for number, case in enumerate(example(name)["cases"])
]
ERRORS = example("errors")["cases"]


@pytest.mark.parametrize("case", CASES)
def test_every_example_is_read_whole(case):
    request = case["request"]

    read = read_request(json.dumps(request).encode() + b"\n")

    assert (read.id, read.event, read.unknown) == (request["id"], request["event"], ())
    payload = dataclasses.asdict(read.payload)
    for name, value in request["payload"].items():
        if name not in ("tools", "missed"):
            held = payload[name]
            assert (list(held) if isinstance(held, tuple) else held) == value, name


def test_the_tools_of_a_turn_and_those_that_were_missed_are_values_too():
    turn = read_event("turn_end", b'{"session":"s","tools":[{"tool":"bash","ran":false}]}').payload
    start = read_event(
        "session_start", b'{"session":"s","missed":[{"tool":"bash","call":"c","at":5}]}'
    ).payload

    assert isinstance(turn, TurnEnded)
    assert [(one.tool, one.ran) for one in turn.tools] == [("bash", False)]
    assert [(one.call, one.at, one.ended) for one in start.missed] == [("c", 5, 0)]


@pytest.mark.parametrize("case", ERRORS, ids=[one["about"] for one in ERRORS])
def test_a_line_that_is_no_request_is_refused_with_its_number(case):
    with pytest.raises(BadRequestError) as refused:
        read_request(case["line"].encode())

    assert refused.value.id == case["id"]
    assert refused.value.error.code == case["code"]
    assert refused.value.error.message


def test_a_line_is_as_long_as_it_may_be_and_no_longer():
    frame = json.dumps(
        {"v": VERSION, "id": 1, "event": "input", "payload": {"session": "s", "source": "rpc"}}
    )
    room = MAX_LINE - len(frame) - len(', "text": ""')
    line = frame.replace('"session": "s"', f'"session": "s", "text": "{"x" * room}"').encode()

    assert len(line) == MAX_LINE
    assert len(read_request(line + b"\n").payload.text) == room
    with pytest.raises(BadRequestError) as refused:
        read_request(line + b" \n")
    assert refused.value.error.code == Code.TOO_LARGE


@pytest.mark.parametrize(
    ("payload", "sentence"),
    [
        ('{"session":" ","tool":"x"}', "`session` must not be empty."),
        ('{"session":"s","tool":"x","input":[]}', "`input` must be an object."),
        (
            '{"session":"s","tool":"x","at":1.5}',
            "`at` must be a whole number from 0 to 9007199254740992.",
        ),
        (
            '{"session":"s","tool":"x","at":true}',
            "`at` must be a whole number from 0 to 9007199254740992.",
        ),
        (
            '{"session":"s","tool":"x","at":-1}',
            "`at` must be a whole number from 0 to 9007199254740992.",
        ),
    ],
)
def test_a_wrong_field_is_named_with_what_it_must_be(payload, sentence):
    with pytest.raises(BadRequestError, match="must") as refused:
        read_event("tool_call", payload.encode())

    assert refused.value.error == WireError(Code.BAD_REQUEST, sentence)


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ('"id":3,"event":"rules","payload":[]', "`payload` must be an object."),
        ('"id":3,"event":["rules"],"payload":{}', "There is no event \"['rules']\"."),
    ],
)
def test_what_is_around_the_fields_has_its_type_too(rest, sentence):
    with pytest.raises(BadRequestError) as refused:
        read_request(f'{{"v":1,{rest}}}'.encode())

    assert (refused.value.id, refused.value.error.message) == (3, sentence)


@pytest.mark.parametrize(
    ("event", "payload", "sentence"),
    [
        ("message_end", '{"session":"s","role":"god"}', "`role` must be one of system, user,"),
        ("turn_end", '{"session":"s","tools":{}}', "`tools` must be a list of objects."),
        ("turn_end", '{"session":"s","tools":[{}]}', "`tools[0].tool` is missing."),
        ("turn_end", '{"session":"s","retried":1}', "`retried` must be true or false."),
        ("input", '{"session":"s","source":"rpc"}', "`text` is missing."),
        ("wake_up", "{}", "There is no event 'wake_up'."),
        ("rules", "[]", "That is no JSON object."),
        ("rules", "[" * 100_000, "That is no JSON."),
    ],
)
def test_other_faults_are_named_as_well(event, payload, sentence):
    with pytest.raises(BadRequestError) as refused:
        read_event(event, payload.encode())

    assert refused.value.error.message.startswith(sentence)


def test_whole_numbers_may_be_written_with_a_point_and_null_counts_as_absent():
    read = read_event("tool_result", b'{"session":"s","tool":"x","at":3.0,"text":null,"call":null}')

    assert isinstance(read.payload, ToolDone)
    assert (read.payload.at, read.payload.text, read.payload.call) == (3, "", "")


def test_fields_that_nobody_knows_are_named_and_have_no_effect():
    read = read_event(
        "message_end", '{"session":"s","role":"user","newer":1,"a\u202eb":2}'.encode()
    )

    assert read.unknown == ("newer", "a?b")
    assert isinstance(read.payload, MessageEnded)


@pytest.mark.parametrize("case", CASES)
def test_an_answer_is_one_line_of_ascii(case):
    text = json.dumps(case["answer"]["result"], ensure_ascii=False)

    line = result_line(case["answer"]["id"], ToolText(text=f"{text}\u2028\n"))

    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"]["text"] == f"{text}\u2028\n"


def test_an_answer_that_would_be_too_long_is_an_error():
    answer = json.loads(result_line(3, ToolText(text="x" * MAX_LINE)))

    assert (answer["id"], answer["error"]["code"]) == (3, "too_large")


def test_an_empty_answer_is_an_empty_result():
    assert json.loads(result_line(1, Done())) == {"v": 1, "id": 1, "result": {}}
    error = {"code": "timeout", "message": "It is late.", "remedy": "Go on."}
    line = error_line(2, WireError(Code.TIMEOUT, "It is late.", "Go on."))
    assert json.loads(line) == {"v": 1, "id": 2, "error": error}


@given(st.binary(max_size=200))
def test_no_bytes_do_anything_but_be_read_or_refused(line):
    refused = None
    try:
        read_request(line)
    except BadRequestError as error:
        refused = error.error
    assert refused is None or refused.message


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(READERS)), st.dictionaries(st.sampled_from(["session", "cwd", "tool", "call", "input", "text", "at", "tools", "role", "missed", "turn"]), _JSON))  # fmt: skip
def test_no_payload_does_anything_but_be_read_or_refused(event, payload):
    line = json.dumps({"v": 1, "id": 7, "event": event, "payload": payload}).encode()
    number = 7
    try:
        assert read_request(line).event == event
    except BadRequestError as error:
        number = error.id
    assert number == 7


@pytest.mark.parametrize("version", [True, 1.0, "1", None, 2, [1]])
def test_another_version_is_refused_also_where_it_counts_as_equal(version):
    line = json.dumps({"v": version, "id": 3, "event": "rules", "payload": {}}).encode()
    with pytest.raises(BadRequestError) as refused:
        read_request(line)
    assert (refused.value.id, refused.value.error.code) == (3, Code.UNSUPPORTED_VERSION)


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("session_start", {"cwd": "/no\0where"}),
        ("rules", {"session": "a\0b"}),
        ("command", {"text": "\0"}),
        ("command", {"text": "status\ud800"}),
        ("ui", {"panel": "inbox", "action": "approve", "row": "a\0"}),
    ],
)
def test_a_field_that_nothing_of_the_system_takes_is_refused(event, payload):
    told = read_refused(event, payload)
    assert told.code is Code.BAD_REQUEST
    assert told.message.endswith(" must hold no NUL and no half of a pair of surrogates.")


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("input", {"text": "a\0b\ud800", "source": "interactive"}),
        ("before_agent_start", {"prompt": "a\0b"}),
        ("message_end", {"role": "assistant", "text": "a\0b"}),
        ("tool_call", {"tool": "b\0", "call": "c\0", "input": {"command": "a\0b\ud800"}}),
        ("session_start", {"missed": [{"tool": "b", "call": "c\0", "at": 1}]}),
    ],
)
def test_what_people_and_models_wrote_may_hold_any_character(event, payload):
    assert read_event(event, json.dumps({"session": "s", **payload}).encode())


def read_refused(event, payload):
    with pytest.raises(BadRequestError) as refused:
        read_event(event, json.dumps({"session": "s", **payload}).encode())
    return refused.value.error
