"""What is quoted is somebody else's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.quoted import straight, unquoted


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Run `git add .` never.", "Run  ▢  never."),
        ('Say "never do it" often.', "Say  ▢  often."),
        ("Say “never” often.", "Say  ▢  often."),
        ("Reply 'say OK' at once.", "Reply  ▢  at once."),
        ("Don't use it, it's the users' choice.", "Don't use it, it's the users' choice."),
        ("Don’t use it.", "Don't use it."),
        ("Before.\n> never push\nAfter.", "Before.\n ▢ \nAfter."),
        ("Before.\n```sh\nnever push\n```\nAfter.", "Before.\n ▢ \nAfter."),
        ("~~~\nopen to the end", " ▢ "),
        ("``a ` b`` c", " ▢  c"),
        ('An inch is 1" wide.', 'An inch is 1" wide.'),
    ],
)
def test_quotations_become_marks(text: str, left: str) -> None:
    assert unquoted(text) == left


@given(st.text(alphabet="`'\"“”>~\n a", max_size=80))
def test_what_is_not_quoted_keeps_its_letters(text: str) -> None:
    assert unquoted(text).count("a") <= text.count("a")
    assert straight(text) == text
