"""Decide what becomes of each record of a source; nothing is written."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.guards import refuse_grant, refuse_task
from vaultmem.core.ids import MemoryId, hashed_id, is_id, short_id, with_prefix
from vaultmem.core.importing.plan import Beside, Fate, Plan, Planned
from vaultmem.core.inert import clean
from vaultmem.core.inquiry import MAX_QUESTION, inquiry_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import IN_A_PROJECT, Layer, Memory, Status
from vaultmem.core.naming import tag_name
from vaultmem.errors import KeyMissingError
from vaultmem.services.capture import LASTS, MAX_STATEMENT
from vaultmem.services.capturing.guarding import texts_of
from vaultmem.services.capturing.secret_scan import redact, refuse_fields
from vaultmem.services.inquiring.asking import shortened
from vaultmem.services.inquiring.notes import by_id
from vaultmem.services.migrating.known import KnownHere
from vaultmem.services.patching.writes import MIGRATE
from vaultmem.services.ratify import need_key
from vaultmem.services.reinforce import sessions_counted
from vaultmem.services.scratchpad import MAX_ITEM, scratchpad_items
from vaultmem.services.tombstones import deleted_texts, standing_tombstone, tombstone_for

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from vaultmem.core.importing.item import (
        Gathered,
        ImportedInquiry,
        ImportedItem,
        ImportedTask,
        ImportKind,
    )
    from vaultmem.core.likeness import Known
    from vaultmem.services.call import Call

VERB = MIGRATE
DELETED_HERE = "records that were deleted in this vault"
RETIRED = "identity memories that are not in force"
_EVERY = 100
"""Records after which progress is told."""
_SILENT = "It says nothing that can be seen."
_REFUSED = (
    "It holds what looks like a secret, and secrets are never remembered; take it out there, then "
    "import it again."
)


class _Look(NamedTuple):
    """What a record is compared with."""

    call: Call
    kind: ImportKind
    known: KnownHere
    buried: Sequence[Known]
    counted: Callable[[str], frozenset[str]]


def plan(
    call: Call, gathered: Gathered, *, told: Callable[[int], None] = lambda _done: None
) -> Plan:
    """The fate of each record, by every guard of the write path; compared with the last sync.

    Args:
        call: the circumstances.
        gathered: what a reader found.
        told: is told now and then how many records are decided.

    Raises:
        AgentRefusedError: if an agent calls.
        KeyMissingError: if this device has no key: the ids of what is imported are made with it.
    """
    call.person_only(VERB)
    need_key(call)
    counted = cache(partial(sessions_counted, call))  # a source may say one thing very often
    look = _Look(call, gathered.kind, KnownHere(call), deleted_texts(call), counted)
    planned = []
    for number, item in enumerate(gathered.items, 1):
        planned.append(_decided(look, item))
        if number % _EVERY == 0:
            told(number)
    return Plan(gathered=gathered, planned=tuple(planned), beside=_beside(call, gathered))


def own_id(call: Call, kind: ImportKind, key: str) -> MemoryId:
    """The id that a record has in this vault, on every device and day.

    A record that `vaultmem export` wrote keeps its id, so that an export that is imported again
    finds every memory.

    Raises:
        KeyMissingError: if this device has no key.
    """
    if call.vault.key is None:
        raise KeyMissingError("This device has no key. Run `vaultmem key import`.")
    exported = key.replace("cap_", "mem_", 1) if key.startswith("cap_") else key
    if is_id(exported, "mem"):
        return MemoryId(exported)
    message = f"{kind}\n{key}".encode("utf-8", "surrogatepass")
    return MemoryId(hashed_id("mem", call.vault.key.mac("import", message)))


def session_of(identifier: str) -> str:
    """What counts as the session in which a record strengthens a memory, so that it does once."""
    return f"import {identifier}"


def _decided(look: _Look, item: ImportedItem) -> Planned:
    blank = Planned(item=item, fate=Fate.MEMORY, memory=_normal(look, item))
    for step in _STEPS:
        if (found := step(look, blank)) is not None:
            return found
    look.known.add(blank.memory)
    return blank


def _unfit(_: _Look, one: Planned) -> Planned | None:
    size = len(one.memory.statement)
    faults = {
        _SILENT: not any(map(str.isalnum, one.memory.statement)),
        f"It has {size} characters; a memory has at most {MAX_STATEMENT}. Keep it as a note, and "
        "add the one thing to remember.": size > MAX_STATEMENT,
        "It is a session's log, which is no memory.": one.memory.layer is Layer.SESSION,
    }
    reason = next((fault for fault, there in faults.items() if there), None)
    return None if reason is None else replace(one, fate=Fate.QUARANTINED, reason=reason)


def _by_id(look: _Look, one: Planned) -> Planned | None:
    """What was imported before, whatever became of it here."""
    baseline, identifier = look.call.vault.baseline, one.memory.id
    candidate = with_prefix(identifier, "cand")
    here = baseline.memory(identifier) is not None
    if not here and standing_tombstone(look.call, identifier) is not None:
        return replace(one, fate=Fate.LEFT, reason=DELETED_HERE)
    there = here or baseline.notes_with_id(candidate)
    told = any(
        baseline.ledger.signed(name, LedgerKind.ACTIVITY) for name in (identifier, candidate)
    )
    if there or told:
        reason = "It was imported before."
        return replace(one, fate=Fate.KNOWN, about=identifier, reason=reason)
    return None


def _secret(_: _Look, one: Planned) -> Planned | None:
    if refuse_fields(one.item.memory.statement, *texts_of(one.memory)) is None:
        return None
    return replace(one, fate=Fate.QUARANTINED, reason=_REFUSED)


def _deleted(look: _Look, one: Planned) -> Planned | None:
    if tombstone_for(look.call, "", one.memory, buried=look.buried) is None:
        return None
    return replace(one, fate=Fate.LEFT, reason=DELETED_HERE)


def _retired(_: _Look, one: Planned) -> Planned | None:
    gone = one.memory.layer is Layer.IDENTITY and one.memory.status is not Status.ACTIVE
    return replace(one, fate=Fate.LEFT, reason=RETIRED) if gone else None


def _set_aside(_: _Look, one: Planned) -> Planned | None:
    """What is not in force there is kept as it is, and asks nobody."""
    return one if one.memory.status is not Status.ACTIVE else None


def _repeats(look: _Look, one: Planned) -> Planned | None:
    """What a memory or a candidate says already."""
    same = look.known.says(one.memory)
    if same is None:
        waits = look.known.waits(one.memory)
        said = "A candidate that waits here says the same."
        return replace(one, fate=Fate.KNOWN, reason=said) if waits else None
    about = MemoryId(same.id)
    if same.status in (Status.SUPERSEDED, Status.DEPRECATED, Status.DELETED):
        reason = f"The same words are {same.status} here ({short_id(about)})."
        return _waits(look, one, reason, about=about)
    if same.status != Status.ACTIVE or one.memory.layer is Layer.IDENTITY:
        reason = f"The same words are here ({short_id(about)})."
        return replace(one, fate=Fate.KNOWN, about=about, reason=reason)
    session = session_of(one.memory.id)
    fate = Fate.KNOWN if session in look.counted(same.id) else Fate.STRENGTHENED
    reason = f"The same words are here ({short_id(about)})."
    return replace(one, fate=fate, about=about, reason=reason)


def _one_off(look: _Look, one: Planned) -> Planned | None:
    refusal = refuse_grant(one.memory.statement)
    if refusal is None and one.memory.scope not in LASTS:
        refusal = refuse_task(one.memory.statement)
    return None if refusal is None else _waits(look, one, refusal.sentence)


def _contradicts(look: _Look, one: Planned) -> Planned | None:
    against = look.known.against(one.memory)
    if against is None:
        return None
    known, found = against
    reason = f'"{_short(found.new)}" contradicts "{_short(found.existing)}".'
    return _waits(look, one, reason, about=MemoryId(known.id))


def _homeless(look: _Look, one: Planned) -> Planned | None:
    if one.memory.scope not in IN_A_PROJECT or one.memory.project:
        return None
    reason = (
        "It holds in a project, and its source does not say in which one: name it with "
        "`--project`, or set `project` in its note before you approve it."
    )
    return _waits(look, one, reason)


def _identity(look: _Look, one: Planned) -> Planned | None:
    if one.memory.layer is not Layer.IDENTITY:
        return None
    return _waits(look, one, "It is about who you are (L1), which only you can put in force.")


def _waited(look: _Look, one: Planned) -> Planned | None:
    """What was a candidate in its source."""
    return _waits(look, one, one.item.waits, guarded=False) if one.item.waits else None


_STEPS: tuple[Callable[[_Look, Planned], Planned | None], ...] = (
    _unfit,
    _by_id,
    _secret,
    _deleted,
    _retired,
    _set_aside,
    _repeats,
    _one_off,
    _contradicts,
    _homeless,
    _identity,
    _waited,
)
"""In this order, as on the write path; the first that answers decides, and a memory is left."""


def _waits(
    look: _Look,
    one: Planned,
    reason: str,
    *,
    about: MemoryId | None = None,
    guarded: bool = True,
) -> Planned:
    look.known.wait(one.memory)
    return replace(one, fate=Fate.CANDIDATE, reason=reason, about=about, guarded=guarded)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:78].rstrip()} …"


def _normal(look: _Look, item: ImportedItem) -> Memory:
    """The record as a memory of ours: visible text, our tags, an id, a review."""
    was, now = item.memory, look.call.local
    created = min(was.created or now, now)  # what is to come would never fade
    lasts = LASTS.get(was.scope)
    review = was.review or (now + timedelta(days=was.review_days)).date()
    return replace(
        was,
        id=own_id(look.call, look.kind, item.key),
        statement=clean(was.statement).text,
        project=clean(was.project or "").text or None,
        domains=_seen(was.domains),
        tags=tuple(dict.fromkeys(filter(None, map(tag_name, was.tags)))),
        evidence_count=max(was.evidence_count, 1),
        created=created,
        reinforced=min(was.reinforced or now, now),
        review=review if was.status is Status.ACTIVE else was.review,
        change_condition=clean(was.change_condition or "").text or None,
        vault_ref=clean(was.vault_ref or "").text or None,
        applies_when=_seen(was.applies_when),
        not_when=_seen(was.not_when),
        exceptions=_seen(was.exceptions),
        expires=was.expires or (None if lasts is None else created + lasts),
        source_session=clean(redact(was.source_session or "")).text or None,
    )


def _seen(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (clean(text).text for text in texts))))


def _beside(call: Call, gathered: Gathered) -> tuple[Beside, ...]:
    """The fates of questions and of the scratchpad's items."""
    asked = by_id(call) if gathered.inquiries else {}
    there = {one.text for one in scratchpad_items(call)} if gathered.tasks else set()
    return (
        *(_of_inquiry(call, one, asked) for one in gathered.inquiries),
        *(_of_task(call, one, there) for one in gathered.tasks),
    )


