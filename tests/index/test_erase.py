"""What was removed is erased from the indexes on disk, whichever model made the vectors."""

from __future__ import annotations

import sqlite3

import pytest

from tests.index.fake import FakeEmbedder
from tests.index.make import memory
from vaultmem.index.engine import Feed, SearchEngine
from vaultmem.index.erase import erase_removed
from vaultmem.index.signals import IndexLockedError

KEPT, GONE = memory("m1", "apples grow on trees"), memory("long-eared", "quokkas fly in zeppelins")


@pytest.fixture
def folder(tmp_path):
    """An index with vectors of two documents, fed up to stamp 1."""
    engine = SearchEngine(tmp_path / "index", embedder=FakeEmbedder())
    engine.refresh(lambda _: Feed([KEPT, GONE], (), "1"))
    engine.embed()
    engine.close()
    return tmp_path / "index"


def _without(stamp):
    assert stamp == "1"
    return Feed((), [GONE.key], "2")


def _bytes(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def _rows(folder):
    return sum(path.stat().st_size for path in folder.rglob("*.f32")) // (32 * 4)


def test_words_titles_and_vectors_of_what_is_gone_leave_the_files(folder):
    assert b"quokka" in _bytes(folder)
    assert _rows(folder) == 2
    erase_removed(folder, _without)
    data = _bytes(folder)
    for word in (b"quokka", b"zeppelin", b"long-eared"):
        assert word not in data
    assert _rows(folder) == 1
    engine = SearchEngine(folder, embedder=FakeEmbedder())
    assert engine.stamp == "2"
    assert [hit.id for hit in engine.search("apples quokkas").hits] == ["m1"]
    engine.close()


def test_text_that_still_waited_for_a_vector_goes_too(tmp_path):
    folder = tmp_path / "index"
    engine = SearchEngine(folder, embedder=FakeEmbedder())
    engine.refresh(lambda _: Feed([KEPT, GONE], (), "1"))
    engine.close()
    erase_removed(folder, _without)
    assert b"quokka" not in _bytes(folder)


def test_what_was_never_built_stays_so(tmp_path):
    erase_removed(tmp_path / "index", _without)
    assert not (tmp_path / "index").exists()


# Whoosh leaves a file that it failed to read to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_index_that_is_damaged_is_removed_as_a_whole(folder):
    for path in folder.rglob("_MAIN_*"):
        path.write_bytes(b"torn")
    with sqlite3.connect(folder / "meaning/vectors.sqlite") as sql:
        sql.execute("UPDATE meta SET value = 'torn' WHERE name = 'model'")
    sql.close()
    erase_removed(folder, _without)
    assert b"quokka" not in _bytes(folder)


def test_a_reader_that_holds_an_older_state_is_waited_for_and_told(folder):
    reader = sqlite3.connect(folder / "meaning/vectors.sqlite", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM documents").fetchall()
    with pytest.raises(IndexLockedError):
        erase_removed(folder, _without, wait=0.1)
    reader.execute("COMMIT")
    reader.close()
    erase_removed(folder, lambda _: Feed((), [GONE.key], "2"))
    assert b"quokka" not in _bytes(folder)


def test_what_is_left_of_an_index_without_its_table_goes(folder):
    for path in folder.rglob("_MAIN_*"):
        path.unlink()
    erase_removed(folder, _without)
    assert b"quokka" not in _bytes(folder)
