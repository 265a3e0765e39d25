"""What a sync does about everything a person can do to a note (DESIGN §3.2, one test a row)."""

from __future__ import annotations

import os
import shutil
import time

import pytest

from tests.services.patching import standing_of
from tests.world import NOTE, SAYS, codes
from vaultmem.errors import AgentRefusedError
from vaultmem.index.hybrid import Mode
from vaultmem.services.doctor import doctor
from vaultmem.services.ratify import ratify
from vaultmem.services.report import report
from vaultmem.services.search import search


def _state(world, identifier):
    row = world.here.call().vault.baseline.memory(identifier)
    return row.state if row else None


# creating


def test_the_first_sync_gives_the_vault_an_id_and_nothing_else(world):
    world.memory(NOTE, "Add files by name.", category="lesson")
    before = world.notes()
    done = world.here.sync()
    assert done.created == 1
    after = world.notes()
    changed = [path for path in after if after[path] != before.get(path)]
    assert changed == ["Memory/Settings.md"]
    assert "\nid: vault_" in world.read("Memory/Settings.md")


def test_a_second_sync_changes_no_byte(world, known):
    before = world.snapshot()
    done = world.here.sync()
    assert (done.created, done.edited, done.unchanged) == (
        0,
        0,
        len([p for p in before if p.endswith(".md")]),
    )
    assert world.snapshot() == before


def test_a_note_without_an_id_gets_one_and_defaults_and_keeps_every_other_byte(world, known):
    world.write(
        "Memory/Decisions/x.md", "---\r\nmine: 1 # kept\r\n---\r\nWe use UTC.\r\n\r\nBody\r\n"
    )
    done = world.here.sync()
    text = world.read("Memory/Decisions/x.md")
    assert done.created == 1
    assert "\r\ntype: memory\r\n" in text
    assert "\r\ncategory: decision\r\n" in text
    assert text.startswith("---\r\nmine: 1 # kept\r\n")
    assert text.endswith("---\r\nWe use UTC.\r\n\r\nBody\r\n")
    (change,) = done.changes
    assert change.by == "person"
    assert standing_of(world, change.id).evidence_count == 2
    assert world.here.sync().changes == ()


def test_a_plain_file_in_a_category_folder_becomes_a_memory(world, known):
    world.write("Memory/Mistakes/x.md", "We forgot the index.\n")
    done = world.here.sync()
    assert done.created == 1
    assert world.read("Memory/Mistakes/x.md").endswith("---\nWe forgot the index.\n")


def test_what_the_person_wrote_beats_the_defaults(world, known):
    world.write("Memory/Lessons/x.md", "---\nconfidence: 0.5\ncreated: 2025-01-01\n---\nUse UTC.\n")
    world.here.sync()
    text = world.read("Memory/Lessons/x.md")
    assert text.count("confidence:") == 1
    assert "confidence: 0.5\ncreated: 2025-01-01\n" in text


def test_a_note_of_another_type_is_left_alone(world, known):
    world.write("Memory/Lessons/x.md", "---\ntype: meeting\n---\nHello.\n")
    done = world.here.sync()
    assert "VM302" in codes(done)
    assert world.read("Memory/Lessons/x.md") == "---\ntype: meeting\n---\nHello.\n"


def test_under_watch_a_note_that_just_changed_waits_for_its_id(world, known):
    world.write("Memory/Lessons/x.md", "Use UTC.\n")
    assert world.here.sync(typed=False).applied == 0
    assert world.read("Memory/Lessons/x.md") == "Use UTC.\n"
    assert world.here.sync(typed=False).applied == 0
    world.here.pass_time(seconds=121)
    assert world.here.sync(typed=False).applied == 1
    assert "id: mem_" in world.read("Memory/Lessons/x.md")


def test_an_agent_that_meets_a_waiting_note_does_not_make_it_external(world, known):
    world.write("Memory/Lessons/x.md", "Use UTC.\n")
    world.here.sync(typed=False)
    assert world.here.sync(agent="pi").external == 0
    assert world.here.sync().created == 1


