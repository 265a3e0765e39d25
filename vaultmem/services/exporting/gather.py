"""Reads what an export tells, of everything or of one project: no secrets, each text one line.

What cannot be read is left out; it is a finding of every sync.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.evidence import EvidenceId
from vaultmem.core.holdings import (
    Asked,
    Deleted,
    Happened,
    Held,
    Holdings,
    Undecided,
    Waits,
)
from vaultmem.core.ids import MemoryId, short_id
from vaultmem.core.inert import escape_inline
from vaultmem.core.inquiry import InquiryStatus
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.visible import visible_line
from vaultmem.errors import AgentRefusedError
from vaultmem.services import evidence
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curating.candidates import is_external, waiting
from vaultmem.services.diagnosing.examined import load_live
from vaultmem.services.diagnosing.succession import moment_of
from vaultmem.services.inquiries import inquiries
from vaultmem.services.outcomes import outcome_in
from vaultmem.services.patches import open_patches
from vaultmem.services.promoting.lines import said
from vaultmem.services.switch import READ, switched_off
from vaultmem.services.sync import catch_up
from vaultmem.services.tombstones import DELETED, WITHDRAWN
from vaultmem.services.waiting import open_promotions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.store.baseline_rows import LedgerRow

DELETED_TEXT = "(deleted)"
"""Stands for the words of a memory that was deleted and not purged."""
_UNLINKABLE = frozenset("[]|#^")
"""What no wikilink can hold; our own names never have it."""


def gather(call: Call, *, project: str = "", deleted_texts: bool = False) -> Holdings:
    """What the vault holds; what a person edited since the last sync counts already.

    An agent that asks is told what it was shown, so that nothing is learned from it again.

    Args:
        call: the circumstances.
        project: its identity; memories of other projects are left out, those of none stay. "" for
            everything.
        deleted_texts: tell also what a deleted memory said, where its text is still there.

    Raises:
        AgentRefusedError: if an agent calls where recalling is switched off.
    """
    if call.agent is not None and (off := switched_off(call, READ, project=project or None)):
        raise AgentRefusedError(off.sentence)
    catch_up(call)
    found, _ = load_live(call)
    by_title = {name_key(title_of(one.row.path)): MemoryId(one.row.id) for one in found}
    held = [_held(call, one, by_title) for one in found]
    undecided = [Undecided(one, (said(call, one).memory,)) for one in open_promotions(call)]
    everything = Holdings(
        memories=tuple(held if deleted_texts else map(_without_deleted, held)),
        candidates=tuple(_candidates(call, by_title)),
        evidence=tuple(_evidence(call)),
        outcomes=tuple(_outcomes(call)),
        deleted=tuple(_deleted(call)),
        inquiries=tuple(_inquiries(call, by_title)),
        patches=tuple(_patches(call)),
        promotions=tuple(undecided),
    )
    made = everything.of_project(project)
    if call.agent is not None:
        remember_shown(call, _texts(made))
    return made


def link_to_note(call: Call, path: str) -> str:
    """A wikilink to a note from anywhere: by its name, by its path where two have the name."""
    title, whole = title_of(path), path.removesuffix(".md")
    if not _UNLINKABLE.isdisjoint(whole):
        return f"`{visible_line(title).replace('`', chr(39))}`"
    alone = len(call.vault.baseline.stems(name_key(title))) <= 1
    return f"[[{title}]]" if alone else f"[[{whole}|{title}]]"


def references(held: Holdings) -> Mapping[str, str]:
    """What leads to each memory's note, by its id, for a text that is a note itself."""
    return {one.memory.id: one.link for one in held.memories}


def refer(identifier: str, links: Mapping[str, str] | None) -> str:
    """How a text names a memory: by a link in a note, else by the end of its id, as a report does.

    Args:
        identifier: of a memory, or of anything else, which has no link.
        links: what `references` gives; None outside of a note.
    """
    if links is None:
        return short_id(identifier)
    return links.get(identifier, f"`{identifier}`")


def as_told(text: str) -> str:
    """The text as one visible line without secrets."""
    return redact(visible_line(text))


def title_line(kind: str, project: str) -> str:
    """The first line of a text that is about one project, or about everything."""
    return f"# {kind} of {escape_inline(project)}" if project else f"# {kind}"


def _without_deleted(held: Held) -> Held:
    """The memory; of a deleted one only that it was there."""
    if held.memory.status is not Status.DELETED:
        return held
    memory = replace(held.memory, statement=DELETED_TEXT, tags=())
    return held._replace(memory=memory, path="", link=f"`{memory.id}`", cites=())


