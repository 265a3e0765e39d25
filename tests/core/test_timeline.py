"""The timeline: every kind of event in its order, and how long each memory held."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from tests.core.holding import asked, day, gone, happened, held, mem, piece, waits
from vaultmem.core.holdings import Holdings
from vaultmem.core.model import Status
from vaultmem.core.timeline import build_timeline
from vaultmem.core.validity import Validity

FULL = Holdings(
    memories=(
        held(
            1,
            "Use npm.",
            created=day(1),
            updated=day(1),
            status=Status.SUPERSEDED,
            superseded_by=(2, 9),
            cites=(1,),
        ),
        held(2, "Use pnpm.", created=day(4), updated=day(6), supersedes=(1, 9)),
        held(3, "Nobody knows when.", supersedes=(1,)),
        held(4, "Gone.", created=day(1), status=Status.DELETED),
    ),
    candidates=(
        waits(5, "Use yarn.", created=day(7), matched=(2,)),
        waits(6, "Use bun.", created=day(7), matched=(1, 2)),
        waits(7, "Undated."),
    ),
    evidence=(piece(1, "Use npm, they said.", created=day(1)), piece(2, created=day(2)), piece(3)),
    outcomes=(happened(8, 2, at=5),),
    deleted=(gone(9, 4, at=8), gone(10, 4, at=3)),
    inquiries=(
        asked(1, "Which?", memories=(2,), first_seen=day(2), last_seen=day(3), answer=2),
        asked(2, "When?", first_seen=day(2)),
        asked(3, "Undated?"),
        asked(4, "Undated answer?", answer=1),
    ),
)


def test_the_events_of_every_kind_come_in_their_order():
    events = build_timeline(FULL).events
    assert [one.at for one in events] == sorted(one.at for one in events)
    assert {one.type for one in events} == {
        *("memory_created", "memory_updated", "evidence_created", "candidate_created"),
        *("reinforcement_event", "inquiry_created", "inquiry_answered", "supersession"),
        "tombstone",
    }


def test_what_has_no_date_has_no_place():
    said = " ".join(one.summary for one in build_timeline(FULL).events)
    assert "Nobody" not in said
    assert "Undated" not in said


def test_an_update_on_the_day_of_the_making_is_none():
    updated = [one for one in build_timeline(FULL).events if one.type == "memory_updated"]
    assert [(one.memory, one.at) for one in updated] == [(mem(2), day(6))]


def test_a_replacement_is_told_of_the_memory_that_was_replaced():
    (found,) = [one for one in build_timeline(FULL).events if one.type == "supersession"]
    assert (found.id, found.memory, found.summary) == (mem(2), mem(1), "replaced: Use npm.")


def test_evidence_is_told_of_the_memory_that_cites_it():
    found = {
        one.id: one.memory for one in build_timeline(FULL).events if one.type == "evidence_created"
    }
    assert found == {piece(1).id: mem(1), piece(2).id: ""}


def test_a_candidate_is_told_of_the_one_memory_that_it_touches():
    found = {
        one.summary: one.memory
        for one in build_timeline(FULL).events
        if one.type == "candidate_created"
    }
    assert found == {"Use yarn.": mem(2), "Use bun.": ""}


def test_one_memory_is_told_with_all_that_is_about_it():
    made = build_timeline(FULL, memory=mem(1))
    assert [one.type for one in made.events] == [
        "evidence_created",
        "memory_created",
        "supersession",
    ]
    assert [name for name, _ in made.held] == [mem(1)]


def test_a_superseded_memory_held_until_its_successor_and_a_deleted_one_until_its_tombstone():
    spans = dict(build_timeline(FULL).held)
    assert spans[mem(1)] == Validity(day(1), day(4), mem(2), "superseded")
    assert spans[mem(4)] == Validity(day(1), day(3), reason="deleted")
    assert spans[mem(2)] == Validity(day(4), None)


def test_a_summary_has_eighty_characters():
    long = Holdings(memories=(held(1, "word " * 40, created=day(1)),))
    assert len(build_timeline(long).events[0].summary) == 80


@given(st.permutations(FULL.memories), st.permutations(FULL.evidence))
def test_the_order_in_which_things_are_read_does_not_count(memories, evidence):
    made = Holdings(
        memories=tuple(memories),
        evidence=tuple(evidence),
        deleted=FULL.deleted,
    )
    expected = Holdings(memories=FULL.memories, evidence=FULL.evidence, deleted=FULL.deleted)
    assert build_timeline(made).events == build_timeline(expected).events


def test_two_of_one_moment_come_by_type_then_id():
    at = datetime(2026, 11, 1)
    both = Holdings(memories=(held(2, created=at), held(1, created=at)))
    assert [one.id for one in build_timeline(both).events] == [mem(1), mem(2)]
