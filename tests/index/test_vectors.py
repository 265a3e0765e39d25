"""Vectors are made once, kept safely, and found exactly."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.fake import FakeEmbedder
from tests.index.make import memory, note
from vaultmem.index.documents import Document, Source
from vaultmem.index.embedder import Stamp, stamp_of
from vaultmem.index.signals import IndexLockedError, VectorsTornError
from vaultmem.index.vector_table import Placed, VectorTable
from vaultmem.index.vectors import VectorIndex, destroy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@pytest.fixture
def vectors(tmp_path: Path, fake: FakeEmbedder) -> Iterator[VectorIndex]:
    index = VectorIndex(tmp_path / "meaning", stamp_of(fake), wait=0.2)
    yield index
    index.close()


def embed_all(index: VectorIndex, fake: FakeEmbedder) -> int:
    done = 0
    while texts := index.pending(7):
        index.add(texts, fake.embed(texts))
        done += len(texts)
    return done


def feed(
    index: VectorIndex, fake: FakeEmbedder, documents: Sequence[Document], *, stamp: str = "1"
) -> None:
    index.apply(documents, [], stamp=stamp)
    embed_all(index, fake)


def keys(index: VectorIndex, fake: FakeEmbedder, text: str, **options: object) -> list[str]:
    return [hit.key for hit in index.search(fake.embed([text])[0], **options)]  # type: ignore[arg-type]


class TestFinding:
    def test_the_nearest_come_first_with_their_cosine(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m1", "apple pear"), memory("m2", "zebra lion")])
        query = fake.embed(["m1\napple pear"])[0]
        first, second = vectors.search(query)
        assert first.key == "m1"
        assert first.cosine == pytest.approx(1.0, abs=1e-5)
        assert second.cosine < first.cosine
        assert (first.id, first.path, first.title) == ("m1", "Memory/Lessons/m1.md", "m1")
        assert first.source is Source.MEMORY
        cosines = vectors.cosines(query, ["m2", "unknown"])
        assert cosines == {"m2": pytest.approx(second.cosine, abs=1e-6)}
        assert vectors.cosines(query, ["unknown"]) == {}

    def test_sources_and_folders(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        feed(
            vectors, fake, [memory("m1", "apple"), note("a/1.md", "apple"), note("b/2.md", "apple")]
        )
        assert keys(vectors, fake, "apple") == ["m1"]
        assert set(keys(vectors, fake, "apple", sources=(Source.VAULT,))) == {"a/1.md", "b/2.md"}
        inside = keys(vectors, fake, "apple", sources=tuple(Source), within=("b",))
        assert inside == ["b/2.md"]
        assert keys(vectors, fake, "apple", within=("nowhere",)) == []
        assert keys(vectors, fake, "apple", limit=0) == []

    def test_an_empty_index_finds_nothing(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        assert keys(vectors, fake, "apple") == []

    def test_what_waits_is_not_found(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        vectors.apply([memory("m1", "apple")], [], stamp="1")
        assert (vectors.count, vectors.waiting) == (1, 1)
        assert keys(vectors, fake, "apple") == []


class TestFeeding:
    def test_a_text_is_embedded_once(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        same = [note("a.md", "apple"), note("b/a.md", "apple")]
        feed(vectors, fake, same)
        assert len(fake.embedded) == 1
        # gone, and back in another place
        vectors.apply([], ["a.md", "b/a.md"], stamp="2")
        assert vectors.count == 0
        feed(vectors, fake, [note("c/a.md", "apple")], stamp="3")
        assert len(fake.embedded) == 1
        assert keys(vectors, fake, "apple", sources=(Source.VAULT,)) == ["c/a.md"]

    def test_memories_are_embedded_first(self, vectors: VectorIndex) -> None:
        vectors.apply([note("a.md", "x"), memory("m1", "y"), note("b.md", "z")], [], stamp="1")
        assert vectors.pending(1) == ["m1\ny"]

    def test_missing_names_each_unknown_text_once(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        vectors.add(["apple"], fake.embed(["apple"]))
        assert vectors.missing(["apple", "pear", "pear"]) == ["pear"]

    def test_adding_a_known_text_again_adds_no_row(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        for _ in range(2):
            vectors.add(["apple", "pear"], fake.embed(["apple", "pear"]))
        (path,) = tmp_path.rglob("*.f32")
        assert path.stat().st_size == 2 * fake.dimension * 4

    def test_rows_must_fit_the_texts(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        with pytest.raises(ValueError, match="expected 2 rows of 32 numbers"):
            vectors.add(["a", "b"], fake.embed(["a"]))

    def test_documents_of_a_note_replace_the_earlier_ones(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [note("a.md", f"apple {n}", number=n) for n in (1, 2, 3)])
        feed(vectors, fake, [note("a.md", "apple")], stamp="2")
        assert keys(vectors, fake, "apple", sources=(Source.VAULT,)) == ["a.md"]
        assert vectors.stamp == "2"

    def test_complete_drops_the_rest_but_no_vector(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m1", "apple"), memory("m2", "pear")])
        vectors.apply([memory("m2", "pear")], [], stamp="2", complete=True)
        assert (vectors.count, vectors.waiting) == (1, 0)

    def test_texts_that_nobody_has_any_more_stop_waiting(self, vectors: VectorIndex) -> None:
        vectors.apply([memory("m1", "apple")], [], stamp="1")
        vectors.apply([memory("m1", "pear")], [], stamp="2")
        assert vectors.pending(10) == ["m1\npear"]

    def test_a_failing_feed_changes_nothing(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        feed(vectors, fake, [memory("m1", "apple")])

        def broken() -> Iterator[Document]:
            yield memory("m1", "pear")
            raise RuntimeError("stopped")

        with pytest.raises(RuntimeError, match="stopped"):
            vectors.apply(broken(), [], stamp="2")
        assert (vectors.stamp, vectors.waiting) == ("1", 0)
        assert keys(vectors, fake, "apple") == ["m1"]

    def test_lone_surrogates_are_stored(self, vectors: VectorIndex, fake: FakeEmbedder) -> None:
        feed(vectors, fake, [memory("m1", "apple \ud800", title="t \udfff")])
        assert keys(vectors, fake, "apple") == ["m1"]

    @settings(max_examples=20, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["put", "remove", "embed", "compact", "reopen"]),
                st.integers(0, 4),
                st.sampled_from(["apple", "pear", "plum"]),
            ),
            max_size=15,
        )
    )
    def test_any_order_of_changes_ends_like_a_dictionary(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, str]]
    ) -> None:
        folder, fake = tmp_path_factory.mktemp("meaning"), FakeEmbedder()
        index, held = VectorIndex(folder, stamp_of(fake)), dict[str, str]()
        for step, number, word in steps:
            if step == "put":
                index.apply([memory(f"m{number}", word, title=word)], [], stamp="s")
                held[f"m{number}"] = word
            elif step == "remove":
                index.apply([], [f"m{number}"], stamp="s")
                held.pop(f"m{number}", None)
            elif step == "embed":
                embed_all(index, fake)
            elif step == "compact":
                index.compact(force=number > 2)
            else:
                index.close()
                index = VectorIndex(folder, stamp_of(fake))
        embed_all(index, fake)
        for word in ("apple", "pear", "plum"):
            near = [hit.key for hit in index.search(fake.embed([word])[0]) if hit.cosine > 0.999]
            assert sorted(near) == sorted(key for key, text in held.items() if text == word)
        index.close()


_STEPS = ("put", "remove", "embed", "compact", "complete", "wipe", "fail")


class TestFollowing:
    """What is held in memory follows each write, whoever wrote."""

    @settings(max_examples=40, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.booleans(),
                st.sampled_from(_STEPS),
                st.integers(0, 4),
                st.sampled_from(["apple", "pear", "plum pear"]),
            ),
            max_size=12,
        )
    )
    def test_after_any_write_of_anybody_it_finds_what_is_stored(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[bool, str, int, str]]
    ) -> None:
        folder, fake = tmp_path_factory.mktemp("meaning"), FakeEmbedder()
        mine, other = (VectorIndex(folder, stamp_of(fake)) for _ in range(2))
        query = fake.embed(["apple pear"])[0]
        for ours, step, number, word in [(True, "put", 0, "apple"), *steps]:
            _change(mine if ours else other, fake, step, number, word)
            fresh = VectorIndex(folder, stamp_of(fake))
            assert mine.search(query) == fresh.search(query), (ours, step)
            fresh.close()
        mine.close()
        other.close()

    def test_an_own_write_reads_no_other_document_again(
        self, vectors: VectorIndex, fake: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        feed(vectors, fake, [memory(f"m{number}", "apple") for number in range(20)])
        assert len(keys(vectors, fake, "apple", limit=50)) == 20
        read: list[int] = []
        whole = VectorTable.placed

        def counted(table: VectorTable) -> list[Placed]:
            read.append(1)
            return whole(table)

        monkeypatch.setattr(VectorTable, "placed", counted)
        feed(vectors, fake, [memory("m5", "pear"), memory("new", "apple")], stamp="2")
        vectors.apply([], ["m6"], stamp="3")
        assert keys(vectors, fake, "m5 pear", limit=1) == ["m5"]
        assert {*keys(vectors, fake, "apple", limit=50)} == {
            "new", *(f"m{number}" for number in range(20) if number != 6)
        }  # fmt: skip
        assert not read

    def test_an_own_compaction_moves_the_rows(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m1", "apple")])
        feed(vectors, fake, [memory("m2", "pear"), memory("m3", "plum")], stamp="2")
        assert keys(vectors, fake, "m3 plum", limit=1) == ["m3"]
        vectors.apply([], ["m1"], stamp="3")
        assert keys(vectors, fake, "m3 plum", limit=1) == ["m3"]
        assert vectors.compact(force=True)
        assert keys(vectors, fake, "m3 plum", limit=1) == ["m3"]
        assert keys(vectors, fake, "m2 pear", limit=1) == ["m2"]

    def test_after_many_changes_at_once_all_is_read_again(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m", "apple")])
        assert keys(vectors, fake, "apple") == ["m"]
        feed(vectors, fake, [memory(f"m{number}", "apple") for number in range(700)], stamp="2")
        assert len(keys(vectors, fake, "apple", limit=1000)) == 701

    def test_after_many_writes_without_a_search_all_is_read_again(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m", "apple")])
        assert keys(vectors, fake, "apple") == ["m"]
        for number in range(40):  # each writes twice: the document, then its vector
            feed(vectors, fake, [memory(f"m{number}", "apple")], stamp=str(number))
        assert len(keys(vectors, fake, "apple", limit=100)) == 41


def _change(index: VectorIndex, fake: FakeEmbedder, step: str, number: int, word: str) -> None:
    if step == "put":
        index.apply([memory(f"m{number}", word)], [], stamp="s")
    elif step == "complete":
        index.apply([memory(f"m{number}", word)], [], stamp="s", complete=True)
    elif step == "remove":
        index.apply([], [f"m{number}"], stamp="s")
    elif step == "embed":
        embed_all(index, fake)
    elif step == "compact":
        index.compact(force=True)
    elif step == "wipe":
        index.wipe()
    else:
        with pytest.raises(ZeroDivisionError):
            _fail(index, f"m{number}")


def _fail(index: VectorIndex, key: str) -> None:
    with index.feeding(stamp="s") as placing:
        placing.drop(key)
        raise ZeroDivisionError


class TestKeeping:
    def test_compaction_drops_unneeded_rows(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        feed(vectors, fake, [memory(f"m{n}", f"word{n}") for n in range(20)])
        vectors.apply([], [f"m{n}" for n in range(3)], stamp="2")
        assert not vectors.compact()
        vectors.apply([], [f"m{n}" for n in range(3, 10)], stamp="3")
        assert vectors.compact()
        (path,) = tmp_path.rglob("*.f32")
        assert path.stat().st_size == 10 * fake.dimension * 4
        assert keys(vectors, fake, "m15 word15", limit=1) == ["m15"]

    def test_a_forced_compaction_leaves_no_deleted_text(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        vectors.apply([memory("m1", "xylophone"), memory("m2", "apple")], [], stamp="1")
        vectors.apply([], ["m1"], stamp="2")
        embed_all(vectors, fake)
        assert vectors.compact(force=True)
        vectors.close()
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        assert all(b"xylophone" not in path.read_bytes() for path in files)

    def test_an_embedded_text_is_not_kept(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        feed(vectors, fake, [memory("m1", "xylophone " * 500)])
        vectors.close()
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        assert all(b"xylophone" not in path.read_bytes() for path in files)

    def test_it_is_there_after_reopening(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        first = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(first, fake, [memory("m1", "apple")])
        first.close()
        second = VectorIndex(tmp_path / "m", stamp_of(fake))
        assert keys(second, fake, "apple") == ["m1"]
        assert len(fake.embedded) == 2
        second.close()

    @pytest.mark.parametrize(
        "other", [Stamp("other", "f1", 32), Stamp("fake", "f2", 32), Stamp("fake", "f1", 16)]
    )
    def test_another_model_begins_anew(
        self, tmp_path: Path, fake: FakeEmbedder, other: Stamp
    ) -> None:
        first = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(first, fake, [memory("m1", "apple")])
        first.close()
        second = VectorIndex(tmp_path / "m", other)
        assert (second.stamp, second.count) == (None, 0)
        assert not list(tmp_path.rglob("*.f32"))
        second.close()

    def test_files_are_private(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        feed(vectors, fake, [memory("m1", "apple")])
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert files
        assert all(path.stat().st_mode & 0o077 == 0 for path in files)

    def test_another_process_is_seen(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        one = VectorIndex(tmp_path / "m", stamp_of(fake))
        two = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(one, fake, [memory("m1", "apple")])
        assert keys(two, fake, "apple") == ["m1"]
        feed(one, fake, [memory("m1", "pear"), memory("m2", "apple")], stamp="2")
        one.compact(force=True)
        assert keys(two, fake, "m2 apple", limit=1) == ["m2"]
        assert two.stamp == "2"
        one.close()
        two.close()

    def test_a_search_does_not_wait_for_a_feed(
        self, vectors: VectorIndex, fake: FakeEmbedder
    ) -> None:
        feed(vectors, fake, [memory("m1", "apple")])
        reached, go_on = threading.Event(), threading.Event()

        def slow() -> Iterator[Document]:
            yield memory("m1", "pear")
            reached.set()
            assert go_on.wait(10)

        writer = threading.Thread(target=vectors.apply, args=(slow(), []), kwargs={"stamp": "2"})
        writer.start()
        assert reached.wait(10)
        assert (keys(vectors, fake, "apple"), vectors.stamp) == (["m1"], "1")
        go_on.set()
        writer.join()
        assert vectors.waiting == 1

    def test_a_second_writer_waits_and_then_says_so(
        self, vectors: VectorIndex, fake: FakeEmbedder, tmp_path: Path
    ) -> None:
        second = VectorIndex(tmp_path / "meaning", stamp_of(fake), wait=0.1)

        def meanwhile() -> Iterator[Document]:
            with pytest.raises(IndexLockedError):
                second.apply([memory("m2", "x")], [], stamp="x")
            yield memory("m1", "y")

        vectors.apply(meanwhile(), [], stamp="1")
        assert (second.stamp, second.count) == ("1", 1)
        second.close()


class TestDamage:
    @pytest.mark.parametrize("damage", ["empty", "cut", "zeros", "noise", "gone"])
    def test_a_torn_file_of_vectors_is_told_and_a_wipe_mends_it(
        self, tmp_path: Path, fake: FakeEmbedder, damage: str
    ) -> None:
        first = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(first, fake, [memory(f"m{n}", f"apple word{n}") for n in range(20)])
        first.close()
        (path,) = tmp_path.rglob("*.f32")
        data = path.read_bytes()
        ruined = {
            "empty": b"",
            "cut": data[: len(data) // 2],
            "zeros": data[:1_000] + bytes(len(data) - 1_000),
            "noise": bytes((11 * n) % 127 for n in range(len(data))),
        }
        path.unlink() if damage == "gone" else path.write_bytes(ruined[damage])
        second = VectorIndex(tmp_path / "m", stamp_of(fake))
        with pytest.raises(VectorsTornError):
            keys(second, fake, "apple")
        second.wipe()
        assert (second.stamp, second.count) == (None, 0)
        feed(second, fake, [memory("m1", "apple")], stamp="2")
        assert keys(second, fake, "apple") == ["m1"]
        second.close()

    def test_appending_to_a_cut_file_is_refused(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        index = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(index, fake, [memory("m1", "apple")])
        (path,) = tmp_path.rglob("*.f32")
        path.write_bytes(b"")
        with pytest.raises(VectorsTornError):
            index.add(["pear"], fake.embed(["pear"]))
        index.close()

    @pytest.mark.parametrize(
        "data", [b"not a database" * 100, b"SQLite format 3\x00" + bytes(5_000)]
    )
    def test_a_torn_table_is_told_and_destroyed(
        self, tmp_path: Path, fake: FakeEmbedder, data: bytes
    ) -> None:
        (tmp_path / "m").mkdir()
        (tmp_path / "m" / "vectors.sqlite").write_bytes(data)
        with pytest.raises(VectorsTornError):
            VectorIndex(tmp_path / "m", stamp_of(fake))
        destroy(tmp_path / "m")
        VectorIndex(tmp_path / "m", stamp_of(fake)).close()

    def test_leftover_bytes_of_a_crash_are_overwritten(
        self, tmp_path: Path, fake: FakeEmbedder
    ) -> None:
        index = VectorIndex(tmp_path / "m", stamp_of(fake))
        feed(index, fake, [memory("m1", "apple")])
        (path,) = tmp_path.rglob("*.f32")
        with path.open("ab") as file:
            file.write(b"half a row that was never counted")
        feed(index, fake, [memory("m2", "pear")], stamp="2")
        assert keys(index, fake, "m2 pear", limit=1) == ["m2"]
        assert path.stat().st_size == 2 * fake.dimension * 4
        index.close()

    def test_a_table_without_its_tables_is_torn(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        index = VectorIndex(tmp_path / "m", stamp_of(fake))
        with sqlite3.connect(tmp_path / "m" / "vectors.sqlite") as other:
            other.execute("DROP TABLE documents")
        other.close()
        with pytest.raises(VectorsTornError):
            index.apply([memory("m1", "apple")], [], stamp="1")
        index.close()


WRITER = """
import sys
from pathlib import Path
from tests.index.fake import FakeEmbedder
from tests.index.make import memory
from vaultmem.index.embedder import stamp_of
from vaultmem.index.vectors import VectorIndex
fake = FakeEmbedder()
index = VectorIndex(Path(sys.argv[1]), stamp_of(fake))
print("ready", flush=True)
for round in range(10000):
    index.apply([memory(f"m{n}", f"apple {round} {n}") for n in range(10)], [], stamp=str(round))
    texts = index.pending(100)
    index.add(texts, fake.embed(texts))
    if round % 5 == 4:
        index.compact(force=round % 2 == 0)
"""


@pytest.mark.parametrize("delay", [0.03, 0.1, 0.19, 0.3])
def test_kill_9_in_a_write_leaves_a_whole_index(
    tmp_path: Path, fake: FakeEmbedder, delay: float
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "m")], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    index = VectorIndex(tmp_path / "m", stamp_of(fake))
    embed_all(index, fake)
    assert len(index.search(fake.embed(["apple"])[0], limit=50)) == index.count
    feed(index, fake, [memory(f"m{n}", f"pear {n}") for n in range(10)], stamp="next")
    for number in range(10):
        (hit,) = index.search(fake.embed([f"m{number}\npear {number}"])[0], limit=1)
        assert hit.cosine == pytest.approx(1.0, abs=1e-5)
    assert np.isfinite(index.search(fake.embed(["apple"])[0], limit=1)[0].cosine)
    index.close()
