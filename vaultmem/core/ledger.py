"""The line format of a ledger: what happened, when, to which note, signed by the device.

    - 2026-11-29T21:00:00Z 01JDR3Z8Q4M5N6P7R8S9T0V1W2 edited mem_01J… {"keys":"tags"} ~0f3a…

Time (UTC), the line's own ULID, act, note id (or `-`), a flat JSON object, and after `~` either 32
hex digits or `unsigned`. The signature covers kind, device and the line before ` ~`.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from enum import StrEnum
from json import JSONDecoder
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import ACT_FORM, NOTE_FORM, ULID_FORM, ulid
from vaultmem.core.inert import ledger_json

if TYPE_CHECKING:
    from collections.abc import Mapping

Scalar = str | int | float | bool

NO_NOTE = "-"
"""Stands for the note id where an act has none, as a tombstone for a text."""
UNSIGNED = "unsigned"
MAX_LINE = 65_536
"""Characters; a longer line is not read. Ours have some 300."""


class LedgerKind(StrEnum):
    """What a ledger lists; each kind has its own note per month and device."""

    ACTIVITY = "activity"
    REINFORCEMENT = "reinforcement"
    FORCE = "force"
    TOMBSTONES = "tombstones"


class LedgerEntry(NamedTuple):
    """One thing that happened, before it is written."""

    id: str
    """A ULID; a line that arrives twice has the same one and counts once."""
    at: datetime
    """UTC, whole seconds."""
    act: str
    note: str
    """The id of the note, or `NO_NOTE`."""
    values: Mapping[str, Scalar]


class LedgerLine(NamedTuple):
    """One line of a ledger as read: the entry, who wrote it, and whether the signature holds."""

    id: str
    at: datetime
    act: str
    note: str
    values: Mapping[str, Scalar]
    kind: LedgerKind
    device: str
    signed: bool


class ParsedLine(NamedTuple):
    """The parts of a line, before anybody looked at the signature."""

    entry: LedgerEntry
    text: str
    """What the signature covers."""
    mac: str
    """32 hex digits, or `UNSIGNED`."""
    after: str
    """What a plugin wrote behind it; no part of the line."""


_START = re.compile(
    rf"\s*[-*+] ((\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d)Z ({ULID_FORM}) "
    rf"({ACT_FORM}) ({NOTE_FORM}|-) )(?=\{{)",
    re.ASCII,
)
_END = re.compile(rf" ~([0-9a-f]{{32}}|{UNSIGNED})(?!\w)(.*)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SIGNATURE = re.compile(rf"}} ~(?:[0-9a-f]{{32}}|{UNSIGNED})")
_ITEM = re.compile(r"\s*[-*+](?:\s|$)")
_TORN = re.compile(r"- ?(?:\d[\dT:Z-]*(?: |$)|$)", re.ASCII)


def new_entry(
    at: datetime, act: str, note: str, values: Mapping[str, Scalar], *, randomness: bytes
) -> LedgerEntry:
    """An entry with an id of its own.

    Args:
        at: any aware time; kept in UTC and whole seconds.
        act: what happened, a word of lower-case letters, digits and `_`.
        note: the id of the note, or `NO_NOTE`.
        values: flat; more about what happened.
        randomness: 10 random bytes for the id.

    Raises:
        ValueError: if the time has no zone or a part has not the form of the line format.
    """
    if at.tzinfo is None:
        raise ValueError("a ledger line needs a time with a zone")
    utc = at.astimezone(UTC)
    identifier = ulid(int(utc.timestamp() * 1000), randomness)
    entry = LedgerEntry(identifier, utc.replace(microsecond=0), act, note, values)
    parsed = parse_line(f"{spell_entry(entry)} ~{UNSIGNED}")
    if parsed is None or parsed.entry != entry:
        raise ValueError(f"{act!r} on {note!r} cannot be spelled as a ledger line")
    return entry


def spell_entry(entry: LedgerEntry) -> str:
    """The line without its signature.

    Raises:
        ValueError: on a number that JSON does not have (NaN, infinity).
    """
    time = entry.at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"- {time} {entry.id} {entry.act} {entry.note} {ledger_json(entry.values)}"


def signed_message(kind: LedgerKind, device: str, text: str) -> bytes:
    """The bytes that are signed: a line moved to another kind or device is wrong there."""
    return f"{kind}\n{device}\n{text}".encode()


def parse_line(text: str) -> ParsedLine | None:
    """Read one line; None if it is none of ours or was damaged.

    Tolerates what editors do to lists: another list mark, indentation, text behind the signature.
    """
    if len(text) > MAX_LINE or (start := _START.match(text)) is None:
        return None
    try:
        values, stop = _DECODER.raw_decode(text, start.end())
        at = datetime.fromisoformat(start[2]).replace(tzinfo=UTC)
    except (ValueError, RecursionError):
        return None
    end = _END.fullmatch(text, stop)
    if end is None or not all(map(_is_plain, values)) or not all(map(_is_plain, values.values())):
        return None
    entry = LedgerEntry(start[3], at, start[4], start[5], values)
    return ParsedLine(entry, f"- {start[1]}{text[start.end() : stop]}", end[1], end[2].strip())


def is_torn(text: str) -> bool:
    """Whether a line that cannot be parsed looks like the beginning of one of ours."""
    return _SIGNATURE.search(text) is None and _TORN.match(text) is not None


def is_list_item(text: str) -> bool:
    """Whether a line pretends to be an entry; other lines of a ledger are words for people."""
    return _ITEM.match(text) is not None


def _is_plain(value: object) -> bool:
    """Whether a value of the JSON object is one that we write, and that a database can keep."""
    if isinstance(value, str):
        return value.isascii() or _SURROGATE.search(value) is None
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int)


def _no_duplicates(pairs: list[tuple[str, Scalar]]) -> dict[str, Scalar]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key is written twice")
    return values


_DECODER = JSONDecoder(object_pairs_hook=_no_duplicates)
