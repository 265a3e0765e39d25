"""Sentences, the person's own words, orders and private life: what detection is made of."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core import detection_patterns
from vaultmem.core.imperative import can_be_order
from vaultmem.core.own_words import own_words, plain, wrapped
from vaultmem.core.preference_patterns import PREFERENCES
from vaultmem.core.rule_sentence import examine
from vaultmem.core.sentences import sentences
from vaultmem.core.work_words import about_private_life, about_work

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "detection"


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use uv. Never use pip!", ["Use uv.", "Never use pip!"]),
        ("use uv. never use pip", ["use uv.", "never use pip"]),
        ("Bump to v1.2.3 in setup.cfg. Done", ["Bump to v1.2.3 in setup.cfg.", "Done"]),
        ("Use node.js. Not deno.", ["Use node.js.", "Not deno."]),
        ("Use a pin, e.g. a hash, i.e. the digest.", ["Use a pin, e.g. a hash, i.e. the digest."]),
        ("Prefer tabs vs. spaces etc. in code", ["Prefer tabs vs. spaces etc. in code"]),
        ("Pin actions, images etc. Never float.", ["Pin actions, images etc.", "Never float."]),
        ("Use node, deno, etc.", ["Use node, deno, etc."]),
        ("Ask J. Doe first", ["Ask J. Doe first"]),
        ("use bun... not npm", ["use bun... not npm"]),
        ("See https://a.dev/x.html?q=1. Then stop", ["See https://a.dev/x.html?q=1.", "Then stop"]),
        ("one\ntwo\n\nthree", ["one", "two", "three"]),
        ("- never a\n* [ ] always b\n2) avoid c\n## d", ["never a", "always b", "avoid c", "d"]),
        ("1. never a 2. always b", ["never a", "always b"]),
        ("He said (do it.) Then left", ["He said (do it.)", "Then left"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        (
            "Don't use moment. Use dayjs instead. Done.",
            ["Don't use moment. Use dayjs instead.", "Done."],
        ),
        ("Never a\nUse b instead", ["Never a", "Use b instead"]),
        ("Use b instead", ["Use b instead"]),
        ("  ", []),
        ("...", ["..."]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, expected):
    assert split(text) == expected


@given(st.text(alphabet="ab .!?\n-e.g1", max_size=80))
def test_sentences_are_in_order_and_leave_out_only_marks(text):
    spans = sentences(text)

    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


@pytest.mark.parametrize(
    "quoted",
    [
        "```\nnever a\n```",
        "~~~sh\nnever a",
        "> never a",
        "<file name='x'>never a</file>",
        "<pasted>never a",
        "---\ntitle: never a\n---\n",
        '"never a"',
        "“never a”",
        "'never a, it's bad'",
        "`never a`",
        "Traceback (most recent call last):\n  never a",
        "x = 1;\n// never a\ny = 2;",
        "2026-03-01 12:00:01 never a",
        "ok\n12:00:01 never a",
        "ok\nERROR never a",
        "ok\n$ never a",
        "ok\nnpm WARN never a",
        "ok\n+never a",
        "ok\nsrc/a.py:3:1: never a",
        "ok\nValueError: never a",
        "ok\nimport never from 'a'",
        "ok\ndef never(a):",
        "here is the log:\nnever a",
        "I pasted the email below\n\nnever a",
        "Look.\n# One\nnever a\n# Two\nnever a",
    ],
)
def test_what_is_quoted_or_pasted_is_masked_in_place(quoted):
    masked = own_words(plain(quoted))

    assert "never a" not in masked
    assert len(masked) == len(quoted)
    assert [at for at, one in enumerate(masked) if one == "\n"] == [
        at for at, one in enumerate(quoted) if one == "\n"
    ]


@pytest.mark.parametrize(
    "own",
    [
        "never a",
        "- never a",
        "don't use that, it's never a",
        "Rules:\n- never a\n- always b",
        "# Title\nnever a",
        "The log is empty:\n",
        "a < b and never a",
    ],
)
def test_the_persons_own_words_stay(own):
    assert own_words(own) == own


def test_code_and_quotes_count_as_one_word():
    assert own_words('use `a b` not "c"') == "use _____ not ___"


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("/compact", "trivial"),
        ("/usr/bin/python is broken", None),
        ("  Task: always", "task"),
        ("## Task: always", "task"),
        ("the task: always", None),
        ("You are a senior engineer.", "subagent"),
        ("you are right", None),
        ("This session is being continued from", "subagent"),
        ("a message to you from the lead", "subagent"),
        ("[Read from: a.txt] never", "quoted"),
    ],
)
def test_a_message_that_begins_as_a_wrapper_is_none_of_the_persons(text, refusal):
    assert wrapped(text) == refusal


@pytest.mark.parametrize("word", ["run", "use", "pass", "focus", "embed", "bring", "frobnicate"])
def test_a_base_form_can_be_an_order(word):
    assert can_be_order(word)


@pytest.mark.parametrize(
    "word", ["mind", "runs", "worked", "running", "seen", "isn't", "she's", "", "-x", "good"]
)
def test_other_forms_are_no_order(word):
    assert not can_be_order(word)


def test_private_life_needs_a_word_of_it_and_none_of_work():
    assert about_private_life("I never use sugar")
    assert about_private_life("never use sugar")
    assert about_private_life("I always take my phone")
    assert not about_private_life("never log the phone")  # a program may be about phones
    assert not about_private_life("I never put sugar into the API")
    assert not about_private_life("I never put sugar into `src/a.py`")


@pytest.mark.parametrize("text", ["I use tabs", "I use foo.py", "I use --flag", "I use fooBar"])
def test_work_is_told_by_its_words_or_the_shape_of_code(text):
    assert about_work(text)


def test_everyday_life_is_no_work():
    assert not about_work("I use public transport")


@pytest.mark.parametrize(
    "said",
    ["i told you before: don't run the tests", "i've told you, do not open drafts"],
)
def test_after_i_told_you_every_order_not_to_is_a_rule(said):
    found = examine(said, said, denied=False, in_task=False)

    assert found is not None
    assert (found.objection, found.strong) == (None, True)


def test_every_phrase_fits_a_captured_message_of_the_corpus():
    said = [
        own_words(plain(row["text"]))
        for name in ("tune", "hold")
        for row in map(json.loads, (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())
        if row["captured"]
    ]
    clauses = [text[at:] for one in said for text in [one.lower()] for at in range(len(text))]
    phrases = [one.pattern for one in (*detection_patterns.START, *PREFERENCES)]

    assert [one.pattern for one in phrases if not any(map(one.match, clauses))] == []
