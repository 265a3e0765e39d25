"""Deleting a memory and keeping its text: out of force at once, marked, and brought back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vaultmem.core.deletion import DeletionReason
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.core.operation import Deletion
from vaultmem.core.proposal import Tombstone
from vaultmem.errors import AgentRefusedError, NoteError, NoteNotFoundError
from vaultmem.services import forget as service
from vaultmem.services.capture import Wish, add
from vaultmem.services.diagnosing.succession import deleted_at
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.forget import forget
from vaultmem.services.purge import purge
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.tombstones import standing, tombstone_for, withdraw
from vaultmem.store.erase import Intent, begin

NOTE = "Memory/Lessons/Use UTC.md"
TEXT = "Always use UTC in every table of the database."


@pytest.fixture
def known(world):
    """A memory in force; its id."""
    identifier = world.memory(NOTE, TEXT, category="lesson")
    world.here.sync()
    return identifier


def _found(world):
    app = world.here.app()
    return [hit.id for hit in search(app.call(), app.engine, "utc tables").hits]


def _stones(world):
    return [
        json.loads(line[line.index("{") : line.rindex("}") + 1])
        for line in world.ledger("tombstones").splitlines()
    ]


def test_governed_row_61_an_audit_deletion_keeps_the_text_and_is_out_of_force_at_once(world, known):
    assert known in _found(world)
    assert TEXT in report(world.here.call()).text
    done = forget(world.here.call(), known)
    assert (done.id, done.path, done.changed) == (known, NOTE, True)
    text = world.read(NOTE)
    assert "status: deleted" in text
    assert TEXT in text
    assert TEXT not in report(world.here.call()).text
    assert _found(world) == []
    (stone,) = _stones(world)
    assert stone["mode"] == "audit_preserving"
    assert stone["reason"] == "user_requested"
    assert "UTC" not in world.ledger("tombstones")


def test_governed_row_65_search_needs_no_sync_after_a_deletion(world, known):
    assert len(_found(world)) == 1
    forget(world.here.call(), known)
    assert _found(world) == []


def test_governed_row_108_a_correct_deletion_is_no_finding(world, known):
    forget(world.here.call(), known)
    world.here.sync()
    app = world.here.app()
    done = doctor(app.call(), set_up=(), crash_log=world.folder / "no", deep=app.engine)
    assert done.findings == ()


def test_governed_row_113_the_memory_was_valid_until_its_tombstone(world, known):
    call = world.here.call()
    assert deleted_at(call, known) is None
    forget(call, known)
    assert abs((deleted_at(call, known) - call.local).total_seconds()) <= 1


def test_the_ledger_names_the_person_and_the_reason(world, known):
    forget(world.here.call(), known, reason=DeletionReason.INVALID)
    assert _stones(world)[0]["reason"] == "invalid"
    assert '"by":"person"' in world.ledger("tombstones")


def test_an_agent_may_not_forget(world, known):
    with pytest.raises(AgentRefusedError, match="forget"):
        forget(world.here.call(agent="pi"), known)
    assert "status" not in world.read(NOTE)


def test_forgetting_twice_says_so_and_writes_one_tombstone(world, known):
    forget(world.here.call(), known)
    assert forget(world.here.call(), known).changed is False
    assert len(_stones(world)) == 1


def test_an_unknown_name_forgets_nothing(world, known):
    with pytest.raises(NoteNotFoundError):
        forget(world.here.call(), "something else")
    assert world.ledger("tombstones") == ""


@pytest.mark.parametrize("how", ["edit", "note"])
def test_setting_the_status_back_restores_and_withdraws(world, known, how):
    forget(world.here.call(), known)
    if how == "edit":
        edit(world.here.call(), known, properties={"status": "active"})
    else:
        world.replace(NOTE, "status: deleted\n", "")
        world.here.sync()
    assert TEXT in report(world.here.call()).text
    assert _found(world) == [known]
    assert f" withdrawn {known} " in world.ledger("tombstones")


def test_a_vanished_note_is_forgotten_without_the_seven_days(world, known):
    world.path(NOTE).unlink()
    forget(world.here.call(), known)
    assert world.here.call().vault.baseline.memory(known).state == "gone"
    world.here.pass_time(days=8)
    world.here.sync()
    assert len(_stones(world)) == 1, "the grace that ends later writes no second one"


def test_a_note_that_comes_back_after_that_is_restored(world, known):
    text = world.read(NOTE)
    world.path(NOTE).unlink()
    forget(world.here.call(), known)
    world.write(NOTE, text)
    assert world.here.sync().created == 1
    assert f" withdrawn {known} " in world.ledger("tombstones")


def test_a_note_that_cannot_be_changed_is_not_half_forgotten(world, known):
    world.replace(NOTE, "category: lesson", "category: [")
    with pytest.raises(NoteError):
        forget(world.here.call(), known)
    assert world.ledger("tombstones") == ""


@pytest.mark.parametrize("step", ["write_tombstone", "write_notes", "end"])
def test_a_killed_forget_is_finished_by_the_next_sync(world, known, monkeypatch, step):
    def killed(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(service, step, killed)
    with pytest.raises(KeyboardInterrupt):
        forget(world.here.call(), known)
    monkeypatch.undo()
    world.here.sync()
    assert "status: deleted" in world.read(NOTE)
    assert _found(world) == []
    assert world.here.sync().findings == ()


def test_one_that_cannot_be_finished_is_told_and_holds_up_no_other(world, known):
    other = world.memory("Memory/Lessons/b.md", "Prefer tabs.", category="lesson")
    world.here.sync()

    for one in (known, other):  # as a killed `forget` leaves it
        begin(world.here.call().vault.baseline, Intent(one, Deletion.AUDIT))
    world.replace(NOTE, "category: lesson", "category: [")
    assert "VM341" in [one.code for one in world.here.sync().findings]
    assert "status: deleted" in world.read("Memory/Lessons/b.md")
    world.replace(NOTE, "category: [", "category: lesson")
    assert world.here.sync().findings == ()
    assert "status: deleted" in world.read(NOTE)


def test_another_device_takes_the_deletion_over(world, known):
    other = world.device()
    other.sync()
    forget(world.here.call(), known)
    other.sync()
    assert TEXT not in report(other.call()).text
    assert other.sync().findings == ()


def test_governed_row_32_a_paraphrase_in_other_words_is_stopped_where_a_model_is(world, known):
    class Alike:
        """A model to which every text means the same."""

        name, fingerprint, dimension = "alike", "1", 2

        def embed(self, texts):
            return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    forget(world.here.call(), known)
    wish = Wish(text="Timestamps are kept in UTC.", category=Category.LESSON)
    app = world.here.app(agent="pi")
    app._embedder = Alike
    assert add(app.call(), app.engine, wish).outcome == "refused"
    different = Wish(text="Timestamps are kept in UTC for 30 days.", category=Category.LESSON)
    assert add(app.call(), app.engine, different).outcome == "candidate"
    without = world.here.app(agent="pi")
    assert add(without.call(), without.engine, wish).outcome == "candidate"


class TestWhatATombstoneStops:
    @pytest.fixture(autouse=True)
    def _forgotten(self, world, known):
        forget(world.here.call(), known)

    def _add(self, world, text, *, agent=None):
        app = world.here.app(agent=agent)
        return add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))

    @pytest.mark.parametrize(
        "text", [TEXT, TEXT.upper().rstrip("."), "In every table of the database, always use UTC."]
    )
    def test_governed_row_32_the_text_under_a_new_id_and_its_paraphrase(self, world, text):
        assert self._add(world, text, agent="pi").outcome == "refused"
        held = self._add(world, text)
        assert held.outcome == "candidate"

    def test_governed_row_31_the_id_of_the_candidate_that_it_was(self, world, known):
        candidate = known.replace("mem_", "cand_")
        call = world.here.call()
        assert standing(call, candidate, "Something else entirely.") is Tombstone.SIGNED
        assert standing(call, known, "Something else entirely.") is Tombstone.SIGNED
        assert standing(call, world.new_id("cand"), TEXT) is Tombstone.SIGNED
        assert standing(call, world.new_id("cand"), "Prefer tabs.") is Tombstone.NONE
        assert standing(call, "", "Prefer tabs.") is Tombstone.NONE

    def test_no_more_when_the_memory_was_brought_back(self, world, known):
        edit(world.here.call(), known, properties={"status": "active"})
        call = world.here.call()
        assert tombstone_for(call, known, Memory(id=MemoryId(""), statement=TEXT)) is None
        before = world.ledger("tombstones")
        withdraw(call, known)
        assert world.ledger("tombstones") == before, "there is none to take back"

    def test_not_another_statement(self, world):
        assert (
            self._add(world, "Name the time zone of every meeting.", agent="pi").outcome
            == "candidate"
        )
        assert self._add(world, "Prefer tabs in Makefiles.").outcome == "added"

    def test_a_new_note_of_the_person_is_held(self, world):
        world.memory("Memory/Lessons/again.md", TEXT, category="lesson")
        assert [one.code for one in world.here.sync().findings] == ["VM311"]

    def test_on_every_device_that_holds_the_key(self, world):
        other = world.device()
        other.sync()
        memory = Memory(id=MemoryId(""), statement=TEXT)
        assert tombstone_for(other.call(), "", memory) is not None

    def test_an_unsigned_one_stops_only_what_acts_by_itself(self, world):
        forged = world.new_id()
        path = next(world.vault.glob("Memory/System/Ledger/* tombstones *.md"))
        line = world.ledger("tombstones").splitlines()[0]
        line = line.split(" deleted ")[0][:-4] + f"ABCD deleted {forged} {{}} ~unsigned\n"
        path.write_text(path.read_text() + line)
        world.here.sync()
        call = world.here.call()
        assert standing(call, forged, "Prefer tabs.") is Tombstone.UNSIGNED
        assert tombstone_for(call, forged, Memory(id=MemoryId(forged), statement="x y z")) is None


def test_without_the_key_no_tombstone_counts_as_signed(world, known):
    forget(world.here.call(), known)
    for key in (world.here.home / "state").glob("vault_*/key"):
        key.unlink()
    world.here.sync()
    call = world.here.call()
    assert (
        standing(call, world.new_id("cand"), TEXT) is not Tombstone.NONE or call.vault.key is None
    )


@pytest.mark.parametrize("mode", Deletion)
def test_a_deletion_that_was_killed_before_its_tombstone_gets_one_with_the_next_sync(
    world, known, mode
):
    with world.here.call().vault.lock():
        begin(world.here.call().vault.baseline, Intent(MemoryId(known), mode))
    world.here.sync()
    call = world.here.call()
    assert standing(call, known, TEXT) is Tombstone.SIGNED
    assert standing(call, "", TEXT) is Tombstone.SIGNED
    assert world.path(NOTE).exists() is (mode is Deletion.AUDIT)


def test_each_text_that_a_memory_had_when_it_was_deleted_stays_deleted(world, known):
    forget(world.here.call(), known)
    world.replace(NOTE, TEXT, "Always use UTC in every log line.")
    world.here.sync()
    purge(world.here.call(), known)
    call = world.here.call()
    assert standing(call, "", TEXT) is Tombstone.SIGNED
    assert standing(call, "", "Always use UTC in every log line.") is Tombstone.SIGNED
    withdraw(call, known)
    assert standing(world.here.call(), "", TEXT) is Tombstone.NONE
