"""What this machine knows of the published notebook without asking its history, in two small files.

`published.json` says which version the vault's files were brought up to, and what of them is held;
`summary.md` is a copy of the version's summary for the report, with the version in its first line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.disk import DISK
from vaultmem.store.private import private_folder, read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultmem.store.walk import Stat

FOLDER = "notebook"
_RECORD, _SUMMARY = "published.json", "summary.md"


class Placed(NamedTuple):
    """A file of the published version.

    Attributes:
        etag: the version of its bytes.
        stat: of the file in the vault when it held those bytes; `NEVER` where it did not.
        seen_ns: when that was looked at.
    """

    etag: str
    stat: Stat
    seen_ns: int


class Held(NamedTuple):
    """A change that was no person's, and is not published.

    Attributes:
        etag: the version of the bytes; "" where the file was removed.
        lines: keyed hashes of the lines that it brought.
    """

    etag: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What the vault's files were brought up to.

    Attributes:
        commit: the version; "" before the first one.
        files: those of the version, by their paths.
        held: changes that wait for the person, by the paths of their files.
        apart: versions of files in the vault that a purge left there, and keeps out of the history
            until they are edited again; by their paths.
        leaving: versions of files that a reset removes; while there is one, it is not finished.
    """

    commit: str = ""
    files: Mapping[str, Placed] = field(default_factory=dict)
    held: Mapping[str, Held] = field(default_factory=dict)
    apart: Mapping[str, str] = field(default_factory=dict)
    leaving: Mapping[str, str] = field(default_factory=dict)


class Summary(NamedTuple):
    """The summary of a published version; secrets in it are redacted."""

    commit: str
    text: str


def read_record(state: Path) -> Record:
    """The record in a state folder; an empty one where there is none or it cannot be read."""
    data = read_private(state / FOLDER / _RECORD)
    try:
        raw = json.loads(data or b"{}")
        return Record(
            commit=str(raw["commit"]),
            files={path: _placed(values) for path, values in raw["files"].items()},
            held={path: Held(etag, tuple(lines)) for path, (etag, lines) in raw["held"].items()},
            apart=_etags(raw["apart"]),
            leaving=_etags(raw["leaving"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return Record()


def write_record(state: Path, record: Record) -> None:
    """Keep the record, in one step.

    Raises:
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written.
    """
    raw = {
        "commit": record.commit,
        "files": {path: [one.etag, *one.stat, one.seen_ns] for path, one in record.files.items()},
        "held": {path: list(one) for path, one in record.held.items()},
        "apart": dict(record.apart),
        "leaving": dict(record.leaving),
    }
    private_folder(state / FOLDER)
    write_private(state / FOLDER / _RECORD, json.dumps(raw, sort_keys=True).encode())


def read_summary(state: Path) -> Summary | None:
    """The copy of the summary, None where there is none."""
    data = read_private(state / FOLDER / _SUMMARY)
    if data is None:
        return None
    commit, _, text = data.decode("utf-8", "replace").partition("\n")
    return Summary(commit, text)


def write_summary(state: Path, summary: Summary) -> None:
    """Keep the copy of the summary, in one step.

    Raises:
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written.
    """
    private_folder(state / FOLDER)
    write_private(state / FOLDER / _SUMMARY, f"{summary.commit}\n{summary.text}".encode())


def forget(state: Path) -> None:
    """Remove both, the record last: it says that a reset is not finished."""
    DISK.unlink(state / FOLDER / _SUMMARY)
    DISK.unlink(state / FOLDER / _RECORD)


def _etags(values: Mapping[str, object]) -> dict[str, str]:
    return {path: str(etag) for path, etag in values.items()}


def _placed(values: list[object]) -> Placed:
    etag, mtime, size, inode, ctime, seen = values
    numbers = [value for value in (mtime, size, inode, ctime, seen) if isinstance(value, int)]
    first, second, third, fourth, fifth = numbers
    return Placed(str(etag), (first, second, third, fourth), fifth)