# editing


def test_an_edit_is_in_force_at_once_and_named_in_the_ledger(world, known):
    world.replace(NOTE, "Add files by name.", "Add files one by one.")
    done = world.here.sync()
    assert done.edited == 1
    assert done.changes[0].keys == ("statement",)
    assert standing_of(world, known).statement == "Add files one by one."
    assert f" edited {known} " in world.ledger()
    assert '"keys":"statement"' in world.ledger()
    assert "one by one" not in world.ledger(), "a ledger holds ids, not statements"


def test_an_edit_changes_no_byte_of_the_note(world, known):
    world.replace(NOTE, "category: lesson", "category: lesson\nstability: stable")
    before = world.notes()
    world.here.sync()
    assert world.notes() == before


@pytest.mark.parametrize(
    "restyled",
    [
        "---\nid: {id}\ntype: 'memory'\ncategory: \"lesson\"\n---\nAdd files by name.\n",
        "---\ncategory: lesson\ntype: memory\nid: {id}\n---\nAdd files by name.\n",
        "---\nid: {id}\ntype: memory\ncategory: lesson\nupdated: 2026-11-29T10:00:00\n---\nAdd files by name.\n",
        "---\nid: {id}\ntype: memory\ncategory: lesson\ntags: []\nproject:\n---\nAdd  files by name.\n",
        "---\r\nid: {id}\r\ntype: memory\r\ncategory: lesson\r\n---\r\nAdd files by name.\r\n",
    ],
)
def test_restyling_is_no_edit_and_is_never_answered(world, known, restyled):
    world.write(NOTE, restyled.format(id=known))
    before = world.snapshot()
    done = world.here.sync()
    assert done.changes == ()
    assert world.snapshot() == before


def test_a_removed_id_line_is_put_back(world, known):
    world.replace(NOTE, f"id: {known}\n", "")
    done = world.here.sync()
    assert done.edited == 1
    assert f"id: {known}" in world.read(NOTE)
    assert _state(world, known) == "live"


def test_a_computed_property_is_reported_and_left(world, known):
    world.replace(NOTE, "category: lesson", "category: lesson\nevidence_count: 99")
    before = world.read(NOTE)
    assert "VM312" in codes(world.here.sync())
    assert world.read(NOTE) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\nid: {id}\ntype: memory\nstatus: [\n---\nAdd.\n", "VM103"),
        ("---\nid: {id}\ntype: memory\nid: {id}\n---\nAdd.\n", "VM104"),
        ("---\nid: {id}\ntype: memory\n---\n", "VM109"),
        (
            "---\nid: {id}\n<<<<<<< HEAD\ntype: memory\n=======\ntype: x\n>>>>>>> b\n---\nAdd.\n",
            "VM108",
        ),
        ("---\nid: {id}\ntype: memory\n", "VM102"),
    ],
)
def test_a_broken_note_is_a_finding_and_the_last_good_version_stays(world, known, text, code):
    world.write(NOTE, text.format(id=known))
    done = world.here.sync()
    (found,) = [one for one in done.findings if one.path == NOTE]
    assert found.code == code
    assert found.remedy
    assert standing_of(world, known).statement == "Add files by name."
    assert _state(world, known) == "live"
    world.memory(NOTE, "Add them.", id=known, category="lesson")
    done = world.here.sync()
    assert done.edited == 1
    assert standing_of(world, known).statement == "Add them."
    assert code not in codes(done)


def test_a_broken_note_never_stops_the_others(world, known):
    world.write("Memory/Lessons/bad.md", b"\xff\xfe\x00")
    world.write("Memory/Lessons/y.md", "Use UTC.\n")
    done = world.here.sync()
    assert done.created == 1
    assert "VM101" in codes(done)
    assert "VM101" in codes(world.here.sync()), "it does not disappear"


# moving, renaming, copying


