"""The default settings carry a user's correction to a selected operation, and little else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.proposals import (
    PROJECT,
    candidate,
    legacy,
    memory,
    number_id,
    piece,
    proposal,
    store,
)
from vaultmem.core.curation import (
    Curation,
    Priority,
    applied_at_session_end,
    applied_by_command,
    curate,
)
from vaultmem.core.drafting import HOLD, Draft, Hold, Reinforcement
from vaultmem.core.drafting import approve as approved
from vaultmem.core.evidence import Redaction
from vaultmem.core.governance import Governance
from vaultmem.core.ids import short_id
from vaultmem.core.likeness import known
from vaultmem.core.matching import match
from vaultmem.core.model import Layer, Memory, RuleType, Scope, Status
from vaultmem.core.operation import Op, Operation, Risk
from vaultmem.core.patch_check import check
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import Applier, Facts
from vaultmem.core.proposal import Proposal
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.core.verification import Outcome, Reason

BUN = "Use bun for tests."
NEVER_NPM = "Never use npm for installs."
DEFAULTS = Governance()
STORE = store()


def run(
    *candidates: Proposal, known_to_us: tuple[Memory, ...] = (), **settings: object
) -> Curation:
    governance = DEFAULTS._replace(**settings)  # type: ignore[arg-type]
    return curate(candidates, known_to_us, governance, STORE)


def only(found: Curation) -> Operation:
    (operation,) = found.operations
    return operation


def of_agent(number: int, statement: str, *sessions: str, **changes: object) -> Proposal:
    """What an agent says that it saw, once in each session."""
    pieces = [piece(statement, session=one, trust=TrustClass.AGENT_INFERENCE) for one in sessions]
    return proposal(number, statement, *pieces, **changes)  # type: ignore[arg-type]


def test_by_default_a_correction_becomes_a_selected_add_that_policy_applies() -> None:
    found = run(proposal(1, NEVER_NPM))
    operation = only(found)
    assert (operation.op, operation.selected, operation.risk) == (Op.ADD, True, Risk.LOW)
    assert operation.candidate == number_id(1, "cand")
    assert operation.memory is not None
    assert operation.memory.id == number_id(1)
    assert operation.memory.review == date(2026, 12, 29)
    assert operation.memory.evidence_count == 1
    assert applied_at_session_end(found, DEFAULTS) == (operation,)
    ready = propose(operation, None)
    for facts in (Facts(), Facts(applier=Applier.POLICY)):
        assert check(ready, None, facts) is None
    assert found.held == found.reinforcements == found.questions == ()


def test_row21_044_two_records_are_enough() -> None:
    operation = only(run(of_agent(1, BUN, "s1", "s2", confidence=0.82)))
    assert (operation.op, operation.selected) == (Op.ADD, False)
    assert operation.memory is not None
    assert operation.memory.layer is Layer.PLAYBOOK
    assert operation.memory.evidence_count == 2
    assert "let a person decide" in operation.reason


def test_row21_045_low_confidence_waits() -> None:
    found = run(proposal(1, BUN, confidence=0.4))
    assert found.operations == ()
    (held,) = found.held
    assert (held.candidate, held.hold) == (number_id(1, "cand"), Hold.CONFIDENCE)
    assert held.sentence == HOLD[Hold.CONFIDENCE]


@pytest.mark.parametrize(
    ("policy", "confidences", "applied"),
    [
        pytest.param("high-only", (0.90, 0.78), (0.90,), id="row21_046"),
        pytest.param("all-eligible", (0.76, 0.88), (0.76, 0.88), id="row21_047"),
        ("off", (0.90, 0.99), ()),
    ],
)
def test_what_policy_applies(
    policy: str, confidences: tuple[float, ...], applied: tuple[float, ...]
) -> None:
    texts = (BUN, NEVER_NPM)
    found = run(*(proposal(at, texts[at], confidence=one) for at, one in enumerate(confidences)))
    operations = applied_at_session_end(found, DEFAULTS._replace(auto_curate=policy))
    assert tuple(one.memory.confidence for one in operations if one.memory) == applied


def test_row21_048_only_what_may_is_selected() -> None:
    poisoned = piece(NEVER_NPM, trust=TrustClass.REPOSITORY_TEXT)
    twice = piece(NEVER_NPM, trust=TrustClass.REPOSITORY_TEXT, session="s2")
    temporary = piece("Skip the linter.", durability=Durability.TEMPORARY)
    found = run(
        legacy(1, BUN, confidence=0.95, evidence_count=2),
        proposal(2, NEVER_NPM, poisoned, twice, confidence=0.95),
        proposal(3, "Skip the linter.", temporary, confidence=0.95),
    )
    assert [one.selected for one in found.operations] == [True, False, False]
    assert [one.risk for one in found.operations] == [Risk.LOW, Risk.HIGH, Risk.LOW]


def test_row21_049_no_longer_proposes_a_supersede_that_a_person_selects() -> None:
    tags = ("memory/markdown",)
    stands = memory(1, "Edit MEMORY.md directly for small fixes.", tags=tags)
    new = "No longer edit MEMORY.md directly; use patch files instead."
    operation = only(run(proposal(2, new, tags=(*tags, "supersedes:x")), known_to_us=(stands,)))
    assert (operation.op, operation.target) == (Op.SUPERSEDE, stands.id)
    assert (operation.selected, operation.risk) == (False, Risk.MEDIUM)
    assert operation.memory is not None
    assert operation.memory.statement == new


def test_the_tag_that_names_what_is_superseded_goes() -> None:
    stands = memory(1, "Edit it directly.")
    tags = ("memory/a", f"supersedes:{stands.id}")
    operation = only(run(proposal(2, "Send a patch.", tags=tags), known_to_us=(stands,)))
    assert (operation.op, operation.target) == (Op.SUPERSEDE, stands.id)
    assert operation.memory is not None
    assert operation.memory.tags == ("memory/a",)


def test_row21_050_a_shared_tag_supersedes_nothing() -> None:
    tags = ("memory/correction",)
    stands = memory(1, "Never commit secrets to git.", tags=tags)
    operation = only(
        run(proposal(2, "Don't use npm for installs.", tags=tags), known_to_us=(stands,))
    )
    assert (operation.op, operation.target) == (Op.ADD, None)


@pytest.mark.parametrize(
    ("one", "held"),
    [
        (of_agent(2, BUN, "s1"), Hold.UNCORROBORATED),
        # two records of one session are one session
        (
            proposal(
                2,
                BUN,
                piece(BUN),
                piece("Use bun for all tests."),
                trust=TrustClass.AGENT_INFERENCE,
            ),
            Hold.UNCORROBORATED,
        ),
        (of_agent(2, BUN, "s1", "s2"), None),
        (proposal(2, BUN), None),
        (proposal(2, BUN, piece("The build is red.")), Hold.UNCORROBORATED),
        (legacy(2, BUN), Hold.UNCORROBORATED),
        (legacy(2, BUN, evidence_count=2), None),
    ],
)
def test_the_evidence_gate(one: Proposal, held: Hold | None) -> None:
    found = run(one)
    assert [each.hold for each in found.held] == ([] if held is None else [held])
    assert len(found.operations) == (held is None)


@pytest.mark.parametrize("text", [BUN, "use BUN for tests"])
def test_a_duplicate_is_a_reinforcement(text: str) -> None:
    stands = memory(1, BUN)
    evidence = piece(BUN, session="s9")
    found = run(proposal(2, text, evidence), known_to_us=(stands,))
    expected = Reinforcement(number_id(2, "cand"), stands.id, (evidence.id,), by_user=True)
    assert (found.reinforcements, found.operations, found.held) == ((expected,), (), ())


def test_the_agents_repetition_counts_but_not_as_the_users() -> None:
    found = run(of_agent(2, BUN, "s1"), known_to_us=(memory(1, BUN),))
    assert [one.by_user for one in found.reinforcements] == [False]


@pytest.mark.parametrize(
    "one",
    [
        proposal(2, BUN, piece(BUN, trust=TrustClass.REPOSITORY_TEXT)),
        proposal(2, BUN, piece(BUN, durability=Durability.TASK)),
        proposal(2, BUN, piece("The build is red.")),
        replace(proposal(2, BUN), evidence=()),
    ],
    ids=["poisoned", "passing", "not supported", "missing"],
)
def test_what_cannot_be_counted_reinforces_nothing(one: Proposal) -> None:
    found = run(one, known_to_us=(memory(1, BUN),))
    assert [each.hold for each in found.held] == [Hold.UNSUPPORTED]
    assert found.reinforcements == ()


def test_what_says_less_is_a_reinforcement_and_what_says_more_an_update() -> None:
    tags = ("memory/ruff",)
    short, long = (
        "Format the Python code with ruff.",
        "Format the Python code with ruff in the container.",
    )
    less = run(proposal(2, short, tags=tags), known_to_us=(memory(1, long, tags=tags),))
    assert [one.memory for one in less.reinforcements] == [number_id(1)]
    more = run(proposal(2, long, tags=tags), known_to_us=(memory(1, short, tags=tags),))
    assert only(more).op is Op.UPDATE
    assert only(more).changes == {"statement": long}


@pytest.mark.parametrize(
    ("new", "old", "selected"),
    [
        (
            "Wrap database calls in transactions with retries.",
            "Wrap database calls in transactions.",
            True,
        ),
        # a wording that drops a word of the old one is a person's to choose
        ("Use Python 3.12 for the tests.", "Use Python 3.11 for the tests.", False),
        (
            "Update the JSONL schema of exports to include profiles.",
            "Use one JSONL schema for exports.",
            False,
        ),
    ],
)
def test_an_update_changes_the_statement(new: str, old: str, selected: bool) -> None:
    stands = memory(1, old, tags=("memory/schema",))
    found = run(proposal(2, new, tags=("memory/schema",)), known_to_us=(stands,))
    operation = only(found)
    assert (operation.op, operation.target) == (Op.UPDATE, stands.id)
    assert (operation.changes, operation.memory) == ({"statement": new}, None)
    assert (operation.selected, operation.risk) == (selected, Risk.MEDIUM)
    ready = propose(operation, stands)
    assert check(ready, stands, Facts(applier=Applier.POLICY)) is None


def test_an_update_of_what_is_pinned_is_never_selected() -> None:
    stands = memory(1, "Wrap database calls in transactions.", pinned=True)
    new = "Wrap database calls in transactions with retries."
    operation = only(run(proposal(2, new), known_to_us=(stands,)))
    assert (operation.op, operation.selected, operation.risk) == (Op.UPDATE, False, Risk.HIGH)


@pytest.mark.parametrize(
    ("one", "op"),
    [
        (proposal(2, "Use npm for installs."), Op.SUPERSEDE),
        (of_agent(2, "Use npm for installs.", "s1", "s2"), Op.CONTEST),
    ],
    ids=["user", "agent"],
)
def test_a_conflict_is_proposed_never_selected_and_asked_about(one: Proposal, op: Op) -> None:
    stands = memory(1, NEVER_NPM)
    found = run(one, known_to_us=(stands,), auto_curate="all-eligible")
    operation = only(found)
    assert (operation.op, operation.target, operation.selected) == (op, stands.id, False)
    assert applied_at_session_end(found, DEFAULTS) == ()
    (question,) = found.questions
    assert (question.priority, question.memories) == (Priority.HIGH, (stands.id,))
    assert check(propose(operation, stands), stands, Facts()) is None


def test_what_is_contested_already_is_not_contested_again() -> None:
    stands = memory(1, NEVER_NPM, status=Status.CONTESTED)
    operation = only(run(of_agent(2, "Use npm for installs.", "s1", "s2"), known_to_us=(stands,)))
    assert (operation.op, operation.selected) == (Op.SUPERSEDE, False)
    assert check(propose(operation, stands), stands, Facts()) is None


GLOBAL: dict[str, object] = {"scope": Scope.GLOBAL, "project": None}
EXCEPTED = {"exceptions": (f"project:{PROJECT}",)}


def test_a_projects_correction_against_a_global_memory_is_added_beside_it_by_a_person() -> None:
    stands = memory(1, "Use npm for installs.", **GLOBAL)
    found = run(proposal(2, NEVER_NPM), known_to_us=(stands,), auto_curate="all-eligible")
    operation = only(found)
    assert (operation.op, operation.target, operation.selected) == (Op.ADD, None, False)
    assert short_id(stands.id) in operation.reason
    assert [one.priority for one in found.questions] == [Priority.HIGH]
    assert applied_at_session_end(found, DEFAULTS._replace(auto_curate="all-eligible")) == ()
    (draft,) = found.drafts
    assert (draft.target, draft.against) == (None, stands)
    ((exception, target),) = draft.beside
    assert (exception.op, exception.target, exception.selected) == (
        Op.ADD_EXCEPTION,
        stands.id,
        False,
    )
    assert (exception.changes, target) == (EXCEPTED, stands)
    assert check(propose(exception, stands), stands, Facts()) is None
    assert draft.steps == ((operation, None), (exception, stands))


def test_a_global_correction_excepts_the_projects_that_say_otherwise() -> None:
    other = "github.com/acme/other"
    stands = (memory(1, "Use npm for installs."), memory(2, "Use npm for installs.", project=other))
    found = run(proposal(3, NEVER_NPM, **GLOBAL), known_to_us=stands)
    (draft,) = found.drafts
    new = draft.operation.memory
    assert (draft.operation.op, draft.operation.selected) == (Op.ADD, False)
    ((exception, target),) = draft.beside
    assert target == new
    assert exception.changes == {"exceptions": (f"project:{PROJECT}", f"project:{other}")}


@pytest.mark.parametrize(
    ("place", "stands"),
    [
        ({"scope": Scope.TASK}, {}),
        ({"scope": Scope.SESSION}, {}),
        ({"scope": Scope.DOMAIN, "project": None, "domains": ("js",)}, {}),
        ({"project": None}, {}),
        ({}, {"layer": Layer.IDENTITY}),
    ],
    ids=["task", "session", "domain", "nameless", "identity"],
)
def test_what_gets_no_exception_is_still_decided_by_a_person(
    place: dict[str, object], stands: dict[str, object]
) -> None:
    everywhere = memory(1, "Use npm for installs.", **GLOBAL, **stands)
    found = run(proposal(2, NEVER_NPM, **place), known_to_us=(everywhere,))
    (draft,) = found.drafts
    assert (draft.operation.op, draft.operation.selected, draft.beside) == (Op.ADD, False, ())


def test_an_approved_exception_is_selected_with_what_it_is_for() -> None:
    stands = memory(1, "Use npm for installs.", **GLOBAL)
    draft = approve(proposal(2, NEVER_NPM), stands)
    assert isinstance(draft, Draft)
    assert [one.selected for one, _ in draft.steps] == [True, True]


def test_what_cannot_be_added_excepts_nothing() -> None:
    stands = memory(1, "Use npm for installs.", **GLOBAL)
    gone = replace(piece(NEVER_NPM), redaction=Redaction.REDACTED)
    draft = approve(proposal(2, NEVER_NPM, gone), stands)
    assert isinstance(draft, Draft)
    assert (draft.operation.op, draft.beside) == (Op.ADD, ())


def test_what_is_contested_and_said_again_by_the_user_waits_for_the_person_to_settle_it() -> None:
    stands = memory(1, NEVER_NPM, status=Status.CONTESTED)
    found = run(proposal(2, NEVER_NPM), known_to_us=(stands,), auto_curate="all-eligible")
    operation = only(found)
    assert (operation.op, operation.target, operation.selected) == (
        Op.UNCONTEST,
        stands.id,
        False,
    )
    assert "settle the doubt" in operation.reason
    assert applied_at_session_end(found, DEFAULTS._replace(auto_curate="all-eligible")) == ()
    assert check(propose(operation, stands), stands, Facts()) is None
    settled = approve(Proposal(memory=candidate(3, NEVER_NPM)), stands)
    assert isinstance(settled, Draft)
    assert (settled.operation.op, settled.operation.selected) == (Op.UNCONTEST, True)


def test_what_is_contested_and_said_again_by_the_agent_is_evidence_and_settles_nothing() -> None:
    stands = memory(1, NEVER_NPM, status=Status.CONTESTED)
    found = run(of_agent(2, NEVER_NPM, "s1", "s2"), known_to_us=(stands,))
    assert found.operations == ()
    assert [one.by_user for one in found.reinforcements] == [False]


def test_an_ambiguous_candidate_waits_with_a_question() -> None:
    twins = (memory(1, BUN), memory(2, BUN))
    found = run(proposal(3, BUN), known_to_us=twins)
    assert [one.hold for one in found.held] == [Hold.AMBIGUOUS]
    assert found.held[0].memories == (twins[0].id, twins[1].id)
    assert [one.priority for one in found.questions] == [Priority.MEDIUM]
    assert Reason.MATCH.value not in found.held[0].sentence


def test_no_question_about_what_waits_for_another_reason() -> None:
    found = run(proposal(3, BUN, confidence=0.1), known_to_us=(memory(1, BUN), memory(2, BUN)))
    assert (found.questions, [one.hold for one in found.held]) == ((), [Hold.CONFIDENCE])


def test_a_rejected_candidate_waits_for_the_person() -> None:
    found = curate([proposal(1, BUN)], (), DEFAULTS, store(texts=(BUN,)))
    (held,) = found.held
    assert held.hold is Hold.REJECTED
    assert "let a person decide whether it comes back" in held.sentence
    assert found.operations == ()


def test_two_candidates_that_say_one_thing_are_proposed_once() -> None:
    found = run(proposal(1, BUN), proposal(2, BUN))
    assert [one.candidate for one in found.operations] == [number_id(1, "cand")]
    assert [one.selected for one in found.operations] == [True]
    assert [(one.candidate, one.hold) for one in found.held] == [
        (number_id(2, "cand"), Hold.REPEATED)
    ]


def test_of_two_candidates_that_contradict_each_other_none_is_selected() -> None:
    found = run(proposal(1, "Use npm for installs."), proposal(2, NEVER_NPM))
    assert [one.selected for one in found.operations] == [False]
    assert [one.hold for one in found.held] == [Hold.REPEATED]


def test_a_contest_makes_nothing_known() -> None:
    stands = memory(1, NEVER_NPM)
    text = "Use npm for installs."
    found = run(of_agent(2, text, "s1", "s2"), of_agent(3, text, "s3", "s4"), known_to_us=(stands,))
    assert [one.op for one in found.operations] == [Op.CONTEST, Op.CONTEST]


@pytest.mark.parametrize(
    "changes",
    [
        {"pinned": True},
        {"trigger": "bash_contains npm", "action": "block"},
        {"layer": Layer.IDENTITY},
    ],
    ids=["pinned", "enforced", "identity"],
)
def test_what_wants_force_is_never_selected(changes: dict[str, object]) -> None:
    found = run(proposal(1, BUN, **changes), auto_curate="all-eligible")  # type: ignore[arg-type]
    assert (only(found).op, only(found).selected) == (Op.ADD, False)
    assert only(found).risk is Risk.HIGH


# ---- every key that curation heeds


def test_key_curator_min_confidence() -> None:
    assert run(proposal(1, BUN, confidence=0.7)).operations == ()
    assert len(run(proposal(1, BUN, confidence=0.7), min_confidence=0.7).operations) == 1


@pytest.mark.parametrize(("needed", "proposed"), [(1, 1), (2, 1), (3, 0)])
def test_key_curator_min_evidence_count(needed: int, proposed: int) -> None:
    found = run(of_agent(1, BUN, "s1", "s2"), min_evidence_count=needed)
    assert len(found.operations) == proposed
    # the user's own sentence is enough by itself
    assert len(run(proposal(1, BUN), min_evidence_count=needed).operations) == 1


@pytest.mark.parametrize(("threshold", "applied"), [(0.85, 0), (0.8, 1)])
def test_key_curator_auto_curate_high_threshold(threshold: float, applied: int) -> None:
    found = run(proposal(1, BUN, confidence=0.82))
    assert (
        len(applied_at_session_end(found, DEFAULTS._replace(high_threshold=threshold))) == applied
    )


@pytest.mark.parametrize(("mode", "applied"), [("propose", 0), ("supervised", 0), ("auto", 1)])
def test_key_curator_mode(mode: str, applied: int) -> None:
    agents = of_agent(2, NEVER_NPM, "s1", "s2")
    found = run(proposal(1, BUN, confidence=0.8), agents)
    assert len(found.operations) == 2
    assert len(applied_by_command(found, DEFAULTS._replace(curator_mode=mode))) == applied


@pytest.mark.parametrize(("mode", "selected"), [("compatibility", True), ("strict", False)])
def test_key_governance_mode(mode: str, selected: bool) -> None:
    found = run(legacy(1, BUN, evidence_count=2), mode=mode)
    assert only(found).selected is selected
    assert only(run(proposal(1, BUN), mode=mode)).selected


def test_policy_never_applies_a_high_risk_that_somebody_ticked() -> None:
    found = run(proposal(1, BUN, pinned=True))
    draft = found.drafts[0]
    ticked = replace(draft, operation=replace(draft.operation, selected=True))
    forged = replace(found, drafts=(ticked,))
    assert applied_at_session_end(forged, DEFAULTS) == ()
    assert applied_by_command(forged, DEFAULTS._replace(curator_mode="auto")) == ()


def test_what_was_edited_after_it_was_captured_is_proposed_and_not_selected() -> None:
    operation = only(run(replace(proposal(1, BUN), as_written=False)))
    assert not operation.selected
    assert "changed after it was captured" in operation.reason
    known_to_us = (memory(1, BUN),)
    found = run(replace(proposal(2, BUN), as_written=False), known_to_us=known_to_us)
    assert found.reinforcements == ()
    assert [one.hold for one in found.held] == [Hold.UNSUPPORTED]


@pytest.mark.parametrize(
    "changes",
    [{"pinned": True}, {"rule": RuleType.CONVENTION}, {"layer": Layer.IDENTITY}],
    ids=str,
)
def test_what_was_edited_so_that_it_acts_is_not_even_proposed(changes: dict[str, object]) -> None:
    found = run(replace(proposal(1, BUN, **changes), as_written=False))
    assert found.operations == ()
    assert [one.hold for one in found.held] == [Hold.ACTS]
    assert run(proposal(1, BUN, **changes)).operations


def test_what_holds_a_secret_is_rejected() -> None:
    found = run(replace(proposal(1, BUN), secret=True))
    assert found.operations == ()
    assert [one.hold for one in found.held] == [Hold.REJECTED]
    assert found.held[0].outcome is Outcome.REJECTED
    assert found.held[0].reasons == (Reason.UNSAFE,)


def test_a_memory_is_found_among_many_by_a_rare_word_or_by_its_name() -> None:
    many = tuple(memory(at, f"Use the tool number {at} for tests.") for at in range(100, 200))
    target = memory(1, NEVER_NPM)
    found = run(proposal(2, "Use npm for installs."), known_to_us=(*many, target))
    assert only(found).target == target.id
    named = run(proposal(3, f"Zebras graze. Supersedes {target.id}."), known_to_us=(*many, target))
    assert (only(named).op, only(named).target) == (Op.SUPERSEDE, target.id)


# ---- what a person approved


def approve(one: Proposal, *stands: Memory) -> Draft | Reinforcement:
    found = match(one.memory, map(known, stands))
    return approved(one, found, {each.id: each for each in stands}, store(texts=(BUN,)))


@pytest.mark.parametrize(
    ("stands", "text", "op"),
    [
        ((), BUN, Op.ADD),
        ((NEVER_NPM,), "Use npm for installs.", Op.SUPERSEDE),
        ((NEVER_NPM, NEVER_NPM), NEVER_NPM, Op.ADD),
        (("Use Python 3.11 for the tests.",), "Use Python 3.12 for the tests.", Op.UPDATE),
    ],
    ids=["tombstoned", "conflict", "ambiguous", "update"],
)
def test_a_persons_approval_stands_above_every_gate(
    stands: tuple[str, ...], text: str, op: Op
) -> None:
    known_to_us = [memory(at, each) for at, each in enumerate(stands, 1)]
    bare = Proposal(memory=candidate(9, text, confidence=0.1))
    draft = approve(bare, *known_to_us)
    assert isinstance(draft, Draft)
    assert (draft.operation.op, draft.operation.selected) == (op, True)
    assert (
        check(propose(draft.operation, draft.target), draft.target, Facts(applier=Applier.PERSON))
        is None
    )


def test_a_sentence_that_was_stated_and_approved_starts_with_two_pieces() -> None:
    stated = approve(proposal(1, NEVER_NPM))
    assert isinstance(stated, Draft)
    assert stated.operation.memory is not None
    assert stated.operation.memory.evidence_count == 2


def test_a_duplicate_that_a_person_approved_counts_as_theirs() -> None:
    decided = approve(Proposal(memory=candidate(2, NEVER_NPM)), memory(1, NEVER_NPM))
    assert decided == Reinforcement(number_id(2, "cand"), number_id(1), (), by_user=True)


def test_a_given_review_date_is_kept_and_none_is_made_up() -> None:
    day = date(2027, 1, 1)
    kept = only(run(proposal(1, BUN, review=day))).memory
    undated = only(run(proposal(1, BUN, created=None))).memory
    assert kept is not None
    assert undated is not None
    assert (kept.review, undated.review) == (day, None)


TEXTS = st.sampled_from(
    [
        BUN,
        "Never use bun for tests.",
        NEVER_NPM,
        "Use npm for installs.",
        "Retry 3 times.",
        "Retry 5 times.",
    ]
)
KINDS = st.sampled_from(list(TrustClass))


@given(
    st.lists(
        st.tuples(TEXTS, KINDS, st.sampled_from(list(Durability)), st.integers(1, 3)), max_size=6
    ),
    st.lists(TEXTS, max_size=3),
    st.sampled_from(["off", "high-only", "all-eligible"]),
    st.sampled_from(["compatibility", "strict"]),
)
def test_every_candidate_has_one_fate_and_only_the_users_word_is_applied(
    wishes: list[tuple[str, TrustClass, Durability, int]], stands: list[str], policy: str, mode: str
) -> None:
    candidates = []
    for at, (text, trust, durability, sessions) in enumerate(wishes):
        pieces = [
            piece(text, trust=trust, durability=durability, session=f"s{one}")
            for one in range(sessions)
        ]
        candidates.append(proposal(at + 10, text, *pieces, durability=durability))
    governance = DEFAULTS._replace(auto_curate=policy, mode=mode)
    memories = [memory(at, text) for at, text in enumerate(stands)]
    found = curate(candidates, memories, governance, STORE)
    fates = [
        *(one.candidate for one in found.operations),
        *(one.candidate for one in found.reinforcements),
        *(one.candidate for one in found.held),
    ]
    assert sorted(map(str, fates)) == sorted(one.memory.id for one in candidates)
    told = {one.memory.id: one.evidence[0].trust for one in candidates}
    by_itself = applied_at_session_end(found, governance)
    assert {told[one.candidate] for one in by_itself if one.candidate} <= set(list(TrustClass)[:3])
    assert all(one.op in (Op.ADD, Op.UPDATE) for one in by_itself)
    added = [one.memory.statement for one in by_itself if one.memory]
    assert not set(added) & set(stands)
    assert len(set(added)) == len(added)
