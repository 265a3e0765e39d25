"""A purge looks for every wording that this machine knows of, not only for the last ones."""

from __future__ import annotations

import pytest

from tests.services.candidates import captured
from tests.services.patching import apply_now, operation
from tests.services.purging import places_with, tables_with
from vaultmem.core.operation import Op
from vaultmem.notes.candidate import Decision
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.purge import purge
from vaultmem.services.purging.left import Where

NOTE = "Memory/Lessons/Rosters.md"
FIRST = "Never paste quokka rosters into tables."
SECOND = "Keep wombat rosters out of every table."
THIRD = "Store numbat rosters in files of their own."
LAST = "Ask before a bilby roster is stored."
WORDS = ("quokka", "wombat", "numbat", "bilby")
REPORT = "Memory/System/Reports/2026-11-29 report.md"
SCRATCHPAD = "Memory/Scratchpad.md"


def _reworded(world, *statements, device=None):
    """One memory that was edited by hand, with a sync after each edit; its id."""
    first, *others = statements
    (device or world.here).sync()
    identifier = world.memory(NOTE, first, category="lesson")
    (device or world.here).sync()
    for old, new in zip(statements, others, strict=False):
        world.replace(NOTE, old, new)
        (device or world.here).sync()
    return identifier


def _left(world, *words):
    world.close()
    found = places_with([world.folder], words or WORDS)
    return {path.removeprefix(f"{world.folder}/") for path in found}


def _log(world, *lines, device=None):
    path = f"Memory/System/Log/2026-11-29 agent log {(device or world.here).id}.md"
    world.write(path, "".join(f"{line}\n" for line in lines))
    return path


def test_wordings_from_before_the_last_edit_are_cut_in_machine_notes_and_listed_in_prose(world):
    identifier = _reworded(world, FIRST, SECOND, THIRD, LAST)
    texts = (FIRST, SECOND, THIRD, LAST)
    bullets = "".join(f"- {text}\n" for text in texts)
    world.write(SCRATCHPAD, f"# Scratchpad\n{bullets}- [ ] call the zoo\n")
    world.write(REPORT, f"# Report\n{bullets}\nPromoted: {FIRST}\nelse\n")
    log = _log(world, f"- 10:30 #decision {FIRST}", f"- 10:31 {SECOND}", "- 10:32 else")
    prose = "".join(f"We once said: {text} Since then not.\n" for text in texts)
    world.write("Notes/Plan.md", prose)
    world.here.sync()
    done = purge(world.here.call(), identifier)
    assert done.finished
    assert world.read(SCRATCHPAD) == "# Scratchpad\n- [ ] call the zoo\n"
    assert world.read(REPORT) == "# Report\n\nelse\n"
    assert world.read(log) == "- 10:32 else\n"
    assert world.read("Notes/Plan.md") == prose
    (left,) = done.left
    assert (left.where, left.path, left.lines) == (Where.NOTE, "Notes/Plan.md", (1, 2, 3, 4))
    assert _left(world) == {"vault/Notes/Plan.md"}


def test_a_line_of_the_scratchpad_that_says_more_is_told_and_stays(world):
    identifier = _reworded(world, FIRST, SECOND, THIRD)
    world.write(SCRATCHPAD, f"- {FIRST}\n- Ask Ada why: {FIRST}\n")
    world.here.sync()
    done = purge(world.here.call(), identifier)
    assert world.read(SCRATCHPAD) == f"- Ask Ada why: {FIRST}\n"
    assert [(one.path, one.lines) for one in done.left] == [(SCRATCHPAD, (1,))]


def test_candidates_that_say_an_earlier_wording_go(world):
    identifier = _reworded(world, FIRST, SECOND, THIRD)
    captured(world.here.call(), FIRST, evidence=())
    purge(world.here.call(), identifier)
    assert waiting(world.here.call()) == []
    assert _left(world) == set()


def test_what_is_kept_of_earlier_wordings_goes_with_the_purge(world):
    identifier = _reworded(world, FIRST, SECOND, THIRD)
    state = world.here.call().vault.state.folder
    assert set(world.here.call().vault.baseline.wordings(identifier)) == {FIRST, SECOND}
    purge(world.here.call(), identifier)
    world.close()
    assert [tables_with(path, WORDS) for path in state.glob("*.sqlite")] == [set()]
    assert _left(world) == set()


