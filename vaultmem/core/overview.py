"""The overview of a project, or of everything, as the body of a note: charts and the best memories.

It says nothing that changes by itself from day to day, so a note is made again only where what it
tells has changed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from vaultmem.core.category import CATEGORY_FOLDER
from vaultmem.core.inert import escape_inline
from vaultmem.core.mermaid import Bar, bars, pie
from vaultmem.core.model import Layer, Stability, Status
from vaultmem.core.standing import IN_USE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.holdings import Held, Holdings

LISTED = 15
"""Memories that a section lists; a list of every note is read by nobody."""
MONTHS = 12
"""Months that the growth shows."""

_INTRODUCTION = (
    "Made by `vaultmem render`, which makes it again when the memories change. If you change it, "
    "it is left as it is; if you delete it, it is made anew."
)


def overview(held: Holdings, *, project: str = "") -> str:
    """The body of the note, with a line end at its end.

    Args:
        held: what the vault holds, of the project.
        project: its identity, "" for everything.
    """
    return "\n".join(_lines(held, project)) + "\n"


def _lines(held: Holdings, project: str) -> Iterator[str]:
    standing = [one for one in held.memories if one.memory.status in IN_USE]
    yield f"# {escape_inline(project) if project else 'All memories'}"
    yield ""
    yield _INTRODUCTION
    yield ""
    yield from _numbers(held, standing)
    for diagram in (_stability(standing), _growth(held)):
        if diagram:
            yield ""
            yield diagram
    active = [one for one in standing if one.memory.status is Status.ACTIVE]
    identity = [one for one in active if one.memory.layer is Layer.IDENTITY]
    rest = [one for one in active if one.memory.layer is not Layer.IDENTITY]
    yield from _section("Identity", identity)
    for category, folder in CATEGORY_FOLDER.items():
        yield from _section(folder, [one for one in rest if one.memory.category is category])
    contested = [one for one in standing if one.memory.status is Status.CONTESTED]
    yield from _section("Contested", contested)


def _numbers(held: Holdings, standing: Sequence[Held]) -> Iterator[str]:
    by_status = Counter(one.memory.status for one in held.memories)
    rows = {
        "active": by_status[Status.ACTIVE],
        "contested": by_status[Status.CONTESTED],
        "promoted": by_status[Status.PROMOTED],
        "superseded or deprecated": by_status[Status.SUPERSEDED] + by_status[Status.DEPRECATED],
        "pinned": sum(one.memory.pinned for one in standing),
        "waiting in the inbox": len(held.candidates),
        "open questions": sum(one.is_open for one in held.inquiries),
    }
    yield "| What | How many |"
    yield "| --- | --- |"
    yield from (f"| {name} | {number} |" for name, number in rows.items())


def _stability(standing: Sequence[Held]) -> str:
    found = Counter(one.memory.stability for one in standing)
    return pie("Stability", [Bar(one.value, found[one]) for one in Stability])


def _growth(held: Holdings) -> str:
    """How many memories there were at the end of each month in which one was made."""
    made = Counter(
        one.memory.created.strftime("%Y-%m")
        for one in held.memories
        if one.memory.created is not None and one.memory.status is not Status.DELETED
    )
    total, columns = 0, []
    for month in sorted(made):
        total += made[month]
        columns.append(Bar(month, total))
    return bars("Memories at the end of the month", "memories", columns[-MONTHS:])


def _section(heading: str, members: Sequence[Held]) -> Iterator[str]:
    """The memories with the most evidence, as links; nothing for none."""
    if not members:
        return
    best = sorted(members, key=lambda one: (-one.memory.evidence_count, one.path))
    yield ""
    yield f"## {heading}"
    yield ""
    yield from (f"- {one.link}" for one in best[:LISTED])
    if len(best) > LISTED:
        yield f"- … and {len(best) - LISTED} more"
