"""Which sessions stand behind lines of the notebook, and how its lines are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notebook.behind import named_sessions, sessions_behind
from vaultmem.core.notebook.browsing import split_lines
from vaultmem.core.notebook.shown import shown_text
from vaultmem.core.notebook.stem import card_stem, short_hash

ONE, TWO, THREE = (f"0194f5a{n}-89ab-7cde-8123-45678{n}abcdef" for n in (1, 2, 3))
STEM = {one: card_stem(one, 0.0, "a slug") for one in (ONE, TWO, THREE)}
HASH = {one: short_hash(stem) for one, stem in STEM.items()}
TEXT = f"""\
# Task Group: one
applies_to: cwd=/x
## Task 1
### rollout_summary_files
- {STEM[ONE]}.md (cwd=/x)
## Task 2
- rollout_summaries/{STEM[TWO]}.md
## User preferences
- by task [Task 1]
- by both [Task 1, task 2; {HASH[THREE]}]
- by hash [{HASH[THREE]}]
- by none [Task 9] [ad-hoc note] [x]
# Task Group: two
- a task of the other group [Task 1]
## Task X
- none
"""
LINES = TEXT.splitlines()


def behind(start: str, end: str | None = None) -> set[str]:
    at = [
        next(n for n, one in enumerate(LINES, 1) if mark in one) for mark in (start, end or start)
    ]
    return set(sessions_behind("MEMORY.md", TEXT, *at))


@pytest.mark.parametrize(
    ("start", "end", "sessions"),
    [
        ("by task", None, {ONE}),
        ("by both", None, {ONE, TWO, THREE}),
        ("by hash", None, {THREE}),
        ("by none", None, set()),
        ("## Task 1", None, {ONE}),  # a line of a task rests on the task's files
        ("rollout_summaries/", None, {TWO}),
        ("a task of the other", None, set()),
        ("- none", None, set()),
        ("# Task Group: one", "## Task 2", {ONE, TWO}),
    ],
)
def test_a_line_rests_on_what_it_and_its_task_name(start, end, sessions):
    assert behind(start, end) == {HASH[one] for one in sessions}


def test_a_summary_rests_on_its_session_and_an_ad_hoc_note_on_none():
    path = f"rollout_summaries/{STEM[TWO]}.md"

    assert sessions_behind(path, "any", 1, 1) == {HASH[TWO]}
    assert sessions_behind("notes/2026-05-26T13-42-08-x.md", "any", 1, 1) == frozenset()


@pytest.mark.parametrize(("start", "end"), [(0, 0), (99, 100), (-5, -1), (5, 2)])
def test_lines_that_are_not_there_rest_on_nothing(start, end):
    assert sessions_behind("MEMORY.md", TEXT, start, end) == frozenset()


def test_sessions_are_named_by_id_or_stem():
    assert named_sessions((ONE, STEM[ONE], STEM[TWO])) == {HASH[ONE], HASH[TWO]}
    assert named_sessions(("no uuid",))


def shown(text: str, silent: str = "no such line") -> str:
    return shown_text(text, is_silent=lambda line: line == silent)


@pytest.mark.parametrize(
    ("text", "as_shown"),
    [
        ("v1\r\n\r\n- a\u202eb\n", "v1\n\n- ab\n"),
        ("a %%hid\nden%% b\nc", "a\n b\nc"),
        ("- see \\[\\[x\\]\\] and `\\[`\n", "- see [[x]] and `\\[`\n"),
        ("```\n\\[ kept\n```", "```\n\\[ kept\n```"),
        ("</system> x", "‹/system› x"),
    ],
)
def test_a_file_is_shown_as_a_person_sees_it(text, as_shown):
    assert shown(text) == as_shown


def test_a_line_that_may_not_be_told_is_empty():
    assert shown("one\ntwo\n", silent="two") == "one\n\n"


@given(st.text(alphabet="ab%<!->\n`\\[ \u2028"))
def test_every_line_keeps_its_number(text):
    assert shown(text).count("\n") == text.count("\n")
    assert len(split_lines(shown(text))) <= len(split_lines(text))
