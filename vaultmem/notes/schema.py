"""The properties of every type of note: one table each, from which codec, types and docs are made.

To add a type: a member of `NoteType` and a row in `SCHEMAS`. To add a property: a row in its table,
with a line in `docs/reference/note-format.md` (a test compares the two). A name means the same kind
in every type, because Obsidian has one widget per name and vault.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.governance_keys import KEYS
from vaultmem.core.inquiry import InquiryStatus, Priority
from vaultmem.core.model import Category, Cue, Layer, RuleType, Scope, Stability, Status
from vaultmem.core.normal import Rule
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.promotion_words import Destination, PromotionStatus
from vaultmem.core.settings import REPORT_TOKENS
from vaultmem.core.values import Kind
from vaultmem.notes.property import Property, Widget

if TYPE_CHECKING:
    from collections.abc import Mapping


class NoteType(StrEnum):
    """What a note of ours is, as its `type` says."""

    MEMORY = "memory"
    CANDIDATE = "candidate"
    PATCH = "patch"
    EVIDENCE = "evidence"
    INQUIRY = "inquiry"
    PROMOTION = "promotion"
    LOG = "log"
    SESSION = "session"
    LEDGER = "ledger"
    REPORT = "report"
    SKILL = "skill"
    SETTINGS = "settings"
    REMEMBER = "remember"


def _enum(name: str, values: type[StrEnum], default: StrEnum | None, meaning: str) -> Property:
    return Property(name, Kind.ENUM, meaning, default=default, allowed=tuple(values))


_ID = Property(
    "id", Kind.TEXT, "Prefix and ULID; names the note wherever it is moved.", computed=True
)
_TYPE = Property("type", Kind.TEXT, "What the note is.", computed=True)
_DEVICE = Property("device", Kind.TEXT, "The machine that wrote the note.", computed=True)

MEMORY: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _enum(
        "layer",
        Layer,
        Layer.PLAYBOOK,
        "L1 identity (ratified by a person only), L2 playbook, L3 session.",
    ),
    _enum(
        "category",
        Category,
        None,
        "What kind of statement it is; if absent, the note's folder says.",
    ),
    _enum("rule", RuleType, None, "How it wants to be followed."),
    _enum("status", Status, Status.ACTIVE, "Where it is in its life."),
    _enum("scope", Scope, Scope.GLOBAL, "Where it holds."),
    Property("project", Kind.TEXT, "The project that it belongs to, `host/owner/name`."),
    Property("domains", Kind.LIST, "Subjects that it belongs to.", ()),
    _enum("cue", Cue, Cue.EXPLICIT, "How it was learned."),
    Property("confidence", Kind.NUMBER, "How sure it is, 0 to 1.", 0.75, low=0, high=1),
    _enum("stability", Stability, Stability.SEMI_STABLE, "How slowly it is expected to change."),
    Property(
        "evidence_count",
        Kind.COUNT,
        "Pieces of evidence at its last patch; the ledgers add to it.",
        1,
        computed=True,
    ),
    Property("pinned", Kind.CHECKBOX, "Always in the report.", default=False),
    Property("tags", Kind.TAGS, "Obsidian's tags; ours lie under `memory/`.", ()),
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    Property("updated", Kind.DATETIME, "When a patch last changed it.", computed=True),
    Property(
        "reinforced",
        Kind.DATETIME,
        "When evidence was last added; its age is counted from here.",
        computed=True,
    ),
    Property("review", Kind.DATE, "When it should be looked at again."),
    Property("review_days", Kind.COUNT, "Days from one review to the next.", 30, low=1, high=3650),
    Property("change_condition", Kind.TEXT, "What would make it untrue."),
    Property("evidence", Kind.LINKS, "Links to the blocks that support it.", (), computed=True),
    Property("supersedes", Kind.LINKS, "Memories that it replaced.", (), computed=True),
    Property("superseded_by", Kind.LINKS, "Memories that replaced it.", (), computed=True),
    Property("vault_ref", Kind.LINK, "The knowledge note that says more."),
    Property(
        "applies_when", Kind.LIST, "Conditions, one of which must match for it to be shown.", ()
    ),
    Property("not_when", Kind.LIST, "Conditions under which it does not hold.", ()),
    Property("exceptions", Kind.LIST, "Known exceptions.", ()),
    Property("valid_from", Kind.DATETIME, "From when it holds."),
    Property("valid_to", Kind.DATETIME, "Until when it holds."),
    Property("expires", Kind.DATETIME, "When it leaves the report for good."),
    Property(
        "trigger", Kind.TEXT, "What a guardrail looks for, such as `bash_contains git add .`."
    ),
    Property("action", Kind.TEXT, "What the guardrail does: block, warn, run_after."),
    Property("verifier", Kind.TEXT, "A check at the end of a turn, `tool_called X before Y`."),
    Property("source_session", Kind.TEXT, "The session that it was learned in.", computed=True),
    Property("derived_from", Kind.LINKS, "Memories that it was drawn from.", (), computed=True),
    Property("informs", Kind.LINKS, "Memories or notes that it feeds.", ()),
)

TRUST_CLASSES = (
    "direct_user_instruction",
    "user_correction",
    "repeated_user_preference",
    "accepted_code_review_outcome",
    "existing_project_convention",
    "passing_tool_or_test_outcome",
    "agent_inference",
    "single_session_observation",
    "repository_text",
    "generated_content",
    "third_party_documentation",
)
"""Classes of a source, the most trusted first."""

DURABILITIES = (
    "temporary",
    "session",
    "task",
    "project",
    "repository",
    "user_global",
    "long_term",
    "unknown",
)
"""For how long a captured statement was meant."""

VERIFICATIONS = ("unverified", "verified", "review_required", "rejected")
"""What the verifier last said of a candidate."""

CANDIDATE: tuple[Property, ...] = (
    *MEMORY[:2],
    Property(
        "decision", Kind.TEXT, "Yours: approve, reject or defer; always written, empty at first."
    ),
    Property(
        "state",
        Kind.ENUM,
        "Whether it is new or was put off.",
        "new",
        ("new", "deferred"),
        computed=True,
    ),
    *MEMORY[2:],
    _DEVICE,
    Property("trust", Kind.ENUM, "The class of its source.", None, TRUST_CLASSES, computed=True),
    Property(
        "durability",
        Kind.ENUM,
        "For how long it was meant.",
        "unknown",
        DURABILITIES,
        computed=True,
    ),
    Property(
        "verification",
        Kind.ENUM,
        "What the checks said.",
        "unverified",
        VERIFICATIONS,
        computed=True,
    ),
    Property("reasons", Kind.LIST, "Why the checks said so.", (), computed=True),
    Property(
        "matched", Kind.LINKS, "Memories that it resembles or contradicts.", (), computed=True
    ),
    Property(
        "vault_ref_suggestions", Kind.LINKS, "Knowledge notes that may say more.", (), computed=True
    ),
)

PATCH: tuple[Property, ...] = (
    _ID,
    _TYPE,
    Property(
        "decision", Kind.TEXT, "Yours: apply, reject or defer; always written, empty at first."
    ),
    Property(
        "status",
        Kind.ENUM,
        "Where it is in its life.",
        None,
        tuple(PatchStatus),
        computed=True,
    ),
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    _DEVICE,
    Property(
        "date",
        Kind.DATE,
        "Of a day's note: the person's day whose decisions it lists.",
        computed=True,
    ),
)


def _governance() -> tuple[Property, ...]:
    """The keys of governance as properties; their values are checked where they are read."""
    kinds = {"text": Kind.TEXT, "number": Kind.NUMBER, "checkbox": Kind.CHECKBOX}
    return tuple(Property(key.name, kinds[key.widget], key.meaning, key.default) for key in KEYS)


SETTINGS: tuple[Property, ...] = (
    _ID,
    _TYPE,
    Property("root", Kind.TEXT, "The memory root, as a path in the vault."),
    Property(
        "report_budget",
        Kind.COUNT,
        "Tokens that the report may take.",
        REPORT_TOKENS,
        low=200,
        high=10_000,
    ),
    Property("notebook_device", Kind.TEXT, "The device that rewrites the notebook."),
    *_governance(),
)
EVIDENCE: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _DEVICE,
    Property("date", Kind.DATE, "The person's day that its pieces are of.", computed=True),
)
PROMOTION: tuple[Property, ...] = (
    _ID,
    _TYPE,
    Property("decision", Kind.TEXT, "Yours: accept or reject; always written, empty at first."),
    _enum("destination", Destination, None, "The form that it would have.")._replace(computed=True),
    _enum("status", PromotionStatus, None, "Where it is in its life.")._replace(computed=True),
    Property("memory", Kind.LINK, "The memory that it is about.", computed=True),
    Property("reason", Kind.TEXT, "Why, one sentence.", computed=True),
    Property(
        "evidence_count", Kind.COUNT, "In how many sessions the user said it.", 1, computed=True
    ),
    Property("trigger", Kind.TEXT, "Of an enforcement: what the guardrail looks for."),
    Property("action", Kind.TEXT, "Of an enforcement: what it does: block, warn, run_after."),
    Property("verifier", Kind.TEXT, "Of an enforcement: `tool_called X before Y`."),
    Property("skill", Kind.TEXT, "The name of the skill: small letters, digits and hyphens."),
    Property("note", Kind.LINK, "Yours: the knowledge note that you wrote; it accepts."),
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    _DEVICE,
    Property("evidence", Kind.LINKS, "Links to the blocks that support it.", (), computed=True),
)
INQUIRY: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _enum(
        "status",
        InquiryStatus,
        InquiryStatus.OPEN,
        "Yours: answered or withdrawn; always written. The machine says stale of what nobody asks.",
    ),
    Property("answer", Kind.LINK, "Yours: the memory that answers it; then it is answered."),
    _enum("priority", Priority, Priority.MEDIUM, "How much an answer matters; low is not told."),
    Property("project", Kind.TEXT, "Where it came up; everywhere if absent.", computed=True),
    Property("tags", Kind.TAGS, "Obsidian's tags; ours lie under `memory/`.", ()),
    Property("matched", Kind.LINKS, "Memories that it is about.", (), computed=True),
    Property("candidate", Kind.TEXT, "The candidate that waits for the answer.", computed=True),
    Property("sessions", Kind.LIST, "Sessions in which it came up.", (), computed=True),
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    Property("last_seen", Kind.DATETIME, "When it came up last.", computed=True),
    _DEVICE,
)
LOG: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _DEVICE,
    Property("date", Kind.DATE, "The person's day that it logs.", computed=True),
)
LEDGER: tuple[Property, ...] = (
    _ID,
    _TYPE,
    Property(
        "kind",
        Kind.ENUM,
        "What its lines tell.",
        None,
        ("activity", "reinforcement", "force", "tombstones"),
        computed=True,
    ),
    _DEVICE,
    Property("month", Kind.TEXT, "The month of its lines in UTC, `YYYY-MM`.", computed=True),
)
SESSION: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _DEVICE,
    Property("session", Kind.TEXT, "The agent's id of the session.", computed=True),
    Property("project", Kind.TEXT, "The project that it worked in.", computed=True),
    Property(
        "cwd", Kind.TEXT, "The folder that it worked in, `~` for the home folder.", computed=True
    ),
    Property("branch", Kind.TEXT, "The git branch there.", computed=True),
    Property("slug", Kind.TEXT, "A few words about it, for names.", computed=True),
    Property(
        "watermark", Kind.DATETIME, "When the last entry that was read was made.", computed=True
    ),
    Property(
        "watermark_seconds",
        Kind.NUMBER,
        "The same moment, exactly: seconds of the Unix epoch.",
        computed=True,
    ),
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    Property("used", Kind.COUNT, "How often it was cited or read.", 0, computed=True),
    Property("last_used", Kind.DATETIME, "When that was last.", computed=True),
)
REPORT: tuple[Property, ...] = (
    _ID,
    _TYPE,
    _DEVICE,
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
)
REMEMBER: tuple[Property, ...] = (
    _ID,
    _TYPE,
    Property("created", Kind.DATETIME, "When the note was made.", computed=True),
    _DEVICE,
    Property("project", Kind.TEXT, "The project in which it was left.", computed=True),
    Property("source_session", Kind.TEXT, "The session in which it was left.", computed=True),
)

SCHEMAS: Mapping[NoteType, tuple[Property, ...]] = {
    NoteType.MEMORY: MEMORY,
    NoteType.CANDIDATE: CANDIDATE,
    NoteType.PATCH: PATCH,
    NoteType.SETTINGS: SETTINGS,
    NoteType.EVIDENCE: EVIDENCE,
    NoteType.INQUIRY: INQUIRY,
    NoteType.PROMOTION: PROMOTION,
    NoteType.LOG: LOG,
    NoteType.SESSION: SESSION,
    NoteType.LEDGER: LEDGER,
    NoteType.REPORT: REPORT,
    NoteType.REMEMBER: REMEMBER,
}
"""The types that are described so far, each with its properties in the order they are written."""

PREFIX = {
    NoteType.MEMORY: "mem",
    NoteType.CANDIDATE: "cand",
    NoteType.PATCH: "patch",
    NoteType.SETTINGS: "vault",
    NoteType.EVIDENCE: "log",
    NoteType.INQUIRY: "inq",
    NoteType.PROMOTION: "prom",
    NoteType.LOG: "log",
    NoteType.SESSION: "sess",
    NoteType.LEDGER: "log",
    NoteType.REPORT: "rep",
    NoteType.REMEMBER: "log",
}
"""The prefix of each type's id."""

_BY_NAME = {kind: {row.name: row for row in rows} for kind, rows in SCHEMAS.items()}


def properties_of(note_type: NoteType) -> Mapping[str, Property]:
    """The properties of a type by name; any other property belongs to the person."""
    return _BY_NAME[note_type]


def rules(note_type: NoteType) -> dict[str, Rule]:
    """How to compare the properties of a type, for `core.normal.differences`."""
    return {row.name: Rule(row.kind, row.default) for row in SCHEMAS[note_type]}


_EDITED = (NoteType.MEMORY, NoteType.CANDIDATE, NoteType.SETTINGS)
"""The types whose properties a person edits; a name has one widget in the whole vault, so the
names of machine notes (`date`, `kind`, `month`) are left to the person."""


def widgets() -> dict[str, Widget]:
    """The widget of every property of ours: what `init` merges into `.obsidian/types.json`."""
    return {row.name: row.widget for kind in _EDITED for row in SCHEMAS[kind]}
