"""Rows of the governed memory on what stands in a report, each with its own numbers."""

from __future__ import annotations

import pytest

from tests.core.rows import NOW, days_ago, ident, row
from vaultmem.core.context import Context
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory
from vaultmem.core.report import build_report
from vaultmem.core.selection import caution, select, today
from vaultmem.core.standing import DAY, standing_of


def reasons(prompt: str, *rows) -> list[str]:
    return [one.reason for one in select(rows, Context(NOW, prompt=prompt)).excluded]


def shown(name: str, rows, prompt: str = "") -> tuple[str, ...]:
    sections = build_report(rows, Context(NOW, prompt=prompt)).sections
    return next((one.ids for one in sections if one.name == name), ())


def test_governed_row_85_what_the_prompt_rules_out_is_left_out():
    memory = row(1, not_when="publishing")
    assert reasons("publish to npm registry", memory) == ["not_when:publishing"]
    assert reasons("run the tests", memory) == []


def test_governed_row_86_a_known_exception_is_left_out_with_its_name():
    memory = Memory(
        id=MemoryId(ident(1)), statement="Publish to npm.", exceptions=("GitHub Packages",)
    )
    standing = standing_of(memory, path="a.md", force=False)
    assert reasons("Publish it to GitHub Packages.", standing) == ["not_when:GitHub Packages"]
    assert reasons("Publish it to npm.", standing) == []


def test_governed_row_87_rules_of_four_types_are_hard_and_a_workflow_is_not():
    rules = [
        row(1, rule="avoid_pattern", confidence=0.92, force=1),
        row(2, rule="prefer_pattern", confidence=0.88, force=1),
        row(3, rule="workflow", confidence=0.95, force=1),
        row(4, rule="correction", confidence=0.91, force=1),
        row(5, rule="convention", confidence=0.90, force=1),
    ]
    assert shown("hard_rules", rules) == (ident(1), ident(4), ident(5), ident(2))


def test_governed_row_88_the_unsure_the_deprecated_and_the_contested_are_no_hard_rules():
    rules = [
        row(1, rule="avoid_pattern", confidence=0.70, force=1),
        row(2, rule="avoid_pattern", confidence=0.90, force=1, status="deprecated"),
        row(3, rule="avoid_pattern", confidence=0.95, force=1, status="contested"),
    ]
    assert shown("hard_rules", rules) == ()
    assert shown("contested", rules) == (ident(3),)


def test_governed_row_89_at_most_eight_hard_rules_are_told():
    rules = [row(n, rule="avoid_pattern", force=1) for n in range(1, 13)]
    report = build_report(rules, Context(NOW), budget=9_000)
    (ids,) = (one.ids for one in report.sections if one.name == "hard_rules")
    assert len(ids) == 8
    assert "4 more hard rules" in report.text


def test_governed_row_90_of_five_contested_two_near_ones_are_told_with_a_warning():
    rows = [
        row(1, status="contested", statement="OpenGL draws triangles."),
        row(2, status="contested", statement="Bun runs the tests."),
        row(3, status="contested", statement="The tests need a database."),
        row(4, status="contested", statement="Tests of the parser run in bun."),
        row(5, status="contested", statement="Run the tests with npm and bun."),
    ]
    report = build_report(rows, Context(NOW, prompt="how should I run bun tests?"))
    (ids,) = (one.ids for one in report.sections if one.name == "contested")
    assert len(ids) == 2
    assert ident(1) not in ids
    assert "not to be relied on" in report.text
    assert "OpenGL" not in report.text


def test_governed_row_94_identity_leaves_room_for_what_was_learned():
    identity = [
        row(n, layer="L1", force=1, statement=f"Answer in style {n}.") for n in range(1, 11)
    ]
    playbook = [row(n) for n in range(11, 16)]
    assert len(shown("identity", [*identity, *playbook])) <= 4
    assert len(shown("lessons", [*identity, *playbook])) == 5


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "deprecated"},
        {"status": "superseded"},
        {"status": "deleted"},
        {"expires": NOW},
        {"valid_from": NOW + 1},
        {"valid_to": NOW},
        {"not_when": "tests"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "acting",
    [
        {},
        {"pinned": 1},
        {"enforced": 1},
        {"layer": "L1"},
        {"rule": "avoid_pattern"},
        {"status": "contested"},
    ],
    ids=str,
)
def test_what_does_not_hold_now_stands_nowhere_whatever_force_it_has(changes, acting):
    memory = row(1, force=1, **{**acting, **changes})
    assert build_report([memory], Context(NOW, prompt="run the tests")).text == ""


@pytest.mark.parametrize(
    ("changes", "mark"),
    [
        ({}, ""),
        ({"pinned": 1, "force": 1}, ""),
        ({"status": "contested"}, "contested"),
        ({"status": "contested", "expires": NOW}, "contested"),
        ({"status": "promoted"}, "promoted"),
        ({"expires": NOW}, "expired"),
        ({"expires": NOW + 1}, ""),
        ({"valid_to": today(NOW) - DAY}, "no_longer_valid"),
        ({"valid_from": NOW + 1}, "not_yet_valid"),
        ({"scope": "session", "created": days_ago(2)}, "session_over"),
        ({"scope": "task", "created": days_ago(20)}, "task_over"),
        ({"pinned": 1}, "unreviewed"),
        ({"pinned": 1, "expires": NOW}, "expired"),
        # What was learned long ago is found and needs no mark: its score says it.
        ({"reinforced": days_ago(900)}, ""),
    ],
)
def test_what_a_search_finds_is_marked_where_it_must_not_be_relied_on(changes, mark):
    assert caution(row(1, **changes), NOW) == mark
