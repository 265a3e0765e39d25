"""The baseline's tables, its feed, and what happens to a damaged file."""

from __future__ import annotations

import multiprocessing
import re
import sqlite3
from pathlib import Path

import pytest

import vaultmem
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Memory
from vaultmem.core.standing import standing_of
from vaultmem.errors import VaultError
from vaultmem.store.baseline import open_baseline
from vaultmem.store.baseline_rows import DELETIONS, LedgerRow, MemoryRow, NoteRow, Pending

AT = "2026-11-29T12:00:00+00:00"
ID = f"mem_{1:026}"
LINE = LedgerRow(f"{1:026}", "activity", "dev_1", AT, "edited", ID, "{}", "mac", 1, "")
"""A line that says what a ledger's may say; a word that is none of them is damage."""


@pytest.fixture
def baseline(tmp_path):
    opened = open_baseline(tmp_path / "baseline.sqlite")
    yield opened
    opened.close()


def _note(path="a.md", **other):
    row = NoteRow(path, 1, 2, 3, 4, 5, "etag", "memory", "mem_1", "live", "a", "")
    return row._replace(**other)


def _put(
    baseline, identifier="mem_1", *, state="live", content=b"x", key="use uv.", said="Use uv."
):
    memory = Memory(id=MemoryId(identifier), statement=said, pinned=True)
    standing = standing_of(memory, path="a.md", force=False)
    row = MemoryRow(identifier, "a.md", state, 0.0, "etag", 1.0, key, "mac")
    baseline.put_memory(standing, row, content)
    return standing, row


def test_notes_come_back_as_they_were_put(baseline):
    baseline.put_note(_note())
    baseline.put_note(_note("b.md", kind="knowledge", id=""))
    assert baseline.note("a.md") == _note()
    assert baseline.note("none.md") is None
    assert [row.path for row in baseline.notes()] == ["a.md", "b.md"]
    assert [row.path for row in baseline.notes(kind="knowledge")] == ["b.md"]
    assert baseline.notes_with_id("mem_1") == [_note()]
    assert baseline.stems("a") == ["a.md", "b.md"]
    assert baseline.stats() == {"a.md": (1, 2, 3, 4), "b.md": (1, 2, 3, 4)}
    assert _note().stat == (1, 2, 3, 4)


def test_the_feed_names_what_changed_since_a_number(baseline):
    assert baseline.seq() == 0
    baseline.put_note(_note("a.md"))
    seen = baseline.seq()
    baseline.put_note(_note("b.md"))
    baseline.drop_note("a.md")
    assert baseline.changes_since(seen) == ["b.md", "a.md"]
    baseline.restat("b.md", (9, 9, 9, 9), 9)
    assert baseline.changes_since(baseline.seq()) == []
    assert baseline.stats() == {"b.md": (9, 9, 9, 9)}


def test_a_note_recorded_within_two_seconds_of_its_change_is_racy(baseline):
    second = 1_000_000_000
    baseline.put_note(_note("a.md", mtime_ns=10 * second, recorded_ns=11 * second))
    baseline.put_note(_note("b.md", mtime_ns=10 * second, recorded_ns=13 * second))
    baseline.put_note(_note("c.md", mtime_ns=20 * second, recorded_ns=11 * second))
    assert baseline.racy() == {"a.md", "c.md"}


def test_a_memory_keeps_its_good_bytes_and_its_standing(baseline):
    standing, row = _put(baseline, content=b"good")
    assert baseline.standings() == [standing]
    assert baseline.standing("mem_1") == standing
    assert baseline.standing("mem_2") is None
    assert baseline.memory("mem_1") == row
    assert baseline.memory("mem_2") is None
    assert baseline.content("mem_1") == b"good"
    assert baseline.content("mem_2") is None
    assert [m.id for m in baseline.memories_that_say("use uv.")] == ["mem_1"]


def test_what_a_memory_said_before_is_kept_once(baseline):
    for said in ("Use uv.", "Use uv.", "Use pip.", "Use uv.", "Use bun."):
        _put(baseline, said=said)
    _put(baseline, "mem_2", said="Else.")
    assert sorted(baseline.wordings("mem_1")) == ["Use pip.", "Use uv."]
    assert baseline.wordings("mem_2") == []
    baseline.forget("mem_1")
    assert len(baseline.wordings("mem_1")) == 2, "a purge is what erases them"


def test_a_baseline_from_before_wordings_gets_the_table(tmp_path):
    made = open_baseline(tmp_path / "baseline.sqlite")
    made.connection.execute("DROP TABLE wordings")
    made.connection.execute("PRAGMA user_version = 2")
    made.set_meta("a", "kept")
    made.close()
    again = open_baseline(tmp_path / "baseline.sqlite")
    assert (again.wordings("mem_1"), again.meta("a")) == ([], "kept")
    again.close()


def test_only_live_memories_stand(baseline):
    for state in ("missing", "gone"):
        _put(baseline, state=state)
        assert baseline.standings() == []
    baseline.set_state("mem_1", "live", 7.0)
    baseline.set_place("mem_1", "b.md")
    baseline.set_force("mem_1", force=True)
    baseline.set_live("mem_1", 3.0, 8.0, "")
    (standing,) = baseline.standings()
    assert (standing.path, standing.force, standing.evidence_count, standing.reinforced) == (
        "b.md",
        1,
        3.0,
        8.0,
    )
    assert baseline.memory("mem_1").since == 7.0
    baseline.forget("mem_1")
    assert baseline.memory("mem_1") is None
    assert baseline.content("mem_1") is None


