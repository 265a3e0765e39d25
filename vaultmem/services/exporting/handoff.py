"""A handoff to the next session or to another agent, with a goal or without; nothing is written."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import handoff as core
from vaultmem.core.finding import Severity
from vaultmem.core.inert import escape_inline
from vaultmem.core.wording import count
from vaultmem.services.exporting.gather import as_told, gather, refer, references, title_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultmem.services.call import Call

KIND = "handoff"


class HandoffExport(NamedTuple):
    """The handoff of a day, and what leads to a memory's note, by its id."""

    day: str
    handoff: core.Handoff
    links: Mapping[str, str]


def export_handoff(
    call: Call, *, project: str = "", goal: core.Goal | None = None
) -> HandoffExport:
    """Hand over what holds in a project, or everywhere; secrets are taken out of the goal, too."""
    held = gather(call, project=project)
    made = core.build_handoff(
        held,
        now=call.local,
        project=project,
        goal=None if goal is None else _without_secrets(goal),
        warnings=_warnings(call) if goal is not None else (),
    )
    return HandoffExport(call.local.date().isoformat(), made, references(held))


def handoff_lines(made: HandoffExport, *, in_note: bool) -> Iterator[str]:
    """The handoff for a person or an agent.

    Args:
        made: the export.
        in_note: whether it becomes a note, which names memories by links.
    """
    links = made.links if in_note else None
    told = made.handoff
    yield title_line("Handoff", told.project)
    yield ""
    yield core.REFERENCE
    yield ""
    if told.goal is not None:
        yield from _goal_lines(told.goal)
    counts = told.counts
    yield (
        f"{counts.identity} identity, {counts.playbook} playbook, {counts.contested} contested; "
        f"{count(counts.evidence, 'piece')} of evidence. {_waiting(counts)}"
    )
    brief = [f"{escape_inline(one.text)} ({refer(one.id, links)})" for one in told.brief]
    yield from _list("What holds", brief, more=told.left_out)
    contested = [refer(one, links) for one in told.contested]
    yield from _list("Contested", contested, more=counts.contested - len(contested))
    yield from _list(
        "Open questions", [f"{escape_inline(one.text)} (`{one.id}`)" for one in told.questions]
    )
    if told.goal is not None:
        pending = [f"`{one}`" for one in told.pending]
        yield from _list(
            "Waiting", pending, more=counts.pending - len(pending), lister="vaultmem inbox"
        )
        yield from _list("Newest evidence", [f"`{one}`" for one in told.evidence])
        yield from _list("Findings", [f"{code}: {number}" for code, number in told.warnings])
        yield from _list("Next", core.NEXT_ACTIONS)


def _waiting(counts: core.Counts) -> str:
    """What waits for the person, in one sentence."""
    kinds = (
        (counts.pending, "candidate", ""),
        (counts.patches, "patch", "patches"),
        (counts.promotions, "promotion", ""),
        (counts.questions, "open question", ""),
    )
    parts = [count(number, noun, plural) for number, noun, plural in kinds if number]
    return f"For the person to decide: {', '.join(parts)}." if parts else "Nothing waits."


def _goal_lines(goal: core.Goal) -> Iterator[str]:
    yield f"Goal: {escape_inline(goal.text)}"
    parts = (
        ("Constraints", goal.constraints),
        ("Not wanted", goal.non_goals),
        ("Validation", goal.validation),
    )
    for heading, texts in parts:
        yield from _list(heading, list(map(escape_inline, texts)))
    yield ""


def _list(
    heading: str, lines: Sequence[str], *, more: int = 0, lister: str = "vaultmem search"
) -> Iterator[str]:
    if lines:
        yield ""
        yield f"## {heading}"
        yield ""
        yield from (f"- {one}" for one in lines)
    if more:
        yield f"- … {more} more; `{lister}` finds them."


def _without_secrets(goal: core.Goal) -> core.Goal:
    def told(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(as_told(text) for text in texts if text.strip())

    return core.Goal(
        text=as_told(goal.text),
        constraints=told(goal.constraints),
        non_goals=told(goal.non_goals),
        validation=told(goal.validation),
    )


def _warnings(call: Call) -> list[tuple[str, int]]:
    """The codes of what the last sync found wrong, with their numbers; no message of theirs."""
    found: Counter[str] = Counter()
    known = call.vault.baseline.findings()
    found.update(one.code for one in known if one.severity is not Severity.INFO)
    return list(found.items())