def test_a_purge_that_is_killed_before_its_state_goes_still_knows_every_wording(world, monkeypatch):
    identifier = _reworded(world, FIRST, SECOND, THIRD)
    log = _log(world, f"- 10:30 {FIRST}", "- 10:31 else")

    def killed(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("vaultmem.services.purge.purge_notes", killed)
    with pytest.raises(KeyboardInterrupt):
        purge(world.here.call(), identifier)
    monkeypatch.undo()
    world.here.sync()
    assert world.read(log) == "- 10:31 else\n"
    assert _left(world) == set()


def test_another_device_looks_for_the_wordings_that_it_saw(world):
    world.here.sync()
    other = world.device()
    identifier = world.memory(NOTE, FIRST, category="lesson")
    for old, new in ((FIRST, SECOND), (SECOND, THIRD)):
        world.here.sync()
        other.sync()
        world.replace(NOTE, old, new)
    world.here.sync()
    other.sync()
    purge(world.here.call(), identifier)
    log = _log(world, f"- 10:30 {FIRST}", "- 10:31 else", device=other)
    other.sync()
    assert world.read(log) == "- 10:31 else\n"
    assert _left(world) == set()


def test_a_wording_that_another_memory_has_now_is_that_memorys(world):
    identifier = _reworded(world, FIRST, SECOND, THIRD)
    other = world.memory("Memory/Lessons/Other.md", FIRST, category="lesson")
    world.here.sync()
    log = _log(world, f"- 10:30 {FIRST}", f"- 10:31 {SECOND}")
    world.here.sync()
    done = purge(world.here.call(), identifier)
    assert world.read(log) == f"- 10:30 {FIRST}\n"
    assert world.here.call().vault.baseline.standing(other).statement == FIRST
    assert done.left == ()


def test_a_wording_that_was_half_typed_cuts_no_other_entry(world):
    half, whole = "Never paste the", "Never paste the quokka roster into a table."
    identifier = _reworded(world, half, whole)
    lines = ("- 10:30 #tip Never paste the", "- 10:31 Never paste the invoice into mails.")
    log = _log(world, *lines)
    world.here.sync()
    done = purge(world.here.call(), identifier)
    assert world.read(log) == f"{lines[1]}\n"
    assert done.left == ()


class TestTheHonestList:
    """A wording that was never seen here cannot be looked for, and the purge says so."""

    def _unsure(self, call, identifier):
        left = purge(call, identifier).left
        return [one.how for one in left if one.where is Where.WORDING and not one.certain]

    def test_nothing_is_said_where_every_wording_was_seen(self, world):
        identifier = _reworded(world, FIRST, SECOND, FIRST, THIRD)
        assert self._unsure(world.here.call(), identifier) == []

    def test_a_memory_that_was_there_at_the_first_look_may_have_had_others(self, world):
        identifier = world.memory(NOTE, FIRST, category="lesson")
        world.here.sync()
        (how,) = self._unsure(world.here.call(), identifier)
        assert "search your notes" in how

    def test_a_change_that_another_device_signed_and_this_one_did_not_see(self, world):
        world.here.sync()
        other = world.device()
        identifier = _reworded(world, FIRST)
        other.sync()
        for old, new in ((FIRST, SECOND), (SECOND, THIRD)):
            world.replace(NOTE, old, new)
            for _ in range(2):  # the first look waits for another device's word
                other.sync()
                other.pass_time(minutes=15)
        world.here.pass_time(minutes=45)
        world.here.sync()
        assert world.here.call().vault.baseline.wordings(identifier) == [FIRST]
        assert len(self._unsure(world.here.call(), identifier)) == 1


class TestPatches:
    """What decided patches know, also of a memory whose edits no sync of this version met."""

    def test_values_from_before_a_patch_are_looked_for(self, world):
        identifier = world.memory(NOTE, FIRST, category="lesson")
        world.here.sync()
        for statement in (SECOND, THIRD):
            changes = {"statement": statement}
            apply_now(world, operation(world, Op.UPDATE, identifier, changes=changes))
        self._forgotten(world, identifier)
        log = _log(world, f"- 10:30 {FIRST}", f"- 10:31 {SECOND}", "- 10:32 else")
        purge(world.here.call(), identifier)
        assert world.read(log) == "- 10:32 else\n"
        assert _left(world) == set()

    def test_what_the_candidate_said_is_looked_for(self, world):
        world.here.sync()
        captured(world.here.call(), FIRST, evidence=())
        world.here.sync()
        (one,) = waiting(world.here.call())
        identifier = decide(world.here.call(), one.id, Decision.APPROVE).id
        path = world.here.call().vault.baseline.memory(identifier).path
        for old, new in ((FIRST, SECOND), (SECOND, THIRD), (THIRD, LAST)):
            world.replace(path, old, new)
            world.here.sync()
        self._forgotten(world, identifier)
        log = _log(world, f"- 10:30 {FIRST}", "- 10:32 else")
        purge(world.here.call(), identifier)
        assert world.read(log) == "- 10:32 else\n"

    def test_what_the_note_of_a_settled_candidate_said_is_looked_for(self, world):
        world.here.sync()
        other = world.memory("Memory/Lessons/Tabs.md", "Prefer tabs here.", category="lesson")
        world.here.sync()
        captured(world.here.call(), FIRST, evidence=())
        world.here.sync()
        (one,) = waiting(world.here.call())
        decide(world.here.call(), one.id, Decision.REJECT)
        identifier = one.id.replace("cand_", "mem_")  # it was approved on another device
        world.memory(NOTE, LAST, id=identifier, category="lesson")
        world.here.sync()
        log = _log(world, f"- 10:30 {FIRST}", "- 10:32 else")
        purge(world.here.call(), identifier)
        assert world.read(log) == "- 10:32 else\n"
        assert _left(world) == set()
        assert world.here.call().vault.baseline.memory(other).state == "live"

    def test_a_patch_that_cannot_be_read_hinders_nothing(self, world):
        identifier = _reworded(world, FIRST, SECOND, THIRD)
        apply_now(world, operation(world, Op.CONTEST, identifier, reason="Doubts."))
        table = world.here.call().vault.patches
        (row,) = table.rows()
        table.put(row._replace(note=f"---\na: [\n---\n{identifier}".encode()))
        purge(world.here.call(), identifier)
        assert _left(world) == set()

    def _forgotten(self, world, identifier):
        """As a baseline that was begun before wordings were kept."""
        sql = world.here.call().vault.baseline.connection
        sql.execute("DELETE FROM wordings WHERE id = ?", (identifier,))
        world.close()


class TestHashes:
    """Of what a memory said when it was deleted, or what an agent wrote, ledgers keep a hash."""

    def _fresh(self, world):
        """A machine that has the key, and of the past only what the vault holds."""
        return world.device()

    def test_lines_and_paragraphs_that_hash_as_a_deleted_wording_are_cut(self, world):
        identifier = _reworded(world, FIRST)
        forget(world.here.call(), identifier)
        world.replace(NOTE, "status: deleted", "status: active")
        world.here.sync()
        world.replace(NOTE, FIRST, SECOND)
        world.here.sync()
        fresh = self._fresh(world)
        fresh.sync()
        assert fresh.call().vault.baseline.wordings(identifier) == []
        begin, end = FIRST.split(" rosters ")
        world.write(REPORT, f"- [x] {FIRST}\n\n> {begin}\n> rosters {end}\n\nelse\n")
        log = _log(world, f"- 10:30 #decision {FIRST}", "- 10:32 else")
        world.write("Notes/Plan.md", f"We said: {FIRST} And more.\n")
        fresh.sync()
        done = purge(fresh.call(), identifier)
        assert world.read(REPORT) == "\n\nelse\n"
        assert world.read(log) == "- 10:32 else\n"
        assert "Notes/Plan.md" in [one.path for one in done.left]

    def test_what_an_agent_wrote_into_the_note_is_recognised(self, world):
        identifier = _reworded(world, FIRST)
        world.replace(NOTE, FIRST, SECOND)
        world.here.sync(agent="pi")
        world.replace(NOTE, SECOND, THIRD)
        world.here.sync()
        for one in waiting(world.here.call()):
            decide(world.here.call(), one.id, Decision.REJECT)
        log = _log(world, f"- 10:30 {SECOND}", "- 10:32 else")
        fresh = self._fresh(world)
        fresh.sync()
        purge(fresh.call(), identifier)
        assert world.read(log) == "- 10:32 else\n"

    def test_a_device_without_the_key_recognises_nothing_and_purges_the_rest(self, world):
        identifier = _reworded(world, FIRST, SECOND, THIRD)
        for key in (world.here.home / "state").glob("vault_*/key"):
            key.unlink()
        purge(world.here.call(), identifier)
        assert _left(world) == set()


def test_what_another_memory_said_before_leaves_the_state_as_well(world):
    _reworded(world, FIRST, LAST)
    other = world.memory("Memory/Decisions/Other.md", FIRST, category="decision")
    world.here.sync()
    purge(world.here.call(), other)
    assert world.here.call().vault.baseline.wordings(other) == []
    assert _left(world, "quokka") == set()
