"""Why an operation is refused, at proposal and when it is applied."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.patches import (
    CANDIDATE,
    FRESH,
    NEW,
    OLD,
    OTHER,
    PERSON,
    POLICY,
    TARGET,
    memories,
    operation,
    operations,
    proposed,
    statuses,
    target_of,
)
from tests.examples import many
from vaultmem.core.model import Layer, Memory, Status
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.core.patch_check import (
    check,
    difference,
    drifted_fields,
    same_value,
    stale_fields,
)
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import RULES, Applier, Facts, Refusal, may_select, purges


def code(one: Operation, memory: Memory | None, facts: Facts = PERSON) -> str | None:
    refusal = check(one, memory, facts)
    if refusal is None:
        return None
    assert refusal.sentence.endswith(".")
    assert refusal.remedy.endswith(".")
    return refusal.code


@pytest.mark.parametrize("op", Op)
def test_a_person_may_apply_every_kind_on_an_ordinary_memory(op: Op) -> None:
    one, memory = proposed(op)
    assert code(one, memory, Facts()) is None
    assert code(one, memory, PERSON) is None


@pytest.mark.parametrize("op", Op)
def test_policy_may_apply_only_what_may_be_selected(op: Op) -> None:
    one, memory = proposed(op, selected=True)
    assert code(one, memory, POLICY) == (None if may_select(one, memory) else "person")


@pytest.mark.parametrize("op", [op for op in Op if RULES[op].statuses])
@pytest.mark.parametrize("status", Status)
def test_the_status_of_the_target_decides(op: Op, status: Status) -> None:
    one, memory = proposed(op, replace(TARGET, status=status))
    assert code(one, memory) == (None if status in RULES[op].statuses else "status")


def test_row21_054_an_add_whose_id_exists_is_skipped() -> None:
    refusal = check(operation(Op.ADD), None, PERSON._replace(exists=True))
    assert refusal is not None
    assert (refusal.code, refusal.final) == ("exists", True)


def test_row21_055_an_update_of_a_deleted_target_is_skipped() -> None:
    one, _ = proposed(Op.UPDATE)
    deleted = replace(TARGET, status=Status.DELETED)
    assert code(one, deleted) == "status"
    assert code(one, TARGET, PERSON._replace(tombstoned=True)) == "status"


def test_row21_056_a_supersession_of_a_superseded_target_is_skipped_for_good() -> None:
    one, _ = proposed(Op.SUPERSEDE)
    refusal = check(one, replace(TARGET, status=Status.SUPERSEDED), PERSON)
    assert refusal is not None
    assert (refusal.code, refusal.final) == ("status", True)
    assert "active, contested" not in refusal.sentence
    assert "active or contested or deprecated or promoted" in refusal.sentence


def test_row21_057_a_delete_is_skipped_where_the_tombstone_exists() -> None:
    one, _ = proposed(Op.DELETE)
    assert code(one, TARGET, PERSON._replace(tombstoned=True)) == "status"


@pytest.mark.parametrize("status", Status)
def test_a_purge_takes_what_was_deleted_with_its_text_kept(status: Status) -> None:
    memory = replace(TARGET, status=status)
    one, _ = proposed(Op.DELETE, memory, deletion=Deletion.PURGE)
    assert code(one, memory, PERSON._replace(tombstoned=True)) is None
    assert code(one, replace(memory, statement="Edited."), PERSON) is None
    assert code(one, memory, POLICY) == "person"
    assert code(one, None) == "missing"


def test_row21_059_a_deprecated_memory_is_not_uncontested_into_force() -> None:
    one, memory = proposed(Op.UNCONTEST, replace(TARGET, status=Status.DEPRECATED))
    refusal = check(one, memory, PERSON)
    assert refusal is not None
    assert refusal.sentence == "The memory is deprecated; `uncontest` is for one that is contested."
    assert not refusal.final


def test_row21_064_what_was_deleted_is_not_added_again_by_a_patch() -> None:
    refusal = check(operation(Op.ADD), None, PERSON._replace(tombstoned=True))
    assert refusal is not None
    assert (refusal.code, refusal.final) == ("tombstoned", True)
    one, memory = proposed(Op.SUPERSEDE)
    assert code(one, memory, PERSON._replace(tombstoned=True)) == "tombstoned"


def test_row21_068_nothing_creates_a_memory_of_the_log_layer_or_without_words() -> None:
    log = replace(FRESH, layer=Layer.SESSION)
    assert code(operation(Op.ADD, memory=log), None) == "malformed"
    assert code(operation(Op.ADD, memory=replace(FRESH, statement=" ")), None) == "malformed"


def test_row21_120_a_promotion_that_names_the_memory_itself_is_allowed() -> None:
    one, memory = proposed(Op.PROMOTE)
    assert code(replace(one, memory=memory), memory, PERSON._replace(exists=True)) is None
    assert code(replace(one, memory=FRESH), memory) == "malformed"


def test_row21_121_a_rejection_needs_a_candidate_that_waits() -> None:
    one = operation(Op.REJECT_CANDIDATE)
    assert code(one, None) is None
    assert code(one, None, PERSON._replace(candidate_waits=False)) == "candidate"
    assert code(replace(one, candidate=None), None) == "malformed"
    assert code(operation(Op.DECAY), TARGET, Facts(candidate_waits=False)) is None


def test_a_memory_that_cites_deleted_evidence_is_not_created() -> None:
    facts = PERSON._replace(evidence_gone=True)
    assert code(operation(Op.ADD), None, facts) == "evidence"
    one, memory = proposed(Op.UPDATE)
    assert code(one, memory, facts) is None


def test_what_was_decided_is_never_done_twice() -> None:
    one, memory = proposed(Op.UPDATE)
    facts = PERSON._replace(decided=True)
    assert code(one, memory, facts) == "decided"
    assert code(replace(one, id="op_007"), memory, facts) == "decided"
    refusal = check(replace(one, id="op_007"), memory, facts)
    assert refusal is not None
    assert refusal.sentence == "op_007 was decided before."


@pytest.mark.parametrize(
    ("one", "says"),
    [
        (operation(Op.UPDATE, target=None), "lacks a target"),
        (operation(Op.UPDATE, target="mem_x"), "lacks a target"),
        (operation(Op.UPDATE, target=CANDIDATE), "lacks a target"),
        (operation(Op.ADD, target=OLD), "takes no target"),
        (operation(Op.ADD, memory=None), "lacks a new memory"),
        (operation(Op.SUPERSEDE, memory=replace(FRESH, id=OLD)), "an id of its own"),
        (operation(Op.ADD, memory=replace(FRESH, id="cand_x")), "an id of its own"),
        (operation(Op.ADD, memory=replace(FRESH, id=CANDIDATE)), "an id of its own"),
        (operation(Op.DECAY, memory=FRESH), "takes no new memory"),
        (operation(Op.REJECT_CANDIDATE, candidate=""), "lacks a candidate"),
        (operation(Op.UPDATE, changes={}), "lacks changes"),
        (operation(Op.ADD_EXCEPTION, changes={}), "lacks changes"),
        (operation(Op.UPDATE, changes={"id": "mem_evil", "layer": "L1"}), "`id`, `layer`"),
        (operation(Op.UPDATE, changes={"type": "x"}), "may not change `type`"),
        (operation(Op.CONTEST, changes={"confidence": 0.1}), "may not change `confidence`"),
        (operation(Op.ADD, changes={"status": "active"}), "may not change `status`"),
        (operation(Op.UPDATE, changes={"category": "lessons"}), "gives `category` a value"),
        (operation(Op.UPDATE, changes={"statement": ""}), "without a statement"),
        (operation(Op.UPDATE, changes={"statement": None}), "without a statement"),
        (operation(Op.UPDATE, changes={"confidence": 1.1}), "confidence from 0 to 1"),
        (operation(Op.UPDATE, changes={"confidence": None}), "confidence from 0 to 1"),
        (operation(Op.DECAY, changes={"confidence": 0.91}), "only lower the confidence"),
        (operation(Op.PROMOTE, changes={"vault_ref": ""}), "names no note"),
    ],
)
def test_a_malformed_operation_is_refused_at_proposal(one: Operation, says: str) -> None:
    refusal = check(one, TARGET if one.target else None, Facts())
    assert refusal is not None
    assert refusal.code == "malformed"
    assert says in refusal.sentence


def test_a_field_may_return_to_its_default() -> None:
    one, memory = proposed(Op.UPDATE, changes={"category": None, "rule": None, "tags": ()})
    assert code(one, memory) is None


def test_the_target_must_be_there_and_be_the_one_that_is_named() -> None:
    one, _ = proposed(Op.UPDATE)
    assert code(one, None) == "missing"
    assert code(one, replace(TARGET, id=OTHER)) == "missing"


def test_an_edit_since_the_proposal_makes_it_stale_and_is_named() -> None:
    one, memory = proposed(Op.UPDATE)
    edited = replace(TARGET, statement="Use pnpm for installs.", tags=("memory/pnpm",))
    refusal = check(one, edited, PERSON)
    assert refusal is not None
    assert refusal.code == "stale"
    assert "statement, tags" in refusal.sentence
    assert stale_fields(one, edited) == ("statement", "tags")
    assert stale_fields(one, memory) == ()


@pytest.mark.parametrize(
    "edited",
    [
        replace(TARGET, statement="Use  npm for installs."),
        replace(TARGET, confidence=0.1, updated=datetime(2027, 1, 1)),
    ],
)
def test_a_restyled_or_unrelated_edit_makes_nothing_stale(edited: Memory) -> None:
    one, _ = proposed(Op.CONTEST)
    assert code(one, edited) is None


def test_an_operation_that_does_not_say_what_it_was_judged_on_is_not_applied() -> None:
    bare = operation(Op.CONTEST)
    assert code(bare, TARGET, Facts()) is None
    assert code(bare, TARGET, PERSON) == "malformed"
    assert code(replace(bare, before={"status": "active"}), TARGET, PERSON) == "malformed"
    unknown = replace(proposed(Op.CONTEST)[0])
    assert code(replace(unknown, before={**unknown.before, "nonsense": 1}), TARGET) == "stale"


IN_FORCE = {Op.ADD, Op.UPDATE, Op.SUPERSEDE, Op.UNCONTEST, Op.ADD_EXCEPTION}


@pytest.mark.parametrize("op", Op)
def test_identity_is_in_force_only_when_a_person_ratifies_it(op: Op) -> None:
    memory = target_of(op)
    target = replace(memory, layer=Layer.IDENTITY) if memory else None
    new = replace(FRESH, layer=Layer.IDENTITY) if RULES[op].creates else None
    one, _ = proposed(op, target, memory=new)
    concerned = target is not None or new is not None
    assert code(one, target, PERSON) == ("identity" if op in IN_FORCE else None)
    assert code(one, target, PERSON._replace(ratified=True)) is None
    assert code(one, target, Facts()) is None
    if concerned and op is not Op.PROMOTE:
        assert code(one, target, POLICY) is not None
        assert code(one, target, POLICY._replace(ratified=True)) == "person"


def test_the_meaning_of_a_value_is_compared_and_not_its_spelling() -> None:
    assert same_value("don’t  [[A|x]]", "don't [[Folder/A]]")
    assert same_value(("a", "[[B]]"), ("a", "[[b]]"))
    assert same_value(1, 1.0)
    assert same_value(date(2026, 1, 1), date(2026, 1, 1))
    assert not same_value(("a", "b"), ("b", "a"))
    assert not same_value(None, "x")


@many(4)
@given(operations(), memories, st.booleans(), st.booleans(), st.booleans())
def test_policy_never_gets_past_the_invariants(
    one: Operation, memory: Memory, tombstoned: bool, ratified: bool, selected: bool
) -> None:
    target = memory if RULES[one.op].statuses else None
    one = propose(replace(one, selected=selected), target)
    facts = Facts(applier=Applier.POLICY, tombstoned=tombstoned, ratified=ratified)
    if check(one, target, facts) is None:
        involved = [found for found in (target, one.memory) if found is not None]
        if one.op is not Op.PROMOTE:
            assert all(found.layer is Layer.PLAYBOOK for found in involved)
            assert not any(found.pinned or found.enforced for found in involved)
        assert one.op not in {Op.DELETE, Op.SUPERSEDE, Op.CONTEST, Op.UNCONTEST, Op.DEPRECATE}
        assert not (tombstoned and RULES[one.op].creates)
        assert target is None or target.status not in (Status.DELETED, Status.SUPERSEDED)


@many(2)
@given(operations(), statuses, st.booleans())
def test_what_is_refused_at_proposal_is_refused_when_it_is_applied(
    one: Operation, status: Status, tombstoned: bool
) -> None:
    memory = replace(TARGET, status=status) if RULES[one.op].statuses else None
    one = propose(one, memory)
    facts = Facts(tombstoned=tombstoned)
    refusal = check(one, memory, facts)
    if refusal is not None:
        assert check(one, memory, facts._replace(applier=Applier.PERSON, ratified=True)) == refusal
    elif not purges(one) and memory is not None:
        assert status in RULES[one.op].statuses


WORDS = [
    (operation(Op.UPDATE, target=None), "`update` lacks a target."),
    (operation(Op.ADD, target=OLD), "`add` takes no target."),
    (operation(Op.ADD, memory=None), "`add` lacks a new memory."),
    (
        operation(Op.SUPERSEDE, memory=replace(FRESH, id=OLD)),
        "`supersede` needs a new memory with an id of its own.",
    ),
    (operation(Op.DECAY, memory=FRESH), "`decay` takes no new memory."),
    (operation(Op.REJECT_CANDIDATE, candidate=""), "`reject_candidate` lacks a candidate."),
    (operation(Op.UPDATE, archive=True), "`update` puts nothing into the archive."),
    (operation(Op.UPDATE, changes={}), "`update` lacks changes."),
    (
        operation(Op.ADD, memory=replace(FRESH, layer=Layer.SESSION)),
        "`add` cannot keep an L3 memory, which belongs in the log.",
    ),
    (
        operation(Op.UPDATE, changes={"layer": "L1", "id": "mem_evil"}),
        "`update` may not change `id`, `layer`.",
    ),
    (
        operation(Op.UPDATE, changes={"category": "lessons"}),
        "`update` gives `category` a value that it cannot have.",
    ),
    (
        operation(Op.UPDATE, changes={"statement": " "}),
        "`update` leaves a memory without a statement.",
    ),
    (
        operation(Op.ADD, memory=replace(FRESH, statement="")),
        "`add` leaves a memory without a statement.",
    ),
    (
        operation(Op.UPDATE, changes={"confidence": -0.01}),
        "`update` needs a confidence from 0 to 1.",
    ),
    (
        operation(Op.UPDATE, changes={"confidence": "high"}),
        "`update` needs a confidence from 0 to 1.",
    ),
    (
        operation(Op.PROMOTE, changes={"vault_ref": ""}),
        "`promote_to_vault_candidate` names no note.",
    ),
    (
        operation(Op.DECAY, changes={"confidence": 0.91}),
        "`decay` may only lower the confidence.",
    ),
]


@pytest.mark.parametrize(("one", "sentence"), WORDS)
def test_what_is_malformed_is_said_in_these_words(one: Operation, sentence: str) -> None:
    remedy = "Propose it again; nothing was applied."
    assert check(one, TARGET if one.target else None, Facts()) == Refusal(
        "malformed", sentence, remedy
    )


NOTHING = "Nothing to do."
EDITED = "The note was edited since this was proposed: tags."
UPDATE, _ = proposed(Op.UPDATE)
CONTEST, _ = proposed(Op.CONTEST)
PERSONAL = replace(TARGET, layer=Layer.IDENTITY)


@pytest.mark.parametrize(
    ("one", "memory", "facts", "refusal"),
    [
        (
            UPDATE,
            TARGET,
            PERSON._replace(decided=True),
            Refusal(
                "decided",
                "The operation was decided before.",
                "Nothing to do; it is never done twice.",
            ),
        ),
        (
            operation(Op.ADD),
            None,
            PERSON._replace(exists=True),
            Refusal("exists", "A memory with this id is there already.", NOTHING, final=True),
        ),
        (
            operation(Op.ADD),
            None,
            PERSON._replace(tombstoned=True),
            Refusal(
                "tombstoned",
                "The same memory was deleted before and does not come back by itself.",
                "Ask the person; adding it by hand and approving it lifts the tombstone.",
                final=True,
            ),
        ),
        (
            operation(Op.ADD),
            None,
            PERSON._replace(evidence_gone=True),
            Refusal(
                "evidence",
                "The new memory cites evidence that was deleted or redacted.",
                "Propose it again with evidence that is still there.",
                final=True,
            ),
        ),
        (
            UPDATE,
            None,
            PERSON,
            Refusal(
                "missing",
                f"The memory {OLD} is not there.",
                "Run `vaultmem sync`, then propose the change again.",
            ),
        ),
        (
            CONTEST,
            replace(TARGET, status=Status.CONTESTED),
            PERSON,
            Refusal(
                "status",
                "The memory is contested; `contest` is for one that is active.",
                f"Settle the doubt first, with `vaultmem uncontest {OLD}`.",
            ),
        ),
        (
            CONTEST,
            TARGET,
            PERSON._replace(tombstoned=True),
            Refusal(
                "status",
                "The memory is deleted; `contest` is for one that is active.",
                f"To have it back, run `vaultmem edit {OLD} --set status active` first.",
                final=True,
            ),
        ),
        (
            UPDATE,
            replace(TARGET, tags=()),
            PERSON,
            Refusal(
                "stale",
                EDITED,
                "Compare the two and make the change yourself, in the note or with "
                "`vaultmem edit`; `vaultmem maintain run` proposes the same again only when a "
                "review period of the memory is over.",
            ),
        ),
        (
            replace(UPDATE, candidate="cand_x"),
            replace(TARGET, tags=()),
            PERSON,
            Refusal(
                "stale",
                EDITED,
                "Compare the two; after `vaultmem patch reject`, `vaultmem curate` proposes it "
                "anew.",
            ),
        ),
        (
            replace(UPDATE, candidate="cand_x"),
            TARGET,
            PERSON._replace(candidate_waits=False),
            Refusal(
                "candidate",
                "The candidate cand_x no longer waits in the inbox.",
                "Nothing to do; it was decided elsewhere, or its note was deleted.",
            ),
        ),
        (
            UPDATE,
            PERSONAL,
            PERSON,
            Refusal(
                "identity",
                "An identity memory (L1) is in force only when a person ratifies it.",
                "Ask the person to run `vaultmem ratify` on it.",
            ),
        ),
        (
            CONTEST,
            TARGET,
            POLICY,
            Refusal(
                "person",
                "`contest` with medium risk is never applied by itself.",
                "Ask the person to tick it in the patch note and to set `decision: apply`.",
            ),
        ),
        (
            operation(Op.CONTEST),
            TARGET,
            PERSON,
            Refusal(
                "malformed",
                "`contest` does not say what the memory held when it was proposed.",
                "Propose it again; nothing was applied.",
            ),
        ),
    ],
)
def test_each_refusal_is_told_in_these_words(
    one: Operation, memory: Memory | None, facts: Facts, refusal: Refusal
) -> None:
    assert check(one, memory, facts) == refusal
    assert refusal.text == f"{refusal.sentence} {refusal.remedy}"


@pytest.mark.parametrize("confidence", [0, 0.0, 1, 1.0, 0.9])
def test_a_confidence_may_be_anything_from_0_to_1(confidence: float) -> None:
    one, memory = proposed(Op.UPDATE, changes={"confidence": confidence})
    assert code(one, memory) is None


def test_a_decay_that_keeps_the_confidence_is_allowed() -> None:
    one, memory = proposed(Op.DECAY, changes={"confidence": TARGET.confidence})
    assert code(one, memory) is None


def test_a_decay_may_move_the_review_day_alone() -> None:
    one, memory = proposed(Op.DECAY, TARGET, changes={"review": date(2026, 12, 1)})
    assert code(one, memory) is None


def test_an_update_fills_in_where_a_memory_came_from_and_never_changes_it() -> None:
    fill = operation(Op.UPDATE, changes={"source_session": "s1"})
    assert code(fill, TARGET, Facts()) is None
    assert code(fill, None, Facts()) == "malformed"
    assert code(fill, replace(TARGET, source_session="s0"), Facts()) == "malformed"
    other = operation(Op.ADD_EXCEPTION, changes={"exceptions": ("x",), "source_session": "s1"})
    assert code(other, TARGET, Facts()) == "malformed"


def test_policy_is_judged_on_the_memory_as_it_is_now() -> None:
    one, _ = proposed(Op.DECAY, TARGET)
    assert code(one, TARGET, POLICY) is None
    refusal = check(one, replace(TARGET, pinned=True), POLICY)
    assert refusal is not None
    assert refusal.sentence == "`decay` with high risk is never applied by itself."


def test_what_has_no_target_is_never_stale() -> None:
    forged = operation(Op.ADD, before={"statement": "Something else."})
    assert code(forged, None) is None
    assert code(forged, None, Facts()) is None


def test_the_first_check_that_refuses_answers() -> None:
    facts = PERSON._replace(exists=True, tombstoned=True, evidence_gone=True)
    assert code(operation(Op.ADD), None, facts) == "exists"
    assert code(operation(Op.ADD), None, facts._replace(exists=False)) == "tombstoned"
    assert code(operation(Op.ADD, memory=None), None, facts) == "malformed"
    assert code(operation(Op.ADD, memory=None), None, facts._replace(decided=True)) == "decided"


def test_a_candidate_drifts_where_its_note_no_longer_says_what_was_proposed() -> None:
    assert drifted_fields(FRESH, FRESH) == ()
    restyled = replace(FRESH, statement=FRESH.statement.replace(" ", "  "))
    assert drifted_fields(FRESH, restyled) == ()
    edited = replace(FRESH, statement="Use deno.", confidence=0.5, trigger="x")
    assert drifted_fields(FRESH, edited) == ("statement", "confidence", "trigger")


def test_what_becomes_of_a_candidate_by_itself_is_no_drift() -> None:
    grown = replace(
        FRESH,
        id=OTHER,
        created=datetime(2026, 1, 1),
        updated=datetime(2026, 1, 2),
        reinforced=datetime(2026, 1, 3),
        evidence=("[[E]]",),
        evidence_count=7,
        supersedes=("[[S]]",),
        superseded_by=("[[T]]",),
    )
    assert drifted_fields(FRESH, grown) == ()


def test_a_review_day_counts_as_drift_where_the_candidate_names_one() -> None:
    due = replace(FRESH, review=date(2026, 12, 1))
    assert drifted_fields(due, FRESH) == ()
    assert drifted_fields(FRESH, due) == ("review",)
    assert drifted_fields(due, due) == ()


def test_a_tag_that_names_what_is_superseded_is_no_drift() -> None:
    tagged = replace(FRESH, tags=("memory/a", f"supersedes/{OLD}"))
    assert drifted_fields(replace(FRESH, tags=("memory/a",)), tagged) == ()
    assert drifted_fields(FRESH, tagged) == ("tags",)
    assert drifted_fields(FRESH, replace(FRESH, tags=("memory/b",))) == ("tags",)
    # in another field the same words are an ordinary edit
    excepted = replace(FRESH, exceptions=(f"supersedes/{OLD}",))
    assert drifted_fields(FRESH, excepted) == ("exceptions",)


def test_what_changed_is_shown_line_by_line() -> None:
    before = {"statement": "Nutze npm für alles.", "tags": ("é", "b"), "project": None}
    now = replace(TARGET, tags=("b",))
    assert difference(("statement", "tags", "project", "confidence"), before, now) == (
        "--- proposed on\n"
        "+++ now\n"
        "@@ -1,2 +1,2 @@\n"
        "-statement: Nutze npm für alles.\n"
        '-tags: ["é", "b"]\n'
        "+statement: Use npm for installs.\n"
        '+tags: ["b"]\n'
        "@@ -4 +4 @@\n"
        "-confidence: null\n"
        "+confidence: 0.9"
    )
    assert difference(iter(["nonsense", "statement"]), {"statement": TARGET.statement}, now) == ""


def test_a_memory_cannot_supersede_itself() -> None:
    assert NEW != OLD
    one = operation(Op.SUPERSEDE, memory=replace(FRESH, id=OLD))
    assert code(one, TARGET) == "malformed"
