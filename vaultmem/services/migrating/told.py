"""What the report note of an import says: what became of what, by place and id, no statement."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.importing.plan import Fate
from vaultmem.core.inert import escape_inline
from vaultmem.core.model import Status
from vaultmem.core.wording import count
from vaultmem.services.capturing.secret_scan import redact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.importing.plan import Plan, Planned

NAMES = {
    Fate.MEMORY: "Memories",
    Fate.CANDIDATE: "Candidates that wait in the inbox",
    Fate.STRENGTHENED: "Counted for a memory that says the same",
    Fate.KNOWN: "Known already",
}
"""How each fate is called above its records."""


def report_lines(plan: Plan, *, patch: str) -> Iterator[str]:
    """The body of the note.

    Args:
        plan: what is done.
        patch: the id of the patch that does it, "" for none.
    """
    gathered, counts = plan.gathered, plan.counts()
    yield f"# Import of a {gathered.kind} store"
    yield ""
    yield f"{count(gathered.records, 'record was', 'records were')} read."
    yield ""
    for fate, name in NAMES.items():
        yield f"- {name}: {counts[fate]}"
        yield from _set_aside(plan) if fate is Fate.MEMORY else ()
    yield f"- Questions asked: {len(plan.asked)}"
    yield f"- Items of the scratchpad: {len(plan.tasks)}"
    yield f"- Could not be taken: {counts[Fate.QUARANTINED]}"
    for what, number in sorted(plan.left_out().items()):
        yield f"- Left out, {escape_inline(what)}: {number}"
    if patch:
        yield ""
        yield f"The patch is `{patch}`; `vaultmem patch revert {short_id(patch)}` takes it back."
    for notice in gathered.notices:
        yield ""
        yield escape_inline(notice)
    yield from _quarantined(plan)
    for fate, name in NAMES.items():
        yield from _section(name, plan.of(fate))


def _set_aside(plan: Plan) -> Iterator[str]:
    """How many of the memories come with a status that puts them out of force."""
    found = Counter(one.memory.status for one in plan.of(Fate.MEMORY))
    for status in Status:
        if status is not Status.ACTIVE and found[status]:
            yield f"    - of them {status}, as there: {found[status]}"


def _quarantined(plan: Plan) -> Iterator[str]:
    found = plan.quarantined()
    if found:
        yield from ("", "## Could not be taken", "")
    for one in found:
        yield f"- {_place(one.where)}: {escape_inline(one.reason)}"


def _section(name: str, planned: tuple[Planned, ...]) -> Iterator[str]:
    if planned:
        yield from ("", f"## {name}", "")
    for one in planned:
        told = _about(one)
        yield f"- {_place(one.item.where)} · {short_id(one.memory.id)}{told}"


def _place(where: str) -> str:
    """A place in the source, whose names are not ours to trust either."""
    return escape_inline(redact(where))


def _about(one: Planned) -> str:
    if one.fate is Fate.STRENGTHENED and one.about is not None:
        return f" · {short_id(one.about)}"
    if one.fate is Fate.MEMORY and one.memory.status is not Status.ACTIVE:
        return f" · {one.memory.status}"
    if one.fate is Fate.CANDIDATE and not one.guarded:
        return f" · {escape_inline(one.reason)}"
    return ""
