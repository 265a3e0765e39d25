"""Maintenance on a real vault: one patch that waits, nothing twice, the archive and back."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.core.fakes import fake
from tests.services.patching import apply_open, memory_of, report_of, standing_of
from vaultmem.core.maintenance import MOST
from vaultmem.core.model import Stability, Status
from vaultmem.core.operation import Op
from vaultmem.core.patch_check import check
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import Applier, Facts
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.reinforcement import Outcome
from vaultmem.errors import AgentRefusedError, DiskFailedError, PatchRefusedError
from vaultmem.notes.operation import AlteredError, operation_block, read_operation
from vaultmem.services import patches
from vaultmem.services.apply import apply
from vaultmem.services.call import Actor
from vaultmem.services.capturing import guarding
from vaultmem.services.maintain import maintain, plan
from vaultmem.services.maintaining.daily import maintain_daily
from vaultmem.services.outcomes import record
from vaultmem.services.reinforce import reinforce
from vaultmem.services.revert import revert
from vaultmem.services.session_start import session_start
from vaultmem.services.switch import WRITE, Place, switch
from vaultmem.store.disk import DISK

NOTE = "Memory/Lessons/Add files by name.md"


def _day(world, days: float) -> str:
    return f"{world.here.call().local.date() + timedelta(days=days)}"


def _overdue(world, path: str = NOTE, statement: str = "Add files by name.", **properties) -> str:
    """A memory of today whose review was missed by a day."""
    now = world.here.call().local
    usual = {
        "category": "lesson",
        "confidence": 0.9,
        "created": now.isoformat(),
        "reinforced": now.isoformat(),
        "evidence_count": 2,
        "review": _day(world, -1),
    }
    identifier = world.memory(path, statement, **(usual | properties))
    world.here.sync()
    return identifier


def _cold(world, path: str = NOTE, statement: str = "Add files by name.", **properties) -> str:
    """A memory that nobody has needed for years."""
    return _overdue(
        world,
        path,
        statement,
        **({"created": "2020-01-01T10:00:00", "reinforced": "2020-01-01T10:00:00"} | properties),
    )


def _policy(world):
    return world.here.call()._replace(actor=Actor.POLICY)


def _planned(found):
    return [(one.operation.op, one.memory.id) for one in found.planned]


def test_a_missed_review_is_proposed_and_applied_by_the_person(world):
    known = _overdue(world)
    done = maintain(world.here.call())
    assert _planned(done) == [(Op.DECAY, known)]
    assert done.proposed.startswith("Memory/Inbox/Patch - decay")
    assert memory_of(world, known).confidence == 0.9, "nothing is applied by itself"
    assert apply_open(world, done.proposed_id).status is PatchStatus.APPLIED
    after = memory_of(world, known)
    assert after.confidence == 0.75
    assert str(after.review) == _day(world, 30)
    revert(world.here.call(), done.proposed_id)
    assert memory_of(world, known).confidence == 0.9


def test_governed_row_80_a_second_run_proposes_nothing_whatever_became_of_the_first(world):
    _overdue(world)
    before = maintain(world.here.call())
    assert before.proposed is not None
    again = maintain(world.here.call())
    assert (again.planned, again.proposed, again.waiting) == ((), None, before.proposed_id)
    apply_open(world, before.proposed_id)
    assert maintain(world.here.call()).planned == ()
    world.here.pass_time(days=30)
    assert maintain(world.here.call()).planned == (), "nor on any later day of the period"
    world.here.pass_time(days=1)
    assert len(maintain(world.here.call()).planned) == 1


@pytest.mark.parametrize("how", ["reject", "untick", "delete"])
def test_what_the_person_did_not_want_is_not_proposed_again_in_its_period(world, how):
    known = _overdue(world)
    if how == "untick":
        _overdue(world, "Memory/Lessons/Other.md", "Close the file first.")
    first = maintain(world.here.call())
    if how == "reject":
        patches.reject(world.here.call(), first.proposed_id)
    elif how == "untick":
        numbers = {one.operation.target: number for number, one in enumerate(first.planned, 1)}
        numbers.pop(known)
        apply_open(world, first.proposed_id, ops=[f"op_{one:03}" for one in numbers.values()])
    else:
        world.path(first.proposed).unlink()
        world.here.sync()
    world.here.pass_time(days=29)
    assert maintain(world.here.call()).planned == ()
    world.here.pass_time(days=2)
    assert known in [one.memory.id for one in maintain(world.here.call()).planned]


def test_with_nothing_ticked_what_is_proposed_is_not_lost(world):
    _overdue(world)
    first = maintain(world.here.call())
    with pytest.raises(PatchRefusedError):
        apply_open(world, first.proposed_id, ops=())
    assert maintain(world.here.call()).waiting == first.proposed_id


def test_one_patch_waits_at_a_time(world):
    _overdue(world)
    first = maintain(world.here.call())
    other = _overdue(world, "Memory/Lessons/Other.md", "Close the file first.")
    again = maintain(world.here.call())
    assert _planned(again) == [(Op.DECAY, other)], "it says what it would propose"
    assert (again.proposed, again.waiting) == (None, first.proposed_id)
    apply_open(world, first.proposed_id)
    assert _planned(maintain(world.here.call())) == [(Op.DECAY, other)]


def test_what_another_patch_proposes_is_not_proposed_besides(world):
    known = _overdue(world)
    draft = plan(world.here.call()).planned[0]
    call = world.here.call()
    patches.save(call, patches.new(call, [(draft.operation, draft.memory)]))
    found = maintain(world.here.call())
    assert (found.planned, found.waiting) == ((), None)
    assert memory_of(world, known).confidence == 0.9


def test_a_large_backlog_comes_in_parts(world):
    now = world.here.call().local.isoformat()
    for number in range(MOST + 5):
        world.memory(
            f"Memory/Lessons/Rule {number}.md",
            f"Rule number {number} is this.",
            category="lesson",
            confidence=0.9,
            created=now,
            review=_day(world, -1),
        )
    world.here.sync()
    first = maintain(world.here.call())
    assert (len(first.planned), first.left) == (MOST, 5)
    apply_open(world, first.proposed_id)
    second = maintain(world.here.call())
    assert (len(second.planned), second.left) == (5, 0)


def test_a_cold_memory_goes_to_the_archive_and_comes_back_with_a_revert(world):
    known = _cold(world)
    world.write("Daily.md", "See [[Add files by name]].\n")
    world.here.sync()
    done = maintain(world.here.call())
    assert _planned(done) == [(Op.DEPRECATE, known)]
    text = world.read(done.proposed)
    assert "archive: true" in text
    assert "- [ ] op_001 · deprecate" in text, "never ticked by itself"
    apply_open(world, done.proposed_id, ops=["op_001"])
    away = "Memory/System/Archive/Add files by name.md"
    assert not world.path(NOTE).exists()
    assert "status: deprecated\n" in world.read(away), "text and name are kept"
    assert "Add files by name." not in report_of(world)
    assert standing_of(world, known).path == away
    assert world.here.sync().changes == ()
    back = revert(world.here.call(), done.proposed_id)
    assert back.reverted[0].path == NOTE
    assert world.path(NOTE).exists()
    assert memory_of(world, known).status is Status.ACTIVE
    assert world.here.sync().changes == ()


def test_a_note_that_the_archive_gave_another_name_keeps_it_on_the_way_back(world):
    _cold(world)
    apply_open(world, maintain(world.here.call()).proposed_id, ops=["op_001"])
    _cold(world)
    done = maintain(world.here.call())
    apply_open(world, done.proposed_id, ops=["op_001"])
    (away,) = (path for path in world.notes() if "Archive/Add files by name (" in path)
    world.memory(NOTE, "Name every file.", category="lesson")
    world.here.sync()
    (back,) = revert(world.here.call(), done.proposed_id).reverted
    assert back.path == away.replace("System/Archive", "Lessons"), "links to it hold"


def test_the_archive_keeps_the_category_that_only_the_folder_said(world):
    known = _cold(world, "Memory/Patterns/git/Add files by name.md")
    text = world.read("Memory/Patterns/git/Add files by name.md").replace("category: lesson\n", "")
    world.write("Memory/Patterns/git/Add files by name.md", text)
    world.here.sync()
    done = maintain(world.here.call())
    apply_open(world, done.proposed_id, ops=["op_001"])
    assert memory_of(world, known).category == "pattern"
    world.write("Memory/Patterns/git/Add files by name.md", "Another one's.\n")
    world.here.sync()
    revert(world.here.call(), done.proposed_id)
    back = standing_of(world, known).path
    assert back.startswith("Memory/Patterns/git/Add files by name (")
    assert memory_of(world, known).category == "pattern"


def test_what_was_put_away_and_moved_back_by_hand_stays_where_the_person_put_it(world):
    known = _cold(world)
    done = maintain(world.here.call())
    apply_open(world, done.proposed_id, ops=["op_001"])
    world.path("Memory/Patterns").mkdir()
    away = world.path("Memory/System/Archive/Add files by name.md")
    away.rename(world.path("Memory/Patterns/x.md"))
    world.here.sync()
    revert(world.here.call(), done.proposed_id)
    assert standing_of(world, known).path == "Memory/Patterns/x.md"
    assert memory_of(world, known).status is Status.ACTIVE


def test_pinned_memories_never_grow_cold(world):
    _cold(world, pinned="true", review=_day(world, 5))
    assert maintain(world.here.call()).planned == ()


def test_a_memory_of_a_task_is_put_away_when_the_task_is_over(world):
    known = _overdue(world, scope="task", review=_day(world, 5))
    assert maintain(world.here.call()).planned == ()
    world.here.pass_time(days=14)
    (one,) = maintain(world.here.call()).planned
    assert (one.operation.op, one.memory.id, one.operation.archive) == (Op.DEPRECATE, known, True)


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ("", {"semi": 0.75, "stable": 0.85}),
        ("maintainer_semi_stable_decay: 0.3\n", {"semi": 0.6, "stable": 0.85}),
        ("maintainer_stable_decay: 0.2\n", {"semi": 0.75, "stable": 0.7}),
    ],
)
def test_the_settings_say_how_much_a_missed_review_costs(world, settings, left):
    world.replace("Memory/Settings.md", "type: settings\n", f"type: settings\n{settings}")
    semi = _overdue(world)
    stable = _overdue(world, "Memory/Lessons/b.md", "Close it first.", stability="stable")
    done = maintain(world.here.call())
    changes = {one.memory.id: one.operation.changes["confidence"] for one in done.planned}
    assert changes == {semi: left["semi"], stable: left["stable"]}


def test_what_sessions_confirm_becomes_stable(world):
    known = _overdue(world, review=_day(world, 5))
    for session in ("s1", "s2"):
        call = world.here.call()
        reinforce(call, known, session=session, by=Actor.PERSON, via="add")
    done = maintain(world.here.call())
    assert _planned(done) == [(Op.UPDATE_STABILITY, known)]
    assert apply_open(world, done.proposed_id).status is PatchStatus.APPLIED
    assert memory_of(world, known).stability is Stability.STABLE


def test_what_the_user_corrects_is_to_be_reviewed_and_a_second_time_contested(world):
    known = _overdue(world, review=_day(world, 20), stability="stable")
    record(_policy(world), known, Outcome.CORRECTED, session="s1")
    record(_policy(world), known, Outcome.NEUTRAL, session="s1")
    first = maintain(world.here.call())
    assert _planned(first) == [(Op.FLAG_FOR_REVIEW, known), (Op.UPDATE_STABILITY, known)]
    assert apply_open(world, first.proposed_id, ops=["op_001", "op_002"]).skipped == ()
    after = memory_of(world, known)
    assert (after.stability, str(after.review)) == (Stability.SEMI_STABLE, _day(world, 7))
    world.here.pass_time(days=1)
    record(_policy(world), known, Outcome.CORRECTED, session="s2")
    second = maintain(world.here.call())
    assert _planned(second) == [(Op.CONTEST, known)]
    apply_open(world, second.proposed_id, ops=["op_001"])
    assert memory_of(world, known).status is Status.CONTESTED


def test_what_nobody_signed_counts_for_nothing(world):
    known = _overdue(world, review=_day(world, 20))
    record(_policy(world), known, Outcome.CORRECTED, session="s1")
    call = world.here.call()
    call.vault.baseline.connection.execute("UPDATE ledger SET signed = 0 WHERE note = ?", (known,))
    assert plan(call).planned == ()


def test_what_an_agent_confirms_by_itself_makes_nothing_stable(world):
    known = _overdue(world, review=_day(world, 5))
    for session in ("s1", "s2", "s3"):
        call = world.here.call(agent="pi")
        reinforce(call, known, session=session, by=Actor.AGENT, via="tool")
    assert maintain(world.here.call()).planned == ()


def test_policy_may_not_apply_a_patch_of_maintenance_that_takes_something_out_of_use(world):
    known = _cold(world)
    done = maintain(world.here.call())
    call = world.here.call()
    opened = patches.find_patch(call, done.proposed_id)
    tried = apply(
        call,
        opened.patch,
        applier=Applier.POLICY,
        selected=frozenset({"op_001"}),
        via="test",
        opened=opened,
    )
    assert [one.code for one in tried.skipped] == ["person"]
    assert memory_of(world, known).status is Status.ACTIVE


def test_an_agent_may_look_and_not_propose(world):
    _overdue(world)
    assert len(plan(world.here.call(agent="pi")).planned) == 1
    with pytest.raises(AgentRefusedError, match="maintain run"):
        maintain(world.here.call(agent="pi"))
    assert patches.open_patches(world.here.call()) == []


def test_looking_writes_nothing(world):
    _overdue(world)
    before = world.snapshot()
    plan(world.here.call())
    assert world.snapshot() == before


def test_the_daily_run_proposes_once_in_a_local_day_whoever_starts_the_session(world):
    _overdue(world)
    done = maintain_daily(world.here.call(agent="pi"))
    assert done.proposed is not None
    assert " maintained patch_" in world.ledger()
    assert '"by":"policy"' in world.ledger()
    apply_open(world, done.proposed_id)
    _overdue(world, "Memory/Lessons/b.md", "Close it first.")
    assert maintain_daily(world.here.call()) is None
    world.here.pass_time(days=1)
    second = maintain_daily(world.here.call())
    assert len(second.planned) == 1
    world.here.pass_time(days=1)
    third = maintain_daily(world.here.call())
    assert (third.planned, third.waiting) == ((), second.proposed_id)


def _refuse(path, *_):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))


def test_the_daily_run_leaves_a_vault_alone_that_cannot_be_written(world, monkeypatch):
    _overdue(world)
    switch(world.here.call(), [WRITE], Place(), off=True)
    assert maintain_daily(world.here.call()) is None
    switch(world.here.call(), [WRITE], Place(), off=False)
    world.here.open_window(world.here.call().nanoseconds)
    assert maintain_daily(world.here.call()) is None
    world.here.close_windows(world.here.call().nanoseconds)
    with monkeypatch.context() as read_only:
        read_only.setattr(DISK, "open_new", _refuse)
        assert maintain_daily(world.here.call()) is None
    world.here.pass_time(days=1)
    assert maintain_daily(world.here.call()).proposed is not None


def test_a_session_that_starts_tells_what_is_proposed(world):
    _overdue(world)
    started = session_start(world.here.call(agent="pi"))
    assert len(started.maintained.planned) == 1
    assert session_start(world.here.call()).maintained is None


def test_an_operation_says_in_its_block_that_it_archives(world):
    _cold(world)
    (one,) = plan(world.here.call()).planned
    block = operation_block("patch_01JDR3Z8Q4M5N6P7R8S9T0V1W4", replace(one.operation, id="op_001"))
    read = read_operation("patch_01JDR3Z8Q4M5N6P7R8S9T0V1W4", block)
    assert read.archive
    with pytest.raises(AlteredError, match="hash"):
        read_operation("patch_01JDR3Z8Q4M5N6P7R8S9T0V1W4", block.replace("archive: true\n", ""))
    wrong = replace(one.operation, op=Op.CONTEST)
    assert "archive" in check(propose(wrong, one.memory), one.memory, Facts()).sentence


def test_without_a_key_nothing_is_proposed_by_itself_and_the_person_is_not_asked_twice(world):
    _overdue(world)
    other = world.device()
    for key in (other.home / "state").glob("vault_*/key"):
        key.unlink()
    other.sync()
    assert maintain_daily(other.call()) is None
    first = maintain(other.call())
    patches.reject(other.call(), first.proposed_id)
    assert maintain(other.call()).planned == ()


def test_two_devices_do_not_propose_the_same(world):
    known = _overdue(world)
    other = world.device()
    other.sync()
    first = maintain(world.here.call())
    other.sync()
    again = maintain(other.call())
    assert (again.planned, again.waiting) == ((), first.proposed_id)
    patches.reject(world.here.call(), first.proposed_id)
    other.sync()
    assert maintain(other.call()).planned == ()
    assert memory_of(world, known).confidence == 0.9


@pytest.mark.parametrize("saved", [True, False])
def test_a_patch_of_a_process_that_was_killed_is_known_as_maintenances(world, monkeypatch, saved):
    _overdue(world)
    real = patches.save

    def killed(call, patch):
        if saved:
            real(call, patch)
        raise KeyboardInterrupt

    with monkeypatch.context() as kill:
        kill.setattr(patches, "save", killed)
        with pytest.raises(KeyboardInterrupt):
            maintain(world.here.call())
    again = maintain(world.here.call())
    if not saved:
        assert again.proposed is not None, "what was never written is proposed"
        return
    assert (again.proposed, again.planned) == (None, ())
    assert again.waiting == patches.open_patches(world.here.call())[0].id
    patches.reject(world.here.call(), again.waiting)
    assert maintain(world.here.call()).planned == ()


def test_what_could_not_be_saved_is_proposed_when_it_can(world, monkeypatch):
    _overdue(world)
    real = DISK.open_new

    def full(path, mode=0o666):
        if "Inbox" in str(path):
            raise OSError(errno.ENOSPC, "full")
        return real(path, mode)

    with monkeypatch.context() as disk:
        disk.setattr(DISK, "open_new", full)
        with pytest.raises(DiskFailedError):
            maintain(world.here.call())
    done = maintain(world.here.call())
    assert (done.proposed is not None, len(done.planned)) == (True, 1)


def test_what_lies_in_a_conflict_copy_only_is_proposed_again(world):
    _overdue(world)
    first = maintain(world.here.call()).proposed
    copy = first.replace(".md", " (conflict 2026-11-30).md")
    world.path(first).rename(world.path(copy))
    world.here.sync()
    again = maintain(world.here.call())
    assert again.proposed is not None, "nobody can decide about the other one"
    world.path(again.proposed).unlink()
    world.path(copy).unlink()
    world.here.sync()
    assert maintain(world.here.call()).planned == (), "what the person deleted is turned down"


def test_a_memory_outside_of_the_root_is_never_written_and_so_never_proposed(world):
    _overdue(world)
    world.path("Elsewhere").mkdir()
    world.path(NOTE).rename(world.path("Elsewhere/Add files by name.md"))
    world.here.sync()
    assert maintain(world.here.call()).planned == ()


@pytest.mark.parametrize("by", ["an agent", "a slip"])
def test_a_note_that_does_not_say_what_is_in_force_waits_until_it_does_and_stops_no_other(
    world, by
):
    held, other = _overdue(world), _overdue(world, "Memory/Lessons/a.md", "Close it first.")
    before = world.read(NOTE)
    if by == "an agent":
        world.replace(NOTE, "Add files by name.", "Add all files.")
    else:
        world.replace(NOTE, "confidence: 0.9", "confidence: [0.9")
    world.here.sync(agent="pi" if by == "an agent" else None)
    done = maintain(world.here.call())
    assert _planned(done) == [(Op.DECAY, other)]
    assert apply_open(world, done.proposed_id).skipped == ()
    world.write(NOTE, before)
    world.here.sync()
    assert _planned(maintain(world.here.call())) == [(Op.DECAY, held)]


def test_a_memory_that_holds_a_secret_stops_no_other(world, monkeypatch):
    token = "gh" + "p_" + fake(36)
    with monkeypatch.context() as older:  # a version that did not know this kind of secret yet
        older.setattr(guarding, "held_back", lambda *_, **__: None)
        _overdue(world, "Memory/Lessons/a.md", f"Use {token} there.")
    only = maintain(world.here.call())
    assert (len(only.planned), only.proposed) == (1, None)
    known = _overdue(world)
    done = maintain(world.here.call())
    assert _planned(done) == [(Op.DECAY, known)], "and what is proposed is what was written"
    assert token not in world.read(done.proposed)


def test_a_version_that_cannot_be_read_any_more_stops_no_other(world):
    _overdue(world, "Memory/Lessons/a.md", "Close it first.")
    known = _overdue(world)
    call = world.here.call()
    call.vault.baseline.connection.execute("DELETE FROM contents WHERE id <> ?", (known,))
    assert _planned(plan(call)) == [(Op.DECAY, known)]


def test_an_edit_after_the_proposal_is_not_overwritten(world):
    known = _overdue(world)
    done = maintain(world.here.call())
    world.replace(NOTE, "confidence: 0.9", "confidence: 0.8")
    tried = apply_open(world, done.proposed_id)
    assert [one.code for one in tried.skipped] == ["stale"]
    assert "`vaultmem maintain run`" in tried.skipped[0].reason
    assert memory_of(world, known).confidence == 0.8


def test_a_revert_of_an_archived_memory_refuses_where_the_status_was_changed_since(world):
    _cold(world)
    done = maintain(world.here.call())
    apply_open(world, done.proposed_id, ops=["op_001"])
    world.replace("Memory/System/Archive/Add files by name.md", "deprecated", "contested")
    world.here.sync()
    with pytest.raises(PatchRefusedError, match="edited since"):
        revert(world.here.call(), done.proposed_id)


def test_a_line_of_another_version_tells_nothing_and_harms_nothing(world):
    from vaultmem.core.ledger import LedgerKind
    from vaultmem.services.write import entry

    known = _overdue(world)
    call = world.here.call()
    strange = [
        {"op": "polish", "local": 1, "until": 2},
        {"op": "decay"},
        {"op": "decay", "local": "x", "until": 3},
    ]
    call.vault.append(
        LedgerKind.ACTIVITY, [entry(call, "maintained", known, one) for one in strange]
    )
    assert len(maintain(world.here.call()).planned) == 1
