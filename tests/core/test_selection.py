"""Who stands, with the reason of everybody who does not."""

from __future__ import annotations

import random

import pytest

from tests.core.rows import NOW, days_ago, ident, row
from vaultmem.core.context import Context
from vaultmem.core.model import Category
from vaultmem.core.selection import (
    CATEGORY_BUDGET,
    OVERFLOW,
    Excluded,
    Selection,
    age_seconds,
    select,
    today,
)
from vaultmem.core.standing import DAY, Standing

HERE = Context(
    NOW, project="github.com/acme/web", prompt="publish to the npm registry", session="s1"
)


def standing_ids(chosen: Selection) -> set[str]:
    groups = (chosen.hard_rules, chosen.identity, chosen.pinned, chosen.contested)
    return {m.id for group in (*groups, *chosen.categories.values()) for m in group}


def reason_of(memory: Standing, context: Context = HERE) -> str:
    """The reason it is excluded, or "" if it stands."""
    chosen = select([memory], context)
    reasons = [reason for _, reason in chosen.excluded]
    assert len(standing_ids(chosen)) + len(reasons) == 1
    return reasons[0] if reasons else ""


def test_every_category_has_a_budget_and_all_together_make_forty() -> None:
    assert set(CATEGORY_BUDGET) == set(Category)
    assert sum(CATEGORY_BUDGET.values()) + OVERFLOW == 40


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, ""),
        # status
        ({"status": "deleted"}, "status:deleted"),
        ({"status": "superseded"}, "status:superseded"),
        ({"status": "deprecated"}, "status:deprecated"),
        ({"status": "promoted"}, "status:promoted"),
        ({"status": "contested"}, ""),
        ({"layer": "L3"}, "layer:L3"),
        # project
        ({"project": "github.com/acme/web", "scope": "project"}, ""),
        ({"project": "GitHub.com/Acme/Web", "scope": "project"}, ""),
        ({"project": "github.com/acme/api", "scope": "project"}, "project:github.com/acme/api"),
        ({"project": "github.com/acme/api"}, "project:github.com/acme/api"),
        ({"project": "github.com/acme/api", "layer": "L1", "force": 1}, "project:github.com/acme/api"),
        ({"project": "github.com/acme/api", "status": "contested"}, "project:github.com/acme/api"),
        ({"scope": "project"}, "no_project"),
        ({"scope": "project", "layer": "L1", "pinned": 1, "force": 1}, "no_project"),
        ({"scope": "project", "status": "contested"}, "no_project"),
        ({"scope": "project", "status": "deleted"}, "status:deleted"),
        ({"scope": "domain"}, ""),
        # session and task
        ({"scope": "session", "session": "s1"}, ""),
        ({"scope": "session", "session": "s2"}, "session_over"),
        ({"scope": "session", "created": days_ago(0.9)}, ""),
        ({"scope": "session", "created": days_ago(1)}, "session_over"),
        ({"scope": "session", "session": "s1", "created": days_ago(1.1)}, "session_over"),
        ({"scope": "task", "created": days_ago(13.9)}, ""),
        ({"scope": "task", "created": days_ago(14)}, "task_over"),
        ({"scope": "task", "created": 0.0, "reinforced": days_ago(1)}, ""),
        ({"scope": "task", "created": 0.0, "reinforced": 0.0}, "task_over"),
        # dates
        ({"expires": NOW + 1}, ""),
        ({"expires": NOW}, "expired"),
        ({"valid_from": NOW}, ""),
        ({"valid_from": NOW + 1}, "not_yet_valid"),
        ({"valid_to": NOW + 1}, ""),
        ({"valid_to": NOW}, "no_longer_valid"),
        # A bare date reads as midnight and includes its day.
        ({"valid_to": today(NOW)}, ""),
        ({"valid_to": today(NOW) - DAY}, "no_longer_valid"),
        # words
        ({"not_when": "publishing"}, "not_when:publishing"),
        ({"not_when": "drawing\nnpm registries"}, "not_when:npm registries"),
        ({"not_when": "GitHub Packages"}, ""),
        ({"applies_when": "publishing packages"}, ""),
        ({"applies_when": "drawing charts"}, "applies_when"),
        ({"applies_when": "publishing", "not_when": "npm"}, "not_when:npm"),
        # lifecycle
        ({"evidence_count": 1, "reinforced": days_ago(30)}, ""),
        ({"evidence_count": 1, "reinforced": days_ago(40)}, "lifecycle:faint"),
        ({"evidence_count": 1, "reinforced": days_ago(100)}, "lifecycle:dropped"),
    ],
)  # fmt: skip
def test_a_memory_stands_or_says_why_not(changes: dict[str, object], reason: str) -> None:
    fresh = {"created": days_ago(0.5)} if changes.get("scope") == "session" else {}
    assert reason_of(row(**{**fresh, **changes})) == reason


