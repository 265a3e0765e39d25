"""Meaning to documents: vectors by text hash in one flat file, searched exactly with numpy."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.index.documents import Source, Within
from vaultmem.index.signals import VectorsTornError, unwritable
from vaultmem.index.vector_table import Placed, VectorTable, text_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vaultmem.index.documents import Document
    from vaultmem.index.embedder import Matrix, Stamp

_DEFAULT_WAIT = 10.0
_WASTE = 0.25
"""Share of rows that no document needs, from which `compact` rewrites the file."""

_MOST_SELECTED = 16
"""Choices of documents that are remembered; a search by day in a session has another each time."""

_BY_KEY = attrgetter("key")

_TOLERANCE = 0.01
"""How far the length of a stored vector may be from 1; a torn row is far off."""


class VectorHit(NamedTuple):
    """A document near the query; `cosine` is in [-1, 1]."""

    key: str
    id: str | None
    path: str
    title: str
    source: Source
    heading: str
    cosine: float


class _View(NamedTuple):
    """One state of the index in memory: documents by key, and their rows of the matrix."""

    generation: str | None
    path: Path
    documents: list[Placed]
    rows: NDArray[np.int64]
    matrix: Matrix
    position: dict[str, int]


class Placing:
    """Changes of one feed to the documents."""

    def __init__(self, table: VectorTable) -> None:
        self._table = table
        self._paths: set[str] = set()

    def drop(self, key_or_path: str) -> None:
        """Forget the documents with that key or path."""
        self._table.drop(key_or_path)

    def passing(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Place each document while it passes through, for whoever else wants it."""
        for document in documents:
            if document.path not in self._paths:
                self._paths.add(document.path)
                self._table.drop(document.path)
            if document.by_meaning:
                self._table.put(document)
            yield document


