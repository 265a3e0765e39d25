"""Prompts for which no search is worth its time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.trivial import is_trivial

# The lists of the two systems that vaultmem follows (topic-memory.md, 5; governed-memory.md, 10).
TOPIC_FILES = (
    "ok", "yes", "no", "thanks", "thank you", "got it", "sure", "right", "correct", "agreed",
    "nice", "cool", "great", "perfect", "👍", "👌", "✅", "🙏", "😊", "🎉", "💯",
)  # fmt: skip
GOVERNED = (
    "ok", "okay", "yes", "no", "sure", "right", "correct", "exactly", "true", "false", "thanks",
    "thank you", "sounds good", "looks good", "got it", "done", "continue", "proceed", "go on",
    "next", "great", "perfect", "nice", "cool", "yep", "nope", "understood", "make sense",
    "makes sense", "agreed",
)  # fmt: skip


@pytest.mark.parametrize("answer", sorted({*TOPIC_FILES, *GOVERNED}))
def test_the_answers_of_both_systems_are_trivial_in_any_form(answer: str) -> None:
    for form in (
        answer,
        answer.title(),
        answer.upper(),
        f"{answer}.",
        f"{answer}!",
        f" {answer}\n",
    ):
        assert is_trivial(form)
    assert not is_trivial(f"{answer} and run the tests")


@given(st.text(max_size=300))
def test_case_does_not_make_a_prompt_trivial(prompt: str) -> None:
    if prompt.isascii():
        assert is_trivial(prompt) is is_trivial(prompt.upper())
    assert isinstance(is_trivial(prompt), bool)


@pytest.mark.parametrize(
    "prompt",
    [
        "ok", "Ok", "OK", "ok!", "ok.", "Thanks", "thanks!", "Thanks 🙏", "thank you", "got it.",
        "sounds good", "looks good!", "yes", "yes, please", "no", "go ahead", "Hi", "👍", "✅",
        "!!!", "???", "...", "", "   ", "\n", "/reload", "/memory off", "/skill:web search",
        "  perfect  ", "🎉 great 🎉", "— — — — — — — — — —", "ok, thanks!", "yes, go ahead",
        "Thanks a lot", "thank you so much!", "lgtm", "that's right", "that’s right", "ok... next",
        "sounds good to me", "hi there", "no thanks", "👍🏽👍🏽", "- - -" * 60, "thx", "y",
    ],
)  # fmt: skip
def test_answers_commands_and_signs_are_trivial(prompt: str) -> None:
    assert is_trivial(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix", "why", "да", "はい", "네", "ok, now fix the test", "thanks a lot for the parser",
        "no tests please", "ok but why", "thanks, ship it", "next.js", "no-op", "please explain",
        "yes " * 60, "C", "why is the test failing?", "42", "yes" * 40,
        # A path is no command.
        "/usr/bin/python crashes", "src/app.py",
    ],
)  # fmt: skip
def test_what_asks_for_something_is_not_trivial(prompt: str) -> None:
    assert not is_trivial(prompt)


@pytest.mark.parametrize("prompt", ["ok", "Thanks", "👍", "!!!"])
def test_topic_row_45_answers_and_signs_are_trivial(prompt: str) -> None:
    assert is_trivial(prompt)


@pytest.mark.parametrize(
    ("prompt", "trivial"),
    [("да", False), ("はい", False), ("fix", False), ("ok!", True)],
)
def test_topic_row_46_what_is_not_known_is_not_trivial(prompt: str, trivial: bool) -> None:
    # There "ok!" is not trivial either: only the whole list counts. A sign more says no more.
    assert is_trivial(prompt) is trivial


@pytest.mark.parametrize("prompt", ["ok", "yes", "got it.", "/reload", "hi", ""])
def test_governed_row_91_nothing_is_searched_for_an_answer_or_a_command(prompt: str) -> None:
    assert is_trivial(prompt)
    assert not is_trivial("why is the test failing?")
