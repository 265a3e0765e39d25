"""The first commit of a repository, by dulwich, remembered so that it is looked for only once."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.checkout import COMMIT, is_shallow, tip
from vaultmem.store.private import keep_copy

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.store.checkout import Checkout

MAX_COMMITS = 1_000_000
"""First parents to follow; the longest public histories have a few hundred thousand."""


class RootUnknown(NamedTuple):
    """Why the history could not be followed to its start."""

    why: str


class _Known(NamedTuple):
    tip: str
    root: str


def root_commit(checkout: Checkout, *, cache: Path | None = None) -> str | RootUnknown | None:
    """The hash of the first commit, going from the tip by first parents.

    First parents give one answer where unrelated histories were merged. None where there is no
    commit yet, or the clone is shallow, so that the first commit is not in it.
    """
    newest = tip(checkout)
    if newest is None or is_shallow(checkout):
        return None
    known = _read(checkout, cache)
    if known is not None and known.tip == newest:
        return known.root
    root = _walk(checkout, newest, known)
    if cache is not None and isinstance(root, str):
        keep_copy(_file(checkout, cache), json.dumps(_Known(newest, root)).encode())
    return root


def _walk(checkout: Checkout, newest: str, known: _Known | None) -> str | RootUnknown:
    import gc
    import struct
    import warnings
    import zlib

    from dulwich.errors import (  # dulwich is slow to import
        ApplyDeltaError,
        ChecksumMismatch,
        FileFormatException,
    )

    # what dulwich was seen to raise on files with wrong bytes, besides its own classes
    python = (OSError, LookupError, ValueError, TypeError, ArithmeticError, AssertionError)
    others = (BufferError, EOFError, struct.error, zlib.error)
    dulwichs = (ApplyDeltaError, ChecksumMismatch, FileFormatException)
    try:
        return _first(checkout, newest, known)
    except (*python, *others, *dulwichs) as error:
        with warnings.catch_warnings():
            # dulwich leaves a broken pack open, in a cycle of references; close it now and silently
            warnings.simplefilter("ignore", ResourceWarning)
            error.__traceback__ = error.__context__ = None
            gc.collect()
        return RootUnknown(f"its history is damaged: {type(error).__name__}")


def _first(checkout: Checkout, newest: str, known: _Known | None) -> str | RootUnknown:
    """Follow first parents; dulwich raises almost anything on damaged files."""
    from dulwich.object_store import DiskObjectStore
    from dulwich.objects import Commit, ObjectID

    current = newest
    store = DiskObjectStore(os.fspath(checkout.common / "objects"))
    try:
        for _ in range(MAX_COMMITS):
            if known is not None and current == known.tip:
                return known.root
            commit = store[ObjectID(current.encode())]
            if not isinstance(commit, Commit):
                return RootUnknown(f"{current[:12]} is no commit")
            if not commit.parents:
                return current
            current = commit.parents[0].decode()
    finally:
        store.close()
    return RootUnknown("the history is too long")


def _file(checkout: Checkout, cache: Path) -> Path:
    name = sha256(os.fsencode(checkout.common)).hexdigest()[:32]
    return cache / "projects" / f"{name}.json"


def _read(checkout: Checkout, cache: Path | None) -> _Known | None:
    if cache is None:
        return None
    data = read_bounded(_file(checkout, cache), limit=4096, follow=False)
    if isinstance(data, Unread):
        return None
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list) or len(values) != 2:
        return None
    if not all(isinstance(value, str) and COMMIT.fullmatch(value) for value in values):
        return None
    return _Known(*values)
