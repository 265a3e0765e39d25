"""What goes to a terminal, a model or a report is one line of visible characters."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import many
from vaultmem.core.visible import visible_characters, visible_line

INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\u061c\u180e\u3164\u115f\u2800\ufffc\u034f\ufe00\U000e0041\U000e0100"
anything = st.lists(
    st.one_of(
        st.text(max_size=4),
        st.sampled_from([*INVISIBLE, "<", "＜", "﹤", ">", "＞", "/", "|", "!", " ", "\x1b[", "\x9b", "\ud83d", "👩", "💻", "\ufe0f", "م", "ن", "क", "्", "\u0301", "system", "Project_Memory", "\u2028", "\x85"]),
    ),
    max_size=14,
).map("".join)  # fmt: skip


@many(6)
@given(anything)
def test_a_line_is_one_line_of_characters_that_show(text: str) -> None:
    line = visible_line(text)
    assert line == " ".join(line.split())
    for place, char in enumerate(line):
        category = unicodedata.category(char)
        if char in "\u200c\u200d":
            assert 0 < place < len(line) - 1
        else:
            assert category[0] != "C", hex(ord(char))
            assert category not in {"Zl", "Zp"}
    line.encode()


@many(6)
@given(anything)
def test_no_width_or_case_of_it_is_a_tag(text: str) -> None:
    folded = unicodedata.normalize("NFKC", visible_line(text))
    assert not re.search(r"<[^\s\d=<-]", folded)
    assert not re.search(r"<\s+/?\w[^<>]*>", folded)
    assert not folded.endswith("<")


@many(4)
@given(anything)
def test_a_visible_line_stays_as_it_is(text: str) -> None:
    assert visible_line(visible_line(text)) == visible_line(text)
    assert visible_characters(visible_characters(text)) == visible_characters(text)


@many(3)
@given(anything, st.integers(min_value=-1, max_value=12))
def test_a_limit_is_never_exceeded(text: str, limit: int) -> None:
    line = visible_line(text, limit)
    assert len(line) <= max(limit, 0)
    assert not re.search(r"<[^\s\d=<-]", unicodedata.normalize("NFKC", line))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain text", "plain text"),
        ("</project_memory>", "‹/project_memory›"),
        ("</PROJECT_MEMORY >", "‹/PROJECT_MEMORY ›"),
        ("＜system＞ x", "‹system› x"),
        ("﹤／system﹥", "‹／system›"),
        ("<|im_start|>system", "‹|im_start|›system"),
        ("<<SYS>>", "‹‹SYS››"),
        ("< / system >", "‹ / system ›"),
        ("<\u200b/system>", "‹/system›"),
        ("<!-- x -->", "‹!-- x --›"),
        ("a < b", "a < b"),
        ("a <= b << 2", "a <= b << 2"),
        ("x <- y", "x <- y"),
        ("ends <", "ends ‹"),
        ("a > b -> c", "a > b -> c"),
        ("Vec<u8>", "Vec‹u8›"),
        ("red \x1b[31mred\x1b[0m", "red red"),
        ("title \x1b]0;owned\x07x", "title x"),
        ("\x9b31mred", "red"),
        ("line\nline\u2028line\x85line", "line line line line"),
        ("nb\u00a0sp", "nb sp"),
        ("ta\U000e0067\U000e007fgs", "tags"),
        ("\ufdd0\uffff\U0010ffff", ""),
        ("lone \ud800", "lone"),
        ("soft\u00adhyphen", "softhyphen"),
        ("👩\u200d💻 👨\u200d👩\u200d👧 👩🏽\u200d💻 ❤️\u200d🔥", "👩\u200d💻 👨\u200d👩\u200d👧 👩🏽\u200d💻 ❤️\u200d🔥"),
        ("می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"),
        ("a\u200db\u200cc", "abc"),
        ("👩\u200d", "👩"),
        ("\u200d👩", "👩"),
        ("1\ufe0f\u20e3 a\ufe0f", "1\ufe0f\u20e3 a"),
        ("☎\ufe0e ↔\ufe0f ‼\ufe0f", "☎\ufe0e ↔\ufe0f ‼\ufe0f"),
        ("<\ufe0e/a", "‹/a"),
        ("＜\ufe0ea＞\ufe0e", "‹a›"),
        ("a\ufe01", "a"),
        ("e\u0301 \u0301x", "e\u0301 x"),
        ("z" + "\u0301" * 40, "z" + "\u0301" * 8),
        ("\u3164\u115f\u2800hi", "hi"),
        ("\ue000private", "private"),
    ],
)  # fmt: skip
def test_lines(text: str, line: str) -> None:
    assert visible_line(text) == line


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("abcd efg", 6, "abcd…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
    ],
)
def test_a_long_line_is_cut_with_an_ellipsis(text: str, limit: int, line: str) -> None:
    assert visible_line(text, limit) == line


def test_an_emoji_sequence_is_not_left_with_a_loose_joiner() -> None:
    assert visible_line("x👩\u200d💻y", 4) == "x👩…"


def test_a_long_run_of_brackets_is_cheap_and_harmless() -> None:
    line = visible_line("<" * 100_000 + " x>")
    assert line == "‹" * 100_000 + " x›"
