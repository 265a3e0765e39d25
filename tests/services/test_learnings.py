"""What `learnings` lists: what is in force, how old it is, and what is not in force any more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.learnings import learning, learnings

NOTE = "Memory/Lessons/Add files by name.md"


def _dated(world, days):
    return (world.here.call().local - timedelta(days=days)).isoformat()


def _statements(world, *arguments, **options):
    return [one.statement for one in learnings(world.here.call(), *arguments, **options)]


@pytest.fixture
def learned(world):
    world.memory(NOTE, "Add files by name.", category="lesson")
    world.memory("Memory/Patterns/Utc.md", "Use UTC in every table.", category="pattern")
    world.here.sync()
    return world


def test_what_is_in_force_is_listed_the_pinned_first(learned):
    learned.memory("Memory/Lessons/Zed.md", "Say zed.", category="lesson", pinned="true")
    learned.here.sync()
    assert _statements(learned)[0] == "Say zed."
    assert len(_statements(learned)) == 3


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 2),
        ("utc", 1),
        ("adding FILES", 1),  # in any inflection
        ("by  name", 1),
        ("utc by name", 0),
        ("nothing of it", 0),
    ],
)
def test_a_query_is_words_of_the_statement(learned, query, found):
    assert len(_statements(learned, query)) == found


def test_a_query_may_be_an_id(learned):
    (one,) = learnings(learned.here.call(), "utc")
    assert learnings(learned.here.call(), one.id.lower()) == [one]


def test_a_category_narrows_the_list(learned):
    assert _statements(learned, kind="pattern") == ["Use UTC in every table."]


@pytest.mark.parametrize(
    ("properties", "out"),
    [
        ({"status": "deprecated"}, "status:deprecated"),
        ({"status": "superseded"}, "status:superseded"),
        ({"expires": "2020-01-01T00:00:00"}, "expired"),
        ({"valid_to": "2020-01-01T00:00:00"}, "no_longer_valid"),
        ({"valid_from": "2099-01-01T00:00:00"}, "not_yet_valid"),
        ({"layer": "L3"}, "layer:L3"),
    ],
)
def test_what_is_not_in_force_is_listed_only_with_all(world, properties, out):
    world.memory(NOTE, "Add files by name.", category="lesson", **properties)
    world.here.sync()
    assert _statements(world) == []
    (one,) = learnings(world.here.call(), everything=True)
    assert one.out == out


@pytest.mark.parametrize(
    "properties",
    [
        {"status": "contested"},
        {"applies_when": "[deploying]"},
        {"not_when": "[deploying]"},
        {"scope": "project", "project": "github.com/a/b"},
    ],
)
def test_what_holds_under_conditions_or_elsewhere_is_in_force(world, properties):
    world.memory(NOTE, "Add files by name.", category="lesson", **properties)
    world.here.sync()
    (one,) = learnings(world.here.call())
    assert one.out == ""


@pytest.mark.parametrize(
    ("days", "mark"), [(0, 0), (29, 0), (30, 30), (89, 30), (90, 90), (400, 90)]
)
def test_age_is_marked_from_thirty_and_ninety_days(world, days, mark):
    day = _dated(world, days)
    world.memory(NOTE, "Add files by name.", category="lesson", created=day, reinforced=day)
    world.here.sync()
    (one,) = learnings(world.here.call())
    assert (one.age_days, one.mark) == (days, mark)


def test_an_age_that_no_date_tells_is_unknown(learned):
    assert {one.age_days for one in learnings(learned.here.call())} == {None}


def test_force_and_the_lack_of_it_are_told(world):
    world.here.sync()
    world.memory(NOTE, "Add files by name.", category="lesson", pinned="true")
    world.here.sync(agent="pi")
    assert learnings(world.here.call()) == []
    world.memory("Memory/Lessons/B.md", "Say it.", category="lesson", pinned="true")
    world.here.sync()
    (one,) = learnings(world.here.call())
    assert (one.pinned, one.force, one.unreviewed) == (True, True, False)
    world.memory("Memory/Identity/Me.md", "I am brief.", layer="L1")
    world.here.sync()
    me = learning(world.here.call(), "Me")
    assert (me.force, me.unreviewed) == (False, True)


def test_what_an_agent_was_shown_is_remembered_as_no_news(learned):
    learnings(learned.here.call())
    assert not was_shown(learned.here.call(), "Use UTC in every table.")
    learnings(learned.here.call(agent="pi"), "utc")
    assert was_shown(learned.here.call(), "Use UTC in every table.")
    assert not was_shown(learned.here.call(), "Add files by name.")
