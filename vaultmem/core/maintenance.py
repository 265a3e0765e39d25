"""What maintenance proposes for a memory on a day: decay, stability, review, doubt, the archive.

From the governed memory (section 11) come the rates, and what outcomes recommend; from the topic
files (section 3) that what is cold for two half-lives is put away. Three things are our own: each
kind of proposal is made once in a review period, whatever became of it; a decay moves the review to
the next period; and nothing is deleted, the archive keeps it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import needs_force
from vaultmem.core.model import Stability, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.reinforcement import (
    CONTEST_AT,
    STEADY_AT,
    Advice,
    is_overdue,
    next_stability,
    recommend,
    summarize,
)
from vaultmem.core.scoring import FAINT, HALF_LIFE
from vaultmem.core.selection import is_over, score_on, today
from vaultmem.core.standing import DAY, IN_USE, Standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Changes
    from vaultmem.core.reinforcement import Outcome, Summary

COLD_HALF_LIVES = 2
"""For how many half-lives a memory must have been dropped before it is put away; the topic files'
multiplier (section 3)."""
REVIEW_WITHIN = timedelta(days=7)
"""How soon a memory that was corrected should be looked at."""
MOST = 100
"""Operations from which a patch takes no further memory; the rest waits until it was decided."""

_BOUNDED = ("session", "task")
_ADVISED = frozenset((Op.CONTEST, Op.UPDATE_STABILITY, Op.FLAG_FOR_REVIEW))
"""Operations that rest on outcomes."""
_ORDER = (
    Op.CONTEST,
    Op.FLAG_FOR_REVIEW,
    Op.UPDATE_STABILITY,
    Op.DEPRECATE,
    Op.DECAY,
)
"""The operations of a patch, the most pressing first."""


class Rates(NamedTuple):
    """The confidence that a memory loses at a missed review; from the governed memory.

    The settings `maintainer_semi_stable_decay` and `maintainer_stable_decay` say others.
    """

    semi_stable: float = 0.15
    stable: float = 0.05

    def of(self, stability: Stability) -> float:
        """The rate for a memory of that stability."""
        return self.stable if stability is Stability.STABLE else self.semi_stable


class Happened(NamedTuple):
    """One outcome of a memory and when it was told, in seconds as `Standing` counts them."""

    at: float
    outcome: Outcome


class Told(NamedTuple):
    """The last time that one kind of operation was proposed for a memory.

    Attributes:
        at: when; outcomes from before are acted on.
        until: the same is not proposed again before.
    """

    at: float
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A memory with what maintenance needs to know of it.

    Attributes:
        memory: as it is in force.
        row: its standing, with the live counts.
        happened: its outcomes, in any order.
        told: what was proposed before, by the kind of operation.
        archived: whether its note lies in the archive already.
    """

    memory: Memory
    row: Standing
    happened: tuple[Happened, ...] = ()
    told: Mapping[Op, Told] = field(default_factory=dict)
    archived: bool = False


def is_concerned(
    row: Standing,
    now: float,
    happened: Iterable[Happened] = (),
    told: Mapping[Op, Told] | None = None,
) -> bool:
    """Whether maintenance may have something to propose; cheap, for every memory of a vault.

    Args:
        row: its standing.
        now: the moment, as `Standing` counts.
        happened: its outcomes.
        told: what was proposed before.
    """
    known = told or {}
    if row.status not in IN_USE:
        return False
    if (_has_ended(row, now) or is_cold(row, now)) and _is_free(Op.DEPRECATE, known, now):
        return True
    late = 0 < row.review < today(now) and row.status == "active" and row.confidence > 0
    if late and _is_free(Op.DECAY, known, now):
        return True
    listed = tuple(happened)
    return bool(listed) and any(
        _is_free(op, known, now) and _asks(op, _summary(op, listed, known)) for op in _ADVISED
    )


def is_cold(row: Standing, now: float) -> bool:
    """Whether a memory was dropped two half-lives ago or earlier, and nothing came since.

    One that is pinned, enforced or L1 never is, and neither is one that no date speaks of.
    """
    if row.pinned or row.enforced or row.layer == "L1":
        return False
    then = today(now) - COLD_HALF_LIVES * HALF_LIFE[row.category]
    since = row.reinforced or row.created
    return since > 0 and today(since) <= then and score_on(row, then) < FAINT


def operations(subject: Subject, now: float, rates: Rates) -> tuple[Operation, ...]:
    """What maintenance proposes for one memory; of what goes out of use, nothing but that.

    Args:
        subject: the memory.
        now: the moment, as `Standing` counts.
        rates: of decay.
    """
    if subject.memory.status.value not in IN_USE:
        return ()
    look = _Look(subject, now, rates)
    ends = look.out_of_use()
    found = (ends,) if ends else (look.contest(), look.flag(), look.stability(), look.decay())
    return tuple(one for one in found if one and _is_free(one.op, subject.told, now))


def urgency(operation: Operation) -> tuple[int, str]:
    """What the operations of a patch are sorted by: the most pressing first, then by memory."""
    return _ORDER.index(operation.op), operation.target or ""


def next_time(memory: Memory, now: float) -> float:
    """When the same may be proposed again for a memory: after one review period."""
    return now + memory.review_days * DAY


