"""The graph of everything that hangs together, and as a drawing in a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import graph as core
from vaultmem.services.exporting.gather import gather, title_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.call import Call

KIND = "graph"


class GraphExport(NamedTuple):
    """The graph of a day.

    Attributes:
        day: the person's local date.
        project: of which project, "" for everything.
        graph: nodes and edges.
    """

    day: str
    project: str
    graph: core.Graph


def export_graph(call: Call, *, project: str = "") -> GraphExport:
    """The graph of one project, or of everything; nothing is written."""
    held = gather(call, project=project)
    return GraphExport(call.local.date().isoformat(), project, core.build_graph(held))


def graph_lines(made: GraphExport) -> Iterator[str]:
    """The graph for a person: how much there is, and the part that can be drawn."""
    drawing, left = core.drawn(made.graph)
    yield title_line("Graph", made.project)
    yield ""
    for kind, number in core.counts(made.graph):
        yield f"- {kind.replace('_', ' ')}: {number}"
    if not made.graph.nodes:
        yield "There is nothing yet."
        return
    if left:
        yield ""
        yield f"The {core.DRAWN} nodes with the most edges are drawn; {left} are left out."
    if drawing:
        yield ""
        yield from drawing.split("\n")
