"""How memories, evidence, candidates, questions and outcomes hang together: nodes and edges.

Types and ids are those of the governed memory: `memory_record:mem_…`, `supported_by:a->b`. Unlike
there, no edge leads to a node that is not in the graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.evidence import Polarity
from vaultmem.core.mermaid import Arrow, flowchart
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.wording import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date, datetime

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.holdings import Asked, Deleted, Happened, Held, Holdings, Waits

MEMORY, EVIDENCE, CANDIDATE = "memory_record", "evidence_record", "candidate"
INQUIRY, OUTCOME, TOMBSTONE = "inquiry", "reinforcement_event", "tombstone"

DRAWN = 60
"""Nodes of a drawn graph; more cannot be read."""
RELATED = 12
"""Related memories of one memory; a public companion had 83,586 lines among 1,254 cards before it
ranked and capped them (facts on vault companions, section 8)."""
_TELLING_TAG = 25
"""A tag that more memories have relates none of them."""

Value: TypeAlias = "str | float | bool | tuple[str, ...] | None"
Payload: TypeAlias = tuple[tuple[str, Value], ...]


class Node(NamedTuple):
    """One thing; `label` is its first words, `payload` what is known of it."""

    id: str
    type: str
    label: str
    payload: Payload


class Edge(NamedTuple):
    """What one node is to another; the id says it all."""

    type: str
    start: str
    end: str

    @property
    def id(self) -> str:
        """`type:from->to`."""
        return f"{self.type}:{self.start}->{self.end}"


class Graph(NamedTuple):
    """Both by id."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def build_graph(held: Holdings) -> Graph:
    """Everything and how it hangs together."""
    nodes = {one.id: one for one in _nodes(held)}
    edges = {one.id: one for one in _edges(held) if one.start in nodes and one.end in nodes}
    return Graph(
        tuple(nodes[one] for one in sorted(nodes)), tuple(edges[one] for one in sorted(edges))
    )


def node_id(kind: str, identifier: str) -> str:
    """`type:id`."""
    return f"{kind}:{identifier}"


def counts(graph: Graph) -> tuple[tuple[str, int], ...]:
    """How many nodes and edges of each type there are, by type, the nodes first."""
    nodes = Counter(one.type for one in graph.nodes)
    edges = Counter(one.type for one in graph.edges)
    return (*sorted(nodes.items()), *sorted(edges.items()))


def related(held: Iterable[Held]) -> list[Edge]:
    """The memories that share tags which few have, each with the `RELATED` nearest of them.

    Only active memories of one project, or of none, are related. A pair is told once, from the
    lower id.
    """
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in held:
        if one.memory.status == "active":
            for tag in {tag.casefold() for tag in one.memory.tags}:
                groups[one.memory.project or "", tag].append(one.memory.id)
    shared: Counter[tuple[str, str]] = Counter()
    for members in groups.values():
        if 2 <= len(members) <= _TELLING_TAG:
            for pair in combinations(sorted(members), 2):
                shared[pair] += 60 // len(members)  # the rarer the tag, the more it says
    taken: Counter[str] = Counter()
    kept: list[Edge] = []
    for (first, second), _ in sorted(shared.items(), key=lambda pair: (-pair[1], pair[0])):
        if max(taken[first], taken[second]) < RELATED:
            taken.update((first, second))
            kept.append(Edge("related_to", node_id(MEMORY, first), node_id(MEMORY, second)))
    return sorted(kept)


def drawn(graph: Graph, *, at_most: int = DRAWN) -> tuple[str, int]:
    """The memories, candidates and questions that hang together as Mermaid, and how many are left.

    Those with the most edges are drawn; evidence and outcomes would hide them. "" where no two of
    them hang together. What says the same in the other direction is drawn once.
    """
    ours = {one.id: one for one in graph.nodes if one.type in (MEMORY, CANDIDATE, INQUIRY)}
    inner = [one for one in graph.edges if one.start in ours and one.end in ours]
    told = {(one.end, one.start) for one in inner if one.type == "supersedes"}
    inner = [
        one for one in inner if one.type != "superseded_by" or (one.start, one.end) not in told
    ]
    degree = Counter(chain.from_iterable((one.start, one.end) for one in inner))
    chosen = sorted(degree, key=lambda one: (-degree[one], one))[:at_most]
    if not chosen:
        return "", 0
    boxes = [(_box(one), ours[one].label) for one in sorted(chosen)]
    arrows = [
        Arrow(_box(one.start), _box(one.end), one.type.replace("_", " "))
        for one in inner
        if {one.start, one.end} <= {*chosen}
    ]
    return flowchart(boxes, arrows), len(degree) - len(chosen)


