"""Removing a memory with every trace: what goes, what is cut, what stays and is told."""

from __future__ import annotations

import json
from datetime import timedelta, timezone
from functools import partial

import pytest

from tests.services.candidates import captured
from tests.services.patching import apply_now, operation, save
from tests.services.purging import places_with
from vaultmem.core.deletion import DeletionReason
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.inert import ledger_json
from vaultmem.core.model import Category
from vaultmem.core.operation import Deletion, Op
from vaultmem.core.trust import TrustClass
from vaultmem.errors import AgentRefusedError, NoteNotFoundError, UnsafePathError
from vaultmem.index.erase import erase_removed
from vaultmem.index.keyword.files import FolderLock
from vaultmem.notes.candidate import Decision
from vaultmem.services import evidence
from vaultmem.services.capture import Wish, add
from vaultmem.services.doctor import doctor
from vaultmem.services.forget import forget
from vaultmem.services.inbox import decide, waiting
from vaultmem.services.patches import open_patches
from vaultmem.services.purge import foresee, purge
from vaultmem.services.purging import state as purge_state
from vaultmem.services.purging.left import Where
from vaultmem.services.report import report
from vaultmem.services.search import search

TEXT = "Never paste quokka rosters into zeppelin tables."
WORDS = ("quokka", "zeppelin")
NOTE = "Memory/Lessons/Never paste quokka rosters into zeppelin tables.md"


@pytest.fixture
def known(world):
    """A memory in force that was indexed; its id."""
    world.here.sync()
    identifier = world.memory(NOTE, TEXT, category="lesson")
    world.here.sync()
    assert [hit.id for hit in _search(world, "quokka")] == [identifier]
    return identifier


def _search(world, words, device=None):
    app = (device or world.here).app()
    return search(app.call(), app.engine, words).hits


def _purge(world, name, **options):
    return purge(world.here.call(), name, **options)


def _left(world, *words):
    """Where a word is left, anywhere, without what the machine's folders are called."""
    world.close()
    found = places_with([world.folder], words or WORDS)
    return {path.removeprefix(f"{world.folder}/") for path in found}


def _log(world, *lines, device=None):
    path = f"Memory/System/Log/2026-11-29 agent log {(device or world.here).id}.md"
    world.write(path, "# Log\n" + "\n".join(lines) + "\n")
    world.here.sync()
    return path


def test_nothing_is_left_of_a_memory_in_vault_state_and_cache(world, known):
    done = _purge(world, known)
    assert done.finished
    assert done.removed == (NOTE,)
    assert done.left == ()
    assert _left(world) == set()


def test_one_tombstone_without_content_is_left(world, known):
    _purge(world, known, reason=DeletionReason.PRIVACY_SENSITIVE)
    (line,) = world.ledger("tombstones").splitlines()
    assert f" deleted {known} " in line
    values = json.loads(line[line.index("{") : line.rindex("}") + 1])
    assert values.keys() == {"after", "by", "mode", "reason"}
    assert (values["mode"], values["reason"]) == ("privacy_purge", "privacy_sensitive")


def test_a_purged_memory_is_no_finding_and_nobody_misses_it(world, known):
    _purge(world, known)
    assert world.here.sync().changes == ()
    app = world.here.app()
    done = doctor(app.call(), set_up=(), crash_log=world.folder / "no", deep=app.engine)
    assert done.findings == ()
    assert known not in report(world.here.call()).text
    with pytest.raises(NoteNotFoundError):
        _purge(world, known)


def test_what_was_forgotten_before_can_be_purged(world, known):
    forget(world.here.call(), known)
    _purge(world, known)
    assert _left(world) == set()


def test_a_memory_whose_note_vanished_can_be_purged(world, known):
    world.path(NOTE).unlink()
    world.here.sync()
    _purge(world, known)
    assert _left(world) == set()


def test_a_broken_note_is_removed_too(world, known):
    world.replace(NOTE, "category: lesson", "category: [")
    world.here.sync()
    _purge(world, known)
    assert _left(world) == set()


def test_earlier_versions_and_names_go_as_well(world, known):
    world.replace(NOTE, TEXT, "Keep wombat rosters out of zeppelin tables.")
    world.here.sync()
    _purge(world, known)
    assert _left(world, *WORDS, "wombat") == set()