def _held(call: Call, found: FoundMemory, by_title: Mapping[str, MemoryId]) -> Held:
    path, memory = found.row.path, found.decoded.memory

    def ids(links: Iterable[str]) -> tuple[MemoryId, ...]:
        return _named(links, by_title)

    return Held(
        _inert(memory),
        path,
        link_to_note(call, path),
        cites=evidence.cited(memory.evidence),
        supersedes=ids(memory.supersedes),
        superseded_by=ids(memory.superseded_by),
        derived_from=ids(memory.derived_from),
        informs=ids(memory.informs),
        counted=_counted(call, memory.id),
    )


def _counted(call: Call, memory: str) -> tuple[EvidenceId, ...]:
    """The pieces that signed lines name for a memory."""
    rows = call.vault.baseline.ledger.signed(memory, LedgerKind.REINFORCEMENT)
    named = " ".join(str(json.loads(row.data).get("pieces", "")) for row in rows)
    return tuple(map(EvidenceId, dict.fromkeys(named.split())))


def _named(links: Iterable[str], by_title: Mapping[str, MemoryId]) -> tuple[MemoryId, ...]:
    """The memories that links lead to, each once."""
    keys = (name_key(title_of(target)) for target in link_targets(links))
    return tuple(dict.fromkeys(by_title[key] for key in keys if key in by_title))


def _inert(memory: Memory) -> Memory:
    """The memory with every text that an export shows as one visible line without secrets."""
    return replace(
        memory,
        statement=as_told(memory.statement),
        project=memory.project and as_told(memory.project),
        tags=tuple(map(as_told, memory.tags)),
    )


def _candidates(call: Call, by_title: Mapping[str, MemoryId]) -> Iterator[Waits]:
    found = {one.id: one for one in waiting(call) if not is_external(one)}
    for one in sorted(found.values(), key=lambda one: one.id):
        memory, link = one.candidate.memory, link_to_note(call, one.path)
        matched = _named(one.candidate.matched, by_title)
        yield Waits(_inert(memory), one.path, link, matched, evidence.cited(memory.evidence))


def _evidence(call: Call) -> list[Evidence]:
    """Every readable piece by id, without secrets."""
    pieces = {one.id: one for one in reversed(evidence.everything(call))}
    return [_told_piece(pieces[one]) for one in sorted(pieces)]


def _patches(call: Call) -> Iterator[Undecided]:
    for opened in open_patches(call):
        operations = opened.patch.operations
        about = (name for one in operations for name in (one.target, one.candidate) if name)
        yield Undecided(opened.id, tuple(about))


def _inquiries(call: Call, by_title: Mapping[str, MemoryId]) -> Iterator[Asked]:
    """Every question by id; what an agent wrote into one is not told."""
    found = {one.id: one.inquiry for one in inquiries(call) if not one.external}
    for name in sorted(found):
        one = found[name]
        answers = _named([one.answer], by_title) if one.answer else ()
        yield Asked(
            id=name,
            question=as_told(one.question),
            is_open=one.status is InquiryStatus.OPEN,
            priority=one.priority,
            sessions=tuple(map(as_told, one.sessions)),
            project=as_told(one.project or ""),
            tags=tuple(map(as_told, one.tags)),
            memories=_named(one.matched, by_title),
            answer=next(iter(answers), None),
            first_seen=one.created,
            last_seen=one.last_seen,
        )


def _told_piece(one: Evidence) -> Evidence:
    return replace(
        one,
        excerpt=as_told(one.excerpt),
        summary=as_told(one.summary),
        project=one.project and as_told(one.project),
        session=one.session and as_told(one.session),
        source_ref=as_told(one.source_ref),
    )


def _outcomes(call: Call) -> Iterator[Happened]:
    """The signed outcomes of every memory, oldest first."""
    for row in call.vault.baseline.ledger.of_kind(LedgerKind.REINFORCEMENT):
        if row.signed and (outcome := outcome_in(row)) is not None:
            yield Happened(row.line, MemoryId(row.note), moment_of(call, row), outcome)


def _deleted(call: Call) -> Iterator[Deleted]:
    """The standing tombstones that somebody signed, each memory's newest."""
    newest: dict[str, LedgerRow] = {}
    for row in call.vault.baseline.ledger.of_kind(LedgerKind.TOMBSTONES):
        if row.signed and row.act == DELETED:
            newest[row.note] = row
        elif row.signed and row.act == WITHDRAWN:
            newest.pop(row.note, None)
    for row in newest.values():
        mode = str(json.loads(row.data).get("mode", ""))
        yield Deleted(row.line, MemoryId(row.note), moment_of(call, row), as_told(mode))


def _texts(held: Holdings) -> Iterator[str]:
    yield from (one.memory.statement for one in held.memories)
    yield from (one.memory.statement for one in held.candidates)
    yield from (one.text for one in held.evidence)
    yield from (one.question for one in held.inquiries)
