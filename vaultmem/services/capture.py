"""The one write path for a new memory: what stops it, what it repeats, where it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.draft_operation import exceptions_between
from vaultmem.core.finding import CODES, Finding, finding
from vaultmem.core.ids import MemoryId, short_id
from vaultmem.core.inert import clean
from vaultmem.core.model import IN_A_PROJECT, Category, Cue, Memory, RuleType, Scope, Status
from vaultmem.core.naming import tag_name
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.place import home_folder
from vaultmem.core.topic import scope_of
from vaultmem.errors import CaptureRefusedError
from vaultmem.notes.codec import encode_memory
from vaultmem.services import evidence
from vaultmem.services.apply import apply_all
from vaultmem.services.capturing.guarding import (
    Conflict,
    as_finding,
    conflict_among,
    nearby,
    refused,
)
from vaultmem.services.capturing.propose import propose
from vaultmem.services.capturing.repeat import (
    repeated_candidate,
    repeated_memory,
    set_aside,
    strengthen,
)
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.capturing.source import (
    AGENT_CONFIDENCE,
    TYPED,
    Channel,
    Source,
    can_ask,
    durability_of,
    evidence_of,
    is_typed_by_person,
    trust_of,
    whose,
    without_secrets,
)
from vaultmem.services.enforcing.advice import advice_on
from vaultmem.services.force import sign_force
from vaultmem.services.indexing import refresh
from vaultmem.services.lookup import find_memory
from vaultmem.services.reinforce import has_counted, reinforce
from vaultmem.services.search import embed_for_a_moment
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.identify import STATED_CONFIDENCE, STATED_EVIDENCE
from vaultmem.services.syncing.record import force_mac
from vaultmem.services.tombstones import tombstone_for, tombstone_in_meaning
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.standing import Standing
    from vaultmem.core.trust import Durability, TrustClass
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

__all__ = ["Captured", "Channel", "Source", "Wish", "add"]

MAX_STATEMENT = 2_000
"""Characters; a statement is one sentence or two, not a document."""

LASTS = {Scope.SESSION: timedelta(hours=24), Scope.TASK: timedelta(days=14)}
"""How long a memory of these scopes holds at most (DESIGN §5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants to be remembered.

    Attributes:
        durability: for how long it was meant; None for what its scope says.
        confidence: None for what is usual of its source.
        trigger, action, verifier: a guardrail, in the forms of `core.enforcement.trigger_advice`.
    """

    text: str
    category: Category
    scope: Scope = Scope.GLOBAL
    project: str | None = None
    cue: Cue = Cue.EXPLICIT
    tags: tuple[str, ...] = ()
    pin: bool = False
    rule: RuleType | None = None
    durability: Durability | None = None
    confidence: float | None = None
    trigger: str | None = None
    action: str | None = None
    verifier: str | None = None

    @property
    def lasting(self) -> Durability:
        """For how long it was meant."""
        return self.durability or durability_of(self.scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What became of it.

    Attributes:
        outcome: added, reinforced, candidate or refused.
        id: of the memory or candidate; None where it was refused.
        path: its note, relative to the vault.
        before: the statement of the memory that it replaced, "" for none.
        patch: the patch that did so, and can be reverted.
    """

    outcome: str
    id: str | None = None
    path: str | None = None
    findings: tuple[Finding, ...] = ()
    before: str = ""
    patch: str | None = None


def add(
    call: Call,
    engine: SearchEngine,
    wish: Wish,
    *,
    source: Source = TYPED,
    override_conflicts: bool = False,
) -> Captured:
    """Remember a statement: as a memory where a person types it, else as a candidate.

    In this order: what is switched off, what vaultmem told itself; secrets, one-off permissions,
    tasks; contradiction, because "always X" and "never X" embed alike; repetition; deletion;
    evidence, candidate.

    Args:
        call: the circumstances.
        engine: the search engine of the vault.
        wish: what is to be remembered.
        source: where it was said.
        override_conflicts: the user confirmed that it replaces an unpinned memory which it
            contradicts.

    Raises:
        CaptureRefusedError: if nothing that can be remembered is left of the text.
        BusyError, NoteError, ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    source = without_secrets(source)
    statement, findings = _statement(wish.text)
    project = wish.project or source.project
    if off := switched_off(call, WRITE, project=project, session=source.session):
        return Captured(outcome="refused", findings=(*findings, off))
    if not is_typed_by_person(call, source) and was_shown(call, wish.text):
        return Captured(outcome="refused", findings=(*findings, finding("VM625")))
    ensure_current(call)
    memory = _memory(call, wish, source, statement)
    text = _Text(call, engine, wish, source, memory, trust_of(call, source, statement), findings)
    with call.vault.lock():
        return _capture(text, overridden=override_conflicts)


class _Text(NamedTuple):
    """A text on its way, with what is known of it."""

    call: Call
    engine: SearchEngine
    wish: Wish
    source: Source
    memory: Memory
    trust: TrustClass
    findings: tuple[Finding, ...]

    @property
    def typed(self) -> bool:
        """Whether the person typed it."""
        return is_typed_by_person(self.call, self.source)

    def evidence(self) -> Evidence:
        """The piece that it is evidence by."""
        return evidence_of(
            self.call,
            self.source,
            self.memory.statement,
            trust=self.trust,
            durability=self.wish.lasting,
        )

    def remembered(self, path: str) -> Captured:
        """The answer where it became the memory whose note lies at `path`."""
        refresh(self.call, self.engine)
        embed_for_a_moment(self.engine)
        return Captured(outcome="added", id=self.memory.id, path=path, findings=self.findings)

    def refused(self, stop: Finding) -> Captured:
        """The answer where something stops it."""
        return Captured(outcome="refused", findings=(*self.findings, stop))


def _statement(text: str) -> tuple[str, tuple[Finding, ...]]:
    visible = clean(text)
    if not any(map(str.isalnum, visible.text)):
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


def _memory(call: Call, wish: Wish, source: Source, statement: str) -> Memory:
    typed = is_typed_by_person(call, source)
    confidence = STATED_CONFIDENCE if typed else AGENT_CONFIDENCE
    if wish.confidence is not None:  # an agent can be less sure than usual, but not surer
        surest = AGENT_CONFIDENCE if can_ask(source) and not typed else 1.0
        confidence = min(wish.confidence, surest)
    lasts = LASTS.get(wish.scope)
    return Memory(
        id=MemoryId(call.new_id("mem")),
        statement=statement,
        category=wish.category,
        rule=wish.rule,
        scope=wish.scope,
        project=wish.project if wish.scope in IN_A_PROJECT else None,
        cue=wish.cue,
        confidence=confidence,
        evidence_count=STATED_EVIDENCE if typed else 1,
        pinned=wish.pin,
        tags=tuple(dict.fromkeys(map(_tag, wish.tags))),
        created=call.local,
        reinforced=call.local,
        review=(call.local + timedelta(days=30)).date(),
        expires=None if lasts is None else call.local + lasts,
        trigger=wish.trigger,
        action=wish.action,
        verifier=wish.verifier,
        source_session=source.session,
    )


def _tag(text: str) -> str:
    if name := tag_name(text):
        return name
    raise CaptureRefusedError("A tag needs a letter or a digit. Write one such as `git`.")


def _capture(text: _Text, *, overridden: bool) -> Captured:
    call, memory = text.call, text.memory
    if stop := refused(memory, text.wish.text):
        return text.refused(stop)
    advice = advice_on(call, memory.trigger, memory.action, memory.verifier)  # it repeats them
    text = text._replace(findings=(*text.findings, *advice))
    refresh(call, text.engine)
    near = nearby(call, text.engine, memory.statement)
    against = conflict_among(near, memory)
    # Where nobody can ask the user, the candidate shows both statements, and the person decides.
    decided = overridden or not can_ask(text.source)
    if against and (refusal := against.refusal(overridden=decided)):
        return text.refused(as_finding(refusal))
    if against is not None:
        return _new(text, against)
    return _repetition(text, near) or _again(text) or _new(text, None)


def _repetition(text: _Text, near: Sequence[Standing]) -> Captured | None:
    """A repeated statement is one more piece of evidence for what says it already."""
    if (same := repeated_memory(text.call, text.engine, text.memory, near)) is not None:
        return _reinforced(text, same)
    if text.typed or (waits := repeated_candidate(text.call, text.memory)) is None:
        return None
    strengthen(text.call, waits, text.evidence(), confidence=text.memory.confidence)
    return Captured(outcome="candidate", id=waits.id, path=waits.path, findings=text.findings)


def _again(text: _Text) -> Captured | None:
    """What is said again in the words of a memory that is not in force.

    A second note beside a contested or a promoted one would hide the doubt, or tell it twice. Where
    nobody can be asked, the words against a doubt wait as a candidate.
    """
    old = set_aside(text.call, text.memory)
    if old is None or (old.status == Status.CONTESTED and not can_ask(text.source)):
        return None
    code = _SET_ASIDE.get(old.status, "VM630")
    told = (*text.findings, _about(code, old.id))
    if code == "VM630":
        return _new(text._replace(findings=told), None)
    return Captured(outcome="reinforced", id=old.id, path=old.path, findings=told)


_SET_ASIDE: dict[str, str] = {Status.CONTESTED: "VM628", Status.PROMOTED: "VM629"}
"""Why nothing is written; what is superseded or deprecated can be said anew."""


def _reinforced(text: _Text, identifier: str) -> Captured:
    call, session, by = text.call, text.source.session, whose(text.call, text.trust)
    told = text.findings
    if has_counted(call, identifier, session=session, by=by):
        told = (*told, finding("VM626"))
    else:
        pieces = () if text.typed else (text.evidence(),)
        evidence.record(call, pieces)
        ids = [piece.id for piece in pieces]
        via = text.source.channel.value
        reinforce(call, identifier, session=session, evidence=ids, by=by, via=via)
    row = call.vault.baseline.memory(identifier)
    path = row.path if row is not None else None
    return Captured(outcome="reinforced", id=identifier, path=path, findings=told)


def _new(text: _Text, against: Conflict | None) -> Captured:
    stone = tombstone_for(text.call, "", text.memory)
    stone = stone or tombstone_in_meaning(text.call, text.engine, text.memory)
    if stone is not None and not text.typed:
        return text.refused(finding("VM321"))
    if text.typed and stone is None:
        return _added(text) if against is None else _replaced(text, against)
    identifier, path = propose(
        text.call,
        text.memory,
        (text.evidence(),),
        trust=text.trust,
        durability=text.wish.lasting,
        against=against.known.id if against is not None else None,
    )
    told = text.findings if stone is None else (*text.findings, _about("VM627", identifier))
    return Captured(outcome="candidate", id=identifier, path=path, findings=told)


def _about(code: str, identifier: str) -> Finding:
    """A finding whose next step names the memory or candidate."""
    return finding(code, remedy=CODES[code].remedy.replace("ID", short_id(identifier)))


def _added(text: _Text) -> Captured:
    call, vault, memory = text.call, text.call.vault, text.memory
    sign_force(call, memory.id, force_mac(vault, memory), via="add")
    folder = home_folder(memory.category, identity=False)
    path = vault.free_path(folder, memory.statement, memory.id)
    data = encode_memory(memory)
    write_notes(call, [Write(path, data, None, memory.id, "created", by="person", via="add")])
    return text.remembered(path)


def _replaced(text: _Text, against: Conflict) -> Captured:
    """The user said that it replaces what it contradicts: both notes change, or none does."""
    old = find_memory(text.call, against.known.id).decoded.memory
    if old.scope not in LASTS and scope_of(old) != scope_of(text.memory):
        return _beside(text, old)
    reason = "The user said that the new memory replaces this one."
    operation = Operation(op=Op.SUPERSEDE, target=old.id, memory=text.memory, reason=reason)
    return replace(_by_patch(text, [(operation, old)]), before=old.statement)


def _beside(text: _Text, old: Memory) -> Captured:
    """The user said that it holds in its place: what holds in another one goes on there."""
    text = text._replace(findings=(*text.findings, _about("VM631", old.id)))
    reason = "The user said that this holds in its place, whatever a memory of another one says."
    operation = Operation(op=Op.ADD, memory=text.memory, reason=reason)
    beside = exceptions_between(text.memory, [old], selected=True)
    return _by_patch(text, [(operation, None), *beside])


def _by_patch(text: _Text, steps: Sequence[tuple[Operation, Memory | None]]) -> Captured:
    """The answer where a patch of these operations, each with its target, makes the memory."""
    done = apply_all(text.call, steps, applier=Applier.PERSON, via="add")
    if not done.applied:
        raise CaptureRefusedError(" ".join(one.reason for one in done.skipped))
    new = text.remembered(find_memory(text.call, text.memory.id).row.path)
    return replace(new, patch=done.id)