def test_an_agents_version_that_was_held_goes_as_well(world, known):
    world.replace(NOTE, "Never paste", "Always paste")
    world.here.sync(agent="pi")
    assert (world.path("Memory/Inbox")).exists()
    _purge(world, known)
    assert _left(world) == set()


def test_lines_of_machine_notes_go_and_the_others_stay(world, known):
    path = _log(
        world,
        "- 10:30 #decision Never paste `quokka` rosters into zeppelin tables",
        "- 10:31 something else",
        json.dumps({"said": TEXT}),
    )
    done = _purge(world, known)
    assert done.cut == (path,)
    assert world.read(path) == "# Log\n- 10:31 something else\n"
    assert _left(world) == set()


def test_unsigned_ledger_lines_that_hold_the_text_go(world, known):
    path = f"Memory/System/Ledger/2026-11 activity {world.here.id}.md"
    ulid = world.new_id()[4:]
    values = ledger_json({"keys": TEXT})
    world.write(path, f"- 2026-11-29T10:00:00Z {ulid} edited {known} {values} ~unsigned\n")
    assert "VM406" in [one.code for one in world.here.sync().findings]
    _purge(world, known)
    assert _left(world) == set()
    assert "VM406" not in [one.code for one in world.here.sync().findings]


def test_an_agent_may_not_purge(world, known):
    for what in (purge, foresee):
        with pytest.raises(AgentRefusedError, match="forget"):
            what(world.here.call(agent="pi"), known)
    assert world.path(NOTE).exists()


