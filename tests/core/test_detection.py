"""What in a person's message is captured: the acceptance rows of the facts, and every refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.detection import (
    SIGNALS_A_MESSAGE,
    STATEMENT_LENGTH,
    Kind,
    Signal,
    detect,
)
from vaultmem.core.model import RuleType
from vaultmem.core.trust import Durability

TOKEN = "ghp_" + "A1b2C3d4E5" * 4


def only(message: str) -> Signal:
    """The one signal of a message."""
    (signal,) = detect(message)
    return signal


AVOID, PREFER = RuleType.AVOID_PATTERN, RuleType.PREFER_PATTERN
CONVENTION = RuleType.CONVENTION

CAPTURED = [
    ("row21_001", "Don't use regex here, use the Zod schemas", AVOID, 0.82, Durability.TASK),
    ("row21_002", "do not use echo >> for file writes", AVOID, 0.90, Durability.PROJECT),
    ("row21_003", "favor conventional commits over custom formats", PREFER, 0.90, Durability.PROJECT),
    ("row21_004", "use bun install instead of npm install", PREFER, 0.90, Durability.PROJECT),
    ("row21_005", "this project uses bun not node", CONVENTION, 0.90, Durability.PROJECT),
    ("row21_007", "we should use bun here", CONVENTION, 0.72, Durability.TASK),
    ("row21_011", "Going forward, prefer bun test before typecheck.", PREFER, 0.90, Durability.PROJECT),
    ("row21_013a", "Don't use echo >> for vault notes, use sed instead.", AVOID, 0.90, Durability.PROJECT),
    ("row21_013b", "Always run typecheck before pushing to main.", CONVENTION, 0.90, Durability.PROJECT),
    ("row21_013c", "This project uses Bun, not npm for local tests.", CONVENTION, 0.90, Durability.PROJECT),
    ("row21_013d", "Prefer canonical JSONL over rendered markdown for data.", PREFER, 0.90, Durability.PROJECT),
    ("row21_013e", "Never edit MEMORY.md directly; go through the patch flow.", CONVENTION, 0.90, Durability.PROJECT),
    ("row21_015", "We don't use npm here", AVOID, 0.82, Durability.TASK),
    # The next ones are fixed: they were dropped or not seen.
    ("row21_016", "stop using moment.js", AVOID, 0.90, Durability.PROJECT),
    ("row21_016b", "avoid any use of var in favor of const", AVOID, 0.90, Durability.PROJECT),
    ("row21_017", "That’s wrong, don’t use npm", AVOID, 0.90, Durability.PROJECT),
    ("topic_23", "From now on, commit in English!", CONVENTION, 0.90, Durability.PROJECT),
    ("topic_24", "Never publish on Friday", CONVENTION, 0.90, Durability.PROJECT),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "rule", "confidence", "durability"),
    [row[1:] for row in CAPTURED],
    ids=[row[0] for row in CAPTURED],
)
def test_a_correction_is_captured_whole(message, rule, confidence, durability):
    assert only(message) == Signal(
        text=message,
        kind=Kind.CORRECTION,
        rule=rule,
        confidence=confidence,
        durability=durability,
        refused_by=None,
        reason="It says how to work.",
    )


@pytest.mark.parametrize(
    ("message", "refused_by"),
    [
        pytest.param("/curate-memory", "trivial", id="row21_006a"),
        pytest.param("ok", "trivial", id="row21_006b"),
        pytest.param("thanks", "trivial", id="row21_006c"),
        pytest.param("looks good", "trivial", id="row21_006d"),
        pytest.param("use", None, id="row21_006e"),
        pytest.param("ok try", None, id="row21_006f"),
        pytest.param("for now", "task", id="row21_006g"),
        pytest.param("that could be better", None, id="row21_009"),
        pytest.param("Run the tests before the meeting.", None, id="row21_012"),
        pytest.param("for now use npm", "task", id="row21_014a"),
        pytest.param("just this once skip the test", "grant", id="row21_014b"),
        pytest.param("what time is it", "question", id="row21_014c"),
        pytest.param("I never use sugar", "personal", id="row21_018"),
        pytest.param("Task: always use bun", "task", id="row21_019a"),
        pytest.param("you are a subagent; never edit files", "subagent", id="row21_019b"),
        pytest.param(f"Always use token {TOKEN}", "secrets", id="row21_020"),
        pytest.param("Do I always need to run tox?", "question", id="topic_17"),
        pytest.param("you can merge this PR", "grant", id="topic_18"),
        pytest.param("when done, I want an html report", "task", id="topic_19"),
        pytest.param("/remember I always use tabs", "trivial", id="topic_27"),
        ("", "trivial"),
        ("Your goal is to port the parser. Never touch the tests.", "subagent"),
        ('<file name="rules.md">always use tabs</file>', "subagent"),
        ("[Read from: CONTRIBUTING.md] Always sign your commits.", "quoted"),
        ("summarise [Read from: docs/a.md] never use tabs", "quoted"),
        ('The README says "always use npm ci"', "quoted"),
        ("> never use var", "quoted"),
        ("The linter complains that you should never use any", "quoted"),
        ("According to the style guide you should always use const.", "quoted"),
        ("The error says: do not use the old API", "quoted"),
        ("maybe we should use redis", "question"),
        ("I think we should never mock", "question"),
        ("for now don't use npm", "task"),
        ("use v2 of the api for this request instead of v1", "task"),
        ("Implement the login page. Do not use Formik.", "task"),
        ("Add a flag and never prompt when it is set", "task"),
        ("Don't use the cached file, fetch it again", "task"),
        ("the parser should never return twice but it does", "personal"),
        ("never use sugar", "personal"),
    ],
)
def test_what_is_no_rule_of_the_person_is_refused_and_says_why(message, refused_by):
    signal = only(message)

    assert not signal.captured
    assert signal.kind is Kind.NONE
    assert signal.refused_by == refused_by
    assert signal.reason.endswith(".")


def test_row21_008_a_complaint_is_weak_and_asks_for_what_to_do():
    signal = only("that's not the pattern")

    assert (signal.captured, signal.confidence, signal.refused_by) == (False, 0.60, None)
    assert "say what to do instead" in signal.reason


def test_row21_010_a_repeated_sentence_is_one_signal_within_the_limit():
    signals = detect("always use X instead of Y. " * 20)

    assert [one.captured for one in signals] == [True]
    assert len(signals[0].text) <= STATEMENT_LENGTH


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("I prefer uv over pip", id="topic_20"),
        pytest.param("I prefer uv", id="topic_21"),
        pytest.param("My timezone is UTC+3", id="topic_25"),
        "I never use semicolons in TypeScript",
        "please answer in German",
    ],
)
def test_a_preference_is_captured_with_unknown_durability(message):
    signal = only(message)

    assert signal.kind is Kind.PREFERENCE
    assert signal.rule is RuleType.PREFERENCE
    assert signal.durability is Durability.UNKNOWN
    assert 0.65 <= signal.confidence < 0.90


def test_topic_22_two_sentences_are_two_signals():
    first, second = detect("Always use uv run. Never use pip install")

    assert (first.text, second.text) == ("Always use uv run.", "Never use pip install")


def test_topic_26_a_version_number_does_not_cut_a_sentence():
    (signal,) = detect("Use v1.2.3 always use tags here")
    (kept,) = detect("Always use v1.2.3 of node.js, e.g. in src/app.ts, never v1.1")

    assert signal.text == "Use v1.2.3 always use tags here"
    assert kept.text == "Always use v1.2.3 of node.js, e.g. in src/app.ts, never v1.1"


@pytest.mark.parametrize(
    ("message", "durability"),
    [
        ("In all my projects, never add a co-author", Durability.USER_GLOBAL),
        ("never touch the frontend in this session", Durability.SESSION),
        ("It is fine for now, but in the future please use guard clauses", Durability.PROJECT),
        ("never use npm here", Durability.PROJECT),
        ("No, never use npm here, always use pnpm.", Durability.PROJECT),
        ("We always run the linter here before a push", Durability.PROJECT),
        ("From now on use pnpm here", Durability.PROJECT),
        ("From here on, use pnpm instead of npm", Durability.PROJECT),
        ("Don't use npm in this repo", Durability.PROJECT),
        ("Never use npm in this project", Durability.PROJECT),
        ("Use pnpm instead of npm here", Durability.TASK),
        ("For this task, never use npm here", Durability.TASK),
        ("Never use npm here in this session", Durability.SESSION),
    ],
)
def test_words_narrow_or_widen_how_long_it_holds(message, durability):
    signal = only(message)

    assert (signal.captured, signal.durability) == (True, durability)


@pytest.mark.parametrize(
    "message",
    [
        "Don't use npm for the demo",
        "During the presentation, don't use animations",
        "For this test, don't use npm",
        "No, for the screenshot use the dark theme",
        "Don't use npm, just this once",
        "Today only, don't use npm",
        "For the rest of the day, don't use npm",
    ],
)
def test_what_is_said_for_an_occasion_is_no_memory(message):
    signal = only(message)

    assert (signal.captured, signal.refused_by) == (False, "task")


@pytest.mark.parametrize(
    ("message", "durability"),
    [
        ("For the demo folder, always run the linter before a commit", Durability.PROJECT),
        ("For this demo folder, always run the linter before a commit", Durability.PROJECT),
        ("In this test suite, never use the network", Durability.PROJECT),
        ("For the rest of the session, never use npm", Durability.SESSION),
    ],
)
def test_a_thing_that_is_named_after_an_occasion_is_remembered(message, durability):
    signal = only(message)

    assert (signal.captured, signal.durability) == (True, durability)


def test_what_holds_for_now_says_so():
    assert only("for now use npm").durability is Durability.TEMPORARY
    assert only("for now don't use npm").durability is Durability.TEMPORARY
    for when in ("for now", "today", "this time"):
        said = only(f"No, never use npm here {when}")
        assert (said.captured, said.durability) == (False, Durability.TEMPORARY)


def test_a_sentence_is_taken_out_of_a_longer_message():
    message = "Looks good, thanks!\n\n- [ ] Never import from internal/ in the cli.\n\nNow run it."

    assert only(message).text == "Never import from internal/ in the cli."


def test_the_strongest_comes_first_and_three_are_enough():
    signals = detect(
        "We should use zod. Never use yup. Always use ky. Never use axios. Avoid moment."
    )

    assert [one.confidence for one in signals] == [0.90, 0.90, 0.90]
    assert signals[0].text == "Never use yup."


def test_a_denial_makes_a_correction_of_what_follows():
    assert only("no, use pnpm").captured
    assert only("Nope. It's spaces, not tabs").captured
    assert not only("it's spaces, not tabs").captured
    assert not only("use pnpm").captured
    assert not only("no, use the other one").captured


@pytest.mark.parametrize(
    "message",
    [
        "I told you: run the formatter first",
        "I've told you before: do not delete the generated files",
        "remember: staging deploys come from the release branch, ask Kim",
    ],
)
def test_what_was_said_before_is_captured(message):
    assert only(message).captured


def test_a_polite_wish_is_no_question():
    assert only("Could you please always show the diff?").captured
    assert only("can you stop adding emojis?").captured
    assert not only("can you always reproduce it?").captured


def test_a_secret_is_never_shown():
    for message in (f"Always use token {TOKEN}", f"the token is {TOKEN}, never commit it"):
        (signal,) = detect(message)
        assert TOKEN not in signal.text
        assert "[redacted_secret:" in signal.text
        assert not signal.captured


def test_a_secret_in_one_sentence_does_not_silence_another():
    (signal,) = detect(f"My token is {TOKEN}. Never commit tokens to the repo.")

    assert signal.text == "Never commit tokens to the repo."


def test_a_long_sentence_is_cut_at_a_word():
    (signal,) = detect("Never use " + "really " * 60 + "long names in the code base")

    assert signal.captured
    assert len(signal.text) <= STATEMENT_LENGTH
    assert signal.text.endswith("really")


def test_a_word_without_end_is_cut_anyway():
    assert len(only("a" * 1_000).text) == STATEMENT_LENGTH


def test_letters_that_grow_in_lower_case_do_not_shift_the_sentence():
    (signal,) = detect("İİİ wrote this. Never use `npm` in the İzmir package")

    assert signal.text == "Never use `npm` in the İzmir package"


@given(st.text(max_size=400))
def test_any_text_is_answered(message):
    signals = detect(message)

    assert 1 <= len(signals) <= SIGNALS_A_MESSAGE
    assert all(one.captured for one in signals) or len(signals) == 1
    assert all(len(one.text) <= STATEMENT_LENGTH and "\n" not in one.text for one in signals)
    assert all(one.refused_by is None for one in signals if one.captured)
