"""Memories that may be a procedure, for a person to look at; no skill is written."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import procedures as core
from vaultmem.core.inert import escape_inline
from vaultmem.services.exporting.gather import gather, refer, references, title_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.services.call import Call

KIND = "procedures"


class ProceduresExport(NamedTuple):
    """The procedures of a day, and what leads to a memory's note, by its id."""

    day: str
    project: str
    procedures: core.Procedures
    links: Mapping[str, str]


def export_procedures(
    call: Call, *, project: str = "", least: int = core.LEAST
) -> ProceduresExport:
    """The procedures of a project, or of each; nothing is written."""
    held = gather(call, project=project)
    return ProceduresExport(
        call.local.date().isoformat(),
        project,
        core.find_procedures(held.memories, least=least),
        references(held),
    )


def procedures_lines(made: ProceduresExport, *, in_note: bool) -> Iterator[str]:
    """The procedures for a person.

    Args:
        made: the export.
        in_note: whether it becomes a note, which names memories by links.
    """
    links = made.links if in_note else None
    yield title_line("Procedures", made.project)
    yield ""
    if not made.procedures.found:
        yield "No memories make a procedure."
    for one in made.procedures.found:
        where = escape_inline(one.project) if one.project else "every project"
        yield f"## {one.title}: {where}"
        yield ""
        yield (
            f"To be reviewed; nothing was made of it. The memories' own confidence is "
            f"{one.confidence:.2f} on average; it says nothing about the procedure."
        )
        yield ""
        for number, (step, source) in enumerate(zip(one.steps, one.sources, strict=True), 1):
            check = " Check:" if step in one.checks else ""
            yield f"{number}.{check} {escape_inline(step)} ({refer(source, links)})"
        yield ""
    reasons = Counter(one.reason for one in made.procedures.skipped)
    if reasons:
        yield "Left out: " + ", ".join(f"{key} {reasons[key]}" for key in sorted(reasons)) + "."
