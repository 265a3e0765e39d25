"""What is done when nobody waits: a session that ended is settled, a day's work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.hooks.looking import keep_up

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Place


def leave(here: Here, session: str) -> None:
    """Queue a session that ends."""
    from vaultmem.services.session_queue import queue_session

    queue_session(here.policy(), session)


def warm_up(here: Here) -> None:
    """Bring the search index up, and let the model be loaded; prompts are answered meanwhile."""
    try:
        if not here.shared.stopping.is_set():  # the next process does it
            keep_up(here)
    finally:
        here.shared.warm.set()


def daily(here: Here, at: Place) -> None:
    """Do the day's work; what it proposes is told with the next event that can show it."""
    if here.shared.stopping.is_set():  # the next session does it
        return
    from vaultmem.services.session_start import daily_work

    done = daily_work(here.policy())
    if done is not None and done.proposed is not None:
        here.known(at).notice(("The day's maintenance proposes changes: `/memory review`.",))


def settle_left(here: Here) -> None:
    """Settle the sessions that wait, of this process and of those that were killed."""
    call = here.policy()
    from vaultmem.store.ended import read_ended

    if not read_ended(call.vault.state.folder):
        return
    from vaultmem.services.session_queue import settle_queued  # every service of curation

    settle_queued(call)
    keep_up(here)
