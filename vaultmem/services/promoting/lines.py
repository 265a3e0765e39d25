"""What the ledgers say of proposed promotions: signed lines, read without any note."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id, short_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.place import Kind
from vaultmem.core.promotion_words import Destination, PromotionStatus
from vaultmem.core.selection import other_project
from vaultmem.core.standing import IN_USE
from vaultmem.core.state import MemoryState
from vaultmem.core.wording import short

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

PROPOSED = "proposed"
"""The act of the line that says what a proposal is about, once its note was written."""
WITHDRAWN = "withdrawn"
"""The act of the line that takes a proposal back, because its memory is out of use."""
REOPENED = "reopened"
"""The act of the line by which a person proposes again what they rejected."""
DECIDED = frozenset((PromotionStatus.ACCEPTED, PromotionStatus.REJECTED))
"""Acts after which nothing is proposed again, unless a person does."""
TOLD = 5
"""Proposals that the report names; from the governed memory."""

_NAMED = 48
"""Characters by which a line names a memory, which most often stands in the report itself."""

WORDS: dict[Destination, str] = {
    Destination.MEMORY: "stays a memory",
    Destination.ENFORCEMENT: "a guardrail",
    Destination.SKILL: "a skill",
    Destination.PROJECT_RULE: "a rule of the project",
    Destination.VAULT_REF: "a knowledge note",
    Destination.DISCARD: "goes out of use",
}
"""What each destination is called in a line."""


class Said(NamedTuple):
    """What the signed lines of all devices say of a proposal.

    Attributes:
        memory: the memory's id, "" where nothing was said.
        destination: the form, None likewise.
        status: None where it was never proposed, or was withdrawn.
        sessions: in how many the user said it, when it was proposed.
        by: who proposed or decided it.
        at: when, UTC, ISO 8601.
    """

    memory: str = ""
    destination: Destination | None = None
    status: PromotionStatus | None = None
    sessions: int = 0
    by: str = ""
    at: str = ""


def said(call: Call, identifier: str) -> Said:
    """What became of a proposal, by its signed lines; unsigned ones count where nobody can sign."""
    known = Said()
    for row in lines_of(call, identifier):
        known = _after(known, row)
    return known


def all_said(call: Call) -> dict[str, Said]:
    """Every proposal that a ledger names, by its id, oldest first."""
    found: dict[str, Said] = {}
    for row in call.vault.baseline.ledger.of_kind(LedgerKind.ACTIVITY):
        if is_id(row.note, "prom") and call.vault.vouches(row):
            found[row.note] = _after(found.get(row.note, Said()), row)
    return {name: one for name, one in found.items() if one.status is not None}


def is_out_of_use(call: Call, memory: str) -> bool:
    """Whether a memory that a proposal is about was superseded, deleted, or else put out of use.

    One that nobody knows, or whose note only vanished, may come back.
    """
    row = call.vault.baseline.memory(memory) if memory else None
    standing = call.vault.baseline.standing(memory) if memory else None
    if row is None or standing is None:
        return False
    return row.state == MemoryState.GONE or standing.status not in IN_USE


def is_decided(call: Call, identifier: str) -> bool:
    """Whether a person or policy decided it, here or elsewhere."""
    return said(call, identifier).status in DECIDED


def proposed(call: Call, *, project: str = "") -> tuple[str, ...]:
    """A line for each of the newest proposals that wait, for the report; from the baseline alone.

    Each says what the memory would become, and how its statement begins. A memory that is not in
    force, or belongs to another project than `project`, is not told.
    """
    rows = call.vault.baseline.notes(kind=Kind.PROMOTION.value)
    known = {row.id: said(call, row.id) for row in rows if row.id}
    newest = sorted(known.items(), key=lambda one: (one[1].at, one[0]), reverse=True)
    lines = (_line(call, identifier, one, project) for identifier, one in newest)
    return tuple(filter(None, lines))[:TOLD]


def lines_of(call: Call, identifier: str) -> list[LedgerRow]:
    """The lines about a proposal that count: signed ones, or any where nobody can sign."""
    rows = call.vault.baseline.ledger.of_note(identifier, LedgerKind.ACTIVITY)
    return [row for row in rows if call.vault.vouches(row)]


def _after(known: Said, row: LedgerRow) -> Said:
    """What is known once a line was read; a decision is not undone by a line that came late.

    What was accepted on one device and rejected on another was accepted: it is done.
    """
    if row.act == REOPENED and known.status is PromotionStatus.REJECTED:
        return known._replace(status=PromotionStatus.PROPOSED)
    if row.act not in (PROPOSED, WITHDRAWN, *DECIDED):
        return known
    rejected = known.status is PromotionStatus.REJECTED and row.act == PromotionStatus.ACCEPTED
    if known.status in DECIDED and not rejected:
        return known
    if row.act == WITHDRAWN:
        return known._replace(status=None)
    data = json.loads(row.data)
    destination, sessions = str(data.get("destination", "")), data.get("sessions")
    return Said(
        memory=str(data.get("memory", "")) or known.memory,
        destination=Destination(destination) if destination in tuple(Destination) else None,
        status=PromotionStatus(row.act),
        sessions=sessions if isinstance(sessions, int) else 0,
        by=str(data.get("by", "")),
        at=row.at,
    )


def _line(call: Call, identifier: str, one: Said, project: str) -> str:
    if one.status is not PromotionStatus.PROPOSED or one.destination is None:
        return ""
    standing = call.vault.baseline.live_standing(one.memory)
    if standing is None or standing.status != Status.ACTIVE:
        return ""
    if other_project(standing.project, project):
        return ""
    return f"{WORDS[one.destination]}: {short(standing.statement, _NAMED)} ({short_id(identifier)})"
