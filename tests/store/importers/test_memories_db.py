"""The oldest database is read whole and never opened where it lies."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime

import pytest

from vaultmem.core.model import Category, Cue
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.memories_db import TWICE, read

SCHEMA = """CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT, date TEXT NOT NULL, category TEXT NOT NULL,
  sentiment TEXT DEFAULT 'neutral', summary TEXT NOT NULL, details TEXT, tags TEXT,
  recall_count INTEGER DEFAULT 0, last_recalled TEXT)"""
"""Facts, topic-file memory, section 16."""


@pytest.fixture
def root(tmp_path):
    made = tmp_path / "tide" / ".pi" / "memory"
    made.mkdir(parents=True)
    return made


def database(path, *rows, schema=SCHEMA, wal=False):
    with closing(sqlite3.connect(path)) as opened:
        if wal:
            opened.execute("PRAGMA journal_mode = WAL")
        opened.execute(schema)
        for row in rows:
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            opened.execute(f"INSERT INTO memories ({names}) VALUES ({marks})", tuple(row.values()))
        opened.commit()
    return path


def row(summary, **fields):
    return {"date": "2026-01-05 09:00:00", "category": "lesson", "summary": summary} | fields


def test_rows_come_oldest_first_with_all_that_they_say(root):
    database(
        root / "memories.db",
        row("Newer.", date="2026-02-01 00:00:00"),
        row(
            "Use  uv.",
            details="pip broke it.",
            tags="python, #tools",
            sentiment="negative",
            recall_count=4,
            last_recalled="2026-03-01 08:00:00",
        ),
    )
    found = read(root, project="acme/tide")
    first, second = found.items
    local = datetime(2026, 1, 5, 9, tzinfo=UTC).astimezone().replace(tzinfo=None)
    assert (first.memory.statement, first.memory.created) == ("Use uv.", local)
    assert first.memory.reinforced.month == 3
    assert first.memory.tags == ("python", "tools")
    assert first.memory.cue is Cue.BEHAVIORAL
    assert first.memory.project == "acme/tide"
    assert first.evidence[0].excerpt == "pip broke it."
    assert first.evidence[0].summary == "Recalled 4 times. Felt negative."
    assert (second.memory.statement, second.evidence) == ("Newer.", ())
    assert second.memory.reinforced == second.memory.created


def test_what_the_old_tool_removed_may_be_removed(root):
    database(root / "memories.db")
    assert read(root).removable == ("memories.db", "dreams.md", "dreams.lock")
    assert read(root / "memories.db").removable == ("memories.db", "dreams.md", "dreams.lock")
    project = root.parent.parent
    assert read(project).removable[0] == ".pi/memory/memories.db"


def test_rows_that_cannot_be_taken_are_quarantined_by_id(root):
    database(
        root / "memories.db",
        row("A."),
        row("B.", category="gossip"),
        row(" "),
        row("A."),
        row("C.", date="soon"),
        row(b"\xff\xfe"),
        row("D.", category=""),
        row("E.", recall_count="many"),
    )
    found = read(root)
    assert [item.memory.statement for item in found.items] == ["A.", "E.", "C."]
    reasons = {place.reason for place in found.quarantined}
    assert "`summary` is missing." in reasons
    assert {place.where for place in found.quarantined} == {
        f"memories.db:{one}" for one in (2, 3, 6, 7)
    }
    assert found.left_out == {TWICE: 1}
    assert found.records == 8


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("last_recalled", "yesterday"),
        ("date", "soon"),
        ("recall_count", "many"),
        ("sentiment", b"\xff"),
        ("tags", b"\xff"),
        ("details", "x" * 20_001),
    ],
)
def test_a_field_that_cannot_be_read_costs_nobody_the_memory_and_is_told(root, field, value):
    database(root / "memories.db", *(row(f"{n}.", **{field: value}) for n in range(5)), row("Z."))
    found = read(root, project="acme/tide")
    assert {item.memory.statement for item in found.items} >= {"0.", "4.", "Z."}
    assert found.quarantined == ()
    (told,) = found.notices
    assert told.startswith(f"`{field}` of memories.db:")
    assert "and 2 more cannot be read" in told


def test_rows_are_named_by_their_id_and_by_their_place_where_they_have_none(root):
    database(root / "memories.db", row("B.", id=7, date="2026-02-01"), row("A.", id=9))
    assert [item.where for item in read(root).items] == ["memories.db:9", "memories.db:7"]
    schema = "CREATE TABLE memories (id, category, summary)"
    (root / "memories.db").unlink()
    database(root / "memories.db", {"category": "done", "summary": "A."}, schema=schema)
    assert read(root).items[0].where == "memories.db:1"
    (root / "memories.db").unlink()
    odd = {"id": "x", "category": "done", "summary": "A."}
    database(root / "memories.db", odd, schema=schema)
    assert read(root).items[0].where == "memories.db:1"


def test_what_a_row_says_again_goes_with_the_first(root):
    database(root / "memories.db", row("A.", details="One."), row("A.", details="Two."))
    (item,) = read(root).items
    assert [one.excerpt for one in item.evidence] == ["One.", "Two."]


@pytest.mark.parametrize("date", ["2026-01-05", "20260105"])
def test_a_date_without_a_time_is_midnight_here(root, date, monkeypatch):
    database(root / "memories.db", row("A.", date=date))
    with monkeypatch.context() as there:
        there.setenv("TZ", "America/New_York")
        time.tzset()
        (item,) = read(root).items
    time.tzset()
    assert item.memory.created == datetime(2026, 1, 5)


def test_text_that_is_not_utf_8_is_quarantined(root):
    made = database(root / "memories.db", row("A."))
    with closing(sqlite3.connect(made)) as opened:
        opened.execute("UPDATE memories SET summary = CAST(x'ff41' AS TEXT)")
        opened.commit()
    assert read(root).quarantined[0].reason == "`summary` is no text."


def test_a_table_of_two_columns_is_enough(root):
    database(
        root / "memories.db",
        {"category": "done", "summary": "Merged it."},
        schema="CREATE TABLE memories (category, summary)",
    )
    (item,) = read(root).items
    assert item.memory.category is Category.DONE
    assert item.memory.created is None


def test_tags_may_be_a_list_and_a_moment_may_name_its_zone(root):
    database(root / "memories.db", row("A.", tags='["x", "y z"]', date="2026-01-05 09:00:00+02:00"))
    (item,) = read(root).items
    assert item.memory.tags == ("x", "y z")
    assert item.memory.created == datetime(2026, 1, 5, 7, tzinfo=UTC).astimezone().replace(
        tzinfo=None
    )


def test_nothing_is_written_beside_it(root):
    database(root / "memories.db", row("A."), wal=True)
    before = {path: path.read_bytes() for path in root.iterdir()}
    assert len(read(root).items) == 1
    assert {path: path.read_bytes() for path in root.iterdir()} == before


def test_one_that_is_in_use_is_refused_with_the_next_step(root):
    with closing(sqlite3.connect(root / "memories.db")) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute(SCHEMA)
        opened.commit()
        with pytest.raises(ImportSourceError, match="Close the tool"):
            read(root)


@pytest.mark.parametrize("data", [b"", b"x" * 200, b"SQLite format 3\x00" + b"\x00" * 500])
def test_what_is_no_database_is_refused(root, data):
    (root / "memories.db").write_bytes(data)
    with pytest.raises(ImportSourceError, match="cannot be read as a database"):
        read(root)


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE other (x)",
        "CREATE TABLE memories (summary)",
        "CREATE VIEW memories AS SELECT 'lesson' AS category, 'x' AS summary",
        "CREATE VIRTUAL TABLE memories USING fts5(category, summary)",
    ],
)
def test_a_database_without_such_a_table_is_refused(root, schema):
    database(root / "memories.db", schema=schema)
    with pytest.raises(ImportSourceError, match="cannot be read as a database"):
        read(root)


def test_why_it_was_not_read_is_told_in_whole_sentences(root, tmp_path):
    real = database(tmp_path / "real.db", row("A."))
    (root / "memories.db").symlink_to(real)
    with pytest.raises(ImportSourceError) as error:
        read(root / "memories.db")
    assert str(error.value).endswith("Put a real file or folder in its place.")


def test_a_link_is_not_followed(root, tmp_path):
    database(tmp_path / "elsewhere.db", row("A."))
    (root / "memories.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(ImportSourceError, match="There is no"):
        read(root)
    with pytest.raises(ImportSourceError, match="cannot be read"):
        read(root / "memories.db")


def test_a_topic_file_memory_without_a_database_has_nothing_and_names_who_reads_it(root):
    (root / "topics").mkdir()
    found = read(root)
    assert found.records == 0
    assert found.notices == (
        "There is no `memories.db`; what the topic files beside it hold is read by "
        "`vaultmem migrate pi-config`.",
    )


def test_a_project_may_have_such_a_file_of_its_own(root):
    database(root / "memories.db", row("Ours."))
    database(root.parent.parent / "memories.db", row("Somebody's."))
    assert [one.memory.statement for one in read(root.parent.parent).items] == ["Ours."]


def test_no_database_at_all_is_named_with_the_next_step(root, tmp_path):
    with pytest.raises(ImportSourceError, match="Name the file"):
        read(root)
    with pytest.raises(ImportSourceError):
        read(tmp_path / "nowhere")


def test_the_real_tool_reads_the_same_rows(root):
    """`myk-pi-tools` imports the database that these tests make: the facts' schema is its own."""
    made = database(root / "memories.db", row("A."), row("B.", category="pattern"))
    ours = {(one.memory.category.value, one.memory.statement) for one in read(root).items}
    shutil.copy(made, root / "copy.db")
    command = [
        sys.executable,
        "-m",
        "myk_pi_tools.cli",
        "memory",
        "--file-path",
        str(root / "memory.md"),
        "migrate",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = (root / "memory.md").read_text()
    assert all(f"- [{category}] {said}" in text for category, said in ours)
    assert not made.exists()


def test_one_whose_change_was_not_finished_is_refused_with_the_next_step(root):
    database(root / "memories.db", row("A."))
    (root / "memories.db-journal").write_bytes(b"half of a change")
    with pytest.raises(ImportSourceError, match="db-journal lies beside it"):
        read(root)


def test_its_moments_are_those_of_greenwich(root, monkeypatch):
    database(root / "memories.db", row("A."))
    with monkeypatch.context() as there:
        there.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        (item,) = read(root).items
    time.tzset()
    assert item.memory.created == datetime(2026, 1, 5, 18)