def _of_inquiry(call: Call, one: ImportedInquiry, asked: Container[str]) -> Beside:
    question = shortened(one.question, MAX_QUESTION)
    if not question:
        return Beside(record=one, fate=Fate.QUARANTINED, reason=_SILENT)
    fields = (one.question, one.context, one.project or "", *one.tags, *one.sessions)
    if refuse_fields(*fields) is not None:
        return Beside(record=one, fate=Fate.QUARANTINED, reason=_REFUSED)
    identifier = inquiry_id(question, one.project or None)
    told = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return Beside(record=one, fate=Fate.KNOWN if identifier in asked or told else Fate.MEMORY)


def _of_task(call: Call, one: ImportedTask, there: Container[str]) -> Beside:
    text = clean(one.text).text
    if not text:
        return Beside(record=one, fate=Fate.QUARANTINED, reason=_SILENT)
    if len(text) > MAX_ITEM:
        reason = f"The item is longer than {MAX_ITEM} characters."
        return Beside(record=one, fate=Fate.QUARANTINED, reason=reason)
    if refuse_fields(one.text) is not None:
        return Beside(record=one, fate=Fate.QUARANTINED, reason=_REFUSED)
    told = call.vault.baseline.ledger.of_hash(task_mac(call, text), LedgerKind.ACTIVITY)
    known = text in there or any(line.signed for line in told)
    return Beside(record=one, fate=Fate.KNOWN if known else Fate.MEMORY)


def task_mac(call: Call, text: str) -> str:
    """The keyed hash by which a ledger line says that an item of a scratchpad was taken over."""
    return call.vault.key.mac("import item", text.encode()) if call.vault.key is not None else ""
