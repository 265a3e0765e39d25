"""The person's caps on a report, and the two modes that tell no memories."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.rows import NOW, ident, row
from vaultmem.core.budget import tokens
from vaultmem.core.context import Context
from vaultmem.core.governance import Governance
from vaultmem.core.report import Report, build_report
from vaultmem.core.report_caps import Caps
from vaultmem.core.report_rules import rules_report

HERE = Context(NOW)
L1 = [row(n, layer="L1", category="preference", force=1, statement=f"About {n}.") for n in range(1, 11)]  # fmt: skip
L2 = [row(n) for n in range(11, 16)]
ALL = [*L1, *L2]


def shown(made: Report) -> list[str]:
    return [name for section in made.sections for name in section.ids]


def layers(made: Report) -> tuple[int, int]:
    ids = shown(made)
    return (
        sum(memory.id in ids for memory in L1),
        sum(memory.id in ids for memory in L2),
    )


@pytest.mark.parametrize(
    ("caps", "expected"),
    [
        (Caps(), (4, 5)),  # four lines are the section's own limit
        (Caps(records=12), (4, 5)),
        (Caps(records=6), (2, 4)),
        (Caps(records=1), (0, 1)),
        (Caps(records=0), (0, 0)),
        (Caps(l1=0), (0, 5)),
        (Caps(l1=2), (2, 5)),
        (Caps(l2=1), (4, 1)),
        (Caps(records=12, l1=1, l2=3), (1, 3)),
        (Caps(records=12, l1=9, l2=9), (4, 5)),
    ],
)
def test_governed_row_94_caps_by_layer(caps: Caps, expected: tuple[int, int]) -> None:
    assert layers(build_report(ALL, HERE, caps=caps)) == expected


def test_governed_row_94_ten_l1_do_not_crowd_out_l2() -> None:
    _, l2 = layers(build_report(ALL, HERE, caps=Caps(records=12)))
    assert l2 >= 4
    l1, _ = layers(build_report(ALL, HERE, caps=Caps(l1=0)))
    assert l1 == 0


def test_what_is_over_a_cap_is_named_with_the_reason() -> None:
    made = build_report(ALL, HERE, caps=Caps(l1=1, l2=1))
    reasons = {one.id: one.reason for one in made.excluded}
    assert len(reasons) == 13
    assert set(reasons.values()) == {"max_records:L1", "max_records:L2"}


def test_rules_and_pins_go_last_and_contested_ones_first() -> None:
    rule = row(21, rule="convention", force=1)
    pinned = row(22, pinned=1, force=1)
    contested = row(23, status="contested")
    weak = row(24, evidence_count=1)
    strong = row(25, evidence_count=9)
    order = [rule, pinned, strong, weak, contested]
    for number in range(len(order) + 1):
        made = build_report(order, HERE, caps=Caps(l2=number))
        assert set(shown(made)) == {memory.id for memory in order[:number]}


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_no_report_is_over_its_caps(records: int, l1: int, l2: int) -> None:
    made = build_report(ALL, HERE, caps=Caps(records, l1, l2))
    found = layers(made)
    assert sum(found) <= records
    assert found[0] <= l1
    assert found[1] <= l2
    assert {*shown(made), *(one.id for one in made.excluded)} == {memory.id for memory in ALL}


def test_governed_row_92_policy_only_tells_no_memory() -> None:
    made = rules_report(ALL, Governance(injection_mode="policy_only"), waiting=2, budget=1700)
    assert made.text.startswith("# Project Memory\n")
    assert "policy_only" in made.text
    assert "compatibility" in made.text
    assert "memory_search" in made.text
    assert "2 candidates" not in made.text
    assert not any(memory.statement in made.text for memory in ALL)
    assert made.sections == ()
    assert [one.id for one in made.excluded] == [ident(n) for n in range(1, 16)]


def test_governed_row_93_wakeup_is_short_and_counts() -> None:
    governance = Governance(mode="strict", injection_mode="wakeup")
    gone = row(30, status="superseded")
    made = rules_report([*ALL, gone], governance, waiting=2, budget=1700)
    assert len(made.text) < 1200
    assert made.mode == "wakeup"
    assert made.tokens == tokens(made.text)
    assert "strict" in made.text
    assert "15 memories are active; 2 candidates wait" in made.text
    alone = rules_report([row(1)], governance, waiting=1, budget=1700).text
    assert "1 memory is active; 1 candidate waits for the person." in alone


def test_rules_that_have_no_room_are_left_out_from_the_last() -> None:
    governance = Governance(injection_mode="wakeup")
    whole = rules_report(ALL, governance, waiting=0, budget=1700)
    made = rules_report(ALL, governance, waiting=0, budget=whole.tokens - 1)
    assert made.text.splitlines() == whole.text.splitlines()[:-1]


@given(st.integers(0, 300))
def test_the_rules_never_exceed_the_budget(budget: int) -> None:
    made = rules_report(ALL, Governance(injection_mode="wakeup"), waiting=0, budget=budget)
    assert made.tokens == tokens(made.text) <= budget
