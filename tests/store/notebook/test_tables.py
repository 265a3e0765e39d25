"""The notebook's file: private, whole, and set aside where it is damaged."""

from __future__ import annotations

import sqlite3
import stat
import threading
from typing import TYPE_CHECKING

import pytest

from tests.store.notebook.cards import NOW, card
from vaultmem.errors import (
    BusyError,
    DiskFailedError,
    DiskFullError,
    ReadOnlyError,
    UnsafePathError,
    VaultError,
)
from vaultmem.store.notebook import tables
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import JobKind, Refused
from vaultmem.store.notebook.modes import Mode, SessionMode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def catalog(folder: Path) -> Iterator[NotebookCatalog]:
    made = NotebookCatalog(folder)
    yield made
    made.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_and_its_log_are_the_users_alone(catalog, folder):
    assert not catalog.exists
    catalog.cards.put(card(), NOW)
    assert catalog.exists
    names = {path.name: mode(path) for path in folder.iterdir()}
    assert names.keys() == {"catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"}
    assert {mode(folder), *names.values()} == {0o700, 0o600}
    catalog.close()
    (folder / "catalog.sqlite").chmod(0o644)
    assert catalog.cards.get("s1") == card()
    assert mode(folder / "catalog.sqlite") == 0o600


def test_a_link_in_its_place_is_refused(catalog, folder, tmp_path):
    folder.mkdir(mode=0o700)
    (tmp_path / "elsewhere").write_bytes(b"")
    (folder / "catalog.sqlite").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnsafePathError):
        catalog.cards.all()
    assert (tmp_path / "elsewhere").read_bytes() == b""


@pytest.mark.parametrize("damage", ["header", "page", "foreign"])
def test_a_damaged_file_is_set_aside_and_begun_anew(catalog, folder, damage):
    catalog.restore([card(f"s{number}", card="x" * 900) for number in range(30)], NOW)
    catalog.close()
    path = folder / "catalog.sqlite"
    data = path.read_bytes()
    broken = {
        "header": b"no database at all" + data[18:],
        "page": data[:4096] + b"\xff" * (len(data) - 4096),
        "foreign": b"hello",
    }[damage]
    path.write_bytes(broken)
    if damage == "page":
        with pytest.raises(VaultError, match="set aside"):
            catalog.cards.all()
    assert catalog.cards.all() == []
    assert not catalog.restored
    assert catalog.set_aside.read_bytes()[:5] == broken[:5]
    catalog.cards.put(card(), NOW)
    assert catalog.cards.get("s1") == card()


def test_a_whole_file_was_never_set_aside(catalog):
    catalog.cards.all()
    assert catalog.set_aside is None


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("UPDATE cards SET watermark = 'soon'", lambda one: one.cards.all()),
        ("UPDATE jobs SET status = 'lost'", lambda one: one.jobs.all()),
        ("UPDATE cards SET summary = CAST(x'ff' AS TEXT)", lambda one: one.cards.all()),
        ("DROP TABLE usage", lambda one: one.usage.by_purpose()),
    ],
)
def test_rows_that_no_version_of_ours_wrote_are_damage(catalog, folder, change, read):
    catalog.cards.put(card(), NOW)
    catalog.close()
    sql = sqlite3.connect(folder / "catalog.sqlite")
    sql.execute(change)
    sql.commit()
    sql.close()
    with pytest.raises(VaultError, match="Run the command again"):
        read(catalog)
    assert read(catalog) == []


def test_an_unknown_mode_is_no_permission(catalog, folder):
    catalog.modes.set("s1", Mode.ENABLED, NOW)
    with catalog._db.changing() as sql:
        sql.execute("UPDATE modes SET mode = 'whatever'")
    assert catalog.modes.get("s1") == SessionMode(Mode.DISABLED)


def test_a_file_that_another_process_replaced_is_not_set_aside(catalog, folder):
    catalog.cards.put(card(), NOW)
    (folder / "catalog.sqlite").rename(folder / "gone")
    other = NotebookCatalog(folder)
    other.cards.put(card("s2"), NOW)
    with pytest.raises(VaultError), catalog._db.reading():
        raise sqlite3.DatabaseError("malformed")
    assert catalog.set_aside is None
    assert [one.session for one in catalog.cards.all()] == ["s2"]
    other.close()


