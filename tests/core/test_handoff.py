"""A handoff: counts, what holds, what is open; with a goal also what belongs to that."""

from __future__ import annotations

import pytest

from tests.core.holding import asked, day, ev, held, mem, piece, waits
from vaultmem.core import handoff
from vaultmem.core.budget import tokens
from vaultmem.core.handoff import LISTED, TOKENS, Brief, Counts, Goal
from vaultmem.core.holdings import Holdings, Undecided
from vaultmem.core.model import Layer, RuleType, Status

FULL = Holdings(
    memories=(
        held(1, "Answers are short.", layer=Layer.IDENTITY),
        held(2, "word " * 99),
        held(3, "In doubt.", status=Status.CONTESTED),
        held(4, "Gone.", layer=Layer.IDENTITY, status=Status.DELETED),
        held(5, "Old.", status=Status.SUPERSEDED),
    ),
    candidates=(waits(7), waits(6)),
    evidence=(*(piece(one, created=day(one)) for one in range(1, 13)), piece(20)),
    inquiries=(
        *(asked(one, f"Question {one}?", last_seen=day(one)) for one in range(1, 8)),
        asked(8, "Undated?"),
        asked(9, "Answered?", answer=1),
    ),
    patches=(Undecided("patch_1"),),
    promotions=(Undecided("prom_1"), Undecided("prom_2")),
)


def build_handoff(what: Holdings, **parts) -> handoff.Handoff:
    return handoff.build_handoff(what, now=day(20), **parts)


def test_the_counts_are_of_what_holds():
    assert build_handoff(FULL).counts == Counts(
        identity=1,
        playbook=1,
        contested=1,
        pending=2,
        patches=1,
        promotions=2,
        evidence=13,
        questions=8,
    )


def test_the_brief_is_what_holds_cut_at_a_word():
    brief = build_handoff(FULL).brief
    assert brief[0] == Brief(mem(1), "Answers are short.")
    assert [one.id for one in brief] == [mem(1), mem(2)]
    assert brief[1].text.endswith(" word…")
    assert 280 < len(brief[1].text) <= 300


@pytest.mark.parametrize(
    "values",
    [
        {"rule": RuleType.CONVENTION},
        {"layer": Layer.IDENTITY},
        {"pinned": True},
        {"trigger": "bash_contains x", "action": "block"},
    ],
)
def test_a_rule_and_what_acts_is_told_whole(values):
    rule = "word " * 99 + "end."
    (one,) = build_handoff(Holdings(memories=(held(1, rule, **values),))).brief
    assert one.text == rule


def test_where_not_all_have_room_rules_come_first_then_the_score_decides():
    many = [
        held(one, f"{one} " + "word " * 40, evidence_count=one, reinforced=day(1))
        for one in range(1, 400)
    ]
    rules = [held(one, f"Rule {one}.", rule=RuleType.CONVENTION) for one in range(500, 510)]
    made = build_handoff(Holdings(memories=(*many, *rules)))
    told = [one.id for one in made.brief]
    assert told == sorted(told)
    assert {one.memory.id for one in rules} <= set(told)
    others = len(told) - len(rules)
    assert told[:others] == [mem(one) for one in range(400 - others, 400)], "the best supported"
    assert made.left_out == 409 - len(told) > 0
    assert TOKENS * 0.9 < tokens("\n".join(one.text for one in made.brief)) <= TOKENS


def test_long_lists_of_ids_are_cut():
    doubts = tuple(held(one, status=Status.CONTESTED) for one in range(1, 30))
    waiting = tuple(waits(one) for one in range(1, 30))
    made = build_handoff(Holdings(memories=doubts, candidates=waiting), goal=Goal(text="Ship."))
    assert (len(made.contested), len(made.pending)) == (LISTED, LISTED)
    assert (made.counts.contested, made.counts.pending) == (29, 29)


def test_a_handoff_of_nothing_tells_nothing():
    assert build_handoff(FULL).tells_something
    assert not build_handoff(Holdings()).tells_something
    assert build_handoff(Holdings(), goal=Goal(text="Begin.")).tells_something


def test_contested_memories_are_really_listed():
    assert build_handoff(FULL).contested == (mem(3),)


def test_five_questions_are_told_the_newest_first():
    told = [one.text for one in build_handoff(FULL).questions]
    assert told == [f"Question {one}?" for one in (7, 6, 5, 4, 3)]


def test_an_undated_question_comes_last():
    few = Holdings(inquiries=(asked(1, "Undated?"), asked(2, "Dated?", last_seen=day(1))))
    assert [one.text for one in build_handoff(few).questions] == ["Dated?", "Undated?"]


def test_without_a_goal_nothing_of_a_goal_is_told():
    made = build_handoff(FULL, warnings=[("VM103", 1)])
    assert made.id.startswith("handoff_")
    assert (made.goal, made.pending, made.evidence, made.warnings) == (None, (), (), ())


def test_with_a_goal_pending_evidence_and_warnings_are_told():
    made = build_handoff(FULL, goal=Goal(text="Ship."), warnings=[("VM301", 2), ("VM103", 1)])
    assert made.id.startswith("intent_")
    assert made.pending == tuple(sorted(one.memory.id for one in FULL.candidates))
    assert made.evidence == tuple(ev(one) for one in range(3, 13))
    assert made.warnings == (("VM103", 1), ("VM301", 2))


def test_the_id_follows_from_what_is_said():
    assert build_handoff(FULL).id == build_handoff(FULL).id
    assert len(build_handoff(FULL).id) == len("handoff_") + 12
    others = {
        build_handoff(FULL, project="host/a").id,
        build_handoff(Holdings()).id,
        build_handoff(FULL, goal=Goal(text="Ship.")).id,
        build_handoff(FULL, goal=Goal(text="Ship.", constraints=("Today.",))).id,
    }
    assert len(others) == 4
    assert build_handoff(FULL).id not in others
