"""What one record of a governed memory's JSONL stores says, in our words."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Polarity, SourceKind
from vaultmem.core.importing.item import NO_ID, ImportedEvidence, ImportedInquiry
from vaultmem.core.inquiry import Priority
from vaultmem.core.model import (
    CATEGORY_OF_RULE,
    Category,
    Cue,
    Layer,
    Memory,
    RuleType,
    Scope,
    Stability,
    Status,
)
from vaultmem.core.naming import title_of, without_ending
from vaultmem.core.topic import slug
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.store.json_record import RecordError

if TYPE_CHECKING:
    from vaultmem.store.json_record import Record

_SCOPES = {"global": Scope.GLOBAL, "project": Scope.PROJECT, "domain": Scope.DOMAIN}
_KINDS = {
    "artifact": SourceKind.FILE,
    "source": SourceKind.FILE,
    "conversation": SourceKind.CONVERSATION,
    "manual": SourceKind.CONVERSATION,
    "user_correction": SourceKind.CONVERSATION,
    "commit": SourceKind.PATCH,
    "test_result": SourceKind.TEST_RESULT,
    "codebase_analysis": SourceKind.CODEBASE_ANALYSIS,
}
"""What a record's own list of evidence calls its sources; facts, governed memory, section 2.1."""
_SAID = frozenset(("manual", "user_correction"))
_REVIEW_DAYS = 30


def memory_of(record: Record, project: str | None) -> Memory:
    """A memory record (section 2.1); fields that are missing have their defaults.

    Raises:
        RecordError: if it lacks an id or a statement, or a field is of the wrong kind.
    """
    record.needed("id")
    layer = record.word("layer", Layer, Layer.PLAYBOOK)
    if layer is Layer.SESSION:
        raise RecordError("It is of the layer L3, which belongs in the log.")
    review = record.record("review")
    tags = record.texts("tags")
    rule = _rule(record.text("ruleType"), tags)
    said = {one.text("type") for one in record.records("evidence")}
    scope, place, domains = _scope(record, project)
    return Memory(
        id=NO_ID,
        statement=record.needed("statement"),
        layer=layer,
        category=_category(rule, tags),
        rule=rule if record.text("ruleType") else None,
        status=record.word("status", Status, Status.ACTIVE),
        scope=scope,
        project=place,
        domains=domains,
        cue=Cue.BEHAVIORAL if _SAID.isdisjoint((*said, *tags, rule)) else Cue.EXPLICIT,
        confidence=record.fraction("confidence", 0.75),
        stability=record.word("stability", Stability, Stability.SEMI_STABLE),
        evidence_count=max(len(record.records("evidence")), 1),
        tags=tags,
        created=record.moment("created_at"),
        updated=record.moment("updated_at"),
        review=review.day("next_review"),
        review_days=_days(review),
        change_condition=review.text("change_condition") or None,
        vault_ref=_link(record.text("vault_ref")),
        applies_when=record.texts("applies_when"),
        not_when=record.texts("does_not_apply_when"),
        exceptions=record.texts("known_exceptions"),
        valid_from=record.moment("valid_from"),
        valid_to=record.moment("valid_to"),
    )


def own_evidence(record: Record) -> tuple[ImportedEvidence, ...]:
    """What a memory record says of its sources itself: type, place and note."""
    return tuple(
        ImportedEvidence(
            summary=one.text("note"),
            kind=_KINDS.get(one.text("type"), SourceKind.FILE),
            trust=_trust_of_type(one.text("type")),
            ref=" ".join(filter(None, (one.text("type"), one.text("ref")))),
            created=record.moment("created_at"),
        )
        for one in record.records("evidence")
    )


def evidence_of(record: Record) -> ImportedEvidence:
    """A record of the evidence store (section 2.2).

    Raises:
        RecordError: if a field is of the wrong kind.
    """
    places = (record.text(name) for name in ("source_ref", "source_file", "source_tool"))
    return ImportedEvidence(
        excerpt=record.text("source_excerpt"),
        summary=record.text("source_summary"),
        kind=record.known("source_kind", SourceKind, SourceKind.FILE),
        trust=record.known("trust_class", TrustClass, TrustClass.AGENT_INFERENCE),
        session=record.text("source_session_id") or record.text("thread_id") or None,
        ref=next(filter(None, places), ""),
        polarity=record.word("polarity", Polarity, Polarity.SUPPORTS),
        durability=record.known("durability_signal", Durability, Durability.UNKNOWN),
        created=record.moment("created_at"),
    )


