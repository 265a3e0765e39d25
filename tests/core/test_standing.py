"""A memory becomes a flat row of strings and numbers, and back from a database."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Cue, Layer, Memory, RuleType, Scope, Status
from vaultmem.core.standing import (
    DAY,
    STANDING_COLUMNS,
    Standing,
    day_seconds,
    is_comparable,
    moment_seconds,
    standing_of,
)

ID = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (None, 0.0),
        (datetime(1970, 1, 1), 0.0),
        (datetime(1970, 1, 2, 0, 0, 1, 500_000), DAY + 1.5),
        (datetime(2026, 11, 29, 21, 2, 3), 1_795_986_123.0),
        (datetime(1969, 12, 31, 23), -3600.0),
    ],
)
def test_a_moment_counts_local_seconds(moment: datetime | None, expected: float) -> None:
    assert moment_seconds(moment) == expected


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))
def test_a_moment_is_the_difference_to_1970(moment: datetime) -> None:
    since = moment.replace(microsecond=0) - datetime(1970, 1, 1)
    assert moment_seconds(moment.replace(microsecond=0)) == since / timedelta(seconds=1)
    assert day_seconds(moment.date()) == moment_seconds(
        datetime.combine(moment, datetime.min.time())
    )
    assert day_seconds(moment.date()) % DAY == 0


def test_a_bare_memory_has_the_defaults_and_no_dates() -> None:
    row = standing_of(Memory(id=ID, statement="Use tabs."), path="Lessons/Use tabs.md", force=False)
    assert row == Standing(
        id=ID, path="Lessons/Use tabs.md", statement="Use tabs.", category="lesson", layer="L2",
        status="active", scope="global", project="", cue="explicit", confidence=0.75,
        evidence_count=1, pinned=0, enforced=0, reinforced=0.0, created=0.0, review=0.0,
        valid_from=0.0, valid_to=0.0, expires=0.0, applies_when="", not_when="", rule="", trust="",
        force=0, session="",
    )  # fmt: skip


def test_every_property_that_decides_reaches_the_row() -> None:
    memory = Memory(
        id=ID,
        statement="Use tabs.",
        layer=Layer.IDENTITY,
        category=Category.MISTAKE,
        rule=RuleType.AVOID_PATTERN,
        status=Status.CONTESTED,
        scope=Scope.SESSION,
        project="github.com/acme/billing-web",
        cue=Cue.BEHAVIORAL,
        confidence=0.5,
        evidence_count=3,
        pinned=True,
        verifier="tool_called ask_user",
        created=datetime(1970, 1, 2),
        reinforced=datetime(1970, 1, 3),
        review=date(1970, 1, 4),
        valid_from=datetime(1970, 1, 5),
        valid_to=datetime(1970, 1, 6),
        expires=datetime(1970, 1, 7),
        applies_when=("writing\ntests", " ", "in CI"),
        not_when=("publishing",),
        exceptions=("GitHub Packages",),
        source_session="s1",
    )
    row = standing_of(memory, path="p.md", force=True, evidence_count=4.5, trust="user_correction")
    assert row == Standing(
        id=ID, path="p.md", statement="Use tabs.", category="mistake", layer="L1",
        status="contested", scope="session", project="github.com/acme/billing-web",
        cue="behavioral", confidence=0.5, evidence_count=4.5, pinned=1, enforced=1,
        reinforced=2 * DAY, created=DAY, review=3 * DAY, valid_from=4 * DAY, valid_to=5 * DAY,
        expires=6 * DAY, applies_when="writing tests\nin CI",
        not_when="publishing\nGitHub Packages", rule="avoid_pattern", trust="user_correction",
        force=1, session="s1",
    )  # fmt: skip


def test_a_row_comes_back_from_a_database_as_it_was() -> None:
    row = standing_of(Memory(id=ID, statement="Use tabs.", pinned=True), path="p.md", force=True)
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE standing ({', '.join(STANDING_COLUMNS)})")
        marks = ", ".join("?" * len(row))
        database.execute(f"INSERT INTO standing VALUES ({marks})", row)
        assert list(map(Standing._make, database.execute("SELECT * FROM standing"))) == [row]
    database.close()


@pytest.mark.parametrize(
    ("fields", "same"),
    [
        ({}, True),
        ({"source_session": "other"}, True),
        ({"category": Category.PATTERN}, False),
        ({"scope": Scope.GLOBAL, "project": None}, False),
        ({"project": "reef"}, False),
    ],
)
def test_memories_of_one_category_and_place_can_repeat_each_other(fields: Any, same: bool) -> None:
    there = Memory(id=ID, statement="A.", scope=Scope.PROJECT, project="tide", source_session="s")
    found = standing_of(there, path="", force=False)
    assert is_comparable(found, replace(there, **fields)) is same


def test_a_memory_of_a_session_is_of_that_session_only() -> None:
    there = Memory(id=ID, statement="A.", scope=Scope.SESSION, source_session="s")
    found = standing_of(there, path="", force=False)
    assert is_comparable(found, there)
    assert not is_comparable(found, replace(there, source_session="other"))
    assert not is_comparable(found, replace(there, source_session=None))
