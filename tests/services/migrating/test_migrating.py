"""An import is one applied patch, and finds again what it brought, whatever became of it here."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime

import pytest

from tests.store.importers import governed
from tests.store.importers.governed import candidate, lived_in, memory, piece, write_lines
from tests.world import World
from vaultmem.core.category import Category
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportedTask,
    ImportKind,
)
from vaultmem.core.importing.plan import Fate
from vaultmem.core.model import Layer, Memory, Scope, Status
from vaultmem.errors import AgentRefusedError, ImportSourceError, KeyMissingError, NotConfirmedError
from vaultmem.notes.candidate import Decision
from vaultmem.services.capturing.evidence_list import list_evidence
from vaultmem.services.curate import session_end
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.inquiries import inquiries
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.gather import gather, remove_source
from vaultmem.services.migrating.plan import own_id, plan
from vaultmem.services.purge import purge
from vaultmem.services.revert import revert
from vaultmem.services.scratchpad import scratchpad

KIND = ImportKind.PI_MEMORY


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.here.sync()
    yield made
    made.close()


@pytest.fixture
def root(tmp_path):
    return governed.empty(tmp_path / "pi-memory")


def bring(world, root, **options):
    """Import it."""
    call = world.here.call()
    return carry_out(call, gather(call, KIND, root, **options))


def standing(world, key):
    """The memory of a record, as the report sees it."""
    call = world.here.call()
    return call.vault.baseline.standing(own_id(call, KIND, key))


def note_of(world, key):
    return world.read(standing(world, key).path)


def fates(done):
    return {one.item.key: one.fate for one in done.plan.planned}


def items(*memories, **fields):
    return Gathered(
        kind=KIND,
        items=tuple(
            ImportedItem(key=f"k{number}", where=f"store:{number}", memory=one, **fields)
            for number, one in enumerate(memories)
        ),
    )


def said(statement, **fields):
    return Memory(id=NO_ID, statement=statement, **fields)


def test_counts_in_are_counts_out(world, root):
    done = bring(world, lived_in(root))
    counts, gathered = done.plan.counts(), done.plan.gathered
    beside = len(done.plan.asked) + len(done.plan.tasks)
    assert sum(counts.values()) + beside == gathered.records
    assert counts[Fate.MEMORY] == 6
    assert counts[Fate.CANDIDATE] == 3


def test_memories_come_in_one_patch_and_keep_what_they_had(world, root):
    done = bring(world, lived_in(root))
    assert done.patch
    assert not done.skipped
    found = standing(world, "mem_tests")
    assert (found.statement, found.project) == (governed.TESTS, "tide")
    assert (found.evidence_count, found.status) == (2, "active")
    text = note_of(world, "mem_tests")
    assert "created: 2026-01-05T00:00:00" in text
    assert "reinforced: 2026-02-07T08:00:00" in text
    assert "applies_when:" in text
    assert "evidence:" in text
    for key, status in {"mem_old": "superseded", "mem_doubt": "contested"}.items():
        assert standing(world, key).status == status


def test_links_lead_to_the_notes_of_the_other_records(world, root):
    bring(world, lived_in(root))
    old, new = standing(world, "mem_old"), standing(world, "mem_new")
    name = new.path.rpartition("/")[2].removesuffix(".md")
    assert f"[[{name}]]" in world.read(old.path)
    name = old.path.rpartition("/")[2].removesuffix(".md")
    assert f"[[{name}]]" in world.read(new.path)
    assert 'vault_ref: "[[Ops/Staging|Staging]]"' in world.read(new.path)


def test_two_records_with_the_same_name_are_told_apart_in_links(world, root):
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        memory("mem_a", "Use uv!", status="superseded", superseded_by=["mem_b"]),
        memory("mem_b", "Use uv?", supersedes=["mem_a", "mem_nowhere"]),
    )
    bring(world, root)
    name = standing(world, "mem_b").path.rpartition("/")[2].removesuffix(".md")
    assert f"[[{name}]]" in note_of(world, "mem_a")


def test_evidence_is_recorded_on_its_day_and_trusted_no_further_than_inference(world, root):
    bring(world, lived_in(root))
    (note,) = world.vault.glob("Memory/System/Evidence/2026/01/2026-01-05 *.md")
    text = note.read_text()
    assert "Always run the tests before you push" in text
    assert "agent_inference" in text
    assert "(user_correction there)" in text
    assert "conversation user_correction" not in text


def test_identity_waits_and_so_does_what_was_a_candidate(world, root):
    bring(world, lived_in(root))
    waits = {one.candidate.memory.statement: one.candidate for one in waiting(world.here.call())}
    assert waits.keys() == {governed.ADA, governed.WAITING, "Pin the base image."}
    assert waits[governed.ADA].memory.layer is Layer.IDENTITY
    assert "only you can put in force" in waits[governed.ADA].reasons[0]


def test_nothing_of_an_import_is_applied_by_itself_but_what_the_setting_lets(world, root):
    sure = {"confidence": 0.95, "evidence_refs": ["a", "b"]}
    trust = {"primary_trust_class": "direct_user_instruction", "durability_signal": "long_term"}
    write_lines(
        root,
        "inbox/captured.jsonl",
        candidate("cap_1", "Name branches after the ticket.", **sure),
        candidate("cap_2", "Sign every commit with a key.", trust=trust, **sure),
    )
    bring(world, root)
    world.here.sync()
    done = session_end(world.here.call())
    assert len(done.applied) == 1
    (left,) = waiting(world.here.call())
    assert left.candidate.memory.statement == "Sign every commit with a key."


def test_a_strict_vault_applies_nothing_of_an_import(world, root):
    world.replace("Memory/Settings.md", "type: settings", "type: settings\ngovernance_mode: strict")
    sure = {"confidence": 0.95, "evidence_refs": ["a", "b"]}
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Name branches.", **sure))
    world.here.sync()
    bring(world, root)
    assert not session_end(world.here.call()).applied


def test_an_approved_candidate_keeps_its_opening_balance(world, root):
    proof = [{"type": "artifact", "ref": str(n), "note": "Seen."} for n in range(7)]
    write_lines(
        root, "memory/L1.identity.jsonl", memory("m", governed.ADA, layer="L1", evidence=proof)
    )
    bring(world, root)
    (one,) = waiting(world.here.call())
    decide(world.here.call(), one.id, Decision.APPROVE, ratified=True)
    assert standing(world, "m").evidence_count == 7
    assert fates(bring(world, root)) == {"m": Fate.KNOWN}


def test_a_second_run_finds_everything_and_writes_nothing(world, root):
    bring(world, lived_in(root))
    world.here.sync()
    before = world.snapshot()
    again = bring(world, root)
    counts = again.plan.counts()
    assert (again.patch, again.report) == (None, None)
    assert counts[Fate.KNOWN] == 11
    assert not counts[Fate.MEMORY] + counts[Fate.CANDIDATE] + counts[Fate.STRENGTHENED]
    assert world.snapshot() == before


def test_a_second_run_brings_only_what_is_new(world, root):
    bring(world, lived_in(root))
    write_lines(root, "memory/projects/moon.jsonl", memory("mem_moon", "The moon job is weekly."))
    again = bring(world, root)
    assert [one.item.key for one in again.plan.of(Fate.MEMORY)] == ["mem_moon"]
    assert again.patch


def _edited(world, key):
    edit(world.here.call(), standing(world, key).id, statement="Something else.", properties={})


def _moved(world, key):
    old = standing(world, key).path
    shutil.move(world.path(old), world.path("Memory/Patterns").joinpath("Moved.md"))


def _forgotten(world, key):
    forget(world.here.call(), standing(world, key).id)


def _vanished(world, key):
    world.path(standing(world, key).path).unlink()
    world.here.sync()
    world.here.pass_time(days=8)


def _purged(world, key):
    purge(world.here.call(), standing(world, key).id)


@pytest.mark.parametrize("act", [_edited, _moved, _forgotten, _vanished, _purged])
def test_a_record_never_comes_back_whatever_became_of_its_memory(world, root, act):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    bring(world, root)
    world.path("Memory/Patterns").mkdir(exist_ok=True)
    act(world, "mem_a")
    world.here.sync()
    before = world.notes()
    again = bring(world, root)
    assert fates(again)["mem_a"] in (Fate.KNOWN, Fate.LEFT)
    assert again.patch is None
    assert world.notes() == before


def test_a_rejected_candidate_is_not_proposed_again(world, root):
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Name branches."))
    bring(world, root)
    (one,) = waiting(world.here.call())
    decide(world.here.call(), one.id, Decision.REJECT)
    assert fates(bring(world, root)) == {"cap_1": Fate.KNOWN}


def test_another_device_finds_the_same_ids(world, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    bring(world, root)
    there = world.device()
    there.sync()
    call = there.call()
    found = plan(call, gather(call, KIND, root))
    assert [one.fate for one in found.planned] == [Fate.KNOWN]


def test_the_words_of_a_deleted_memory_are_left_out(world, root):
    gone = world.memory("Memory/Lessons/uv.md", "Use uv for everything.", category="lesson")
    world.here.sync()
    forget(world.here.call(), gone)
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    done = bring(world, root)
    assert fates(done) == {"mem_a": Fate.LEFT}
    assert done.plan.left_out() == {"records that were deleted in this vault": 1}


def test_what_was_deleted_there_stays_deleted_and_its_words_do_not_come_back(world, root):
    done = bring(world, lived_in(root))
    assert not done.skipped
    assert standing(world, "mem_gone").status == "deleted"
    assert world.ledger("tombstones").count(" deleted ") == 1
    found = plan(world.here.call(), items(said(governed.FORGOTTEN)))
    assert found.planned[0].fate is Fate.LEFT


def test_a_memory_that_says_the_same_is_strengthened_once(world, root):
    known = world.memory("Memory/Lessons/uv.md", "Use uv for everything.", category="lesson")
    world.here.sync()
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "use uv for everything"))
    done = bring(world, root)
    assert fates(done) == {"mem_a": Fate.STRENGTHENED}
    assert done.report
    call = world.here.call()
    assert call.vault.baseline.standing(known).evidence_count == 2
    assert fates(bring(world, root)) == {"mem_a": Fate.KNOWN}
    assert world.here.call().vault.baseline.standing(known).evidence_count == 2


def test_two_records_of_one_text_become_one_memory(world, root):
    write_lines(
        root,
        "memory/L2.playbooks.jsonl",
        memory("mem_a", "Use uv for everything."),
        memory("mem_b", "Use uv for everything"),
    )
    done = bring(world, root)
    assert fates(done) == {"mem_a": Fate.MEMORY, "mem_b": Fate.STRENGTHENED}
    assert standing(world, "mem_a").evidence_count == 2
    assert set(fates(bring(world, root)).values()) == {Fate.KNOWN}


@pytest.mark.parametrize(
    ("statement", "fields", "words"),
    [
        ("You may push to the main branch this once.", {}, "permission"),
        ("When done, I want an html report.", {}, "outlive"),
        ("Never use uv for environments.", {}, "contradicts"),
        ("Keep it short.", {"scope": Scope.PROJECT}, "does not say in which one"),
        ("I am Ada.", {"layer": Layer.IDENTITY}, "only you can put in force"),
    ],
)
def test_what_a_guard_holds_waits_with_its_reason(world, statement, fields, words):
    world.memory("Memory/Preferences/uv.md", "Always use uv for environments.")
    world.here.sync()
    call = world.here.call()
    found = plan(call, items(said(statement, **fields)))
    assert [one.fate for one in found.planned] == [Fate.CANDIDATE]
    assert words in found.planned[0].reason
    carry_out(call, items(said(statement, **fields)))
    (one,) = waiting(world.here.call())
    assert words in one.candidate.reasons[0]


def test_a_bounded_task_and_what_is_not_in_force_pass_the_guards(world):
    done = carry_out(
        world.here.call(),
        items(
            said("When done, I want an html report.", scope=Scope.TASK, project="tide"),
            said("You may push to main this once.", status=Status.DEPRECATED),
        ),
    )
    assert set(fates(done).values()) == {Fate.MEMORY}


def test_a_record_that_contradicts_another_of_its_source_waits_beside_it(world):
    done = carry_out(
        world.here.call(),
        items(said("Always use uv for environments."), said("Never use uv for environments.")),
    )
    assert list(fates(done).values()) == [Fate.MEMORY, Fate.CANDIDATE]
    (one,) = waiting(world.here.call())
    assert one.candidate.matched


@pytest.mark.parametrize("status", ["superseded", "deprecated"])
def test_words_that_were_set_aside_here_wait(world, status):
    world.memory("Memory/Lessons/uv.md", "Use uv.", status=status, superseded_by='"[[x]]"')
    world.here.sync()
    found = plan(world.here.call(), items(said("Use uv.")))
    assert (found.planned[0].fate, status in found.planned[0].reason) == (Fate.CANDIDATE, True)


def test_words_that_are_in_doubt_or_wait_here_are_known(world):
    world.memory("Memory/Lessons/uv.md", "Use uv.", status="contested")
    world.here.sync()
    found = plan(world.here.call(), items(said("Use uv.")))
    assert found.planned[0].fate is Fate.KNOWN
    carry_out(world.here.call(), items(said("Use pip."), waits="It was a candidate there."))
    other = replace(items(said("Use pip.")), kind=ImportKind.PI_CONFIG)
    assert plan(world.here.call(), other).planned[0].fate is Fate.KNOWN


SECRET = "Log in with ghp_" + "a1B2" * 9 + "."


def test_a_secret_reaches_nothing(world):
    memory_with = said("Fine words.", change_condition=SECRET)
    done = carry_out(world.here.call(), items(said(SECRET), memory_with, said("Use uv.")))
    assert list(fates(done).values()) == [Fate.QUARANTINED, Fate.QUARANTINED, Fate.MEMORY]
    everything = b"".join(world.snapshot().values())
    everything += b"".join(
        file.read_bytes() for file in world.here.home.rglob("*") if file.is_file()
    )
    assert b"ghp_" not in everything


def test_a_secret_beside_the_memories_reaches_nothing(world, root):
    write_lines(
        root,
        "memory/inquiries.jsonl",
        {"id": "i1", "question": "Which key?", "tags": [SECRET]},
        {"id": "i2", "question": "Which key is it?", "sessions_touched": [SECRET]},
        {"id": "i3", "question": "Whose key?", "scope_level": "project", "scope_ref": SECRET},
    )
    (root / "scratchpad.md").write_text(f"- [ ] {SECRET}\n")
    done = bring(world, root)
    assert (done.plan.asked, done.plan.tasks, len(done.plan.quarantined())) == ((), (), 4)


def test_a_secret_in_a_session_is_redacted(world):
    done = carry_out(world.here.call(), items(said("Use uv.", source_session=SECRET)))
    assert fates(done) == {"k0": Fate.MEMORY}
    assert b"ghp_" not in b"".join(world.snapshot().values())


def test_a_moment_to_come_is_now(world):
    later = said("Use uv.", created=datetime.max, reinforced=datetime.max, scope=Scope.SESSION)
    call = world.here.call()
    (found,) = plan(call, items(later)).planned
    assert (found.memory.created, found.memory.reinforced) == (call.local, call.local)


def test_a_link_in_a_record_is_one_visible_line(world):
    (found,) = plan(world.here.call(), items(said("Use uv.", vault_ref="[[a\nb\ud800]]"))).planned
    assert found.memory.vault_ref == "[[a b]]"


def test_a_memory_does_not_supersede_itself(world):
    carry_out(world.here.call(), items(said("Use uv."), supersedes=("k0",), informs=("k0",)))
    (path,) = world.vault.glob("Memory/Lessons/*.md")
    assert "[[Use uv]]" not in path.read_text()


def test_a_secret_in_evidence_is_redacted(world, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv.", evidence=[]))
    write_lines(root, "memory/evidence.jsonl", piece("e", SECRET, related_memory_ids=["m"]))
    assert fates(bring(world, root)) == {"m": Fate.MEMORY}
    assert b"ghp_" not in b"".join(world.snapshot().values())


@pytest.mark.parametrize(
    ("statement", "words"),
    [("\u200b…", "can be seen"), ("a " * 1_500, "2999 characters")],
)
def test_what_cannot_be_a_statement_is_quarantined(world, statement, words):
    found = plan(world.here.call(), items(said(statement)))
    ((where, reason),) = found.quarantined()
    assert where == "store:0"
    assert words in reason


def test_a_log_and_a_retired_identity_are_no_memories(world):
    found = plan(
        world.here.call(),
        items(
            said("A log line.", layer=Layer.SESSION),
            said("I was Bob.", layer=Layer.IDENTITY, status=Status.SUPERSEDED),
        ),
    )
    assert [one.fate for one in found.planned] == [Fate.QUARANTINED, Fate.LEFT]


def test_text_is_inert_in_the_note(world):
    hostile = "Use [[Home]] and #tag %%hidden%% ![x](http://a) <b>now</b>"
    carry_out(world.here.call(), items(said(hostile)))
    (path,) = world.vault.glob("Memory/Lessons/*.md")
    body = path.read_text().rpartition("---\n")[2]
    assert "\\[\\[Home]]" in body
    assert "hidden" not in body
    assert "<b>" not in body


def test_pin_and_guardrail_have_force_by_the_patch(world):
    done = carry_out(
        world.here.call(),
        items(
            said("Use uv.", pinned=True),
            said("Never stage all.", trigger="bash_contains git add .", action="block"),
        ),
    )
    found = [world.here.call().vault.baseline.standing(one.memory.id) for one in done.plan.planned]
    assert [one.force for one in found] == [1, 1]


def test_a_pin_of_a_candidate_is_told_and_not_given(world):
    carry_out(world.here.call(), items(said("Use uv.", pinned=True), waits="It waited."))
    (one,) = waiting(world.here.call())
    assert one.candidate.memory.pinned is False
    assert "vaultmem pin" in one.candidate.reasons[1]


def test_questions_and_items_come_once(world, root):
    bring(world, lived_in(root))
    call = world.here.call()
    assert [one.inquiry.question for one in inquiries(call)] == ["Which port is right?"]
    assert [one.text for one in scratchpad(call).items] == ["Ask about the port"]
    world.write("Memory/Scratchpad.md", "---\ntype: scratchpad\n---\n")
    world.here.sync()
    again = bring(world, root)
    assert not again.plan.asked
    assert not again.plan.tasks


def test_questions_and_items_pass_the_guards_too(world):
    gathered = Gathered(
        kind=KIND,
        tasks=(ImportedTask("pad:1", "\u200b"), ImportedTask("pad:2", "x" * 600)),
    )
    found = plan(world.here.call(), gathered)
    assert [one.where for one in found.quarantined()] == ["pad:1", "pad:2"]


def test_the_report_names_every_record_by_place_and_holds_no_statement(world, root):
    done = bring(world, lived_in(root))
    text = world.read(done.report)
    for one in done.plan.planned:
        assert one.item.where.replace(":", "\\:") in text or one.item.where in text
        assert one.memory.statement not in text
    assert "memory/L2.playbooks.jsonl" in text
    assert "It is not JSON." in text
    assert done.patch in text


def test_a_secret_in_the_name_of_a_file_does_not_reach_the_report(world):
    gathered = items(said("Use uv."), said(""))
    named = tuple(
        replace(one, where=f"ghp_{'Ab1' * 12}.md:{at}") for at, one in enumerate(gathered.items)
    )
    done = carry_out(world.here.call(), replace(gathered, items=named))
    assert len(done.plan.quarantined()) == 1
    text = world.read(done.report)
    assert "Ab1Ab1" not in text
    assert text.count("redacted") == 2


def test_a_dry_run_writes_nothing_at_all(world, root):
    lived_in(root)
    before = world.snapshot()
    seq = world.here.call().vault.baseline.seq()
    found = plan(world.here.call(), gather(world.here.call(), KIND, root))
    assert found.counts()[Fate.MEMORY] == 6
    assert world.snapshot() == before
    assert world.here.call().vault.baseline.seq() == seq


def test_the_source_is_never_touched(world, root):
    lived_in(root)
    before = {
        file: (file.read_bytes(), file.stat().st_mtime_ns)
        for file in root.rglob("*")
        if file.is_file()
    }
    bring(world, root)
    after = {
        file: (file.read_bytes(), file.stat().st_mtime_ns)
        for file in root.rglob("*")
        if file.is_file()
    }
    assert after == before


def test_the_patch_can_be_reverted(world, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    done = bring(world, root)
    revert(world.here.call(), done.patch)
    assert standing(world, "mem_a").status == "deprecated"


def test_a_sync_after_an_import_finds_no_change(world, root):
    bring(world, lived_in(root))
    done = world.here.sync()
    assert (done.changes, done.applied) == ((), 0)
    assert {one.code for one in done.findings} <= {"VM702", "VM703"}


def test_an_agent_may_not(world, root):
    call = world.here.call(agent="pi")
    with pytest.raises(AgentRefusedError):
        gather(call, KIND, root)
    for verb in (plan, carry_out):
        with pytest.raises(AgentRefusedError):
            verb(call, items(said("Use uv.")))


def test_a_device_without_the_key_may_not(world):
    for key in (world.here.home / "state").glob("vault_*/key"):
        key.unlink()
    with pytest.raises(KeyMissingError):
        plan(world.here.call(), items(said("Use uv.")))
    with pytest.raises(KeyMissingError):
        own_id(world.here.call(), KIND, "x")


def test_the_vaults_own_memory_is_no_source(world):
    with pytest.raises(ImportSourceError, match="own memory root"):
        gather(world.here.call(), KIND, world.path("Memory/Lessons"))


def test_the_source_is_removed_only_where_all_of_it_was_taken(world, tmp_path):
    (tmp_path / "old.db").write_text("x")
    call = world.here.call()
    gathered = replace(items(said("Use uv.")), removable=("old.db", "gone.db"))
    found = plan(call, gathered)
    assert remove_source(call, tmp_path / "old.db", found) == ("old.db",)
    assert not (tmp_path / "old.db").exists()
    bad = plan(call, replace(items(said("…")), removable=("old.db",)))
    with pytest.raises(NotConfirmedError):
        remove_source(call, tmp_path, bad)


def test_many_records_come_in_batches_and_progress_is_told(world):
    told = []
    many = items(*(said(f"Rule number {n} is about case {n}.") for n in range(620)))
    done = carry_out(world.here.call(), many, told=lambda what, number: told.append((what, number)))
    assert done.plan.counts()[Fate.MEMORY] == 620
    assert len(world.here.call().vault.baseline.standings()) == 620
    assert ("Deciding", 600) in told
    assert ("Writing", 620) in told


def test_what_the_source_lets_never_fade_is_as_old_as_its_import(world):
    at = datetime(2025, 3, 4, 5, 6, 7)
    carry_out(world.here.call(), items(said("Use uv.", category=Category.PATTERN, created=at)))
    (path,) = world.vault.glob("Memory/Patterns/*.md")
    text = path.read_text()
    assert "created: 2025-03-04T05:06:07" in text
    assert f"reinforced: {world.here.call().local:%Y-%m-%d}" in text
    assert "review: " in text


def test_a_day_with_very_much_evidence_has_several_notes_and_each_piece_is_found(world):
    at = datetime(2026, 1, 5)
    many = tuple(
        ImportedItem(
            key=f"k{number}",
            where=f"store:{number}",
            memory=said(f"Rule number {number} is about case {number}."),
            evidence=(ImportedEvidence(excerpt=f"Said of {number}.", created=at),),
        )
        for number in range(1_003)
    )
    done = carry_out(world.here.call(), Gathered(kind=KIND, items=many))
    notes = list(world.vault.glob("Memory/System/Evidence/2026/01/*.md"))
    assert len(notes) == 3
    assert all(note.stat().st_size < 1_000_000 for note in notes)
    call = world.here.call()
    for key in (0, 700, 1_002):
        memory = done.plan.planned[key].memory
        found = list_evidence(call, memory.id)
        assert [one.evidence.excerpt for one in found.pieces] == [f"Said of {key}."]
    assert world.here.sync().findings == ()


def test_the_vaults_own_memory_behind_a_link_is_no_source(world, tmp_path):
    (tmp_path / "notes").symlink_to(world.path("Memory"))
    with pytest.raises(ImportSourceError, match="own memory root"):
        gather(world.here.call(), ImportKind.MARKDOWN, tmp_path / "notes")


@pytest.mark.parametrize(
    ("project", "fate"), [("acme/tide", Fate.MEMORY), ("acme/reef", Fate.CANDIDATE)]
)
def test_a_rule_of_another_project_is_not_contradicted(world, project, fate):
    there = {"scope": "project", "project": "acme/reef"}
    world.memory("Memory/Preferences/uv.md", "Always use uv for environments.", **there)
    world.here.sync()
    never = said("Never use uv for environments.", scope=Scope.PROJECT, project=project)
    (found,) = plan(world.here.call(), items(never)).planned
    assert found.fate is fate


def test_of_two_that_a_record_contradicts_the_pinned_one_is_named(world):
    paths = {
        world.memory(f"Memory/{folder}/uv.md", "Always use uv for environments."): folder
        for folder in ("Preferences", "Lessons")
    }
    last = max(paths)
    world.replace(f"Memory/{paths[last]}/uv.md", "type: memory", "type: memory\npinned: true")
    world.here.sync()
    (found,) = plan(world.here.call(), items(said("Never use uv for environments."))).planned
    assert (found.fate, found.about) == (Fate.CANDIDATE, last)


def test_a_memory_whose_time_is_over_says_nothing(world):
    until = {"expires": "2020-01-01T00:00:00"}
    world.memory("Memory/Lessons/uv.md", "Use uv for everything.", **until)
    world.here.sync()
    (found,) = plan(world.here.call(), items(said("Use uv for everything."))).planned
    assert found.fate is Fate.MEMORY


def test_the_same_key_of_two_tools_is_two_memories(world):
    call = world.here.call()
    assert own_id(call, ImportKind.MARKDOWN, "x") != own_id(call, ImportKind.NOTEBOOK, "x")


@pytest.mark.parametrize("name", ["applies_when", "not_when", "exceptions", "domains"])
def test_a_condition_of_a_record_is_visible_text_once(world, name):
    texts = ("in\u202e CI", "\u200b", "in CI")
    (found,) = plan(world.here.call(), items(said("Use uv.", **{name: texts}))).planned
    assert getattr(found.memory, name) == ("in CI",)


def test_a_secret_in_the_context_of_a_question_reaches_nothing(world, root):
    asked = {"id": "i", "question": "Which key?", "context": SECRET}
    write_lines(root, "memory/inquiries.jsonl", asked)
    done = bring(world, root)
    assert (done.plan.asked, len(done.plan.quarantined())) == ((), 1)
    assert b"ghp_" not in b"".join(world.snapshot().values())


@pytest.mark.parametrize("name", ["excerpt", "summary", "ref", "session"])
def test_a_secret_in_any_part_of_evidence_is_redacted(world, name):
    proof = ImportedEvidence(**{"excerpt": "Said so.", name: SECRET})
    done = carry_out(world.here.call(), items(said("Use uv."), evidence=(proof,)))
    assert fates(done) == {"k0": Fate.MEMORY}
    assert b"ghp_" not in b"".join(world.snapshot().values())


def test_what_is_not_in_force_is_not_due_for_review(world):
    there = items(said("Use uv."), said("Use pip.", status=Status.DEPRECATED))
    found = plan(world.here.call(), there).planned
    assert [one.memory.review is None for one in found] == [False, True]
