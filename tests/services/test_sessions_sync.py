"""Session files into the index: only what is new, tolerant, redacted, whatever happens to them."""

from __future__ import annotations

import shutil
import subprocess
import threading
from dataclasses import replace

from tests.services.sessioning import DOCS, Sessions
from tests.world import World
from vaultmem.core.session_record import PieceKind
from vaultmem.errors import BusyError, SearchError
from vaultmem.index.keyword.files import FolderLock
from vaultmem.services.sessions import sync as module
from vaultmem.services.sessions.documents import feed
from vaultmem.services.sessions.search import search_sessions
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.sync import reindex_sessions
from vaultmem.services.sessions.texts import Texts
from vaultmem.services.switch import WRITE, Place, switch
from vaultmem.store.sessions.catalog import NAME
from vaultmem.store.sessions.folders import SessionFolder
from vaultmem.store.sessions.lines import read_lines
from vaultmem.store.sessions.purged import add_purged

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def counts(done) -> tuple[int, int, int, int]:
    assert done.trouble is None
    return done.sessions, done.new, done.changed, done.gone


def test_only_what_was_added_is_read(sessions):
    talk = sessions.talk("Why is the docker build slow?")
    sessions.talk("Write the docs")
    assert counts(sessions.sync()) == (2, 2, 0, 0)

    first = sessions.sync()
    assert (counts(first), first.entries) == ((2, 0, 0, 0), 0)
    talk.answered("The cache of the kubernetes layer is cold.")
    second = sessions.sync()
    assert (counts(second), second.entries) == ((2, 0, 1, 0), 1)
    assert sessions.found("kubernetes layer") == [talk.id]


def test_what_is_read_in_steps_is_what_is_read_at_once(sessions):
    talk = sessions.talk()
    steps = [
        lambda: talk.said("Why is the docker build slow?"),
        lambda: talk.answered("Cold cache.", tools=(("c1", "edit", {"path": "a.py"}),)),
        lambda: talk.done("c1", "edit"),
        lambda: talk.compacted("First try.", first_kept="k"),
        lambda: talk.compacted("Second try.", first_kept="k"),
        lambda: talk.said("#decision warm the cache"),
        lambda: talk.named("Docker"),
    ]
    for step in steps:
        step()
        sessions.sync()
    catalog = sessions.index.catalog
    in_steps = [row.record for row in catalog.rows()], [one.piece for one in catalog.pieces()]

    reindex_sessions(sessions.call(), sessions.index)

    at_once = [row.record for row in catalog.rows()], [one.piece for one in catalog.pieces()]
    assert at_once == in_steps
    assert sessions.found("second") == [talk.id]
    assert sessions.found("first") == []  # that summary was tried again


def test_governed_row_102_a_file_without_a_header_is_no_session(sessions):
    talk = sessions.talk("A telling sentence")
    lines = talk.path.read_bytes().split(b"\n")
    (sessions.folder / "headless.jsonl").write_bytes(b"\n".join(lines[1:]))
    (sessions.folder / "empty.jsonl").write_bytes(b"")
    (sessions.folder / "nameless.jsonl").write_bytes(b'{"type": "session", "id": ""}\n')

    assert counts(sessions.sync()) == (1, 1, 0, 0)
    assert counts(sessions.sync()) == (1, 0, 0, 0)


def test_a_session_whose_file_loses_its_header_is_forgotten(sessions):
    talk = sessions.talk("A telling sentence")
    sessions.sync()
    talk.path.write_bytes(b"{}\n")

    assert counts(sessions.sync()) == (0, 0, 0, 1)
    assert sessions.found("telling") == []


def test_broken_lines_and_a_byte_order_mark_do_not_matter(sessions):
    talk = sessions.talk("Before")
    talk.path.write_bytes(b"\xef\xbb\xbf" + talk.path.read_bytes())
    talk.raw(b"{broken\n\xff\xfe\x00\n\n[1]\n")
    talk.said("A telling sentence")

    done = sessions.sync()

    assert done.passed_over == 3
    assert sessions.found("telling") == [talk.id]


