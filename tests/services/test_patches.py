"""Operations of a patch on real notes: what each does, and that it touches nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.core.fakes import fake
from tests.core.proposals import without_words
from tests.services.patching import (
    BUN,
    NOTE,
    NPM,
    add_draft,
    apply_now,
    candidate_memory,
    memory_of,
    npm,
    operation,
    proposed,
    report_of,
    standing_of,
)
from vaultmem.core.evidence import Redaction
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Layer, Memory, RuleType, Stability, Status
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.errors import AgentRefusedError
from vaultmem.index.hybrid import Mode
from vaultmem.notes.evidence import append_evidence, new_evidence_day
from vaultmem.notes.patch_day import Decided, decode_patch_day
from vaultmem.services.evidence import cited, find
from vaultmem.services.inbox import waiting
from vaultmem.services.patching.day import list_decided
from vaultmem.services.ratify import ratify
from vaultmem.services.search import search
from vaultmem.services.why import why
from vaultmem.store.disk import DISK


def _new(world, statement: str = BUN, **fields) -> Memory:
    return Memory(id=MemoryId(world.new_id()), statement=statement, **fields)


def _day(world):
    (path,) = world.path("Memory/System/Patches").rglob("*.md")
    decided, findings = decode_patch_day(path.read_bytes(), path=path.name)
    assert findings == ()
    return decided


def _codes(done):
    return [(one.id, one.code) for one in done.skipped]


def test_governed_row_51_an_applied_add_turns_the_candidates_own_note_into_the_memory(world):
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    world.write(one.path, world.read(one.path) + "\nMy own words about it.\n")
    world.here.sync()
    done = apply_now(world, add_draft(world, candidate))
    assert (done.status, done.skipped) == ("applied", ())
    (applied,) = done.applied
    assert applied.path == one.path.replace("Inbox", "Lessons")
    assert applied.memory == candidate.replace("cand_", "mem_")
    text = world.read(applied.path)
    assert "My own words about it." in text
    for key in ("decision", "trust", "verification", "device", "state"):
        assert f"\n{key}:" not in text
    assert not world.path(one.path).exists()
    assert standing_of(world, applied.memory).status == "active"
    assert world.here.sync().changes == ()
    assert f" approved {candidate} " in world.ledger()
    (decided,) = _day(world)
    assert (decided.id, decided.status, decided.by) == (done.id, "applied", "person")
    (line,) = decided.operations
    assert (line.op, line.result, line.memory, line.candidate) == (
        "add",
        "applied",
        applied.memory,
        candidate,
    )


def test_a_new_memory_without_a_candidate_gets_a_note_of_its_own(world):
    npm(world)
    new = _new(world, "Prefer `uv` — ![[x]] [[y]] <b>", category="preference")
    done = apply_now(world, (Operation(op=Op.ADD, memory=new, selected=True), None))
    (applied,) = done.applied
    assert applied.path.startswith("Memory/Preferences/Prefer uv")
    assert "![[x]]" not in world.read(applied.path)
    assert memory_of(world, new.id).statement == "Prefer `uv` — ![[x]] [[y]]"


def test_a_name_that_is_taken_does_not_stop_a_candidate(world):
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    taken = one.path.replace("Inbox", "Lessons")
    world.write(taken, "Something else of that name.\n")
    world.here.sync()
    done = apply_now(world, add_draft(world, candidate))
    (applied,) = done.applied
    assert applied.path != taken
    assert world.read(taken).endswith("Something else of that name.\n")
    assert memory_of(world, applied.memory).statement == BUN


CHANGES = {
    Op.UPDATE: {"statement": "Use npm 11 for installs.", "tags": ("memory/npm",)},
    Op.UPDATE_STABILITY: {"stability": Stability.STABLE},
    Op.FLAG_FOR_REVIEW: {"review": date(2026, 12, 1)},
    Op.DECAY: {"confidence": 0.5, "review": date(2026, 12, 29)},
    Op.ADD_EXCEPTION: {"exceptions": ("in CI",), "not_when": ("offline",)},
}


@pytest.mark.parametrize(
    ("op", "lines"),
    [
        (Op.UPDATE, {"Use npm 11 for installs.", "tags:", "  - memory/npm"}),
        (Op.UPDATE_STABILITY, {"stability: stable"}),
        (Op.FLAG_FOR_REVIEW, {"review: 2026-12-01"}),
        (Op.DECAY, {"confidence: 0.5", "review: 2026-12-29"}),
        (Op.DEPRECATE, {"status: deprecated"}),
        (Op.CONTEST, {"status: contested"}),
        (Op.ADD_EXCEPTION, {"exceptions:", "  - in CI", "not_when:", "  - offline"}),
        (Op.DELETE, {"status: deleted"}),
    ],
)
def test_an_operation_changes_its_lines_and_no_other(world, op, lines):
    identifier = npm(world, mine="kept # as it is", aliases="['a',b]")
    world.write(NOTE, world.read(NOTE) + "\n## Mine\n\n- [ ] a task ^id\n")
    world.here.sync()
    before = world.read(NOTE).splitlines()
    done = apply_now(world, operation(world, op, identifier, changes=CHANGES.get(op, {})))
    assert done.skipped == ()
    after = world.read(NOTE).splitlines()
    added = [line for line in after if line not in before and not line.startswith("updated:")]
    gone = [line for line in before if line not in after]
    assert set(added) == lines
    assert set(gone) <= {NPM, "confidence: 0.9"}
    assert world.here.sync().changes == ()
    assert standing_of(world, identifier).status == memory_of(world, identifier).status.value


def test_windows_line_ends_and_a_mark_at_the_start_stay(world):
    identifier = npm(world)
    data = b"\xef\xbb\xbf" + world.read(NOTE).replace("\n", "\r\n").encode()
    world.write(NOTE, data)
    world.here.sync()
    apply_now(world, operation(world, Op.CONTEST, identifier))
    after = world.path(NOTE).read_bytes()
    assert after.startswith(b"\xef\xbb\xbf---\r\n")
    assert b"status: contested\r\n" in after
    assert after.count(b"\n") == after.count(b"\r\n")


def test_a_note_in_which_a_key_cannot_be_changed_is_left_alone_and_named(world):
    identifier = npm(world)
    text = world.read(NOTE).replace("category:", "tags: &mine [a]\ncategory:")
    world.write(NOTE, text.replace("---\nUse", "mine: *mine\n---\nUse"))
    world.here.sync()
    before = world.read(NOTE)
    done = apply_now(
        world, operation(world, Op.UPDATE, identifier, changes={"tags": ("memory/x",)})
    )
    assert _codes(done) == [("op_001", "note")]
    assert NOTE in done.skipped[0].reason
    assert world.read(NOTE) == before


# effects


def test_governed_row_52_a_supersession_links_both_ways_and_takes_the_candidates_note(world):
    old = npm(world)
    candidate = proposed(world)
    new = candidate_memory(world, candidate)
    made, memory = operation(world, Op.SUPERSEDE, old, memory=new, candidate=candidate)
    done = apply_now(world, (made, memory))
    (applied,) = done.applied
    assert memory_of(world, old).status is Status.SUPERSEDED
    assert memory_of(world, old).superseded_by == ("[[Use bun for installs]]",)
    assert memory_of(world, new.id).supersedes == ("[[Use npm for installs]]",)
    assert waiting(world.here.call()) == []
    assert applied.path == "Memory/Lessons/Use bun for installs.md"
    text = report_of(world)
    assert BUN in text
    assert NPM not in text
    app = world.here.app()
    found = search(app.call(), app.engine, "installs", mode=Mode.KEYWORD)
    assert [one.id for one in found.hits] == [new.id]


def test_governed_row_53_the_second_supersession_of_a_target_is_skipped_and_rejected(world):
    old = npm(world)
    first, second = proposed(world), proposed(world, "Use pnpm for installs.")
    drafts = [
        operation(world, Op.SUPERSEDE, old, memory=candidate_memory(world, one), candidate=one)
        for one in (first, second)
    ]
    done = apply_now(world, *drafts)
    assert [one.id for one in done.applied] == ["op_001"]
    assert _codes(done) == [("op_002", "status")]
    assert done.status == "partially_applied"
    assert waiting(world.here.call()) == []
    assert f" rejected {second} " in world.ledger()


def test_governed_row_54_an_add_of_an_id_that_is_there_is_skipped(world):
    identifier = npm(world)
    new = replace(memory_of(world, identifier), statement="Another text.")
    done = apply_now(world, (Operation(op=Op.ADD, memory=new, selected=True), None))
    assert _codes(done) == [("op_001", "exists")]
    assert len(list(world.path("Memory/Lessons").iterdir())) == 1


@pytest.mark.parametrize(
    ("row", "op", "status"),
    [
        (55, Op.UPDATE, "deleted"),
        (56, Op.SUPERSEDE, "superseded"),
        (57, Op.DELETE, "deleted"),
        (59, Op.UNCONTEST, "deprecated"),
    ],
)
def test_governed_rows_55_56_57_59_what_the_status_does_not_allow_is_skipped(
    world, row, op, status
):
    identifier = npm(world)
    world.replace(NOTE, "---\nUse", f"status: {status}\n---\nUse")
    world.here.sync()
    new = _new(world) if op is Op.SUPERSEDE else None
    draft = operation(world, op, identifier, memory=new, changes=CHANGES.get(op, {}))
    done = apply_now(world, draft)
    assert _codes(done) == [("op_001", "status")], row
    assert memory_of(world, identifier).status == status


def test_governed_row_58_contest_and_uncontest_are_in_force_at_once(world):
    identifier = npm(world, rule="avoid_pattern")
    apply_now(world, operation(world, Op.CONTEST, identifier))
    assert memory_of(world, identifier).status is Status.CONTESTED
    assert memory_of(world, identifier).updated.date() == world.here.call().local.date()
    assert "## Contested" in report_of(world)
    apply_now(world, operation(world, Op.UNCONTEST, identifier))
    assert memory_of(world, identifier).status is Status.ACTIVE
    assert "## Contested" not in report_of(world)


def test_governed_row_60_exceptions_are_ordered_unions_without_duplicates(world):
    identifier = npm(world, exceptions="[in CI]")
    changes = {"exceptions": ("in CI", "on Windows")}
    apply_now(world, operation(world, Op.ADD_EXCEPTION, identifier, changes=changes))
    assert memory_of(world, identifier).exceptions == ("in CI", "on Windows")
    assert NPM not in report_of(world, prompt="install this on Windows")


def test_governed_row_61_an_audit_delete_keeps_the_text_and_leaves_a_tombstone(world):
    identifier = npm(world, "Use the secret token abc123.")
    apply_now(world, operation(world, Op.DELETE, identifier))
    assert "status: deleted" in world.read(NOTE)
    assert "abc123" in world.read(NOTE)
    assert f" deleted {identifier} " in world.ledger("tombstones")
    assert "abc123" not in report_of(world)
    world.here.sync()
    assert memory_of(world, identifier).status is Status.DELETED


def test_a_purge_by_a_patch_leaves_no_text(world):
    identifier = npm(world, "Use the codeword xyzzy plugh.")
    done = apply_now(world, operation(world, Op.DELETE, identifier, deletion=Deletion.PURGE))
    assert [one.op for one in done.applied] == ["delete"]
    assert not any(b"xyzzy" in data for data in world.snapshot().values())
    for place in world.here.home.rglob("*"):
        if place.is_file():
            assert b"xyzzy" not in place.read_bytes(), place
    assert world.here.call().vault.patches.row(done.id).status == "applied"


def test_governed_row_64_what_was_deleted_does_not_come_back_by_a_patch(world):
    identifier = npm(world, BUN)
    apply_now(world, operation(world, Op.DELETE, identifier))
    done = apply_now(world, (Operation(op=Op.ADD, memory=_new(world), selected=True), None))
    assert _codes(done) == [("op_001", "tombstoned")]
    assert BUN not in report_of(world)


def test_governed_row_119_a_promotion_looks_the_statement_up_and_leaves_the_memory(world):
    identifier = npm(world, evidence='["[[2026-11-29 evidence x#^ev-1]]"]')
    before = world.read(NOTE)
    reason = "Seen in three projects; ![[embed]] #tag"
    done = apply_now(world, operation(world, Op.PROMOTE, identifier, reason=reason))
    (applied,) = done.applied
    assert applied.path == "Memory/Promotions/Promote Use npm for installs.md"
    text = world.read(applied.path)
    assert "type: promotion" in text
    assert f"> {NPM}" in text
    assert "Seen in three projects" in text
    assert "![[embed]]" not in text
    assert 'memory: "[[Use npm for installs]]"' in text
    assert "evidence x#^ev-1" in text
    assert world.read(NOTE) == before
    assert world.here.sync().findings == ()


def test_governed_row_120_a_promotion_that_names_the_memory_itself_is_not_skipped(world):
    identifier = npm(world)
    memory = memory_of(world, identifier)
    done = apply_now(world, operation(world, Op.PROMOTE, identifier, memory=memory))
    assert (len(done.applied), done.skipped) == (1, ())


def test_governed_row_121_a_rejected_candidate_is_gone(world):
    candidate = proposed(world)
    draft = Operation(op=Op.REJECT_CANDIDATE, candidate=candidate, selected=True)
    done = apply_now(world, (draft, None))
    assert [one.op for one in done.applied] == ["reject_candidate"]
    assert waiting(world.here.call()) == []
    assert f" rejected {candidate} " in world.ledger()


def test_a_candidate_that_updates_a_memory_is_settled_and_kept_for_a_revert(world):
    identifier = npm(world)
    candidate = proposed(world, "Use npm 11 for installs.")
    changes = {"statement": "Use npm 11 for installs."}
    draft = operation(world, Op.UPDATE, identifier, changes=changes, candidate=candidate)
    done = apply_now(world, draft)
    assert waiting(world.here.call()) == []
    assert f" approved {candidate} " in world.ledger()
    (step,) = world.here.call().vault.patches.row(done.id).progress().values()
    assert "Use npm 11 for installs." in step.text


# what stands in the way


def test_a_candidate_that_was_edited_since_is_stale_and_shown(world):
    candidate = proposed(world)
    draft = add_draft(world, candidate)
    (one,) = waiting(world.here.call())
    world.replace(one.path, BUN, "Use deno for installs.")
    world.here.sync()
    done = apply_now(world, draft)
    assert _codes(done) == [("op_001", "stale")]
    assert f"-statement: {BUN}" in done.skipped[0].difference
    assert "+statement: Use deno for installs." in done.skipped[0].difference
    assert done.status == "proposed"
    assert len(waiting(world.here.call())) == 1


def test_a_candidate_that_is_gone_was_decided_elsewhere(world):
    candidate = proposed(world)
    draft = add_draft(world, candidate)
    (one,) = waiting(world.here.call())
    world.path(one.path).unlink()
    world.here.sync()
    assert _codes(apply_now(world, draft)) == [("op_001", "candidate")]


def test_a_note_that_was_edited_since_is_refused_with_a_difference(world):
    identifier = npm(world)
    draft = operation(world, Op.UPDATE, identifier, changes={"statement": "Use npm 11."})
    world.replace(NOTE, NPM, "Use npm 10 for installs.")
    world.here.sync()
    done = apply_now(world, draft)
    assert _codes(done) == [("op_001", "stale")]
    assert done.skipped[0].difference.splitlines()[-2:] == [
        f"-statement: {NPM}",
        "+statement: Use npm 10 for installs.",
    ]
    assert "Use npm 10" in world.read(NOTE)


def test_a_note_that_changed_after_the_last_look_is_not_written(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    call = world.here.call()
    world.write(NOTE, world.read(NOTE) + "\nTyped just now.\n")
    done = apply_now(world, draft, call=call)
    assert _codes(done) == [("op_001", "unseen")]
    assert "status:" not in world.read(NOTE)
    world.here.sync()
    assert len(apply_now(world, draft).applied) == 1
    assert "Typed just now." in world.read(NOTE)


def test_a_note_that_an_agent_changed_is_not_written_over(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    world.replace(NOTE, NPM, "Use what I say.")
    world.here.sync(agent="pi")
    done = apply_now(world, draft)
    assert _codes(done) == [("op_001", "held")]
    assert "ratify" in done.skipped[0].reason


def test_a_memory_outside_the_root_is_never_written(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    world.path("Elsewhere").mkdir()
    world.path(NOTE).rename(world.path("Elsewhere/x.md"))
    world.here.sync()
    assert _codes(apply_now(world, draft)) == [("op_001", "outside")]


def test_a_memory_whose_note_vanished_is_not_there(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    world.path(NOTE).unlink()
    world.here.sync()
    assert _codes(apply_now(world, draft)) == [("op_001", "missing")]


def test_a_broken_note_is_not_written(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    world.write(NOTE, world.read(NOTE).replace("category: lesson", "category: [lesson"))
    world.here.sync()
    assert _codes(apply_now(world, draft)) == [("op_001", "held")]


def test_a_secret_is_not_applied(world):
    npm(world)
    new = _new(world, f"The token is gh{'p_' + fake(36)}.")
    done = apply_now(world, (Operation(op=Op.ADD, memory=new, selected=True), None))
    assert _codes(done) == [("op_001", "secret")]


def test_an_agent_applies_nothing(world):
    identifier = npm(world)
    draft = operation(world, Op.CONTEST, identifier)
    with pytest.raises(AgentRefusedError, match="patch apply"):
        apply_now(world, draft, call=world.here.call(agent="pi"))


# policy


def test_policy_applies_what_it_may_and_nothing_that_a_person_must_choose(world):
    identifier = npm(world)
    world.here.pass_time(minutes=5)
    drafts = [
        operation(world, Op.UPDATE_STABILITY, identifier, changes={"stability": "stable"}),
        operation(world, Op.CONTEST, identifier),
        operation(world, Op.UPDATE, identifier, changes={"pinned": True}),
        operation(world, Op.DELETE, identifier),
    ]
    done = apply_now(world, *drafts, applier=Applier.POLICY)
    assert [one.id for one in done.applied] == ["op_001"]
    assert _codes(done) == [("op_002", "person"), ("op_003", "person"), ("op_004", "person")]
    assert '"by":"policy"' in world.ledger()


def test_policy_leaves_a_note_alone_that_was_edited_a_minute_ago(world):
    identifier = npm(world)
    draft = operation(world, Op.DECAY, identifier, changes={"confidence": 0.5})
    assert _codes(apply_now(world, draft, applier=Applier.POLICY)) == [("op_001", "quiet")]
    world.here.pass_time(minutes=3)
    assert len(apply_now(world, draft, applier=Applier.POLICY).applied) == 1


def test_policy_gives_no_force(world):
    npm(world)
    new = _new(world, rule=RuleType.AVOID_PATTERN, confidence=0.95)
    draft = (Operation(op=Op.ADD, memory=new, selected=True), None)
    apply_now(world, draft, applier=Applier.POLICY)
    assert standing_of(world, new.id).force == 0
    assert f"given {new.id}" not in world.ledger("force")


# force


def test_a_person_who_applies_gives_force_to_a_new_rule(world):
    npm(world)
    new = _new(world, rule=RuleType.AVOID_PATTERN, confidence=0.95)
    apply_now(world, (Operation(op=Op.ADD, memory=new, selected=True), None))
    assert standing_of(world, new.id).force == 1
    assert f" given {new.id} " in world.ledger("force")


def test_a_pin_by_patch_is_the_persons_word_and_keeps_acting_after_a_rewording(world):
    identifier = npm(world)
    apply_now(world, operation(world, Op.UPDATE, identifier, changes={"pinned": True}))
    assert standing_of(world, identifier).force == 1
    changes = {"statement": "Use npm 11 for installs."}
    apply_now(world, operation(world, Op.UPDATE, identifier, changes=changes))
    assert standing_of(world, identifier).force == 1
    world.here.sync()
    assert standing_of(world, identifier).force == 1


def test_a_change_of_something_else_gives_no_force_to_what_nobody_reviewed(world):
    world.memory(NOTE, NPM, category="lesson")
    identifier = world.memory("Memory/Lessons/forged.md", "Obey.", category="lesson", pinned="true")
    world.here.sync()  # it was there before this device looked
    assert standing_of(world, identifier).force == 0
    apply_now(world, operation(world, Op.UPDATE, identifier, changes={"tags": ("memory/x",)}))
    assert standing_of(world, identifier).force == 0


@pytest.mark.parametrize("ratified", [True, False])
def test_identity_changes_only_when_a_person_ratifies_it(world, ratified):
    npm(world)
    new = _new(world, "I am called Ada.", layer=Layer.IDENTITY)
    draft = (Operation(op=Op.ADD, memory=new, selected=True), None)
    done = apply_now(world, draft, ratified=ratified)
    if not ratified:
        assert _codes(done) == [("op_001", "identity")]
        assert done.status == "proposed"
        return
    (applied,) = done.applied
    assert applied.path == "Memory/Identity/I am called Ada.md"
    assert standing_of(world, new.id).force == 1
    assert "I am called Ada." in report_of(world)


def test_a_ratified_guardrail_that_decays_keeps_its_force(world):
    identifier = npm(world, trigger="bash_contains npm i", action="block")
    ratify(world.here.call(), identifier)
    apply_now(world, operation(world, Op.DECAY, identifier, changes={"confidence": 0.5}))
    assert standing_of(world, identifier).force == 1


# somebody saves in between


def _save_when(monkeypatch, part: bytes, place, data: bytes) -> None:
    """An editor saves `data` at `place` just before a write of ours that holds `part` is named."""
    write = DISK.write

    def write_then_save(descriptor: int, written: bytes) -> None:
        write(descriptor, written)
        if part in written:
            place.write_bytes(data)

    monkeypatch.setattr(DISK, "write", write_then_save)


@pytest.mark.parametrize("op", [Op.CONTEST, Op.SUPERSEDE])
def test_an_editor_that_saves_in_between_wins_and_nothing_is_half_done(world, monkeypatch, op):
    identifier = npm(world)
    new = _new(world) if op is Op.SUPERSEDE else None
    draft = operation(world, op, identifier, memory=new)
    place = world.path(NOTE)
    mine = place.read_bytes() + b"\nTyped in between.\n"
    before = set(world.notes())
    _save_when(monkeypatch, b"\nstatus: ", place, mine)
    done = apply_now(world, draft)
    monkeypatch.undo()
    assert _codes(done) == [("op_001", "unseen")]
    assert done.status == "proposed"
    assert place.read_bytes() == mine
    assert set(world.notes()) == before
    assert world.here.call().vault.patches.rows() == []
    again = world.here.sync()
    assert [one.by for one in again.changes] == ["person"]
    assert again.findings == ()
    assert world.here.sync().changes == ()
    assert len(apply_now(world, draft).applied) == 1


def test_one_operation_that_lost_does_not_stop_the_others(world, monkeypatch):
    identifier = npm(world)
    new = _new(world)
    drafts = [
        (Operation(op=Op.ADD, memory=new, selected=True), None),
        operation(world, Op.CONTEST, identifier),
    ]
    place = world.path(NOTE)
    _save_when(monkeypatch, b"\nstatus: contested", place, place.read_bytes() + b"\nMine.\n")
    done = apply_now(world, *drafts)
    monkeypatch.undo()
    assert [one.id for one in done.applied] == ["op_001"]
    assert _codes(done) == [("op_002", "unseen")]
    assert done.status == "partially_applied"


def test_a_name_that_is_taken_in_between_is_told_and_the_next_run_takes_another(world, monkeypatch):
    npm(world)
    new = _new(world)
    draft = (Operation(op=Op.ADD, memory=new, selected=True), None)
    taken = world.path("Memory/Lessons/Use bun for installs.md")
    _save_when(monkeypatch, b"Use bun for installs.\n", taken, b"Mine.\n")
    done = apply_now(world, draft)
    monkeypatch.undo()
    assert _codes(done) == [("op_001", "note")]
    assert taken.read_bytes() == b"Mine.\n"
    world.here.sync()
    (applied,) = apply_now(world, draft).applied
    assert applied.path != "Memory/Lessons/Use bun for installs.md"


def test_a_candidate_that_somebody_writes_into_meanwhile_waits_for_them(world, monkeypatch):
    candidate = proposed(world)
    (one,) = waiting(world.here.call())
    place = world.path(one.path)
    mine = place.read_bytes() + b"\nOne more thought.\n"
    _save_when(monkeypatch, b" begun patch_", place, mine)
    done = apply_now(world, add_draft(world, candidate))
    monkeypatch.undo()
    assert len(done.applied) == 1
    assert place.read_bytes() == mine
    told = world.here.sync().findings
    assert [(found.code, found.path) for found in told] == [("VM324", one.path)]
    assert [left.id for left in waiting(world.here.call())] == [candidate]
    assert place.read_bytes() == mine


def test_a_decision_is_listed_once_however_often_it_is_told(world):
    npm(world)
    decided = Decided(
        id=world.new_id("cand"),
        status=PatchStatus.REJECTED,
        at=world.here.call().local,
        by="person",
    )
    first = list_decided(world.here.call(), decided, via="inbox")
    assert first == f"[[{_day_name(world)}#^{decided.block_id}]]"
    told = world.ledger()
    assert list_decided(world.here.call(), decided, via="inbox") == first
    assert world.ledger() == told
    assert _day(world) == (decided,)


def _day_name(world) -> str:
    (path,) = world.path("Memory/System/Patches").rglob("*.md")
    return path.stem


def test_the_origin_of_what_a_patch_made_is_told(world):
    npm(world)
    for applier, words in ((Applier.PERSON, "by the person"), (Applier.POLICY, "by itself")):
        new = _new(world, f"Stated {words}.")
        draft = (Operation(op=Op.ADD, memory=new, selected=True), None)
        apply_now(world, draft, applier=applier)
        assert why(world.here.call(), new.id).origin.startswith(
            f"It was applied from a patch {words} on "
        )


def test_a_candidate_that_cannot_be_read_does_not_wait(world):
    candidate = proposed(world)
    draft = add_draft(world, candidate)
    (one,) = waiting(world.here.call())
    world.replace(one.path, "category:", "category: [")
    assert _codes(apply_now(world, draft)) == [("op_001", "candidate")]


def test_a_new_memory_that_cites_evidence_that_was_taken_out_is_skipped(world):
    candidate = proposed(world)
    draft = add_draft(world, candidate)
    assert draft[0].memory.evidence, "an agent's candidate has its words as evidence"
    (day,) = world.path("Memory/System/Evidence").rglob("*.md")
    call = world.here.call()
    (piece,) = find(call, cited(draft[0].memory.evidence))
    gone = append_evidence(
        new_evidence_day(world.new_id("log"), device=world.here.id, day=call.local.date()),
        without_words(piece, Redaction.DELETED),
    )
    day.write_bytes(gone)
    world.here.sync()
    done = apply_now(world, draft)
    assert _codes(done) == [("op_001", "evidence")]
    assert waiting(world.here.call()) == []
