"""What maintenance proposes for a memory on a day, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId
from vaultmem.core.maintenance import (
    REVIEW_WITHIN,
    Happened,
    Rates,
    Subject,
    Told,
    is_cold,
    is_concerned,
    next_time,
    operations,
    urgency,
)
from vaultmem.core.model import Category, Cue, Layer, Memory, Scope, Stability, Status
from vaultmem.core.operation import Op, Operation, Risk
from vaultmem.core.patch_check import check
from vaultmem.core.patch_effect import apply, propose
from vaultmem.core.patch_rules import Facts
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.scoring import FAINT, score
from vaultmem.core.standing import DAY, moment_seconds, standing_of

NOON = datetime(2026, 11, 29, 12, 0)
NOW = moment_seconds(NOON)
TODAY = NOON.date()
YESTERDAY = TODAY - timedelta(days=1)
PATH = "Memory/Lessons/A lesson.md"
USUAL = Memory(
    id=MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"),
    statement="Close the file before it is renamed.",
    confidence=0.9,
    evidence_count=2,
    created=NOON - timedelta(days=40),
    reinforced=NOON - timedelta(days=40),
)


def subject(memory: Memory = USUAL, **parts: object) -> Subject:
    row = standing_of(memory, path=PATH, force=True)
    return Subject(memory=memory, row=row, **parts)  # type: ignore[arg-type]


def proposed(memory: Memory = USUAL, *, now: float = NOW, **parts: object) -> dict[Op, Operation]:
    """What is proposed, by kind, each as a patch would hold it."""
    one = subject(memory, **parts)
    found = operations(one, now, Rates())
    concerned = is_concerned(one.row, now, one.happened, one.told)
    assert concerned or not found, "the quick look must not miss anything"
    made = {op.op: propose(op, memory) for op in found}
    assert len(made) == len(found), "each kind once"
    for op in made.values():
        assert check(op, memory, Facts()) is None
    return made


def happened(*outcomes: Outcome, days_ago: float = 1) -> tuple[Happened, ...]:
    return tuple(Happened(NOW - days_ago * DAY, one) for one in outcomes)


def told(op: Op, *, days_ago: float = 1, period: float = 30) -> dict[Op, Told]:
    at = NOW - days_ago * DAY
    return {op: Told(at, at + period * DAY)}


OVERDUE = replace(USUAL, review=YESTERDAY)


@pytest.mark.parametrize(
    ("confidence", "stability", "left"),
    [
        (0.9, Stability.SEMI_STABLE, 0.75),
        (0.9, Stability.STABLE, 0.85),
        (0.1, Stability.LOW, 0),
        (0.9, Stability.LOW, 0.75),
        (0.333, Stability.STABLE, 0.28),
    ],
)
def test_governed_row_78_what_is_overdue_decays(confidence, stability, left):
    memory = replace(OVERDUE, confidence=confidence, stability=stability)
    decay = proposed(memory)[Op.DECAY]
    assert decay.changes == {"confidence": left, "review": TODAY + timedelta(days=30)}
    assert (decay.risk, decay.selected) == (Risk.LOW, True)
    assert "2026-11-28" in decay.reason


@pytest.mark.parametrize("review", [TODAY, TODAY + timedelta(days=1), None])
def test_governed_row_79_what_is_due_today_is_not_overdue(review):
    assert proposed(replace(USUAL, review=review)) == {}


def test_governed_row_80_maintenance_twice_decays_once():
    decay = proposed(OVERDUE)[Op.DECAY]
    after = apply(decay, OVERDUE, now=NOON, link=str).target
    assert after is not None
    assert after.confidence == 0.75
    for days in range(31):  # on the same day, and on every day of the same period
        assert proposed(after, now=NOW + days * DAY) == {}, days
    assert proposed(after, now=NOW + 31 * DAY)[Op.DECAY].changes["confidence"] == 0.6


def test_governed_row_80_a_decay_that_was_not_wanted_is_not_proposed_again_in_its_period():
    before = told(Op.DECAY, days_ago=1)
    assert proposed(OVERDUE, told=before) == {}
    assert Op.DECAY in proposed(OVERDUE, told=told(Op.DECAY, days_ago=30))


def test_governed_row_81_identity_decays_only_by_a_person():
    decay = proposed(replace(OVERDUE, layer=Layer.IDENTITY))[Op.DECAY]
    assert decay.risk.rank >= Risk.MEDIUM.rank
    assert not decay.selected


@pytest.mark.parametrize(
    "force", [{"pinned": True}, {"trigger": "bash_contains x", "action": "warn"}]
)
def test_what_acts_is_never_ticked_by_itself(force):
    memory = replace(OVERDUE, **force)
    assert not proposed(memory)[Op.DECAY].selected
    raised = proposed(replace(memory, review=None), happened=happened(*[Outcome.REINFORCED] * 2))
    assert not raised[Op.UPDATE_STABILITY].selected


def test_what_has_no_confidence_left_decays_no_more():
    assert proposed(replace(OVERDUE, confidence=0)) == {}
    nothing = operations(subject(OVERDUE), NOW, Rates(0, 0))
    assert nothing == ()


def test_the_rates_are_the_settings():
    (decay,) = operations(subject(OVERDUE), NOW, Rates(semi_stable=0.3, stable=0.01))
    assert decay.changes["confidence"] == 0.6
    stable = subject(replace(OVERDUE, stability=Stability.STABLE))
    (decay,) = operations(stable, NOW, Rates(semi_stable=0.3, stable=0.01))
    assert decay.changes["confidence"] == 0.89


def test_a_doubted_memory_is_not_decayed_besides():
    assert proposed(replace(OVERDUE, status=Status.CONTESTED)) == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Stability.STABLE, Stability.SEMI_STABLE),
        (Stability.SEMI_STABLE, Stability.LOW),
        (Stability.LOW, None),
    ],
)
def test_governed_row_75_a_correction_lowers_stability_and_asks_for_review(before, after):
    memory = replace(USUAL, stability=before)
    found = proposed(memory, happened=happened(Outcome.CORRECTED))
    assert found[Op.FLAG_FOR_REVIEW].changes == {"review": TODAY + REVIEW_WITHIN}
    assert Op.CONTEST not in found
    if after is None:
        assert Op.UPDATE_STABILITY not in found
        return
    lower = found[Op.UPDATE_STABILITY]
    assert lower.changes == {"stability": after}
    assert (lower.risk, lower.selected) == (Risk.MEDIUM, False)


def test_governed_row_76_two_corrections_suggest_a_contest():
    found = proposed(happened=happened(*[Outcome.CORRECTED] * 2))
    assert set(found) == {Op.CONTEST, Op.FLAG_FOR_REVIEW, Op.UPDATE_STABILITY}
    assert not found[Op.CONTEST].selected
    assert "2 times" in found[Op.CONTEST].reason
    doubted = replace(USUAL, status=Status.CONTESTED)
    assert Op.CONTEST not in proposed(doubted, happened=happened(*[Outcome.CORRECTED] * 2))


def test_two_corrections_on_different_days_add_up_to_a_contest():
    both = (*happened(Outcome.CORRECTED, days_ago=5), *happened(Outcome.CORRECTED))
    before = told(Op.FLAG_FOR_REVIEW, days_ago=4) | told(Op.UPDATE_STABILITY, days_ago=4)
    assert set(proposed(happened=both, told=before)) == {Op.CONTEST}


def test_governed_row_77_two_reinforcements_make_stable():
    found = proposed(happened=happened(*[Outcome.REINFORCED] * 2))
    assert set(found) == {Op.UPDATE_STABILITY}
    raised = found[Op.UPDATE_STABILITY]
    assert raised.changes == {"stability": Stability.STABLE}
    assert (raised.risk, raised.selected) == (Risk.LOW, True)
    assert proposed(happened=happened(Outcome.REINFORCED)) == {}
    stable = replace(USUAL, stability=Stability.STABLE)
    assert proposed(stable, happened=happened(*[Outcome.REINFORCED] * 2)) == {}


def test_silent_success_proposes_nothing():
    assert proposed(happened=happened(*[Outcome.SUCCESS] * 9)) == {}
    assert not is_concerned(subject().row, NOW, happened(*[Outcome.SUCCESS] * 9))


def test_outcomes_are_acted_on_once():
    twice = happened(*[Outcome.REINFORCED] * 2, days_ago=40)
    before = told(Op.UPDATE_STABILITY, days_ago=35)
    assert proposed(happened=twice, told=before) == {}
    more = (*twice, *happened(*[Outcome.REINFORCED] * 2))
    assert set(proposed(happened=more, told=before)) == {Op.UPDATE_STABILITY}


def test_what_was_corrected_is_looked_at_before_it_decays():
    found = proposed(OVERDUE, happened=happened(Outcome.CORRECTED))
    assert Op.DECAY not in found
    assert found[Op.FLAG_FOR_REVIEW].changes == {"review": TODAY + REVIEW_WITHIN}
    asked = told(Op.FLAG_FOR_REVIEW) | told(Op.UPDATE_STABILITY)
    assert proposed(OVERDUE, happened=happened(Outcome.CORRECTED, days_ago=2), told=asked) == {}
    soon = replace(USUAL, review=TODAY + timedelta(days=3))
    assert Op.FLAG_FOR_REVIEW not in proposed(soon, happened=happened(Outcome.CORRECTED))


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"expires": NOON - timedelta(days=2)}, "until 2026-11-27"),
        ({"valid_to": datetime(2026, 11, 28)}, "until 2026-11-28"),
        ({"valid_to": NOON - timedelta(days=2), "expires": NOON - timedelta(1)}, "2026-11-27"),
        ({"scope": Scope.TASK}, "one task"),
        ({"scope": Scope.SESSION, "created": NOON - timedelta(days=1)}, "one session"),
        ({"scope": Scope.SESSION, "created": None, "reinforced": None}, "one session"),
    ],
)
def test_what_is_over_goes_out_of_use_and_into_the_archive(parts, says):
    memory = replace(USUAL, review=YESTERDAY, **parts)
    found = proposed(memory, happened=happened(*[Outcome.CORRECTED] * 2))
    assert set(found) == {Op.DEPRECATE}, "and nothing else matters any more"
    over = found[Op.DEPRECATE]
    assert over.archive
    assert says in over.reason
    assert (over.risk, over.selected) == (Risk.MEDIUM, False)


@pytest.mark.parametrize(
    "parts",
    [
        {"expires": NOON + timedelta(seconds=1)},
        {"valid_to": datetime(2026, 11, 29)},  # a bare date includes its day
        {"valid_from": NOON + timedelta(days=9)},
        {"scope": Scope.TASK, "created": NOON - timedelta(days=13)},
        {"scope": Scope.SESSION, "created": NOON - timedelta(hours=23), "source_session": "s1"},
    ],
)
def test_what_still_holds_stays(parts):
    assert proposed(replace(USUAL, **parts)) == {}


def test_what_acts_and_is_over_keeps_its_place():
    over = replace(USUAL, expires=NOON - timedelta(days=2), pinned=True)
    found = proposed(over)[Op.DEPRECATE]
    assert not found.archive
    assert found.risk is Risk.HIGH


def _cold_day(memory: Memory) -> float:
    """The first noon at which the memory has been dropped for two half-lives."""
    row = standing_of(memory, path=PATH, force=False)
    days = next(days for days in range(5_000) if is_cold(row, NOW + days * DAY))
    return NOW + days * DAY


def test_what_was_dropped_for_two_half_lives_goes_to_the_archive():
    day = _cold_day(USUAL)
    assert proposed(now=day - DAY) == {}
    found = proposed(now=day)
    assert set(found) == {Op.DEPRECATE}
    assert found[Op.DEPRECATE].archive
    assert not found[Op.DEPRECATE].selected
    assert "2026-10-20" in found[Op.DEPRECATE].reason


@example(Category.LESSON, Cue.EXPLICIT, 0, 120)  # the very day, begun before the hour of its making
@given(
    st.sampled_from(Category),
    st.sampled_from(Cue),
    st.integers(0, 50),
    st.integers(1, 2_000),
)
def test_cold_is_dropped_two_half_lives_ago(category, cue, evidence, days):
    memory = replace(
        USUAL,
        category=category,
        cue=cue,
        evidence_count=evidence,
        created=NOON - timedelta(days=days),
        reinforced=None,
    )
    row = standing_of(memory, path=PATH, force=False)
    half_life = {"preference": 90, "lesson": 60, "pattern": 30, "decision": 30}.get(category, 14)
    was = (days - 2 * half_life) * DAY
    expected = was >= 0 and score(cue.value, category.value, evidence, was) < FAINT
    assert is_cold(row, NOW) is expected


@pytest.mark.parametrize(
    "kept",
    [
        {"pinned": True},
        {"trigger": "bash_contains x", "action": "warn"},
        {"verifier": "tool_called a before b"},
        {"layer": Layer.IDENTITY},
        {"created": None, "reinforced": None},
    ],
)
def test_what_acts_or_has_no_date_never_grows_cold(kept):
    assert proposed(replace(USUAL, **kept), now=NOW + 5_000 * DAY) == {}


def test_what_lies_in_the_archive_already_is_left_there():
    assert proposed(now=NOW + 5_000 * DAY, archived=True) == {}
    over = replace(USUAL, expires=NOON - timedelta(days=2))
    found = proposed(over, archived=True)[Op.DEPRECATE]
    assert not found.archive


@pytest.mark.parametrize("status", sorted(set(Status) - {Status.ACTIVE, Status.CONTESTED}))
def test_what_is_out_of_force_is_left_alone(status):
    memory = replace(OVERDUE, status=status, expires=NOON - timedelta(days=2))
    assert proposed(memory, happened=happened(*[Outcome.CORRECTED] * 2)) == {}


def test_a_period_is_the_memorys_own():
    assert next_time(replace(USUAL, review_days=7), NOW) == NOW + 7 * DAY
    assert next_time(USUAL, NOW) == NOW + 30 * DAY


def test_the_most_pressing_comes_first_and_the_order_is_of_the_memories():
    kinds = [Op.DECAY, Op.CONTEST, Op.DEPRECATE, Op.UPDATE_STABILITY, Op.FLAG_FOR_REVIEW]
    found = [Operation(op=op, target=USUAL.id) for op in kinds]
    assert [one.op for one in sorted(found, key=urgency)] == [
        Op.CONTEST,
        Op.FLAG_FOR_REVIEW,
        Op.UPDATE_STABILITY,
        Op.DEPRECATE,
        Op.DECAY,
    ]
    other = Operation(op=Op.DECAY, target=MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W1"))
    assert sorted([found[0], other], key=urgency) == [other, found[0]]
    assert urgency(Operation(op=Op.DECAY)) == (4, "")


moments = st.none() | st.integers(-400, 400).map(lambda days: NOON + timedelta(days=days))
memories = st.builds(
    Memory,
    id=st.just(USUAL.id),
    statement=st.just(USUAL.statement),
    layer=st.sampled_from([Layer.IDENTITY, Layer.PLAYBOOK]),
    category=st.sampled_from(Category),
    status=st.sampled_from(Status),
    scope=st.sampled_from(Scope),
    stability=st.sampled_from(Stability),
    confidence=st.integers(0, 100).map(lambda number: number / 100),
    evidence_count=st.integers(0, 9),
    pinned=st.booleans(),
    created=moments,
    reinforced=moments,
    review=st.none() | st.integers(-60, 60).map(lambda days: TODAY + timedelta(days=days)),
    review_days=st.integers(1, 90),
    valid_from=moments,
    valid_to=moments,
    expires=moments,
)


@given(
    memories,
    st.lists(
        st.tuples(st.integers(0, 90), st.sampled_from(Outcome)).map(
            lambda pair: Happened(NOW - pair[0] * DAY, pair[1])
        ),
        max_size=5,
    ).map(tuple),
)
def test_whatever_a_memory_is_a_second_run_on_the_same_day_proposes_nothing(memory, outcomes):
    found = proposed(memory, happened=outcomes)
    until = next_time(memory, NOW)
    known = {op: Told(NOW, until) for op in found}
    left = proposed(memory, happened=outcomes, told=known)
    assert not left, "not even where all of it was rejected"
    for op in found.values():
        assert not op.selected or op.risk is Risk.LOW
        if op.op is Op.DECAY:
            assert op.changes["confidence"] < memory.confidence
            assert isinstance(op.changes["review"], date)
            assert op.changes["review"] > TODAY
