"""What a score record of a topic-file memory says of its entry.

Facts: topic-file memory, section 1 (fields) and 10 (guardrails).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.enforcement.rule import read_action, read_trigger, read_verifier
from vaultmem.core.importing.item import NO_ID
from vaultmem.core.model import IN_A_PROJECT, Cue, Memory, Scope, Status

if TYPE_CHECKING:
    from vaultmem.core.importing.entry import Entry
    from vaultmem.store.json_record import Record


class Force(NamedTuple):
    """A guardrail as it stands there, its command behind the action."""

    trigger: str = ""
    action: str = ""
    verifier: str = ""

    @property
    def is_any(self) -> bool:
        """Whether it names anything to guard."""
        return bool(self.trigger or self.action or self.verifier)


class Scored(NamedTuple):
    """An entry with what its record says."""

    memory: Memory
    derived_from: tuple[str, ...] = ()
    informs: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    unfit: bool = False
    """Its guardrail has a form in which it cannot fire, and was left behind."""


def unscored(entry: Entry, project: str | None) -> Scored:
    """An entry that has no record yet: there too, one piece of evidence (section 1, rebuild)."""
    memory = Memory(
        id=NO_ID,
        statement=entry.text,
        category=entry.category,
        scope=Scope.PROJECT,
        project=project,
        cue=Cue.EXPLICIT if entry.pinned else Cue.BEHAVIORAL,
        pinned=entry.pinned,
    )
    return Scored(memory)


def scored(entry: Entry, record: Record, project: str | None) -> Scored:
    """An entry with its record.

    Raises:
        RecordError: if a field is of the wrong kind.
    """
    plain = unscored(entry, project).memory
    state = record.text("userState")
    gone = record.texts("supersededBy") + record.texts("invalidatedBy")
    scope = record.known("scope", Scope, Scope.PROJECT)  # `global` only where we exported it
    memory = replace(
        plain,
        status=_status(state, over=bool(gone)),
        scope=scope,
        project=project if scope in IN_A_PROJECT else None,
        cue=record.known("cue", Cue, Cue.BEHAVIORAL),
        evidence_count=record.count("evidenceCount", 1),
        pinned=(plain.pinned or state == "pinned") and state != "forgotten",
        created=record.moment("firstSeen"),
        reinforced=record.moment("lastReinforced") or record.moment("firstSeen"),
        expires=record.moment("expiresAt") or record.moment("expires"),
        source_session=record.text("sourceSession") or None,
    )
    told = Scored(memory, record.texts("derivedFrom"), record.texts("informs"), gone)
    return with_force(told, force_of(record))


def force_of(record: Record) -> Force:
    """The guardrail that a record holds.

    Raises:
        RecordError: if a field of it is no text.
    """
    action = record.text("action").strip()
    command = record.text("actionCommand").strip()
    spelled = f"{action} {command}" if command and action == "run_after" else action
    return Force(record.text("trigger").strip(), spelled, record.text("verifier").strip())


def with_force(told: Scored, force: Force) -> Scored:
    """The entry with a guardrail, as far as that can fire."""
    fires = read_trigger(force.trigger) is not None and read_action(force.action)[0] is not None
    checks = read_verifier(force.verifier) is not None
    memory = replace(
        told.memory,
        trigger=force.trigger if fires else None,
        action=force.action if fires else None,
        verifier=force.verifier if checks else None,
    )
    unfit = bool((force.trigger or force.action) and not fires)
    return told._replace(memory=memory, unfit=unfit or bool(force.verifier and not checks))


def _status(state: str, *, over: bool) -> Status:
    if state == "forgotten":
        return Status.DELETED
    return Status.SUPERSEDED if over else Status.ACTIVE