def test_a_project_memory_stands_in_no_project_but_its_own() -> None:
    assert reason_of(row(project="a/b"), Context(NOW)) == "project:a/b"


def test_a_condition_without_a_prompt_can_be_met_by_the_paths() -> None:
    memory = row(applies_when="editing Dockerfiles")
    assert reason_of(memory, Context(NOW)) == "applies_when"
    assert reason_of(memory, Context(NOW, paths=("build/Dockerfile",))) == ""


@pytest.mark.parametrize(
    ("changes", "section"),
    [
        ({"pinned": 1, "force": 1}, "pinned"),
        ({"layer": "L1", "force": 1}, "identity"),
        ({"layer": "L1", "force": 1, "pinned": 1, "enforced": 1}, "identity"),
        ({"enforced": 1, "force": 1}, "hard_rules"),
        ({"enforced": 1, "pinned": 1, "force": 1}, "hard_rules"),
        ({"rule": "avoid_pattern", "force": 1}, "hard_rules"),
        ({"rule": "prefer_pattern", "force": 1, "confidence": 0.88}, "hard_rules"),
        ({"rule": "correction", "force": 1, "confidence": 0.85}, "hard_rules"),
        ({"rule": "convention", "force": 1}, "hard_rules"),
        ({"rule": "workflow", "force": 1}, "lesson"),
        ({"rule": "avoid_pattern", "force": 1, "confidence": 0.84}, "lesson"),
        # Force that no signed line gives only informs.
        ({"pinned": 1}, "lesson"),
        ({"layer": "L1"}, "lesson"),
        ({"enforced": 1}, "lesson"),
        ({"rule": "avoid_pattern"}, "lesson"),
        ({"force": 1}, "lesson"),
        # Contested is never a rule, whatever it was.
        ({"status": "contested", "enforced": 1, "force": 1}, "contested"),
        ({"status": "contested", "pinned": 1, "force": 1}, "contested"),
        ({"status": "contested", "layer": "L1", "force": 1}, "contested"),
    ],
)
def test_force_decides_the_section(changes: dict[str, object], section: str) -> None:
    chosen = select([row(**changes)], HERE)
    found = {
        "hard_rules": chosen.hard_rules,
        "identity": chosen.identity,
        "pinned": chosen.pinned,
        "contested": chosen.contested,
        **chosen.categories,
    }
    assert [name for name, group in found.items() if group] == [section]


@pytest.mark.parametrize("changes", [{"pinned": 1}, {"enforced": 1}, {"layer": "L1"}])
def test_force_outlives_its_score_and_an_unreviewed_claim_does_not(
    changes: dict[str, object],
) -> None:
    assert reason_of(row(reinforced=days_ago(9_000), force=1, **changes)) == ""
    assert reason_of(row(reinforced=days_ago(9_000), **changes)) == "lifecycle:dropped"


