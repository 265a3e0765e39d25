"""Tools over earlier sessions: session_search, session_list, session_read, session_decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.report_line import plain_line
from vaultmem.core.session_past import ID_SHOWN
from vaultmem.core.wording import count
from vaultmem.hooks.agent_tools.pages import note_of
from vaultmem.index.hybrid import Mode
from vaultmem.services.sessions.choosing import Wanted
from vaultmem.services.sessions.decisions import decisions
from vaultmem.services.sessions.listing import list_sessions
from vaultmem.services.sessions.read import read_session
from vaultmem.services.sessions.search import search_sessions

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import ToolAsked
    from vaultmem.hooks.reading import Fields
    from vaultmem.services.sessions.search import SessionHit

_NOTHING = "No earlier session of this project was found."


def session_search(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Conversations by words, or by the meaning of their summaries."""
    mode = Mode.SEMANTIC if arguments.text("mode", "keyword") == "semantic" else Mode.KEYWORD
    text = found_sessions(
        here,
        event,
        arguments.word("query"),
        arguments.number("limit", 8),
        mode=mode,
        wanted=_wanted(here, event, arguments),
    )
    return text or _NOTHING


def found_sessions(
    here: Here, event: ToolAsked, query: str, limit: int, *, mode: Mode, wanted: Wanted
) -> str:
    """The sessions that a search finds, two lines each; "" for none."""
    found = search_sessions(
        here.agent(),
        here.past,
        query,
        mode=mode,
        limit=limit,
        wanted=wanted,
        session=event.session,
    )
    return "\n".join([*map(_hit, found.hits), *note_of(found.degraded)])


def _hit(hit: SessionHit) -> str:
    first = f"- {hit.day.isoformat()} ({hit.session[:ID_SHOWN]}) {plain_line(hit.title)}"
    beside = plain_line(hit.beyond_title)
    return f"{first}\n  {beside}" if beside else first


def session_list(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Conversations, the newest first."""
    found = list_sessions(
        here.agent(),
        here.past,
        limit=arguments.number("limit", 20),
        wanted=_wanted(here, event, arguments),
        session=event.session,
    )
    lines = [
        f"- {one.started:%Y-%m-%d %H:%M} ({one.id[:ID_SHOWN]}) "
        f"{plain_line(one.title or one.first)}, {count(one.messages, 'message')}"
        for one in found.sessions
    ]
    if found.total > len(found.sessions):
        lines.append(f"{found.total - len(found.sessions)} more; narrow it with `after`.")
    return "\n".join([*lines, *note_of(found.degraded)]) or _NOTHING


def session_read(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Messages of one conversation."""
    offset = arguments.number("offset", 0)
    found = read_session(
        here.agent(),
        here.past,
        arguments.word("id"),
        offset=offset,
        limit=arguments.number("limit", 50),
        own_project=here.project(event),
        session=event.session,
    )
    lines = [f"{plain_line(found.title)}, {count(found.total, 'message')}"]
    for one in found.messages:
        lines += ["", f"**[{one.at:%H:%M}] {one.speaker.value.upper()}**", one.text]
    end = offset + len(found.messages)
    if end < found.total:
        lines += ["", f"More with offset {end}."]
    return "\n".join(lines)


def session_decisions(here: Here, event: ToolAsked, arguments: Fields) -> str:
    """Decisions of the last days."""
    found = decisions(
        here.agent(),
        here.past,
        days=arguments.number("days", 7),
        limit=arguments.number("limit", 30),
        wanted=Wanted(project=arguments.maybe("project"), own_project=here.project(event)),
        session=event.session,
    )
    lines = [f"- {one.day.isoformat()} {plain_line(one.text)}" for one in found.decisions]
    return "\n".join([*lines, *note_of(found.degraded)]) or "No decision was marked in these days."


def _wanted(here: Here, event: ToolAsked, arguments: Fields) -> Wanted:
    return Wanted(
        project=arguments.maybe("project"),
        after=arguments.day("after"),
        own_project=here.project(event),
    )
