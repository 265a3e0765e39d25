"""The files of a Whoosh index: schema, opening, lock, sync, and what damage looks like."""

from __future__ import annotations

import os
import pickle
import struct
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

from whoosh import fields
from whoosh.filedb.filestore import FileStorage
from whoosh.index import EmptyIndexError, FileIndex
from whoosh.index import IndexError as WhooshIndexError
from whoosh.util.filelock import try_for

from vaultmem.index.signals import IndexLockedError, IndexTornError, unwritable

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

# What reading a torn file of Whoosh was seen to raise; it has no class of its own for it.
TORN = (
    WhooshIndexError,
    OSError,
    EOFError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    MemoryError,
    struct.error,
    zlib.error,
    pickle.UnpicklingError,
    ImportError,
)


class TellingTorn:
    """Read or write files of Whoosh; whatever damage makes of them is one error.

    No generator: its frame would keep what Whoosh left open, and a later collection would find it.

    Raises:
        IndexTornError: the files are damaged.
    """

    def __init__(self, source: object) -> None:
        """Take what is read."""
        self._source = source

    def __enter__(self) -> None:
        """Nothing is to be done."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A bare `Exception` is how Whoosh says that a block is none; its subclasses pass.
        if isinstance(error, TORN) or kind is Exception:
            raise IndexTornError(self._source) from error


@lru_cache(maxsize=1)
def schema() -> fields.Schema:
    """One scored field `text`; the idf of several fields would have no useful bound together."""
    return fields.Schema(
        key=fields.ID(stored=True, unique=True),
        path=fields.ID(stored=True),
        id=fields.STORED,
        title=fields.STORED,
        heading=fields.STORED,
        text=fields.TEXT(phrase=False),
    )


def open_index(folder: Path) -> FileIndex | None:
    """The newest generation of the index in `folder`; None where nothing was ever written.

    Raises:
        IndexTornError: the index has other fields than ours.
    """
    if not folder.is_dir():
        return None
    try:
        index = FileIndex(FileStorage(str(folder)))
    except EmptyIndexError:
        return None
    if index.schema.names() != schema().names():
        raise IndexTornError(folder)
    return index


def create_index(folder: Path) -> FileIndex:
    """An empty index in `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return FileIndex.create(FileStorage(str(folder)), schema(), "MAIN")


class FolderLock:
    """One writer at a time over all sources, so that two never wait for each other's half."""

    def __init__(self, folder: Path, wait: float) -> None:
        self._folder = folder
        self._lock = FileStorage(str(folder)).lock("WRITE")
        self._wait = wait

    def __enter__(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            acquired = try_for(self._lock.acquire, timeout=self._wait, delay=0.05)
        except OSError as error:
            raise unwritable(error) from error
        if not acquired:
            raise IndexLockedError

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.release()


def settle(path: Path) -> None:
    """Close a file of ours to others and put it on the disk."""
    try:
        path.chmod(0o600)
    except FileNotFoundError:
        return
    sync(path)


def sync(path: Path) -> None:
    """Fsync a file or folder; a file that a merge has removed meanwhile needs none."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, PermissionError):
        # Windows opens no folders, and needs no sync of them.
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
