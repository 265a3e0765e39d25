"""Tokens are counted by characters and scripts, and whole lines never take more than there is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.budget import WIDE_RANGES, Room, fitting, is_wide, quarters, shorten, tokens

TEXT = st.text(
    st.characters(codec="utf-8") | st.sampled_from("漢字かなカナ한글。ａ a"), max_size=80
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("abcd", 1),
        ("abcde", 2),
        ("naïve über", 3),
        # One each: ideographs, both kana, Hangul, CJK punctuation, full-width letters.
        ("漢字", 2),
        ("ひらカナ", 4),
        ("한글", 2),
        ("。「」", 3),
        ("ｅｒｒ", 3),
        ("𠮷", 1),
        # Quarters are added before rounding.
        ("漢字 abc", 3),
        ("漢a", 2),
        # Other scripts and emoji count as any character.
        ("привет", 2),
        ("👍👍👍👍", 1),
    ],
)
def test_tokens_of_a_text(text: str, expected: int) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(("first", "last"), WIDE_RANGES)
def test_the_ends_of_a_wide_range_are_in_it(first: int, last: int) -> None:
    assert is_wide(chr(first))
    assert is_wide(chr(last))


def test_wide_ranges_stand_in_order_apart_from_each_other() -> None:
    ends = [end for pair in WIDE_RANGES for end in pair]
    assert ends == sorted(set(ends))


@pytest.mark.parametrize("character", ["\u10ff", "\u1200", "\ufe2f", "\ufe50", "a", "\u2e7f"])
def test_characters_beside_a_wide_range_are_not_wide(character: str) -> None:
    assert not is_wide(character)


@given(TEXT, TEXT)
def test_quarters_of_a_text_are_the_sum_of_its_parts(one: str, other: str) -> None:
    assert quarters(one + other) == quarters(one) + quarters(other)


@given(TEXT)
def test_tokens_are_at_least_a_quarter_of_the_characters(text: str) -> None:
    assert len(text) / 4 <= tokens(text) <= len(text)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 5, "short"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        # No blank in the second half: cut inside the word.
        ("a wonderfullylongword", 12, "a wonderful…"),
        ("漢字漢字漢字", 12, "漢字…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
        ("", 0, ""),
    ],
)
def test_a_long_text_is_cut_at_a_word(text: str, limit: int, expected: str) -> None:
    assert shorten(text, limit) == expected


@given(TEXT, st.integers(0, 100))
def test_a_shortened_text_fits(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert quarters(short) <= limit
    assert short == text or short.removesuffix("…") == text[: len(short) - 1] or not short


def test_a_room_gives_all_lines_or_none() -> None:
    room = Room(10)
    assert not room.take(("abcd", "efghi"))
    assert room.left == 10
    assert room.take(("abcd", "efgh"))
    assert room.left == 0
    assert not room.take(("",))


def test_a_part_takes_from_the_whole() -> None:
    room = Room(20)
    part = room.part(6)
    assert part.take(("abcde",))
    assert (part.left, room.left) == (0, 14)
    assert room.part(99).left == 14


def test_a_part_cannot_give_what_the_whole_has_lost() -> None:
    room = Room(20)
    part = room.part(15)
    assert room.take(("x" * 14,))
    assert not part.take(("y" * 9,))
    assert (part.left, room.left) == (15, 5)


@given(st.integers(-5, 200), st.lists(st.tuples(TEXT, st.booleans()), max_size=20))
def test_a_room_is_never_overdrawn(size: int, lines: list[tuple[str, bool]]) -> None:
    room = Room(size)
    part = room.part(size // 2)
    taken = [line for line, in_part in lines if (part if in_part else room).take((line,))]
    assert sum(quarters(line) + 1 for line in taken) <= max(size, 0)


@given(st.text(), st.integers(-3, 60))
def test_what_is_fitting_fits_and_one_more_character_does_not(text: str, limit: int) -> None:
    most = fitting(text, limit)
    assert quarters(text[:most]) <= max(limit, 0)
    assert most == len(text) or quarters(text[: most + 1]) > limit
