"""Why a memory is there: its origin, what happened to it, its evidence and who approved it."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.ids import with_prefix
from vaultmem.errors import NoteNotFoundError
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.migrating.provenance import SOURCE
from vaultmem.services.patching.writes import MIGRATE
from vaultmem.services.sync import catch_up
from vaultmem.services.telemetry import injections_of
from vaultmem.services.track_record import track_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.track_record import TrackRecord
    from vaultmem.store.baseline_rows import LedgerRow

LAST_INJECTIONS = 5
_APPROVALS = ("given", "created", "identified", "restored")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a ledger about the memory.

    Attributes:
        at: UTC, ISO 8601.
        act: what happened.
        by: person, agent, policy, external or adopted; empty where nobody is named.
        via: the verb or place: add, sync, ratify.
        keys: the properties that changed.
        device: whose ledger says so.
        signed: whether the signature holds here.
    """

    at: str
    act: str
    by: str
    via: str
    keys: tuple[str, ...]
    device: str
    signed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The answer of `why`; `events` oldest first.

    Attributes:
        origin: how it came here, one sentence.
        approved_by: who gave it its place or its force; empty where nobody is known.
        evidence: links to the blocks that support it.
        evidence_count: live.
        injections: when it was last put into a report on this machine, local, the newest first; at
            most `LAST_INJECTIONS`.
        waiting: whether it is a candidate, about which nobody has decided.
        record: what came of a memory; None for a candidate.
    """

    id: str
    path: str
    statement: str
    origin: str
    approved_by: str
    evidence: tuple[str, ...]
    evidence_count: float
    events: tuple[Event, ...]
    injections: tuple[str, ...] = ()
    waiting: bool = False
    record: TrackRecord | None = None


def why(call: Call, name: str) -> Why:
    """Everything that the ledgers of all devices say about one memory, or one that is proposed.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    catch_up(call)
    try:
        found = find_memory(call, name)
    except NoteNotFoundError:
        with suppress(NoteNotFoundError):
            return _waiting(call, find_waiting(call, name))
        raise
    if call.agent is not None:
        remember_shown(call, (found.decoded.memory.statement,))
    baseline = call.vault.baseline
    rows = baseline.ledger.of_note(found.row.id)
    events = tuple(_event(row) for row in rows)
    known = tuple(_event(row) for row in rows if call.vault.vouches(row))
    approvals = [
        one for one in events if one.act in _APPROVALS and one.by == "person" and one.signed
    ]
    return Why(
        id=found.row.id,
        path=found.row.path,
        statement=found.decoded.memory.statement,
        origin=(
            _imported(call, found.row.id, known)
            or _proposed(call, found.row.id)
            or _origin(known, baseline.meta("adopted"))
        ),
        approved_by=approvals[-1].by if approvals else "",
        evidence=found.decoded.memory.evidence,
        evidence_count=found.standing.evidence_count,
        events=events,
        injections=tuple(
            one.isoformat() for one in injections_of(call, found.row.id)[:LAST_INJECTIONS]
        ),
        record=track_record(call, found.decoded.memory),
    )


def _waiting(call: Call, one: Waiting) -> Why:
    memory = one.candidate.memory
    if call.agent is not None:
        remember_shown(call, (memory.statement,))
    rows = call.vault.baseline.ledger.of_note(one.id)
    return Why(
        id=one.id,
        path=one.path,
        statement=memory.statement,
        origin=(
            _from_there(one.candidate.reasons, map(_event, filter(call.vault.vouches, rows)))
            or _proposed(call, one.id)
            or "It lies in the inbox; no device signed for it."
        ),
        approved_by="",
        evidence=memory.evidence,
        evidence_count=memory.evidence_count,
        events=tuple(map(_event, rows)),
        waiting=True,
    )


def _event(row: LedgerRow) -> Event:
    data: Mapping[str, object] = json.loads(row.data)
    return Event(
        at=row.at,
        act=row.act,
        by=str(data.get("by", "")),
        via=str(data.get("via", "")),
        keys=tuple(str(data.get("keys", "")).split()),
        device=row.device,
        signed=bool(row.signed),
    )


_WHO = {
    "person": "the person",
    "agent": "an agent",
    "policy": "vaultmem",
    "external": "another program",
}


def _proposed(call: Call, identifier: str) -> str:
    """Who proposed the candidate that it was; "" if it was none.

    Only a signed line says so, where this device can tell.
    """
    rows = call.vault.baseline.ledger.of_note(with_prefix(identifier, "cand"))
    known = [row for row in rows if call.vault.vouches(row)]
    first = next((row for row in known if row.act in ("created", "identified")), None)
    if first is None:
        return ""
    one = _event(first)
    by = f" by {_WHO[one.by]}" if one.by in _WHO else ""
    return f"It was proposed in the inbox{by} on {one.at[:10]}."


def _imported(call: Call, identifier: str, events: tuple[Event, ...]) -> str:
    """Which store it was imported from; "" for what was not, or waited in the inbox.

    The patch that brought it says the place; another device knows only that it was imported.
    """
    if not any(one.act == "created" and one.via == MIGRATE for one in events):
        return ""
    rows = (row for row in call.vault.patches.rows() if row.via == MIGRATE)
    told = next(filter(None, (_reason(row.note, identifier) for row in rows)), "")
    return _from_there((told,), events)


def _reason(patch: bytes, identifier: str) -> str:
    """The reason of the operation that adds a memory; "" where the patch has none.

    It is looked for and not read with the patch, which may hold ten thousand of them.
    """
    found = re.search(_ADDED % re.escape(identifier.encode()), patch)
    return str(json.loads(found[1])) if found is not None else ""


_ADDED = rb"\nreason: (\"[^\n]*\")\nmemory:\n  id: %b\n"


def _from_there(reasons: Iterable[str], events: Iterable[Event]) -> str:
    """What `source_said` wrote, with the day; "" where nobody signed for an import."""
    first = next((one for one in events if one.act == "created" and one.via == MIGRATE), None)
    if first is None:
        return ""
    said = next((one for one in reasons if one.startswith(SOURCE)), "")
    by = f" by {_WHO[first.by]}" if first.by in _WHO else ""
    place = said.removeprefix(SOURCE).rstrip(".")
    source = f"from a {place}" if place else "with `vaultmem migrate`"
    return f"It was imported {source}{by} on {first.at[:10]}."


def _origin(events: tuple[Event, ...], adopted: str) -> str:
    first = next((one for one in events if one.act in ("created", "identified")), None)
    if first is None:
        return f"It was in the vault when this device first looked, on {adopted[:10]}."
    how = {
        "add": "added with `vaultmem add`",
        "sync": "written as a note in the vault",
        "inbox": "approved in the inbox",
        "patch": "applied from a patch",
        "curate": "applied from a patch",
        "session_end": "applied at the end of a session",
    }.get(first.via, "made")
    who = {
        "person": "by the person",
        "agent": "by an agent",
        "policy": "by itself",
        "adopted": "before this device looked",
    }
    return f"It was {how} {who.get(first.by, '')}".rstrip() + f" on {first.at[:10]}."
