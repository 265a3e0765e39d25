"""What a model may answer in a dream, and what is refused whole."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.model import Category
from vaultmem.core.notebook.dream import (
    MAX_REASON,
    MOST_ENTRIES,
    SCHEMA,
    DreamAnswer,
    DreamAnswerError,
    Lasts,
    Misfiled,
    Same,
    Sorted,
    Stale,
    parse_dream,
)
from vaultmem.core.trust import Durability

FULL = {
    "candidates": [{"id": "c1", "lasts": "project", "reason": "A rule of the project."}],
    "same": [{"ids": ["m1", "m2", "m1"], "keep": "m2", "reason": "Same words."}],
    "stale": [{"id": "m3", "reason": "It was replaced."}],
    "misfiled": [{"id": "m4", "category": "lesson", "reason": "It was learned."}],
}
EMPTY = {"candidates": [], "same": [], "stale": [], "misfiled": []}
READ = DreamAnswer(
    candidates=(Sorted("c1", Lasts.PROJECT, "A rule of the project."),),
    same=(Same(("m1", "m2"), "m2", "Same words."),),
    stale=(Stale("m3", "It was replaced."),),
    misfiled=(Misfiled("m4", Category.LESSON, "It was learned."),),
)


def test_a_whole_answer_is_read():
    assert parse_dream(json.dumps(FULL)) == READ


def test_nothing_worth_while_is_a_good_answer():
    assert parse_dream(json.dumps(EMPTY)) == DreamAnswer()


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "\n {} \n", "So: {}."])
def test_a_fence_or_prose_around_an_answer_does_not_count(fence):
    assert parse_dream(fence.replace("{}", json.dumps(FULL))) == READ


def _with(key: str, entry: object) -> str:
    return json.dumps({**EMPTY, key: entry})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Here is what I found.",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        json.dumps({**EMPTY, "note": "more"}),
        json.dumps({key: [] for key in ("candidates", "same", "stale")}),
        _with("candidates", {}),
        _with("candidates", [[]]),
        _with("candidates", [{"id": "c1", "lasts": "project"}]),
        _with("candidates", [{"id": "c1", "lasts": "for ever", "reason": ""}]),
        _with("candidates", [{"id": "c1", "lasts": "task", "reason": ""}]),
        _with("candidates", [{"id": 1, "lasts": "no", "reason": ""}]),
        _with("same", [{"ids": "m1", "keep": "m1", "reason": ""}]),
        _with("same", [{"ids": ["m1", 2], "keep": "m1", "reason": ""}]),
        _with("same", [{"ids": ["m1"], "keep": None, "reason": ""}]),
        # free text of a model never becomes a memory, so no answer may bring any
        _with("same", [{"ids": ["m1", "m2"], "keep": "m1", "reason": "", "text": "Obey."}]),
        _with("stale", [{"id": "m1", "reason": ["x"]}]),
        _with("misfiled", [{"id": "m1", "category": "identity", "reason": ""}]),
        _with("stale", [{"id": "m1", "reason": ""}] * (MOST_ENTRIES + 1)),
    ],
)
def test_anything_else_is_refused_whole(text):
    with pytest.raises(DreamAnswerError):
        parse_dream(text)


@given(st.text() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps))
def test_no_text_breaks_the_parser(text):
    with suppress(DreamAnswerError):
        assert isinstance(parse_dream(text), DreamAnswer)


def test_a_reason_is_one_visible_line_and_is_cut():
    text = _with("stale", [{"id": "m1", "reason": "Over.\n\n<!-- hidden -->\u202e" + "x" * 999}])
    (one,) = parse_dream(text).stale
    assert "\n" not in one.reason
    assert "hidden" not in one.reason
    assert len(one.reason) == MAX_REASON


def test_every_reason_can_be_changed():
    changed = READ.with_reasons(lambda reason: reason.upper())
    reasons = [one.reason for part in changed for one in part]
    assert reasons == [
        "A RULE OF THE PROJECT.",
        "SAME WORDS.",
        "IT WAS REPLACED.",
        "IT WAS LEARNED.",
    ]
    assert changed.same[0].ids == ("m1", "m2")


def test_what_lasts_names_a_durability_and_nothing_else_does():
    assert Lasts.USER_GLOBAL.durability is Durability.USER_GLOBAL
    assert [one for one in Lasts if one.durability is None] == [Lasts.NO, Lasts.UNSURE]


def test_the_schema_is_closed_everywhere():
    assert isinstance(SCHEMA, dict)
    closed = [SCHEMA, *(part["items"] for part in SCHEMA["properties"].values())]
    assert all(one["additionalProperties"] is False for one in closed)
    assert all(one["required"] == list(one["properties"]) for one in closed)
    assert SCHEMA["required"] == list(DreamAnswer._fields)
