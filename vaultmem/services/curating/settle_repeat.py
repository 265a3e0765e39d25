"""A candidate that says what is known: its evidence counts there, and its note is done with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services import evidence
from vaultmem.services.call import Actor
from vaultmem.services.curating.candidates import REPEATED
from vaultmem.services.decided import version_of
from vaultmem.services.reinforce import reinforce
from vaultmem.services.write import entry
from vaultmem.store.files import remove_file

if TYPE_CHECKING:
    from vaultmem.core.drafting import Reinforcement
    from vaultmem.core.evidence import EvidenceId
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting


def settle_repeat(call: Call, one: Waiting, found: Reinforcement, *, via: str) -> None:
    """Count the evidence, once for each session that it comes from, then take the note away.

    Killed in between, the next run counts nothing twice and takes the note away.

    Args:
        call: the circumstances; who acts.
        one: the candidate as it was read.
        found: the memory that it repeats, and its evidence.
        via: the verb.

    Raises:
        NoteChangedError: if somebody changed the candidate since it was read.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    by = Actor.PERSON if found.by_user else Actor.AGENT
    with call.vault.lock():
        for session, pieces in _by_session(call, one.id, found).items():
            reinforce(call, found.memory, session=session, evidence=pieces, by=by, via=via)
        version = version_of(call, one.data)
        values = {"by": call.actor.value, "via": via, "memory": found.memory, **version}
        call.vault.append(LedgerKind.ACTIVITY, [entry(call, REPEATED, one.id, values)])
        remove_file(call.vault.path, one.path, expected=one.etag)
        call.vault.baseline.drop_note(one.path)


def _by_session(call: Call, candidate: str, found: Reinforcement) -> dict[str, list[EvidenceId]]:
    """The pieces of each session; what has none, and an approval alone, counts for the candidate.

    So every line names something that counts once, however often this is begun.
    """
    sessions: dict[str, list[EvidenceId]] = {}
    for piece in evidence.find(call, found.evidence):
        sessions.setdefault(piece.session or candidate, []).append(piece.id)
    return sessions or {candidate: []}
