"""Memories that may be a procedure: which, how many, and why the others are none."""

from __future__ import annotations

import pytest

from tests.core.holding import ev, held, mem
from vaultmem.core.model import Layer, RuleType, Scope, Stability, Status
from vaultmem.core.procedures import STEPS, Procedure, Skipped, find_procedures, why_not

RUN = "Run the unit tests."


@pytest.mark.parametrize(("number", "least", "found"), [(2, 2, 1), (2, 3, 0)])
def test_governed_row_117_two_memories_are_a_procedure_where_two_are_enough(number, least, found):
    memories = [held(one + 1, RUN) for one in range(number)]
    assert len(find_procedures(memories, least=least).found) == found


def test_three_are_enough_where_nobody_says_another_number():
    assert len(find_procedures([held(one, RUN) for one in (1, 2, 3)]).found) == 1


@pytest.mark.parametrize(
    ("held_one", "reason"),
    [
        (held(1, "Always run typecheck."), ""),
        (held(1, "Verifying comes first."), ""),
        (held(1, "Committed code is formatted."), ""),
        (held(1, "Say thanks.", tags=("memory/testing",)), ""),
        (held(1, "Say thanks.", rule=RuleType.WORKFLOW), ""),
        (held(1, "Say thanks.", rule=RuleType.CONVENTION), "no_procedure_word"),
        # Words, not parts of words: "latest" is no test, "toolbar" no tool, "pushy" no push.
        (held(1, "The latest toolbar is pushy."), "no_procedure_word"),
        (held(1, RUN, layer=Layer.IDENTITY), "layer:L1"),
        (held(1, RUN, status=Status.CONTESTED), "status:contested"),
        (held(1, RUN, stability=Stability.LOW), "stability:low"),
        (held(1, RUN, scope=Scope.TASK), "scope:task"),
        (held(1, RUN, scope=Scope.SESSION), "scope:session"),
    ],
)
def test_why_a_memory_is_no_step(held_one, reason):
    assert why_not(held_one) == reason


@pytest.mark.parametrize(
    ("first", "second", "near"),
    [
        # The same session, a link, nearly the same words, a tag and a word that both tell.
        ({"source_session": "a"}, {"source_session": "a"}, True),
        ({"source_session": "a"}, {"source_session": "b"}, False),
        ({"informs": (2,)}, {}, True),
        ({}, {"derived_from": (1,)}, True),
        (
            {"statement": "Run the linter first."},
            {"statement": "First run the linter again."},
            True,
        ),
        (
            {"statement": "Test the release notes.", "tags": ("memory/release",)},
            {"statement": "Push a release tag.", "tags": ("memory/Release",)},
            True,
        ),
        # A tag alone says nothing, nor do words that tell a step anywhere.
        ({"tags": ("memory/git",)}, {"tags": ("memory/git",)}, False),
        (
            {"statement": "Prefer small commits that pass.", "tags": ("memory/git",)},
            {"statement": "Commit subjects are imperative sentences.", "tags": ("memory/git",)},
            False,
        ),
        ({}, {}, False),
    ],
)
def test_memories_are_one_procedure_only_if_they_hang_together(first, second, near):
    one = held(1, **{"statement": "Push the branch.", **first})
    other = held(2, **{"statement": "Verify what was built.", **second})
    made = find_procedures([one, other], least=2)
    assert bool(made.found) == near
    assert {skipped.reason for skipped in made.skipped} == (set() if near else {"unrelated"})


def test_one_project_can_have_two_procedures_and_what_joins_them_makes_them_one():
    memories = [
        held(number, f"Run {word}.", source_session=session)
        for number, (word, session) in enumerate(
            [("a", "x"), ("b", "y"), ("c", "x"), ("d", "y")], 1
        )
    ]
    assert [len(one.steps) for one in find_procedures(memories, least=2).found] == [2, 2]
    memories.append(held(5, "Run e.", source_session="x", informs=(2,)))
    assert [len(one.steps) for one in find_procedures(memories, least=2).found] == [5]


def test_a_procedure_tells_steps_checks_sources_and_evidence():
    made = find_procedures(
        [
            held(3, "Push the branch.", confidence=0.8, cites=(2, 1), source_session="s"),
            held(1, "Run the tests.", confidence=0.9, cites=(1,), source_session="s"),
            held(2, "Commit what passed.", confidence=0.8, source_session="s"),
        ]
    )
    assert made.found == (
        Procedure(
            title="Verification workflow",
            project="",
            steps=("Run the tests.", "Commit what passed.", "Push the branch."),
            checks=("Run the tests.",),
            sources=(mem(1), mem(2), mem(3)),
            evidence=(ev(1), ev(2)),
            confidence=0.83,
        ),
    )


def test_without_a_check_it_is_a_workflow():
    made = find_procedures([held(one, "Push the branch.") for one in (1, 2, 3)])
    assert made.found[0].title == "Workflow"
    assert made.found[0].checks == ()


def test_each_project_has_its_own():
    memories = [held(one, RUN, project="host/a") for one in (1, 2, 3)]
    memories += [held(one, RUN, project="host/b") for one in (4, 5)]
    made = find_procedures(memories)
    assert [one.project for one in made.found] == ["host/a"]
    assert made.skipped == (Skipped(mem(4), "too_few"), Skipped(mem(5), "too_few"))


def test_a_procedure_has_six_steps_and_the_rest_says_so():
    made = find_procedures([held(one, RUN) for one in range(1, 10)])
    assert len(made.found[0].steps) == STEPS
    assert {one.reason for one in made.skipped} == {"beyond_the_steps"}
    assert len(made.skipped) == 3


def test_what_is_no_step_is_left_with_its_reason():
    made = find_procedures([held(2, "Say thanks."), held(1, RUN, layer=Layer.IDENTITY)])
    assert made.skipped == (Skipped(mem(1), "layer:L1"), Skipped(mem(2), "no_procedure_word"))