class _Look:
    """One memory on one day."""

    def __init__(self, subject: Subject, now: float, rates: Rates) -> None:
        self._subject = subject
        self._memory = subject.memory
        self._now = now
        self._today = _day(now)
        self._rates = rates

    def out_of_use(self) -> Operation | None:
        """Its time is over, or nobody has needed it for long: to the archive, text and name kept.

        What could act keeps its place also then; the person decides whether it goes on.
        """
        subject = self._subject
        if _has_ended(subject.row, self._now):
            reason = self._why_over()
        elif is_cold(subject.row, self._now) and not subject.archived:
            since = _day(subject.row.reinforced or subject.row.created)
            days = COLD_HALF_LIVES * HALF_LIFE[subject.row.category] // DAY
            reason = (
                f"It has not come up since {since}, and for {days:.0f} days only a search could "
                "find it."
            )
        else:
            return None
        archive = not subject.archived and not needs_force(self._memory)
        return self._operation(Op.DEPRECATE, {}, reason, archive=archive)

    def contest(self) -> Operation | None:
        """It was corrected twice."""
        found = self._summary(Op.CONTEST)
        if self._memory.status is not Status.ACTIVE or not self._advises(Advice.CONTEST, found):
            return None
        reason = f"It was corrected {found.corrected} times."
        return self._operation(Op.CONTEST, {}, reason)

    def flag(self) -> Operation | None:
        """It was corrected, so somebody should look at it soon."""
        if not self._advises(Advice.REVIEW, self._summary(Op.FLAG_FOR_REVIEW)):
            return None
        review, soon = self._memory.review, self._today + REVIEW_WITHIN
        if review is not None and self._today <= review <= soon:
            return None
        reason = "The user corrected what it says."
        return self._operation(Op.FLAG_FOR_REVIEW, {"review": soon}, reason, selected=True)

    def stability(self) -> Operation | None:
        """It was corrected, or said again often enough."""
        found = self._summary(Op.UPDATE_STABILITY)
        less = self._advises(Advice.LESS_STABLE, found)
        if not less and not self._advises(Advice.MORE_STABLE, found):
            return None
        advice = Advice.LESS_STABLE if less else Advice.MORE_STABLE
        changes = {"stability": next_stability(self._memory, advice)}
        reason = (
            "The user corrected what it says."
            if less
            else f"It was confirmed {found.reinforced} times, and nobody objected."
        )
        return self._operation(Op.UPDATE_STABILITY, changes, reason, selected=not less)

    def decay(self) -> Operation | None:
        """Its review was missed; one that was corrected is looked at first."""
        memory = self._memory
        if memory.status is not Status.ACTIVE or not is_overdue(memory, self._today):
            return None
        asked = not _is_free(Op.FLAG_FOR_REVIEW, self._subject.told, self._now)
        if asked or self._advises(Advice.REVIEW, self._summary(Op.FLAG_FOR_REVIEW)):
            return None
        rate = self._rates.of(memory.stability)
        confidence = max(0.0, round(memory.confidence - rate, 2))
        if confidence >= memory.confidence:  # nothing is left, or the rate is none
            return None
        review = self._today + timedelta(days=memory.review_days)
        reason = f"Its review was due on {memory.review} and was missed."
        changes: Changes = {"confidence": confidence, "review": review}
        return self._operation(Op.DECAY, changes, reason, selected=True)

    def _operation(
        self,
        op: Op,
        changes: Changes,
        reason: str,
        *,
        selected: bool = False,
        archive: bool = False,
    ) -> Operation:
        return Operation(
            op=op,
            target=self._memory.id,
            changes=changes,
            reason=reason,
            selected=selected,  # the engine clears the tick of what acts
            archive=archive,
        )

    def _summary(self, op: Op) -> Summary:
        return _summary(op, self._subject.happened, self._subject.told)

    def _advises(self, advice: Advice, found: Summary) -> bool:
        return advice in recommend(self._memory, found, self._today)

    def _why_over(self) -> str:
        memory, row = self._memory, self._subject.row
        if memory.scope.value in _BOUNDED:
            return f"It held for one {memory.scope.value}, which is over."
        ends = [one for one in (row.expires, row.valid_to) if one]
        return f"It held until {_day(min(ends))}." if ends else "Its time is over."


def _is_free(op: Op, told: Mapping[Op, Told], now: float) -> bool:
    """Whether an operation of that kind was not proposed in this review period."""
    return op not in told or told[op].until <= now


def _summary(op: Op, happened: Iterable[Happened], told: Mapping[Op, Told]) -> Summary:
    """The outcomes that no operation of that kind was proposed for yet, added up."""
    since = told[op].at if op in told else float("-inf")
    return summarize(one.outcome for one in happened if one.at > since)


def _asks(op: Op, found: Summary) -> bool:
    """Whether outcomes can be a reason for an operation, whatever the memory is."""
    if op is Op.CONTEST:
        return found.corrected >= CONTEST_AT
    return found.corrected > 0 or (op is Op.UPDATE_STABILITY and found.reinforced >= STEADY_AT)


def _has_ended(row: Standing, now: float) -> bool:
    """As `is_over`; most memories name no end, which is quickly seen."""
    bounded = row.expires or row.valid_to or row.scope in _BOUNDED
    return bool(bounded) and is_over(row, now)


def _day(moment: float) -> date:
    return date(1970, 1, 1) + timedelta(days=moment // DAY)
