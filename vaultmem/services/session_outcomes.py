"""When a session of the agent ends, what its replies used goes into the ledger, a line a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.reinforcement import Outcome
from vaultmem.services.outcomes import line_of, told_of
from vaultmem.services.session_use import session_name, sessions, settled, statements_of
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.syncing.record import recount

if TYPE_CHECKING:
    from vaultmem.core.ids import MemoryId
    from vaultmem.services.call import Call
    from vaultmem.services.session_use import SessionUse

OVER_SECONDS = 6 * 3600
"""A session of which nothing was heard for so long is over, whether or not it said so."""


def session_ended(call: Call, session: str | None = None) -> tuple[MemoryId, ...]:
    """Write what was used in a session that ended into the ledger, one line a memory.

    A memory that a reply used, and that no correction of the user's is near, was a silent success.
    Sessions that ended without saying so are settled as well.

    Args:
        call: the circumstances; whoever calls, policy acts.
        session: the one that ends now; None settles only those that are over.

    Returns:
        The memories that were a success.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    if call.vault.key is None:  # nobody could tell who says so, and it would count for nothing
        return ()
    policy = call.by_policy()
    ended = None if session is None else session_name(call, session)
    found: list[MemoryId] = []
    with call.vault.lock():
        for name, use in sessions(call).items():
            if not use.settled and (name == ended or use.last + OVER_SECONDS <= call.seconds):
                found += _settle(policy, name, use)
    return tuple(dict.fromkeys(found))


def _settle(call: Call, name: str, use: SessionUse) -> list[MemoryId]:
    right: list[MemoryId] = []
    if name and not switched_off(call, WRITE, session=name):
        there = statements_of(call, (one for one in use.used if one not in use.doubted))
        right = [one for one in there if Outcome.SUCCESS not in told_of(call, one, name)]
    lines = [
        line_of(call, one, Outcome.SUCCESS, name, via="session_end", cited=use.used[one])
        for one in right
    ]
    call.vault.append(LedgerKind.REINFORCEMENT, lines)
    for one in right:
        recount(call.vault.baseline, one)
    settled(call, name)
    return right