def test_a_move_to_another_category_folder_takes_its_category(world, known):
    world.path("Memory/Decisions").mkdir()
    world.path(NOTE).rename(world.path("Memory/Decisions/Add files by name.md"))
    done = world.here.sync()
    assert (done.moved, done.deleted, done.applied) == (1, 0, 1)
    assert "category: decision" in world.read("Memory/Decisions/Add files by name.md")
    assert standing_of(world, known).path == "Memory/Decisions/Add files by name.md"
    assert standing_of(world, known).category == "decision"
    assert world.here.sync().changes == ()


def test_a_rename_changes_no_byte(world, known):
    world.path(NOTE).rename(world.path("Memory/Lessons/Other name.md"))
    before = world.notes()
    assert world.here.sync().moved == 1
    assert world.notes() == before
    assert " renamed " in world.ledger()


def test_a_move_with_an_edit_is_both(world, known):
    world.path(NOTE).unlink()
    world.memory("Memory/Lessons/b.md", "Add them.", id=known, category="lesson")
    done = world.here.sync()
    assert (done.moved, done.edited, done.deleted) == (1, 1, 0)
    assert standing_of(world, known).statement == "Add them."


def test_a_memory_outside_the_root_stays_in_force_and_is_never_written(world, known):
    world.path("Elsewhere").mkdir()
    world.path(NOTE).rename(world.path("Elsewhere/a.md"))
    before = world.notes()
    done = world.here.sync()
    assert done.moved == 1
    assert "VM303" in codes(done)
    assert _state(world, known) == "live"
    world.replace("Elsewhere/a.md", f"id: {known}\n", f"id: {known}\nstability: stable\n")
    world.here.sync()
    assert world.notes().keys() == before.keys()


def test_what_holds_in_a_project_and_names_none_is_reported_until_it_does(world, known):
    world.replace(NOTE, f"id: {known}\n", f"id: {known}\nscope: project\n")
    for _ in range(2):
        (found,) = [one for one in world.here.sync().findings if one.code == "VM336"]
        assert (found.path, found.line) == (NOTE, 3)
        assert "`project`" in found.remedy
    found = doctor(world.here.call(), set_up=(), crash_log=world.folder / "none").findings
    assert [one.code for one in found].count("VM336") == 1
    assert report(world.here.call(), project="acme/tide").text == ""
    app = world.here.app()
    (hit,) = search(app.call(), app.engine, SAYS, mode=Mode.KEYWORD).hits
    assert hit.mark == "no_project"
    world.replace(NOTE, "scope: project\n", "scope: project\nproject: acme/tide\n")
    assert "VM336" not in codes(world.here.sync())
    assert SAYS in report(world.here.call(), project="Acme/Tide").text
    world.replace(NOTE, "project: acme/tide\n", "status: deprecated\n")
    assert "VM336" not in codes(world.here.sync()), "it is told nowhere anyway"


def test_a_copy_is_reported_and_not_in_force(world, known):
    shutil.copy(world.path(NOTE), world.path("Memory/Lessons/Copy.md"))
    done = world.here.sync()
    assert "VM304" in codes(done)
    assert standing_of(world, known).path == NOTE
    assert len(world.here.call().vault.baseline.standings()) == 1


# deleting


def test_a_deleted_note_is_out_of_force_at_once_and_gone_after_a_week(world, known):
    world.path(NOTE).unlink()
    done = world.here.sync()
    assert done.deleted == 1
    assert _state(world, known) == "missing"
    assert world.here.call().vault.baseline.standings() == []
    world.here.pass_time(days=6, hours=23)
    world.here.sync()
    assert world.ledger("tombstones") == ""
    world.here.pass_time(hours=2)
    world.here.sync()
    assert _state(world, known) == "gone"
    assert f" deleted {known} " in world.ledger("tombstones")
    assert "Add files" not in world.ledger("tombstones")


def test_a_note_that_comes_back_is_restored(world, known):
    data = world.read(NOTE)
    world.path(NOTE).unlink()
    world.here.sync()
    world.write("Memory/Lessons/Back.md", data)
    assert world.here.sync().created == 1
    assert _state(world, known) == "live"
    assert standing_of(world, known).path == "Memory/Lessons/Back.md"


