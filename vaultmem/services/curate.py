"""Curate: what becomes of the candidates that wait, proposed, or applied as far as policy may."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core import curation
from vaultmem.core.curation import Curation, Question, applied_at_session_end, applied_by_command
from vaultmem.core.drafting import Reinforcement, approve
from vaultmem.core.force import can_act
from vaultmem.core.governance_keys import AUTO, KEYS, OFF
from vaultmem.core.likeness import known
from vaultmem.core.matching import match
from vaultmem.core.patch_rules import Applier
from vaultmem.errors import CaptureRefusedError, NoteError, NotRatifiedError
from vaultmem.services import evidence, patches, promote
from vaultmem.services.apply import Applied, Done, Skipped, apply, apply_all
from vaultmem.services.call import Actor
from vaultmem.services.capturing.guarding import texts_of
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.curating.explain_held import explain_held
from vaultmem.services.curating.link_drafts import with_notes
from vaultmem.services.curating.neighbours import neighbours
from vaultmem.services.curating.proposals import (
    NO_KEY,
    in_open_patches,
    is_ours_to_settle,
    is_the_persons,
    proposals_of,
    undecided,
)
from vaultmem.services.curating.settle_repeat import settle_repeat
from vaultmem.services.inquiring.of_candidates import ask_about_candidates
from vaultmem.services.session_outcomes import session_ended
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.attribution import tool_is_running

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultmem.core.drafting import Draft, Held
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.core.proposal import Proposal
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting

COMMAND, SESSION_END = "curate", "session_end"
"""The verbs that ledger lines name."""

_MODE = next(key for key in KEYS if key.name == "curator_mode")


class Look(NamedTuple):
    """What the candidates would become; nothing is written yet.

    Attributes:
        mode: what is done with it (`curator_mode`), the stricter of setting and option.
        candidates: by id, as they were read.
        found: what a curation says of each.
        patch: all its operations; its ids are those that a choice names.
    """

    mode: str
    candidates: Mapping[str, Waiting]
    found: Curation
    patch: Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Curated:
    """What a curation did.

    Attributes:
        mode: what was done with the result: propose, supervised, auto, or at a session's end off,
            high-only, all-eligible.
        proposed: the note of the patch that waits for a decision, None for none.
        proposed_id: its id.
        in_patches: candidates that were not looked at, because open patches propose them.
        patches: the ids of the patches that were applied.
        applied, skipped: their operations.
        counted: candidates that said what is known, with the memory that their evidence counts for.
        repeats: those of them that wait, because nothing is applied in this mode.
        held: candidates that wait, and why.
        questions: what only the person can say.
        statements: what each candidate that was looked at says, by its id.
        kept_back: why nothing was even looked at, one sentence with the next step; "" where it was.
    """

    mode: str
    proposed: str | None = None
    proposed_id: str | None = None
    in_patches: int = 0
    patches: tuple[str, ...] = ()
    applied: tuple[Done, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    counted: tuple[Reinforcement, ...] = ()
    repeats: tuple[Reinforcement, ...] = ()
    held: tuple[Held, ...] = ()
    questions: tuple[Question, ...] = ()
    statements: Mapping[str, str] = field(default_factory=dict)
    kept_back: str = ""


def proposals(call: Call) -> list[Proposal]:
    """Every candidate that a curation looks at, with its evidence, the oldest first."""
    return proposals_of(call, undecided(call))


def look(call: Call, *, mode: str | None = None) -> Look:
    """See what the candidates would become; writes nothing.

    Args:
        call: the circumstances.
        mode: propose, supervised or auto; it counts only where it is more careful than the setting
            `curator_mode`.

    Raises:
        AgentRefusedError: if an agent calls.
    """
    call.person_only("curate")
    ensure_current(call)
    return _look(call, undecided(call), _stricter(call.governance.curator_mode, mode))


def curate(call: Call, *, mode: str | None = None) -> Curated:
    """Propose what the candidates would become, or apply what is selected where the mode says so.

    In the mode `supervised` this only proposes; who can ask uses `look` and `apply_chosen`.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if a note cannot be written.
    """
    seen = look(call, mode=mode)
    chosen: Sequence[Draft] = ()
    if seen.mode == AUTO:
        chosen = _drafts(seen.found, applied_by_command(seen.found, call.governance))
    done = _answer(call, seen)
    rest = [draft for draft in seen.found.drafts if draft not in chosen]
    if rest:
        waits = patches.new(call, _pairs(rest))
        done = replace(done, proposed=patches.save(call, waits), proposed_id=waits.id)
    if seen.mode != AUTO:
        return done
    return _apply_alone(call._replace(actor=Actor.POLICY), seen, chosen, done, via=COMMAND)


def apply_chosen(call: Call, seen: Look, chosen: frozenset[str]) -> Curated:
    """Apply the operations that a person said yes to; the other candidates go on waiting.

    Args:
        call: the circumstances.
        seen: what the person was shown.
        chosen: ids of operations of its patch.

    Raises:
        As `curate`.
    """
    call.person_only("curate")
    done = _answer(call, seen)
    if chosen:
        by = Applier.PERSON
        done = _with(done, apply(call, seen.patch, applier=by, selected=chosen, via=COMMAND))
    return _count(call, seen, done, via=COMMAND)


def session_end(call: Call, session: str | None = None) -> Curated:
    """Let policy apply what it may by itself, and leave the rest to the person.

    Whoever calls, what is done here is policy's: the agent's own environment widens nothing.
    First what the session's replies used is told to the ledger (`services.session_outcomes`).
    Afterwards the forms that memories have earned by now are proposed (`services.promote`).
    Without the vault's key nothing is applied, because nobody could tell what the checks rest on.

    Args:
        call: the circumstances.
        session: the agent's session that ends; None where nobody says which.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if a note cannot be written.
    """
    ensure_current(call)
    policy = call.by_policy()
    session_ended(policy, session)
    done = _at_session_end(policy)
    promote.run(policy)
    return done


def _at_session_end(policy: Call) -> Curated:
    """What policy does about the candidates; the baseline is up to date."""
    mode = policy.governance.auto_curate
    if why := _kept_back(policy):
        return Curated(mode=mode, kept_back=why)
    with policy.vault.lock():
        mine = [one for one in undecided(policy) if is_ours_to_settle(policy, one)]
        seen = _look(policy, mine, mode)
        chosen = _drafts(seen.found, applied_at_session_end(seen.found, policy.governance))
        return _apply_alone(policy, seen, chosen, _answer(policy, seen), via=SESSION_END)


def decide_one(call: Call, one: Waiting, *, ratified: bool = False) -> Draft | Reinforcement:
    """What one candidate becomes where a person approves it, who stands above every gate.

    Args:
        call: the circumstances.
        one: the candidate.
        ratified: the person ratifies what it makes act.

    Raises:
        CaptureRefusedError: if it holds a secret.
        NotRatifiedError: if it would act, and neither a device nor the person wrote it as it is.
    """
    memory = one.candidate.memory
    if refusal := refuse_fields(*texts_of(memory)):
        raise CaptureRefusedError(refusal.text)
    (proposal,) = proposals_of(call, [one])
    if can_act(memory) and not (ratified or proposal.as_written or is_the_persons(call, one)):
        raise NotRatifiedError(
            f"{one.path} would act, and something other than you wrote it as it is now.",
            f"Run `vaultmem ratify {one.id}` if you want that.",
        )
    proposal = replace(proposal, memory=replace(memory, reinforced=call.local))
    standing = {one.id: one for one in neighbours(call, [memory])}
    found = match(memory, map(known, standing.values()))
    return approve(proposal, found, standing, evidence.checks(call))


def carry_out(
    call: Call,
    decided: Draft | Reinforcement,
    one: Waiting,
    *,
    applier: Applier,
    via: str,
    ratified: bool = False,
) -> Applied | None:
    """Do what was decided about one candidate.

    Args:
        call: the circumstances.
        decided: what `decide_one` said.
        one: the candidate.
        applier: who applies it.
        via: the verb.
        ratified: the person ratifies it in so many words, which L1 needs.

    Returns:
        What became of the one operation; None where the candidate's evidence counts for the memory
        that `decided` names, and the candidate is gone.

    Raises:
        As `services.apply.apply` and `settle_repeat`.
    """
    if isinstance(decided, Reinforcement):
        settle_repeat(call, one, decided, via=via)
        return None
    return apply_all(call, _pairs([decided]), applier=applier, ratified=ratified, via=via)


def _kept_back(call: Call) -> str:
    """Why policy does nothing now; "" where it may act."""
    if call.governance.auto_curate == OFF:
        return "`curator_auto_curate` is off; decide in the inbox with `vaultmem inbox`."
    if call.vault.key is None:
        return NO_KEY
    if tool_is_running(call):
        return "A tool of the agent is running; what waits is looked at when the next session ends."
    return ""


def _look(call: Call, candidates: Sequence[Waiting], mode: str) -> Look:
    memories = neighbours(call, [one.candidate.memory for one in candidates])
    found = curation.curate(
        proposals_of(call, candidates), memories, call.governance, evidence.checks(call)
    )
    by_id = {one.id: one for one in candidates}
    found = with_notes(call, found, by_id)
    patch = patches.new(call, _pairs(found.drafts))
    return Look(mode, by_id, found, patch)


def _pairs(drafts: Iterable[Draft]) -> list[tuple[Operation, Memory | None]]:
    """The operations, each with its target, as a patch takes them."""
    return [step for draft in drafts for step in draft.steps]


def _drafts(found: Curation, operations: Sequence[Operation]) -> list[Draft]:
    """The drafts of these operations."""
    return [draft for draft in found.drafts if draft.operation in operations]


def _stricter(setting: str, asked: str | None) -> str:
    if asked is None or _MODE.stricter is None:
        return setting
    return str(_MODE.stricter(setting, asked))


def _answer(call: Call, seen: Look) -> Curated:
    """What is said of the candidates while nothing is applied; the notes of those held say why."""
    explain_held(call, seen.found.held, seen.candidates)
    proposed = {name: one.candidate.memory for name, one in seen.candidates.items()}
    ask_about_candidates(call, seen.found.questions, proposed)
    return Curated(
        mode=seen.mode,
        in_patches=len(in_open_patches(call)),
        repeats=seen.found.reinforcements,
        held=seen.found.held,
        questions=seen.found.questions,
        statements={name: one.candidate.memory.statement for name, one in seen.candidates.items()},
    )


def _apply_alone(
    call: Call, seen: Look, chosen: Sequence[Draft], done: Curated, *, via: str
) -> Curated:
    """Apply as policy, which may less than a person, and count what is known."""
    if chosen:
        applied = apply_all(call, _pairs(chosen), applier=Applier.POLICY, via=via)
        done = _with(done, applied)
    return _count(call, seen, done, via=via)


def _with(done: Curated, applied: Applied) -> Curated:
    return replace(
        done,
        patches=(*done.patches, applied.id),
        applied=(*done.applied, *applied.applied),
        skipped=(*done.skipped, *applied.skipped),
    )


def _count(call: Call, seen: Look, done: Curated, *, via: str) -> Curated:
    """Count the evidence of what is known; a candidate that changed meanwhile waits."""
    counted: list[Reinforcement] = []
    for found in seen.found.reinforcements:
        with suppress(NoteError):
            settle_repeat(call, seen.candidates[found.candidate], found, via=via)
            counted.append(found)
    left = tuple(found for found in seen.found.reinforcements if found not in counted)
    return replace(done, counted=tuple(counted), repeats=left)