class TestOtherNotes:
    def test_links_of_other_memories_go_and_their_text_stays(self, world, known):
        other = world.memory(
            "Memory/Lessons/Newer.md",
            "Prefer tabs here.",
            category="lesson",
            supersedes=f'\n  - "[[{NOTE[15:-3]}]]"\n  - "[[Older]]"',
        )
        world.here.sync()
        _purge(world, known)
        text = world.read("Memory/Lessons/Newer.md")
        assert "[[Older]]" in text
        assert "Prefer tabs here." in text
        assert world.here.call().vault.baseline.memory(other).state == "live"
        assert world.here.sync().changes == ()
        assert _left(world) == set()

    def test_a_version_that_an_agent_wrote_is_not_accepted_in_passing(self, world, known):
        path = "Memory/Lessons/Newer.md"
        other = world.memory(path, "Prefer tabs here.", informs=f'"[[{NOTE[15:-3]}]]"')
        world.here.sync()
        world.replace(path, "Prefer tabs", "Prefer blanks")
        world.here.sync(agent="pi")
        done = _purge(world, known)
        assert (Where.NOTE, path) in [(one.where, one.path) for one in done.left]
        assert world.here.call().vault.baseline.standing(other).statement == "Prefer tabs here."

    def test_prose_and_other_memories_are_told_and_left_alone(self, world, known):
        prose = f"# Plan\n\nWe said: {TEXT} And more.\n"
        world.write("Notes/Plan.md", prose)
        world.write("Memory/MEMORY.md", f"- {TEXT}\n")
        body = world.memory("Memory/Lessons/Other.md", "Prefer tabs.", category="lesson")
        world.write(
            "Memory/Lessons/Other.md", world.read("Memory/Lessons/Other.md") + f"\n{TEXT}\n"
        )
        world.write("board.canvas", json.dumps({"text": TEXT}))
        world.write(".trash/old.md", TEXT)
        world.write(".obsidian/workspace.json", json.dumps({"lastOpenFiles": [NOTE]}))
        world.write(".stversions/old.md", TEXT)
        world.here.sync()
        done = _purge(world, known)
        found = {(one.where, one.path): one.lines for one in done.left if one.certain}
        assert found == {
            (Where.NOTE, "Notes/Plan.md"): (3,),
            (Where.NOTE, "Memory/MEMORY.md"): (1,),
            (Where.NOTE, "Memory/Lessons/Other.md"): (8,),
            (Where.FILE, "board.canvas"): (1,),
            (Where.TRASH, ".trash/old.md"): (1,),
            (Where.OBSIDIAN, ".obsidian/workspace.json"): (1,),
            (Where.OTHER_PROGRAM, ".stversions/old.md"): (1,),
        }
        assert all(one.how.endswith(".") for one in done.left)
        assert world.read("Notes/Plan.md") == prose
        assert world.here.call().vault.baseline.memory(body).state == "live"

    def test_places_that_cannot_be_seen_are_told_too(self, world, known):
        world.path(".git").mkdir()
        world.path(".obsidian").mkdir()
        other = world.device()
        other.sync()
        world.memory("Memory/Lessons/b.md", "Prefer tabs.", category="lesson")
        world.path("Memory/Lessons/b.md").write_bytes(
            world.path("Memory/Lessons/b.md").read_bytes().replace(b"id: mem", b"x: mem")
        )
        other.sync()  # it gives the note an id, and so has a ledger of its own
        done = _purge(world, known)
        unseen = {(one.where, one.path) for one in done.left if not one.certain}
        assert unseen == {
            (Where.GIT, ".git"),
            (Where.OBSIDIAN, None),
            (Where.DEVICE, other.id),
        }
        assert "git gc" in next(one.how for one in done.left if one.where is Where.GIT)

    def test_the_agents_sessions_are_searched_and_never_written(self, world, known, tmp_path):
        sessions = tmp_path / "pi" / "sessions"
        (sessions / "--x--").mkdir(parents=True)
        line = json.dumps({"message": f"Remember:\n{TEXT}"}) + "\n"
        (sessions / "--x--/a.jsonl").write_text(f"{{}}\n{line}")
        (sessions / "--x--/b.jsonl").write_text("{}\n")
        done = _purge(world, known, sessions=[sessions])
        (one,) = [one for one in done.left if one.where is Where.SESSION]
        assert one.path == f"{sessions}/--x--/a.jsonl"
        assert one.lines == (2,)
        assert (sessions / "--x--/a.jsonl").read_text().endswith(line)

    def test_also_takes_lines_out_of_a_note_that_the_person_names(self, world, known):
        world.write("Notes/Plan.md", f"# Plan\r\n- [ ] {TEXT}\r\nWe said: {TEXT}\r\nend\r\n")
        world.here.sync()
        done = _purge(world, known, also=["Notes/Plan.md"])
        assert world.read("Notes/Plan.md") == f"# Plan\r\nWe said: {TEXT}\r\nend\r\n"
        assert [(one.path, one.lines) for one in done.left] == [("Notes/Plan.md", (2,))]
        assert world.here.sync().changes == ()

    @pytest.mark.parametrize(
        ("path", "error"), [("Notes/no.md", NoteNotFoundError), ("../x.md", UnsafePathError)]
    )
    def test_a_wrong_also_purges_nothing(self, world, known, path, error):
        with pytest.raises(error):
            _purge(world, known, also=[path])
        assert world.path(NOTE).exists()
        assert world.ledger("tombstones") == ""

    def test_a_copy_with_a_text_of_its_own_is_the_persons(self, world, known):
        copy = "Memory/Lessons/Copy.md"
        world.write(copy, world.read(NOTE).replace(TEXT, "Prefer tabs."))
        world.here.sync()
        _purge(world, known)
        assert "Prefer tabs." in world.read(copy)
        assert _left(world) == set()

    def test_copies_and_conflict_copies_go_with_it(self, world, known):
        world.write("Memory/Lessons/Copy.md", world.read(NOTE))
        name = NOTE.removesuffix(".md")
        world.write(f"{name} (conflicted copy 2026-11-29).md", "No word of it.\n")
        other = "Memory/Lessons/Else (conflicted copy 2026-11-29).md"
        world.write(other, "Prefer tabs.\n")
        world.here.sync()
        _purge(world, known)
        assert _left(world) == set()
        assert world.path(other).exists()

    def test_a_memory_outside_of_the_root_goes_and_other_notes_there_stay(self, world, known):
        world.path("Elsewhere").mkdir()
        world.path(NOTE).rename(world.path("Elsewhere/quokka.md"))
        world.here.sync()
        _purge(world, known)
        assert _left(world) == set()

    def test_temporaries_of_killed_writes_go(self, world, known):
        name = NOTE.rpartition("/")[2]
        world.write(f"Memory/Lessons/.{name}.vm0123456789ab.tmp", "half")
        world.write("Memory/Lessons/.x.md.vm0123456789ab.tmp", TEXT)
        world.write("Memory/Lessons/.y.md.vm0123456789ab.tmp", "else")
        _purge(world, known)
        assert _left(world) == set()
        assert world.path("Memory/Lessons/.y.md.vm0123456789ab.tmp").exists()

    def test_a_database_that_was_set_aside_goes(self, world, known):
        state = world.here.call().vault.state.folder
        (state / "baseline.broken").write_text(TEXT)
        _purge(world, known)
        assert _left(world) == set()

    def test_a_trace_of_a_bug_loses_the_lines_that_name_it(self, world, known):
        log = world.here.home / "state/crash.log"
        log.write_text(f"Traceback\nValueError: {TEXT!r}\nend\n")
        log.chmod(0o600)
        _purge(world, known)
        assert log.read_text() == "Traceback\nend\n"
        assert log == world.here.app().home.crash_log


