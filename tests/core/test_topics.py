"""Topics: what belongs to one, how hot it is, and in which order they stand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.rows import NOW, days_ago, row
from vaultmem.core.scoring import score
from vaultmem.core.selection import score_on, today
from vaultmem.core.standing import DAY
from vaultmem.core.topics import Tagged, TopicKind, topics


def tagged(number: int = 0, *tags: str, **changes: object) -> Tagged:
    return Tagged(row(number, **changes), tags)


def named(*memories: Tagged) -> list[tuple[str, str, int]]:
    return [(one.name, one.kind.value, one.entries) for one in topics(memories, now=NOW)]


def test_a_memory_belongs_to_its_category_and_to_each_tag() -> None:
    found = named(tagged(1, "memory/git", "ci"), tagged(2, "memory/git", category="mistake"))
    assert sorted(found) == [
        ("ci", "tag", 1),
        ("git", "tag", 2),
        ("lesson", "category", 1),
        ("mistake", "category", 1),
    ]


def test_identity_stands_apart_whatever_its_category() -> None:
    assert named(tagged(1, layer="L1", force=1)) == [("identity", "category", 1)]


def test_tags_are_one_in_any_case_and_say_nothing_twice() -> None:
    found = named(tagged(1, "memory/Git", "git", "memory/"), tagged(2, "GIT"))
    assert ("git", "tag", 2) in found
    assert len(found) == 2


def test_a_tag_that_says_what_its_category_says_is_told_once() -> None:
    same = [tagged(number, "identity", layer="L1", force=1) for number in (1, 2)]
    assert named(*same) == [("identity", "category", 2)]
    more = named(*same, tagged(3, "identity"))
    assert sorted(more)[:2] == [("identity", "category", 2), ("identity", "tag", 3)]


def test_a_tag_that_names_what_is_replaced_is_no_topic() -> None:
    assert named(tagged(1, "supersedes:mem_01")) == [("lesson", "category", 1)]


def test_a_tag_cannot_drive_a_terminal_or_break_its_line() -> None:
    names = [one.name for one in topics([tagged(1, "a\nb\u202ec")], now=NOW)]
    assert not {"\n", "\u202e"} & set("".join(names))


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "deleted"},
        {"status": "superseded"},
        {"layer": "L3"},
        {"expires": days_ago(1)},
        {"valid_from": NOW + 1},
        {"valid_to": days_ago(2)},
        {"scope": "task", "created": days_ago(15)},
    ],
)
def test_what_is_not_in_force_makes_no_topic(changes) -> None:
    assert named(tagged(1, "git", **changes)) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"project": "a/b"},
        {"status": "contested"},
        {"not_when": "never"},
        {"applies_when": "drawing charts"},
        {"reinforced": days_ago(900)},
    ],
)
def test_what_holds_somewhere_or_only_faded_is_counted(changes) -> None:
    assert named(tagged(1, **changes)) == [("lesson", "category", 1)]


def test_hotness_is_the_sum_of_the_scores_today() -> None:
    (found,) = topics([tagged(1), tagged(2, evidence_count=5)], now=NOW)
    day = today(NOW)
    assert found.hotness == pytest.approx(
        score_on(row(1), day) + score_on(row(2, evidence_count=5), day)
    )
    assert found.characters == len(row(1).statement) + len(row(2).statement)


def test_a_pin_makes_nothing_hotter_and_is_counted() -> None:
    pinned = topics([tagged(1, "old", pinned=1, force=1, reinforced=days_ago(300))], now=NOW)
    assert all(one.pinned == 1 for one in pinned)
    assert all(one.hotness < 0.1 for one in pinned)
    hottest = topics(
        [tagged(1, "old", pinned=1, force=1, reinforced=days_ago(300)), tagged(2, "new")], now=NOW
    )
    names = [one.name for one in hottest]
    assert names.index("new") < names.index("old")


def test_the_newest_is_the_last_reinforced_or_else_made() -> None:
    (one,) = topics(
        [tagged(1, reinforced=days_ago(9)), tagged(2, reinforced=0.0, created=days_ago(4))], now=NOW
    )
    assert one.newest == days_ago(4)
    (none,) = topics([tagged(1, reinforced=0.0, created=0.0)], now=NOW)
    assert none.newest == 0.0


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["git", "memory/git", "ci", "Docs"]), max_size=3),
            st.integers(0, 9),
            st.integers(0, 400),
            st.integers(0, 1),
        ),
        max_size=15,
    )
)
def test_the_hottest_stand_first_whatever_the_order_of_the_memories(made) -> None:
    memories = [
        tagged(
            number,
            *tags,
            evidence_count=evidence,
            reinforced=days_ago(age),
            pinned=pinned,
            force=pinned,
        )
        for number, (tags, evidence, age, pinned) in enumerate(made, 1)
    ]
    found = topics(memories, now=NOW)
    assert [one.hotness for one in found] == sorted((one.hotness for one in found), reverse=True)
    assert topics(random.Random(3).sample(memories, len(memories)), now=NOW) == found
    assert sum(one.entries for one in found if one.kind is TopicKind.CATEGORY) == len(memories)
    most = score("explicit", "lesson", 9, 0 * DAY)
    assert all(0 <= one.hotness <= most * one.entries for one in found)
