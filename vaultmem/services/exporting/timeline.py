"""The timeline of the memory, or of one memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import timeline as core
from vaultmem.core.inert import escape_inline
from vaultmem.services.exporting.gather import gather, refer, references, title_line
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.core.validity import Validity
    from vaultmem.services.call import Call

KIND = "timeline"


_WORDS = {
    "memory_created": "remembered: ",
    "memory_updated": "changed: ",
    "evidence_created": "evidence: ",
    "candidate_created": "proposed: ",
    "inquiry_created": "asked: ",
    "inquiry_answered": "answered: ",
}
"""What an event is called for people, by its type; the others say it themselves."""


class TimelineExport(NamedTuple):
    """The timeline of a day.

    Attributes:
        day: the person's local date.
        project: of which project, "" for everything.
        memory: the one memory that it is about, "" for all of them.
        timeline: the events, and how long each memory held.
        links: what leads to a memory's note, by its id.
    """

    day: str
    project: str
    memory: str
    timeline: core.Timeline
    links: Mapping[str, str]


def export_timeline(call: Call, *, project: str = "", name: str = "") -> TimelineExport:
    """The timeline of everything, of one project, or of the memory `name`; nothing is written.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`, where `name` is given.
    """
    memory = _id_of(call, name) if name else ""
    held = gather(call, project=project)
    return TimelineExport(
        call.local.date().isoformat(),
        project,
        memory,
        core.build_timeline(held, memory=memory),
        references(held),
    )


def _id_of(call: Call, name: str) -> str:
    """The memory that a person names; only this needs a look at the vault before `gather`'s."""
    catch_up(call)
    return find_memory(call, name).row.id


def timeline_lines(made: TimelineExport, *, in_note: bool) -> Iterator[str]:
    """The timeline for a person; each line names the memory that it is about.

    Args:
        made: the export.
        in_note: whether it becomes a note, which names memories by links.
    """
    links = made.links if in_note else None
    yield title_line("Timeline", made.project)
    yield ""
    if not made.timeline.events:
        yield "Nothing has happened yet."
    for one in made.timeline.events:
        about = refer(one.memory or one.id, links)
        said = f"{_WORDS.get(one.type, '')}{escape_inline(one.summary)}"
        yield f"- {one.at.isoformat()} {said} ({about})"
    ended = [(name, span) for name, span in made.timeline.held if span.end is not None]
    if ended:
        yield ""
        yield "## No longer valid"
        yield ""
    for name, span in ended:
        since = span.start.isoformat() if span.start else "?"
        until = span.end.isoformat() if span.end else "?"
        yield f"- {refer(name, links)}: {since} to {until} ({_why(span, links)})"


def _why(span: Validity, links: Mapping[str, str] | None) -> str:
    """Why a memory holds no longer."""
    if not span.ended_by:
        return span.reason
    after = refer(span.ended_by, links)
    stated = span.reason == "stated"
    return f"stated; replaced by {after}" if stated else f"{span.reason} by {after}"
