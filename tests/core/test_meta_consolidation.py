"""Identity candidates: stable members only, of one project, with what speaks against them."""

from __future__ import annotations

import pytest

from tests.core.holding import asked, ev, gone, held, mem, piece
from vaultmem.core.evidence import Redaction
from vaultmem.core.holdings import Holdings
from vaultmem.core.meta_consolidation import Left, Limits, draw
from vaultmem.core.model import Layer, Scope, Stability, Status

GIT = {"tags": ("memory/git",), "stability": Stability.STABLE}
A, B = {"project": "host/a", "scope": Scope.PROJECT}, {"project": "host/b", "scope": Scope.PROJECT}


def run(*memories, limits=None, share=lambda _: 1.0, is_known=lambda _: False, **more):
    held_all = Holdings(memories=memories, **more)
    return draw(held_all, limits or Limits(), share=share, is_known=is_known)


def reasons(drawn) -> dict[str, str]:
    return {one.id: one.reason for one in drawn.left}


def test_governed_row_115_a_cluster_stays_within_its_project():
    drawn = run(held(1, **GIT, **A), held(2, **GIT, **A), held(3, **GIT, **B))
    (found,) = drawn.candidates
    assert found.sources == (mem(1), mem(2))
    assert drawn.left == (Left(mem(3), "alone"),)


def test_two_projects_whose_names_read_alike_stay_apart():
    first = {"project": "host/a-b", "scope": Scope.PROJECT}
    second = {"project": "host/a/b", "scope": Scope.PROJECT}
    drawn = run(held(1, **GIT, **first), held(2, **GIT, **second))
    assert drawn.candidates == ()


def test_the_statement_is_that_of_the_longest_member_and_the_evidence_of_all():
    drawn = run(
        held(1, "Short.", **GIT, cites=(1, 2)), held(2, "A longer one.", **GIT, cites=(2, 3))
    )
    (found,) = drawn.candidates
    assert found.statement == "A longer one."
    assert found.evidence == (ev(1), ev(2), ev(3))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"stability": Stability.SEMI_STABLE}, "stability:semi-stable"),
        ({"stability": Stability.LOW}, "stability:low"),
        ({"status": Status.CONTESTED}, "status:contested"),
        ({"scope": Scope.TASK}, "scope:task"),
        ({"scope": Scope.SESSION}, "scope:session"),
    ],
)
def test_only_stable_active_memories_that_last_are_members(values, reason):
    drawn = run(held(1, **GIT), held(2, **{**GIT, **values}))
    assert drawn.candidates == ()
    assert reasons(drawn) == {mem(1): "alone", mem(2): reason}


def test_a_memory_with_a_tombstone_is_no_member():
    drawn = run(held(1, **GIT), held(2, **GIT), deleted=(gone(9, 2),))
    assert reasons(drawn)[mem(2)] == "tombstoned"


def test_identity_memories_are_neither_members_nor_left():
    drawn = run(held(1, **GIT, layer=Layer.IDENTITY), held(2, **GIT))
    assert reasons(drawn) == {mem(2): "alone"}


# ---- the settings, each of which changes what is drawn


def test_min_records_says_how_many_a_candidate_needs():
    three = [held(one, **GIT) for one in (1, 2, 3)]
    assert len(run(*three, limits=Limits(min_records=3)).candidates) == 1
    assert run(*three, limits=Limits(min_records=4)).candidates == ()


def test_min_score_says_how_much_each_member_was_reinforced():
    both = held(1, **GIT), held(2, **GIT)
    share = {mem(1): 1.0, mem(2): 0.4}.__getitem__
    assert len(run(*both, share=share, limits=Limits(min_score=0.4)).candidates) == 1
    drawn = run(*both, share=share, limits=Limits(min_score=0.5))
    assert reasons(drawn) == {mem(1): "alone", mem(2): "too_little_reinforced"}


def test_max_input_reads_the_best_supported_first():
    memories = [held(one, **GIT, evidence_count=one) for one in (1, 2, 3, 4)]
    drawn = run(*memories, limits=Limits(max_input=2))
    assert drawn.candidates[0].sources == (mem(3), mem(4))
    assert reasons(drawn) == {mem(1): "beyond_the_input", mem(2): "beyond_the_input"}


def test_max_candidates_ends_a_run():
    memories = [
        held(one, tags=(f"memory/t{one % 2}",), stability=Stability.STABLE) for one in (1, 2, 3, 4)
    ]
    assert len(run(*memories).candidates) == 2
    drawn = run(*memories, limits=Limits(max_candidates=1))
    assert len(drawn.candidates) == 1
    assert set(reasons(drawn).values()) == {"beyond_the_candidates"}


AGAINST = {
    "memories": (
        held(1, **GIT, **A, cites=(1,)),
        held(2, **GIT, **A),
        held(3, "Contested one.", **{**GIT, **A, "status": Status.CONTESTED}),
        held(4, "Elsewhere.", **GIT, **B),
        held(5, "Gone.", **{**GIT, **A, "status": Status.DELETED}),
        held(6, "About something else.", tags=("memory/css",), stability=Stability.STABLE),
        held(7, "Weaker, but here.", **{**GIT, **A, "stability": Stability.LOW}),
    ),
    "deleted": (gone(9, 5),),
    "evidence": (piece(1, redaction=Redaction.DELETED), piece(2)),
    "inquiries": (
        asked(1, "Is git needed?"),
        asked(2, "Linked?", memories=(1,)),
        asked(3, "Tagged?", tags=("memory/git",)),
        asked(4, "Something digital?"),
        asked(5, "Answered about git?", answer=1),
    ),
}


def test_what_speaks_against_a_candidate_is_looked_for():
    (found,) = run(
        *AGAINST["memories"], **{k: v for k, v in AGAINST.items() if k != "memories"}
    ).candidates
    assert found.searched
    assert {one.id for one in found.counterexamples} == {mem(3), mem(4), mem(5)}
    said = {one.id: one.reason for one in found.counterexamples}
    assert "contested" in said[mem(3)]
    assert "another project" in said[mem(4)]
    assert "Gone" not in said[mem(5)]
    assert [text.partition(": ")[2] for text in found.questions] == [
        "",
        "Is git needed?",
        "Linked?",
        "Tagged?",
    ]
    assert "taken out" in found.questions[0]


def test_nothing_is_looked_for_where_the_setting_says_so():
    others = {key: value for key, value in AGAINST.items() if key != "memories"}
    limits = Limits(counterexamples=False)
    (found,) = run(*AGAINST["memories"], limits=limits, **others).candidates
    assert not found.searched
    assert (found.counterexamples, found.questions) == ((), ())


def test_what_was_drawn_before_is_not_drawn_again():
    seen = []

    def is_known(sources):
        seen.append(sources)
        return True

    drawn = run(held(2, **GIT), held(1, **GIT), is_known=is_known)
    assert drawn.candidates == ()
    assert seen == [(mem(1), mem(2))]
    assert reasons(drawn) == {mem(1): "drawn_before", mem(2): "drawn_before"}
