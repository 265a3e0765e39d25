"""What no column of the baseline may hold: SQLite does not write it, and a reader does not take it."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import sqlite3
from datetime import date, datetime

import pytest

from tests.store.old_baseline import make_old
from vaultmem.core.category import Category
from vaultmem.core.finding import finding
from vaultmem.core.ids import MemoryId
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Cue, Layer, Memory, RuleType, Scope, Status
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.standing import (
    FIRST_MOMENT,
    LAST_MOMENT,
    STANDING_WORDS,
    day_seconds,
    moment_seconds,
    standing_of,
)
from vaultmem.errors import VaultError
from vaultmem.store.baseline import open_baseline
from vaultmem.store.baseline_file import VERSION
from vaultmem.store.baseline_reader import Reader
from vaultmem.store.baseline_rows import DELETIONS, LedgerRow, MemoryRow, NoteRow, Pending
from vaultmem.store.baseline_tables import (
    APPLIERS,
    INDEXES,
    LEDGER_KINDS,
    MEMORIES,
    PATCH_STATUSES,
    STAGES,
    STEP,
    TABLES,
)
from vaultmem.store.erase import intents
from vaultmem.store.finding_text import findings_text
from vaultmem.store.patches import PatchRow, PatchTable, Stage, Step, spelled_steps

AT = "2026-11-29T12:00:00+00:00"
ID = f"mem_{1:026}"
NOTE = NoteRow(
    "a.md", 1, 2, 3, 4, 5, "e", "memory", ID, "live", "a", findings_text([finding("VM304")])
)
LINE = LedgerRow(f"{1:026}", "force", "dev_1", AT, "given", ID, '{"by": "person"}', "mac", 1, "")
WAITS = Pending(ID, "edited", "tags", "mac", 5.0)
PATCH = PatchRow(
    "patch_1",
    "applied",
    5.0,
    "person",
    "patch",
    0,
    b"-",
    "",
    spelled_steps({"1": Step(Stage.BEGUN)}),
)
MEMORY = MemoryRow(ID, "a.md", "live", 0.0, "etag", 1.0, "use uv.", "mac")
STANDING = standing_of(
    Memory(id=MemoryId(ID), statement="Use uv.", pinned=True), path="a.md", force=False
)
CELLS = [(table, column) for table in TABLES for column in table.columns]
EACH = pytest.mark.parametrize(
    ("table", "column"), CELLS, ids=[f"{table.name}.{column}" for table, column in CELLS]
)
WRONG = (b"\xff\x00", "no such word", -7, 1e300, 9e999, None)
"""Each is wrong for many columns."""


def fill(baseline) -> None:
    """A row in every table."""
    baseline.put_note(NOTE)
    baseline.put_memory(STANDING._replace(statement="Use pip."), MEMORY, b"pip")
    baseline.put_memory(STANDING, MEMORY, b"uv")
    baseline.set_meta("adopted", "2026-11-29")
    baseline.pending.put(WAITS)
    baseline.ledger.put([LINE])
    PatchTable(baseline.connection).put(PATCH)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """The path of a baseline with a row in every table."""
    path = tmp_path_factory.mktemp("filled") / "baseline.sqlite"
    with contextlib.closing(open_baseline(path)) as made:
        fill(made)
    return path


@pytest.fixture
def path(filled, tmp_path):
    """A copy of it."""
    copy = tmp_path / "baseline.sqlite"
    copy.write_bytes(filled.read_bytes())
    return copy


def write(path, table, column, value, *, ignoring: bool):
    """Put a value into the cells of a column; what lies there then, or None where it is refused."""
    with contextlib.closing(sqlite3.connect(path)) as sql, sql:
        sql.execute(f"PRAGMA ignore_check_constraints = {ignoring}")
        try:
            sql.execute(f"UPDATE {table.name} SET {column} = ?", (value,))
        except sqlite3.IntegrityError:
            return None
        return sql.execute(f"SELECT {column}, typeof({column}) FROM {table.name}").fetchone()


@EACH
def test_sqlite_writes_nothing_of_another_type_or_out_of_range(path, table, column):
    cells = table.columns[column]
    for value in WRONG:
        written = write(path, table, column, value, ignoring=False)
        if written is not None:
            cell, kind = written
            assert kind == cells.sql.split()[0].lower()
            assert cell != 9e999
    assert write(path, table, column, None, ignoring=True) is None


@EACH
def test_a_reader_takes_nothing_that_sqlite_would_refuse(filled, path, table, column):
    tried = 0
    for value in WRONG:
        path.write_bytes(filled.read_bytes())
        if write(path, table, column, value, ignoring=False) is not None:
            continue  # a column of texts makes a text of a number
        if write(path, table, column, value, ignoring=True) is None:
            continue  # NULL
        refuses(path, table, column)
        tried += 1
    assert tried


def refuses(path, table, column) -> None:
    """A reader says what is wrong and what to do, and sets the file aside."""
    with contextlib.closing(open_baseline(path)) as opened:
        with pytest.raises(VaultError, match=rf"`{table.name}\.{column}`.* Run the command again"):
            Reader(table, (column,), tuple).rows(opened.connection)
        assert path.with_suffix(".broken").exists()


TEXTS = {
    "ledger.line": ("", "no such word", "01", f"{1:026}\n"),
    "ledger.note": ("", "no such word", "mem_1", "--"),
    "ledger.act": ("", "no such word", "Edited", "1"),
    "pending.id": ("", "no such word", "mem_1", "-"),
    "pending.act": ("", "no such word", "Edited"),
    "notes.findings": ("no such word", "[]", "{}", "[1]", "[[1, 2, 3, 4, 5, 6]]", "[" * 100_000),
    "ledger.at": ("", "no such word", "2026-11-29", "2026-11-29T12:00:00"),
    "ledger.data": ("", "no such word", "[]", "1", "{}, {}", '{"a": []}', "{", "[" * 100_000),
    "patches.steps": (
        "",
        "no such word",
        "[]",
        '{"1": 1}',
        '{"1": []}',
        '{"1": ["no such stage"]}',
        '{"1": ["begun", 1]}',
        '{"1": ["begun", "", "", true, "", "", "", true, 1]}',
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_reader_takes_no_text_of_another_form(filled, path, name):
    ((table, column),) = [cell for cell in CELLS if f"{cell[0].name}.{cell[1]}" == name]
    for text in TEXTS[name]:
        path.write_bytes(filled.read_bytes())
        assert write(path, table, column, text, ignoring=False) is not None
        refuses(path, table, column)


def test_a_word_of_meta_that_cannot_be_read_is_damage(path):
    for text in ("no such word", "1", "[1]", "[[1, 2, 3]]", '[["m", "no such mode", true, []]]'):
        with contextlib.closing(open_baseline(path)) as opened:
            opened.set_meta(DELETIONS, text)
            with pytest.raises(VaultError, match=r"`meta\.value`"):
                intents(opened)


def test_what_is_right_comes_back_as_it_was_put(path):
    with contextlib.closing(open_baseline(path)) as opened:
        assert opened.notes() == [NOTE]
        assert opened.memories() == [MEMORY]
        assert opened.standings() == [STANDING]
        assert opened.wordings(ID) == ["Use pip."]
        assert opened.pending.all() == [WAITS]
        assert opened.ledger.of_note(ID) == [LINE]
        assert PatchTable(opened.connection).rows() == [PATCH]
        assert [one.code for one in opened.findings()] == ["VM304"]


def test_the_words_are_those_of_the_nouns():
    nouns = {"layer": Layer, "status": Status, "scope": Scope, "cue": Cue, "rule": ("", *RuleType)}
    assert {"category": set(Category)} | {
        column: set(words) for column, words in nouns.items()
    } == STANDING_WORDS
    assert set(LEDGER_KINDS) == set(LedgerKind)
    assert set(PATCH_STATUSES) == set(PatchStatus)
    assert set(APPLIERS) == set(Applier)
    assert set(STAGES) == set(Stage)
    assert all(map(isinstance, Step(Stage.BEGUN), STEP))
    assert len(STEP) == len(Step._fields)


def test_every_moment_of_the_calendar_can_be_kept():
    assert day_seconds(date.min) == FIRST_MOMENT
    assert moment_seconds(datetime.max) <= LAST_MOMENT


@pytest.mark.parametrize("value", [FIRST_MOMENT - 1, LAST_MOMENT + 1])
def test_no_moment_lies_outside_of_the_calendar(path, value):
    assert write(path, MEMORIES, "reinforced", value, ignoring=False) is None
    write(path, MEMORIES, "reinforced", value, ignoring=True)
    refuses(path, MEMORIES, "reinforced")


def test_a_number_of_a_line_is_a_number_or_nothing():
    line = LINE._replace(data='{"local": 2.5, "since": "no number"}')
    assert [line.number(key) for key in ("local", "since", "evidence")] == [2.5, 0, 0]


# versions

OLD = {
    "meta": [("adopted", "2026-11-29")],
    "notes": [NOTE],
    "memories": [(*STANDING, *MEMORY[2:])],
    "contents": [(ID, b"uv")],
    "wordings": [(ID, "Use pip.")],
    "changes": [("a.md", 7)],
    "ledger": [LINE],
    "pending": [WAITS],
    "patches": [PATCH],
}


def test_a_schema_that_changed_has_another_version():
    """Files of the version before keep the old tables until they are made newer."""
    text = "\n".join([*(table.definition for table in TABLES), *INDEXES])
    assert (VERSION, hashlib.sha256(text.encode()).hexdigest()[:16]) == (4, "d41e89589e3a2b8b")


def test_an_older_baseline_keeps_its_rows(tmp_path):
    path = tmp_path / "baseline.sqlite"
    make_old(path, OLD)
    with contextlib.closing(open_baseline(path)) as opened:
        rows = {name: opened.connection.execute(f"SELECT * FROM {name}").fetchall() for name in OLD}
        assert rows == OLD
        assert opened.connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert opened.seq() == 7
    with contextlib.closing(open_baseline(tmp_path / "new.sqlite")) as new:
        assert schema(path) == schema(tmp_path / "new.sqlite")
        assert new.notes() == []
    assert not path.with_suffix(".broken").exists()


def schema(path) -> set[tuple[str, str]]:
    """The tables and indexes of a file."""
    with contextlib.closing(sqlite3.connect(path)) as sql:
        return set(sql.execute("SELECT name, sql FROM sqlite_master"))


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE memories SET cue = 'no such word'",
        "UPDATE notes SET size = 'many'",
        "ALTER TABLE ledger RENAME COLUMN signed TO sealed",
        "ALTER TABLE patches RENAME COLUMN actor TO by",
    ],
)
def test_an_older_baseline_that_is_damaged_is_set_aside(tmp_path, harm):
    path = tmp_path / "baseline.sqlite"
    make_old(path, OLD)
    with contextlib.closing(sqlite3.connect(path)) as sql, sql:
        sql.execute(harm)
    with contextlib.closing(open_baseline(path)) as opened:
        assert opened.notes() == []
    assert path.with_suffix(".broken").exists()


def _open(path) -> None:
    open_baseline(path).close()


def test_processes_that_make_a_baseline_newer_at_once_lose_nothing(tmp_path):
    path = tmp_path / "baseline.sqlite"
    make_old(path, OLD | {"changes": [(f"{number}.md", number) for number in range(20_000)]})
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_open, args=(path,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 3
    with contextlib.closing(open_baseline(path)) as opened:
        assert len(opened.changes_since(-1)) == 20_000
        assert opened.notes() == [NOTE]


# how much is read


def test_whether_there_is_another_device_does_not_depend_on_how_many_lines_there_are(tmp_path):
    with contextlib.closing(open_baseline(tmp_path / "baseline.sqlite")) as opened:
        steps = []
        for many in (10, 2_000):
            opened.ledger.put(LINE._replace(line=f"{number:026}") for number in range(many))
            steps.append(steps_of(opened, lambda: opened.ledger.has_other_device("dev_1")))
        assert steps[0] == steps[1]
        assert not opened.ledger.has_other_device("dev_1")
        for device in ("dev_0", "dev_2"):
            opened.ledger.put([LINE._replace(line=f"{9_999:026}", device=device)])
            assert opened.ledger.has_other_device("dev_1")
            opened.ledger.forget([f"{9_999:026}"])


def steps_of(opened, ask) -> int:
    """How many steps SQLite takes to answer."""
    taken = [0]

    def step() -> None:
        taken[0] += 1

    opened.connection.set_progress_handler(step, 1)
    ask()
    opened.connection.set_progress_handler(None, 1)
    return taken[0]