def test_the_file_of_a_newer_version_is_left_alone(catalog, folder):
    catalog.cards.put(card(), NOW)
    catalog._db._connection().execute("PRAGMA user_version = 99")
    catalog.close()
    with pytest.raises(VaultError, match="newer vaultmem"):
        catalog.cards.all()
    assert catalog.set_aside is None


def test_a_folder_in_its_place_is_refused(catalog, folder):
    folder.mkdir(mode=0o700)
    (folder / "catalog.sqlite").mkdir()
    with pytest.raises(UnsafePathError):
        catalog.cards.all()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("SQLITE_BUSY_SNAPSHOT", BusyError),
        ("SQLITE_FULL", DiskFullError),
        ("SQLITE_READONLY_DBMOVED", ReadOnlyError),
        ("SQLITE_IOERR_FSYNC", DiskFailedError),
        ("SQLITE_ERROR", VaultError),
    ],
)
def test_what_the_disk_answers_becomes_an_error_with_a_next_step(catalog, name, error):
    found = sqlite3.OperationalError("it answers so")
    found.sqlite_errorname = name
    with pytest.raises(error), catalog._db.reading():
        raise found


def test_a_full_disk_keeps_what_was_there(catalog, folder):
    catalog.cards.put(card(), NOW)
    pages = catalog._db._connection().execute("PRAGMA page_count").fetchone()[0]
    catalog._db._connection().execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DiskFullError, match="Free some space"):
        catalog.cards.put(card("s2", card="x" * 100_000), NOW)
    assert catalog.cards.all() == [card()]
    assert catalog.jobs.generation() == 1


def test_a_mistake_of_ours_is_not_taken_for_damage(catalog):
    catalog.cards.put(card(), NOW)
    with pytest.raises(sqlite3.IntegrityError), catalog._db.changing() as sql:
        sql.execute("INSERT INTO dropped VALUES(NULL)")
    assert catalog.cards.get("s1") == card()


def test_another_writer_is_waited_for_and_then_told(catalog, folder, monkeypatch):
    monkeypatch.setattr(tables, "_WAIT_SECONDS", 0.1)
    catalog.cards.put(card(), NOW)
    other = NotebookCatalog(folder)
    with other._db.changing():
        with pytest.raises(BusyError, match="Another vaultmem is using"):
            catalog.cards.put(card("s2"), NOW)
        assert catalog.cards.all() == [card()]  # readers never wait
    other.close()


def test_the_first_opening_waits_for_another_process_that_makes_the_file(folder, monkeypatch):
    monkeypatch.setattr(tables, "_WAIT_SECONDS", 0.2)
    folder.mkdir(mode=0o700)
    other = sqlite3.connect(folder / "catalog.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    catalog = NotebookCatalog(folder)
    with pytest.raises(BusyError):
        catalog.cards.all()
    other.execute("COMMIT")
    other.close()
    assert catalog.cards.all() == []
    catalog.close()


def test_the_first_opening_waits_for_somebody_who_reads_the_new_file(folder, monkeypatch):
    monkeypatch.setattr(tables, "_WAIT_SECONDS", 0.1)
    folder.mkdir(mode=0o700)
    other = sqlite3.connect(folder / "catalog.sqlite", isolation_level=None)
    other.execute("CREATE TABLE other (x)")
    other.execute("BEGIN")
    other.execute("SELECT * FROM other").fetchall()
    catalog = NotebookCatalog(folder)
    with pytest.raises(BusyError):
        catalog.cards.all()
    other.execute("COMMIT")
    other.close()
    assert catalog.cards.all() == []
    catalog.close()


def test_threads_share_one_catalog(catalog):
    claims: list[object] = []

    def work() -> None:
        for number in range(20):
            claims.append(catalog.jobs.claim(JobKind.EXTRACT, f"s{number}", NOW, NOW, "w"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claims) == 80
    assert sum(not isinstance(one, Refused) for one in claims) == 20
