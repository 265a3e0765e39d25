"""The search engine: both indexes fed together, one search, vectors made in the background."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.wording import count
from vaultmem.errors import ModelError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import (
    CANDIDATES,
    Mode,
    SearchHit,
    SearchResult,
    from_meaning,
    from_words,
    fuse,
    one_per_note,
)
from vaultmem.index.models import calibration
from vaultmem.index.signals import IndexLockedError, IndexTornError, VectorsTornError
from vaultmem.index.worker import IDLE_SECONDS, VectorMaker

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path
    from typing import TypeVar

    import numpy as np
    from numpy.typing import NDArray

    from vaultmem.index.documents import Document
    from vaultmem.index.embedder import Embedder
    from vaultmem.index.keyword import KeywordHit, KeywordIndex
    from vaultmem.index.models import Calibration
    from vaultmem.index.vectors import VectorIndex

    T = TypeVar("T")

_TORN = "The search index was damaged and could not be rebuilt; run `{}`."


class Feed(NamedTuple):
    """The difference between two states of the notes.

    Attributes:
        upserts: all documents of every note that is new or changed.
        removals: paths or keys of what is gone.
        stamp: names the state that is reached; any text that the feeder will understand later.
        complete: `upserts` are everything there is; what is not among them goes.
    """

    upserts: Iterable[Document]
    removals: Iterable[str]
    stamp: str
    complete: bool = False


class Contents(NamedTuple):
    """The keys of the documents in each index; without a model none has a meaning."""

    words: frozenset[str]
    meaning: frozenset[str]


Feeder: TypeAlias = "Callable[[str | None], Feed]"
"""Asked with the stamp that an index holds, answers with what has changed since. None asks for
everything, and so may any stamp that the feeder does not know (`complete=True`)."""


class SearchEngine:
    """Keyword and vector index below one folder of the cache.

    Words are searchable as soon as `refresh` returns; meaning follows when the texts are embedded,
    by `embed` or, after `start`, by one thread in the background. Nothing here fails a command:
    a missing model, a locked or a damaged index make the answer smaller and say so.
    Safe to use from several threads.
    """

    def __init__(
        self,
        folder: Path,
        *,
        embedder: Embedder | None = None,
        wait: float = 10.0,
        idle: float = IDLE_SECONDS,
        rebuild: str = "vaultmem reindex",
    ) -> None:
        """Open nothing yet.

        Args:
            folder: made when needed.
            embedder: None for words only.
            wait: seconds to wait for another process that writes.
            idle: seconds without work after which the model is unloaded.
            rebuild: the command that builds it anew, for what a person is told.
        """
        self._folder = folder
        self._embedder = embedder
        self._wait = wait
        self._rebuild = rebuild
        self._lock = threading.RLock()
        self._keyword: KeywordIndex | None = None
        self._vectors: VectorIndex | None = None
        self._feeders = threading.local()  # each reads with its thread's own view of the vault
        self._maker = VectorMaker(embedder, self._meaning, idle=idle) if embedder else None

    # Feeding

    def refresh(self, feeder: Feeder) -> str | None:
        """Bring both indexes up to date; returns a sentence if that was not possible.

        `feeder` is called once with the stamp that both indexes hold, or once for each where they
        differ (after a crash, or with a new model). It is kept, to rebuild an index that a search
        of the same thread finds damaged; several threads may use one engine.
        """
        self._feeders.own = feeder
        try:
            self._repairing(self._feed)
        except IndexLockedError as error:
            return f"The search index {error.reason}; it answers from what it held before."
        except IndexTornError:
            return _TORN.format(self._rebuild)
        if self._maker:
            self._maker.wake()
        return None

    def optimise(self, *, purge: bool = False) -> None:
        """Merge and compact where it is worth it; with `purge` leave no deleted text in any file.

        For idle time. Raises nothing when another process writes: the next call will do.
        """
        try:
            self._repairing(lambda: self._words().optimise(force=purge))
            if vectors := self._meaning():
                self._repairing(lambda: vectors.compact(force=purge))
        except (IndexLockedError, IndexTornError):
            return

    def wipe(self) -> None:
        """Forget everything; the next `refresh` is asked for all."""
        self._words().wipe()
        self._wipe_vectors()

    # Searching

    def search(
        self,
        text: str,
        *,
        mode: Mode = Mode.HYBRID,
        sources: Collection[Source] = (Source.MEMORY,),
        within: Sequence[str] = (),
        limit: int = 10,
        wait_for_model: bool = True,
        every_chunk: bool = False,
    ) -> SearchResult:
        """Find documents; never raises for what the query contains or what is missing.

        Args:
            text: the person's or agent's words; not a query language.
            mode: keyword, semantic or hybrid.
            sources: where to look.
            within: only these notes and folders, relative to the vault; empty for everywhere.
            limit: how many notes at most.
            wait_for_model: load the model if need be (about a second). Otherwise a model that is
                not loaded is loaded in the background, and words answer this time.
            every_chunk: several hits in one note count each.
        """
        query = _Query(text, frozenset(sources), tuple(within), limit)
        try:
            hits, used, degraded = self._repairing(
                lambda: self._answer(query, mode, wait_for_model=wait_for_model)
            )
        except IndexTornError:
            return SearchResult(hits=(), mode=Mode.KEYWORD, degraded=_TORN.format(self._rebuild))
        except IndexLockedError as error:
            sentence = f"The search index {error.reason}; try again."
            return SearchResult(hits=(), mode=Mode.KEYWORD, degraded=sentence)
        chosen = hits if every_chunk else one_per_note(hits)
        return SearchResult(hits=tuple(chosen[: max(limit, 0)]), mode=used, degraded=degraded)

    def nearness(self, text: str, others: Sequence[str]) -> list[float] | None:
        """The cosine of a text to each of some others, indexed or not; None without a model."""
        if self._maker is None or not others:
            return None
        try:
            own, *rest = self._maker.rows([text, *others])
        except ModelError:
            return None
        return [float(own @ one) for one in rest]

    @property
    def stamp(self) -> str | None:
        """The state that the words answer from."""
        return self._words().stamp

    def contents(self) -> Contents | None:
        """The keys of all documents that each index holds; None where one cannot be read.

        It reads every document, so it is for an examination and not for a search.
        """
        try:
            return self._repairing(self._contents)
        except (IndexLockedError, IndexTornError):
            return None

    @property
    def waiting(self) -> int:
        """How many texts wait for a vector; 0 without a model."""
        vectors = self._meaning()
        return vectors.waiting if vectors else 0

    @property
    def thresholds(self) -> Calibration:
        """At which cosine two texts belong together, for the model in use."""
        return calibration(self._embedder.name if self._embedder else "")

    # Vectors

    def embed(self, limit: int | None = None, progress: Callable[[int], object] = int) -> int:
        """Embed texts that wait, memories first; returns how many.

        Args:
            limit: stop after about so many; None for all.
            progress: called with the number done so far, after each batch.

        Raises:
            ModelError: the model is missing, changed or unusable.
        """
        return self._maker.embed(limit, progress) if self._maker else 0

    def start(self) -> None:
        """Embed in the background from now on, whenever `refresh` brings new texts."""
        if self._maker:
            self._maker.start()

    def close(self) -> None:
        """End the background thread after its batch and close the files."""
        if self._maker:
            self._maker.stop()
        with self._lock:
            if self._keyword:
                self._keyword.close()
            if self._vectors:
                self._vectors.close()
            self._keyword = self._vectors = None

    # Inside

    def _words(self) -> KeywordIndex:
        with self._lock:
            if self._keyword is None:
                from vaultmem.index.keyword import KeywordIndex

                self._keyword = KeywordIndex(self._folder / "words", wait=self._wait)
            return self._keyword

    def _meaning(self) -> VectorIndex | None:
        """The vectors, None without a model. One that cannot be opened is begun anew."""
        with self._lock:
            if self._vectors is None and self._embedder is not None:
                from vaultmem.index.embedder import stamp_of
                from vaultmem.index.vectors import VectorIndex, destroy

                folder, model = self._folder / "meaning", stamp_of(self._embedder)
                try:
                    self._vectors = VectorIndex(folder, model, wait=self._wait)
                except VectorsTornError:
                    destroy(folder)
                    self._vectors = VectorIndex(folder, model, wait=self._wait)
            return self._vectors

    def _contents(self) -> Contents:
        vectors = self._meaning()
        return Contents(self._words().keys, vectors.keys if vectors else frozenset())

    def _wipe_vectors(self) -> None:
        if vectors := self._meaning():
            try:
                vectors.wipe()
            except VectorsTornError:
                from vaultmem.index.vectors import destroy

                with self._lock:
                    vectors.close()
                    destroy(self._folder / "meaning")
                    self._vectors = None

    def _repairing(self, action: Callable[[], T]) -> T:
        """Do it; if an index turns out to be damaged, build that one anew and do it again."""
        try:
            return action()
        except VectorsTornError:
            self._wipe_vectors()
        except IndexTornError:
            self._words().wipe()
        self._feed()
        return action()

    def _feed(self) -> None:
        words, vectors = self._words(), self._meaning()
        feeder: Feeder | None = getattr(self._feeders, "own", None)
        if feeder is None:
            return
        held = words.stamp
        if vectors and vectors.stamp == held:
            feed = feeder(held)
            if feed.stamp != held or feed.complete:
                _feed_both(feed, words, vectors)
            return
        for index in (words, vectors):
            if index is not None:
                feed = feeder(index.stamp)
                if feed.stamp != index.stamp or feed.complete:
                    index.apply(
                        feed.upserts, feed.removals, stamp=feed.stamp, complete=feed.complete
                    )

    def _answer(
        self, query: _Query, mode: Mode, *, wait_for_model: bool
    ) -> tuple[list[SearchHit], Mode, str | None]:
        if not query.text.strip():
            return [], mode, None
        words = self._words()
        if mode is Mode.KEYWORD:
            return from_words(query.ask(words)), mode, None
        vector, missing = self._vector(query.text, wait_for_model=wait_for_model)
        try:
            vectors = self._meaning()
        except IndexLockedError as error:
            if words.stamp is None:  # nothing was ever built, so words know nothing either
                raise
            told = f"The search index {error.reason}; these were found by words."
            return from_words(query.ask(words)), Mode.KEYWORD, told
        if vector is None or vectors is None:
            return from_words(query.ask(words)), Mode.KEYWORD, missing
        waiting = self._waiting_sentence(vectors)
        near = vectors.search(
            vector, sources=query.sources, within=query.within, limit=query.candidates
        )
        if mode is Mode.SEMANTIC:
            return from_meaning(near, floor=self.thresholds.stranger), mode, waiting
        found = query.ask(words)
        cosines = vectors.cosines(vector, [hit.key for hit in found])
        return fuse(found, near, cosines, floor=self.thresholds.stranger), mode, waiting

    def _vector(
        self, text: str, *, wait_for_model: bool
    ) -> tuple[NDArray[np.float32] | None, str | None]:
        """The query's vector, or why there is none."""
        if self._maker is None:
            return None, "No embedding model is set up; these were found by words."
        if not wait_for_model and not self._maker.ready():
            return None, "The embedding model is being loaded; these were found by words."
        try:
            return self._maker.vector(text), None
        except ModelError as error:
            return None, str(error)

    def _waiting_sentence(self, vectors: VectorIndex) -> str | None:
        waiting = vectors.waiting
        if not waiting:
            return None
        told = count(waiting, "text is", "texts are")
        found, them = ("was", "it") if waiting == 1 else ("were", "them")
        return (
            f"{told} not embedded yet and {found} found by words only; "
            f"`{self._rebuild}` embeds {them}."
        )


class _Query(NamedTuple):
    """What a search asks of each half."""

    text: str
    sources: frozenset[Source]
    within: tuple[str, ...]
    limit: int

    @property
    def candidates(self) -> int:
        return max(CANDIDATES, self.limit)

    def ask(self, words: KeywordIndex) -> list[KeywordHit]:
        return words.search(
            self.text, sources=self.sources, within=self.within, limit=self.candidates
        )


def _feed_both(feed: Feed, words: KeywordIndex, vectors: VectorIndex) -> None:
    """One pass over the documents for both indexes; the notes are read once."""
    removals = tuple(feed.removals)
    with vectors.feeding(stamp=feed.stamp, complete=feed.complete) as placed:
        for gone in removals:
            placed.drop(gone)
        words.apply(
            placed.passing(feed.upserts), removals, stamp=feed.stamp, complete=feed.complete
        )
