"""Lines of session files: every kind of entry, and lines of which nothing can be made."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.session_entry import (
    MAX_TEXT,
    Answered,
    Entry,
    Header,
    Named,
    Other,
    Said,
    Summary,
    SummaryKind,
    ToolDone,
    ToolUse,
    parse_entry,
)

REAL = Path(__file__).parent.parent / "fixtures" / "sessions" / "one-of-each.jsonl"
AT = datetime(2026, 11, 29, 19, 6, 14, tzinfo=UTC).timestamp()
STAMP = "2026-11-29T19:06:14.000Z"


def parsed(raw: object) -> Header | Entry | None:
    return parse_entry(json.dumps(raw).encode())


def message(**fields: object) -> Header | Entry | None:
    return parsed(
        {"type": "message", "id": "a", "parentId": "b", "timestamp": STAMP, "message": fields}
    )


def test_a_file_of_the_real_agent_is_read_whole():
    kinds = [type(parse_entry(line)) for line in REAL.read_bytes().split(b"\n") if line]

    assert kinds == [
        Header,
        Other,  # a change of the model
        Other,  # of the thinking level
        Other,  # the system's message
        Said,
        Answered,
        ToolDone,
        Other,  # an entry of an extension
        Other,
        Summary,
        Summary,
        Named,
        Other,  # a message of an extension
    ]


def test_the_header_names_the_session_and_its_folder():
    raw = {
        "type": "session",
        "version": 3,
        "id": "01a2",
        "timestamp": STAMP,
        "cwd": "/p",
        "parentSession": "/s/old.jsonl",
    }

    assert parsed(raw) == Header(id="01a2", at=AT, cwd="/p", parent="/s/old.jsonl")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "image", "data": "AAAA"}, {"type": "text", "text": "look"}], "look"),
        ([{"type": "text"}, "stray", None], ""),
        (None, ""),
        ({"type": "text"}, ""),
        ("lone \ud800 half", "lone ? half"),
        ("é" * (MAX_TEXT + 5), "é" * MAX_TEXT),
    ],
)
def test_what_a_user_said(content, text):
    assert message(role="user", content=content) == Said(id="a", parent="b", at=AT, text=text)


def test_an_answer_has_its_text_without_thoughts_its_tools_and_what_it_cost():
    found = message(
        role="assistant",
        model="m1",
        stopReason="toolUse",
        usage={"totalTokens": 12, "cost": {"total": 0.5}},
        content=[
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "Done."},
            {"type": "toolCall", "id": "c1", "name": "edit", "arguments": {"path": "src/a.py"}},
            {"type": "toolCall", "id": "c2", "name": "read", "arguments": {"path": "src/b.py"}},
            {"type": "toolCall", "id": "c3", "name": "write", "arguments": "broken"},
        ],
    )

    assert found == Answered(
        id="a",
        parent="b",
        at=AT,
        text="Done.",
        failed=False,
        model="m1",
        tools=(
            ToolUse(call="c1", name="edit", path="src/a.py"),
            ToolUse(call="c2", name="read", path=""),
            ToolUse(call="c3", name="write", path=""),
        ),
        cost=0.5,
        tokens=12,
    )


@pytest.mark.parametrize(
    ("usage", "cost", "tokens"),
    [
        ({"totalTokens": 3, "cost": 0.25}, 0.25, 3),
        ({"totalTokens": True, "cost": {"total": "much"}}, 0.0, 0),
        ({"totalTokens": -1, "cost": {"total": 1e300}}, 0.0, 0),
        ("broken", 0.0, 0),
    ],
)
def test_what_an_answer_cost(usage, cost, tokens):
    found = message(role="assistant", content="x", usage=usage)

    assert isinstance(found, Answered)
    assert (found.cost, found.tokens) == (cost, tokens)


@pytest.mark.parametrize(
    ("stop", "failed"), [("error", True), ("aborted", True), ("stop", False), (None, False)]
)
def test_an_answer_that_was_broken_off_failed(stop, failed):
    found = message(role="assistant", content="x", stopReason=stop)

    assert isinstance(found, Answered)
    assert found.failed is failed


@pytest.mark.parametrize(
    ("name", "details", "path"),
    [
        ("edit", {"path": "a.py"}, "a.py"),
        ("write", {"path": "a.py"}, "a.py"),
        ("read", {"path": "a.py"}, ""),
        ("edit", {"diff": "-a"}, ""),
        ("edit", None, ""),
    ],
)
def test_a_result_names_the_file_that_it_changed(name, details, path):
    found = message(role="toolResult", toolCallId="c", toolName=name, details=details, content="ok")

    assert found == ToolDone(
        id="a", parent="b", at=AT, call="c", name=name, path=path, failed=False, text="ok"
    )


def test_summaries_of_a_compaction_and_of_a_branch():
    compaction = {"type": "compaction", "id": "a", "summary": "So far.", "firstKeptEntryId": "k"}
    branch = {"type": "branch_summary", "id": "a", "parentId": None, "summary": "There."}

    assert parsed(compaction) == Summary(
        id="a", parent="", at=0.0, text="So far.", kind=SummaryKind.COMPACTION, first_kept="k"
    )
    assert parsed(branch) == Summary(
        id="a", parent="", at=0.0, text="There.", kind=SummaryKind.BRANCH, first_kept=""
    )


def test_a_name_is_read_and_messages_of_others_are_nothing_that_was_said():
    assert parsed({"type": "session_info", "id": "a", "name": "Talk"}) == Named(
        id="a", parent="", at=0.0, name="Talk"
    )
    assert isinstance(message(role="system", content="rules"), Other)
    assert isinstance(message(role="bashExecution", content="ls"), Other)
    assert isinstance(parsed({"type": "custom_message", "content": "injected"}), Other)
    assert isinstance(parsed({"type": "message", "message": "broken"}), Other)
    assert isinstance(parsed({}), Other)


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        (STAMP, AT),
        ("2026-11-29T20:06:14+01:00", AT),
        ("2026-11-29T19:06:14", AT),
        ("yesterday", 0.0),
        (12, 0.0),
        (None, 0.0),
        ("0001-01-01T00:00:00+23:00", 0.0),
    ],
)
def test_times_are_tolerant(stamp, at):
    found = parsed({"type": "label", "timestamp": stamp})

    assert isinstance(found, Other)
    assert found.at == at


def test_a_message_has_its_own_time_where_the_entry_has_none():
    raw = {"type": "message", "id": "a", "message": {"role": "user", "timestamp": AT * 1000}}

    assert parsed(raw) == Said(id="a", parent="", at=AT, text="")


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"not json\n", b'"text"', b"[1]", b"null", b'{"type": "mess', b"[" * 100_000],
)
def test_what_is_no_object_is_no_entry(line):
    assert parse_entry(line) is None


def test_a_byte_order_mark_does_not_count():
    assert isinstance(parse_entry(b"\xef\xbb\xbf" + b'{"type": "session", "id": "a"}'), Header)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "message", "role", "content", "text", "usage", "cost"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    st.sampled_from(["session", "message", "compaction", "branch_summary", "session_info", "x"]),
    st.sampled_from(["user", "assistant", "toolResult", "system"]),
    json_values,
)
def test_any_json_is_an_entry(kind, role, value):
    raw = {"type": kind, "id": value, "timestamp": value, "summary": value, "name": value}
    raw["message"] = {"role": role, "content": value, "usage": value, "details": value}

    found = parsed(raw)

    assert isinstance(found, Header | Entry)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_entry_or_none(line):
    found = parse_entry(line)

    assert found is None or isinstance(found, Header | Entry)
