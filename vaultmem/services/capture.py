"""The one write path for a new memory: what stops it, what it repeats, where it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from vaultmem.core.duplicate import difference
from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import MemoryId
from vaultmem.core.inert import clean
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Category, Cue, Memory, Scope, Status
from vaultmem.core.naming import title_of
from vaultmem.core.normal import statement_key
from vaultmem.core.place import home_folder
from vaultmem.errors import CaptureRefusedError
from vaultmem.index.hybrid import Mode
from vaultmem.notes.codec import encode_memory
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.call import Actor
from vaultmem.services.guarding import Conflict, as_finding, conflict, refused
from vaultmem.services.hold import put_candidate
from vaultmem.services.identify import STATED_CONFIDENCE, STATED_EVIDENCE
from vaultmem.services.indexing import refresh
from vaultmem.services.lookup import FoundMemory, find_memory
from vaultmem.services.record import force_mac, recount
from vaultmem.services.search import embed_for_a_moment
from vaultmem.services.sync import ensure_current
from vaultmem.services.tombstones import tombstone_for
from vaultmem.services.write import Write, entry, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.core.standing import Standing
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

MAX_STATEMENT = 2_000
"""Characters; a statement is one sentence or two, not a document."""
AGENT_CONFIDENCE = 0.70
"""Confidence of what a tool writes (DESIGN §5)."""
_NEAREST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants to be remembered."""

    text: str
    category: Category
    scope: Scope = Scope.GLOBAL
    project: str | None = None
    cue: Cue = Cue.EXPLICIT
    tags: tuple[str, ...] = ()
    pin: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What became of it.

    Attributes:
        outcome: added, reinforced, candidate or refused.
        id: of the memory or candidate; None where it was refused.
        path: its note, relative to the vault.
    """

    outcome: str
    id: str | None = None
    path: str | None = None
    findings: tuple[Finding, ...] = ()


def add(
    call: Call, engine: SearchEngine, wish: Wish, *, override_conflicts: bool = False
) -> Captured:
    """Remember a statement: as a memory where a person says it, as a candidate where an agent does.

    In this order: secrets, one-off permissions, tasks; contradiction, because "always X" and
    "never X" embed alike; repetition; deletion.

    Args:
        call: the circumstances.
        engine: the search engine of the vault.
        wish: what is to be remembered.
        override_conflicts: the user confirmed that it replaces an unpinned memory which it
            contradicts.

    Raises:
        CaptureRefusedError: if nothing that can be remembered is left of the text.
        BusyError, NoteError, ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    ensure_current(call)
    statement, findings = _statement(wish.text)
    with call.vault.lock():
        memory = _memory(call, wish, statement)
        if stop := refused(memory, wish.text):
            return Captured(outcome="refused", findings=(*findings, stop))
        refresh(call, engine)
        against = conflict(call, engine, memory)
        if against and (refusal := against.refusal(overridden=override_conflicts)):
            return Captured(outcome="refused", findings=(*findings, as_finding(refusal)))
        same = None if against else _duplicate(call, engine, memory)
        if same is not None:
            return _reinforce(call, same, findings)
        stone = tombstone_for(call, "", memory)
        if stone is not None and call.actor is Actor.AGENT:
            gone = finding("VM321")
            return Captured(outcome="refused", findings=(*findings, gone))
        if stone is not None or call.actor is Actor.AGENT:
            return _candidate(call, memory, findings, hit=stone is not None, against=against)
        return _added(call, engine, memory, findings, against)


def _statement(text: str) -> tuple[str, tuple[Finding, ...]]:
    visible = clean(text)
    if not visible.text:
        raise CaptureRefusedError(
            "There is nothing to remember in that text. Say it in a sentence."
        )
    if len(visible.text) > MAX_STATEMENT:
        raise CaptureRefusedError(
            f"The text has {len(visible.text)} characters; a memory has at most {MAX_STATEMENT}. "
            "Say the one thing to remember, and link a note that holds the rest."
        )
    hidden = (finding("VM114"),) if visible.removed else ()
    return visible.text, hidden