def test_a_category_is_filled_by_score_and_ties_stand_by_id() -> None:
    weak = [row(number, evidence_count=2) for number in range(1, 9)]
    strong = row(99, evidence_count=9)
    chosen = select([*reversed(weak), strong], HERE)
    assert [m.id for m in chosen.categories["lesson"]] == [ident(n) for n in (99, *range(1, 9))]


def test_what_finds_its_category_full_goes_to_a_pool_of_the_best() -> None:
    lessons = [row(n, evidence_count=100 - n) for n in range(1, 16)]
    mistakes = [row(n, category="mistake", evidence_count=1000 - n) for n in range(21, 27)]
    chosen = select([*lessons, *mistakes], HERE)
    # 4 mistakes and 8 lessons have their place; of the pool 2 are mistakes, which score higher.
    assert [m.id for m in chosen.categories["mistake"]] == [ident(n) for n in range(21, 27)]
    assert [m.id for m in chosen.categories["lesson"]] == [ident(n) for n in range(1, 13)]
    assert chosen.excluded == [Excluded(ident(n), "category_budget") for n in (13, 14, 15)]


def test_no_more_than_forty_stand_by_score_and_force_stands_outside() -> None:
    many = [
        row(100 * place + n, category=name)
        for place, name in enumerate(CATEGORY_BUDGET)
        for n in range(1, 31)
    ]
    acting = [row(5000 + n, pinned=1, force=1) for n in range(20)]
    chosen = select([*many, *acting], HERE)
    assert sum(map(len, chosen.categories.values())) == 40
    assert len(chosen.pinned) == 20


def test_hard_rules_stand_by_confidence_then_score() -> None:
    rules = [
        row(1, enforced=1, force=1, confidence=0.9),
        row(2, enforced=1, force=1, confidence=0.9, evidence_count=5),
        row(3, enforced=1, force=1, confidence=0.99),
    ]
    assert [m.id for m in select(rules, HERE).hard_rules] == [ident(n) for n in (3, 2, 1)]


def test_few_contested_memories_stand_whatever_the_prompt() -> None:
    rows = [row(n, status="contested", statement="OpenGL draws triangles.") for n in (2, 1)]
    assert [m.id for m in select(rows, HERE).contested] == [ident(1), ident(2)]


def test_of_many_contested_memories_those_near_the_prompt_stand() -> None:
    rows = [
        row(1, status="contested", statement="OpenGL draws triangles."),
        row(2, status="contested", statement="The npm mirror is slow in the morning."),
        row(3, status="contested", statement="Publishing to the registry needs a token."),
    ]
    chosen = select(rows, HERE)
    assert [m.id for m in chosen.contested] == [ident(3), ident(2)]
    assert chosen.excluded == [Excluded(ident(1), "contested")]
    without = select(rows, Context(NOW))
    assert [m.id for m in without.contested] == [ident(1), ident(2), ident(3)]


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [
        row(n, category=("lesson", "done")[n % 2], pinned=n % 3 == 0, force=n % 2)
        for n in range(60)
    ]
    shuffled = random.Random(7).sample(rows, len(rows))
    one, other = select(rows, HERE), select(shuffled, HERE)
    assert one._replace(excluded=[]) == other._replace(excluded=[])
    assert sorted(one.excluded) == sorted(other.excluded)


@pytest.mark.parametrize(
    ("changes", "days"),
    [
        ({"reinforced": days_ago(3)}, 3),
        ({"reinforced": today(NOW) - 1}, 1),
        ({"reinforced": today(NOW)}, 0),
        ({"reinforced": NOW + 5 * DAY}, 0),
        ({"reinforced": 0.0, "created": days_ago(7)}, 7),
        ({"reinforced": 0.0, "created": 0.0}, 0),
    ],
)
def test_age_is_counted_in_whole_local_days(changes: dict[str, object], days: int) -> None:
    assert age_seconds(row(**changes), today(NOW)) == days * DAY
