"""Making vectors for texts that wait, at once or by one thread in the background."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from vaultmem.errors import ModelError
from vaultmem.index.signals import IndexLockedError, IndexTornError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vaultmem.index.embedder import Embedder, Matrix
    from vaultmem.index.vectors import VectorIndex

IDLE_SECONDS = 600.0
"""After ten minutes without a text to embed the model's 300 MB are given back."""

_BATCH = 64
"""Texts that one batch stores: what a crash loses, and how long `stop` may wait."""


@runtime_checkable
class Loadable(Protocol):
    """An embedder whose model can be in memory or not."""

    @property
    def loaded(self) -> bool:
        """Whether it is in memory now."""
        ...

    def load(self) -> None:
        """Put it there."""
        ...

    def unload(self) -> None:
        """Give the memory back."""
        ...


class VectorMaker:
    """Owns the use of one embedder for one index; safe to use from several threads."""

    def __init__(
        self, embedder: Embedder, vectors: Callable[[], VectorIndex | None], *, idle: float
    ) -> None:
        self._embedder = embedder
        self._vectors = vectors
        self._idle = idle
        self._used = time.monotonic()
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._worker: threading.Thread | None = None
        self._loader: threading.Thread | None = None

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a query, shape (dimension,).

        Raises:
            ModelError: the model is missing, changed or unusable.
        """
        row: NDArray[np.float32] = self.rows([text])[0]
        return row

    def rows(self, texts: Sequence[str]) -> Matrix:
        """The vectors of texts, which are not kept: shape (len(texts), dimension).

        Raises:
            ModelError: as `vector`.
        """
        self._used = time.monotonic()
        return self._embedder.embed(texts)

    def ready(self) -> bool:
        """Whether a query would be embedded at once; if not, loading starts in the background."""
        if not isinstance(self._embedder, Loadable) or self._embedder.loaded:
            return True
        with self._lock:
            if self._loader is None or not self._loader.is_alive():
                self._loader = threading.Thread(
                    target=_load, args=(self._embedder,), name="load model", daemon=True
                )
                self._loader.start()
        return False

    def embed(self, limit: int | None, progress: Callable[[int], object]) -> int:
        """Embed texts that wait until there are none, or `limit` are done; returns how many.

        Raises:
            ModelError: the model is missing, changed or unusable.
        """
        done = 0
        try:
            while not self._stopping.is_set() and (limit is None or done < limit):
                vectors = self._vectors()
                texts = vectors.pending(_BATCH) if vectors else []
                if vectors is None or not texts:
                    break
                self._used = time.monotonic()
                vectors.add(texts, self._embedder.embed(texts))
                done += len(texts)
                progress(done)
        except (IndexLockedError, IndexTornError):
            # The texts keep waiting; the next search repairs what is torn.
            return done
        return done

    def start(self) -> None:
        """Embed in the background whenever woken, and once now."""
        with self._lock:
            if self._worker is None:
                self._stopping.clear()
                self._worker = threading.Thread(target=self._run, name="embed", daemon=True)
                self._worker.start()
        self.wake()

    def wake(self) -> None:
        """There may be new texts."""
        self._woken.set()

    def stop(self) -> None:
        """End the thread after its batch."""
        with self._lock:
            worker, self._worker = self._worker, None
        self._stopping.set()
        self._woken.set()
        if worker:
            worker.join()
        self._stopping.clear()

    def _run(self) -> None:
        while not self._stopping.is_set():
            woken = self._woken.wait(self._idle)
            self._woken.clear()
            if woken:
                self._embed_quietly()
            elif time.monotonic() - self._used >= self._idle:
                self._unload()

    def _embed_quietly(self) -> None:
        try:
            self.embed(None, int)
        except ModelError:
            # A search says so; there is nobody here to tell.
            return

    def _unload(self) -> None:
        if isinstance(self._embedder, Loadable):
            self._embedder.unload()


def _load(embedder: Loadable) -> None:
    try:
        embedder.load()
    except ModelError:
        # The next search that waits for the model says what is wrong.
        return
