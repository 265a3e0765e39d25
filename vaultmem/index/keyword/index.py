"""The keyword index: one Whoosh index for each source, written together."""

from __future__ import annotations

import os
import shutil
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from whoosh.writing import LockError

from vaultmem.index.documents import Source
from vaultmem.index.keyword.batch import Batch
from vaultmem.index.keyword.files import (
    FolderLock,
    TellingTorn,
    create_index,
    open_index,
    settle,
    sync,
)
from vaultmem.index.keyword.ranking import Snapshot, query_terms
from vaultmem.index.signals import IndexLockedError, IndexTornError, unwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from pathlib import Path
    from typing import TypeVar

    from whoosh.codec.base import Segment
    from whoosh.reading import IndexReader
    from whoosh.writing import SegmentWriter

    from vaultmem.index.documents import Document
    from vaultmem.index.keyword.ranking import KeywordHit

    T = TypeVar("T")
    MergePolicy = Callable[[SegmentWriter, list[Segment]], list[Segment]]

MERGE_AT = 8
"""Segments from which `optimise` merges: 16 make a query about twice as slow."""

_PAUSES = (0.0, 0.05, 0.2)
_WRITER_MB = 8
_FORMAT = "1"
_DEFAULT_WAIT = 10.0


class KeywordIndex:
    """One Whoosh index for each source below `folder`, written together, read without waiting.

    Sources are apart because a query pays for every document that shares a word with it: the
    memories stay as fast as if there were no vault around them. Safe for several threads and
    processes. Methods that read raise `IndexTornError` when the files are damaged, methods that
    write `IndexLockedError` when another process holds the lock for longer than `wait` seconds.
    """

    def __init__(self, folder: Path, *, wait: float = _DEFAULT_WAIT) -> None:
        self._folder = folder
        self._wait = wait
        self._open: dict[Source, tuple[int, Snapshot]] = {}
        self._guard = threading.RLock()

    @property
    def stamp(self) -> str | None:
        """What the feeder called the state that the index holds; None if it must be fed anew."""
        try:
            form, _, stamp = (self._folder / "stamp").read_text("utf-8").partition("\n")
        except (OSError, UnicodeDecodeError):  # feeding it says what is wrong with the folder
            return None
        return stamp if form == _FORMAT else None

    @property
    def count(self) -> int:
        """How many documents can be found."""
        return sum(self._read(source, lambda state: state.documents, 0) for source in Source)

    @property
    def keys(self) -> frozenset[str]:
        """The key of every document that can be found; reads them all."""
        none: frozenset[str] = frozenset()
        return none.union(
            *(self._read(source, lambda state: state.keys, none) for source in Source)
        )

    @property
    def segments(self) -> int:
        """The most segments that one source has; from `MERGE_AT` on `optimise` is worth it."""
        return max(self._read(source, lambda state: state.segments, 0) for source in Source)

    def filled(self) -> frozenset[Source]:
        """The sources that have documents."""
        found = self.readers()
        for reader in found.values():
            reader.close()
        return frozenset(found)

    def apply(
        self,
        upserts: Iterable[Document],
        removals: Iterable[str],
        *,
        stamp: str,
        complete: bool = False,
    ) -> int:
        """Make the index agree with the feeder's state `stamp`; returns how many were written.

        Args:
            upserts: all documents of each note that is new or changed, in any order; they replace
                every document with one of their keys or paths. Of two with one key the last stays.
            removals: keys or paths of what is gone; unknown ones are ignored.
            stamp: recorded, durably, once everything else is on the disk. A crash before that
                leaves the old stamp, and applying the same again is harmless.
            complete: `upserts` are everything there is; what is not among them goes.

        Raises:
            IndexLockedError: another process is writing.
            IndexTornError: the files are damaged; call `wipe` and apply everything.
        """
        with FolderLock(self._folder, self._wait):
            written = self._batch(upserts, removals, complete=complete, by_path=True)
            self._record(stamp)
        return written

    def search(
        self,
        text: str,
        *,
        sources: Collection[Source] = (Source.MEMORY,),
        within: Sequence[str] = (),
        limit: int = 10,
    ) -> list[KeywordHit]:
        """The documents that share most of the query's weight, best first; never parses `text`.

        Args:
            text: anything; its first `LONGEST_QUERY` characters count.
            sources: where to look.
            within: paths of notes or folders; with any given, only what lies in one of them.
            limit: how many at most.
        """
        query = query_terms(text)
        places = tuple(within)
        found: list[KeywordHit] = []
        for source in Source:
            if query and source in sources:
                found += self._read(source, lambda state: [*state.hits(query, places, limit)], [])
        return sorted(found, key=lambda hit: (-hit.coverage, hit.key))[:limit]

    def optimise(self, *, force: bool = False) -> bool:
        """Merge sources of `MERGE_AT` segments or more; returns whether there were any.

        For idle time: it rewrites the whole source. With `force` every source is rewritten, so
        that no deleted text is left in a file.
        """
        merged = False
        with FolderLock(self._folder, self._wait):
            for source in Source:
                if self._read(source, lambda state: state.segments, 0) >= (
                    1 if force else MERGE_AT
                ):
                    self.publish(source, self.writer(source), None)
                    merged = True
        return merged

    def wipe(self) -> None:
        """Forget everything, also what cannot be read."""
        with FolderLock(self._folder, self._wait):
            try:
                (self._folder / "stamp").unlink(missing_ok=True)
            except OSError as error:
                shutil.rmtree(self._folder / "stamp", ignore_errors=True)
                if self.stamp is not None:
                    raise unwritable(error) from error
            for source in Source:
                self._forget(source)
                shutil.rmtree(self._folder / source, ignore_errors=True)

    def close(self) -> None:
        """Close the files; the next call opens them again."""
        for source in Source:
            self._forget(source)

    # Writing

    def _batch(
        self,
        upserts: Iterable[Document],
        removals: Iterable[str],
        *,
        complete: bool,
        by_path: bool,
    ) -> int:
        late: dict[str, Document] = {}
        batch = Batch(self, complete=complete)
        try:
            for doomed in removals:
                batch.remove(doomed)
            for document in upserts:
                if document.key in batch.seen:
                    # Whoosh would keep both copies of a key that is updated twice in one batch.
                    late[document.key] = document
                    continue
                batch.add(document, by_path=by_path)
        except BaseException:
            batch.cancel()
            raise
        batch.commit()
        if late:
            self._batch(late.values(), (), complete=False, by_path=False)
        return len(batch.seen)

    def writer(self, source: Source) -> SegmentWriter:
        """A Whoosh writer of one source, for `Batch`."""
        folder = self._folder / source
        try:
            with TellingTorn(source):
                index = open_index(folder) or create_index(folder)
                return index.writer(timeout=self._wait, limitmb=_WRITER_MB)
        except LockError as error:
            raise IndexLockedError from error

    def readers(self) -> dict[Source, IndexReader]:
        """Readers of the sources that have documents, for `Batch`."""
        found: dict[Source, IndexReader] = {}
        for source in Source:
            folder = self._folder / source
            index = self._surely(source, partial(open_index, folder))
            if index is not None and not index.is_empty():
                found[source] = self._surely(source, index.reader)
        return found

    def publish(self, source: Source, writer: SegmentWriter, policy: MergePolicy | None) -> None:
        """Commit a writer, merging as `policy` says or everything, and put it on the disk."""
        before = self._names(source)
        try:
            with TellingTorn(source):
                writer.commit(mergetype=policy, optimize=policy is None)
        except IndexTornError as error:
            # Whoosh keeps its lock when a commit fails; its successors give it back.
            if writer.writelock and writer.writelock.fd is not None:
                writer.writelock.release()
            if isinstance(error.__cause__, OSError):
                raise unwritable(error.__cause__) from error
            raise
        self._forget(source)
        folder = self._folder / source
        for name in self._names(source) - before:
            settle(folder / name)
        sync(folder)

    def _names(self, source: Source) -> set[str]:
        return {entry.name for entry in os.scandir(self._folder / source)}

    def _record(self, stamp: str) -> None:
        temporary = self._folder / ".stamp.new"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary.write_text(f"{_FORMAT}\n{stamp}", "utf-8")
            settle(temporary)
            temporary.replace(self._folder / "stamp")
            sync(self._folder)
        except OSError as error:
            raise unwritable(error) from error

    # Reading

    def _read(self, source: Source, use: Callable[[Snapshot], T], empty: T) -> T:
        """What `use` makes of the newest state of a source, or `empty` where there is none."""
        # Whoosh's open files have one position each, so threads of this process take turns. They
        # never wait for a batch: that holds the lock of the folder, and this one only to publish.
        with self._guard:
            return self._surely(source, lambda: self._use(source, use, empty))

    def _use(self, source: Source, use: Callable[[Snapshot], T], empty: T) -> T:
        snapshot = self._snapshot(source)
        return empty if snapshot is None else use(snapshot)

    def _surely(self, source: Source, action: Callable[[], T]) -> T:
        """Do it; call it damage only if it fails again and again.

        A commit of another process removes files that were just about to be opened.
        """
        for pause in _PAUSES:
            try:
                with TellingTorn(source):
                    return action()
            except IndexTornError:
                self._forget(source)
                time.sleep(pause)
        try:
            with TellingTorn(source):
                return action()
        except IndexTornError:
            self._forget(source)
            raise

    def _snapshot(self, source: Source) -> Snapshot | None:
        """The newest generation, kept open until there is a newer one.

        It is closed then and never refreshed in place: Whoosh's `refresh` returns documents twice
        after a merge.
        """
        index = open_index(self._folder / source)
        if index is None:
            return None
        generation = index.latest_generation()
        kept = self._open.get(source)
        if kept is None or kept[0] != generation:
            self._forget(source)
            self._open[source] = (generation, Snapshot(index.reader(), source))
        return self._open[source][1]

    def _forget(self, source: Source) -> None:
        with self._guard:
            if kept := self._open.pop(source, None):
                kept[1].close()
