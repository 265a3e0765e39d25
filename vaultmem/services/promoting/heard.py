"""Where the user's own words say what a memory says, by evidence and signed ledger lines."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.evidence import EvidenceId, Polarity, Redaction, is_intact
from vaultmem.core.ids import is_id, with_prefix
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.promotion import Heard
from vaultmem.core.trust import TrustClass
from vaultmem.services import evidence
from vaultmem.services.call import Actor
from vaultmem.services.reinforce import REINFORCED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

_OWN_WORDS = frozenset(
    (
        TrustClass.DIRECT_USER_INSTRUCTION,
        TrustClass.USER_CORRECTION,
        TrustClass.REPEATED_USER_PREFERENCE,
    )
)
"""Classes of evidence in which the user speaks."""

_MADE = ("created", "identified")
_APPROVING = ("inbox", "patch")
"""How a person agrees to what was proposed, also where the device that proposed it has no key."""


def heard_of(call: Call, memories: Sequence[Memory]) -> dict[str, Heard]:
    """What the user said of each of these memories, by its id; evidence notes are read once.

    A session counts once, however often the same was said in it; what the person types outside of
    any counts each time, and a memory that they wrote counts once where no evidence shows it. What
    an agent reinforced counts for nothing, and neither does a line that no key of ours signed.
    """
    lines = {one.id: _lines(call, one.id) for one in memories}
    cited = {one.id: evidence.cited(one.evidence) for one in memories}
    wanted = {piece for ids in cited.values() for piece in ids}
    wanted |= {piece for rows in lines.values() for row in rows for piece in _pieces(row)}
    known = {one.id: one for one in evidence.find(call, sorted(wanted))}
    seen = _Seen(call, known, evidence.checks(call).recorded)
    return {one.id: _heard(seen, one, lines[one.id], cited[one.id]) for one in memories}


def spoken_pieces(call: Call, memory: Memory) -> tuple[EvidenceId, ...]:
    """The pieces with which the user said a memory again, in the order in which they did."""
    rows = (row for row in _lines(call, memory.id) if _value(row, "by") == Actor.PERSON)
    return tuple(dict.fromkeys(piece for row in rows for piece in _pieces(row)))


class _Seen(NamedTuple):
    """What was read for all memories at once: the pieces, and which of them a line vouches for."""

    call: Call
    pieces: Mapping[EvidenceId, Evidence]
    recorded: Callable[[EvidenceId], bool]

    def sound(self, ids: Iterable[EvidenceId]) -> list[Evidence]:
        """Those of the pieces that are there as they were recorded."""
        there = [self.pieces[one] for one in ids if one in self.pieces]
        return [one for one in there if is_intact(one) and self.recorded(one.id)]


def _heard(
    seen: _Seen, memory: Memory, lines: Sequence[LedgerRow], cited: Sequence[EvidenceId]
) -> Heard:
    sound = seen.sound(cited)
    spoken = [one for one in sound if _is_spoken(one)]
    sessions = {one.session or one.id for one in spoken}
    if not sessions and _is_the_persons(seen.call, memory.id):
        sessions.add(memory.id)
    by_person = [row for row in lines if _value(row, "by") == Actor.PERSON]
    sessions |= {_value(row, "session") or row.line for row in by_person}
    more = seen.sound(one for row in by_person for one in _pieces(row))
    projects = {one.project for one in (*spoken, *more) if one.project}
    if memory.project:
        projects.add(memory.project)
    return Heard(
        sessions=len(sessions),
        projects=tuple(sorted(projects)),
        since=_since(seen.call, memory),
        intact=len(sound) == len(cited),
    )


def _is_spoken(piece: Evidence) -> bool:
    return (
        piece.worth in _OWN_WORDS
        and piece.polarity is Polarity.SUPPORTS
        and piece.redaction is Redaction.NONE
    )


def _lines(call: Call, identifier: str) -> list[LedgerRow]:
    rows = call.vault.baseline.ledger.signed(identifier, LedgerKind.REINFORCEMENT)
    return [row for row in rows if row.act == REINFORCED]


def _pieces(row: LedgerRow) -> Iterator[EvidenceId]:
    return (EvidenceId(one) for one in _value(row, "pieces").split() if is_id(one, "ev"))


def _value(row: LedgerRow, key: str) -> str:
    return str(json.loads(row.data).get(key, ""))


def _is_the_persons(call: Call, identifier: str) -> bool:
    """Whether the person wrote it; to approve what an agent proposed is not to say it."""
    ledger = call.vault.baseline.ledger
    rows = ledger.signed(identifier, LedgerKind.ACTIVITY)
    first = next((row for row in rows if row.act in _MADE), None)
    if first is None or ledger.signed(with_prefix(identifier, "cand"), LedgerKind.ACTIVITY):
        return False
    return _value(first, "by") == Actor.PERSON and _value(first, "via") not in _APPROVING


def _since(call: Call, memory: Memory) -> date | None:
    """The local day from which the statement has stood as it is."""
    rows = call.vault.baseline.ledger.signed(memory.id, LedgerKind.ACTIVITY)
    made = [] if memory.created is not None else [row for row in rows if row.act in _MADE]
    changed = [row for row in rows if "statement" in _value(row, "keys").split()]
    days = [_day(call, row) for row in (*made[:1], *changed[-1:])]
    if memory.created is not None:
        days.append(memory.created.date())
    return max(days, default=None)


def _day(call: Call, row: LedgerRow) -> date:
    return datetime.fromisoformat(row.at).astimezone(call.now.tzinfo).date()
