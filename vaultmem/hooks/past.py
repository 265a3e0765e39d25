"""Earlier sessions of the agent, for the handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Place


def section(here: Here, at: Place, prompt: str) -> str:
    """The section about sessions near a prompt; "" for nothing to tell."""
    if not here.shared.calm.is_set():  # the first prompt does not wait for the index
        return ""
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
    if here.shared.stopping.is_set():  # the next session does it
        return
    from vaultmem.services.sessions.sync import sync_sessions

    sync_sessions(here.policy(), here.past)
