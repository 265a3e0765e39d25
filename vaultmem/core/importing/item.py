"""What a reader found in the store of another tool, in our words; nothing is decided yet."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.evidence import Polarity, SourceKind
from vaultmem.core.ids import MemoryId
from vaultmem.core.inquiry import Priority
from vaultmem.core.normal import statement_key
from vaultmem.core.trust import Durability, TrustClass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from vaultmem.core.model import Category, Memory

NO_ID = MemoryId("")
"""The id of a memory that was read and has none of ours yet."""


class ImportKind(StrEnum):
    """Which tool's store it is; the words of `vaultmem migrate`."""

    PI_CONFIG = "pi-config"
    PI_MEMORY = "pi-memory"
    MEMORIES_DB = "memories-db"
    NOTEBOOK = "notebook"
    MARKDOWN = "markdown"
    BASIC_MEMORY = "basic-memory"


class ImportedEvidence(NamedTuple):
    """What a record rests on, as the source claims it; secrets are still in it.

    One with neither excerpt nor summary is passed over.
    """

    excerpt: str = ""
    summary: str = ""
    kind: SourceKind = SourceKind.FILE
    trust: TrustClass = TrustClass.AGENT_INFERENCE
    """What the source says; it is told, and believed no further than an agent's inference."""
    session: str | None = None
    ref: str = ""
    polarity: Polarity = Polarity.SUPPORTS
    durability: Durability = Durability.UNKNOWN
    created: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedItem:
    """One record of a source.

    Attributes:
        key: its identity inside the source (the record's id; where there is none,
            `text_key(category, text)`): the same record has the same key at every read, and no two
            items of one source share one.
        where: file relative to the source and line, `topics/lessons.md:12`.
        memory: the record in our words, with the source's numbers (`evidence_count` is the opening
            balance), moments (local, no zone) and status; `reinforced` is None where the source
            lets nothing fade, so its age counts from the import; its `id` is `NO_ID`, and
            `evidence`, `supersedes`, `superseded_by`, `derived_from` and `informs` are empty. The
            statement is as the source has it; cleaning and guards come later.
        evidence: what it rests on; may be empty.
        supersedes, superseded_by, derived_from, informs: keys of other items of the source; a key
            that no item has is told in the report and left out.
        waits: why it must be a candidate even if no guard holds it, one sentence; "" for a record
            of which its source was sure. L1 need not say so.
        durability: for how long it was meant, of a record that was a candidate in its source.
        unchecked: it was a candidate there, and its source says nothing about trust, evidence or
            durability: the setting `governance_mode` governs what becomes of it.
    """

    key: str
    where: str
    memory: Memory
    evidence: tuple[ImportedEvidence, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    informs: tuple[str, ...] = ()
    waits: str = ""
    durability: Durability = Durability.UNKNOWN
    unchecked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedInquiry:
    """An open question of a source."""

    where: str
    question: str
    context: str = ""
    priority: Priority = Priority.MEDIUM
    project: str | None = None
    tags: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    created: datetime | None = None
    last_seen: datetime | None = None


def text_key(category: Category, text: str) -> str:
    """The key of a record that has no id: 32 hex digits of its category and its words."""
    message = f"{category}|{statement_key(text)}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(message).hexdigest()[:32]


class ImportedTask(NamedTuple):
    """An open item of a source's scratchpad."""

    where: str
    text: str


class Quarantined(NamedTuple):
    """A record that could not be read; it stays where it is, and the others are taken."""

    where: str
    reason: str
    """One sentence; nothing of the record's text, which could hold a secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Everything that a reader found.

    Each record of the source is in exactly one of `items`, `inquiries`, `tasks`, `quarantined` and
    the numbers of `left_out`, so that counts in equal counts out.

    Attributes:
        kind: whose store it is.
        items: in the order of the source, each key once.
        inquiries: open questions.
        tasks: open items of a scratchpad.
        quarantined: what could not be read.
        left_out: what is not taken by design, a plural noun with its count: {"embeddings": 1}.
        removable: files and folders relative to the source that `--remove-source` may delete once
            everything is imported; empty where the old tool did no such thing.
        notices: what a person should know or set, one sentence each (other settings, lost detail).
    """

    kind: ImportKind
    items: tuple[ImportedItem, ...] = ()
    inquiries: tuple[ImportedInquiry, ...] = ()
    tasks: tuple[ImportedTask, ...] = ()
    quarantined: tuple[Quarantined, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    removable: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def records(self) -> int:
        """How many records the source has."""
        taken = sum(map(len, (self.items, self.inquiries, self.tasks, self.quarantined)))
        return taken + sum(self.left_out.values())
