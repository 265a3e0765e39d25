"""Prompts for which no search is worth its time."""

from __future__ import annotations

import pytest

from vaultmem.core.trivial import is_trivial


@pytest.mark.parametrize(
    "prompt",
    [
        "ok", "Ok", "OK", "ok!", "ok.", "Thanks", "thanks!", "Thanks 🙏", "thank you", "got it.",
        "sounds good", "looks good!", "yes", "yes, please", "no", "go ahead", "Hi", "👍", "✅",
        "!!!", "???", "...", "", "   ", "\n", "/reload", "/memory off", "/skill:web search",
        "  perfect  ", "🎉 great 🎉", "— — — — — — — — — —",
    ],
)  # fmt: skip
def test_answers_commands_and_signs_are_trivial(prompt: str) -> None:
    assert is_trivial(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix", "why", "да", "はい", "네", "ok, now fix the test", "thanks a lot for the parser",
        "no tests please", "why is the test failing?", "42", "yes" * 40,
        # A path is no command.
        "/usr/bin/python crashes", "src/app.py",
    ],
)  # fmt: skip
def test_what_asks_for_something_is_not_trivial(prompt: str) -> None:
    assert not is_trivial(prompt)
