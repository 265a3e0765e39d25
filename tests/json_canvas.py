"""JSON Canvas 1.0 as a check (https://jsoncanvas.org/spec/1.0; facts/obsidian.md §3.2)."""

from __future__ import annotations

import json
import re

_SIDES = {"top", "right", "bottom", "left"}
_ENDS = {"none", "arrow"}
_COLOUR = re.compile(r"[1-6]|#[0-9A-Fa-f]{6}")
_WANTED = {"text": {"text"}, "file": {"file"}, "link": {"url"}, "group": set()}
_MAY = {
    "text": set(),
    "file": {"subpath"},
    "link": set(),
    "group": {"label", "background", "backgroundStyle"},
}
_NODE = {"id", "type", "x", "y", "width", "height"}
_EDGE = {"id", "fromNode", "toNode"}
_EDGE_MAY = {"fromSide", "toSide", "fromEnd", "toEnd", "color", "label"}


def check_canvas(data: bytes) -> dict:
    """The canvas, if it is one by the schema; unknown keys are not ours to write."""
    found = json.loads(data)
    assert found.keys() == {"nodes", "edges"}
    for one in found["nodes"]:
        _node(one)
    names = {one["id"] for one in found["nodes"]}
    for one in found["edges"]:
        _edge(one, names)
    every = [one["id"] for one in (*found["nodes"], *found["edges"])]
    assert len(set(every)) == len(every)
    return found


def _node(one: dict) -> None:
    kind = one["type"]
    assert one.keys() >= _NODE | _WANTED[kind]
    assert one.keys() <= _NODE | _WANTED[kind] | _MAY[kind] | {"color"}
    assert all(type(one[key]) is int for key in ("x", "y", "width", "height"))
    assert all(isinstance(one[key], str) for key in one.keys() - {"x", "y", "width", "height"})
    assert one["width"] > 0
    assert one["height"] > 0
    assert one.get("subpath", "#").startswith("#")
    assert one.get("backgroundStyle", "cover") in {"cover", "ratio", "repeat"}
    assert "color" not in one or _COLOUR.fullmatch(one["color"])


def _edge(one: dict, nodes: set[str]) -> None:
    assert one.keys() >= _EDGE
    assert one.keys() <= _EDGE | _EDGE_MAY
    assert all(isinstance(value, str) for value in one.values())
    assert {one["fromNode"], one["toNode"]} <= nodes
    assert {one.get("fromSide", "top"), one.get("toSide", "top")} <= _SIDES
    assert {one.get("fromEnd", "none"), one.get("toEnd", "arrow")} <= _ENDS
    assert "color" not in one or _COLOUR.fullmatch(one["color"])