class TestCandidatesAndPatches:
    def test_governed_row_63_candidates_patches_and_evidence_that_only_it_used(self, world):
        world.here.sync()
        call = world.here.call()
        captured(call, TEXT, said="No! Never paste quokka rosters into zeppelin tables, please.")
        app = world.here.app(agent="pi")
        add(app.call(), app.engine, Wish(text="Use bun for installs.", category=Category.LESSON))
        world.here.sync()
        call = world.here.call()
        one = next(found for found in waiting(call) if "quokka" in found.candidate.memory.statement)
        done = decide(call, one.id, Decision.APPROVE)
        world.here.sync()
        _purge(world, done.id)
        assert _left(world) == set()
        assert [found.candidate.memory.statement for found in waiting(world.here.call())] == [
            "Use bun for installs."
        ]

    def test_a_waiting_candidate_of_the_same_text_goes(self, world, known):
        captured(world.here.call(), TEXT.rstrip("."), evidence=())
        _purge(world, known)
        assert _left(world) == set()

    def test_an_open_patch_is_cut_and_renamed(self, world, known):
        tabs = world.memory("Memory/Lessons/Tabs.md", "Prefer tabs here.", category="lesson")
        world.here.sync()
        path = save(
            world,
            operation(world, Op.CONTEST, known, reason=f"Somebody doubts: {TEXT}"),
            operation(world, Op.CONTEST, tabs, reason="Somebody doubts it."),
        )
        world.write(path, world.read(path) + "\nMy own words.\n")
        world.here.sync()
        _purge(world, known)
        (left,) = open_patches(world.here.call())
        assert [one.target for one in left.patch.operations] == [tabs]
        assert left.decoded.altered == ()
        assert left.decoded.findings == ()
        assert "My own words." in world.read(left.path)
        assert _left(world) == set()

    def test_an_open_patch_that_was_only_about_it_goes(self, world, known):
        path = save(world, operation(world, Op.CONTEST, known, reason="Somebody doubts it."))
        _purge(world, known)
        assert not world.path(path).exists()
        assert _left(world) == set()

    def test_what_was_decided_is_kept_without_it(self, world, known):
        tabs = world.memory("Memory/Lessons/Tabs.md", "Prefer tabs here.", category="lesson")
        world.here.sync()
        apply_now(
            world,
            operation(world, Op.CONTEST, known, reason="Doubts."),
            operation(world, Op.CONTEST, tabs, reason="Doubts."),
        )
        apply_now(world, operation(world, Op.DEPRECATE, known, reason="Done."))
        _purge(world, known)
        rows = world.here.call().vault.patches.rows()
        assert len(rows) == 1
        assert tabs.encode() in rows[0].note
        assert _left(world) == set()

    def test_a_patch_can_purge(self, world, known):
        done = apply_now(
            world, operation(world, Op.DELETE, known, deletion=Deletion.PURGE, reason="Gone.")
        )
        assert [one.id for one in done.applied] == ["op_001"]
        assert _left(world) == set()
        assert world.here.sync().changes == ()


class TestEvidence:
    def _piece(self, world, words):
        call = world.here.call()
        piece = new_evidence(
            source_kind=SourceKind.CONVERSATION,
            trust=TrustClass.USER_CORRECTION,
            excerpt=words,
            session="s1",
            created=call.local,
        )
        (link,) = evidence.record(call, [piece])
        return piece.id, link

    def test_governed_row_62_what_only_it_used_goes(self, world):
        world.here.sync()
        own, link = self._piece(world, "I told you about the marmosets.")
        other, other_link = self._piece(world, "Tabs, please.")
        identifier = world.memory(NOTE, TEXT, evidence=f'"{link}"')
        world.memory("Memory/Lessons/Tabs.md", "Prefer tabs.", evidence=f'"{other_link}"')
        world.here.sync()
        _purge(world, identifier)
        call = world.here.call()
        assert [one.id for one in evidence.find(call, [own, other])] == [other]
        assert _left(world, *WORDS, "marmoset") == set()

    def test_what_another_one_uses_stays_but_for_the_statement(self, world):
        world.here.sync()
        shared, link = self._piece(world, f"Tabs, please.\n{TEXT}")
        identifier = world.memory(NOTE, TEXT, evidence=f'"{link}"')
        world.memory("Memory/Lessons/Tabs.md", "Prefer tabs.", evidence=f'"{link}"')
        world.here.sync()
        _purge(world, identifier)
        (piece,) = evidence.find(world.here.call(), [shared])
        assert piece.excerpt == "Tabs, please."
        assert _left(world) == set()


