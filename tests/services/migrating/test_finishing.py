"""What an import leaves behind its patch is finished by the next sync, once, or nothing happened."""

from __future__ import annotations

import pytest

from tests.services.migrating.test_migrating import bring, items, said, standing
from tests.store.importers import governed
from tests.store.importers.governed import candidate, lived_in, memory, write_lines
from tests.world import World
from vaultmem.core.importing.item import Gathered, ImportedInquiry, ImportedTask, ImportKind
from vaultmem.core.importing.plan import Fate
from vaultmem.notes.candidate import Decision
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.inquiries import inquiries
from vaultmem.services.migrating import carry_out as module
from vaultmem.services.migrating import pending
from vaultmem.services.migrating.carry_out import carry_out
from vaultmem.services.migrating.finish import finish
from vaultmem.services.purge import purge
from vaultmem.services.scratchpad import add_item, scratchpad
from vaultmem.store.disk import DISK


class CutShortError(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.here.sync()
    yield made
    made.close()


@pytest.fixture
def root(tmp_path):
    return governed.empty(tmp_path / "pi-memory")


@pytest.fixture
def cut(monkeypatch):
    """Lets the next imports end behind their patch."""

    def stop(_):
        raise CutShortError

    monkeypatch.setattr(module, "finish", stop)


def bring_half(world, root):
    with pytest.raises(CutShortError):
        bring(world, root)


@pytest.mark.usefixtures("cut")
def test_the_next_sync_of_the_person_writes_the_rest(world, root):
    bring_half(world, lived_in(root))
    assert waiting(world.here.call()) == []
    assert pending.kept(world.here.call().vault.baseline) is not None
    assert finish(world.here.call(agent="pi")) is None
    world.here.sync()
    call = world.here.call()
    assert len(waiting(call)) == 3
    assert [one.inquiry.question for one in inquiries(call)] == ["Which port is right?"]
    assert [one.text for one in scratchpad(call).items] == ["Ask about the port"]
    assert list(world.vault.glob("Memory/System/Reports/* import *.md"))
    assert pending.kept(call.vault.baseline) is None
    assert finish(call) is None
    done = world.here.sync()
    assert (done.changes, done.applied) == ((), 0)


@pytest.mark.usefixtures("cut")
def test_what_was_written_before_the_end_is_not_written_twice(world, root):
    bring_half(world, lived_in(root))
    left = pending.kept(world.here.call().vault.baseline)
    world.here.sync()
    reports = list(world.vault.glob("Memory/System/Reports/* import *.md"))
    before = world.notes()
    pending.keep(world.here.call().vault.baseline, left)
    world.here.sync()
    added = {path for path in world.notes() if path not in before}
    assert len(added) == len(reports) == 1
    assert [path for path in added if "import" not in path] == []


def test_a_patch_that_was_not_begun_leaves_nothing(world, root, monkeypatch):
    def stop(*_):
        raise CutShortError

    monkeypatch.setattr(module, "_apply", stop)
    bring_half(world, lived_in(root))
    world.here.sync()
    call = world.here.call()
    assert waiting(call) == []
    assert call.vault.baseline.standings() == []
    assert pending.kept(call.vault.baseline) is None
    monkeypatch.undo()
    assert bring(world, root).report


@pytest.mark.usefixtures("cut")
def test_what_counts_for_a_memory_that_was_purged_meanwhile_counts_for_nothing(world, root):
    known = world.memory("Memory/Lessons/uv.md", "Use uv for everything.", category="lesson")
    world.here.sync()
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    bring_half(world, root)
    left = pending.kept(world.here.call().vault.baseline)
    pending.drop(world.here.call().vault.baseline)
    purge(world.here.call(), known)
    pending.keep(world.here.call().vault.baseline, left)
    world.here.sync()
    assert pending.kept(world.here.call().vault.baseline) is None


def test_a_patch_that_is_still_under_way_is_waited_for(world, root, monkeypatch):
    monkeypatch.setattr(module, "finish", lambda _: None)
    write_lines(root, "memory/L2.playbooks.jsonl", memory("mem_a", "Use uv for everything."))
    done = bring(world, root)
    call = world.here.call()
    row = call.vault.patches.row(done.patch)
    call.vault.patches.put(row._replace(status="applying"))
    assert finish(call) is None
    assert pending.kept(call.vault.baseline) is not None
    world.here.sync()
    assert pending.kept(world.here.call().vault.baseline) is None


def test_candidates_of_one_name_are_told_apart(world, root):
    write_lines(
        root,
        "inbox/captured.jsonl",
        candidate("cap_1", "Name branches?"),
        candidate("cap_2", "Name branches*"),
        candidate("cap_3", "Sign commits."),
    )
    bring(world, root)
    names = {one.path for one in waiting(world.here.call())}
    assert len(names) == 3


def test_an_item_that_the_scratchpad_holds_is_known(world):
    add_item(world.here.call(), "Ask about the port")
    gathered = Gathered(
        kind=ImportKind.PI_MEMORY, tasks=(ImportedTask("p:1", "Ask about the port"),)
    )
    assert carry_out(world.here.call(), gathered).report is None


def test_a_question_keeps_what_the_source_knew_of_it(world):
    one = ImportedInquiry(where="q:1", question="Why?", project="tide", sessions=("s1",))
    gathered = Gathered(kind=ImportKind.PI_MEMORY, inquiries=(one,))
    assert carry_out(world.here.call(), gathered).patch is None
    (asked,) = inquiries(world.here.call())
    assert (asked.inquiry.project, asked.inquiry.sessions) == ("tide", ("s1",))
    bad = Gathered(
        kind=ImportKind.PI_MEMORY,
        inquiries=(
            ImportedInquiry(where="q:1", question="%%x%%"),
            ImportedInquiry(where="q:2", question="Is it ghp_" + "a1B2" * 9 + "?"),
        ),
    )
    found = carry_out(world.here.call(), bad).plan
    assert [one.where for one in found.quarantined()] == ["q:1", "q:2"]


def test_evidence_without_a_word_is_passed_over(world, root):
    empty = [{"type": "artifact", "ref": "", "note": "\u200b"}]
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv.", evidence=empty))
    bring(world, root)
    assert "evidence:" not in world.read(standing(world, "m").path)


def test_a_record_that_is_refused_at_the_last_moment_is_told_as_not_taken(world, monkeypatch):
    gathered = items(*(said(f"Rule number {n} is about case {n}.") for n in range(9)))
    real = DISK.sync_system

    def save_first(path):
        real(path)
        world.write("Memory/Lessons/Rule number 3 is about case 3.md", "The person's.\n")

    monkeypatch.setattr(DISK, "sync_system", save_first)
    done = carry_out(world.here.call(), gathered)
    assert len(world.here.call().vault.baseline.standings()) == 8
    assert done.plan.counts()[Fate.MEMORY] == 8
    ((where, reason),) = done.plan.quarantined()
    assert where == "store:3"
    assert "already there" in reason
    assert "store:3" in world.read(done.report).partition("## Could not be taken")[2]


@pytest.mark.usefixtures("cut")
def test_a_candidate_that_was_decided_meanwhile_is_not_written_again(world, root):
    write_lines(root, "inbox/captured.jsonl", candidate("cap_1", "Name branches."))
    bring_half(world, root)
    left = pending.kept(world.here.call().vault.baseline)
    world.here.sync()
    (one,) = waiting(world.here.call())
    decide(world.here.call(), one.id, Decision.REJECT)
    pending.keep(world.here.call().vault.baseline, left)
    world.here.sync()
    assert waiting(world.here.call()) == []
