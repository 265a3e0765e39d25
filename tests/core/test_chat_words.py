"""What a person says in chat is remembered as a rule, without the words that speak to the agent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.chat_words import rule_text
from vaultmem.core.detection import detect
from vaultmem.core.rule_sentence import Kind
from vaultmem.core.trust import Durability

HEARD = [
    ("Remember that the deploy runs on Fridays.", "The deploy runs on Fridays."),
    ("Please remember: we use port 8089.", "We use port 8089."),
    ("I told you already, use ruff not black!", "Use ruff not black!"),
    ("we always squash merge, you know", "We always squash merge"),
    ("don't use pip, use uv.", "Don't use pip, use uv."),
    ("Never commit to main directly!", "Never commit to main directly!"),
    ("Please remember that the deploy runs on Fridays!", "The deploy runs on Fridays!"),
    ("remember: tests live in spec/.", "Tests live in spec/."),
    ("Remember, staging is read only.", "Staging is read only."),
    ("Remember this: migrations are never edited.", "Migrations are never edited."),
    ("Please remember the API is on port 8089", "The API is on port 8089"),
    ("Remember that we use uv.", "We use uv."),
    ("remember that tests run serially in CI", "Tests run serially in CI"),
    ("Remember that pnpm is our package manager.", "pnpm is our package manager."),
    ("Remember to always quote shell variables in our scripts", "Always quote shell variables in our scripts"),
    ("Don't forget that the release branch is frozen.", "The release branch is frozen."),
    ("Don’t forget: all dates are UTC.", "All dates are UTC."),
    ("Keep in mind that staging is read-only.", "Staging is read-only."),
    ("bear in mind that the old server was retired", "The old server was retired"),
    ("Hey, please remember that all dates are UTC, thanks!", "All dates are UTC!"),
    ("As I said before: never push to main.", "Never push to main."),
    ("like i said, always run the formatter", "Always run the formatter"),
    ("I already told you: never use npm.", "Never use npm."),
    ("I've told you twice, never use npm.", "Never use npm."),
    ("Remember: never use npm.", "Never use npm."),
    ("No, never use npm, always use pnpm.", "Never use npm, always use pnpm."),
    ("no, no, never use npm", "Never use npm"),
    ("Please always run the tests.", "Always run the tests."),
    ("Always run the tests, please.", "Always run the tests."),
    ("Always run the tests please", "Always run the tests"),
    ("Always run the tests, ok?", "Always run the tests"),
    ("we always squash merge, please remember that", "We always squash merge"),
    ("For the record, we never rebase main.", "We never rebase main."),
    ("FYI: we never rebase main.", "We never rebase main."),
    ("Reminder: never edit generated files.", "Never edit generated files."),
    ("From now on, commit in English!", "From now on, commit in English!"),
    ("from now on always use tabs", "From now on always use tabs"),
    ("Never answer a review with ok, no, or well.", "Never answer a review with ok, no, or well."),
    ("No, npm install must never run in the build.", "npm install must never run in the build."),
    ("Always say please, thanks and sorry in the docs.", "Always say please, thanks and sorry in the docs."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "rule"), HEARD)
def test_what_is_said_in_chat_is_heard_and_remembered_as_a_rule(said, rule):
    (signal,) = detect(said)

    assert signal.captured
    assert signal.text == said, "what detection shows are the person's words"
    assert rule_text(said) == rule


@pytest.mark.parametrize(
    "said",
    [
        "Remember the milk",
        "Remember to close the file.",
        "Remember that bug from yesterday?",
        "Remember the tests from yesterday",
        "Remember that time when it broke",
        "remember that for later",
        "remember when we fixed that bug",
        "Do you remember that the deploy runs on Fridays?",
        "You remember that the deploy runs on Fridays.",
        "I remember that the deploy failed.",
        "Don't forget the milk.",
        "Remember that my wife's birthday is in May.",
        "remember that today the server is down",
        "Remember that I have a meeting",
    ],
)
def test_not_everything_that_is_remembered_is_a_rule(said):
    assert not any(one.captured for one in detect(said))


def test_what_is_asked_to_be_remembered_lasts_for_the_project_and_is_sure():
    (signal,) = detect("Remember that the deploy runs on Fridays.")

    assert (signal.kind, signal.durability) == (Kind.CORRECTION, Durability.PROJECT)
    assert signal.confidence == 0.9


@pytest.mark.parametrize(
    "said", ["Please stop.", "No, uv.", "ok, thanks", "Never, please", "x", ""]
)
def test_where_next_to_nothing_would_be_left_the_sentence_stays(said):
    assert rule_text(said) == said


@given(st.text(max_size=80) | st.sampled_from([said for said, _ in HEARD]))
def test_the_rule_is_a_piece_of_what_was_said(said):
    rule = rule_text(said)

    assert rule.rstrip(".!").lower() in said.lower()
    assert bool(rule) == bool(said)
