"""The engine: feeding both halves, degrading with a sentence, mending itself, working aside."""

from __future__ import annotations

import shutil
import struct
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.index.fake import FakeEmbedder
from tests.index.make import memory, note
from vaultmem.errors import ModelError
from vaultmem.index.documents import Document, Source
from vaultmem.index.engine import Feed, SearchEngine
from vaultmem.index.hybrid import Mode
from vaultmem.index.keyword import KeywordIndex
from vaultmem.index.models import CAUTIOUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Notes:
    """A feeder: documents by key, and a stamp that counts their changes."""

    def __init__(self, *documents: Document) -> None:
        self.documents = {document.key: document for document in documents}
        self.version = 1
        self.asked: list[str | None] = []

    def __call__(self, stamp: str | None) -> Feed:
        self.asked.append(stamp)
        if stamp == str(self.version):
            return Feed((), (), stamp)
        return Feed(iter(self.documents.values()), (), str(self.version), complete=True)

    def change(self, *documents: Document) -> None:
        self.documents |= {document.key: document for document in documents}
        self.version += 1


@pytest.fixture
def engine(tmp_path: Path, fake: FakeEmbedder) -> Iterator[SearchEngine]:
    made = SearchEngine(tmp_path / "index", embedder=fake, wait=0.2)
    yield made
    made.close()


def keys(engine: SearchEngine, text: str, mode: Mode = Mode.HYBRID, **options: object) -> list[str]:
    return [hit.key for hit in engine.search(text, mode=mode, **options).hits]  # type: ignore[arg-type]


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < limit, "did not happen in ten seconds"
        time.sleep(0.01)


