"""Sessions that ended are queued at once and settled later, by whoever has the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.store.ended import add_ended, drop_ended, read_ended

if TYPE_CHECKING:
    from vaultmem.services.call import Call


def queue_session(call: Call, session: str) -> None:
    """Remember that a session ended; its process may go at once.

    Raises:
        UnsafePathError, ReadOnlyError, DiskFailedError: if that cannot be written.
    """
    add_ended(call.vault.state.folder, session)


def settle_queued(call: Call) -> tuple[str, ...]:
    """Settle the sessions that wait, each once: policy applies what it may by itself.

    While a tool of the agent may be writing they go on waiting.

    Returns:
        The sessions that were settled.

    Raises:
        As `services.curate.session_end`; the sessions that are not settled go on waiting.
    """
    from vaultmem.services.curate import session_end  # an agent waits for the queueing alone
    from vaultmem.services.enforcing.audit import settle_rules
    from vaultmem.services.syncing.attribution import tool_is_running

    waits = read_ended(call.vault.state.folder)
    if not waits or tool_is_running(call):
        return ()
    for one in waits:
        settle_rules(call, one.session)
        session_end(call, one.session)
        drop_ended(one)
    return tuple(one.session for one in waits)
