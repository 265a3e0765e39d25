"""Proposes identity memories (L1) that stable playbook memories add up to; applies none of them.

Each becomes a candidate of the inbox. What was proposed once is not proposed again, whatever became
of it: a signed line of the ledger names the members by a hash of their ids.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.meta_consolidation import Limits, draw
from vaultmem.core.model import Cue, Layer, Memory
from vaultmem.core.reinforcement import STABLE_AT, summarize
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import CANNOT_WRITE, NoteError, UnsafePathError
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.curating.put_candidate import put_candidate
from vaultmem.services.exporting.gather import gather
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.syncing.attribution import tool_is_running
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultmem.core.governance import Governance
    from vaultmem.core.holdings import Happened, Held
    from vaultmem.core.meta_consolidation import Abstraction, Counter, Left
    from vaultmem.core.reinforcement import Outcome
    from vaultmem.services.call import Call

VERB = "maintain identity"
ABSTRACTED = "abstracted"
"""The act of the ledger line that says from which members a candidate was drawn."""
_LAST = "meta_consolidation"
_DAYS = {"session": 0, "daily": 1, "weekly": 7}
"""Days between two runs, by cadence; the cadence `manual` has none."""

OFF = (
    "Identity candidates are off. Set `meta_consolidation_enabled: true` in the user config to "
    "draw them."
)


class Proposed(NamedTuple):
    """A candidate that waits now: its id and note, what it says, and what speaks against it."""

    id: str
    path: str
    statement: str
    sources: tuple[MemoryId, ...]
    counterexamples: tuple[Counter, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What a run did.

    Attributes:
        proposed: the candidates that it wrote, by what their members have in common.
        left: every playbook memory that is in none of them, by id, with the reason.
        off: why nothing was looked at, "" where it was.
    """

    proposed: tuple[Proposed, ...] = ()
    left: tuple[Left, ...] = ()
    off: str = ""


def consolidate(call: Call) -> Consolidated:
    """Draw identity candidates now.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if a candidate cannot be written.
    """
    call.person_only(VERB)
    if not call.governance.meta_enabled:
        return Consolidated(off=OFF)
    return _consolidate(call)


def consolidate_if_due(call: Call) -> Consolidated:
    """Draw identity candidates as policy, if `meta_consolidation_cadence` says that it is time.

    Nothing is drawn where remembering is switched off, while a tool of the agent is running, and
    without the vault's key: nobody could tell what was proposed before. What cannot be written now
    is drawn the next time.
    """
    if not (call.governance.meta_enabled and is_due(call)) or call.vault.key is None:
        return Consolidated()
    if switched_off(call, WRITE) is not None or tool_is_running(call):
        return Consolidated()
    try:
        return _consolidate(call.by_policy())
    except (NoteError, UnsafePathError, *CANNOT_WRITE):
        return Consolidated()


def is_due(call: Call) -> bool:
    """Whether so many days have passed since the last run on this machine."""
    days = _DAYS.get(call.governance.meta_cadence)
    last = call.vault.baseline.parsed_meta(_LAST, date.fromisoformat)
    if days is None or last is None:
        return days is not None
    return (call.local.date() - last).days >= days


def _consolidate(call: Call) -> Consolidated:
    held = gather(call, deleted_texts=True)
    score = _shares(held.outcomes)
    with call.vault.lock():
        by_id = held.by_id()
        waits = {frozenset(one.candidate.memory.derived_from) for one in waiting(call)}
        drawn = draw(
            held,
            _limits(call.governance),
            share=lambda memory: score.get(memory, 0.0),
            is_known=lambda sources: (
                _was_proposed(call, sources)
                or frozenset(by_id[name].link for name in sources) in waits
            ),
        )
        proposed = [
            _propose(call, one, [by_id[name] for name in one.sources]) for one in drawn.candidates
        ]
        with call.vault.baseline.transaction():
            call.vault.baseline.set_meta(_LAST, call.local.date().isoformat())
    return Consolidated(proposed=tuple(proposed), left=drawn.left)


def _limits(governance: Governance) -> Limits:
    return Limits(
        min_records=governance.meta_min_l2_records,
        min_score=governance.meta_min_reinforcement_score,
        max_candidates=governance.meta_max_candidates_per_run,
        max_input=governance.meta_max_input_records,
        counterexamples=governance.meta_require_counterexample_search,
    )


def _shares(outcomes: Iterable[Happened]) -> Mapping[MemoryId, float]:
    """How much each memory was reinforced: 1.0 from the score at which it looks stable."""
    found: dict[MemoryId, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        found[one.memory].append(one.outcome)
    return {
        memory: min(1.0, max(0.0, summarize(listed).score / STABLE_AT))
        for memory, listed in found.items()
    }


def _propose(call: Call, drawn: Abstraction, members: Sequence[Held]) -> Proposed:
    """Write the candidate, then the line that keeps it from coming back once it is decided."""
    model = members[0].memory
    evidence = dict.fromkeys(link for one in members for link in one.memory.evidence)
    shared = set.intersection(*(set(one.memory.tags) for one in members))
    memory = Memory(
        id=MemoryId(""),
        statement=drawn.statement,
        layer=Layer.IDENTITY,
        category=model.category,
        rule=model.rule,
        scope=model.scope,
        project=model.project,
        domains=model.domains,
        cue=Cue.RECURRENCE,
        confidence=min(one.memory.confidence for one in members),
        tags=tuple(sorted(shared)),
        evidence=tuple(evidence),
        derived_from=tuple(one.link for one in members),
    )
    identifier, path = put_candidate(
        call,
        memory,
        trust=TrustClass.GENERATED_CONTENT.value,
        durability=Durability.LONG_TERM.value,
        reasons=_reasons(drawn),
        matched=drawn.sources,
    )
    values = {"by": call.actor.value, "after": _key(drawn.sources)}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, ABSTRACTED, identifier, values)])
    return Proposed(
        identifier, path, drawn.statement, drawn.sources, drawn.counterexamples, drawn.questions
    )


def _reasons(drawn: Abstraction) -> tuple[str, ...]:
    searched = () if drawn.searched else ("What speaks against it was not looked for.",)
    return (
        f"{len(drawn.sources)} stable memories say something on the same; word it so that it "
        "holds for all of them, then approve it, or reject it.",
        *searched,
        *(one.reason for one in drawn.counterexamples),
        *drawn.questions,
    )


def _was_proposed(call: Call, sources: Sequence[str]) -> bool:
    lines = call.vault.baseline.ledger.of_hash(_key(sources), LedgerKind.ACTIVITY)
    return any(line.signed and line.act == ABSTRACTED for line in lines)


def _key(sources: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(sorted(sources)).encode()).hexdigest()[:32]
