"""The objects of the notebook's repository: read through dulwich, written as private files.

What is written is whole and durable, and counts once the branch of `store.notebook_history` names
it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.errors import HistoryDamagedError
from vaultmem.store.private import create_private, private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from dulwich.object_store import DiskObjectStore
    from dulwich.objects import Commit as GitCommit
    from dulwich.objects import ObjectID, ShaFile, Tree

_FILE, _FOLDER = 0o100644, 0o040000
DAMAGED = (
    "The versions of the notebook on this machine are damaged. "
    "Run `vaultmem sync`, which sets them aside and begins anew from the notes."
)


@contextmanager
def reading(folder: Path) -> Iterator[DiskObjectStore]:
    """The objects of the repository; what dulwich raises for damaged ones is translated.

    Raises:
        HistoryDamagedError: if one of them cannot be read.
    """
    import struct
    import zlib

    from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException
    from dulwich.object_store import DiskObjectStore

    store = DiskObjectStore(os.fspath(folder / "objects"))
    # what dulwich was seen to raise on files with wrong bytes, besides its own classes
    python = (OSError, LookupError, ValueError, TypeError, ArithmeticError, AssertionError)
    others = (BufferError, EOFError, struct.error, zlib.error)
    dulwichs = (ApplyDeltaError, ChecksumMismatch, FileFormatException)
    try:
        yield store
    except (*python, *others, *dulwichs) as error:
        raise HistoryDamagedError(DAMAGED) from error
    finally:
        store.close()


def commit_of(store: DiskObjectStore, name: str) -> GitCommit:
    """The commit of that name, 40 hex digits.

    Raises:
        HistoryDamagedError: if there is another object in its place.
    """
    from dulwich.objects import Commit as GitCommit

    found = store[_object_id(name)]
    if not isinstance(found, GitCommit):
        raise HistoryDamagedError(DAMAGED)
    return found


def files_of(store: DiskObjectStore, commit: str) -> dict[str, bytes]:
    """Every file of a commit by its path.

    Raises:
        HistoryDamagedError: if there is another object where a folder or a file should be.
    """
    return dict(_below(store, commit_of(store, commit).tree, ""))


def put_commit(
    folder: Path,
    files: Mapping[str, bytes],
    *,
    message: str,
    when: datetime,
    by: str,
    parent: str | None,
) -> str:
    """Write a commit with all that it holds; its id.

    Args:
        folder: of the repository.
        files: by their paths, with `/`.
        message: one line.
        when: an aware time.
        by: one word that says whose it is.
        parent: the commit before it.

    Raises:
        ReadOnlyError, DiskFailedError, UnsafePathError: if an object cannot be written.
    """
    from dulwich.objects import Commit as GitCommit

    made = GitCommit()
    made.tree = _put_tree(folder, files).id
    made.parents = [_object_id(parent)] if parent is not None else []
    made.author = made.committer = f"{by} <vaultmem>".encode()
    made.author_time = made.commit_time = int(when.timestamp())
    made.author_timezone = made.commit_timezone = 0
    made.encoding = b"UTF-8"
    made.message = f"{message}\n".encode()
    _put(folder, made)
    return made.id.decode()


def _below(store: DiskObjectStore, tree: ObjectID, folder: str) -> Iterator[tuple[str, bytes]]:
    from dulwich.objects import Blob, Tree

    found = store[tree]
    if not isinstance(found, Tree):
        raise HistoryDamagedError(DAMAGED)
    for entry in found.iteritems():
        path = folder + entry.path.decode()
        if entry.mode == _FOLDER:
            yield from _below(store, entry.sha, f"{path}/")
            continue
        blob = store[entry.sha]
        if not isinstance(blob, Blob):
            raise HistoryDamagedError(DAMAGED)
        yield path, blob.data


def _object_id(name: str) -> ObjectID:
    from dulwich.objects import ObjectID

    return ObjectID(name.encode())


def _put_tree(folder: Path, files: Mapping[str, bytes]) -> Tree:
    from dulwich.objects import Blob, Tree

    made = Tree()
    below: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        name, slash, rest = path.partition("/")
        if slash:
            below.setdefault(name, {})[rest] = data
            continue
        blob = Blob.from_string(data)
        _put(folder, blob)
        made.add(name.encode(), _FILE, blob.id)
    for name, inside in below.items():
        made.add(name.encode(), _FOLDER, _put_tree(folder, inside).id)
    _put(folder, made)
    return made


def _put(folder: Path, made: ShaFile) -> None:
    """Write an object, whole and durable; one that is there is the same, for its name is a hash."""
    name = made.id.decode()
    place = folder / "objects" / name[:2] / name[2:]
    private_folder(place.parent)
    create_private(place, made.as_legacy_object())
