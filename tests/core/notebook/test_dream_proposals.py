"""Which entries of a dream's answer become operations."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId, ulid
from vaultmem.core.model import Category, Layer, Memory, Scope, Status
from vaultmem.core.notebook.dream import DreamAnswer, Lasts, Misfiled, Same, Sorted, Stale
from vaultmem.core.notebook.dream_proposals import (
    ProposalKind,
    World,
    may_merge,
    may_touch,
    origin,
    proposals,
    review_mark,
)
from vaultmem.core.operation import Op
from vaultmem.core.patch_check import check
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import Facts

NOW = datetime(2026, 11, 30, 12, 0)
FORCE = [
    {"pinned": True},
    {"layer": Layer.IDENTITY},
    {"trigger": "bash_contains rm", "action": "block"},
    {"verifier": "tool_called a before b"},
    {"status": Status.CONTESTED},
]
"""What no dream may touch."""


def _id(number: int, prefix: str = "mem") -> MemoryId:
    return MemoryId(f"{prefix}_{ulid(1_764_000_000_000, number.to_bytes(10))}")


def _memory(number: int, statement: str = "Run the whole suite before a push.", **fields) -> Memory:
    return Memory(id=_id(number), statement=statement, review=date(2027, 3, 1), **fields)


def _world(*memories: Memory, candidates: tuple[Memory, ...] = ()) -> World:
    numbers = iter(range(1000, 2000))
    return World(
        memories={f"m{at}": one for at, one in enumerate(memories, 1)},
        candidates={f"c{at}": one for at, one in enumerate(candidates, 1)},
        now=NOW,
        new_id=lambda: _id(next(numbers)),
        link=lambda identifier: f"[[{identifier}]]",
    )


SAME = Same(("m1", "m2"), "m2", "They say the same.")


def _merged(*memories: Memory, same: Same = SAME):
    return proposals(DreamAnswer(same=(same,)), _world(*memories))


def test_what_does_not_last_is_proposed_for_rejection_and_the_rest_is_not():
    waiting = replace(_memory(1, "Hello there."), id=_id(1, "cand"))
    said = [Sorted("c1", lasts, "Small talk.") for lasts in Lasts]
    found = [proposals(DreamAnswer((one,)), _world(candidates=(waiting,))) for one in said]
    (rejected,) = found[list(Lasts).index(Lasts.NO)]
    ((step, target),) = rejected.steps
    assert (step.op, step.candidate, step.selected) == (Op.REJECT_CANDIDATE, waiting.id, False)
    assert target is None
    assert step.reason == "Small talk."
    assert rejected.mark == review_mark(waiting)
    assert sum(map(len, found)) == 1


def test_two_that_say_the_same_become_one_with_the_evidence_of_both():
    one = _memory(
        1, evidence=("[[a#^ev-1]]",), tags=("memory/git",), source_session="s1", evidence_count=2
    )
    two = _memory(
        2,
        "run the whole suite before a push",
        evidence=("[[a#^ev-1]]", "[[b#^ev-2]]"),
        confidence=0.9,
        reinforced=datetime(2026, 10, 1),
        vault_ref="[[CI]]",
    )
    (found,) = _merged(one, two)
    assert found.kind is ProposalKind.MERGE
    assert found.about == (one.id, two.id)
    (supersede, kept), (deprecate, dropped) = found.steps
    assert (kept, dropped) == (two, one)
    assert (supersede.op, supersede.target) == (Op.SUPERSEDE, two.id)
    assert (deprecate.op, deprecate.target) == (Op.DEPRECATE, one.id)
    new = supersede.memory
    assert new is not None
    assert new.statement == two.statement, "the model words nothing"
    assert new.evidence == ("[[a#^ev-1]]", "[[b#^ev-2]]")
    assert (new.evidence_count, new.confidence) == (3, 0.9)
    assert (new.tags, new.source_session, new.vault_ref) == (("memory/git",), "s1", "[[CI]]")
    assert new.derived_from == (f"[[{two.id}]]", f"[[{one.id}]]")
    assert (new.created, new.reinforced) == (NOW, datetime(2026, 10, 1))
    assert new.id not in (one.id, two.id)
    said = f"“{one.statement}”, “{two.statement}” say the same; one memory has the evidence of all."
    assert supersede.reason == f"{said} They say the same."
    assert "mem_" not in deprecate.reason
    assert not supersede.selected
    assert not deprecate.selected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Retry three times before giving up.", "Retry five times before giving up."),
        ("Build with Python 3.11.", "Build with Python 3.12."),
        ("Always squash commits.", "Never squash commits."),
        ("Run `just check` before a push.", "Run `make check` before a push."),
        ("You may push to main.", "Do not push to main."),
        ("Deploy to staging first.", "Deploy to production first."),
        ("Ask before deleting files.", "Delete files without asking."),
    ],
)
def test_texts_that_differ_in_what_counts_are_never_merged(first, second):
    for pair in ((first, second), (second, first)):
        assert _merged(_memory(1, pair[0]), _memory(2, pair[1])) == ()


def test_a_model_that_mixes_things_up_merges_nothing():
    assert _merged(_memory(1), _memory(2, "Wrap user input with the escape helper.")) == ()


def test_other_words_for_the_same_thing_are_merged():
    one = _memory(1, "Before pushing, run the whole test suite and the linter on your machine.")
    two = _memory(
        2,
        "The whole suite of tests, linter included, has to run locally and pass before anyone pushes.",
    )
    assert may_merge(one, two)


@pytest.mark.parametrize(
    "other",
    [
        {"scope": Scope.PROJECT, "project": "github.com/mara/app"},
        {"applies_when": ("deploying",)},
        {"not_when": ("on CI",)},
        {"exceptions": ("project:x",)},
        {"valid_to": datetime(2027, 1, 1)},
        {"expires": datetime(2027, 1, 1)},
    ],
)
def test_the_same_words_elsewhere_or_at_another_time_stay_two(other):
    assert not may_merge(_memory(1), _memory(2, **other))
    assert _merged(_memory(1), _memory(2, **other)) == ()
    assert may_merge(_memory(1), _memory(2))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # only clauses of opposite permission tell these apart
        (
            "Refrain from force pushing to the shared branch, whatever the hurry.",
            "Feel free to force push to the shared branch whenever that saves work.",
        ),
        # and only the signs of their words these
        (
            "Hotfixes by anybody in the team go straight into the release branch.",
            "It is disallowed for team members to put hotfixes straight into the release branch "
            "at any time, talk first.",
        ),
    ],
)
def test_opposite_permission_is_never_the_same(first, second):
    assert not may_merge(_memory(1, first), _memory(2, second))
    assert not may_merge(_memory(1, second), _memory(2, first))


@pytest.mark.parametrize("force", FORCE)
def test_what_acts_or_is_contested_is_never_touched(force):
    held = _memory(1, **force)
    assert not may_touch(held)
    world = _world(held, _memory(2))
    answer = DreamAnswer(
        same=(SAME,),
        stale=(Stale("m1", "Over."),),
        misfiled=(Misfiled("m1", Category.DONE, "Finished."),),
    )
    assert proposals(answer, world) == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.SUPERSEDED},
        {"status": Status.PROMOTED},
        {"layer": Layer.SESSION},
        {"scope": Scope.SESSION},
        {"scope": Scope.TASK},
    ],
)
def test_what_is_over_or_ends_by_itself_is_left_alone(fields):
    assert not may_touch(_memory(1, **fields))


@pytest.mark.parametrize(
    "same",
    [
        Same(("m1",), "m1", ""),
        Same(("m1", "m9"), "m1", ""),
        Same(("m1", "m2", "m9"), "m1", ""),
        Same(("m1", "m2"), "m9", ""),
        Same(("m1", "m2"), "m3", ""),
        Same((), "m1", ""),
        Same(("c1", "m1"), "m1", ""),
    ],
)
def test_a_group_that_does_not_hold_together_is_left_out(same):
    assert _merged(_memory(1), _memory(2), _memory(3), same=same) == ()


def test_of_three_alike_two_go_out_of_use():
    (found,) = _merged(*(_memory(at) for at in (1, 2, 3)), same=Same(("m1", "m2", "m3"), "m1", ""))
    assert [step.op for step, _ in found.steps] == [Op.SUPERSEDE, Op.DEPRECATE, Op.DEPRECATE]
    assert "The model gave no reason." in found.steps[0][0].reason


def test_one_strange_member_spoils_the_group():
    group = (_memory(1), _memory(2), _memory(3, "Never run the suite before a push."))
    assert _merged(*group, same=Same(("m1", "m2", "m3"), "m1", "")) == ()


def test_a_stale_memory_is_flagged_for_review():
    (found,) = proposals(DreamAnswer(stale=(Stale("m1", "Replaced."),)), _world(_memory(1)))
    ((step, _),) = found.steps
    assert (step.op, step.changes) == (Op.FLAG_FOR_REVIEW, {"review": date(2026, 12, 7)})
    assert not step.selected


def test_what_is_due_for_review_anyway_is_not_flagged():
    due = replace(_memory(1), review=date(2026, 12, 7))
    assert proposals(DreamAnswer(stale=(Stale("m1", ""),)), _world(due)) == ()
    never = replace(_memory(1), review=None)
    assert len(proposals(DreamAnswer(stale=(Stale("m1", ""),)), _world(never))) == 1


def test_a_wrong_category_becomes_an_update():
    answer = DreamAnswer(misfiled=(Misfiled("m1", Category.DONE, "Finished."),))
    (found,) = proposals(answer, _world(_memory(1)))
    ((step, _),) = found.steps
    assert (step.op, step.changes) == (Op.UPDATE, {"category": Category.DONE})
    right = _memory(1, category=Category.DONE)
    assert proposals(answer, _world(right)) == ()


def test_nothing_that_was_not_shown_is_proposed():
    answer = DreamAnswer(
        candidates=(Sorted("c9", Lasts.NO, ""), Sorted("m1", Lasts.NO, "")),
        stale=(Stale("m9", ""), Stale("c1", "")),
        misfiled=(Misfiled("m9", Category.DONE, ""),),
    )
    waiting = replace(_memory(2), id=_id(2, "cand"))
    assert proposals(answer, _world(_memory(1), candidates=(waiting,))) == ()


def test_a_memory_is_in_one_proposal_only():
    answer = DreamAnswer(
        same=(SAME, Same(("m2", "m3"), "m3", "")),
        stale=(Stale("m1", ""), Stale("m3", ""), Stale("m3", "")),
    )
    found = proposals(answer, _world(_memory(1), _memory(2), _memory(3)))
    assert [one.kind for one in found] == [ProposalKind.MERGE, ProposalKind.STALE]


def test_a_mark_names_what_is_proposed_of_which_words():
    one, two = _memory(1), _memory(2)
    marks = {
        proposals(DreamAnswer(stale=(Stale("m1", reason),)), _world(memory))[0].mark
        for reason, memory in (("Over.", one), ("Done with.", one))
    }
    assert len(marks) == 1, "another reason is no other proposal"
    other = replace(one, statement="Run the whole suite before a release.")
    assert proposals(DreamAnswer(stale=(Stale("m1", ""),)), _world(other))[0].mark not in marks
    (merged,) = _merged(one, two)
    (again,) = _merged(one, two, same=Same(("m2", "m1"), "m1", "Other words."))
    assert merged.mark == again.mark
    filed = [
        proposals(DreamAnswer(misfiled=(Misfiled("m1", category, ""),)), _world(one))[0].mark
        for category in (Category.DONE, Category.PATTERN)
    ]
    assert len({*filed, *marks, merged.mark, review_mark(one)}) == 5


def test_provenance_is_filled_in_where_it_is_unknown():
    known = _memory(1)
    ((step, target),) = origin(known, "s1").steps
    assert (step.op, step.changes, target) == (Op.UPDATE, {"source_session": "s1"}, known)
    assert check(propose(step, known), known, Facts()) is None


def test_provenance_that_is_there_is_never_changed():
    ((step, _),) = origin(_memory(1), "s1").steps
    says = _memory(1, source_session="s0")
    refusal = check(propose(step, says), says, Facts())
    assert refusal is not None
    assert "source_session" in refusal.sentence
    flag = replace(step, op=Op.FLAG_FOR_REVIEW)
    assert check(propose(flag, _memory(1)), _memory(1), Facts()) is not None


_WORDS = st.sampled_from(
    ["Use npm.", "Use bun.", "Never use npm.", "Retry 3 times.", "Retry 5 times.", "use npm"]
)
_FIELDS = st.sampled_from([{}, *FORCE])
_NAMES = st.sampled_from(["m1", "m2", "m3", "m4", "c1", "zz"])


@settings(deadline=None)
@given(
    st.lists(st.tuples(_WORDS, _FIELDS), min_size=4, max_size=4),
    st.lists(st.builds(Same, st.lists(_NAMES, max_size=4).map(tuple), _NAMES, st.just("x"))),
    st.lists(st.builds(Stale, _NAMES, st.just("x"))),
    st.lists(st.builds(Misfiled, _NAMES, st.sampled_from(Category), st.just("x"))),
)
def test_no_answer_reaches_what_a_dream_may_not_touch(texts, same, stale, misfiled):
    memories = [_memory(at, text, **fields) for at, (text, fields) in enumerate(texts, 1)]
    answer = DreamAnswer(same=tuple(same), stale=tuple(stale), misfiled=tuple(misfiled))
    for one in proposals(answer, _world(*memories)):
        for step, target in one.steps:
            assert target is not None
            assert may_touch(target)
            assert not step.selected
            assert check(propose(step, target), target, Facts()) is None
        if one.kind is ProposalKind.MERGE:
            merged = [target.statement for _, target in one.steps if target]
            assert len({text.casefold().strip(".") for text in merged}) == 1
