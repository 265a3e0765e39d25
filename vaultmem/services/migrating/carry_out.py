"""Import a source: one applied patch for the memories, then what waits, counts and is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.importing.plan import Fate
from vaultmem.core.inert import clean
from vaultmem.core.model import Status
from vaultmem.core.naming import name_key, title_of, with_suffix
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.place import home_folder
from vaultmem.services.apply import apply
from vaultmem.services.evidence import cited
from vaultmem.services.migrating import pending
from vaultmem.services.migrating.finish import finish
from vaultmem.services.migrating.pending import Pending, WaitingCandidate, WaitingInquiry
from vaultmem.services.migrating.plan import VERB, plan, session_of
from vaultmem.services.migrating.provenance import is_unchecked, record_evidence, source_said
from vaultmem.services.migrating.told import report_lines
from vaultmem.services.patches import new
from vaultmem.services.reinforce import Reinforcement
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from vaultmem.core.importing.item import Gathered, ImportedInquiry
    from vaultmem.core.importing.plan import Plan, Planned
    from vaultmem.core.model import Memory
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call
    from vaultmem.services.patching.result import Skipped

Told = Callable[[str, int], None]
"""Is told what is going on, and how many records are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """What an import did.

    Attributes:
        plan: the fate of each record.
        patch: the patch that brought the memories; None where there was none to bring.
        report: the path of the report note; None where everything was known.
        skipped: operations that were refused at the last moment.
    """

    plan: Plan
    patch: str | None = None
    report: str | None = None
    skipped: tuple[Skipped, ...] = ()


def carry_out(
    call: Call, gathered: Gathered, *, told: Told = lambda _what, _done: None
) -> Migrated:
    """Bring the records of a source into the vault.

    Killed at any moment, the next sync finishes it, or nothing of it has happened and the same
    import can be run again. A second run finds what the first one brought.

    Args:
        call: the circumstances.
        gathered: what a reader found.
        told: see `Told`.

    Raises:
        AgentRefusedError: if an agent calls.
        KeyMissingError: if this device has no key.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only(VERB)
    with call.vault.lock():
        ensure_current(call)
        found = plan(call, gathered, told=lambda done: told("Deciding", done))
        if not found.has_news:
            return Migrated(plan=found)
        links = record_evidence(call, found)
        patch = new(call, [(one, None) for one in _operations(call, found, links)])
        identifier = patch.id if patch.operations else ""
        pending.keep(call.vault.baseline, _pending(found, links, identifier))
        skipped = _apply(call, patch, told)
        if skipped:
            found = _without(found, patch, skipped)
            pending.keep(call.vault.baseline, _pending(found, links, identifier))
        return Migrated(plan=found, patch=identifier or None, report=finish(call), skipped=skipped)


def _apply(call: Call, patch: Patch, told: Told) -> tuple[Skipped, ...]:
    if not patch.operations:
        return ()
    chosen = frozenset(one.id for one in patch.operations)
    done = apply(
        call,
        patch,
        applier=Applier.PERSON,
        selected=chosen,
        via=VERB,
        told=lambda number: told("Writing", number),
    )
    return done.skipped


def _without(found: Plan, patch: Patch, skipped: tuple[Skipped, ...]) -> Plan:
    """The plan in which the records whose operations were refused are not taken."""
    why = {one.id: one.reason for one in skipped}
    refused = {
        one.memory.id: why[one.id]
        for one in patch.operations
        if one.memory is not None and one.id in why
    }
    planned = tuple(
        replace(one, fate=Fate.QUARANTINED, reason=refused[one.memory.id])
        if one.fate is Fate.MEMORY and one.memory.id in refused
        else one
        for one in found.planned
    )
    return replace(found, planned=planned)


def _operations(call: Call, found: Plan, links: Mapping[str, tuple[str, ...]]) -> list[Operation]:
    """What adds the memories; last those that were deleted there, whose words are then taboo."""
    memories = sorted(found.of(Fate.MEMORY), key=lambda one: one.memory.status is Status.DELETED)
    names = _names(call, found, memories)
    return [
        Operation(
            op=Op.ADD,
            memory=_linked(one, names, links.get(one.item.key, ())),
            reason=source_said(found.gathered.kind, one.item.where),
        )
        for one in memories
    ]


def _linked(one: Planned, names: Mapping[str, str], evidence: tuple[str, ...]) -> Memory:
    """The memory with links to its evidence and to others of its source."""

    def to(keys: Iterable[str]) -> tuple[str, ...]:
        others = (key for key in dict.fromkeys(keys) if key in names and key != item.key)
        return tuple(names[key] for key in others)

    item = one.item
    return replace(
        one.memory,
        evidence=evidence,
        supersedes=to(item.supersedes),
        superseded_by=to(item.superseded_by),
        derived_from=to(item.derived_from),
        informs=to(item.informs),
    )


def _names(call: Call, found: Plan, memories: Iterable[Planned]) -> Mapping[str, str]:
    """Links by the records' keys: to the notes that will be made, as they will be called."""
    baseline = call.vault.baseline
    named: dict[str, str] = {}
    for one in found.planned:
        row = baseline.memory(one.about) if one.about is not None else None
        if row is not None and one.fate in (Fate.KNOWN, Fate.STRENGTHENED):
            named[one.item.key] = f"[[{title_of(row.path)}]]"
    taken: set[str] = set()
    for one in memories:
        memory = one.memory
        folder = home_folder(memory.category, identity=False)
        title = title_of(call.vault.free_path(folder, memory.statement, memory.id))
        if name_key(title) in taken:
            title = with_suffix(title, memory.id)
        taken.add(name_key(title))
        named[one.item.key] = f"[[{title}]]"
    return named


def _pending(found: Plan, links: Mapping[str, tuple[str, ...]], patch: str) -> Pending:
    return Pending(
        patch=patch,
        candidates=tuple(
            WaitingCandidate(
                memory=replace(
                    one.memory,
                    id=MemoryId(with_prefix(one.memory.id, "cand")),
                    evidence=links.get(one.item.key, ()),
                ),
                durability=one.item.durability.value,
                reason=one.reason,
                about=one.about or "",
                balance=one.memory.evidence_count,
                unchecked=is_unchecked(one),
                source=source_said(found.gathered.kind, one.item.where),
            )
            for one in found.of(Fate.CANDIDATE)
        ),
        counted=tuple(
            Reinforcement(one.about, session_of(one.memory.id), cited(links.get(one.item.key, ())))
            for one in found.of(Fate.STRENGTHENED)
            if one.about is not None
        ),
        asked=tuple(map(_asked, found.asked)),
        tasks=tuple(clean(one.text).text for one in found.tasks),
        report=tuple(report_lines(found, patch=patch)),
    )


def _asked(one: ImportedInquiry) -> WaitingInquiry:
    return WaitingInquiry(
        question=one.question,
        context=one.context,
        priority=one.priority.value,
        project=one.project or "",
        tags=one.tags,
        sessions=one.sessions,
        created=_moment(one.created),
        last_seen=_moment(one.last_seen),
    )


def _moment(at: datetime | None) -> str:
    return at.isoformat() if at is not None else ""