def test_bringing_back_a_deleted_note_withdraws_its_tombstone(world, known):
    data = world.read(NOTE)
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    world.write(NOTE, data)
    world.here.sync()
    assert _state(world, known) == "live"
    assert f" withdrawn {known} " in world.ledger("tombstones")


def test_a_new_note_with_a_deleted_text_is_held_until_ratified(world, known):
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    world.here.sync()
    world.write("Memory/Lessons/Again.md", "Add files by name.\n")
    done = world.here.sync()
    assert "VM311" in codes(done)
    assert world.here.call().vault.baseline.standings() == []
    accepted = ratify(world.here.call(), "Memory/Lessons/Again.md")
    assert accepted.accepted == "version"
    assert [one.id for one in world.here.call().vault.baseline.standings()] == [accepted.id]
    assert "VM311" not in codes(world.here.sync())


def test_the_grace_does_not_end_while_a_broken_note_holds_the_id(world, known):
    world.path(NOTE).unlink()
    world.here.sync()
    world.write("Memory/Lessons/torn.md", f"---\nid: {known}\ntype: [\n---\nx\n")
    world.here.pass_time(days=9)
    world.here.sync()
    assert _state(world, known) == "missing"


def test_status_deleted_is_a_deletion(world, known):
    world.replace(NOTE, "category: lesson", "category: lesson\nstatus: deleted")
    world.here.sync()
    assert standing_of(world, known).status == "deleted"
    assert f" deleted {known} " in world.ledger("tombstones")
    world.replace(NOTE, "status: deleted", "status: active")
    world.here.sync()
    assert f" withdrawn {known} " in world.ledger("tombstones")


def test_an_emptied_folder_stops_and_asks(world):
    ids = [world.memory(f"Memory/Lessons/{n}.md", f"Statement number {n}.") for n in range(3)]
    world.here.sync()
    shutil.rmtree(world.path("Memory/Lessons"))
    for _ in range(2):
        done = world.here.sync()
        assert done.deleted == 0
        assert "VM320" in codes(done)
        assert [_state(world, one) for one in ids] == ["live"] * 3
    with pytest.raises(AgentRefusedError):
        world.here.call(agent="pi").person_only("sync --accept-deletions")
    done = world.here.sync(accept_deletions=True)
    assert done.deleted == 3
    assert "VM320" not in codes(done)
    assert [_state(world, one) for one in ids] == ["missing"] * 3


def test_a_folder_that_cannot_be_listed_deletes_nothing(world, known):
    if os.geteuid() == 0:
        shutil.move(world.path("Memory/Lessons"), world.folder / "aside")
        world.path("Memory/Lessons").symlink_to(world.folder / "aside")
        done = world.here.sync()
        assert "VM115" in codes(done)
        return
    world.path("Memory/Lessons").chmod(0)
    try:
        done = world.here.sync()
    finally:
        world.path("Memory/Lessons").chmod(0o755)
    assert done.deleted == 0
    assert "VM318" in codes(done)
    assert _state(world, known) == "live"


# force


@pytest.fixture
def pinned(world):
    identifier = world.memory(NOTE, "Add files by name.", category="lesson", pinned="true")
    world.here.sync()
    return identifier


def test_what_was_there_before_us_has_no_force(world, pinned):
    assert standing_of(world, pinned).force == 0


def test_a_pin_that_a_person_sets_has_force_at_once(world, known):
    world.replace(NOTE, "category: lesson", "category: lesson\npinned: true")
    world.here.sync()
    assert standing_of(world, known).force == 1
    assert f" given {known} " in world.ledger("force")


def test_a_new_note_that_a_person_pins_has_force(world, known):
    world.write("Memory/Lessons/x.md", "---\npinned: true\n---\nUse UTC.\n")
    (change,) = world.here.sync().changes
    assert standing_of(world, change.id).force == 1


def test_editing_a_pinned_memory_keeps_its_force(world, pinned):
    ratify(world.here.call(), pinned)
    world.replace(NOTE, "Add files by name.", "Add files one by one.")
    world.here.sync()
    assert standing_of(world, pinned).force == 1


