"""What an operation makes of a memory, what is left to do after a crash, and how it is taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from hypothesis import assume, given

from tests.core.patches import (
    FRESH,
    NEW,
    NOW,
    OLD,
    PERSON,
    TARGET,
    link,
    memories,
    operation,
    operations,
    proposed,
)
from tests.examples import many
from vaultmem.core.model import Category, Memory, RuleType, Stability, Status
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.core.patch_check import check
from vaultmem.core.patch_effect import (
    Outcome,
    apply,
    irreversible,
    propose,
    remaining,
    revert,
    with_values,
)
from vaultmem.core.patch_rules import RULES, Refusal, purges, touched_fields

LATER = NOW + timedelta(days=1)


def applied(one: Operation, memory: Memory | None) -> Outcome:
    assert check(one, memory, PERSON) is None
    return apply(one, memory, now=NOW, link=link)


def reverted(
    one: Operation, memory: Memory | None, created: Memory | None = None
) -> Outcome | Refusal:
    return revert(one, memory, created, now=LATER, link=link)


def test_row21_051_an_add_gives_the_new_memory_and_changes_no_other() -> None:
    assert applied(*proposed(Op.ADD)) == Outcome(created=FRESH)


def test_row21_052_a_supersession_links_both_ways() -> None:
    one, memory = proposed(Op.SUPERSEDE, replace(TARGET, superseded_by=("[[Note 9]]",)))
    outcome = applied(one, memory)
    assert outcome.target == replace(
        TARGET,
        status=Status.SUPERSEDED,
        superseded_by=("[[Note 9]]", "[[Note 2]]"),
        updated=NOW,
    )
    assert outcome.created == replace(FRESH, supersedes=("[[Note 1]]",))


def test_row21_053_a_second_supersession_of_one_target_is_refused_after_the_first() -> None:
    one, memory = proposed(Op.SUPERSEDE)
    second, _ = proposed(Op.SUPERSEDE)
    refusal = check(second, applied(one, memory).target, PERSON)
    assert refusal is not None
    assert (refusal.code, refusal.final) == ("status", True)


def test_row21_058_contest_and_uncontest_change_the_status_on_the_day() -> None:
    contested = applied(*proposed(Op.CONTEST, TARGET)).target
    assert contested == replace(TARGET, status=Status.CONTESTED, updated=NOW)
    back = applied(*proposed(Op.UNCONTEST, contested)).target
    assert back == replace(TARGET, status=Status.ACTIVE, updated=NOW)


def test_row21_060_exceptions_are_ordered_unions_without_duplicates() -> None:
    outcome = applied(*proposed(Op.ADD_EXCEPTION, TARGET))
    assert outcome.target == replace(
        TARGET, exceptions=("in CI", "on Windows"), not_when=("offline",), updated=NOW
    )
    one, memory = proposed(Op.ADD_EXCEPTION, TARGET, changes={"applies_when": "in monorepos"})
    assert applied(one, memory).target == replace(
        TARGET, applies_when=("in monorepos",), updated=NOW
    )


def test_row21_061_an_audit_delete_keeps_the_text() -> None:
    outcome = applied(*proposed(Op.DELETE, TARGET))
    assert outcome == Outcome(target=replace(TARGET, status=Status.DELETED, updated=NOW))


def test_row21_062_a_purge_names_the_memory_and_writes_nothing() -> None:
    one, memory = proposed(Op.DELETE, TARGET, deletion=Deletion.PURGE)
    assert applied(one, memory) == Outcome(purged=OLD)
    assert one.before == {}


@pytest.mark.parametrize(
    ("op", "changed"),
    [
        (
            Op.UPDATE,
            {"statement": "Use npm 11 for installs.", "tags": ("memory/npm", "memory/tool")},
        ),
        (Op.UPDATE_STABILITY, {"stability": Stability.STABLE}),
        (Op.FLAG_FOR_REVIEW, {"review": date(2026, 12, 1)}),
        (Op.DECAY, {"confidence": 0.75, "review": date(2026, 12, 29)}),
        (Op.DEPRECATE, {"status": Status.DEPRECATED}),
    ],
)
def test_the_other_operations_set_what_they_name_and_no_more(
    op: Op, changed: dict[str, object]
) -> None:
    outcome = applied(*proposed(op, TARGET))
    assert outcome == Outcome(target=replace(TARGET, **changed, updated=NOW))


@pytest.mark.parametrize("op", [Op.PROMOTE, Op.REJECT_CANDIDATE])
def test_what_concerns_no_memory_writes_no_memory(op: Op) -> None:
    assert applied(*proposed(op)) == Outcome()


def test_values_come_as_text_or_as_members_and_none_returns_to_the_default() -> None:
    changed = with_values(
        replace(TARGET, rule=RuleType.TOOL, project="x"),
        {"category": "done", "rule": None, "project": None, "tags": (), "confidence": None},
    )
    assert changed.category is Category.DONE
    assert changed == replace(TARGET, category=Category.DONE, tags=(), confidence=0.75)
    with pytest.raises(ValueError, match="nonsense"):
        with_values(TARGET, {"category": "nonsense"})


def test_a_proposal_takes_what_is_computed_and_no_tick_that_it_may_not_have() -> None:
    one = propose(operation(Op.DELETE, selected=True), TARGET)
    assert not one.selected
    assert one.risk == "high"
    assert one.before == {"statement": TARGET.statement, "status": Status.ACTIVE}
    two = propose(operation(Op.ADD, selected=True, before={"statement": "forged"}), None)
    assert two.selected
    assert two.before == {}


def test_a_proposal_on_what_acts_is_of_high_risk_and_has_no_tick() -> None:
    one = operation(Op.UPDATE_STABILITY, selected=True)
    plain, acting = (propose(one, replace(TARGET, pinned=pinned)) for pinned in (False, True))
    assert (plain.risk, plain.selected) == ("low", True)
    assert (acting.risk, acting.selected) == ("high", False)


def test_a_revert_restores_what_was_there_and_archives_what_was_made() -> None:
    memory = replace(TARGET, superseded_by=("[[Note 9]]",))
    one, _ = proposed(Op.SUPERSEDE, memory)
    outcome = applied(one, memory)
    assert reverted(one, outcome.target, outcome.created) == Outcome(
        target=replace(memory, updated=LATER), archived=NEW
    )
    assert reverted(one, outcome.target, None) == Outcome(target=replace(memory, updated=LATER))


def test_an_added_memory_goes_to_the_archive_unless_somebody_edited_it() -> None:
    one, _ = proposed(Op.ADD)
    grown = replace(FRESH, evidence_count=7, reinforced=NOW, updated=NOW, supersedes=("[[X]]",))
    assert reverted(one, None, grown) == Outcome(archived=NEW)
    edited = reverted(one, None, replace(FRESH, statement="Mine now.", pinned=True))
    assert isinstance(edited, Refusal)
    assert edited.code == "stale"
    assert "statement, pinned" in edited.sentence


def test_a_revert_is_refused_where_a_key_changed_since_and_names_it() -> None:
    one, memory = proposed(Op.UPDATE, TARGET)
    after = applied(one, memory).target
    assert after is not None
    refusal = reverted(one, replace(after, tags=("memory/mine",)))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "stale"
    assert "applied: tags." in refusal.sentence
    # another key is nobody's business
    kept = reverted(one, replace(after, project="x"))
    assert kept == Outcome(target=replace(TARGET, project="x", updated=LATER))


def test_a_renamed_note_does_not_stand_in_the_way_of_a_revert() -> None:
    one, memory = proposed(Op.SUPERSEDE, TARGET)
    outcome = applied(one, memory)
    assert outcome.target is not None
    renamed = replace(outcome.target, superseded_by=("[[Folder/New name|x]]",))
    back = revert(one, renamed, now=LATER, link=lambda _: "[[New name]]")
    assert back == Outcome(target=replace(TARGET, updated=LATER))


@pytest.mark.parametrize(
    ("one", "memory", "created", "code"),
    [
        (operation(Op.PROMOTE), TARGET, None, "irreversible"),
        (operation(Op.DELETE, deletion=Deletion.PURGE), TARGET, None, "irreversible"),
        (operation(Op.UPDATE), None, None, "missing"),
        (operation(Op.ADD), None, None, "missing"),
        (operation(Op.ADD, memory=None), None, None, "missing"),
        (operation(Op.UPDATE), TARGET, None, "before"),
        (operation(Op.SUPERSEDE, before={"status": "active"}), TARGET, FRESH, "before"),
    ],
)
def test_what_cannot_be_reverted_says_why_and_what_to_do(
    one: Operation, memory: Memory | None, created: Memory | None, code: str
) -> None:
    refusal = reverted(one, memory, created)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert refusal.sentence.endswith(".")
    assert refusal.remedy.endswith(".")


PURGE = operation(Op.DELETE, deletion=Deletion.PURGE)
UPDATE, _ = proposed(Op.UPDATE, TARGET)
ADD, _ = proposed(Op.ADD)
EDITED_SINCE = "The note was edited since the patch was applied: tags."
BY_HAND = "Edit the note by hand, or put those values back and revert again."


@pytest.mark.parametrize(
    ("one", "memory", "created", "sentence", "remedy"),
    [
        (PURGE, TARGET, None, "A purge leaves nothing to restore.", "Add it again."),
        (
            operation(Op.PROMOTE),
            TARGET,
            None,
            "A proposed promotion changes no memory.",
            "Reject its note in `Promotions/`.",
        ),
        (UPDATE, None, None, f"The memory {OLD} is not there.", "Put its note back first."),
        (ADD, None, None, f"The memory {NEW} is not there.", "Put its note back first."),
        (
            operation(Op.UPDATE),
            TARGET,
            None,
            "The values from before are kept only on the device that applied the patch.",
            "Revert it there, or edit the note.",
        ),
        (UPDATE, replace(TARGET, tags=("x",)), None, EDITED_SINCE, BY_HAND),
        (ADD, None, replace(FRESH, tags=("x",)), EDITED_SINCE, BY_HAND),
    ],
)
def test_each_refusal_of_a_revert_is_told_in_these_words(
    one: Operation, memory: Memory | None, created: Memory | None, sentence: str, remedy: str
) -> None:
    if memory is not None and memory.tags == ("x",):
        memory = replace(memory, statement="Use npm 11 for installs.")
    refusal = reverted(one, memory, created)
    assert isinstance(refusal, Refusal)
    assert (refusal.sentence, refusal.remedy) == (sentence, remedy)


def test_what_is_deprecated_goes_to_the_archive_where_the_operation_says_so() -> None:
    one, memory = proposed(Op.DEPRECATE, TARGET, archive=True)
    outcome = applied(one, memory)
    assert outcome == Outcome(
        target=replace(TARGET, status=Status.DEPRECATED, updated=NOW), archived=OLD
    )
    assert applied(*proposed(Op.DEPRECATE, TARGET)).archived is None


def test_a_promotion_that_happened_sets_its_link_and_can_be_taken_back() -> None:
    one, memory = proposed(
        Op.PROMOTE, TARGET, memory=TARGET, changes={"vault_ref": "[[Knowledge]]"}
    )
    outcome = applied(one, memory)
    promoted = replace(TARGET, status=Status.PROMOTED, vault_ref="[[Knowledge]]", updated=NOW)
    assert outcome == Outcome(target=promoted)
    assert irreversible(one) is None
    assert reverted(one, promoted) == Outcome(target=replace(TARGET, updated=LATER))
    # the memory that a promotion names is no memory that it made
    grown = replace(promoted, exceptions=("mine",))
    assert reverted(one, grown, grown) == Outcome(
        target=replace(TARGET, exceptions=("mine",), updated=LATER), archived=OLD
    )


def test_a_memory_that_holds_its_old_values_again_is_left_and_what_was_made_is_archived() -> None:
    one, memory = proposed(Op.SUPERSEDE, TARGET)
    created = applied(one, memory).created
    assert reverted(one, replace(TARGET, project="x"), created) == Outcome(archived=NEW)
    assert reverted(one, replace(TARGET, project="x"), None) == Outcome()


def test_every_operation_but_a_proposed_promotion_can_be_reverted() -> None:
    assert {op for op in Op if RULES[op].irreversible} == {Op.PROMOTE}


def test_a_rejection_that_is_taken_back_changes_no_memory() -> None:
    assert reverted(operation(Op.REJECT_CANDIDATE), None, None) == Outcome()


def left(one: Operation, memory: Memory | None, created: Memory | None) -> Outcome | Refusal:
    return remaining(one, memory, created, now=LATER, link=link)


def test_after_a_crash_only_what_is_not_there_yet_is_written() -> None:
    one, memory = proposed(Op.SUPERSEDE, TARGET)
    target, created = applied(one, memory)[:2]
    assert target is not None
    later = replace(target, updated=LATER)
    assert left(one, TARGET, None) == Outcome(target=later, created=created)
    assert left(one, TARGET, created) == Outcome(target=later)
    assert left(one, target, None) == Outcome(created=created)
    assert left(one, target, created) == Outcome()


def test_after_a_crash_a_persons_edit_is_not_overwritten() -> None:
    one, memory = proposed(Op.UPDATE, TARGET)
    refusal = left(one, replace(TARGET, statement="Mine."), None)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, "statement" in refusal.sentence) == ("stale", True)
    assert left(one, replace(TARGET, project="x"), None) == Outcome(
        target=replace(with_values(TARGET, one.changes), project="x", updated=LATER)
    )
    bare = left(operation(Op.UPDATE), memory, None)
    assert isinstance(bare, Refusal)
    assert bare.code == "before"


def test_after_a_crash_an_add_and_a_purge_go_on() -> None:
    add, _ = proposed(Op.ADD)
    assert left(add, None, None) == Outcome(created=FRESH)
    assert left(add, None, FRESH) == Outcome()
    purge, _ = proposed(Op.DELETE, TARGET, deletion=Deletion.PURGE)
    assert left(purge, TARGET, None) == Outcome(purged=OLD)


@many(3)
@given(operations(), memories)
def test_apply_then_revert_gives_the_memory_back(one: Operation, memory: Memory) -> None:
    target = memory if RULES[one.op].statuses else None
    one = propose(one, target)
    assume(check(one, target, PERSON._replace(ratified=True)) is None)
    outcome = apply(one, target, now=NOW, link=link)
    if purges(one) or RULES[one.op].irreversible:
        assert isinstance(reverted(one, target, outcome.created), Refusal)
        return
    back = reverted(one, outcome.target, outcome.created)
    assert isinstance(back, Outcome)
    changed = target is not None and replace(outcome.target, updated=target.updated) != target
    assert back.target == (replace(target, updated=LATER) if changed else None)
    assert back.archived == (None if outcome.created is None else outcome.created.id)


@many(3)
@given(operations(), memories)
def test_an_operation_writes_no_field_but_its_own(one: Operation, memory: Memory) -> None:
    target = memory if RULES[one.op].statuses else None
    one = propose(one, target)
    assume(check(one, target, PERSON._replace(ratified=True)) is None)
    outcome = apply(one, target, now=NOW, link=link)
    if outcome.target is not None:
        changed = {
            name
            for name in Memory.__dataclass_fields__
            if getattr(outcome.target, name) != getattr(memory, name)
        }
        assert changed <= {*touched_fields(one), "updated"}
        assert changed.isdisjoint({"id", "layer", "created", "source_session"})
        done = left(one, outcome.target, outcome.created)
        assert done == Outcome()
    if outcome.created is not None:
        assert outcome.created.id == NEW


def test_the_moment_of_a_change_is_an_argument() -> None:
    one, memory = proposed(Op.CONTEST)
    early = apply(one, memory, now=datetime(2020, 1, 1), link=link).target
    assert early is not None
    assert early.updated == datetime(2020, 1, 1)
