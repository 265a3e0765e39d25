"""Decisions, projects of folders, extracts, names kept whole, and when a session is near."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.budget import tokens
from vaultmem.core.session_decision import LONGEST, decisions_in, decisions_of_log
from vaultmem.core.session_past import (
    PAST_TOKENS,
    fitting,
    is_near,
    past_line,
    past_text,
)
from vaultmem.core.session_slug import project_of_slug
from vaultmem.core.session_text import (
    AFTER,
    BEFORE,
    MOST_NAMES,
    best_place,
    extract,
    one_line,
    shared_stems,
    telling_words,
    whole_names,
    without_filler,
)
from vaultmem.core.words import stem

LONG = "alpha " * 40 + "the retry loop needs a key " + "omega " * 60


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#decision use patch files", ("#decision use patch files",)),
        ("We talked.\n- #key The  cache is\tper user\nBye", ("#key The cache is per user",)),
        ("Use tabs. #DECISION", ("Use tabs. #DECISION",)),
        ("1. [x] 10:30 #decision ship", ("#decision ship",)),
        ("#decision", ()),
        ("#decisions are hard and #keyboard too", ()),
        ("see page.html#key and a/#key/b and &#key; and #key-id", ()),
        ("Nothing here", ()),
        ("```\n#key of a file\n```", ()),
        ('He wrote "#decision use tabs" there', ()),
        ("> #decision of somebody else", ()),
        ("#decision " + "x" * 400, ("#decision " + "x" * (LONGEST - 11) + "…",)),
        ("#decision see </project_memory>", ("#decision see ‹/project_memory›",)),
    ],
)
def test_decisions_of_a_user(text, found):
    assert decisions_in(text) == found


def test_decisions_of_a_log_come_without_time_and_escapes():
    log = "# Log\r\n- 14:05 #decision use \\[one\\] list\r\n- 14:06 nothing\r\n#key per user\r\n"

    assert decisions_of_log(log) == ("#decision use [one] list", "#key per user")


@pytest.mark.parametrize(
    ("slug", "project"),
    [
        ("--home-mel--", "mel"),
        ("unknown", "unknown"),
        ("--home-mel-Documents-Projects-foo--", "foo"),
        ("--home-mel-my-app--", "app"),
        ("--home-user--", "home-user"),
        ("--Users-mel-src-x--", "mel"),
        ("----", "unknown"),
        ("", "unknown"),
    ],
)
def test_governed_row_101_a_folder_tells_its_project(slug, project):
    assert project_of_slug(slug) == project


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("memory_write pi/memory", ("pi_memory",)),
        ("see src/auth/login.ts, and src/auth/login.ts.", ("src_auth_login.ts",)),
        ("the retry-loop of Foo-Bar", ("retry_loop", "foo_bar")),
        ("plain words", ()),
        ("a - b / c", ()),
    ],
)
def test_governed_row_106_names_stay_whole(text, names):
    assert whole_names(text) == names


def test_names_are_bounded():
    assert len(whole_names(" ".join(f"a/{number}" for number in range(500)))) == MOST_NAMES


def test_telling_words_are_what_a_prompt_is_about():
    asked = "Please, could you look at the billing retries again? The billing ones, a b"

    assert telling_words(asked) == ("billing", "retries")
    assert telling_words("could you please do it") == ()


def test_words_are_shared_in_any_inflection():
    assert shared_stems({stem("retry"), stem("docker")}, "It retries twice") == {stem("retry")}


def asked(*words: str) -> frozenset[str]:
    return frozenset(map(stem, words))


def test_an_extract_is_cut_at_blanks_around_the_densest_place():
    line = one_line(LONG)
    told = extract(line, best_place(line, asked("retry", "key")))

    assert told.startswith("...alpha")
    assert told.endswith("omega...")
    assert "the retry loop needs a key" in told
    assert len(told) <= BEFORE + AFTER + 6


@pytest.mark.parametrize("at", [0, 5, 10_000])
def test_a_short_line_is_told_whole(at):
    assert extract("short line", min(at, 10)) == "short line"


def test_the_place_with_most_words_wins_over_the_first():
    line = "retry here. " + "x " * 100 + "retry with a key"

    assert best_place(line, asked("retry", "key")) == line.rindex("retry")
    assert best_place(line, asked("docker")) == 0


def test_a_word_without_blanks_is_cut_where_it_must_be():
    assert extract("x" * 500, 300) == "..." + "x" * (BEFORE + AFTER) + "..."


def test_an_extract_opens_no_code_and_no_formula():
    assert one_line("use `a$b`\n</past_sessions>") == "use ab ‹/past_sessions›"


@given(st.text(max_size=600), st.integers(0, 600))
def test_an_extract_is_a_part_of_its_line(text, at):
    line = one_line(text)
    told = extract(line, min(at, len(line)))

    bare = told.removeprefix("...").removesuffix("...")
    assert bare in line or told in line
    assert len(told) <= BEFORE + AFTER + 6


@pytest.mark.parametrize(
    ("shared", "of", "coverage", "cosine", "near"),
    [
        (2, 2, 0.1, None, True),
        (2, 3, 0.1, None, True),
        (2, 10, 0.3, None, True),
        (2, 10, 0.24, None, False),
        (1, 1, 0.1, None, True),
        (1, 2, 0.9, None, False),
        (0, 0, 0.9, None, False),
        (0, 5, 0.0, 0.61, True),
        (0, 5, 0.0, 0.59, False),
    ],
)
def test_a_session_is_near_by_words_or_by_meaning(shared, of, coverage, cosine, near):
    assert is_near(shared, of, coverage, cosine, floor=0.6) is near


def test_a_line_names_day_and_session():
    line = past_line("2026-11-29", "01a228b3-619b", "What we\nsaid")

    assert line == "- **2026-11-29** (01a228b3): What we said"


def test_the_section_holds_the_last_lines_that_fit():
    lines = [f"- {number} " + "word " * 50 for number in range(9)]
    kept = fitting(lines)

    assert 0 < kept < len(lines)
    assert tokens(past_text(lines[-kept:])) <= PAST_TOKENS
    assert tokens(past_text(lines[-kept - 1 :])) > PAST_TOKENS
    assert fitting(lines[:1]) == 1
    assert fitting([]) == 0


def test_no_lines_are_no_section():
    assert past_text(()) == ""
    assert past_text(["- one"]).startswith("# Past Sessions\n")


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("what did I say about pnpm", "pnpm"),
        ("Do you remember the session on pi/memory?", "pi/memory?"),
        ("memory_write", "memory_write"),
        ("潮 位", "潮 位"),
        ("what did you say", "what did you say"),
        ("", ""),
    ],
)
def test_a_query_is_asked_without_the_words_of_every_question(query, asked):
    assert without_filler(query) == asked
