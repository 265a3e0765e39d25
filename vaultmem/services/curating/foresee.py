"""What the approval of a candidate would do, said before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.curation import left_to_person
from vaultmem.core.drafting import Draft, approve
from vaultmem.core.ids import short_id
from vaultmem.core.likeness import known
from vaultmem.core.matching import match
from vaultmem.core.operation import Op
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.core.verification import Outcome, verify
from vaultmem.services import evidence
from vaultmem.services.capturing.propose import sentences
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curating.candidates import is_external, waiting
from vaultmem.services.curating.neighbours import neighbours
from vaultmem.services.curating.proposals import as_written, proposals_of
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.core.drafting import Reinforcement
    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting

ACCEPT, REINFORCE = "accept", "reinforce"

_WORDS = {
    ACCEPT: "Approving it accepts the note as it is on disk",
    REINFORCE: "It says what is known; approving it counts there",
    Op.ADD.value: "Approving it adds a memory",
    Op.UPDATE.value: "Approving it rewords",
    Op.SUPERSEDE.value: "Approving it supersedes",
    Op.CONTEST.value: "Approving it contests",
    Op.UNCONTEST.value: "Approving it settles the doubt in favour of",
    Op.ADD_EXCEPTION.value: "Approving it adds a memory beside one that says the opposite; where "
    "one holds everywhere and one in a project, the latter counts there",
}


_CHANGED = "This note was changed since it was made; look at the note that it is about."


class Foreseen(NamedTuple):
    """What the checks say of a candidate now, and what approving it does.

    Attributes:
        op: the operation; `accept` for an external change, `reinforce` where nothing new is said,
            `add_exception` where it is added beside a memory of another place that it contradicts.
        target: the memory that changes, or that is contradicted; None where there is none.
        statement: what that memory says, "" for none.
        trust, durability, verification: computed, in the words of the note's properties.
        reasons: why it waits: what its note says where a device signed for these bytes, else what
            the checks say, else why policy does not apply it by itself. An agent can write anything
            into a note.
    """

    op: str
    target: MemoryId | None
    statement: str
    trust: str
    durability: str
    verification: str
    reasons: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether the checks alone would pass it."""
        return self.verification == Outcome.VERIFIED

    @property
    def why(self) -> str:
        """Why it waits, for a person; "" where nothing says so."""
        reasons = " ".join(f"{reason.rstrip('.')}." for reason in self.reasons)
        return f"Why it waits: {reasons}" if reasons else ""

    @property
    def sentence(self) -> str:
        """What approving it does, for a person."""
        if self.target is None:
            return f"{_WORDS[self.op]}."
        return f"{_WORDS[self.op]}: “{self.statement}” ({short_id(self.target)})."


def list_waiting(call: Call) -> list[tuple[Waiting, Foreseen]]:
    """Everything that waits, with what its approval would do; an agent's look is remembered."""
    catch_up(call)
    return those_waiting(call)


def those_waiting(call: Call) -> list[tuple[Waiting, Foreseen]]:
    """The same where the baseline is up to date."""
    found = waiting(call)
    if call.agent is not None:
        remember_shown(call, (one.candidate.memory.statement for one in found))
    return list(zip(found, foresee(call, found), strict=True))


def foresee(call: Call, candidates: Sequence[Waiting]) -> list[Foreseen]:
    """What approving each would do, if it were the only one; changes nothing."""
    proposed = [one for one in candidates if not is_external(one)]
    memories = neighbours(call, [one.candidate.memory for one in proposed])
    standing = {memory.id: memory for memory in memories}
    others = [known(memory) for memory in memories]
    checks = evidence.checks(call)
    seen: dict[str, Foreseen] = {}
    for one, proposal in zip(proposed, proposals_of(call, proposed), strict=True):
        found = match(proposal.memory, others)
        verification = verify(proposal, found.kind, checks)
        op, target = _effect(approve(proposal, found, standing, checks), standing)
        said = one.candidate.reasons if proposal.as_written else sentences(found, verification)
        sure = proposal.memory.confidence
        left = left_to_person(verification, sure, call.governance) if not said else ""
        seen[one.path] = Foreseen(
            op=op,
            target=None if target is None else target.id,
            statement="" if target is None else target.statement,
            trust=verification.trust.value,
            durability=verification.durability.value,
            verification=verification.outcome.value,
            reasons=(left,) if left else said,
        )
    return [seen.get(one.path) or _accept(call, one) for one in candidates]


def _accept(call: Call, one: Waiting) -> Foreseen:
    """An external change is nobody's proposal; its candidate only shows it."""
    signed = as_written(call, one.id, one.data)
    return Foreseen(
        op=ACCEPT,
        target=None,
        statement="",
        trust=TrustClass.AGENT_INFERENCE.value,
        durability=Durability.UNKNOWN.value,
        verification=Outcome.REVIEW.value,
        reasons=one.candidate.reasons if signed else (_CHANGED,),
    )


def _effect(
    decided: Draft | Reinforcement, standing: Mapping[MemoryId, Memory]
) -> tuple[str, Memory | None]:
    if isinstance(decided, Draft) and decided.against is not None:
        return Op.ADD_EXCEPTION.value, decided.against
    if isinstance(decided, Draft):
        return decided.operation.op.value, decided.target
    return REINFORCE, standing[decided.memory]
