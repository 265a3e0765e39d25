"""Add and remove one entry of a list or object in a JSON text; every other byte of it stays.

Obsidian's settings files belong to the person: their order, indentation, numbers and unknown keys
must come through an edit. The list or object is the value of a key of the outermost object, as
`types` in `types.json` and `userIgnoreFilters` in `app.json` are.
"""

from __future__ import annotations

import json
from typing import NamedTuple

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


class SpliceError(ValueError):
    """The text is not JSON, holds a key twice, or has something else where the entry belongs."""


class _Entry(NamedTuple):
    """One entry of a list or object: where it starts, where its value starts, where it ends."""

    start: int
    value: int
    end: int


class _Container(NamedTuple):
    """A list or object: where its brackets are, and its entries."""

    start: int
    end: int
    entries: tuple[_Entry, ...]


def load(text: str) -> dict[str, Json]:
    """The outermost object of a JSON text; a blank text is an empty one.

    Raises:
        SpliceError: if it is no JSON object, is nested too deep, or holds a key twice or a number
            of thousands of digits.
    """
    if not text.strip(_BLANK):
        return {}
    try:
        value: Json = json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise SpliceError(f"It is not JSON ({error.msg}, line {error.lineno}).") from error
    except RecursionError:
        raise SpliceError("It is nested too deep.") from None
    except SpliceError:
        raise
    except ValueError:
        raise SpliceError("It holds a number of too many digits.") from None
    if not isinstance(value, dict):
        raise SpliceError("It is not a JSON object.")
    return value


def add_to_object(text: str, container: str, key: str, value: str) -> str:
    """Add `key: value` at the end of the object `container`, which is made if it is not there.

    Raises:
        SpliceError: as `load`; also if `container` is no object or the key has another value.
    """
    known = load(text).get(container, {})
    if not isinstance(known, dict):
        raise SpliceError(f"`{container}` is not an object.")
    if key in known:
        if known[key] == value:
            return text
        raise SpliceError(f"`{key}` has another value.")
    return _add(text, container, f"{_spell(key)}: {_spell(value)}", "{}")


def add_to_list(text: str, container: str, item: str) -> str:
    """Add `item` at the end of the list `container`, which is made if it is not there.

    Raises:
        SpliceError: as `load`; also if `container` is no list.
    """
    known = load(text).get(container, [])
    if not isinstance(known, list):
        raise SpliceError(f"`{container}` is not a list.")
    return text if item in known else _add(text, container, _spell(item), "[]")


def remove_from_object(text: str, container: str, key: str, value: str) -> str:
    """Remove `key` from the object `container` if it still has that value.

    Raises:
        SpliceError: as `load`.
    """
    known = load(text).get(container)
    if not isinstance(known, dict) or known.get(key) != value:
        return text
    return _remove(text, container, list(known).index(key))


def remove_from_list(text: str, container: str, item: str) -> str:
    """Remove the first `item` from the list `container`, if it is there.

    Raises:
        SpliceError: as `load`.
    """
    known = load(text).get(container)
    if not isinstance(known, list) or item not in known:
        return text
    return _remove(text, container, known.index(item))


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise SpliceError("It holds a key twice.")
    return found


def _spell(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _add(text: str, container: str, entry: str, empty: str) -> str:
    if not text.strip(_BLANK):
        text += "{}"  # behind the blanks, so that they are there again when the entry is not
    found = _find(text, container)
    if found is None:
        text = _insert(text, _scan(text, _skip(text, 0)), f"{_spell(container)}: {empty}", depth=0)
        found = _find(text, container)
        assert found is not None  # noqa: S101  (it was just put there)
    return _insert(text, found, entry, depth=1)


def _find(text: str, key: str) -> _Container | None:
    for entry in _scan(text, _skip(text, 0)).entries:
        if _DECODER.raw_decode(text, entry.start)[0] == key:
            return _scan(text, entry.value)
    return None


def _scan(text: str, start: int) -> _Container:
    """The entries of the list or object that opens at `start`; `text` is known to be valid."""
    is_object = text[start] == "{"
    entries = []
    at = _skip(text, start + 1)
    while text[at] not in "]}":
        value = at
        if is_object:
            colon = _skip(text, _DECODER.raw_decode(text, at)[1])
            value = _skip(text, colon + 1)
        end = _DECODER.raw_decode(text, value)[1]
        entries.append(_Entry(at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Container(start, at + 1, tuple(entries))


def _skip(text: str, at: int) -> int:
    while text[at] in _BLANK:
        at += 1
    return at


def _insert(text: str, into: _Container, entry: str, *, depth: int) -> str:
    """Put `entry` last, set apart as its neighbours are, or as Obsidian does in an empty one."""
    if into.entries:
        last = into.entries[-1]
        if len(into.entries) > 1:
            gap = text[into.entries[-2].end : last.start]
        else:
            gap = "," + text[into.start + 1 : last.start]
        return f"{text[: last.end]}{gap}{entry}{text[last.end :]}"
    before, after = text[: into.start + 1], text[into.end - 1 :]
    if "\n" not in text and text.strip(_BLANK) != "{}":
        return f"{before}{entry}{after}"
    eol = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    return f"{before}{eol}{unit * (depth + 1)}{entry}{eol}{unit * depth}{after}"


def _unit(text: str) -> str:
    """The indentation of the outermost entries; two blanks where nothing shows one."""
    entries = _scan(text, _skip(text, 0)).entries
    if not entries:
        return "  "
    line = text[: entries[0].start].rpartition("\n")[2]
    return line if line and not line.strip(" \t") else "  "


def _remove(text: str, container: str, index: int) -> str:
    found = _find(text, container)
    assert found is not None  # noqa: S101  (the caller has seen it)
    entries = found.entries
    if len(entries) == 1:
        start, end = found.start + 1, found.end - 1
    elif index == 0:
        start, end = entries[0].start, entries[1].start
    else:
        start, end = entries[index - 1].end, entries[index].end
    return text[:start] + text[end:]
