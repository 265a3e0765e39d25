"""The graph: nodes and edges of the governed memory, none of which leads nowhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.core.holding import asked, day, ev, gone, happened, held, mem, piece, waits
from vaultmem.core.evidence import Polarity
from vaultmem.core.graph import RELATED, build_graph, counts, drawn, node_id, related
from vaultmem.core.holdings import Holdings
from vaultmem.core.model import RuleType, Status
from vaultmem.core.reinforcement import Outcome

FULL = Holdings(
    memories=(
        held(1, "Use tabs.", cites=(1, 2, 3, 8), superseded_by=(2,), created=day(1)),
        held(2, "Use spaces.", supersedes=(1,), derived_from=(1,), informs=(3, 99)),
        held(3, "Use ruff.", rule=RuleType.TOOL, tags=("memory/python",)),
    ),
    candidates=(waits(4, matched=(1, 77), cites=(1,)),),
    evidence=(
        piece(1),
        piece(2, polarity=Polarity.CONTRADICTS),
        piece(3, polarity=Polarity.QUALIFIES, created=day(2)),
    ),
    outcomes=(happened(5, 1), happened(6, 2, Outcome.CORRECTED), happened(7, 88)),
    deleted=(gone(8, 3), gone(9, 66)),
    inquiries=(asked(1, memories=(1,)), asked(2, memories=(2,), answer=3)),
)


def edges(graph) -> set[str]:
    return {one.id for one in graph.edges}


def test_governed_row_114_a_memory_its_evidence_and_a_question_hang_together():
    graph = build_graph(
        Holdings(
            memories=(held(1, cites=(1,)),),
            evidence=(piece(1),),
            inquiries=(asked(1, memories=(1,)),),
        )
    )
    assert [one.type for one in graph.nodes] == ["evidence_record", "inquiry", "memory_record"]
    inquiry = asked(1).id
    assert edges(graph) == {
        f"supported_by:memory_record:{mem(1)}->evidence_record:{ev(1)}",
        f"related_to:inquiry:{inquiry}->memory_record:{mem(1)}",
    }


def test_every_kind_of_edge_is_told_and_none_leads_nowhere():
    graph = build_graph(FULL)
    names = {one.id for one in graph.nodes}
    assert {one.start for one in graph.edges} | {one.end for one in graph.edges} <= names
    assert {one.type for one in graph.edges} == {
        *("supported_by", "contradicted_by", "qualifies"),
        *("supersedes", "superseded_by", "derived_from", "informs", "matched_to"),
        *("reinforced_by", "corrected_by", "tombstoned_by", "related_to", "answered_by"),
    }


def test_nodes_and_edges_are_sorted_and_counted():
    graph = build_graph(FULL)
    assert [one.id for one in graph.nodes] == sorted(one.id for one in graph.nodes)
    assert [one.id for one in graph.edges] == sorted(one.id for one in graph.edges)
    numbers = dict(counts(graph))
    assert numbers["memory_record"] == numbers["evidence_record"] == 3
    assert numbers["tombstone"] == 2
    assert numbers["supersedes"] == 1


def test_a_node_tells_what_is_known_of_it():
    nodes = {one.id: one for one in build_graph(FULL).nodes}
    known = dict(nodes[node_id("memory_record", mem(3))].payload)
    assert known["statement"] == "Use ruff."
    assert known["rule"] == "tool"
    assert known["tags"] == ("memory/python",)
    assert dict(nodes[node_id("memory_record", mem(1))].payload)["created"] == "2026-11-01T12:00:00"


def test_a_drawing_shows_what_hangs_together_once():
    drawing, left = drawn(build_graph(FULL))
    assert left == 0
    assert f'{mem(2)} -->|"supersedes"| {mem(1)}' in drawing
    assert "superseded by" not in drawing
    assert "evidence" not in drawing
    assert drawing.startswith("```mermaid\nflowchart LR\n")


def test_only_one_side_that_says_so_is_drawn():
    alone = Holdings(memories=(held(1, superseded_by=(2,)), held(2)))
    assert "superseded by" in drawn(build_graph(alone))[0]


def test_a_large_graph_is_drawn_in_part_and_says_so():
    many = Holdings(memories=tuple(held(number, informs=(number + 1,)) for number in range(1, 9)))
    drawing, left = drawn(build_graph(many), at_most=3)
    assert left == 5
    assert drawing.count('["') == 3


def test_what_does_not_hang_together_is_no_drawing():
    assert drawn(build_graph(Holdings(memories=(held(1),)))) == ("", 0)


def test_memories_with_a_rare_tag_in_common_are_related():
    found = related(
        [
            held(1, tags=("memory/git",)),
            held(2, tags=("memory/Git", "memory/x")),
            held(3, tags=("memory/git",), project="host/a/one"),
            held(4, tags=("memory/git",), status=Status.DEPRECATED),
        ]
    )
    assert [(one.start, one.end) for one in found] == [
        (node_id("memory_record", mem(1)), node_id("memory_record", mem(2)))
    ]


def test_a_tag_of_nearly_everything_relates_nothing():
    assert related([held(number, tags=("memory/all",)) for number in range(1, 40)]) == []


def test_a_rare_tag_says_more_than_two_that_many_have():
    common = ("memory/a", "memory/b")
    memories = [held(1, tags=(*common, "memory/rare")), held(20, tags=("memory/rare",))]
    memories += [held(number, tags=common) for number in range(2, 16)]
    pairs = {(one.start, one.end) for one in related(memories)}
    assert (node_id("memory_record", mem(1)), node_id("memory_record", mem(20))) in pairs


def test_an_outcome_reinforces_or_corrects():
    found = {one.type: one for one in build_graph(FULL).edges}
    assert found["reinforced_by"].start == node_id("memory_record", mem(1))
    assert found["corrected_by"].start == node_id("memory_record", mem(2))


@given(st.lists(st.sets(st.sampled_from("abcdef")), max_size=40))
def test_no_memory_has_more_than_twelve_related_ones(tags):
    found = related([held(number + 1, tags=tuple(sorted(one))) for number, one in enumerate(tags)])
    ends = [end for one in found for end in (one.start, one.end)]
    assert all(ends.count(end) <= RELATED for end in ends)
