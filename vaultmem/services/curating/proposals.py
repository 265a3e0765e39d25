"""The candidates of the inbox as the checks take them, each with its evidence."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.proposal import Proposal
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.core.turn import LATE_SECONDS
from vaultmem.notes.candidate import State
from vaultmem.services import evidence
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.curating.candidates import (
    DECIDED,
    REPEATED,
    Waiting,
    is_external,
    waiting,
)
from vaultmem.services.decided import decided_before
from vaultmem.services.patches import open_patches
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, Origin, origin_of_bytes
from vaultmem.services.syncing.observe import age_seconds, fresh_now
from vaultmem.services.write import content_mac
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call


class _Note(Protocol):
    """A note in which a person decides, and the version that was read."""

    @property
    def id(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def data(self) -> bytes: ...


MIGRATED = "migrated"
"""The act of the ledger line by which a migration vouches for a candidate of an older store."""
IMPORTED = "imported"
"""The act of its line about any other candidate that it brings."""
BALANCE = "evidence"
"""The key of both for the pieces of evidence that the candidate had there."""
NO_KEY = (
    "This device has no key for the vault, so nothing is applied by itself here. Run "
    "`vaultmem key export` where the key is, then `vaultmem key import` here."
)
"""Why policy does nothing: nobody could tell what the checks rest on."""


def undecided(call: Call) -> list[Waiting]:
    """The candidates that a curation looks at, the oldest first.

    Left out is what was put off, what bears a decision (also one that nobody has followed yet) or
    was decided before and came back, which is for the person,
    what an open patch proposes, what was copied, so that nobody knows which note counts, and what
    shows an external change, which is no proposal.
    """
    found = waiting(call)
    taken = in_open_patches(call) | {
        identifier for identifier, times in Counter(one.id for one in found).items() if times > 1
    }
    return [
        one
        for one in found
        if one.candidate.state is State.NEW
        and one.candidate.decision is None
        and one.id not in taken
        and not is_external(one)
        and not _is_decided(call, one)
    ]


def _is_decided(call: Call, one: Waiting) -> bool:
    """Whether a candidate was decided; not where only its note is left, because we were killed."""
    before = decided_before(call, one.id, DECIDED)
    if before is None:
        return False
    return before.act != REPEATED or not before.is_about(call, one.data)


def in_open_patches(call: Call) -> set[str]:
    """The candidates that stand in a patch which waits."""
    operations = (one for opened in open_patches(call) for one in opened.patch.operations)
    return {one.candidate for one in operations if one.candidate is not None}


def is_ours_to_settle(call: Call, one: Waiting) -> bool:
    """Whether this device may act on a candidate by itself, so that not two of them do.

    The device that made it is the first; another one waits for ten quiet minutes.
    """
    if one.candidate.device in (None, call.vault.device):
        return True
    try:
        return age_seconds(call, stat_of(call.vault.path, one.path)) >= LATE_SECONDS
    except OSError:
        return False


def proposals_of(call: Call, candidates: Sequence[Waiting]) -> list[Proposal]:
    """These candidates with their evidence, in their order; evidence notes are read once."""
    cited = {one.id: evidence.cited(one.candidate.memory.evidence) for one in candidates}
    pieces = evidence.find(call, (piece for ids in cited.values() for piece in ids))
    found = {piece.id: piece for piece in pieces}
    return [
        Proposal(
            memory=one.candidate.memory,
            trust=TrustClass(one.candidate.trust) if one.candidate.trust else None,
            durability=Durability(one.candidate.durability),
            cited=cited[one.id],
            evidence=tuple(found[piece] for piece in cited[one.id] if piece in found),
            legacy=_is_migrated(call, one.id),
            balance=_balance(call, one.id),
            as_written=(written := as_written(call, one.id, one.data)),
            secret=not written and _holds_secret(one.candidate.memory),
        )
        for one in candidates
    ]


def as_written(call: Call, identifier: str, data: bytes) -> bool:
    """Whether these bytes of a note are what a device signed for last.

    Without the key nobody can tell. Bytes that went back to an older version were put back by
    somebody, so only the newest line counts.
    """
    mac = content_mac(call, data)
    signed = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    lines = [line for line in signed if line.after]
    return bool(mac and lines) and lines[-1].after == mac and lines[-1].act != EXTERNAL_ACT


def is_the_persons(call: Call, one: _Note) -> bool:
    """Whether the note's present bytes are the person's own."""
    try:
        fresh = fresh_now(call.vault, one.path, one.data)
    except OSError:
        return False
    return origin_of_bytes(call, one.id, fresh) is Origin.PERSON


def _holds_secret(memory: Memory) -> bool:
    """Whether a secret stands in any text; what a device signed was looked at before."""
    texts = (*memory.tags, *memory.applies_when, *memory.not_when, *memory.exceptions)
    more = (memory.project, memory.change_condition, memory.trigger, memory.action, memory.verifier)
    return refuse_fields(memory.statement, *texts, *filter(None, more)) is not None


def _balance(call: Call, identifier: str) -> int:
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    imported = (json.loads(one.data) for one in lines if one.act in (MIGRATED, IMPORTED))
    return next((int(values.get(BALANCE, 0)) for values in imported), 0)


def _is_migrated(call: Call, identifier: str) -> bool:
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return any(line.act == MIGRATED for line in lines)
