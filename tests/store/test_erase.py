"""What a deletion needs of the disk: intents, rows, the file without old bytes, leftovers."""

from __future__ import annotations

import pytest

from vaultmem.core.operation import Deletion
from vaultmem.errors import BusyError
from vaultmem.store.baseline import open_baseline
from vaultmem.store.baseline_rows import NoteRow
from vaultmem.store.erase import (
    Intent,
    begin,
    end,
    erase_memory,
    intents,
    remove_leftover,
    remove_set_aside,
    scrub,
)

ID = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
PATH = "Memory/Lessons/Quokkas.md"


@pytest.fixture
def baseline(tmp_path):
    made = open_baseline(tmp_path / "baseline.sqlite")
    yield made
    made.close()


def _note(path):
    return NoteRow(path, 1, 1, 1, 1, 1, "etag", "memory", ID, "live", path, "")


def test_intents_are_kept_in_their_order_and_hold_no_text(baseline, tmp_path):
    assert intents(baseline) == ()
    first = Intent(ID, Deletion.PURGE, everywhere=False, also=("Notes/a.md",))
    second = Intent("mem_x", Deletion.AUDIT)
    begin(baseline, first)
    begin(baseline, second)
    assert intents(baseline) == (first, second)
    begin(baseline, first._replace(also=()))
    assert intents(baseline) == (second, first._replace(also=()))
    end(baseline, "mem_x")
    end(baseline, ID)
    assert intents(baseline) == ()


def test_rows_and_names_go_and_the_feed_keeps_its_number(baseline):
    baseline.put_note(_note("Memory/Lessons/Other.md"))
    baseline.put_note(_note(PATH))
    baseline.set_meta(f"placed {ID}", "line")
    baseline.connection.execute(
        "INSERT INTO wordings VALUES (?, 'a'), ('mem_x', 'b'), ('mem_x', 'c')", (ID,)
    )
    before = baseline.seq()
    erase_memory(baseline, ID, [PATH], lambda path: path == PATH, lambda text: text == "c")
    assert baseline.seq() >= before
    assert PATH not in baseline.changes_since(0)
    assert baseline.note(PATH) is None
    assert baseline.meta(f"placed {ID}") == ""
    assert (baseline.wordings(ID), baseline.wordings("mem_x")) == ([], ["b"])
    assert "Memory/Lessons/Other.md" in baseline.changes_since(0)


def test_a_scrubbed_file_holds_no_old_byte(baseline, tmp_path):
    baseline.connection.execute("PRAGMA secure_delete = OFF")  # as some builds of SQLite have it
    baseline.set_meta("a", "quokka" * 1000)
    baseline.set_meta("a", "")
    scrub(baseline)
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"quokka" not in data


def test_a_reader_of_an_older_state_is_told(baseline, tmp_path):
    reader = open_baseline(tmp_path / "baseline.sqlite")
    baseline.set_meta("a", "quokka")
    reader.connection.execute("BEGIN")
    reader.meta("a")
    baseline.connection.execute("PRAGMA busy_timeout = 20")
    with pytest.raises(BusyError, match="vaultmem sync"):
        scrub(baseline)
    reader.close()
    scrub(baseline)


def test_databases_that_were_set_aside_go(tmp_path):
    (tmp_path / "baseline.broken").write_bytes(b"x")
    (tmp_path / "key").write_bytes(b"x")
    assert remove_set_aside(tmp_path) == (str(tmp_path / "baseline.broken"),)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_a_leftover_goes_only_if_it_is_meant(tmp_path):
    name = ".A b.md.vm0123456789ab-000000000000-111111111111.tmp"
    (tmp_path / name).write_bytes(b"quokka")
    asked = []

    def holds(title, data):
        asked.append((title, data))
        return len(asked) > 1

    assert not remove_leftover(tmp_path, name, holds)
    assert remove_leftover(tmp_path, name, holds)
    assert asked == [("A b.md", b"quokka")] * 2
    assert not remove_leftover(tmp_path, name, holds), "it is gone"


def test_a_link_in_the_place_of_a_leftover_is_left_alone(tmp_path):
    target = tmp_path / "target"
    target.write_bytes(b"quokka")
    name = ".a.md.vm0123456789ab.tmp"
    (tmp_path / name).symlink_to(target)
    assert not remove_leftover(tmp_path, name, lambda _name, _data: True)
    assert target.exists()