class TestOtherDevices:
    def test_governed_rows_62_and_63_a_second_device_purges_its_own_when_it_syncs(
        self, world, known
    ):
        other = world.device()
        other.sync()
        assert [hit.id for hit in _search(world, "quokka", other)] == [known]
        _log(world, f"- 10:30 {TEXT}", device=other)
        other.sync()
        _purge(world, known)
        other.sync()
        assert _left(world) == set()
        assert other.sync().findings == ()

    def test_its_machine_notes_that_arrive_later_are_cut_there(self, world, known):
        other = world.device()
        other.sync()
        world.memory("Memory/Lessons/b.md", "Prefer tabs.", category="lesson")
        _purge(world, known)
        _log(world, f"- 10:30 {TEXT}", "- 10:31 else", device=other)
        other.sync()
        assert _left(world) == set()

    def test_it_leaves_the_machine_notes_of_others_to_them(self, world, known):
        other = world.device()
        other.sync()
        path = _log(world, f"- 10:30 {TEXT}")
        text = world.read(path)
        _purge(world, known)
        world.write(path, text)
        other.sync()
        assert world.read(path) == text

    def test_an_old_version_of_the_note_that_arrives_late_goes(self, world):
        app = world.here.app()
        world.here.sync()
        done = add(app.call(), app.engine, Wish(text=TEXT, category=Category.LESSON))
        text = world.path(done.path).read_bytes()
        other = world.device()
        other.sync()
        _purge(world, done.id)
        other.sync()
        world.write(done.path, text)
        assert other.sync().findings == ()
        assert not world.path(done.path).exists()
        assert _left(world) == set()

    def test_another_memory_into_which_the_person_wrote_the_words_stays(self, world, known):
        other = world.device()
        other.sync()
        _purge(world, known)
        app = world.here.app()
        done = add(app.call(), app.engine, Wish(text="Prefer tabs.", category=Category.LESSON))
        world.replace(done.path, "Prefer tabs.", TEXT)
        world.here.sync()
        found = [(one.code, one.path) for one in other.sync().findings]
        assert ("VM313", done.path) in found
        assert TEXT in world.read(done.path)
        assert world.here.sync().changes == ()
        assert world.here.call().vault.baseline.standing(done.id).statement == TEXT

    def test_a_note_that_the_person_brings_back_there_is_theirs(self, world, known):
        text = world.read(NOTE)
        other = world.device()
        other.sync()
        _purge(world, known)
        other.sync()
        world.write(NOTE, text.replace("Never", "Please never"))
        assert [one.code for one in other.sync().findings] == ["VM311"]
        assert world.path(NOTE).exists()

    def test_a_device_without_the_key_purges_nothing_by_itself(self, world, known):
        other = world.device()
        other.sync()
        for key in (other.home / "state").glob("vault_*/key"):
            key.unlink()
        text = world.path(NOTE).read_bytes()
        _purge(world, known)
        world.write(NOTE, text)
        other.sync()
        assert world.path(NOTE).exists()

    def test_an_unsigned_tombstone_purges_nothing(self, world, known):
        other = world.device()
        other.sync()
        forget(world.here.call(), known)
        path = next(world.vault.glob("Memory/System/Ledger/* tombstones *.md"))
        path.write_text(path.read_text().replace("audit_preserving", "privacy_purge"))
        other.sync()
        assert world.path(NOTE).exists()
        assert other.call().vault.baseline.content(known)


