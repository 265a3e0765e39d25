"""The canvas of the memories is one by JSON Canvas 1.0, and holds the lines between memories."""

from __future__ import annotations

import json

import pytest

from tests.json_canvas import check_canvas
from vaultmem.services.exporting.canvas import export_canvas

CARD = {"id": "a", "type": "text", "text": "x", "x": 1, "y": 2, "width": 3, "height": 4}
LINE = {"id": "e", "fromNode": "a", "toNode": "a"}


@pytest.fixture
def graph(world):
    """Memories that are joined in each of the ways there are."""
    world.memory("Memory/Lessons/Tabs.md", "Use tabs in Go.", tags="memory/go")
    world.memory("Memory/Lessons/Spaces.md", "Use spaces in Go.", supersedes='"[[Tabs]]"')
    world.memory("Memory/Patterns/Go.md", "Run gofmt.", derived_from='"[[Tabs]]"', tags="memory/go")
    world.memory('Memory/Lessons/Ünï "x" & 潮.md', "Say why.", informs='"[[Go]]"')
    world.here.sync()
    return world


def lines(canvas):
    names = {one["id"]: one.get("file") for one in canvas["nodes"]}
    return {
        (
            one["label"],
            *(names[one[end]].rpartition("/")[2][:-3] for end in ("fromNode", "toNode")),
        )
        for one in canvas["edges"]
    }


def test_the_canvas_follows_json_canvas_and_joins_memories(graph):
    found = lines(check_canvas(export_canvas(graph.here.call()).data))
    assert found >= {
        ("supersedes", "Spaces", "Tabs"),
        ("derived from", "Go", "Tabs"),
        ("informs", 'Ünï "x" & 潮', "Go"),
    }
    assert {frozenset(one[1:]) for one in found if one[0] == "related to"} == {
        frozenset(("Go", "Tabs"))
    }


def test_a_vault_without_memories_has_an_empty_canvas(world):
    check_canvas(export_canvas(world.here.call()).data)


def test_ours_stand_on_whole_pixels_beside_cards_that_do_not(graph):
    path = export_canvas(graph.here.call(), save=True).path
    drawn = json.loads(graph.read(path))
    for card in drawn["nodes"]:
        card["x"] += 0.4
        card["y"] -= 0.3
        card["height"] += 0.2
    theirs = {one["id"] for one in drawn["nodes"]}
    graph.write(path, json.dumps(drawn))
    graph.memory("Memory/Lessons/New.md", "A new one.")
    graph.memory("Memory/Decisions/Other.md", "Another new one.")
    graph.here.sync()

    made = json.loads(export_canvas(graph.here.call()).data)

    new = [one for one in made["nodes"] if one["id"] not in theirs]
    assert len(new) == 3
    check_canvas(json.dumps({"nodes": new, "edges": []}).encode())


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": [CARD | {"x": 1.5}], "edges": []},
        {"nodes": [CARD | {"type": "picture"}], "edges": []},
        {"nodes": [CARD | {"width": 0}], "edges": []},
        {"nodes": [CARD | {"color": "7"}], "edges": []},
        {"nodes": [CARD | {"etc": "x"}], "edges": []},
        {"nodes": [CARD, CARD], "edges": []},
        {"nodes": [CARD], "edges": [LINE | {"toNode": "b"}]},
        {"nodes": [CARD], "edges": [LINE | {"toEnd": "star"}]},
        {"nodes": [CARD], "edges": [LINE | {"fromSide": "middle"}]},
        {"nodes": []},
    ],
)
def test_the_schema_refuses_what_is_no_canvas(wrong):
    check_canvas(json.dumps({"nodes": [CARD], "edges": [LINE]}).encode())
    with pytest.raises((AssertionError, KeyError)):
        check_canvas(json.dumps(wrong).encode())