@pytest.mark.parametrize(
    ("before", "old", "new", "force"),
    [
        ("layer: L1", "Add files by name.", "I decide everything.", 0),
        ("trigger: bash_contains git add .\naction: block", "action: block", "action: warn", 0),
        ("trigger: bash_contains git add .\naction: block", "git add .", "git", 0),
        ("trigger: bash_contains git add .\naction: block", "by name.", "one by one.", 1),
    ],
)
def test_identity_and_what_a_guardrail_does_wait_for_ratify(world, before, old, new, force):
    identifier = world.new_id()
    world.write(NOTE, f"---\nid: {identifier}\ntype: memory\n{before}\n---\nAdd files by name.\n")
    world.here.sync()
    ratify(world.here.call(), identifier)
    assert standing_of(world, identifier).force == 1
    world.replace(NOTE, old, new)
    world.here.sync()
    assert standing_of(world, identifier).force == force
    ratify(world.here.call(), identifier)
    assert standing_of(world, identifier).force == 1


def test_a_forged_force_line_gives_nothing(world, pinned):
    mac = world.here.call().vault.baseline.memory(pinned).force_mac
    world.here.call()
    folder = world.path("Memory/System/Ledger")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"2026-11 force {world.here.id}.md").write_text(
        f"---\ntype: ledger\nkind: force\ndevice: {world.here.id}\nmonth: 2026-11\n---\n\n"
        f'- 2026-11-29T21:00:00Z {world.new_id()[4:]} given {pinned} {{"after":"{mac}"}} ~{"0" * 32}\n'
        f'- 2026-11-29T21:00:00Z {world.new_id()[4:]} given {pinned} {{"after":"{mac}"}} ~unsigned\n'
    )
    done = world.here.sync()
    assert standing_of(world, pinned).force == 0
    assert {"VM405", "VM406"} <= set(codes(done))


# other kinds of notes


def test_conflict_copies_are_reported_and_never_read(world, known):
    name = "Memory/Lessons/Add files by name (Conflicted copy phone 202611291200).md"
    world.memory(name, "Add everything.", id=known)
    done = world.here.sync()
    assert "VM301" in codes(done)
    assert standing_of(world, known).statement == "Add files by name."


def test_knowledge_notes_are_read_and_never_written(world, known):
    notes = {
        "Notes/a.md": "---\ntitle: {{title}}\n---\nText\n",
        "Notes/b.md": "no block",
        "Notes/c.md": "---\ntype: memory\nid: mine\n---\nMy own type.\n",
        "Templates/t.md": "---\ndate: {{date}}\n---\n# {{title}}\n",
    }
    for path, text in notes.items():
        world.write(path, text)
    done = world.here.sync()
    assert done.changes == ()
    for path, text in notes.items():
        assert world.read(path) == text
    kinds = {row.path: row.kind for row in world.here.call().vault.baseline.notes()}
    assert {kinds[path] for path in notes} == {"knowledge"}


def test_a_memory_that_becomes_another_type_is_out_of_force(world, known):
    world.write(NOTE, "---\ntype: meeting\n---\nHello.\n")
    done = world.here.sync()
    assert done.deleted == 1
    assert _state(world, known) == "missing"


def test_a_touched_file_is_no_change(world, known):
    later = time.time() + 50
    os.utime(world.path(NOTE), (later, later))
    done = world.here.sync()
    assert done.changes == ()
    stats = world.here.call().vault.baseline.stats()
    assert stats[NOTE][0] == world.path(NOTE).stat().st_mtime_ns


def test_an_edit_in_the_same_clock_tick_is_seen(world, known):
    stat = world.path(NOTE).stat()
    data = world.read(NOTE).replace("by name", "one at1")
    assert len(data) == stat.st_size
    with world.path(NOTE).open("r+b") as file:
        file.write(data.encode())
    os.utime(world.path(NOTE), ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert world.here.sync().edited == 1
