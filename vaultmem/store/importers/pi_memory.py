"""Read a governed memory's root: JSONL stores, inbox, open patches, questions, scratchpad.

Facts: governed memory, sections 1, 2 and 9.7. Nothing is written there, a damaged line stops no
other one, and every record is counted once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from vaultmem.core.checklist import items
from vaultmem.core.importing.item import (
    Gathered,
    ImportedEvidence,
    ImportedInquiry,
    ImportedItem,
    ImportedTask,
    ImportKind,
)
from vaultmem.core.model import Memory, Status
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.store.importers.pi_memory_config import settings_told
from vaultmem.store.importers.pi_memory_fields import (
    candidate_of,
    evidence_of,
    inquiry_of,
    memory_of,
    own_evidence,
)
from vaultmem.store.importers.pi_memory_markdown import legacy_blocks
from vaultmem.store.importers.pi_memory_ours import OURS, with_ours
from vaultmem.store.importers.source import Source, no_store
from vaultmem.store.json_record import Record, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

T = TypeVar("T")

IDENTITY, PLAYBOOKS = "memory/L1.identity.jsonl", "memory/L2.playbooks.jsonl"
INBOX = "inbox/captured.jsonl"
LEGACY = "MEMORY.md"
_SIGNS = (IDENTITY, PLAYBOOKS, INBOX, "memory/projects", "memory/evidence.jsonl")
"""One of these makes a folder such a root."""
_LOGS = {
    "daily": "daily logs",
    "rendered": "rendered notes",
    "runtime": "files of the last run",
    "reports": "reports",
    "sessions": "session summaries and their index",
    "search": "search indexes",
    "schemas": "schemas",
}
"""What lies beside the stores and is not taken, with what it is called."""
_UNDECIDED = frozenset(("", "proposed"))
_WANTED = frozenset(("add", "supersede"))
_TAKEN_BACK = frozenset(("privacy_sensitive", "poisoned"))
"""Reasons of a deletion after which the words must not be taken along."""
_REMOVED = "[deleted]"
"""What a purge there leaves for a text."""
_WAITED = "It was a candidate there."
_PATCHED = "It stood in a patch there that nobody had decided."

PURGED = "records that were purged"
DECIDED = "candidates that were decided"
NO_BLOCK = "lines of MEMORY.md that belong to no memory"


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Everything that a governed memory's root holds.

    Args:
        root: the folder, `~/.pi/agent/pi-memory` by default.
        project: the identity of the project that records mean which name its last part, or none.

    Raises:
        ImportSourceError: if it is no such root.
    """
    source = Source(root)
    if not any(map(source.has, _SIGNS)):
        remedy = (
            "Name its root, the folder that holds `memory` and `inbox` (`~/.pi/agent/pi-memory` by "
            "default)."
        )
        raise no_store(source, "governed memory", _SIGNS, remedy)
    return _Reader(source, project).gathered()


