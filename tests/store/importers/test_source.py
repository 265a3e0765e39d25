"""A source is read once, bounded, and never through a link; what cannot be read is named."""

from __future__ import annotations

import pytest

from vaultmem.errors import ImportSourceError, UnsafePathError
from vaultmem.store.importers import source as module
from vaultmem.store.importers.source import COPIES, LINKS, Source, remove_files
from vaultmem.store.json_record import Record, RecordError


@pytest.fixture
def root(tmp_path):
    place = tmp_path / "store"
    place.mkdir()
    return place


def test_files_are_listed_below_a_folder_without_hidden_ones_and_links(root):
    for name in ("a/b/two.md", "a/one.MD", "a/no.txt", "a/.hidden.md", ".dot/three.md"):
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x")
    (root / "a/link.md").symlink_to(root / "a/one.MD")
    (root / "linked").symlink_to(root / "a")
    source = Source(root)
    assert source.files("", (".md",)) == ["a/b/two.md", "a/one.MD"]
    assert source.passed == {LINKS: 2}
    assert source.files("nowhere", (".md",)) == []
    assert source.quarantined == []
    assert source.has("a/one.MD")
    assert not source.has("a/link.md")
    assert not source.has("a" * 300)


def test_what_a_sync_program_kept_of_a_conflict_is_counted_in_every_store(root):
    for name in (
        "note.md",
        "note (conflicted copy 2026-07-10).md",
        "note (conflict 2026-07-10).txt",
    ):
        (root / name).write_text("x")
    source = Source(root)
    assert source.files("", (".md",)) == ["note.md"]
    assert source.passed == {COPIES: 1}


def test_a_file_in_the_place_of_a_folder_is_named(root):
    (root / "topics").write_text("x")
    source = Source(root)
    assert source.files("topics", (".md",)) == []
    assert [one.where for one in source.quarantined] == ["topics"]


def test_a_folder_with_too_many_files_is_named(root, monkeypatch):
    monkeypatch.setattr(module, "MAX_FILES", 2)
    for name in ("a/1.md", "b/2.md", "c/3.md"):
        (root / name).parent.mkdir()
        (root / name).write_text("x")
    source = Source(root)
    assert len(source.files("", (".md",))) == 2
    assert "more than 2 files" in source.quarantined[0].reason


def test_a_file_that_is_too_large_or_no_text_is_named(root, monkeypatch):
    (root / "a.md").write_bytes(b"\xff")
    (root / "b.md").write_text("long enough")
    (root / "c.md").write_bytes("\ufeffseen".encode())
    source = Source(root)
    assert source.text("a.md") is None
    assert source.text("c.md") == "seen"
    assert source.text("gone.md") is None
    assert list(source.lines("gone.md")) == []
    monkeypatch.setattr(module, "MAX_FILE", 4)
    assert source.data("b.md") is None
    assert [one.where for one in source.quarantined] == ["a.md", "b.md"]


def test_no_path_leads_out(root, tmp_path):
    (tmp_path / "secret.md").write_text("x")
    source = Source(root)
    assert source.data("../secret.md") is None
    assert source.quarantined[0].where == "../secret.md"
    with pytest.raises(UnsafePathError):
        remove_files(root, ["../secret.md"])
    with pytest.raises(ImportSourceError):
        Source(root / "nowhere")


def test_files_are_removed_and_those_that_are_gone_are_none(root):
    (root / "old.db").write_text("x")
    (root / "folder").mkdir()
    assert remove_files(root, ["old.db", "folder", "gone.db"]) == ("old.db",)
    assert (root / "folder").is_dir()


def test_fields_have_their_kinds():
    record = Record({"n": 2, "b": True, "t": "x", "l": ["a", " "], "o": {"t": "y"}, "null": None})
    assert (record.number("n", 0), record.number("gone", 7)) == (2, 7)
    assert (record.texts("t"), record.texts("l"), record.texts("null")) == (("x",), ("a",), ())
    assert record.record("o").text("t") == "y"
    assert record.has("t")
    assert not record.has("null")
    assert record.moment("null") is None
    for read in (lambda: record.number("b", 0), lambda: record.records("t")):
        with pytest.raises(RecordError):
            read()


def test_a_moment_may_be_milliseconds_or_have_a_zone():
    record = Record({"ms": 1_767_600_000_000, "zone": "2026-01-05T08:00:00Z", "flag": True})
    assert record.moment("ms") == record.moment("zone")
    assert record.moment("ms").tzinfo is None
    with pytest.raises(RecordError):
        record.moment("flag")