def test_a_line_that_is_still_being_written_waits(sessions):
    talk = sessions.talk("Before")
    whole = talk.path.read_bytes()
    talk.said("A telling sentence")
    more = talk.path.read_bytes()[len(whole) :]
    talk.path.write_bytes(whole + more[:40])
    assert sessions.sync().entries == 1
    assert sessions.found("telling") == []

    talk.path.write_bytes(whole + more)
    assert sessions.sync().entries == 1
    assert sessions.found("telling") == [talk.id]


def test_a_last_line_without_its_end_counts_once_it_is_whole(sessions):
    talk = sessions.talk("A telling sentence")
    talk.path.write_bytes(talk.path.read_bytes().rstrip(b"\n"))
    assert sessions.sync().entries == 1

    talk.raw(b"\n").said("Something else")
    assert sessions.sync().entries == 1
    assert sessions.index.catalog.rows()[0].record.messages == 2


def test_a_line_that_is_too_long_is_passed_over(sessions, monkeypatch):
    monkeypatch.setattr("vaultmem.store.sessions.lines.MAX_LINE", 600)
    talk = sessions.talk("Before")
    talk.message("toolResult", "x" * 5_000)
    talk.said("A telling sentence")

    assert sessions.sync().passed_over == 1
    assert sessions.found("telling") == [talk.id]


def test_a_file_that_was_rewritten_is_read_anew(sessions):
    talk = sessions.talk("Old quokka", "Middle")
    sessions.sync()
    data = talk.path.read_bytes().replace(b"quokka", b"wombat")
    talk.path.write_bytes(data + b"\n")

    sessions.sync()

    assert sessions.found("quokka") == []
    assert sessions.found("wombat") == [talk.id]


def test_a_deleted_file_is_forgotten(sessions):
    talk = sessions.talk("A telling sentence")
    sessions.sync()
    talk.path.unlink()

    assert counts(sessions.sync()) == (0, 0, 0, 1)
    assert sessions.found("telling") == []


def test_a_folder_that_is_not_there_now_keeps_its_sessions(sessions):
    talk = sessions.talk("A telling sentence")
    sessions.sync()
    away = sessions.folder.rename(sessions.folder.with_name("away"))

    done = sessions.sync()
    assert counts(done) == (1, 0, 0, 0)
    assert [one.code for one in done.findings] == ["VM940"]
    assert sessions.found("telling") == []  # its text cannot be read now

    away.rename(sessions.folder)
    assert sessions.found("telling") == [talk.id]


def test_sessions_of_a_folder_that_is_not_used_any_more_stay(sessions):
    sessions.talk("A telling sentence")
    sessions.sync()
    other = sessions.opened(SessionFolder(sessions.folder.parent))

    assert module.sync_sessions(sessions.call(), other).gone == 0


def test_a_file_that_cannot_be_read_is_told_and_stops_nothing(sessions, monkeypatch):
    talk, other = sessions.talk("A telling sentence"), sessions.talk("Another telling one")
    real = module.read_session_file

    def read(path, *rest):
        if path == str(talk.path):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(module, "read_session_file", read)

    done = sessions.sync()

    assert [one.path for one in done.findings] == [str(talk.path)]
    assert sessions.found("telling") == [other.id]


def test_no_secret_reaches_the_index(sessions):
    talk = sessions.talk(
        f"The zeppelin token is {SECRET}", f"#decision keep {SECRET} out", name="s" * 20
    )
    talk.answered(f"I will use {SECRET} then")
    talk.compacted(f"The user gave {SECRET}")
    talk.named(f"Talk about {SECRET}")
    sessions.sync()

    assert sessions.found("zeppelin token") == [talk.id]
    assert sessions.bytes_with(SECRET) == set()


def test_a_secret_that_is_cut_off_is_not_kept(sessions):
    sessions.talk("x " * 1_490 + f" token {SECRET}").answered("y " * 485 + SECRET)
    sessions.sync()

    assert sessions.bytes_with(SECRET[:24]) == set()