class TestFeeding:
    def test_words_at_once_and_meaning_when_embedded(self, engine: SearchEngine) -> None:
        assert engine.refresh(Notes(memory("m1", "apple pear"), memory("m2", "lion"))) is None
        assert keys(engine, "apple", Mode.KEYWORD) == ["m1"]
        assert engine.waiting == 2
        assert engine.embed() == 2
        assert engine.waiting == 0
        result = engine.search("pear apple")
        assert (result.mode, result.degraded) == (Mode.HYBRID, None)
        assert result.hits[0].key == "m1"
        assert result.hits[0].why.startswith("words: pear, apple; meaning 0.")

    def test_one_call_of_the_feeder_serves_both(self, engine: SearchEngine) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        engine.refresh(notes)
        notes.change(memory("m2", "pear"))
        engine.refresh(notes)
        assert notes.asked == [None, "1", "1"]
        assert engine.stamp == "2"

    def test_each_thread_is_served_by_its_own_feeder(self, engine: SearchEngine) -> None:
        notes = Notes(memory("m1", "apple"))
        strangers: list[str] = []

        def work() -> None:
            mine = threading.get_ident()

            def feeder(stamp: str | None) -> Feed:
                if threading.get_ident() != mine:
                    strangers.append(threading.current_thread().name)
                return notes(stamp)

            for _ in range(50):
                engine.refresh(feeder)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert strangers == []

    def test_an_unchanged_stamp_writes_nothing(self, engine: SearchEngine, tmp_path: Path) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        before = {
            path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if "words" in str(path)
        }
        engine.refresh(notes)
        after = {
            path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if "words" in str(path)
        }
        assert before == after

    def test_a_difference_of_some_notes(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(memory("m1", "apple"), memory("m2", "apple"), memory("m3", "apple")))
        engine.embed()
        change = Feed([memory("m1", "pear")], ["Memory/Lessons/m2.md", "m9"], "next")
        engine.refresh(lambda _: change)
        engine.embed()
        for mode in Mode:
            assert set(keys(engine, "apple pear", mode)) == {"m1", "m3"}

    def test_halves_that_differ_are_fed_apart(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        # without a model only the words are fed; a model that is set up later catches up
        first = SearchEngine(tmp_path / "index")
        notes = Notes(memory("m1", "apple"))
        first.refresh(notes)
        first.close()
        second = SearchEngine(tmp_path / "index", embedder=fake)
        second.refresh(notes)
        second.embed()
        assert notes.asked == [None, "1", None]
        assert keys(second, "apple", Mode.SEMANTIC) == ["m1"]
        second.close()

    def test_a_locked_index_answers_from_before(self, engine: SearchEngine, tmp_path: Path) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        other = KeywordIndex(tmp_path / "index" / "words")

        def meanwhile() -> Iterator[Document]:
            notes.change(memory("m2", "apple"))
            sentence = engine.refresh(notes)
            assert sentence is not None
            assert "is being written by another process" in sentence
            assert keys(engine, "apple", Mode.KEYWORD) == ["m1"]
            engine.optimise()
            yield memory("m3", "pear")

        other.apply(meanwhile(), [], stamp="1")
        other.close()
        assert engine.refresh(notes) is None
        assert set(keys(engine, "apple", Mode.KEYWORD)) == {"m1", "m2"}
        assert engine.waiting == 2

    def test_wipe_forgets_everything(self, engine: SearchEngine) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        engine.embed()
        engine.wipe()
        assert (engine.stamp, keys(engine, "apple")) == (None, [])
        engine.refresh(notes)
        assert keys(engine, "apple") == ["m1"]

    def test_a_purge_leaves_no_deleted_text(self, engine: SearchEngine, tmp_path: Path) -> None:
        engine.refresh(Notes(memory("m1", "xylophone"), memory("m2", "apple")))
        engine.embed()
        engine.refresh(lambda _: Feed((), ["m1"], "2"))
        engine.optimise(purge=True)
        assert keys(engine, "apple", Mode.KEYWORD) == ["m2"]
        engine.close()
        for path in tmp_path.rglob("*"):
            assert not path.is_file() or b"xylophon" not in path.read_bytes()


class TestSearching:
    def test_sources_folders_and_limit(self, engine: SearchEngine) -> None:
        notes = [note(f"{folder}/{n}.md", "apple") for folder in "ab" for n in range(3)]
        engine.refresh(Notes(memory("m1", "apple"), *notes))
        engine.embed()
        for mode in Mode:
            assert keys(engine, "apple", mode) == ["m1"]
            vault = keys(engine, "apple", mode, sources=(Source.VAULT,), within=("b",), limit=2)
            assert len(vault) == 2
            assert all(key.startswith("b/") for key in vault)

    def test_chunks_of_a_note_are_one_hit_unless_asked(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(*[note("a.md", f"apple {n}", number=n) for n in (1, 2)]))
        engine.embed()
        for mode in Mode:
            assert len(keys(engine, "apple", mode, sources=(Source.VAULT,))) == 1
            every = keys(engine, "apple", mode, sources=(Source.VAULT,), every_chunk=True)
            assert len(every) == 2

    @pytest.mark.parametrize("query", ["", "  ", "\n"])
    def test_a_blank_query_finds_nothing(self, engine: SearchEngine, query: str) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        for mode in Mode:
            assert engine.search(query, mode=mode).hits == ()

    def test_more_hits_than_candidates(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(*[memory(f"m{n}", "apple") for n in range(150)]))
        engine.embed()
        for mode in Mode:
            assert len(keys(engine, "apple", mode, limit=120)) == 120

    @pytest.mark.parametrize(
        "query", ["\ud800", "a\x00b", "x" * 100_000, "数" * 5_000, '"(*:', "🚀" * 500]
    )
    def test_hostile_queries(self, engine: SearchEngine, query: str) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        engine.embed()
        for mode in Mode:
            assert engine.search(query, mode=mode, sources=tuple(Source)).degraded is None


class TestDegrading:
    def test_without_a_model_words_answer(self, tmp_path: Path) -> None:
        engine = SearchEngine(tmp_path / "index")
        engine.refresh(Notes(memory("m1", "apple")))
        result = engine.search("apple")
        assert [hit.key for hit in result.hits] == ["m1"]
        assert result.mode is Mode.KEYWORD
        assert result.degraded == "No embedding model is set up; these were found by words."
        assert (engine.embed(), engine.waiting) == (0, 0)
        assert engine.search("apple", mode=Mode.KEYWORD).degraded is None
        assert engine.thresholds is CAUTIOUS
        engine.start()
        engine.optimise()
        engine.wipe()
        engine.close()

    def test_a_missing_model_is_a_sentence(self, engine: SearchEngine, fake: FakeEmbedder) -> None:
        fake.missing = True
        engine.refresh(Notes(memory("m1", "apple")))
        for mode in (Mode.HYBRID, Mode.SEMANTIC):
            result = engine.search("apple", mode=mode)
            assert (result.mode, [hit.key for hit in result.hits]) == (Mode.KEYWORD, ["m1"])
            assert result.degraded == "The fake model is missing. Install it."
        with pytest.raises(ModelError):
            engine.embed()

    def test_texts_that_wait_are_mentioned(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(memory("m1", "apple"), memory("m2", "apple")))
        result = engine.search("apple")
        assert result.mode is Mode.HYBRID
        assert result.degraded is not None
        assert result.degraded.startswith("2 texts are not embedded yet")
        assert len(result.hits) == 2

    def test_one_text_that_waits_is_one(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        told = engine.search("apple").degraded
        assert told is not None
        assert told.startswith("1 text is not embedded yet and was found by words only; ")
        assert told.endswith(" embeds it.")

    def test_a_search_that_does_not_wait_gets_words_and_starts_loading(
        self, engine: SearchEngine, fake: FakeEmbedder
    ) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        engine.embed()
        fake.unload()
        result = engine.search("apple", wait_for_model=False)
        assert result.mode is Mode.KEYWORD
        assert result.degraded == "The embedding model is being loaded; these were found by words."
        until(lambda: fake.loaded)
        assert engine.search("apple", wait_for_model=False).mode is Mode.HYBRID

    def test_a_model_that_cannot_be_loaded_aside_is_told_by_the_next_search(
        self, engine: SearchEngine, fake: FakeEmbedder
    ) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        fake.missing, fake.loaded = True, False
        assert engine.search("apple", wait_for_model=False).mode is Mode.KEYWORD
        assert engine.search("apple").degraded == "The fake model is missing. Install it."


# Whoosh leaves a file that it failed to read to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
class TestMending:
    @pytest.mark.parametrize("part", ["memory/*.seg", "memory/*.toc"])
    def test_a_torn_keyword_index_is_rebuilt_by_the_search(
        self, tmp_path: Path, fake: FakeEmbedder, part: str
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        first = SearchEngine(tmp_path / "index", embedder=fake)
        first.refresh(notes)
        first.embed()
        first.close()
        (path,) = (tmp_path / "index" / "words").glob(part)
        path.write_bytes(b"")
        second = SearchEngine(tmp_path / "index", embedder=fake)
        second.refresh(notes)
        result = second.search("apple")
        assert ([hit.key for hit in result.hits], result.degraded) == (["m1"], None)
        assert second.stamp == "1"
        assert fake.embedded.count("m1\napple") == 1
        second.close()

    @pytest.mark.parametrize("name", ["vectors-0.f32", "vectors.sqlite"])
    def test_torn_vectors_are_rebuilt_and_words_stay(
        self, tmp_path: Path, fake: FakeEmbedder, name: str
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        first = SearchEngine(tmp_path / "index", embedder=fake)
        first.refresh(notes)
        first.embed()
        first.close()
        (tmp_path / "index" / "meaning" / name).write_bytes(b"ruined " * 100)
        second = SearchEngine(tmp_path / "index", embedder=fake)
        second.refresh(notes)
        result = second.search("apple")
        assert [hit.key for hit in result.hits] == ["m1"]
        second.embed()
        assert keys(second, "apple", Mode.SEMANTIC) == ["m1"]
        second.close()

    def test_a_table_torn_while_it_is_open_is_destroyed(
        self, engine: SearchEngine, tmp_path: Path, fake: FakeEmbedder
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        table = tmp_path / "index" / "meaning" / "vectors.sqlite"
        for path in table.parent.glob("vectors.sqlite*"):
            path.write_bytes(b"ruined " * 2_000)
        assert engine.embed() == 0
        notes.change(memory("m2", "pear"))
        assert engine.refresh(notes) is None
        engine.embed()
        assert keys(engine, "pear", Mode.SEMANTIC, limit=1) == ["m2"]

    def test_damage_without_a_feeder_is_a_sentence(
        self, tmp_path: Path, fake: FakeEmbedder
    ) -> None:
        first = SearchEngine(tmp_path / "index", embedder=fake)
        first.refresh(Notes(memory("m1", "apple")))
        first.close()
        (path,) = (tmp_path / "index" / "words").glob("memory/*.seg")
        path.write_bytes(b"")
        second = SearchEngine(tmp_path / "index", embedder=fake)
        assert second.search("apple").hits == ()
        assert second.stamp is None
        second.close()

    def test_damage_that_cannot_be_mended_is_a_sentence(
        self, engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)

        def tear(*_: object) -> None:
            raise struct.error("unpack requires a buffer of 4 bytes")

        monkeypatch.setattr("whoosh.writing.SegmentWriter._commit_toc", tear)
        notes.change(memory("m2", "pear"))
        sentence = engine.refresh(notes)
        assert sentence is not None
        assert "vaultmem reindex" in sentence
        engine.optimise(purge=True)

    def test_a_full_disk_is_a_sentence_and_loses_nothing(
        self, engine: SearchEngine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        engine.embed()

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as disk:
            disk.setattr("whoosh.writing.SegmentWriter._commit_toc", full)
            disk.setattr("os.fsync", full)
            notes.change(memory("m2", "pear"))
            assert engine.refresh(notes) == (
                "The search index cannot be written (No space left on device); "
                "it answers from what it held before."
            )
            assert keys(engine, "apple") == ["m1"]
        assert engine.refresh(notes) is None
        assert keys(engine, "pear", Mode.KEYWORD) == ["m2"]

    def test_a_read_only_cache_is_a_sentence(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        (tmp_path / "index").write_text("a file where the folder should be")
        engine = SearchEngine(tmp_path / "index", embedder=fake)
        sentence = engine.refresh(Notes(memory("m1", "apple")))
        assert sentence is not None
        assert sentence.startswith("The search index cannot be written (")
        result = engine.search("apple")
        assert (result.hits, result.degraded) == (
            (),
            "The search index cannot be written (Not a directory); try again.",
        )

    def test_an_index_that_is_gone_is_made_again(
        self, engine: SearchEngine, tmp_path: Path
    ) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        engine.close()
        shutil.rmtree(tmp_path / "index")
        engine.refresh(notes)
        assert keys(engine, "apple", Mode.KEYWORD) == ["m1"]


class TestAside:
    def test_the_worker_embeds_what_a_refresh_brings(
        self, engine: SearchEngine, fake: FakeEmbedder
    ) -> None:
        engine.start()
        engine.start()
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        until(lambda: engine.waiting == 0)
        notes.change(memory("m2", "pear"))
        engine.refresh(notes)
        until(lambda: engine.waiting == 0)
        assert sorted(fake.embedded) == ["m1\napple", "m2\npear"]
        assert len([one for one in threading.enumerate() if one.name == "embed"]) == 1

    def test_the_model_is_unloaded_when_idle(self, tmp_path: Path, fake: FakeEmbedder) -> None:
        with closing(SearchEngine(tmp_path / "index", embedder=fake, idle=0.05)) as engine:
            engine.refresh(Notes(memory("m1", "apple")))
            engine.start()
            until(lambda: engine.waiting == 0 and not fake.loaded)
            assert keys(engine, "apple", Mode.SEMANTIC) == ["m1"]
            assert fake.loads == 1
            until(lambda: not fake.loaded)

    def test_a_missing_model_does_not_end_the_worker(
        self, engine: SearchEngine, fake: FakeEmbedder
    ) -> None:
        fake.missing = True
        engine.start()
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        assert engine.search("apple").mode is Mode.KEYWORD
        fake.missing = False
        engine.refresh(notes)
        until(lambda: engine.waiting == 0)

    def test_embedding_stops_at_a_limit_and_reports_progress(self, engine: SearchEngine) -> None:
        engine.refresh(Notes(*[memory(f"m{n}", f"text {n}") for n in range(200)]))
        seen: list[int] = []
        assert engine.embed(limit=100, progress=seen.append) == 128
        assert seen == [64, 128]
        assert engine.waiting == 72

    def test_close_ends_the_worker_and_the_engine_can_be_used_again(
        self, engine: SearchEngine
    ) -> None:
        engine.refresh(Notes(memory("m1", "apple")))
        engine.start()
        engine.close()
        assert not [one for one in threading.enumerate() if one.name == "embed"]
        assert keys(engine, "apple", Mode.KEYWORD) == ["m1"]

    def test_searching_and_feeding_in_several_threads(self, engine: SearchEngine) -> None:
        notes = Notes(memory("m1", "apple"))
        engine.refresh(notes)
        engine.start()
        trouble: list[object] = []

        def search() -> None:
            for _ in range(30):
                result = engine.search("apple")
                if "m1" not in [hit.key for hit in result.hits]:
                    trouble.append(result)

        threads = [threading.Thread(target=search) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(10):
            notes.change(memory(f"x{number}", "apple pear"))
            assert engine.refresh(notes) is None
        for thread in threads:
            thread.join()
        assert trouble == []
        until(lambda: engine.waiting == 0)


def test_a_model_without_loading_is_always_ready(tmp_path: Path) -> None:
    class Plain:
        name, fingerprint, dimension = "plain", "p", 32
        embed = FakeEmbedder().embed

    engine = SearchEngine(tmp_path / "index", embedder=Plain(), idle=0.01)
    engine.refresh(Notes(memory("m1", "apple")))
    engine.start()
    until(lambda: engine.waiting == 0)
    assert engine.search("apple", wait_for_model=False).mode is Mode.HYBRID
    time.sleep(0.05)
    engine.close()
