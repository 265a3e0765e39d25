"""What a day settles changes nothing of any report, whatever the memories, the prompt and the moment."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.rows import NOW, days_ago, ident, row
from vaultmem.core.context import Context
from vaultmem.core.model import Category
from vaultmem.core.report import build_report
from vaultmem.core.report_caps import NO_CAPS, Caps
from vaultmem.core.scoring import CUE_WEIGHT
from vaultmem.core.selection import CATEGORY_BUDGET, OVERFLOW, Excluded, today
from vaultmem.core.settled import SettledFor, settle

PROJECT = "github.com/acme/app"


def rows(number: int) -> st.SearchStrategy:
    """A memory in any state that could matter."""
    changes = st.fixed_dictionaries(
        {
            "category": st.sampled_from(["lesson", "lesson", "preference", "mistake"]),
            "cue": st.sampled_from(sorted(CUE_WEIGHT)),
            "evidence_count": st.sampled_from([0, 1, 2, 5]),
            "reinforced": st.sampled_from([days_ago(days) for days in (0, 3, 20, 90, 400)]),
            "status": st.sampled_from(["active"] * 6 + ["contested", "deleted", "superseded"]),
            "layer": st.sampled_from(["L2"] * 5 + ["L1", "L3"]),
            "project": st.sampled_from(["", "", PROJECT, PROJECT.upper(), "github.com/acme/x"]),
            "scope": st.sampled_from(["global"] * 4 + ["session", "task", "project"]),
            "session": st.sampled_from(["", "s1", "s2"]),
            "pinned": st.sampled_from([0, 0, 0, 1]),
            "enforced": st.sampled_from([0, 0, 0, 1]),
            "force": st.sampled_from([0, 0, 1]),
            "rule": st.sampled_from(["", "avoid_pattern"]),
            "expires": st.sampled_from([0.0, 0.0, NOW - 1, NOW + 1]),
            "valid_from": st.sampled_from([0.0, 0.0, 0.0, NOW + 1]),
            "applies_when": st.sampled_from(["", "", "", "deploying"]),
            "not_when": st.sampled_from(["", "", "", "publishing"]),
        }
    )
    return changes.map(lambda these: row(number, **these))


MEMORIES = st.integers(0, 60).flatmap(lambda count: st.tuples(*map(rows, range(1, count + 1))))


@settings(max_examples=60, deadline=None)
@given(
    MEMORIES,
    st.sampled_from(["", PROJECT]),
    st.sampled_from(["", "deploy it", "publish it", "the tests fail"]),
    st.sampled_from([NO_CAPS, Caps(records=5), Caps(l1=0)]),
    st.sampled_from([60, 300, 1_700]),
)
def test_a_report_of_the_rest_is_the_report_of_all(memories, project, prompt, caps, budget):
    context = Context(NOW, project, prompt, session="s1")
    found = settle(memories, day=today(NOW), project=project)
    assert {one.id for one in found.rest}.isdisjoint(one.id for one in found.excluded)
    assert len(found.rest) + len(found.excluded) == len(memories)
    whole = build_report(memories, context, caps=caps, budget=budget)
    rest = build_report(found.rest, context, caps=caps, budget=budget, settled=found.excluded)
    assert rest == whole


def test_of_ten_thousand_a_few_dozen_are_left() -> None:
    memories = [
        row(number, category=list(Category)[number % 6], evidence_count=number % 50)
        for number in range(10_000)
    ]
    found = settle(memories, day=today(NOW), project="")
    assert len(found.rest) == sum(budget + OVERFLOW for budget in CATEGORY_BUDGET.values())
    assert found.excluded == sorted(found.excluded)


def test_what_was_settled_holds_for_the_same_rows_day_and_project() -> None:
    memories = [row(1), row(2, status="deleted")]
    found = settle(memories, day=today(NOW), project=PROJECT)
    assert found.excluded == [Excluded(ident(2), "status:deleted")]
    known = SettledFor(memories, today(NOW), PROJECT, found)
    assert known.fits(memories, today(NOW), PROJECT)
    assert not known.fits([*memories], today(NOW), PROJECT), "somebody wrote in between"
    assert not known.fits(memories, today(NOW) + 86_400, PROJECT)
    assert not known.fits(memories, today(NOW), "")


@pytest.mark.parametrize(
    "condition",
    [
        {"applies_when": "deploying"},
        {"not_when": "publishing"},
        {"expires": NOW - 1},
        {"valid_from": NOW + 1},
        {"valid_to": NOW - 86_400},
        {"scope": "session", "session": "s2"},
        {"scope": "task", "created": days_ago(400)},
    ],
)
@pytest.mark.parametrize("faded", [{}, {"reinforced": days_ago(400)}])
def test_a_condition_is_left_to_the_prompt_also_where_the_memory_faded(condition, faded) -> None:
    memory = row(1, **condition, **faded)
    assert settle([memory], day=today(NOW), project="") == ([memory], [])
    context = Context(NOW, prompt="publish it", session="s1")
    (out,) = build_report([memory], context).excluded
    assert not out.reason.startswith("lifecycle"), "the filters before say why"
