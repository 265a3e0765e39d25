"""Earlier sessions of the agent, for the handlers and the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.report_line import plain_line
from vaultmem.core.session_past import PAST_SESSIONS

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Place
    from vaultmem.index.hybrid import Mode
    from vaultmem.services.sessions.choosing import Wanted
    from vaultmem.services.sessions.search import SessionHit

SECTION = PAST_SESSIONS
"""The section's name."""
ID_SHOWN = 8
"""Characters of a session's id that are shown; `session_read` takes them."""


def section(here: Here, at: Place, prompt: str) -> str:
    """The section about sessions near a prompt; "" for nothing to tell."""
    from vaultmem.services.sessions.past import past_sessions  # not for a trivial prompt

    return past_sessions(
        here.policy(),
        here.past,
        prompt=prompt,
        project=here.project(at),
        session=at.session,
    ).text


def look(here: Here) -> None:
    """Read what is new of the session files; not during a turn."""
    from vaultmem.services.sessions.sync import sync_sessions

    sync_sessions(here.policy(), here.past)


def found(
    here: Here,
    at: Place,
    query: str,
    limit: int,
    *,
    mode: Mode | None = None,
    wanted: Wanted | None = None,
) -> str:
    """The sessions that a search finds, two lines each; "" for none."""
    from vaultmem.index.hybrid import Mode as Modes
    from vaultmem.services.sessions.choosing import Wanted as Which
    from vaultmem.services.sessions.search import search_sessions

    result = search_sessions(
        here.agent(),
        here.past,
        query,
        mode=mode or Modes.HYBRID,
        limit=limit,
        wanted=wanted or Which(own_project=here.project(at)),
        session=at.session,
    )
    lines = [_line(one) for one in result.hits]
    if result.degraded:
        lines.append(f"Note: {plain_line(result.degraded)}")
    return "\n".join(lines)


def _line(hit: SessionHit) -> str:
    title = plain_line(hit.title)
    return (
        f"- {hit.day.isoformat()} ({hit.session[:ID_SHOWN]}) {title}\n  {plain_line(hit.extract)}"
    )
