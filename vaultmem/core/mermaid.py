"""Diagrams as Mermaid text: a graph, a pie, a bar chart; every label is data.

The kinds are those that Obsidian draws by itself: `flowchart`, `pie` and `xychart-beta` (from
Mermaid 10.5; Obsidian 1.9, which the dashboards need as well, has a newer one).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.visible import visible_line
from vaultmem.core.wording import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LABEL = 60
"""Characters of a label."""

# Inside a quoted label these end it, begin an entity, a formula, a directive or Markdown. What
# stands in their place looks alike and parts words in the same places.
_HARMLESS = str.maketrans('"`<>[]{}#%&|;\\$@', "''‹›()()＃％＆¦,＼＄＠")


class Arrow(NamedTuple):
    """A line from one box to another, with what it means."""

    start: str
    end: str
    label: str


class Bar(NamedTuple):
    """A name and a number, of a pie or a chart."""

    name: str
    value: int


def label(text: str) -> str:
    """The text as a quoted label: one line that cannot end, run, link or draw anything."""
    return '"' + short(visible_line(text).translate(_HARMLESS), LABEL) + '"'


def flowchart(boxes: Iterable[tuple[str, str]], arrows: Iterable[Arrow]) -> str:
    """A graph from left to right.

    Args:
        boxes: an id of letters, digits and `_`, and a label, each.
        arrows: between these ids.
    """
    lines = [f"    {identifier}[{label(text)}]" for identifier, text in boxes]
    lines += [f"    {one.start} -->|{label(one.label)}| {one.end}" for one in arrows]
    return _block("flowchart LR", lines)


def pie(title: str, parts: Sequence[Bar]) -> str:
    """A pie; parts of 0 are left out. "" where nothing is left."""
    lines = [f"    {label(one.name)} : {one.value}" for one in parts if one.value > 0]
    return _block(f"pie showData title {label(title)[1:-1]}", lines) if lines else ""


def bars(title: str, unit: str, columns: Sequence[Bar]) -> str:
    """A bar chart, one column after the other; "" without columns."""
    if not columns:
        return ""
    top = max(1, *(one.value for one in columns))
    return _block(
        "xychart-beta",
        [
            f"    title {label(title)}",
            f"    x-axis [{', '.join(label(one.name) for one in columns)}]",
            f"    y-axis {label(unit)} 0 --> {top}",
            f"    bar [{', '.join(str(one.value) for one in columns)}]",
        ],
    )


def _block(head: str, lines: Sequence[str]) -> str:
    return "\n".join(("```mermaid", head, *lines, "```"))
