"""Captured text is inert in every export, and in every note that an export becomes."""

from __future__ import annotations

import json
import re

import pytest

from tests.acceptance.inertness import acting, invisible
from tests.acceptance.payloads import PAYLOADS
from vaultmem.core.handoff import Goal
from vaultmem.core.ids import short_id
from vaultmem.services.exporting.canvas import export_canvas
from vaultmem.services.exporting.gather import gather
from vaultmem.services.exporting.graph import export_graph, graph_lines
from vaultmem.services.exporting.handoff import export_handoff, handoff_lines
from vaultmem.services.exporting.procedures import export_procedures, procedures_lines
from vaultmem.services.exporting.timeline import export_timeline, timeline_lines
from vaultmem.services.render import render

GOAL = Goal(text="Ship.", constraints=tuple(one.text for one in PAYLOADS))
KINDS = {
    "handoff": lambda call, note: handoff_lines(export_handoff(call, goal=GOAL), in_note=note),
    "timeline": lambda call, note: timeline_lines(export_timeline(call), in_note=note),
    "procedures": lambda call, note: procedures_lines(export_procedures(call), in_note=note),
    "graph": lambda call, _: graph_lines(export_graph(call)),
}


@pytest.fixture(scope="module")
def call(memories):
    """The circumstances of a person in a vault where all of it is remembered."""
    app = next(iter(memories.values())).terminal.app()
    yield app.call()
    app.__exit__(None, None, None)


@pytest.fixture(scope="module")
def held(call):
    return gather(call)


@pytest.mark.parametrize("kind", KINDS)
def test_in_a_note_each_text_stands_as_words(call, held, kind):
    body = "\n".join(KINDS[kind](call, True)) + "\n"
    links = [one.link for one in held.memories]
    assert len(links) >= len(PAYLOADS)
    for one in PAYLOADS:
        found = acting(body, one.sign, links=links, where=["list_item"])
        assert found == [], one.name


@pytest.mark.parametrize("kind", [one for one in KINDS if one != "graph"])
def test_each_memory_has_one_line(call, held, kind):
    lines = list(KINDS[kind](call, True))
    assert all("\n" not in line and "\r" not in line for line in lines)
    if kind != "procedures":
        assert all(any(one.link in line for line in lines) for one in held.memories)


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_terminal_nothing_is_hidden_and_no_host_is_driven(call, held, kind):
    body = "\n".join(KINDS[kind](call, False))
    assert invisible(body) == []
    assert re.search("(?i)</?(?:project_memory|system)", body) is None
    if kind in ("handoff", "timeline"):
        assert all(short_id(one.memory.id) in body for one in held.memories)


def test_the_values_of_a_graph_are_one_visible_line_each(call):
    for node in export_graph(call).graph.nodes:
        for _, value in node.payload:
            if isinstance(value, str):
                assert "\n" not in value
                assert invisible(value) == []


def test_a_canvas_names_notes_and_no_words(call, memories):
    data = export_canvas(call).data.decode()
    assert invisible(data.replace("\t", "")) == []
    cards = [one for one in json.loads(data)["nodes"] if one["type"] != "group"]
    assert {tuple(one) for one in cards} == {("id", "type", "file", "x", "y", "width", "height")}
    # other tests say more in this vault
    assert {one["file"] for one in cards} >= {kept.path for kept in memories.values()}


def test_in_an_overview_each_memory_is_a_link(call, held):
    made = render(call)
    body = (call.vault.path / made[0].path).read_text().split("---\n", 2)[2]
    body = re.sub(r"```mermaid\n.*?\n```\n", "", body, flags=re.DOTALL)  # numbers of ours
    links = [one.link for one in held.memories]
    for one in PAYLOADS:
        assert acting(body, one.sign, links=links, where=["list_item"]) == [], one.name