class VectorIndex:
    """Vectors of the documents below `folder`, all made by the model of `stamp`.

    A text is embedded once, whatever notes it is in and however often it comes back. Rows are
    appended to a flat file of float32 and are counted only once they are on the disk, so a crash
    loses at most the last batch. No approximate index: exact search takes 0.3 ms for 10,000 rows
    and 16 ms for 100,000. Safe for several threads and processes; a reader keeps its state.

    Another model empties the index. Methods raise `VectorsTornError` when files are damaged and
    `IndexLockedError` when another process writes for more than `wait` seconds.
    """

    def __init__(self, folder: Path, model: Stamp, *, wait: float = _DEFAULT_WAIT) -> None:
        self._folder = folder
        self._dimension = model.dimension
        self._guard = threading.RLock()
        self._writing = threading.RLock()
        self._view: _View | None = None
        self._selected: dict[tuple[frozenset[Source], tuple[str, ...]], NDArray[np.int64]] = {}
        # A connection each, so that a reader sees the last state while a batch is being written.
        self._table = VectorTable(folder / "vectors.sqlite", wait=wait)
        self._reader = VectorTable(folder / "vectors.sqlite", wait=wait)
        name = f"{model.name} {model.fingerprint} {model.dimension}"
        if not self._table.usable(name):
            with self._table.change():
                if not self._table.usable(name):
                    self._start_over(name)

    @property
    def stamp(self) -> str | None:
        """What the feeder called the state that is held; None if it must be fed anew."""
        with self._guard:
            return self._reader.noted("stamp")

    @property
    def count(self) -> int:
        """How many documents are held, with or without a vector."""
        with self._guard:
            return self._reader.documents()

    @property
    def keys(self) -> frozenset[str]:
        """The key of every document that is held."""
        with self._guard:
            return self._reader.keys()

    @property
    def waiting(self) -> int:
        """How many texts have no vector yet."""
        with self._guard:
            return self._reader.waiting_count()

    def close(self) -> None:
        """Close the files."""
        with self._guard:
            self._view = None
            self._reader.close()
        with self._writing:
            self._table.close()

    @contextmanager
    def feeding(self, *, stamp: str, complete: bool = False) -> Iterator[Placing]:
        """One transaction to change documents in; recorded as `stamp` if it succeeds.

        With `complete` all earlier documents go first. Vectors stay in any case.
        """
        with self._writing, self._table.change():
            if complete:
                self._table.clear_documents()
            yield Placing(self._table)
            self._table.forget_unneeded()
            self._table.note("stamp", stamp)

    def apply(
        self,
        upserts: Iterable[Document],
        removals: Iterable[str],
        *,
        stamp: str,
        complete: bool = False,
    ) -> None:
        """As `KeywordIndex.apply`: documents of a note replace the earlier ones of its path."""
        with self.feeding(stamp=stamp, complete=complete) as placing:
            for gone in removals:
                placing.drop(gone)
            for _ in placing.passing(upserts):
                pass

    def pending(self, limit: int) -> list[str]:
        """Up to `limit` texts that wait for a vector, memories first."""
        with self._guard:
            return self._reader.waiting(limit)

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Those of `texts` that have no vector, each once."""
        by_hash = {text_hash(text): text for text in texts}
        with self._guard:
            known = self._reader.known(list(by_hash))
        return [text for digest, text in by_hash.items() if digest not in known]

    def add(self, texts: Sequence[str], vectors: Matrix) -> None:
        """Store the vectors of texts, one row each; those that are known already are left out.

        Raises:
            ValueError: if the shape is not (len(texts), dimension).
        """
        import numpy as np

        if vectors.shape != (len(texts), self._dimension):
            raise ValueError(f"expected {len(texts)} rows of {self._dimension} numbers")
        row_of = {text_hash(text): at for at, text in enumerate(texts)}
        with self._writing, self._table.change():
            known = self._table.known(list(row_of))
            new = [digest for digest in row_of if digest not in known]
            rows = np.ascontiguousarray(vectors[[row_of[digest] for digest in new]], np.float32)
            first = self._table.rows()
            self._append(rows.tobytes(), first)
            self._table.arrived(new, first)

    def search(
        self,
        query: NDArray[np.float32],
        *,
        sources: Collection[Source] = (Source.MEMORY,),
        within: Sequence[str] = (),
        limit: int = 10,
    ) -> list[VectorHit]:
        """The documents nearest to a unit vector of shape (dimension,), best first."""
        import numpy as np

        with self._guard:
            view = self._now()
            chosen = self._select(view, frozenset(sources), tuple(within))
        # Not `matrix @ query`: its threads wait for each other when other processes are busy, 8 ms
        # against 0.6 for 10,000 rows, and gain 0.4 ms when not.
        cosines = np.einsum("ij,j->i", view.matrix, query)[view.rows[chosen]]
        order = np.argsort(-cosines, kind="stable")[: max(limit, 0)]
        return [
            _hit(view.documents[at], float(cosine))
            for at, cosine in zip(chosen[order].tolist(), cosines[order].tolist(), strict=True)
        ]

    def cosines(self, query: NDArray[np.float32], keys: Iterable[str]) -> Mapping[str, float]:
        """The cosine of each of these documents that has a vector."""
        with self._guard:
            view = self._now()
        at = {key: view.position[key] for key in keys if key in view.position}
        if not at:
            return {}
        found = view.matrix[view.rows[list(at.values())]] @ query
        return dict(zip(at, found.tolist(), strict=True))

    def compact(self, *, force: bool = False) -> bool:
        """Rewrite the file without unneeded rows if they are a quarter; returns whether it did.

        With `force` always, and free pages of the table go too, so that nothing deleted is left.
        """
        with self._writing:
            needed, rows = self._table.needed(), self._table.rows()
            wanted = force or rows - len(needed) > _WASTE * rows
            if wanted:
                self._rewrite()
            if force:
                self._table.shrink()
        return wanted

    def wipe(self) -> None:
        """Forget everything, vectors too."""
        with self._writing, self._table.change():
            self._start_over(self._table.noted("model") or "")

    # Files

    def _append(self, data: bytes, first: int) -> None:
        """Write rows at `first`, over what a crash may have left there, and fsync them."""
        path = self._folder / (self._table.noted("file") or _file_name(0))
        start = first * self._dimension * 4
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(handle, "r+b") as file:
                if os.fstat(file.fileno()).st_size < start:
                    raise VectorsTornError(path.name)
                file.seek(start)
                file.write(data)
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise unwritable(error) from error

    def _rewrite(self) -> None:
        import numpy as np

        with self._table.change():
            needed = self._table.needed()
            old = self._table.noted("file") or _file_name(0)
            new = _next_name(old)
            matrix = _map(self._folder / old, self._table.rows(), self._dimension)
            self._table.renumber([digest for digest, _ in needed], new)
            rows = matrix[np.array([row for _, row in needed], np.int64)]
            self._append(rows.tobytes(), 0)
        (self._folder / old).unlink(missing_ok=True)

    def _start_over(self, model: str) -> None:
        """Empty the table and name a new file: a reader may still look at the old one."""
        old = self._table.noted("file")
        self._table.reset(model, _next_name(old))
        if old:
            (self._folder / old).unlink(missing_ok=True)

    # Views

    def _now(self) -> _View:
        """The newest state; loaded anew when another process has changed it, or we did much."""
        import numpy as np

        generation = self._reader.noted("generation")
        if self._view is None or self._view.generation != generation:
            with self._reader.snapshot():
                generation = self._reader.noted("generation")
                documents = self._placed(generation)
                path = self._folder / (self._reader.noted("file") or _file_name(0))
                matrix = _map(path, self._reader.rows(), self._dimension)
            # Rows that were looked at are not looked at again, unless the file is another one.
            same = self._view is not None and self._view.path == path
            _check(matrix[len(self._view.matrix) if self._view and same else 0 :])
            self._selected = {}
            self._view = _View(
                generation,
                path,
                documents,
                np.array([document.row for document in documents], np.int64),
                matrix,
                {document.key: at for at, document in enumerate(documents)},
            )
        return self._view

    def _placed(self, generation: str | None) -> list[Placed]:
        """The documents with a vector, by key; after writes of ours only those are read."""
        view = self._view
        keys = None
        if view is not None and view.generation and generation:
            keys = self._table.changed(view.generation, generation)
        if view is None or keys is None:
            return self._reader.placed()
        kept = [document for document in view.documents if document.key not in keys]
        return sorted((*kept, *self._reader.placed_among(keys)), key=_BY_KEY)

    def _select(
        self, view: _View, sources: frozenset[Source], within: tuple[str, ...]
    ) -> NDArray[np.int64]:
        """Positions of the documents that a search may return, remembered for the next one."""
        import numpy as np

        wanted = (sources, within)
        if wanted not in self._selected:
            if len(self._selected) == _MOST_SELECTED:
                self._selected.clear()
            places = Within(within)
            self._selected[wanted] = np.array(
                [
                    at
                    for at, document in enumerate(view.documents)
                    if document.source in sources and (not within or document.path in places)
                ],
                np.int64,
            )
        return self._selected[wanted]


def destroy(folder: Path) -> None:
    """Remove an index that cannot even be opened."""
    shutil.rmtree(folder, ignore_errors=True)


def _file_name(number: int) -> str:
    return f"vectors-{number}.f32"


def _next_name(name: str | None) -> str:
    return _file_name(0 if name is None else int(name.split("-")[1].split(".")[0]) + 1)


def _map(path: Path, rows: int, dimension: int) -> Matrix:
    import numpy as np

    if rows == 0:
        return np.empty((0, dimension), np.float32)
    try:
        return np.memmap(path, np.float32, "r", shape=(rows, dimension))
    except (OSError, ValueError) as error:
        raise VectorsTornError(path.name) from error


def _hit(document: Placed, cosine: float) -> VectorHit:
    return VectorHit(
        document.key,
        document.id,
        document.path,
        document.title,
        Source(document.source),
        document.heading,
        cosine,
    )


def _check(matrix: Matrix) -> None:
    """Notice rows that are no unit vectors: a file that was cut, filled with zeros or replaced."""
    import numpy as np

    lengths = np.einsum("ij,ij->i", matrix, matrix)
    if not np.all(np.abs(lengths - 1) < _TOLERANCE):
        raise VectorsTornError("vectors")