def candidate_of(record: Record, project: str | None) -> Memory:
    """What a candidate of the inbox would become (section 2.3).

    Raises:
        RecordError: as `memory_of`.
    """
    record.needed("id")
    tags = record.texts("tags")
    rule = _rule(record.text("ruleType"), tags)
    place = project_named(_folder(record.record("source").text("cwd")), project)
    counted = len(record.texts("evidence_refs")) + len(record.texts("evidence_ids"))
    return Memory(
        id=NO_ID,
        statement=record.needed("text"),
        category=_category(rule, tags),
        rule=rule if record.text("ruleType") else None,
        scope=Scope.PROJECT if place else Scope.GLOBAL,
        project=place,
        cue=Cue.EXPLICIT if "correction" in tags else Cue.BEHAVIORAL,
        confidence=record.fraction("confidence", 0.0),
        evidence_count=max(counted, 1),
        tags=tags,
        created=record.moment("created_at"),
        applies_when=record.texts("proposed_applies_when"),
        not_when=record.texts("proposed_does_not_apply_when"),
        exceptions=record.texts("proposed_known_exceptions"),
        source_session=record.text("thread_id") or None,
    )


def inquiry_of(record: Record, where: str, project: str | None) -> ImportedInquiry:
    """An inquiry (section 2.7).

    Raises:
        RecordError: if it asks nothing, or a field is of the wrong kind.
    """
    place = ""
    if record.text("scope_level") == "project":
        place = record.text("scope_ref")
    return ImportedInquiry(
        where=where,
        question=record.needed("question"),
        context=record.text("context"),
        priority=record.known("priority", Priority, Priority.MEDIUM),
        project=project_named(place, project),
        tags=record.texts("tags"),
        sessions=record.texts("sessions_touched"),
        created=record.moment("first_seen"),
        last_seen=record.moment("last_seen"),
    )


def project_named(name: str, project: str | None) -> str | None:
    """The project that a source's short name means: `project` where that ends with it."""
    if not name:
        return None
    if project is not None and slug(project.rpartition("/")[2]) == slug(name.rpartition("/")[2]):
        return project
    return name


def _scope(record: Record, project: str | None) -> tuple[Scope, str | None, tuple[str, ...]]:
    found = record.record("scope")
    kind = found.text("type") or "global"
    if kind not in _SCOPES:
        raise RecordError("`scope` is none of global, project, domain.")
    scope = _SCOPES[kind]
    place = project_named(found.text("project"), project) if scope is Scope.PROJECT else None
    if scope is Scope.PROJECT and place is None:
        place = project
    return scope, place, found.texts("domains")


def _rule(named: str, tags: tuple[str, ...]) -> RuleType | None:
    """The rule type that it has, or that a tag names."""
    known = tuple(RuleType)
    return next((RuleType(one) for one in (named, *tags) if one in known), None)


def _category(rule: RuleType | None, tags: tuple[str, ...]) -> Category:
    named = next((Category(tag) for tag in tags if tag in tuple(Category)), None)
    if rule is not None and named is None:
        return CATEGORY_OF_RULE[rule]
    return named or Category.LESSON


def _trust_of_type(name: str) -> TrustClass:
    corrected = name == "user_correction"
    return TrustClass.USER_CORRECTION if corrected else TrustClass.AGENT_INFERENCE


def _days(review: Record) -> int:
    return min(max(round(review.number("cadence_days", _REVIEW_DAYS)), 1), 3650)


def _link(path: str) -> str | None:
    """A path in the person's vault as a wikilink."""
    if not path.strip():
        return None
    if path.startswith("[["):
        return path
    return f"[[{without_ending(path)}|{title_of(path)}]]"


def _folder(path: str) -> str:
    """The last part of a path of any system."""
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