class _Reader:
    """One root on its way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self._left: Counter[str] = Counter()
        self._items: dict[str, ImportedItem] = {}
        self._evidence: dict[str, list[ImportedEvidence]] = defaultdict(list)
        self._by_ref: dict[str, ImportedEvidence] = {}
        self._deleted: dict[str, bool] = {}
        self._praised: dict[str, list[datetime | None]] = defaultdict(list)

    def gathered(self) -> Gathered:
        """Read all of it, what others refer to first."""
        self._each("memory/tombstones.jsonl", self._tombstone)
        self._each("memory/evidence.jsonl", self._piece)
        self._each("memory/reinforcement.jsonl", self._outcome)
        for file in self._stores():
            self._each(file, self._memory)
        self._each(INBOX, self._candidate)
        self._read_patches()
        self._read_legacy()
        self._count_others()
        inquiries = tuple(filter(None, self._each("memory/inquiries.jsonl", self._inquiry)))
        tasks = tuple(self._tasks())
        notices = settings_told(self._source)
        self._left.update(self._source.passed)
        return Gathered(
            kind=ImportKind.PI_MEMORY,
            items=tuple(self._items.values()),
            inquiries=inquiries,
            tasks=tasks,
            quarantined=tuple(self._source.quarantined),
            left_out=dict(+self._left),
            notices=notices,
        )

    def _stores(self) -> list[str]:
        projects = self._source.files("memory/projects", (".jsonl",))
        return [IDENTITY, PLAYBOOKS, *projects]

    def _each(self, file: str, take: Callable[[str, Record], T]) -> list[T]:
        """What `take` makes of the objects of a file; a line that it cannot read is quarantined."""
        taken: list[T] = []
        for line in self._source.lines(file):
            try:
                taken.append(take(line.where, Record.of(line.text)))
            except RecordError as error:
                self._source.quarantine(line.where, str(error))
        return taken

    # what others refer to

    def _tombstone(self, _: str, record: Record) -> None:
        identifier = record.needed("deleted_record_id")
        words_gone = record.text("deletion_mode") == "privacy_purge"
        self._deleted[identifier] = words_gone or record.text("deletion_reason") in _TAKEN_BACK
        self._left["tombstones, which are heeded"] += 1

    def _piece(self, _: str, record: Record) -> None:
        identifier = record.needed("id")
        if record.text("redaction_status") in ("redacted", "deleted"):
            self._left["pieces of evidence that were taken out"] += 1
            return
        piece = evidence_of(record)
        related = record.texts("related_memory_ids")
        self._by_ref[identifier] = piece
        for memory in related:
            self._evidence[memory].append(piece)
        self._left["pieces of evidence, which go with their records"] += 1

    def _outcome(self, _: str, record: Record) -> None:
        memory = record.needed("memory_id")
        if record.text("outcome") == "explicit_reinforcement":
            self._praised[memory].append(record.moment("timestamp"))
        self._left["outcomes, which the opening balances count"] += 1

    # records

    def _memory(self, where: str, record: Record) -> None:
        identifier = record.needed("id")
        memory = with_ours(memory_of(record, self._project), record, self._project)
        words_gone = self._deleted.get(identifier)
        if words_gone or memory.statement == _REMOVED:
            self._left[PURGED] += 1
            return
        if words_gone is not None:
            memory = replace(memory, status=Status.DELETED)
        praised = self._praised[identifier]
        if not record.has(OURS):  # which says both exactly
            memory = replace(
                memory,
                evidence_count=memory.evidence_count + len(praised),
                reinforced=max(filter(None, praised), default=None),
            )
        pieces = (*self._own_pieces(record), *self._evidence[identifier])
        item = ImportedItem(
            key=identifier,
            where=where,
            memory=memory,
            evidence=tuple(dict.fromkeys(pieces)),
            supersedes=record.texts("supersedes"),
            superseded_by=record.texts("superseded_by"),
            derived_from=record.record(OURS).texts("derived_from"),
            informs=record.record(OURS).texts("informs"),
        )
        self._put(item)

    def _own_pieces(self, record: Record) -> Iterator[ImportedEvidence]:
        """The record's own list; a place that names a piece of the store is that piece."""
        entries = record.records("evidence")
        for entry, told in zip(entries, own_evidence(record), strict=True):
            yield self._by_ref.get(entry.text("ref"), told)

    def _put(self, item: ImportedItem) -> None:
        if item.key in self._items:
            raise RecordError(f"Its id stands in {self._items[item.key].where} already.")
        self._items[item.key] = item

    def _candidate(self, where: str, record: Record) -> None:
        identifier = record.needed("id")
        memory = with_ours(candidate_of(record, self._project), record, self._project)
        became = identifier.replace("cap_", "mem_", 1)
        if record.text("status") not in ("", "new") or became in self._items:
            self._left[DECIDED] += 1
            return
        trust = record.record("trust")
        durability = trust.known("durability_signal", Durability, Durability.UNKNOWN)
        named = record.texts("evidence_ids")
        pieces = [self._by_ref[one] for one in named if one in self._by_ref]
        unchecked = not (record.has("trust") or named or pieces)
        if not unchecked:
            pieces.append(self._said(record, memory, durability))
        item = ImportedItem(
            key=identifier,
            where=where,
            memory=memory,
            evidence=tuple(dict.fromkeys(pieces)),
            waits=_WAITED,
            durability=durability,
            unchecked=unchecked,
        )
        self._put(item)

    def _said(self, record: Record, memory: Memory, durability: Durability) -> ImportedEvidence:
        """The candidate's own words, in the place where they were said."""
        source, trust = record.record("source"), record.record("trust")
        return ImportedEvidence(
            excerpt=memory.statement,
            trust=trust.known("primary_trust_class", TrustClass, TrustClass.AGENT_INFERENCE),
            session=record.text("thread_id") or None,
            ref=" ".join(filter(None, (source.text("type"), source.text("ref")))),
            durability=durability,
            created=memory.created,
        )

    # patches

    def _read_patches(self) -> None:
        for file in self._source.files("patches", (".json",)):
            text = self._source.text(file)
            if text is None:
                continue
            try:
                self._patch(file, Record.of(text))
            except RecordError as error:
                self._source.quarantine(file, str(error))

    def _patch(self, file: str, record: Record) -> None:
        if record.text("status") not in _UNDECIDED:
            self._left["patches that were decided"] += 1
            return
        for number, operation in enumerate(record.records("ops"), 1):
            where = f"{file}:{number}"
            try:
                self._operation(where, operation)
            except RecordError as error:
                self._source.quarantine(where, str(error))

    def _operation(self, where: str, record: Record) -> None:
        new = "record" if record.has("record") else "to_record"
        found = record.record(new)
        if record.text("op") not in _WANTED or found.text("id") in self._items:
            self._left["operations of open patches that change what is there"] += 1
            return
        identifier = found.needed("id")
        if self._items.pop(record.text("candidate_id"), None) is not None:
            self._left["candidates that stand in an open patch"] += 1
        item = ImportedItem(
            key=identifier,
            where=where,
            memory=memory_of(found, self._project),
            evidence=tuple(self._own_pieces(found)),
            supersedes=record.texts("target_id"),
            waits=_PATCHED,
        )
        self._put(item)

    def _read_legacy(self) -> None:
        text = self._source.text(LEGACY) if self._source.has(LEGACY) else None
        for block in legacy_blocks(text or ""):
            if block is None:
                self._left[NO_BLOCK] += 1
                continue
            where = f"{LEGACY}:{block.line}"
            if block.key in self._items:
                self._source.quarantine(where, "The same words stand there twice.")
                continue
            self._items[block.key] = ImportedItem(
                key=block.key,
                where=where,
                memory=block.memory,
                evidence=block.evidence,
                waits=_WAITED,
            )

    # beside the memories

    def _inquiry(self, where: str, record: Record) -> ImportedInquiry | None:
        found = inquiry_of(record, where, self._project)
        if record.text("status") in ("", "open", "stale"):
            return found
        self._left["questions that were decided"] += 1
        return None

    def _tasks(self) -> Iterator[ImportedTask]:
        text = self._source.text("scratchpad.md") or ""
        for item in items(text):
            where = f"scratchpad.md:{text.count(chr(10), 0, item.start) + 1}"
            if item.done:
                self._left["items of the scratchpad that are done"] += 1
            else:
                yield ImportedTask(where, item.text)

    def _count_others(self) -> None:
        self._left["profiles"] += len(list(self._source.lines("memory/profiles.jsonl")))
        for folder, called in _LOGS.items():
            self._left[called] += len(self._source.files(folder, ("",)))