def test_a_transaction_is_all_or_nothing_and_nests(baseline):
    def half() -> None:
        with baseline.transaction():
            baseline.put_note(_note("a.md"))
            with baseline.transaction():
                baseline.put_note(_note("b.md"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert baseline.notes() == []
    with baseline.transaction():
        baseline.set_meta("x", "1")
    assert baseline.meta("x") == "1"
    assert baseline.meta("y") == ""


def test_a_ledger_line_counts_once(baseline):
    baseline.ledger.put([LINE, LINE._replace(act="forged")])
    assert baseline.ledger.of_hash("mac", "activity") == [LINE]


def test_pending_changes_wait_until_settled(baseline):
    change = Pending(ID, "edited", "status", "mac", 5.0)
    baseline.pending.put(change)
    baseline.pending.put(change._replace(keys="tags"))
    assert baseline.pending.all() == [change._replace(keys="tags")]
    baseline.pending.settle(change)
    assert baseline.pending.all() == []


@pytest.mark.parametrize(
    "damage", [b"this is no database, it is text" * 50, b"SQLite format 3\x00" + b"\x00" * 200]
)
def test_a_damaged_file_is_set_aside_and_begun_anew(tmp_path, damage):
    path = tmp_path / "baseline.sqlite"
    path.write_bytes(damage)
    opened = open_baseline(path)
    assert opened.notes() == []
    opened.close()
    assert (tmp_path / "baseline.broken").read_bytes() == damage


def test_another_version_is_set_aside(tmp_path):
    path = tmp_path / "baseline.sqlite"
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    open_baseline(path).close()
    assert (tmp_path / "baseline.broken").exists()


def test_a_file_that_cannot_be_opened_is_an_error_with_a_path(tmp_path):
    with pytest.raises(VaultError, match=r"missing.baseline\.sqlite"):
        open_baseline(tmp_path / "missing" / "baseline.sqlite")


def _open_and_put(path, number):
    opened = open_baseline(path)
    with opened.transaction():
        opened.put_note(_note(f"{number}.md"))
    opened.close()


def test_processes_that_open_a_new_baseline_at_once_share_it(tmp_path):
    path = tmp_path / "baseline.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_open_and_put, args=(path, n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    opened = open_baseline(path)
    assert len(opened.notes()) == 4
    opened.close()


def test_only_the_store_speaks_sql():
    """Services ask named questions, so that a table can change in one place."""
    package = Path(vaultmem.__file__).parent
    words = re.compile(
        r"\b(SELECT|INSERT|DELETE FROM|WHERE)\b|[a-z] (=|<>) \?|baseline\.connection"
    )
    found = [
        f"{place.name}: {line.strip()}"
        for folder in ("services", "cli")
        for place in (package / folder).rglob("*.py")
        for line in place.read_text("utf-8").splitlines()
        if words.search(line)
    ]
    assert found == []


def test_the_ledger_answers_by_note_by_hash_and_by_whether_it_is_signed(baseline):
    signed = LINE
    forged = signed._replace(line=f"{2:026}", signed=0, file="f.md")
    other = signed._replace(line=f"{3:026}", kind="force", device="dev_2", after="", file="g.md")
    table = baseline.ledger
    table.put([other, forged, signed])

    assert table.signed(ID, "activity") == [signed]
    assert table.of_note(ID) == [signed, forged, other]
    assert table.of_note(ID, "activity") == [signed, forged]
    assert table.of_hash("mac", "activity") == [signed, forged]
    assert table.of_kind("force") == [other]
    assert table.of_file("g.md") == [other]
    assert table.own("activity", "dev_1", "2026-11") == [signed]
    assert table.own("activity", "dev_1", "2026-12") == []
    assert table.devices() == ["dev_1", "dev_2"]
    assert table.has_other_device("dev_1")
    table.forget(line.line for line in table.unsigned())
    assert table.of_note(ID) == [signed, other]


def test_standings_are_read_once_until_something_is_written(baseline, tmp_path):
    standing, _ = _put(baseline)
    known = baseline.standings()
    assert known == [standing]
    assert baseline.standings() is known
    other = open_baseline(tmp_path / "baseline.sqlite")
    other.set_force("mem_1", force=True)
    other.close()
    assert baseline.standings() == [standing._replace(force=1)]
    assert known == [standing], "who holds the old list keeps it"


def test_standings_that_were_taken_back_are_read_anew(baseline):
    standing, _ = _put(baseline)

    def fail():
        with baseline.transaction():
            baseline.set_force("mem_1", force=True)
            assert baseline.standings() == [standing._replace(force=1)]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert baseline.standings() == [standing]


def test_standings_that_were_let_go_are_read_anew(baseline):
    standing, _ = _put(baseline)
    known = baseline.standings()
    baseline.forget_standings()
    assert baseline.standings() == [standing]
    assert baseline.standings() is not known


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (
            f"INSERT INTO ledger VALUES ('l','force','d','{AT}','x','n','{{}}','',1,'unwritten')",
            "UPDATE ledger SET file = 'Memory/a.md'",
        ),
        (
            "INSERT INTO patches VALUES ('p', 'applying', 0, 'person', 'v', 0, x'', '', '{}')",
            "UPDATE patches SET status = 'applied'",
        ),
        (
            "INSERT INTO patches VALUES ('p', 'reverting', 0, 'person', 'v', 0, x'', '', '{}')",
            "UPDATE patches SET status = 'reverted'",
        ),
        (
            f"INSERT INTO meta VALUES ('{DELETIONS}', '[[1]]')",
            f"UPDATE meta SET value = '' WHERE key = '{DELETIONS}'",
        ),
    ],
)
def test_what_was_begun_is_unfinished_until_it_ends(baseline, begin, end):
    assert not baseline.has_unfinished()
    baseline.connection.execute(begin)
    assert baseline.has_unfinished()
    baseline.connection.execute(end)
    assert not baseline.has_unfinished()
