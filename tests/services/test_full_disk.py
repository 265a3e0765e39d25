"""A disk without room stops no reading, loses nothing, and says so once."""

from __future__ import annotations

import errno
import os
import resource
from contextlib import contextmanager

import pytest

from tests.index.fake import FakeEmbedder
from vaultmem.core.model import Category
from vaultmem.errors import DiskFullError, VaultError
from vaultmem.index.hybrid import Mode
from vaultmem.notes.candidate import Decision
from vaultmem.services.capture import Wish, add
from vaultmem.services.curating.foresee import list_waiting
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.inbox import decide
from vaultmem.services.report import report
from vaultmem.services.search import embed_for_a_moment, search
from vaultmem.services.show import show
from vaultmem.services.status import status
from vaultmem.services.why import why
from vaultmem.store.disk import DISK

NOTE = "Memory/Lessons/a.md"


@pytest.fixture
def known(world):
    identifier = world.memory(NOTE, "Add files by name.", category="lesson")
    world.here.sync()
    return identifier


@pytest.fixture
def full(monkeypatch):
    """Let no byte be written below a folder any more; files can still be opened and removed."""

    def fill(folder, number=errno.ENOSPC):
        no_room = OSError(number, os.strerror(number))
        opened: set[int] = set()
        for step in ("open_new", "open_append"):
            original = getattr(DISK, step)

            def note(path, *rest, original=original):
                descriptor = original(path, *rest)
                (opened.add if str(path).startswith(str(folder)) else opened.discard)(descriptor)
                return descriptor

            monkeypatch.setattr(DISK, step, note)
        write, make = DISK.write, DISK.make_folder

        def refuse(descriptor, data):
            if descriptor in opened:
                os.write(descriptor, data[:9])  # what fits into the last block
                raise no_room
            write(descriptor, data)

        def refuse_folder(path, *rest):
            if str(path).startswith(str(folder)) and not path.is_dir():
                raise no_room
            make(path, *rest)

        monkeypatch.setattr(DISK, "write", refuse)
        monkeypatch.setattr(DISK, "make_folder", refuse_folder)

    return fill


