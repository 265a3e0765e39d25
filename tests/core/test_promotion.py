"""Which stronger forms a memory has earned, and what a knowledge note needs of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId, is_id, short_id
from vaultmem.core.inference import Guardrail
from vaultmem.core.model import Category, Layer, Memory, RuleType, Scope, Stability, Status
from vaultmem.core.promotion import (
    Heard,
    can_be_skill,
    crosses_threshold,
    is_general,
    may_earn,
    propose,
    requirements,
    skill_name,
)
from vaultmem.core.promotion_words import (
    Destination,
    PromotionDecision,
    promotion_id,
    read_promotion_decision,
)

TODAY = date(2026, 11, 29)
LONG = TODAY - timedelta(days=30)
BASE = Memory(id=MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"), statement="Postgres keeps dead rows.")
ENFORCEMENT, SKILL, RULE, REF = (
    Destination.ENFORCEMENT,
    Destination.SKILL,
    Destination.PROJECT_RULE,
    Destination.VAULT_REF,
)


def forms(statement: str, sessions: int, *, projects: int = 0, since: date = TODAY, **changes):
    """The destinations that a memory with this statement has earned."""
    memory = replace(BASE, statement=statement, **changes)
    heard = Heard(sessions, tuple(f"x/{number}" for number in range(projects)), since)
    return [one.destination for one in propose(memory, heard, today=TODAY)]


@pytest.mark.parametrize(
    ("statement", "category", "sessions", "earned"),
    [
        ("Never use `git add .`", Category.LESSON, 2, []),
        ("Never use `git add .`", Category.LESSON, 3, [ENFORCEMENT]),
        ("Never use `git add .`", Category.LESSON, 9, [ENFORCEMENT]),  # inferred: no project rule
        ("Never use `git add .`", Category.PATTERN, 9, []),
        ("Never commit secrets", Category.MISTAKE, 3, [ENFORCEMENT]),
        ("Tests are fast here", Category.LESSON, 9, []),
        (
            "Always follow the project release convention",
            Category.PREFERENCE,
            5,
            [ENFORCEMENT, RULE],
        ),
        ("Always follow the project release convention", Category.PATTERN, 5, [RULE]),
        ("Always follow the project release convention", Category.PATTERN, 4, []),
        ("Deploy workflow: build → test → tag → push", Category.PATTERN, 4, [SKILL]),
        ("Deploy workflow: build → test → tag → push", Category.PATTERN, 2, []),
        ("Deploy workflow: build → test → tag → push", Category.DECISION, 4, []),
        ("Deployment is hard", Category.PATTERN, 9, []),
    ],
)
def test_a_form_is_earned_by_sessions_words_and_category(statement, category, sessions, earned):
    assert forms(statement, sessions, category=category) == earned


@pytest.mark.parametrize(
    ("statement", "guardrail", "alone"),
    [
        ("Never use `git add .`", Guardrail("bash_contains git add .", "block"), True),
        ("Never use mutable default arguments", Guardrail(), False),
        ("Never use pip", Guardrail(), False),
        (
            "Always ask_user before git push",
            Guardrail(verifier="tool_called ask_user before git push"),
            False,
        ),
        ("Never commit secrets", Guardrail(), False),
    ],
)
def test_a_guardrail_is_proposed_only_as_far_as_it_would_work(statement, guardrail, alone):
    (one,) = propose(replace(BASE, statement=statement), Heard(3), today=TODAY)
    assert (one.guardrail, one.alone) == (guardrail, alone)
    assert one.reason.endswith(".")
    assert "3 sessions" in one.reason


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.CONTESTED}, {"status": Status.DEPRECATED}, {"status": Status.PROMOTED},
        {"layer": Layer.IDENTITY}, {"layer": Layer.SESSION},
        {"scope": Scope.TASK}, {"scope": Scope.SESSION},
        {"trigger": "tool_name x", "action": "warn"}, {"verifier": "tool_called a before b"},
        {"trigger": "tool_name x"},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_in_force_passes_or_acts_already_earns_no_guardrail(changes):
    assert ENFORCEMENT not in forms("Never use `git add .`", 9, **changes)


def test_a_rule_that_held_in_two_projects_is_no_rule_of_one():
    statement = "Always follow the release convention"
    assert forms(statement, 5, projects=2, category=Category.PATTERN) == []
    assert forms(statement, 5, projects=2, category=Category.PATTERN, project="x/0") == [RULE]


@pytest.mark.parametrize(
    ("sessions", "projects", "since", "earned"),
    [
        (1, 2, LONG, [REF]),
        (5, 1, LONG, [REF]),
        (4, 1, LONG, []),
        (5, 1, LONG + timedelta(days=1), []),
        (9, 9, None, []),
    ],
)
def test_a_knowledge_note_needs_places_or_sessions_and_a_month(sessions, projects, since, earned):
    assert forms("Postgres keeps dead rows.", sessions, projects=projects, since=since) == earned


@pytest.mark.parametrize(
    ("changes", "unmet"),
    [
        ({}, []),
        ({"category": Category.PREFERENCE}, [2]),
        ({"category": Category.DONE}, [2]),
        ({"rule": RuleType.PREFERENCE}, [2]),
        ({"scope": Scope.PROJECT, "project": "x/a"}, [2]),
        ({"statement": "I like dead rows."}, [2]),
        ({"statement": "Dead rows in our database stay."}, [2]),
        ({"statement": "In this repo dead rows stay."}, [2]),
        ({"statement": "Blocking I/O stalls the loop."}, []),
        ({"statement": "US dates begin with the month."}, []),
        ({"stability": Stability.LOW}, [1]),
        ({"pinned": True}, [3]),
        ({"verifier": "tool_called a before b"}, [3]),
        ({"rule": RuleType.AVOID_PATTERN, "confidence": 0.9}, [3]),
        ({"rule": RuleType.AVOID_PATTERN, "confidence": 0.8}, []),
    ],
    ids=str,
)
def test_what_a_knowledge_note_needs_is_told_one_by_one(changes, unmet):
    memory = replace(BASE, **changes)
    found = requirements(memory, Heard(5, ("x/a",), LONG), today=TODAY)
    assert [place for place, one in enumerate(found) if not one.met] == unmet
    assert is_general(memory) is (2 not in unmet)


def test_evidence_that_was_altered_and_no_known_date_speak_against_a_note():
    found = requirements(BASE, Heard(1, (), None, intact=False), today=TODAY)
    assert [one.met for one in found] == [False, False, True, True, False]
    assert "0 projects, 1 session" in found[0].says


def test_a_memory_that_links_a_note_is_not_proposed_for_one():
    assert forms("Postgres keeps dead rows.", 5, since=LONG, vault_ref="[[Vacuum]]") == []


@pytest.mark.parametrize("count", range(20))
def test_thresholds_are_three_five_and_every_third(count):
    assert crosses_threshold(count) is (count in {3, 5, 6, 9, 12, 15, 18})


STATEMENTS = st.sampled_from(
    [
        "Never use `git add .`", "Deploy workflow: a → b → c", "Always keep the convention",
        "Postgres keeps dead rows.", "I like tea.",
    ]
)  # fmt: skip
MEMORIES = st.builds(
    lambda statement, category, scope, project, rule, pinned: replace(
        BASE, statement=statement, category=category, scope=scope, project=project, rule=rule,
        pinned=pinned,
    ),
    STATEMENTS, st.sampled_from(Category), st.sampled_from(Scope),
    st.sampled_from([None, "x/a"]), st.sampled_from([None, *RuleType]), st.booleans(),
)  # fmt: skip


@given(MEMORIES, st.integers(0, 12), st.integers(0, 3), st.booleans())
def test_what_is_not_worth_looking_at_has_earned_nothing(memory, sessions, projects, long):
    places = tuple(f"x/{number}" for number in range(projects))
    heard = Heard(sessions, places, LONG if long else TODAY)
    if propose(memory, heard, today=TODAY):
        assert may_earn(memory, evidence=sessions)


@given(MEMORIES, st.integers(0, 12), st.integers(0, 3))
def test_more_sessions_take_no_form_away(memory, sessions, projects):
    places = tuple(f"x/{number}" for number in range(projects))
    less = propose(memory, Heard(sessions, places, LONG), today=TODAY)
    more = propose(memory, Heard(sessions + 1, places, LONG), today=TODAY)
    assert {one.destination for one in less} <= {one.destination for one in more}


def test_a_proposal_has_one_id_for_each_memory_and_form():
    other = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W3")
    ids = {promotion_id(one, memory) for one in Destination for memory in (BASE.id, other)}
    assert len(ids) == 2 * len(Destination)
    assert all(is_id(one, "prom") for one in ids)
    assert promotion_id(SKILL, BASE.id) == promotion_id(SKILL, BASE.id)


@pytest.mark.parametrize(
    ("word", "decision"),
    [
        ("accept", PromotionDecision.ACCEPT), (" OK! ", PromotionDecision.ACCEPT),
        ("Yes.", PromotionDecision.ACCEPT), ("approve", PromotionDecision.ACCEPT),
        ("reject", PromotionDecision.REJECT), ("no", PromotionDecision.REJECT),
        ("later", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_a_decision_is_a_word_of_ours_in_any_case(word, decision):
    assert read_promotion_decision(word) is decision


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("Deploy workflow: build → test", "deploy-workflow"),
        ("潮位は三回測る", f"lesson-{short_id(BASE.id)}"),
    ],
)
def test_a_skill_is_called_by_its_words_or_by_category_and_id(statement, name):
    assert skill_name(replace(BASE, statement=statement, category=Category.LESSON)) == name


@pytest.mark.parametrize("category", list(Category))
def test_only_what_tells_work_can_be_a_skill(category):
    allowed = (Category.PATTERN, Category.LESSON, Category.DONE)
    assert can_be_skill(replace(BASE, category=category)) is (category in allowed)
