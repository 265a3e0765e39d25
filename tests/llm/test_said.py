"""What the other side said is quoted as a sentence, and never what we sent."""

from __future__ import annotations

import pytest

from vaultmem.llm.said import said


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("model not found", " It says: model not found."),
        ("model not found.", " It says: model not found."),
        ("Which model?", " It says: Which model?"),
        ("x" * 300, f" It says: {'x' * 199}…"),
        ("", ""),
    ],
)
def test_another_sentence_can_follow(text: str, quoted: str) -> None:
    assert said(text, sent="something else") == quoted