class TestCutShort:
    @pytest.mark.parametrize(
        "step", ["plan_notes", "purge_notes", "purge_state", "places_left", "end"]
    )
    def test_a_killed_purge_is_finished_by_the_next_sync(self, world, known, monkeypatch, step):
        _log(world, f"- 10:30 {TEXT}")

        def killed(*_args, **_options):
            raise KeyboardInterrupt

        monkeypatch.setattr(f"vaultmem.services.purge.{step}", killed)
        with pytest.raises(KeyboardInterrupt):
            _purge(world, known)
        monkeypatch.undo()
        world.here.sync()
        assert _left(world) == set()
        assert world.here.sync().findings == ()

    @pytest.mark.parametrize("step", ["drop_note", "forget"])
    def test_a_purge_that_died_in_the_baseline_is_finished(self, world, known, monkeypatch, step):
        from vaultmem.store.baseline import Baseline

        def killed(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(Baseline, step, killed)
        with pytest.raises(KeyboardInterrupt):
            _purge(world, known)
        monkeypatch.undo()
        world.here.sync()
        assert _left(world) == set()

    def test_what_another_process_holds_up_is_told_and_finished_later(self, world, known):
        reader = world.here.call().vault.baseline.connection
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM contents").fetchall()
        busy = world.here.app()
        busy.vault.baseline.connection.execute("PRAGMA busy_timeout = 50")
        done = purge(busy.call(), known)
        reader.execute("COMMIT")
        assert not done.finished
        assert [one.where for one in done.left] == [Where.UNFINISHED]
        assert "vaultmem sync" in done.left[0].how
        world.here.sync()
        assert _left(world) == set()

    def test_a_note_that_cannot_be_written_holds_up_only_the_end(self, world, known):
        path = _log(world, f"- 10:30 {TEXT}")
        world.path(path).chmod(0o400)
        done = _purge(world, known)
        assert not done.finished
        assert [one.path for one in done.left if one.where is Where.UNFINISHED] == [path]
        assert not world.path(NOTE).exists()
        assert "VM341" in [one.code for one in world.here.sync().findings]
        world.path(path).chmod(0o600)
        assert "VM341" not in [one.code for one in world.here.sync().findings]
        assert _left(world) == set()


def test_foreseeing_tells_what_would_go_and_writes_nothing(world, known):
    path = _log(world, f"- 10:30 {TEXT}")
    world.write("Notes/Plan.md", f"We said: {TEXT}\n")
    world.here.sync()
    before = world.snapshot()
    seen = foresee(world.here.call(), known)
    assert seen.statement == TEXT
    assert seen.touched == (NOTE, path)
    assert [one.path for one in seen.left] == ["Notes/Plan.md"]
    assert world.snapshot() == before


class TestMemoriesWithoutANote:
    @pytest.fixture
    def missing(self, world, known):
        """Another memory, whose note the person deleted; the first one is known, too."""
        path = "Memory/Lessons/Gone.md"
        identifier = world.memory(path, "Prefer tabs.", category="lesson")
        return identifier, path

    def test_one_that_said_the_same_goes_as_well(self, world, missing):
        identifier, path = missing
        world.replace(path, "Prefer tabs.", TEXT)
        world.here.sync()
        world.path(path).unlink()
        world.here.sync()
        (name,) = [row.id for row in world.here.call().vault.baseline.memories(state="live")]
        assert _purge(world, name).left == ()
        assert f" deleted {identifier} " in world.ledger("tombstones")
        assert _left(world) == set()

    def test_one_that_only_mentions_it_is_told(self, world, known, missing):
        identifier, path = missing
        world.write(path, world.read(path) + f"\n{TEXT}\n")
        world.here.sync()
        world.path(path).unlink()
        world.here.sync()
        (left,) = _purge(world, known).left
        assert (left.where, left.path) == (Where.MEMORY, identifier)
        assert _purge(world, identifier).left == ()
        assert _left(world) == set()

    @pytest.mark.parametrize("how", ["removed", "reworded"])
    def test_one_whose_note_an_agent_changed_is_told(self, world, known, how):
        path = "Memory/Decisions/Twin.md"
        identifier = world.memory(path, TEXT, category="decision")
        world.here.sync()
        if how == "removed":
            world.path(path).unlink()
        else:
            world.replace(path, TEXT, "Something else.")
        world.here.sync(agent="pi")
        (left,) = _purge(world, known).left
        assert (left.where, left.path) == (Where.MEMORY, identifier)
        assert _purge(world, identifier).left == ()
        assert _left(world) == set()


class TestOddNotes:
    def test_a_promotion_of_it_goes_and_another_one_stays(self, world, known):
        for name, text in (("a", known), ("b", f"[[{NOTE[15:-3]}]]"), ("c", "nothing of it")):
            world.write(f"Memory/Promotions/{name}.md", f"---\ntype: promotion\n---\n{text}\n")
        world.here.sync()
        done = _purge(world, known)
        assert [path for path in done.removed if "Promotions" in path] == [
            "Memory/Promotions/a.md",
            "Memory/Promotions/b.md",
        ]

    def test_the_candidate_that_it_came_from_goes_when_a_sync_program_brings_it_back(self, world):
        world.here.sync()
        path = captured(world.here.call(), TEXT)
        text = world.path(path).read_bytes()
        world.here.sync()
        (one,) = waiting(world.here.call())
        done = decide(world.here.call(), one.id, Decision.APPROVE)
        world.write(path, text.replace(b"Never paste", b"Ever paste"))
        world.here.sync()
        _purge(world, done.id)
        assert _left(world) == set()

    def test_notes_that_cannot_be_read_lose_their_lines_all_the_same(self, world, known):
        broken = "---\na: [\n---\n"
        world.write("Memory/Inbox/x.md", f"{broken}{TEXT}\nelse\n")
        world.write("Memory/Inbox/p.md", f"---\ntype: patch\n---\nelse\n{TEXT}\n")
        world.write("Memory/System/Evidence/e.md", f"{broken}> {TEXT}\n")
        world.here.sync()
        _purge(world, known)
        assert world.read("Memory/Inbox/x.md") == f"{broken}else\n"
        assert _left(world) == set()

    def test_properties_are_not_broken_by_a_cut(self, world, known):
        path = "Memory/System/Log/x.md"
        text = f'---\ntitle: "{TEXT}\n  and more"\n---\nelse\n'
        world.write(path, text)
        world.here.sync()
        done = _purge(world, known)
        assert world.read(path) == text
        assert [one.path for one in done.left] == [path]

    def test_a_named_note_without_a_line_of_it_is_as_it_was(self, world, known):
        world.write("Notes/Plan.md", "nothing\n")
        world.here.sync()
        assert _purge(world, known, also=["Notes/Plan.md"]).cut == ()

    def test_a_decided_patch_that_cannot_be_read_any_more_is_dropped(self, world, known):
        apply_now(world, operation(world, Op.CONTEST, known, reason="Doubts."))
        table = world.here.call().vault.patches
        (row,) = table.rows()
        table.put(row._replace(note=f"---\na: [\n---\n{TEXT}".encode()))
        _purge(world, known)
        assert world.here.call().vault.patches.rows() == []

    def test_an_index_that_is_being_written_is_told_and_finished_later(
        self, world, known, monkeypatch
    ):
        index = world.here.call().vault.state.cache / "index"
        monkeypatch.setattr(purge_state, "erase_removed", partial(erase_removed, wait=0.05))
        with FolderLock(index / "words", 1.0):
            done = _purge(world, known)
        assert not done.finished
        assert "index" in done.left[0].how
        assert _search(world, "quokka") == ()
        assert _left(world) == set()


@pytest.mark.parametrize("place", ["state", "cache"])
def test_what_a_killed_write_left_in_this_machine_s_folders_goes_with_a_purge(world, known, place):
    """The temporary of a file that holds lines of sessions or notes; nobody will ever rename it."""
    folder = next((world.here.home / place).glob("vault_*"))
    left = folder / ".session-lines.vm0123456789ab.tmp"
    left.write_bytes(world.read(world.here.call().vault.baseline.memory(known).path).encode())
    world.here.pass_time(minutes=2)
    _purge(world, known)
    assert not left.exists()


@pytest.mark.parametrize(("zone", "minutes", "stays"), [(-8, 2, False), (8, 0, True)])
def test_what_a_killed_write_left_is_told_from_a_write_under_way_in_any_zone(
    world, known, zone, minutes, stays
):
    left = next((world.here.home / "state").glob("vault_*")) / ".x.json.vm0123456789ab.tmp"
    left.write_bytes(b"half")
    world.here.pass_time(minutes=minutes)
    call = world.here.call()
    purge(call._replace(now=call.now.astimezone(timezone(timedelta(hours=zone)))), known)
    assert left.exists() == stays
