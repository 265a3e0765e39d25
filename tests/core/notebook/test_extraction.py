"""The answer of phase 1 and its strict reading."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.model import Category
from vaultmem.core.notebook.extraction import (
    MAX_ANSWER,
    MAX_MEMORIES,
    SCHEMA,
    AnswerError,
    Remembered,
    parse_answer,
)

ONE = {"statement": "Use UTC.", "category": "pattern", "quote": "in UTC please"}


def answer(**changes) -> str:
    """A good answer with other values; None leaves a key out."""
    whole = {
        "rollout_summary": "The importer was repaired.",
        "rollout_slug": "importer_repair",
        "raw_memory": "# The importer\n\nIt reads UTC.",
        "memories": [ONE],
    }
    return json.dumps({key: value for key, value in (whole | changes).items() if value != "-"})


def test_notebook_row_3_the_schema_requires_all_and_lets_only_the_slug_be_null():
    assert SCHEMA["additionalProperties"] is False
    assert {"raw_memory", "rollout_slug", "rollout_summary"} <= set(SCHEMA["required"])
    assert set(SCHEMA["required"]) == set(SCHEMA["properties"])
    kinds = {name: one["type"] for name, one in SCHEMA["properties"].items()}
    assert kinds == {
        "rollout_summary": "string",
        "rollout_slug": ["string", "null"],
        "raw_memory": "string",
        "memories": "array",
    }


def test_an_answer_is_read():
    found = parse_answer(answer())
    assert (found.summary, found.slug) == ("The importer was repaired.", "importer_repair")
    assert found.card == "# The importer\n\nIt reads UTC."
    assert found.memories == (Remembered("Use UTC.", Category.PATTERN, "in UTC please"),)


@pytest.mark.parametrize(
    ("text", "slug"), [(answer(rollout_slug=None), None), (answer(rollout_slug="-"), None)]
)
def test_a_slug_that_is_null_or_missing_is_none(text, slug):
    assert parse_answer(text).slug is slug


def test_missing_memories_are_none():
    assert parse_answer(answer(memories="-")).memories == ()


def test_more_memories_than_there_may_be_are_cut():
    many = [ONE | {"statement": str(number)} for number in range(MAX_MEMORIES + 3)]
    found = parse_answer(answer(memories=many)).memories
    assert [one.statement for one in found] == [str(number) for number in range(MAX_MEMORIES)]


@pytest.mark.parametrize("blank", ["", "  \n"])
@pytest.mark.parametrize("key", ["rollout_summary", "raw_memory"])
def test_a_blank_summary_or_card_is_no_output(key, blank):
    assert parse_answer(answer(**{key: blank})) is None


@pytest.mark.parametrize("around", ["```json\n{}\n```", "```\n{}\n```", " \n{}\n "])
def test_one_fence_or_white_space_around_the_object_does_no_harm(around):
    assert parse_answer(around.replace("{}", answer())) == parse_answer(answer())


@pytest.mark.parametrize(
    "around", ["Here it is: {}", "{} Good luck!", "I read it.\n\n```json\n{}\n```\nThat is all."]
)
def test_governed_row_127_an_answer_in_prose_is_read(around):
    assert parse_answer(around.replace("{}", answer())) == parse_answer(answer())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not JSON",
        "[]",
        "null",
        '{"rollout_summary": "a", "raw_memory": "b"',
        f"As {{you}} asked: {answer()}",
        f"{answer()} and {answer()}",
        "} the wrong way round {",
        "[" * 100_000,
        '{"rollout_summary": ' + "1" * 5_000 + "}",  # more digits than Python reads
        '{"rollout_summary": "a", "rollout_summary": "b", "raw_memory": "c"}',
        answer(extra="x"),
        answer(rollout_summary="-"),
        answer(raw_memory="-"),
        answer(rollout_summary=None),
        answer(raw_memory=7),
        answer(rollout_slug=7),
        answer(memories=None),
        answer(memories={}),
        answer(memories=["x"]),
        answer(memories=[ONE | {"more": "x"}]),
        answer(memories=[{"statement": "x", "category": "lesson"}]),
        answer(memories=[ONE | {"category": "rumour"}]),
        answer(memories=[ONE | {"quote": None}]),
        answer(raw_memory="x" * MAX_ANSWER),
    ],
)
def test_notebook_row_3_an_answer_of_another_form_is_refused(text):
    with pytest.raises(AnswerError) as refused:
        parse_answer(text)
    assert "rumour" not in str(refused.value), "an error holds none of the answer's words"


def test_what_nobody_sees_is_taken_out_of_every_field():
    hidden = "a\x1b[31m\u202eb\U000e0041\ud800"
    found = parse_answer(
        answer(
            rollout_summary=hidden,
            rollout_slug=hidden,
            raw_memory=hidden,
            memories=[{"statement": hidden, "category": "lesson", "quote": hidden}],
        )
    )
    (one,) = found.memories
    assert {found.summary, found.slug, found.card, one.statement, one.quote} == {"ab?"}


@given(st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_any_text_is_read_or_refused(text):
    try:
        parse_answer(text)
    except AnswerError:
        return
