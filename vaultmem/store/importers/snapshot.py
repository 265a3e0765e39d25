"""State files of a topic-file memory: each line is a whole snapshot, and the last good one counts.

Facts: topic-file memory, section 2. A model may have written the object over several lines, and
some files hold one object a line instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.json_record import Record, json_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.store.importers.source import Source

_ENTRIES = "entries"


class Kept(NamedTuple):
    """One entry of a snapshot, or one object on a line of its own."""

    where: str
    """`file:3`, with `#` and the entry's name where it stands in a snapshot."""
    name: str
    """Its key in the snapshot; its number from 1 in a list; "" on a line of its own."""
    record: Record


def last_snapshot(source: Source, relative: str) -> list[Kept]:
    """The entries of the last snapshot that can be read; nothing where there is no such file.

    Lines behind it that cannot be read are quarantined, and so is a file without any.
    """
    lines = list(_lines(source, relative))
    broken: list[str] = []
    for where, text in reversed(lines):
        found = json_object(text)
        if found is not None and isinstance(found.get(_ENTRIES), dict | list):
            _quarantine_lines(source, reversed(broken))
            return list(_entries(source, where, found[_ENTRIES]))
        broken.append(where)
    return _whole(source, relative, lines)


def listed(source: Source, relative: str) -> list[Kept]:
    """The entries of the last snapshot, and every object that has a line of its own."""
    lines = list(_lines(source, relative))
    taken: list[Kept] = []
    broken: list[str] = []
    snapshot: tuple[str, object] | None = None
    for where, text in lines:
        found = json_object(text)
        if found is None:
            broken.append(where)
        elif isinstance(found.get(_ENTRIES), dict | list):
            snapshot = where, found[_ENTRIES]
        else:
            taken.append(Kept(where, "", Record(found)))
    if len(broken) == len(lines):
        return _whole(source, relative, lines)
    _quarantine_lines(source, broken)
    return [*(_entries(source, *snapshot) if snapshot is not None else ()), *taken]


def _whole(source: Source, relative: str, lines: list[tuple[str, str]]) -> list[Kept]:
    """The entries of a file that is one object over several lines."""
    if not lines:
        return []
    found = json_object("\n".join(text for _, text in lines))
    if found is None:
        source.quarantine(relative, "Neither a line of it nor the whole is a JSON object.")
        return []
    if isinstance(found.get(_ENTRIES), dict | list):
        return list(_entries(source, relative, found[_ENTRIES]))
    return [Kept(relative, "", Record(found))]


def _entries(source: Source, where: str, held: object) -> Iterator[Kept]:
    pairs = held.items() if isinstance(held, dict) else enumerate(_list(held), 1)
    for name, value in pairs:
        place = f"{where}#{name}" if len(str(name)) <= 16 else where
        if isinstance(value, dict):
            yield Kept(place, str(name), Record(value))
        else:
            source.quarantine(place, "It is no JSON object.")


def _list(held: object) -> list[object]:
    return held if isinstance(held, list) else []


def _lines(source: Source, relative: str) -> Iterator[tuple[str, str]]:
    """The lines that are not blank, however long: one may hold every score that there is."""
    data = source.data(relative)
    for number, raw in enumerate((data or b"").removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if raw.strip():
            yield f"{relative}:{number}", _text(raw)


def _text(raw: bytes) -> str:
    try:
        return raw.decode().rstrip("\r")
    except UnicodeDecodeError:
        return "not UTF-8"  # which is no JSON either


def _quarantine_lines(source: Source, broken: Iterable[str]) -> None:
    for where in broken:
        source.quarantine(where, "The line is no JSON object.")
