"""A note that comes back after it was decided: nothing is decided twice, and nothing in it is lost."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from tests.services.candidates import captured
from tests.services.patching import (
    NOTE,
    NPM,
    add_draft,
    apply_open,
    memory_of,
    npm,
    operation,
    proposed,
    save,
)
from tests.services.promoting import FACT, heard, listed
from tests.world import codes
from vaultmem.core.model import Status
from vaultmem.core.operation import Op
from vaultmem.core.promotion_words import Destination
from vaultmem.errors import EditRefusedError
from vaultmem.notes.candidate import Decision
from vaultmem.services import patches, promote
from vaultmem.services.curate import session_end
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.reinforce import sessions_counted
from vaultmem.services.undo import undo
from vaultmem.store.disk import DISK

LINE = "\nOne more thought.\n"
STATEMENT = "Use bun for installs."


@contextmanager
def saving_as_a_patch_begins(note, monkeypatch):
    """An editor saves the note as soon as the ledger says that a patch was begun."""
    write = DISK.write

    def write_then_save(descriptor, written):
        write(descriptor, written)
        if b" begun patch_" in written:
            note.save()

    with monkeypatch.context() as editing:
        editing.setattr(DISK, "write", write_then_save)
        yield


class Back:
    """A note as it was when it was decided, which somebody has still and saves again."""

    def __init__(self, world, path, word="", *, acts=("approved", "rejected", "repeated")):
        self.world, self.path, self._acts = world, path, acts
        if word:
            world.replace(path, "decision:", f"decision: {word}")
        self.text = world.read(path)

    def save(self, *, more=LINE, word=None):
        """Save it again, with a line more and perhaps another decision."""
        text = self.text
        if word is not None:
            head, _, rest = text.partition("\ndecision:")
            text = f"{head}\ndecision: {word}\n{rest.partition(chr(10))[2]}"
        self.world.write(self.path, text + more)

    def stays(self, device=None):
        """That it is left as it is, is told, and nothing is decided, however often one looks."""
        device = device or self.world.here
        before, told = self.world.notes(), self.lines()
        for _ in range(3):
            done = device.sync()
            assert [one.path for one in done.findings if one.code == "VM324"] == [self.path]
            assert done.applied == 0
        assert self.world.notes()[self.path] == before[self.path]
        assert self.lines() == told
        return next(one for one in done.findings if one.code == "VM324")

    def goes(self):
        """That it is taken away, and that no more is told of the decision than before."""
        told = self.lines()
        done = self.world.here.sync()
        assert not self.world.path(self.path).exists()
        assert self.lines() == told
        assert self.world.here.sync().changes == ()
        return done

    def lines(self):
        """How often the ledgers tell of its decision."""
        return [self.world.ledger().count(f" {act} cand_") for act in self._acts]


def candidate(world):
    """A candidate that an agent proposed; its id and the path of its note."""
    identifier = proposed(world)
    (one,) = waiting(world.here.call())
    return identifier, one.path


def statements(world):
    return [one.statement for one in world.here.call().vault.baseline.standings()]


# candidates


@pytest.mark.parametrize(("word", "made"), [("approve", [STATEMENT]), ("reject", [])])
def test_a_candidate_that_was_decided_in_its_note_comes_back_with_a_line_more_and_stays(
    world, word, made
):
    _, path = candidate(world)
    note = Back(world, path, word)
    world.here.sync()
    note.save()
    found = note.stays()
    assert "came back with another text" in found.message
    assert statements(world) == made


@pytest.mark.parametrize("decision", [Decision.APPROVE, Decision.REJECT])
@pytest.mark.parametrize("word", [None, "approve", "reject"])
def test_a_candidate_that_a_command_decided_comes_back_with_a_line_more_and_stays(
    world, decision, word
):
    identifier, path = candidate(world)
    note = Back(world, path)
    decide(world.here.call(), identifier, decision)
    note.save(word=word)
    note.stays()
    session_end(world.here.call())
    assert LINE in world.read(path), "policy leaves it to the person"
    assert statements(world) == ([STATEMENT] if decision is Decision.APPROVE else [])


def test_the_finding_names_the_memory_that_the_candidate_became(world):
    identifier, path = candidate(world)
    note = Back(world, path, "approve")
    world.here.sync()
    note.save()
    became = find_memory(world.here.call(), identifier).row.path
    assert note.stays().remedy == f"Put what is new into `{became}`, then delete this note."
    world.path(path).unlink()
    assert "VM324" not in codes(world.here.sync())
    assert statements(world) == [STATEMENT]


@pytest.mark.parametrize(
    ("decided", "word"), [(Decision.APPROVE, "ok"), (Decision.REJECT, "reject")]
)
@pytest.mark.parametrize("in_note", [True, False])
def test_a_candidate_that_says_nothing_new_goes_again_and_is_decided_once(
    world, in_note, decided, word
):
    identifier, path = candidate(world)
    note = Back(world, path, decided.value if in_note else "")
    if in_note:
        world.here.sync()
    else:
        decide(world.here.call(), identifier, decided)
    note.save(more="", word=word)
    assert "VM324" not in codes(note.goes())


def test_a_rejected_candidate_is_not_approved_by_the_word_that_came_back_with_it(world):
    identifier, path = candidate(world)
    note = Back(world, path, "approve")
    decide(world.here.call(), identifier, Decision.REJECT)
    note.save(more="")
    found = note.stays()
    assert f"vaultmem inbox approve {identifier}" in found.remedy
    assert decide(world.here.call(), identifier, Decision.APPROVE).outcome == "approved"


def test_what_the_person_decides_anew_in_a_note_that_came_back_is_done(world):
    _, path = candidate(world)
    note = Back(world, path, "reject")
    world.here.sync()
    note.save()
    note.stays()
    world.replace(path, "decision: reject", "decision: approve")
    assert world.here.sync().applied == 1
    assert statements(world) == [STATEMENT]
    assert LINE in world.read(path.replace("Inbox", "Lessons")), "nothing is lost"


def test_a_decision_that_is_written_after_an_untouched_note_came_back_is_done(world):
    identifier, path = candidate(world)
    note = Back(world, path)
    decide(world.here.call(), identifier, Decision.REJECT)
    note.save(more="")  # a sync program
    assert "VM324" not in codes(world.here.sync())
    world.replace(path, "decision:", "decision: approve")
    assert world.here.sync().applied == 1
    assert statements(world) == [STATEMENT]


def test_policy_does_not_approve_what_the_person_rejected_and_a_sync_program_brought_back(world):
    world.here.sync()
    path = captured(world.here.call(), STATEMENT)
    note = Back(world, path)
    (one,) = waiting(world.here.call())
    decide(world.here.call(), one.id, Decision.REJECT)
    note.save(more="")
    world.here.pass_time(minutes=5)
    session_end(world.here.call())
    assert statements(world) == []
    assert world.path(path).exists()


def test_approving_what_was_approved_is_refused_while_the_note_says_more_and_rejecting_is_not(
    world,
):
    identifier, path = candidate(world)
    note = Back(world, path)
    became = decide(world.here.call(), identifier, Decision.APPROVE).path
    note.save()
    world.here.sync()
    with pytest.raises(EditRefusedError, match="another text") as refused:
        decide(world.here.call(), identifier, Decision.APPROVE)
    assert became in refused.value.remedy
    assert LINE in world.read(path)
    world.replace(path, "decision:", "decision: yes")
    assert "VM315" in codes(world.here.sync()), "nor in the note"
    assert LINE in world.read(path)
    assert decide(world.here.call(), identifier, Decision.REJECT).outcome == "rejected"
    undo(world.here.call())
    (back,) = waiting(world.here.call())
    assert LINE in world.read(back.path), "what was rejected can be brought back"
    assert statements(world) == [STATEMENT]


def test_what_a_revert_brings_back_is_decided_as_any_other(world):
    _, path = candidate(world)
    world.replace(path, "decision:", "decision: reject")
    world.here.sync()
    undo(world.here.call())
    world.write(path, world.read(path) + LINE)
    world.replace(path, "decision:", "decision: approve")
    assert world.here.sync().applied == 1
    assert statements(world) == [STATEMENT]


@pytest.mark.parametrize("word", ["approve", "reject"])
def test_what_an_editor_saves_while_a_candidate_is_decided_stays_and_is_told(
    world, monkeypatch, word
):
    _, path = candidate(world)
    note = Back(world, path, word)
    with saving_as_a_patch_begins(note, monkeypatch):
        assert world.here.sync().applied == 1
    note.stays()
    assert statements(world) == ([STATEMENT] if word == "approve" else [])


def test_an_old_note_that_another_device_saves_stays_on_both(world):
    _, path = candidate(world)
    other = world.device()
    other.sync()
    note = Back(world, path, "approve")
    world.here.sync()
    other.sync()
    note.save()
    for device in (other, world.here):
        note.stays(device)
        device.pass_time(minutes=20)
        note.stays(device)


def test_both_devices_that_approve_the_same_make_one_memory_and_leave_no_note(world):
    identifier, path = candidate(world)
    other = world.device()
    other.sync()
    note = Back(world, path)
    decide(world.here.call(), identifier, Decision.APPROVE)
    note.save(more="", word="approve")  # what the person wrote there in the meantime
    other.pass_time(minutes=20)
    assert "VM324" not in codes(other.sync())
    assert not world.path(path).exists()
    assert statements(world) == [STATEMENT]


def test_a_device_that_cannot_tell_the_versions_keeps_the_note(world):
    _, path = candidate(world)
    note = Back(world, path, "approve")
    world.here.sync()
    keyless = world.device()
    for key in (keyless.home / "state").glob("vault_*/key"):
        key.unlink()
    keyless.sync()
    note.save(more="")
    keyless.pass_time(minutes=20)
    note.stays(keyless)


def test_a_candidate_that_was_counted_is_not_counted_again_when_it_says_more(world):
    known = npm(world)
    path = captured(world.here.call(), NPM, sessions=("monday",))
    note = Back(world, path)
    session_end(world.here.call())
    assert note.lines() == [0, 0, 1]
    assert sessions_counted(world.here.call(), known) == {"monday"}
    note.save(more="")  # a sync program, or a kill before the note could go
    session_end(world.here.call())
    assert not world.path(path).exists()
    note.save()
    found = note.stays()
    assert "counted for a memory" in found.message
    session_end(world.here.call())
    assert LINE in world.read(path)
    assert note.lines() == [0, 0, 2]


def test_what_an_agent_brings_back_decides_nothing_and_stays(world):
    _, path = candidate(world)
    note = Back(world, path, "reject")
    world.here.sync()
    note.save()
    world.here.sync(agent="pi")
    note.stays()


# patches


@pytest.fixture
def patch(world):
    """A patch that adds a candidate (ticked) and contests a memory (not ticked)."""
    identifier = npm(world)
    made = save(world, add_draft(world, proposed(world)), operation(world, Op.CONTEST, identifier))
    world.here.sync()
    return made


@pytest.mark.parametrize("word", ["apply", "reject"])
def test_a_patch_that_comes_back_with_a_line_more_stays_and_goes_without_it(world, patch, word):
    note = Back(world, patch, word, acts=("applied", "rejected", "closed"))
    world.here.sync()
    made = statements(world)
    note.save()
    assert "The patch was decided before" in note.stays().message
    assert statements(world) == made
    note.save(more="")
    world.here.sync()
    assert not world.path(patch).exists()
    assert statements(world) == made


def test_a_command_leaves_a_decided_patch_that_says_more(world, patch):
    note = Back(world, patch)
    other = world.device()
    other.sync()
    apply_open(world, patch, ops=["op_001"])
    note.save()
    for device in (world.here, other):
        done = apply_open(world, patch, ops=["op_001", "op_002"], device=device)
        assert {one.code for one in done.skipped if one.id == "op_001"} == {"decided"}
        assert LINE in world.read(patch)
    assert memory_of(world, NPM).status in (Status.ACTIVE, Status.CONTESTED)
    patches.reject(world.here.call(), patch)
    assert not world.path(patch).exists(), "who rejects it wants it gone"


def test_what_an_editor_saves_while_a_patch_is_applied_stays_and_is_told(world, patch, monkeypatch):
    note = Back(world, patch, "apply")
    with saving_as_a_patch_begins(note, monkeypatch):
        world.here.sync()
    note.stays()
    assert world.path(NOTE).exists()


# promotions


@pytest.mark.parametrize("word", ["accept", "reject"])
def test_a_promotion_that_comes_back_with_a_line_more_stays_and_goes_without_it(world, word):
    world.here.sync()
    known = heard(world, FACT, "s1")
    one = promote.propose_one(world.here.call(), known, Destination.DISCARD)
    note = Back(world, one.path, word)
    world.here.sync()
    status = memory_of(world, known).status
    note.save()
    assert "The promotion was decided before" in note.stays().message
    assert listed(world) == []
    note.save(more="")
    world.here.sync()
    assert not world.path(one.path).exists()
    assert memory_of(world, known).status is status