def _memory(call: Call, wish: Wish, statement: str) -> Memory:
    person = call.actor is Actor.PERSON
    return Memory(
        id=MemoryId(call.new_id("mem")),
        statement=statement,
        category=wish.category,
        scope=wish.scope,
        project=wish.project if wish.scope is Scope.PROJECT else None,
        cue=wish.cue,
        confidence=STATED_CONFIDENCE if person else AGENT_CONFIDENCE,
        evidence_count=STATED_EVIDENCE if person else 1,
        pinned=wish.pin,
        tags=wish.tags,
        created=call.local,
        reinforced=call.local,
        review=(call.local + timedelta(days=30)).date(),
    )


def _duplicate(call: Call, engine: SearchEngine, memory: Memory) -> str | None:
    """The live memory of the category that says the same, by its words or by its meaning."""
    baseline = call.vault.baseline
    for row in baseline.memories(
        "statement_key = ? AND state = 'live'", statement_key(memory.statement)
    ):
        if _comparable(baseline.standing(row.id), memory):
            return row.id
    near = engine.search(memory.statement, mode=Mode.SEMANTIC, limit=_NEAREST)
    for hit in near.hits:
        if hit.id is None or hit.cosine is None or hit.cosine < engine.thresholds.dedup:
            continue
        known = baseline.standing(hit.id)
        if known is None or not _comparable(known, memory):
            continue
        if difference(memory.statement, known.statement) is None:
            return hit.id
    return None


def _comparable(known: Standing | None, memory: Memory) -> bool:
    """Whether two memories hold in the same place, so that one can repeat the other."""
    return (
        known is not None
        and known.category == memory.category
        and known.status == "active"
        and known.project == (memory.project or "")
    )


def _reinforce(call: Call, identifier: str, findings: tuple[Finding, ...]) -> Captured:
    """A repeated statement is one more piece of evidence, as a line of the ledger."""
    values = {"evidence": 1, "local": call.seconds, "by": call.actor.value, "via": "add"}
    line = entry(call, "reinforced", identifier, values)
    call.vault.append(LedgerKind.REINFORCEMENT, [line])
    recount(call.vault.baseline, identifier)
    row = call.vault.baseline.memory(identifier)
    path = row.path if row is not None else None
    return Captured(outcome="reinforced", id=identifier, path=path, findings=findings)


def _candidate(
    call: Call,
    memory: Memory,
    findings: tuple[Finding, ...],
    *,
    hit: bool,
    against: Conflict | None,
) -> Captured:
    reasons = ["the same memory was deleted before"] if hit else ["an agent proposes it"]
    if against is not None:
        reasons.append("it contradicts the memory that it matches")
    matched = [against.known.id] if against is not None else []
    trust = "direct_user_instruction" if call.actor is Actor.PERSON else "agent_inference"
    identifier, path = put_candidate(call, memory, trust=trust, reasons=reasons, matched=matched)
    return Captured(outcome="candidate", id=identifier, path=path, findings=findings)


def _added(
    call: Call,
    engine: SearchEngine,
    memory: Memory,
    findings: tuple[Finding, ...],
    against: Conflict | None,
) -> Captured:
    vault = call.vault
    old = [] if against is None else [find_memory(call, against.known.id)]
    memory = replace(memory, supersedes=tuple(f"[[{one.decoded.title}]]" for one in old))
    mac = force_mac(vault, memory)
    if mac:
        line = entry(call, "given", memory.id, {"after": mac, "by": "person", "via": "add"})
        vault.append(LedgerKind.FORCE, [line])
    folder = home_folder(memory.category, identity=False)
    path = vault.free_path(folder, memory.statement, memory.id)
    data = encode_memory(memory)
    new = Write(path, data, None, memory.id, "created", by="person", via="add")
    write_notes(call, [new, *(_superseded(call, one, path) for one in old)])
    refresh(call, engine)
    embed_for_a_moment(engine)
    return Captured(outcome="added", id=memory.id, path=path, findings=findings)


def _superseded(call: Call, old: FoundMemory, by: str) -> Write:
    """The note of a memory that the user replaced, linked to the one that replaces it."""
    before = read_note(call.vault.path, old.row.path)
    name = title_of(by)
    after = set_properties(
        before,
        {
            "status": Status.SUPERSEDED.value,
            "superseded_by": [*old.decoded.memory.superseded_by, f"[[{name}]]"],
        },
    )
    return Write(
        old.row.path,
        after,
        expected=etag_of(before),
        id=old.row.id,
        act="superseded",
        by="person",
        via="add",
        keys="status superseded_by",
    )
