"""The nouns: a memory and the closed sets that its properties draw from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.category import Category as Category  # noqa: PLC0414  (of all nouns the report needs this one)

if TYPE_CHECKING:
    from datetime import date, datetime

    from vaultmem.core.ids import MemoryId


class Layer(StrEnum):
    """L1 is ratified by a person only, L2 is governed by patches, L3 is the agent's log."""

    IDENTITY = "L1"
    PLAYBOOK = "L2"
    SESSION = "L3"


class RuleType(StrEnum):
    """How a memory wants to be followed, finer than its category."""

    AVOID_PATTERN = "avoid_pattern"
    PREFER_PATTERN = "prefer_pattern"
    CONVENTION = "convention"
    ARCHITECTURE = "architecture"
    WORKFLOW = "workflow"
    PREFERENCE = "preference"
    TESTING = "testing"
    CORRECTION = "correction"
    TOOL = "tool"


CATEGORY_OF_RULE = {
    RuleType.AVOID_PATTERN: Category.LESSON,
    RuleType.PREFER_PATTERN: Category.PREFERENCE,
    RuleType.CONVENTION: Category.PATTERN,
    RuleType.ARCHITECTURE: Category.DECISION,
    RuleType.WORKFLOW: Category.PATTERN,
    RuleType.PREFERENCE: Category.PREFERENCE,
    RuleType.TESTING: Category.LESSON,
    RuleType.CORRECTION: Category.LESSON,
    RuleType.TOOL: Category.LESSON,
}
"""The category of what was captured with a rule type only (DESIGN §3)."""


class Status(StrEnum):
    """Where a memory is in its life."""

    ACTIVE = "active"
    CONTESTED = "contested"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    PROMOTED = "promoted"
    DELETED = "deleted"


class Scope(StrEnum):
    """Where a memory holds."""

    GLOBAL = "global"
    PROJECT = "project"
    DOMAIN = "domain"
    TASK = "task"
    SESSION = "session"


IN_A_PROJECT = frozenset((Scope.PROJECT, Scope.TASK, Scope.SESSION))
"""Scopes of a memory that belongs to a project."""


class Cue(StrEnum):
    """How a memory was learned; its weight is in `core.scoring`."""

    EXPLICIT = "explicit"
    STRUCTURAL = "structural"
    BEHAVIORAL = "behavioral"
    RECURRENCE = "recurrence"


class Stability(StrEnum):
    """How slowly a memory is expected to change."""

    LOW = "low"
    SEMI_STABLE = "semi-stable"
    STABLE = "stable"


class Lifecycle(StrEnum):
    """What a score says about a memory; derived, never stored in a note."""

    STRONG = "strong"
    PROVISIONAL = "provisional"
    FAINT = "faint"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One durable statement, as stored in one note.

    Datetimes are local to the person and carry no zone, as Obsidian shows them. A default here is
    what the absent property means; `notes.codec` leaves a property at its default out.
    """

    id: MemoryId
    statement: str
    layer: Layer = Layer.PLAYBOOK
    category: Category = Category.LESSON
    rule: RuleType | None = None
    status: Status = Status.ACTIVE
    scope: Scope = Scope.GLOBAL
    project: str | None = None
    domains: tuple[str, ...] = ()
    cue: Cue = Cue.EXPLICIT
    confidence: float = 0.75
    stability: Stability = Stability.SEMI_STABLE
    evidence_count: int = 1
    pinned: bool = False
    tags: tuple[str, ...] = ()
    created: datetime | None = None
    updated: datetime | None = None
    reinforced: datetime | None = None
    review: date | None = None
    review_days: int = 30
    change_condition: str | None = None
    evidence: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    vault_ref: str | None = None
    applies_when: tuple[str, ...] = ()
    not_when: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires: datetime | None = None
    trigger: str | None = None
    action: str | None = None
    verifier: str | None = None
    source_session: str | None = None
    derived_from: tuple[str, ...] = ()
    informs: tuple[str, ...] = ()

    @property
    def enforced(self) -> bool:
        """Whether it names a guardrail: a trigger with an action, or a verifier."""
        return bool((self.trigger and self.action) or self.verifier)