@contextmanager
def no_room_at_all():
    """No file of this process may grow, so that SQLite cannot make the files that it needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _search(app):
    return search(app.call(), app.engine, "files", mode=Mode.KEYWORD)


def _doctor(app):
    return doctor(app.call(), set_up=(), crash_log=app.home.crash_log)


READERS = {
    "report": lambda app, _: report(app.call()).text,
    "search": lambda app, _: _search(app).hits,
    "status": lambda app, _: sum(status(app.call(), why="", model="").memories.values()),
    "doctor": lambda app, _: _doctor(app).findings,
    "inbox": lambda app, _: list_waiting(app.call()) == [],
    "show": lambda app, name: show(app.call(), name).statement,
    "why": lambda app, name: why(app.call(), name).statement,
}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_vault_stops_no_reading(world, known, full, monkeypatch, number):
    _search(world.here.app())
    world.replace(NOTE, "category: lesson", "category: lesson\npinned: true")
    world.write("Memory/Lessons/new.md", "A note without an id.\n")
    full(world.vault, number)
    for verb, read in READERS.items():
        app = world.here.app()
        assert read(app, known), verb
        assert app.put_off.code == "VM322", verb
        assert "disk is full" in app.put_off.message
    assert app.vault.baseline.standing(known).pinned == 1, "the edit is in force"
    monkeypatch.undo()
    done = world.here.sync()
    assert "VM322" not in [one.code for one in done.findings]
    assert done.created == 1
    assert world.ledger().count(f" edited {known} ") == 1
    assert world.ledger("force").count(f" given {known} ") == 1


@pytest.mark.parametrize("elsewhere", [True, False])
def test_lines_that_waited_for_room_are_not_called_lost(world, known, full, monkeypatch, elsewhere):
    """The ledger was changed since the last look, and is written before it is read."""
    edit(world.here.call(), known, statement="Add one by one.", properties={})
    world.here.sync()
    world.replace(NOTE, "category: lesson", "category: lesson\npinned: true")
    full(world.vault)
    world.here.sync()
    monkeypatch.undo()
    (ledger,) = world.path("Memory/System/Ledger").glob("* activity *.md")
    if elsewhere:  # a plugin or the sync program saved it again
        ledger.write_bytes(ledger.read_bytes() + b"\n")
    assert "VM316" not in [one.code for one in world.here.sync().findings]
    left = {one.code for one in world.here.sync().findings}
    assert left <= {"VM408"}, "what fitted into the last block is a cut line"
    assert world.ledger().count(f" edited {known} ") == 2


def test_the_reports_that_have_findings_name_the_full_disk(world, known, full):
    world.replace(NOTE, "category: lesson", "category: lesson\npinned: true")
    full(world.vault)
    app = world.here.app()
    for findings in (
        _doctor(app).findings,
        report(app.call()).findings,
        status(app.call(), why="", model="").settings,
        world.here.sync().findings,
    ):
        assert "disk is full" in next(one.message for one in findings if one.code == "VM322")


def test_a_full_vault_refuses_what_writes_in_one_sentence_and_loses_nothing(
    world, known, full, monkeypatch
):
    app = world.here.app(agent="pi")
    held = add(app.call(), app.engine, Wish(text="Use UTC.", category=Category.PATTERN))
    before = world.notes()
    full(world.vault)
    person = world.here.app()
    for write in (
        lambda: edit(person.call(), known, statement="Add one by one.", properties={}),
        lambda: add(person.call(), person.engine, Wish(text="Say it.", category=Category.LESSON)),
        lambda: decide(person.call(), held.id, Decision.APPROVE),
    ):
        with pytest.raises(DiskFullError, match=r"disk is full .* Free some space") as told:
            write()
        assert str(told.value).count(". ") == 1
    assert world.notes() == before
    monkeypatch.undo()
    world.here.sync()  # an approval that was begun is finished; the others are to be said again
    made = held.path.replace("Inbox", "Patterns")
    changed = {path for path in world.notes() if path not in before and "/System/" not in path}
    assert changed == {made}
    assert world.read(NOTE).encode() == before[NOTE]
    left = {one.code for one in world.here.sync().findings}
    assert left <= {"VM408"}, "what fitted into the last block is a cut line"


def test_an_agents_edit_on_a_full_disk_is_held_without_a_candidate(world, known, full):
    world.replace(NOTE, "by name", "in one go")
    full(world.vault)
    assert world.here.sync(agent="pi").external == 1
    assert world.here.call().vault.baseline.standing(known).statement == "Add files by name."


def test_what_is_put_into_the_inbox_of_a_full_disk_waits(world, known, full, monkeypatch):
    world.write("Memory/Inbox/x.md", "Use UTC in every table.\n")
    full(world.vault)
    assert "VM315" in [one.code for one in world.here.sync().findings]
    monkeypatch.undo()
    world.replace("Memory/Inbox/x.md", "table.", "tables.")
    world.here.sync()
    assert len(list_waiting(world.here.call())) == 1


def test_a_full_state_folder_stops_no_reading(world, known):
    _search(world.here.app())
    world.here.close()
    world.replace(NOTE, "by name", "one by one")
    for verb, read in READERS.items():
        app = world.here.app()
        with no_room_at_all():
            assert read(app, known), verb
            assert app.vault.baseline.standing(known).statement == "Add files by name."
        assert app.put_off.code == "VM322", verb
        assert "does not count yet" in app.put_off.message
        world.here.close()
    assert world.here.sync().edited == 1


def test_a_full_state_folder_refuses_what_writes(world, known):
    world.here.close()
    world.write("Memory/Lessons/b.md", "Use tabs.\n")
    before = world.snapshot()
    with no_room_at_all(), pytest.raises(DiskFullError, match="disk is full"):
        edit(world.here.call(), known, statement="Add one by one.", properties={})
    world.here.close()
    assert world.snapshot() == before


def test_a_state_that_a_killed_process_left_half_merged_is_not_read_without_room(world, known):
    """What is in the log beside the file counts, and cannot be read without more files."""
    world.here.close()
    state = world.here.home / "state" / world.here.call().vault.state.vault_id
    world.here.close()
    (state / "baseline.sqlite-wal").write_bytes(b"x")
    with no_room_at_all(), pytest.raises(VaultError, match="free space"):
        report(world.here.call())


def test_a_state_that_cannot_be_begun_without_room_says_what_to_do(world):
    world.here.call()
    world.here.close()
    folder = next((world.here.home / "state").glob("vault_*"))
    for file in folder.glob("baseline.sqlite*"):
        file.unlink()
    with no_room_at_all(), pytest.raises(VaultError, match="free space"):
        report(world.here.call())
    assert report(world.here.call()).text == ""


def test_a_lock_that_finds_no_room_says_so(world, known, monkeypatch):
    def full(_lock):
        raise OSError(errno.ENOSPC, "No space left on device")

    world.here.close()
    monkeypatch.setattr("filelock.FileLock._acquire", full)
    vault = world.here.call().vault
    with pytest.raises(DiskFullError, match=r"lock .* disk is full"), vault.lock():
        pass


def test_a_full_cache_stops_neither_search_nor_add(world, known, full):
    _search(world.here.app())
    full(world.here.home / "cache")
    app = world.here.app()
    assert _search(app).hits
    done = add(app.call(), app.engine, Wish(text="Use UTC in tables.", category=Category.PATTERN))
    assert done.outcome == "added"


def test_without_room_for_the_vectors_words_answer_and_nothing_is_begun_anew(world, known):
    def opened():
        app = world.here.app()
        app._embedder = FakeEmbedder
        return app

    app = opened()
    embed_for_a_moment(app.engine)
    search(app.call(), app.engine, "files")
    world.here.close()
    vectors = next((world.here.home / "cache").glob("vault_*/index/**/vectors.sqlite"))
    before = vectors.stat().st_ino
    app = opened()
    with no_room_at_all():
        embed_for_a_moment(app.engine)
        found = search(app.call(), app.engine, "files")
    assert [hit.id for hit in found.hits] == [known]
    assert "cannot be written" in found.degraded
    assert vectors.stat().st_ino == before
