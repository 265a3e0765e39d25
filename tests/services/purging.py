"""Looks for words in every byte that a vault, a state folder and a cache hold, packed or not."""

from __future__ import annotations

import sqlite3
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


def places_with(folders: Iterable[Path], words: Iterable[str]) -> set[str]:
    """The files below these folders whose name or bytes hold one of the words, in any case."""
    sought = [word.casefold() for word in words]
    return {
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if any(word in path.name.casefold() for word in sought)
        or (path.is_file() and _holds(path.read_bytes(), sought))
    }


def tables_with(database: Path, words: Iterable[str]) -> set[str]:
    """The tables of an SQLite file of which a row holds one of the words."""
    sought = [word.casefold() for word in words]
    with sqlite3.connect(database) as sql:
        tables = [
            row[0] for row in sql.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        found = {
            table
            for table in tables
            for row in sql.execute(f"SELECT * FROM {table}")
            if any(word in str(value).casefold() for value in row for word in sought)
        }
    sql.close()
    return found


def _holds(data: bytes, sought: list[str]) -> bool:
    texts = [data.lower()]
    texts += [zlib.decompress(data[at:]).lower() for at in _packed(data)]
    return any(
        word.encode(encoding) in text for text in texts for word in sought for encoding in ENCODINGS
    )


def _packed(data: bytes) -> list[int]:
    """Where something that was packed by zlib begins."""
    found = []
    for mark in (b"\x78\x01", b"\x78\x9c", b"\x78\xda"):
        at = data.find(mark)
        while at >= 0:
            try:
                zlib.decompress(data[at:])
            except zlib.error:
                pass
            else:
                found.append(at)
            at = data.find(mark, at + 1)
    return found
