"""The checks run in their order and believe nothing that a note says about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.proposals import candidate, legacy, number_id, piece, proposal, store, without_words
from vaultmem.core.evidence import Polarity, Redaction, SourceKind, address
from vaultmem.core.governance_keys import COMPATIBILITY, STRICT
from vaultmem.core.likeness import MatchKind
from vaultmem.core.model import Layer, Scope
from vaultmem.core.operation import Risk
from vaultmem.core.proposal import Checks, Proposal
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.core.verification import (
    NEXT_STEP,
    Outcome,
    Reason,
    Verification,
    may_apply_alone,
    verify,
)
from vaultmem.notes.schema import VERIFICATIONS

BUN = "Use bun for tests."
STORE = store()


def checked(one: Proposal, kind: MatchKind = MatchKind.NEW, checks: Checks = STORE) -> Verification:
    return verify(one, kind, checks)


def test_row21_028_supportive_evidence_verifies() -> None:
    found = checked(proposal(1, BUN))
    assert (found.outcome, found.reasons) == (Outcome.VERIFIED, ())
    assert (found.trust, found.durability) == (TrustClass.USER_CORRECTION, Durability.PROJECT)
    assert (found.risk, found.sessions, found.own_sentence) == (Risk.LOW, 1, True)
    assert may_apply_alone(found, COMPATIBILITY)


def test_row21_029_a_missing_piece_needs_a_look() -> None:
    one = proposal(1, BUN)
    missing = replace(one, cited=(*one.cited, piece("Something else.").id))
    found = checked(missing)
    assert (found.outcome, found.reasons) == (Outcome.REVIEW, (Reason.MISSING_EVIDENCE,))
    nothing = checked(replace(one, evidence=()))
    assert nothing.reasons == (Reason.MISSING_EVIDENCE, Reason.LOW_TRUST)


@pytest.mark.parametrize("redaction", [Redaction.REDACTED, Redaction.DELETED])
def test_row21_030_evidence_that_is_gone_rejects(redaction: Redaction) -> None:
    gone = without_words(piece(BUN), redaction)
    found = checked(proposal(1, BUN, piece(BUN, session="s2"), gone))
    assert (found.outcome, found.reasons) == (Outcome.REJECTED, (Reason.GONE_EVIDENCE,))
    assert not may_apply_alone(found, COMPATIBILITY)


def test_row21_031_a_tombstone_stops_the_id() -> None:
    found = checked(proposal(1, BUN), checks=store(ids=(number_id(1),)))
    assert (found.outcome, found.reasons) == (Outcome.REJECTED, (Reason.TOMBSTONED,))


@pytest.mark.parametrize(
    "one", [proposal(2, "use  BUN for tests"), legacy(2, BUN)], ids=["new", "legacy"]
)
def test_row21_032_a_tombstone_stops_the_text_under_another_id(one: Proposal) -> None:
    found = checked(one, checks=store(texts=(BUN,)))
    assert (found.outcome, found.reasons) == (Outcome.REJECTED, (Reason.TOMBSTONED,))


def test_an_unsigned_tombstone_only_stops_what_acts_by_itself() -> None:
    found = checked(proposal(1, BUN), checks=store(unsigned=(number_id(1),)))
    assert (found.outcome, found.reasons) == (Outcome.REVIEW, (Reason.UNSIGNED_TOMBSTONE,))


def test_row21_033_too_few_words_do_not_support() -> None:
    claim = "canonical storage layout versus unrelated vegetables"
    found = checked(proposal(1, claim, piece("please use canonical storage")))
    assert found.outcome is Outcome.REVIEW
    assert Reason.NOT_SUPPORTIVE in found.reasons
    assert found.supporting == ()


def test_a_claim_without_a_long_word_is_not_free() -> None:
    found = checked(proposal(1, "Use bun", piece("The release is on Friday.")))
    assert Reason.NOT_SUPPORTIVE in found.reasons


@pytest.mark.parametrize("kind", list(MatchKind))
def test_row21_034_what_touches_something_known_needs_a_look(kind: MatchKind) -> None:
    found = checked(proposal(1, BUN), kind)
    reviewed = kind in (MatchKind.CONFLICT, MatchKind.SUPERSEDES, MatchKind.AMBIGUOUS)
    assert (found.reasons == (Reason.MATCH,)) is reviewed
    assert may_apply_alone(found, COMPATIBILITY) is not reviewed


def test_evidence_that_contradicts_does_not_support() -> None:
    against = piece(BUN, polarity=Polarity.CONTRADICTS)
    found = checked(proposal(1, BUN, against))
    assert found.reasons == (Reason.CONTRADICTED, Reason.NOT_SUPPORTIVE, Reason.LOW_TRUST)
    both = checked(proposal(1, BUN, piece(BUN), against))
    assert both.reasons == (Reason.CONTRADICTED,)
    said = checked(proposal(1, BUN, piece("Never use bun for tests.")))
    assert Reason.NOT_SUPPORTIVE in said.reasons


def test_evidence_that_qualifies_is_no_support() -> None:
    found = checked(proposal(1, BUN, piece(BUN, polarity=Polarity.QUALIFIES)))
    assert found.reasons == (Reason.NOT_SUPPORTIVE, Reason.LOW_TRUST)


def test_altered_evidence_supports_nothing() -> None:
    altered = replace(piece("Something else."), excerpt=BUN)
    found = checked(proposal(1, BUN, altered))
    assert found.reasons == (Reason.ALTERED_EVIDENCE, Reason.LOW_TRUST)
    assert found.supporting == ()


def test_forged_evidence_with_a_right_address_supports_nothing_without_a_signed_line() -> None:
    forged = piece(BUN, session="never was")
    assert forged.id == address(forged)
    found = checked(proposal(1, BUN, forged), checks=store(unrecorded=(forged.id,)))
    assert found.reasons == (Reason.ALTERED_EVIDENCE, Reason.LOW_TRUST)


@pytest.mark.parametrize(
    ("recorded", "claimed", "expected"),
    [
        ("user_correction", "user_correction", "user_correction"),
        ("agent_inference", "direct_user_instruction", "agent_inference"),
        ("user_correction", "repository_text", "repository_text"),
        ("user_correction", None, "user_correction"),
        ("agent_inference", None, "agent_inference"),
    ],
)
def test_a_note_can_only_claim_less_than_its_evidence_shows(
    recorded: str, claimed: str | None, expected: str
) -> None:
    evidence = piece(BUN, trust=TrustClass(recorded))
    trust = None if claimed is None else TrustClass(claimed)
    assert checked(proposal(1, BUN, evidence, trust=trust)).trust == expected


def test_a_file_is_never_the_users_word() -> None:
    evidence = piece(BUN, source_kind=SourceKind.FILE, trust=TrustClass.USER_CORRECTION)
    found = checked(proposal(1, BUN, evidence))
    assert found.trust is TrustClass.EXISTING_PROJECT_CONVENTION
    assert found.outcome is Outcome.VERIFIED
    assert not may_apply_alone(found, COMPATIBILITY)


@pytest.mark.parametrize(
    ("recorded", "claimed", "reasons", "alone"),
    [
        ("project", "project", (), True),
        ("task", "project", (Reason.PASSING,), False),
        ("project", "temporary", (Reason.PASSING,), False),
        ("unknown", "project", (), False),
        ("project", "unknown", (), False),
    ],
)
def test_durability(recorded: str, claimed: str, reasons: tuple[Reason, ...], alone: bool) -> None:
    evidence = piece(BUN, durability=Durability(recorded))
    found = checked(proposal(1, BUN, evidence, durability=Durability(claimed)))
    assert found.reasons == reasons
    assert may_apply_alone(found, COMPATIBILITY) is alone


@pytest.mark.parametrize("trust", list(TrustClass)[6:])
def test_low_trust_needs_a_look_and_the_lowest_is_poison(trust: TrustClass) -> None:
    found = checked(proposal(1, BUN, piece(BUN, trust=trust), trust=trust))
    poison = trust in list(TrustClass)[-3:]
    expected = (Reason.LOW_TRUST, Reason.POISONING) if poison else (Reason.LOW_TRUST,)
    assert found.reasons == expected
    assert (found.risk is Risk.HIGH) is poison


@pytest.mark.parametrize(
    ("places", "scope", "unsupported"),
    [
        (["github.com/acme/other"], Scope.PROJECT, True),
        (["github.com/acme/other", "github.com/acme/billing-web"], Scope.PROJECT, False),
        ([None], Scope.PROJECT, False),
        (["github.com/acme/other"], Scope.GLOBAL, False),
    ],
)
def test_a_projects_memory_needs_evidence_of_that_project(
    places: list[str | None], scope: Scope, unsupported: bool
) -> None:
    pieces = [piece(BUN, project=place) for place in places]
    found = checked(proposal(1, BUN, *pieces, scope=scope))
    assert (Reason.SCOPE in found.reasons) is unsupported


def test_the_same_piece_counts_once_and_sessions_are_counted() -> None:
    one, same, other = piece(BUN), piece(BUN), piece(BUN, session="s2")
    found = checked(proposal(1, BUN, one, same, other))
    assert (len(found.supporting), found.sessions) == (2, 2)


def test_row21_025_legacy_may_in_compatibility_and_not_in_strict() -> None:
    found = checked(legacy(1, BUN))
    assert (found.outcome, found.reasons) == (Outcome.UNVERIFIED, ())
    assert may_apply_alone(found, COMPATIBILITY)
    assert not may_apply_alone(found, STRICT)


def test_legacy_identity_waits_for_the_person() -> None:
    assert not may_apply_alone(checked(legacy(1, BUN, layer=Layer.IDENTITY)), COMPATIBILITY)


@pytest.mark.parametrize(
    "changes",
    [
        {"legacy": False},
        {"trust": TrustClass.REPOSITORY_TEXT},
        {"durability": Durability.PROJECT},
        {"cited": (piece(BUN).id,)},
    ],
)
def test_legacy_is_only_what_a_migration_brought_with_nothing_to_check(
    changes: dict[str, object],
) -> None:
    found = checked(replace(legacy(1, BUN), **changes))  # type: ignore[arg-type]
    assert found.outcome is Outcome.REVIEW
    assert not may_apply_alone(found, COMPATIBILITY)


def test_legacy_that_touches_something_known_needs_a_look() -> None:
    assert checked(legacy(1, BUN), MatchKind.CONFLICT).outcome is Outcome.REVIEW


def test_row21_026_strict_takes_what_is_verified_with_evidence() -> None:
    assert may_apply_alone(checked(proposal(1, BUN)), STRICT)


@pytest.mark.parametrize("trust", [TrustClass.USER_CORRECTION, TrustClass.DIRECT_USER_INSTRUCTION])
@pytest.mark.parametrize("mode", [STRICT, COMPATIBILITY])
def test_row21_027_without_evidence_no_class_is_believed(trust: TrustClass, mode: str) -> None:
    bare = Proposal(memory=candidate(1, BUN), trust=trust, durability=Durability.PROJECT)
    found = checked(bare)
    assert found.trust is TrustClass.AGENT_INFERENCE
    assert not may_apply_alone(found, mode)


def test_identity_is_never_applied_alone() -> None:
    assert not may_apply_alone(checked(proposal(1, BUN, layer=Layer.IDENTITY)), COMPATIBILITY)


def test_reasons_come_in_the_order_of_the_checks() -> None:
    bad = [
        replace(piece("Other."), excerpt=BUN),
        without_words(piece(BUN, session="s3"), Redaction.DELETED),
        piece(BUN, polarity=Polarity.CONTRADICTS),
    ]
    one = proposal(1, BUN, *bad, trust=TrustClass.GENERATED_CONTENT, durability=Durability.TASK)
    one = replace(one, cited=(*one.cited, piece("gone").id))
    found = checked(one, MatchKind.CONFLICT, store(ids=(number_id(1),)))
    order = [
        Reason.TOMBSTONED,
        Reason.MISSING_EVIDENCE,
        Reason.GONE_EVIDENCE,
        Reason.ALTERED_EVIDENCE,
        Reason.CONTRADICTED,
        Reason.NOT_SUPPORTIVE,
        Reason.PASSING,
        Reason.LOW_TRUST,
        Reason.POISONING,
        Reason.MATCH,
    ]
    assert list(found.reasons) == order


def test_every_reason_says_the_next_step_in_one_sentence() -> None:
    assert set(NEXT_STEP) == set(Reason)
    for sentence in NEXT_STEP.values():
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
    assert tuple(Outcome) == VERIFICATIONS