def test_a_project_is_that_of_the_main_checkout_also_in_a_worktree(sessions, tmp_path):
    main, tree = tmp_path / "main", tmp_path / "elsewhere" / "tree"
    main.mkdir()
    git = ["git", "-C", str(main), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (
        ["init", "-q"],
        ["remote", "add", "origin", "https://example.org/acme/shop.git"],
        ["commit", "-q", "--allow-empty", "-m", "one"],
        ["worktree", "add", "-q", str(tree)],
    ):
        subprocess.run([*git, *words], check=True)
    sessions.talk("One", cwd=str(main))
    sessions.talk("Two", cwd=str(tree))
    sessions.sync()

    projects = [row.project for row in sessions.index.catalog.rows()]
    assert projects == ["example.org/acme/shop"] * 2

    shutil.rmtree(tree)
    reindex_sessions(sessions.call(), sessions.index)
    assert [row.project for row in sessions.index.catalog.rows()] == projects


def test_a_session_without_a_folder_has_the_project_of_its_slug(sessions):
    talk = sessions.talk("One")
    data = talk.path.read_bytes().replace(b'"cwd": "/projects/shop"', b'"cwd": ""')
    talk.path.write_bytes(data)
    sessions.sync()

    assert [row.project for row in sessions.index.catalog.rows()] == ["shop"]


def test_what_may_not_be_remembered_is_not_indexed(sessions):
    talk, other = sessions.talk("A telling sentence"), sessions.talk("A telling one", cwd=DOCS)
    sessions.sync()
    switch(sessions.call(), [WRITE], Place(session=talk.id), off=True)
    switch(sessions.call(), [WRITE], Place(project="docs"), off=True)

    assert counts(sessions.sync()) == (0, 0, 0, 2)
    assert counts(sessions.sync()) == (0, 0, 0, 0)
    assert sessions.found("telling") == []
    switch(sessions.call(), [WRITE], Place(), off=False)
    assert sorted(sessions.found("telling")) == sorted([talk.id, other.id])


def test_reindexing_reads_everything_anew(sessions):
    talk = sessions.talk("A telling sentence")
    sessions.sync()

    assert counts(reindex_sessions(sessions.call(), sessions.index)) == (1, 1, 0, 0)
    assert sessions.found("telling") == [talk.id]


def test_a_damaged_catalog_is_read_anew_by_the_next_command(sessions):
    talk = sessions.talk("A telling sentence")
    sessions.sync()
    sessions.close()
    (sessions.index.folder / NAME).write_bytes(b"no database " * 500)

    done = sessions.sync()
    assert done.trouble is not None
    assert sessions.found("telling") == [talk.id]


def test_a_damaged_catalog_can_be_reindexed(sessions, monkeypatch):
    sessions.talk("A telling sentence")
    sessions.sync()

    def damaged() -> None:
        raise SearchError

    monkeypatch.setattr(sessions.index.catalog, "wipe", damaged)
    assert counts(reindex_sessions(sessions.call(), sessions.index)) == (1, 0, 0, 0)


def test_another_process_that_writes_is_named(sessions):
    sessions.talk("A telling sentence")
    sessions.index.engine._wait = 0.05
    folder = sessions.index.folder / "index" / "words"
    folder.mkdir(parents=True)
    with FolderLock(folder, 1.0):
        assert sessions.sync().trouble is not None


def test_a_catalog_that_is_written_by_another_process_is_named(sessions, monkeypatch):
    monkeypatch.setattr("vaultmem.store.sessions.catalog._WAIT_SECONDS", 0.05)
    sessions.talk("A telling sentence")
    sessions.close()
    other = sessions.opened().catalog
    with other.changing():
        assert sessions.sync().trouble is not None
        assert reindex_sessions(sessions.call(), sessions.index).trouble is not None


def test_a_catalog_that_is_busy_while_the_index_is_fed_is_named(sessions, monkeypatch):
    def busy(*_):
        raise BusyError("Another vaultmem is reading. Run the command again later.")

    sessions.talk("A telling sentence")
    monkeypatch.setattr(module, "feed", busy)

    done = sessions.sync()
    assert (done.sessions, done.trouble) == (
        1,
        "Another vaultmem is reading. Run the command again later.",
    )
    monkeypatch.undo()
    assert len(sessions.found("telling")) == 1


def test_several_processes_may_look_at_once(sessions):
    for number in range(12):
        sessions.talk(f"A telling sentence {number}", f"Another one {number}")
    vault, home = sessions.world.vault, sessions.world.here.home

    def look() -> None:
        world = World.attach(vault, home, seed=9)
        other = Sessions(world)
        other.sync()
        other.close()
        world.close()

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counts(sessions.sync()) == (12, 0, 0, 0)
    assert len(sessions.index.catalog.pieces()) == 36
    assert len(sessions.found("telling", limit=20)) == 12


def test_a_state_that_the_index_does_not_know_is_fed_whole(sessions):
    sessions.talk("A telling sentence")
    sessions.sync()
    catalog, call = sessions.index.catalog, sessions.call()
    uid, _, seq = catalog.stamp.partition(":")

    for stamp in (None, "junk", "other:1", f"{uid}:x", f"{uid}:{int(seq) + 1}"):
        assert feed(call, catalog, stamp).complete
    assert list(feed(call, catalog, catalog.stamp).upserts) == []


def test_progress_is_told(sessions):
    for number in range(3):
        sessions.talk(f"One {number}")
    seen: list[int] = []

    module.sync_sessions(sessions.call(), sessions.index, progress=seen.append)

    assert seen == [1, 2, 3]


def test_the_vault_is_not_touched(sessions):
    before = sessions.world.snapshot()
    talk = sessions.talk("A telling sentence")
    file = talk.path.read_bytes()
    sessions.sync()
    sessions.found("telling")

    assert sessions.world.snapshot() == before
    assert talk.path.read_bytes() == file


def test_what_another_process_read_meanwhile_stays(sessions, monkeypatch):
    talk = sessions.talk("Before")
    sessions.sync()
    talk.said("A telling sentence")
    real, other = module.read_session_file, sessions.opened()

    def read(*rest):
        found = real(*rest)
        with monkeypatch.context() as patch:
            patch.setattr(module, "read_session_file", real)
            assert module.sync_sessions(sessions.call(), other).changed == 1
        return found

    monkeypatch.setattr(module, "read_session_file", read)

    assert counts(sessions.sync()) == (1, 0, 0, 0)
    monkeypatch.undo()
    assert counts(sessions.sync()) == (1, 0, 0, 0)
    assert sessions.found("telling") == [talk.id]


def test_a_file_that_goes_while_it_is_fed_is_left_out(sessions):
    talk, other = sessions.talk("A telling sentence"), sessions.talk("Another telling sentence")
    sessions.sync()
    talk.path.unlink()
    catalog = sessions.index.catalog

    texts = [one.body for one in feed(sessions.call(), catalog, None).upserts]
    assert "Another telling sentence" in texts
    assert "A telling sentence" not in texts
    catalog.drop([row.number for row in catalog.rows()])
    gone = feed(sessions.call(), catalog, None)
    assert list(gone.upserts) == []
    assert other.id


def test_summaries_are_embedded_at_once_where_there_is_a_model(by_meaning, fake):
    by_meaning.talk("Start").compacted("The retry loop")
    by_meaning.sync()
    assert module.embed_summaries(by_meaning.index) == (1, None)
    assert module.embed_summaries(by_meaning.index) == (0, None)
    by_meaning.talk("Start").compacted("Another loop")
    by_meaning.sync()
    fake.missing, fake.loaded = True, False
    embedded, trouble = module.embed_summaries(by_meaning.index)
    assert (embedded, trouble) == (0, "The fake model is missing. Install it.")


def test_a_cache_that_cannot_be_written_is_named(sessions):
    sessions.talk("A telling sentence")
    place = sessions.index.folder / NAME
    place.mkdir(parents=True)

    assert "cannot be kept" in (sessions.sync().trouble or "")
    done = search_sessions(sessions.call(), sessions.index, "telling")
    assert (done.hits, "cannot be kept" in (done.degraded or "")) == ((), True)


def test_a_piece_says_nothing_where_its_line_is_no_talk_or_may_not_be_kept(sessions):
    talk = sessions.talk("A telling sentence")
    talk.done("c1", "bash")
    sessions.sync()
    call, catalog = sessions.call(), sessions.index.catalog
    (turn,) = [one for one in catalog.pieces() if one.piece.kind is PieceKind.TURN]
    tool = list(read_lines(str(talk.path)))[-1].span

    def said(one):
        text = Texts(catalog, Silence(call)).of(one)
        return None if text is None else text.said

    assert said(turn) == "A telling sentence"
    assert said(turn._replace(session=99)) is None
    assert said(turn._replace(piece=replace(turn.piece, entry="00000002", said=tool))) is None
    assert said(turn._replace(piece=replace(turn.piece, said=None))) is None
    with call.vault.lock():
        add_purged(call.vault.state.folder, [(talk.id, "00000001")])
    assert said(turn) is None
