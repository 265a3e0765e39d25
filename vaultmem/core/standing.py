"""What decides whether, where and how a memory stands in the report, as one flat row.

A row is cheap to keep in a database and to make ten thousand times, so it holds only strings and
numbers. A moment is the number of seconds from 1970-01-01T00:00 to the *local, naive* time that the
note shows, as if that local time were UTC; 0 means "none". Local days then begin at multiples of
86,400, and no time zone is needed to compare two moments of one person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from vaultmem.core.model import Memory

DAY = 86_400.0
"""Seconds of a local day."""

IN_USE = frozenset(("active", "contested"))
"""Statuses of the memories that may stand in a report."""

_EPOCH_ORDINAL = 719_163  # date(1970, 1, 1).toordinal()

FIRST_MOMENT = (1 - _EPOCH_ORDINAL) * DAY
LAST_MOMENT = (3_652_060 - _EPOCH_ORDINAL) * DAY
"""Between them lies the calendar, which ends with the year 9999."""

STANDING_WORDS: Mapping[str, frozenset[str]] = {
    "category": frozenset(Category),
    "layer": frozenset(("L1", "L2", "L3")),
    "status": frozenset(("active", "contested", "deprecated", "superseded", "promoted", "deleted")),
    "scope": frozenset(("global", "project", "domain", "task", "session")),
    "cue": frozenset(("explicit", "structural", "behavioral", "recurrence")),
    "rule": frozenset(
        (
            "",
            "avoid_pattern",
            "prefer_pattern",
            "convention",
            "architecture",
            "workflow",
            "preference",
            "testing",
            "correction",
            "tool",
        )
    ),
}
"""What the columns of closed sets may hold: the values of the enums in `core.model`, which a report
does not import."""


class Standing(NamedTuple):
    """One memory's row; the fields are the columns of the baseline, in this order.

    Attributes:
        id: `mem_` and a ULID.
        path: the note, relative to the vault.
        statement: the unescaped statement, as the codec returns it.
        category, layer, status, scope, cue, rule: values of the enums in `core.model`; `rule` may
            be "".
        project: the project's identity, "" for none.
        confidence: 0 to 1.
        evidence_count: the live count, balance plus later ledger lines.
        pinned, enforced, force: 0 or 1; `force` says that a signed force line stands.
        reinforced, created, review, valid_from, valid_to, expires: moments (see above), 0 = none.
        applies_when, not_when: the phrases, joined by line feeds; `not_when` includes exceptions.
        trust: the trust class of the source, "" where it is not known.
        session: the session that the memory came from, "" for none.
    """

    id: str
    path: str
    statement: str
    category: str
    layer: str
    status: str
    scope: str
    project: str
    cue: str
    confidence: float
    evidence_count: float
    pinned: int
    enforced: int
    reinforced: float
    created: float
    review: float
    valid_from: float
    valid_to: float
    expires: float
    applies_when: str
    not_when: str
    rule: str
    trust: str
    force: int
    session: str


STANDING_COLUMNS: tuple[str, ...] = Standing._fields
"""The names of the columns, in the order that `Standing._make(row)` takes them."""


def day_seconds(day: date | None) -> float:
    """The moment at which a local day begins; 0.0 for None."""
    return 0.0 if day is None else (day.toordinal() - _EPOCH_ORDINAL) * DAY


def moment_seconds(moment: datetime | None) -> float:
    """A local, naive datetime as a moment; 0.0 for None. A zone, if it has one, is ignored."""
    if moment is None:
        return 0.0
    clock = moment.hour * 3600 + moment.minute * 60 + moment.second
    return day_seconds(moment) + clock + moment.microsecond / 1_000_000


def local_moment(seconds: float) -> datetime:
    """What `moment_seconds` counted: the local, naive datetime of a moment."""
    from datetime import datetime, timedelta  # only here: a report without a prompt needs neither

    return datetime(1970, 1, 1) + timedelta(seconds=seconds)


def lacks_project(scope: str, project: str | None) -> bool:
    """Whether what has this scope and project holds in a project and names none: so nowhere."""
    return scope == "project" and not project


def standing_of(
    memory: Memory,
    *,
    path: str,
    force: bool,
    evidence_count: float | None = None,
    trust: str = "",
) -> Standing:
    """The row of a memory.

    Args:
        memory: the memory as decoded from its note.
        path: the note, relative to the vault.
        force: whether a signed force line stands for exactly this statement and its properties.
        evidence_count: the live count, where it differs from the note's balance.
        trust: the trust class computed from the evidence, if it is known.
    """
    # An exception is a case in which the memory does not hold, so it excludes like `not_when`.
    negative = _joined((*memory.not_when, *memory.exceptions))
    return Standing(
        id=memory.id,
        path=path,
        statement=memory.statement,
        category=memory.category.value,
        layer=memory.layer.value,
        status=memory.status.value,
        scope=memory.scope.value,
        project=memory.project or "",
        cue=memory.cue.value,
        confidence=memory.confidence,
        evidence_count=memory.evidence_count if evidence_count is None else evidence_count,
        pinned=int(memory.pinned),
        enforced=int(memory.enforced),
        reinforced=moment_seconds(memory.reinforced),
        created=moment_seconds(memory.created),
        review=day_seconds(memory.review),
        valid_from=moment_seconds(memory.valid_from),
        valid_to=moment_seconds(memory.valid_to),
        expires=moment_seconds(memory.expires),
        applies_when=_joined(memory.applies_when),
        not_when=negative,
        rule="" if memory.rule is None else memory.rule.value,
        trust=trust,
        force=int(force),
        session=memory.source_session or "",
    )


def is_comparable(found: Standing, memory: Memory) -> bool:
    """Whether two memories are of one category and place, so that one can repeat the other.

    Domains are compared for neither: nothing is told or left out by them, so two memories that
    differ in nothing else would stand in every report twice.
    """
    return (
        found.category == memory.category
        and found.scope == memory.scope
        and found.project == (memory.project or "")
        and (memory.scope != "session" or found.session == (memory.source_session or ""))
    )


def _joined(phrases: tuple[str, ...]) -> str:
    """Phrases as one column, each on one line; blank ones are left out."""
    return "\n".join(filter(None, (" ".join(phrase.split()) for phrase in phrases)))
