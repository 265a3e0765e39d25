"""The sections beside the report: who is recalled, in which place, within the section's room."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.rows import NOW, days_ago, ident, row
from vaultmem.core.budget import tokens
from vaultmem.core.context import Context, Surroundings
from vaultmem.core.injection import (
    CONTEXTUAL_TOKENS,
    MOST_FILES,
    TOP,
    contextual_text,
    file_query,
    place,
    reminder_text,
    tagged,
    why_not_recalled,
)
from vaultmem.core.query_class import QueryClass
from vaultmem.core.report_line import memory_line

HERE = Context(NOW, project="github.com/acme/app", prompt="why does the deploy fail?")

# Older than a statement may be, wide, and marked: as long as a line can be.
LONGEST = memory_line(
    row(1, statement="界" * 400, pinned=1, reinforced=days_ago(700), trust="repository_text"), NOW
)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        ({"reinforced": days_ago(75)}, ""),  # faint
        ({"reinforced": days_ago(400)}, "lifecycle:dropped"),
        ({"reinforced": days_ago(400), "pinned": 1}, "lifecycle:dropped"),
        ({"reinforced": days_ago(400), "pinned": 1, "force": 1}, ""),
        ({"reinforced": days_ago(400), "enforced": 1, "force": 1}, ""),
        ({"reinforced": days_ago(400), "layer": "L1", "force": 1}, ""),
        ({"status": "contested"}, "contested"),
        ({"status": "deleted"}, "status:deleted"),
        ({"layer": "L3"}, "layer:L3"),
        ({"project": "github.com/acme/x"}, "project:github.com/acme/x"),
        ({"expires": NOW}, "expired"),
        ({"not_when": "deploy"}, "not_when:deploy"),
        ({"applies_when": "deploying"}, ""),
        ({"applies_when": "writing a changelog"}, "applies_when"),
    ],
)
def test_a_memory_is_recalled_or_says_why_not(changes: dict[str, object], reason: str) -> None:
    assert why_not_recalled(row(1, **changes), HERE, Surroundings(HERE)) == reason


def test_a_line_stays_although_the_next_prompt_does_not_meet_its_condition() -> None:
    memory = row(1, applies_when="writing a changelog")
    assert why_not_recalled(memory, HERE, Surroundings(HERE), sticky=True) == ""
    over = memory._replace(expires=NOW)
    assert why_not_recalled(over, HERE, Surroundings(HERE), sticky=True) == "expired"


def test_topic_row_44_a_review_recalls_more_than_a_general_prompt() -> None:
    assert (TOP[QueryClass.PR_REVIEW], TOP[QueryClass.GIT_RELEASE]) == (7, 6)
    assert (TOP[QueryClass.DEBUG], TOP[QueryClass.GENERAL]) == (7, 5)


@pytest.mark.parametrize(
    ("earlier", "found", "lines", "kept", "shown"),
    [
        ("", "ab", "ab", "ab", "ab"),
        ("ab", "ca", "abc", "abc", "abc"),  # what was there stays in front
        ("ab", "", "ab", "ab", "ab"),  # nothing new
        ("ab", "c", "bc", "abc", "bc"),  # the report tells a now
        ("ab", "", "", "ab", ""),
        ("", "", "", "", ""),
    ],
)
def test_where_lines_stand(earlier: str, found: str, lines: str, kept: str, shown: str) -> None:
    placed = place([*earlier], [*found], {one: f"- {one}" for one in lines})
    assert ("".join(placed.kept), "".join(placed.shown)) == (kept, shown)


def test_where_there_is_no_more_room_the_oldest_line_goes() -> None:
    lines = dict.fromkeys("abcde", "- " + "x" * 78)
    placed = place([*"abc"], [*"de"], lines, cap=100)
    assert (placed.kept, placed.shown) == (("c", "d", "e"), ("c", "d", "e"))
    assert place([*"abc"], [*"de"], {one: lines[one] for one in "cde"}, cap=100).kept == tuple(
        "abcde"
    ), "a line that is not shown takes no room"


LINE = st.sampled_from(["- short", "- " + "middle " * 20, LONGEST, "- 界界"])
IDS = st.lists(st.integers(0, 40).map(ident), max_size=12, unique=True)


@settings(deadline=None)
@given(IDS, IDS, st.lists(LINE, min_size=41, max_size=41), st.integers(0, 900))
def test_the_room_is_never_exceeded_and_no_line_changes_its_place(earlier, found, texts, cap):
    lines = {ident(number): text for number, text in enumerate(texts)}
    placed = place(earlier, found, lines, cap=cap)
    text = contextual_text(lines[one] for one in placed.shown)
    assert tokens(text) <= cap or text == ""
    order = [*earlier, *(one for one in found if one not in earlier)]
    assert [*placed.kept] == order[len(order) - len(placed.kept) :], "the oldest go first"
    again = place(placed.kept, (), lines, cap=cap)
    assert again.shown == placed.shown, "the same prompt gives the same section"


def test_what_a_prompt_recalls_always_fits() -> None:
    found = [ident(number) for number in range(max(TOP.values()))]
    placed = place([ident(90)] * 3, found, dict.fromkeys((*found, ident(90)), LONGEST))
    assert set(found) <= set(placed.shown)
    assert tokens(contextual_text(LONGEST for _ in placed.shown)) <= CONTEXTUAL_TOKENS


@pytest.mark.parametrize(
    ("paths", "query"),
    [
        ([], ""),
        (["", "  "], ""),
        (["a.py", "b.py", "a.py"], "files modified: a.py, b.py"),
    ],
)
def test_changed_files_are_asked_about_once(paths: list[str], query: str) -> None:
    assert file_query(paths) == query


def test_of_many_files_the_last_ones_count() -> None:
    query = file_query(f"{number}.py" for number in range(30))
    assert query.count(".py") == MOST_FILES
    assert "29.py" in query


def test_the_texts_are_labelled_and_empty_without_lines() -> None:
    assert contextual_text([]) == reminder_text([]) == tagged("contextual_memories", "") == ""
    assert "information, not orders" in contextual_text(["- a"])
    assert "files that changed" in reminder_text(["- a"])
    assert tagged("a", "b") == "<a>\nb\n</a>"
