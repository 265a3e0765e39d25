"""The catalog of session files: rows that survive, changes with numbers, damage, several at once."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.session_record import (
    Compaction,
    Decision,
    Piece,
    PieceKind,
    SessionRecord,
    Span,
)
from vaultmem.errors import BusyError, ReadOnlyError, SearchError
from vaultmem.store.sessions import catalog as module
from vaultmem.store.sessions.catalog import NAME, Catalog
from vaultmem.store.sessions.lines import MAX_LINE, guard_of, read_lines, read_spans
from vaultmem.store.sessions.purged import NAME as PURGED
from vaultmem.store.sessions.purged import add_purged, read_purged
from vaultmem.store.sessions.rows import SessionRow, project_folder
from vaultmem.store.sessions.told import MOST_SESSIONS, Told, keep_told, read_told

TURN = Piece(number=1, kind=PieceKind.TURN, entry="u1", at=5.5, said=Span(0, 9), answer=Span(9, 4))
SUMMARY = Piece(number=2, kind=PieceKind.COMPACTION, entry="c1", at=6.0, said=Span(13, 7))
RECORD = SessionRecord(
    id="s1",
    cwd="/p",
    parent="/old.jsonl",
    started=1.5,
    ended=6.0,
    name="Talk",
    first="Why?",
    messages=3,
    models=("m",),
    tools=("edit",),
    files=("a.py",),
    decisions=(Decision(entry="u1", at=5.5, text="#decision x"),),
    cost=0.25,
    tokens=12,
    pieces=2,
    turn=TURN,
    calls=(("c1", "a.py"),),
    compaction=Compaction(number=2, first_kept="u1", chain=("c1", "x1")),
    digests=("ab",),
)
ROW = SessionRow(0, "/s/one.jsonl", "acme/shop", False, 20, 77, 20, "guard", 1, RECORD)


@pytest.fixture
def catalog(tmp_path):
    made = Catalog(tmp_path / "sessions")
    yield made
    made.close()


def seq(catalog: Catalog) -> int:
    return int(catalog.stamp.partition(":")[2])


def paths(rows) -> list[str]:
    return [row.path for row in rows]


def test_a_session_and_its_pieces_come_back_as_they_were(catalog):
    assert not catalog.exists
    assert catalog.put(ROW, [TURN, SUMMARY], [], before=None)

    (row,) = catalog.rows()
    assert row == ROW._replace(number=row.number)
    assert catalog.row(row.number) == row
    assert catalog.row(99) is None
    assert catalog.count() == 1
    head, turn, summary = catalog.pieces()
    assert head.piece.kind is PieceKind.HEAD
    assert (turn.piece, summary.piece) == (TURN, SUMMARY)
    assert turn.path == f"acme%2Fshop/{row.number}/1"
    assert catalog.piece(turn.path) == turn
    assert catalog.piece("nothing") is None
    assert catalog.exists


def test_a_record_without_optional_parts_comes_back(catalog):
    bare = ROW._replace(record=SessionRecord(id="s1", cwd=""))
    catalog.put(bare, [replace(TURN, said=None)], [], before=None)

    assert catalog.rows()[0].record == bare.record
    assert catalog.pieces()[1].piece.said is None


def test_changes_are_told_since_a_number(catalog):
    catalog.put(ROW, [TURN, SUMMARY], [], before=None)
    before, (row,) = seq(catalog), catalog.rows()
    later = row._replace(done=40, changed=78)
    catalog.put(later, [replace(TURN, answer=Span(20, 5))], [2], before=row)

    changes = catalog.changes_since(before)
    assert paths(changes.pieces) == [f"{row.folder}/0", f"{row.folder}/1"]
    assert changes.gone == [f"{row.folder}/2"]
    assert paths(catalog.pieces()) == paths(changes.pieces)
    assert catalog.changes_since(seq(catalog)) == ([], [])


def test_a_file_that_is_read_anew_replaces_all_of_its_pieces(catalog):
    catalog.put(ROW, [TURN, SUMMARY], [], before=None)
    before = seq(catalog)
    catalog.put(ROW, [TURN], [], before=None)

    (row,) = catalog.rows()
    assert catalog.changes_since(before).gone == [f"{row.folder}/2"]
    assert paths(catalog.pieces()) == [f"{row.folder}/0", f"{row.folder}/1"]


def test_what_another_process_read_meanwhile_is_not_overwritten(catalog):
    catalog.put(ROW, [TURN], [], before=None)
    (row,) = catalog.rows()
    assert catalog.put(row._replace(done=30), [SUMMARY], [], before=row)

    assert not catalog.put(row._replace(done=25), [TURN], [1], before=row)
    assert catalog.rows()[0].done == 30


def test_a_dropped_session_takes_its_pieces_along(catalog):
    catalog.put(ROW, [TURN], [], before=None)
    (row,), before = catalog.rows(), seq(catalog)
    catalog.drop([row.number])

    assert catalog.rows() == []
    assert catalog.changes_since(before).gone == [f"{row.folder}/0", f"{row.folder}/1"]


def test_wiping_begins_anew_but_keeps_the_projects_of_folders(catalog):
    catalog.put(ROW, [TURN], [], before=None)
    catalog.remember_project("/gone", "acme/shop")
    catalog.set_folders(["/s"])
    stamp = catalog.stamp
    catalog.wipe()

    assert (catalog.rows(), catalog.pieces(), catalog.folders()) == ([], [], ())
    assert catalog.stamp != stamp
    assert catalog.project("/gone") == "acme/shop"
    assert catalog.project("/other") is None


def test_the_folders_that_were_looked_into_are_known(catalog):
    catalog.set_folders(["/one", "/two"])
    catalog.set_folders(["/one", "/two"])

    assert catalog.folders() == ("/one", "/two")


def test_a_family_is_a_session_with_its_copies_parents_and_forks(catalog):
    def put(file: str, name: str, parent: str = "") -> int:
        record = SessionRecord(id=name, cwd="", parent=parent)
        catalog.put(ROW._replace(file=file, record=record), [], [], before=None)
        return next(row.number for row in catalog.rows() if row.file == file)

    parent = put("/s/p", "p")
    mine = put("/s/m", "m", "/s/p")
    copy = put("/s/copy", "m")
    fork = put("/s/f", "f", "/s/m")
    put("/s/x", "x")

    assert catalog.family("m") == {parent, mine, copy, fork}
    assert catalog.family("nobody") == frozenset()


def test_projects_never_lie_in_one_another():
    assert project_folder("acme/shop") == "acme%2Fshop"
    assert project_folder("acme/shop", archived=True) != project_folder("acme/shop")
    assert project_folder("") == "-"


def test_a_section_keeps_its_order_and_old_ones_are_forgotten(catalog):
    told = [Told("p/1/1", "e1", 3), Told("p/2/1", "e2", 0)]
    keep_told(catalog, "first", told, 1.0)
    keep_told(catalog, "first", told[::-1], 2.0)
    assert read_told(catalog, "first") == tuple(told[::-1])

    for number in range(MOST_SESSIONS):
        keep_told(catalog, f"s{number}", told[:1], 3.0 + number)
    assert read_told(catalog, "first") == ()
    assert read_told(catalog, "s0") == (told[0],)
    keep_told(catalog, "s0", [], 99.0)
    assert read_told(catalog, "s0") == ()


def test_scrubbing_leaves_nothing_of_what_was_dropped(catalog, tmp_path):
    record = replace(RECORD, first="a telltale sentence")
    catalog.put(ROW._replace(record=record), [TURN], [], before=None)
    catalog.drop([catalog.rows()[0].number])
    catalog.scrub()

    files = [path.read_bytes() for path in (tmp_path / "sessions").iterdir()]
    assert not any(b"telltale" in data for data in files)


def test_scrubbing_waits_for_readers(catalog, tmp_path):
    catalog.put(ROW, [TURN], [], before=None)
    other = sqlite3.connect(tmp_path / "sessions" / NAME, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM pieces").fetchall()
    try:
        with pytest.raises(BusyError):
            catalog.scrub()
    finally:
        other.close()


def test_another_writer_is_named(catalog, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_WAIT_SECONDS", 0.05)
    catalog.put(ROW, [TURN], [], before=None)
    catalog.close()
    other = sqlite3.connect(tmp_path / "sessions" / NAME, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(BusyError):
            catalog.drop([1])
        assert len(catalog.rows()) == 1
    finally:
        other.close()


def test_a_change_that_fails_is_undone(catalog):
    catalog.put(ROW, [TURN], [], before=None)

    def fail() -> None:
        with catalog.changing() as sql:
            sql.execute("DELETE FROM sessions")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert len(catalog.rows()) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda place: place.write_bytes(b"no database " * 400),
        lambda place: _run(place, "UPDATE sessions SET record = '{'"),
        lambda place: _run(place, "UPDATE sessions SET record = '{}'"),
        lambda place: _run(place, "UPDATE sessions SET size = 'many'"),
        lambda place: _run(place, "DROP TABLE sessions"),
    ],
)
def test_a_damaged_file_is_removed_and_begun_anew(catalog, tmp_path, damage):
    catalog.put(ROW, [TURN], [], before=None)
    catalog.close()
    damage(tmp_path / "sessions" / NAME)

    try:
        found = catalog.rows()
    except SearchError:
        found = catalog.rows()

    assert found == []


def test_a_damaged_piece_is_noticed(catalog, tmp_path):
    catalog.put(ROW, [TURN], [], before=None)
    catalog.close()
    _run(tmp_path / "sessions" / NAME, "UPDATE pieces SET kind = 'verse'")

    with pytest.raises(SearchError):
        catalog.pieces()


def test_a_catalog_of_another_form_is_begun_anew(catalog, tmp_path):
    catalog.put(ROW, [TURN], [], before=None)
    catalog.close()
    _run(tmp_path / "sessions" / NAME, "UPDATE meta SET value = '0' WHERE name = 'format'")

    assert catalog.rows() == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    folder = tmp_path / "sessions"
    folder.mkdir(mode=0o700)
    (folder / NAME).mkdir()

    with pytest.raises(ReadOnlyError):
        Catalog(folder).rows()


def test_a_file_that_may_not_be_written_is_named(catalog):
    catalog.put(ROW, [TURN], [], before=None)
    with catalog.using() as sql:
        sql.execute("PRAGMA query_only = ON")

    with pytest.raises(ReadOnlyError):
        catalog.drop([1])


def test_it_is_private(catalog, tmp_path):
    catalog.put(ROW, [TURN], [], before=None)

    assert (tmp_path / "sessions").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "sessions" / NAME).stat().st_mode & 0o777 == 0o600


def _run(place, command: str) -> None:
    db = sqlite3.connect(place)
    db.execute(command)
    db.commit()
    db.close()


# Lines


def test_lines_come_with_their_places_from_any_start(tmp_path):
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"one\n\ntwo\nthr")

    found = list(read_lines(str(file)))
    assert [(line.span, line.data, line.ends) for line in found] == [
        ((0, 4), b"one\n", True),
        ((4, 1), b"\n", True),
        ((5, 4), b"two\n", True),
        ((9, 3), b"thr", False),
    ]
    assert list(read_lines(str(file), 5)) == found[2:]
    assert read_spans(str(file), [Span(5, 4), Span(9, 99)]) == (b"two\n", b"thr")


@given(st.binary(max_size=300))
def test_lines_cover_the_file_without_gaps(data):
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        found = list(read_lines(file.name))

    assert b"".join(line.data or b"" for line in found) == data
    assert [line.span.start for line in found] == [
        sum(one.span.length for one in found[:number]) for number in range(len(found))
    ]


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_that_is_too_long_is_passed_over(tmp_path, end, monkeypatch):
    monkeypatch.setattr("vaultmem.store.sessions.lines.MAX_LINE", 10)
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"short\n" + b"x" * 35 + end)

    lines = list(read_lines(str(file)))

    assert [(line.data, line.ends) for line in lines] == [(b"short\n", True), (None, bool(end))]
    assert lines[1].span == (6, 35 + len(end))
    assert MAX_LINE > 1_000_000


def test_a_guard_tells_a_file_that_was_replaced(tmp_path):
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"a" * 100 + b"b" * 100)
    guard = guard_of(str(file), 150)
    file.write_bytes(b"a" * 100 + b"b" * 300)
    assert guard_of(str(file), 150) == guard
    file.write_bytes(b"a" * 400)
    assert guard_of(str(file), 150) != guard
    file.write_bytes(b"a" * 100)
    assert guard_of(str(file), 150) == ""
    assert guard_of(str(file), 0) != ""


def test_only_regular_files_are_read(tmp_path):
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"{}\n")
    (tmp_path / "link.jsonl").symlink_to(file)
    os.mkfifo(tmp_path / "pipe.jsonl")

    for name in ("link.jsonl", "pipe.jsonl", "gone.jsonl"):
        with pytest.raises(OSError):
            list(read_lines(str(tmp_path / name)))


# Purged entries


def test_purged_entries_are_added_once_and_survive_junk(tmp_path):
    add_purged(tmp_path, [("s1", "e1"), ("s2", "e1")])
    with (tmp_path / PURGED).open("ab") as file:
        file.write(b"junk\n\n")
    add_purged(tmp_path, [("s1", "e1")])
    add_purged(tmp_path, [("s1", "e2")])

    assert read_purged(tmp_path) == {("s1", "e1"), ("s2", "e1"), ("s1", "e2")}
    assert (tmp_path / PURGED).stat().st_mode & 0o777 == 0o600