def _box(identifier: str) -> str:
    """A node's own id, which a purge finds as it finds it anywhere."""
    return identifier.partition(":")[2]


# nodes


def _nodes(held: Holdings) -> Iterator[Node]:
    yield from (_memory_node(MEMORY, one) for one in held.memories)
    yield from (_memory_node(CANDIDATE, one) for one in held.candidates)
    yield from map(_evidence_node, held.evidence)
    yield from map(_outcome_node, held.outcomes)
    yield from map(_tombstone_node, held.deleted)
    yield from map(_inquiry_node, held.inquiries)


def _memory_node(kind: str, one: Held | Waits) -> Node:
    memory = one.memory
    payload: Payload = (
        ("statement", memory.statement),
        ("layer", memory.layer.value),
        ("category", memory.category.value),
        ("rule", memory.rule.value if memory.rule else None),
        ("status", memory.status.value),
        ("scope", memory.scope.value),
        ("project", memory.project),
        ("confidence", memory.confidence),
        ("stability", memory.stability.value),
        ("evidence_count", memory.evidence_count),
        ("pinned", memory.pinned),
        ("tags", memory.tags),
        ("created", _spelled(memory.created)),
        ("updated", _spelled(memory.updated)),
        ("path", one.path),
    )
    return Node(node_id(kind, memory.id), kind, short(memory.statement), payload)


def _evidence_node(one: Evidence) -> Node:
    payload: Payload = (
        ("text", one.text),
        ("source_kind", one.source_kind.value),
        ("trust", one.trust.value),
        ("polarity", one.polarity.value),
        ("project", one.project),
        ("session", one.session),
        ("created", _spelled(one.created)),
    )
    return Node(node_id(EVIDENCE, one.id), EVIDENCE, short(one.text), payload)


def _outcome_node(one: Happened) -> Node:
    payload: Payload = (("outcome", one.outcome.value), ("at", _spelled(one.at)))
    return Node(node_id(OUTCOME, one.id), OUTCOME, one.outcome.value, payload)


def _tombstone_node(one: Deleted) -> Node:
    payload: Payload = (("mode", one.mode), ("at", _spelled(one.at)))
    return Node(node_id(TOMBSTONE, one.id), TOMBSTONE, f"deleted ({one.mode})", payload)


def _inquiry_node(one: Asked) -> Node:
    payload: Payload = (
        ("question", one.question),
        ("open", one.is_open),
        ("tags", one.tags),
        ("first_seen", _spelled(one.first_seen)),
        ("last_seen", _spelled(one.last_seen)),
    )
    return Node(node_id(INQUIRY, one.id), INQUIRY, short(one.question), payload)


def _spelled(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat()


# edges

_POLARITY = {
    Polarity.SUPPORTS: "supported_by",
    Polarity.CONTRADICTS: "contradicted_by",
    Polarity.QUALIFIES: "qualifies",
}


def _edges(held: Holdings) -> Iterator[Edge]:
    pieces = {one.id: one for one in held.evidence}
    for one in held.memories:
        start = node_id(MEMORY, one.memory.id)
        yield from _cited(start, one.cites, pieces)
        for kind in ("supersedes", "superseded_by", "derived_from", "informs"):
            others: tuple[str, ...] = getattr(one, kind)
            yield from (Edge(kind, start, node_id(MEMORY, other)) for other in others)
    for waits in held.candidates:
        start = node_id(CANDIDATE, waits.memory.id)
        yield from _cited(start, waits.cites, pieces)
        yield from (Edge("matched_to", start, node_id(MEMORY, one)) for one in waits.matched)
    for happened in held.outcomes:
        corrected = happened.outcome is Outcome.CORRECTED
        kind = "corrected_by" if corrected else "reinforced_by"
        yield Edge(kind, node_id(MEMORY, happened.memory), node_id(OUTCOME, happened.id))
    for gone in held.deleted:
        yield Edge("tombstoned_by", node_id(MEMORY, gone.memory), node_id(TOMBSTONE, gone.id))
    for asked in held.inquiries:
        start = node_id(INQUIRY, asked.id)
        yield from (Edge("related_to", start, node_id(MEMORY, one)) for one in asked.memories)
        if asked.answer is not None:
            yield Edge("answered_by", start, node_id(MEMORY, asked.answer))


def _cited(
    start: str, cites: Sequence[EvidenceId], pieces: Mapping[EvidenceId, Evidence]
) -> Iterator[Edge]:
    for one in cites:
        if one in pieces:
            yield Edge(_POLARITY[pieces[one].polarity], start, node_id(EVIDENCE, one))
