"""Write what an import leaves behind its patch: candidates, evidence more, questions, a report."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.ids import with_prefix
from vaultmem.core.inquiry import (
    MAX_CONTEXT,
    MAX_QUESTION,
    Inquiry,
    Priority,
    inquiry_id,
)
from vaultmem.core.ledger import NO_NOTE, LedgerKind
from vaultmem.core.naming import name_key, tag_name, title_of
from vaultmem.core.trust import TrustClass
from vaultmem.services.call import Actor
from vaultmem.services.curating.proposals import BALANCE, IMPORTED, MIGRATED
from vaultmem.services.curating.put_candidate import candidate_write
from vaultmem.services.exporting.saved import save
from vaultmem.services.inquiring.asking import ask_once, shortened
from vaultmem.services.inquiring.notes import by_id
from vaultmem.services.migrating import pending
from vaultmem.services.migrating.plan import VERB, task_mac
from vaultmem.services.reinforce import reinforce_all
from vaultmem.services.scratchpad import add_item, scratchpad_items
from vaultmem.services.write import entry, write_notes
from vaultmem.store.patches import UNFINISHED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.services.call import Call
    from vaultmem.services.migrating.pending import Pending, WaitingCandidate, WaitingInquiry
    from vaultmem.services.write import Write

_DECIDED = frozenset(("approved", "rejected"))
_AT_ONCE = 200
"""Candidates that are written together."""


def finish(call: Call) -> str | None:
    """Do what is left of an import, if anything is; an agent's command leaves it to the next one.

    Returns:
        The path of the report note; None where nothing was left, or it waits for the patch.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`; the next sync goes
            on.
    """
    baseline = call.vault.baseline
    if call.actor is Actor.AGENT:
        return None
    with call.vault.lock():
        left = pending.kept(baseline)
        if left is None:
            return None
        row = call.vault.patches.row(left.patch) if left.patch else None
        if left.patch and row is None:  # killed before the patch: nothing of it has happened
            pending.drop(baseline)
            return None
        if row is not None and row.status in UNFINISHED:
            return None
        path = _write(call, left)
        pending.drop(baseline)
        return path


def _write(call: Call, left: Pending) -> str:
    by_person = call._replace(actor=Actor.PERSON, agent=None)  # who gave the command
    for batch in _batches(by_person, left.candidates):
        _vouch(call, batch)
        write_notes(by_person, [write for _, write in batch])
    live = [one for one in left.counted if call.vault.baseline.standing(one.memory) is not None]
    reinforce_all(call, live, by=Actor.POLICY, via=VERB)
    known = by_id(call) if left.asked else {}
    for one in left.asked:
        if (asked := _inquiry(call, one)).id not in known:
            ask_once(by_person, asked, (), known, via=VERB)
    there = scratchpad_items(call) if left.tasks else ()
    for text in left.tasks:
        if text not in {item.text for item in there}:
            there = add_item(by_person, text).items
        values = {"after": task_mac(call, text), "via": VERB}
        call.vault.append(LedgerKind.ACTIVITY, [entry(call, IMPORTED, NO_NOTE, values)])
    return save(by_person, "import", left.report, via=VERB)


def _batches(
    call: Call, candidates: Iterable[WaitingCandidate]
) -> Iterator[list[tuple[WaitingCandidate, Write]]]:
    """The candidates that are still to be written; no two of a batch have one name."""
    batch: list[tuple[WaitingCandidate, Write]] = []
    names: set[str] = set()
    for one in candidates:
        if _is_done(call, one):
            continue
        write = _candidate(call, one)
        if len(batch) == _AT_ONCE or name_key(title_of(write.path)) in names:
            yield batch
            batch, names = [], set()
            write = _candidate(call, one)
        batch.append((one, write))
        names.add(name_key(title_of(write.path)))
    if batch:
        yield batch


def _is_done(call: Call, one: WaitingCandidate) -> bool:
    baseline, own = call.vault.baseline, one.memory.id
    lines = baseline.ledger.signed(own, LedgerKind.ACTIVITY)
    return (
        bool(baseline.notes_with_id(own))
        or baseline.memory(with_prefix(own, "mem")) is not None
        or any(line.act in _DECIDED for line in lines)
    )


def _candidate(call: Call, one: WaitingCandidate) -> Write:
    pinned = ("It was pinned there; pin it with `vaultmem pin` once it is a memory.",)
    return candidate_write(
        call,
        one.memory,
        trust=None if one.unchecked else TrustClass.AGENT_INFERENCE.value,
        durability=one.durability,
        verification="unverified" if one.unchecked else "review_required",
        reasons=(one.reason, *(pinned if one.memory.pinned else ()), *filter(None, (one.source,))),
        matched=(one.about,) if one.about else (),
        via=VERB,
    )


def _vouch(call: Call, batch: Iterable[tuple[WaitingCandidate, Write]]) -> None:
    """Sign what the source said of each, which a note cannot."""
    lines = [
        entry(
            call,
            MIGRATED if one.unchecked else IMPORTED,
            one.memory.id,
            {"by": Actor.PERSON.value, "via": VERB, BALANCE: one.balance},
        )
        for one, _ in batch
    ]
    call.vault.append(LedgerKind.ACTIVITY, lines)


def _inquiry(call: Call, one: WaitingInquiry) -> Inquiry:
    question = shortened(one.question, MAX_QUESTION)
    project = one.project or None
    created = datetime.fromisoformat(one.created) if one.created else call.local
    last = datetime.fromisoformat(one.last_seen) if one.last_seen else created
    return Inquiry(
        id=inquiry_id(question, project),
        question=question,
        context=shortened(one.context, MAX_CONTEXT),
        priority=Priority(one.priority),
        project=project,
        tags=tuple(filter(None, map(tag_name, one.tags))),
        sessions=one.sessions,
        created=created,
        last_seen=last,
        device=call.vault.device,
    )
