"""Erase from the indexes on disk what their feeder no longer has, without loading a model."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from vaultmem.index.documents import Source
from vaultmem.index.embedder import Stamp
from vaultmem.index.signals import IndexTornError, VectorsTornError

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.index.engine import Feed, Feeder
    from vaultmem.index.keyword import KeywordIndex
    from vaultmem.index.vectors import VectorIndex


def erase_removed(folder: Path, feeder: Feeder, *, wait: float = 10.0) -> None:
    """Bring the indexes below `folder` up to date and rewrite their files without deleted text.

    What was never built stays so. An index that is damaged is removed as a whole; the next search
    builds it anew.

    Args:
        folder: as `SearchEngine` takes it.
        feeder: as `SearchEngine.refresh` takes it.
        wait: seconds to wait for another process that writes.

    Raises:
        IndexLockedError: if another process writes for longer.
    """
    words, meaning = folder / "words", folder / "meaning"
    if words.is_dir():
        try:
            _erase_words(words, feeder, wait)
        except IndexTornError:
            shutil.rmtree(words, ignore_errors=True)
    if meaning.is_dir():
        try:
            _erase_vectors(meaning, feeder, wait)
        except VectorsTornError:
            shutil.rmtree(meaning, ignore_errors=True)


def _erase_words(folder: Path, feeder: Feeder, wait: float) -> None:
    from vaultmem.index.keyword import KeywordIndex

    index = KeywordIndex(folder, wait=wait)
    try:
        _feed(index, feeder)
        index.optimise(force=True)
        for source in frozenset(Source) - index.filled():
            # what a killed write left there belongs to no segment, so no merge removes it
            shutil.rmtree(folder / source, ignore_errors=True)
    finally:
        index.close()


def _erase_vectors(folder: Path, feeder: Feeder, wait: float) -> None:
    from vaultmem.index.vector_table import VectorTable
    from vaultmem.index.vectors import VectorIndex

    table = VectorTable(folder / "vectors.sqlite", wait=wait)
    model = (table.noted("model") or "").rsplit(" ", 2)
    table.close()
    if len(model) != 3 or not model[2].isdigit():
        raise VectorsTornError("vectors")
    index = VectorIndex(folder, Stamp(model[0], model[1], int(model[2])), wait=wait)
    try:
        _feed(index, feeder)
        index.compact(force=True)
    finally:
        index.close()


def _feed(index: KeywordIndex | VectorIndex, feeder: Feeder) -> None:
    feed: Feed = feeder(index.stamp)
    index.apply(feed.upserts, feed.removals, stamp=feed.stamp, complete=feed.complete)
