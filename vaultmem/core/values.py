"""Reads one property value by the reading rules of the note format, whatever its spelling."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import TypeAlias

Raw: TypeAlias = object
"""What the frontmatter reader gives: null, bool, number, text, list, map; or a read value."""

Normal: TypeAlias = bool | int | float | str | date | datetime | tuple[str, ...] | None
"""A read value: one line of text, a number, a date, or a tuple of texts. None means absent."""


class WrongValueError(ValueError):
    """A value is none of its kind; the sentence says what is allowed."""


class Kind(StrEnum):
    """How the value of a property is read; each has one Obsidian widget (`notes.schema`)."""

    TEXT = "text"
    ENUM = "enum"
    NUMBER = "number"
    COUNT = "count"
    CHECKBOX = "checkbox"
    DATE = "date"
    DATETIME = "datetime"
    LIST = "list"
    TAGS = "tags"
    LINK = "link"
    LINKS = "links"


YEARS = range(1970, 2201)
"""Years that a date of ours can have; others are typing errors, and arithmetic on them fails."""

_DATETIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?",
    re.I,
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?", re.I)


def read(kind: Kind, value: Raw) -> Normal:
    """Read a value by the reading rules of the note format.

    Absent, null, blank text and empty lists are None; a one-item list is its item and a scalar a
    one-item list; numbers may be text; a datetime may be a date, and loses fractions of a second
    and its zone, since notes keep the person's clock time (`has_zone` tells).

    Raises:
        WrongValueError: the value is none of this kind; the sentence says what is allowed.
    """
    return READERS[kind](value)


def has_zone(value: Raw) -> bool:
    """Whether a datetime was written with `Z` or an offset, which reading ignores."""
    found = _DATETIME.fullmatch(value.strip()) if isinstance(value, str) else None
    return found is not None and found[3] is not None


def _one(inner: Callable[[Raw], Normal]) -> Callable[[Raw], Normal]:
    """A reader of one value, made from one of a value that is there and is no list or map."""

    def read_one(value: Raw) -> Normal:
        while isinstance(value, list | tuple) and len(value) == 1:
            value = value[0]
        if isinstance(value, str):
            value = " ".join(value.split())
        if value is None or value in ("", [], ()):
            return None
        if isinstance(value, Mapping | list | tuple):
            raise WrongValueError("must be one value, not a list or a map")
        return inner(value)

    return read_one


def _read_link(value: Raw) -> Normal:
    return _read_text(_unquoted_link(value) if isinstance(value, list) else value)


def _read_links(value: Raw) -> tuple[str, ...]:
    items = value if isinstance(value, list | tuple) else [value]
    return _read_list([_unquoted_link(item) if isinstance(item, list) else item for item in items])


def _read_list(value: Raw) -> tuple[str, ...]:
    texts: list[str] = []
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, Mapping | list | tuple):
            raise WrongValueError("must be a list of texts, not of lists or maps")
        if (text := _text(item)) is not None and (text := " ".join(text.split())):
            texts.append(text)
    return tuple(texts)


def _read_tags(value: Raw) -> tuple[str, ...]:
    """Tags with or without `#`; a tag holds neither blanks nor commas, so both separate."""
    tags: list[str] = []
    for item in value if isinstance(value, list | tuple) else [value]:
        if isinstance(item, Mapping | list | tuple):
            raise WrongValueError("must be a list of tags")
        parts = (_text(item) or "").replace(",", " ").split()
        tags += (tag for part in parts if (tag := part.lstrip("#")))
    return tuple(tags)


def _unquoted_link(value: list[Raw]) -> Raw:
    """`[[A]]` without quotes is, to YAML, a list in a list; in a list of links, one level more."""
    inner: Raw = value
    depth = 0
    while isinstance(inner, list) and len(inner) == 1:
        inner, depth = inner[0], depth + 1
    return f"[[{inner}]]" if depth >= 2 and isinstance(inner, str) else value


def _text(value: Raw) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return None if value is None else str(value)


def _number(value: Raw) -> float:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongValueError("must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise WrongValueError("must be a finite number")
    return number


def _count(value: Raw) -> int:
    number = _number(value)
    if number < 0 or number != int(number):
        raise WrongValueError("must be a whole number, 0 or more")
    return int(number)


def _checkbox(value: Raw) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower() == "true"
    raise WrongValueError("must be true or false")


def _datetime(value: Raw) -> datetime:
    moment: datetime | None = None
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=None, microsecond=0)
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day)
    elif isinstance(value, str) and (found := _DATETIME.fullmatch(value)) is not None:
        moment = _moment(f"{found[1]}T{found[2] or '00:00'}")
    if moment is None or moment.year not in YEARS:
        raise WrongValueError("must be a date such as 2026-11-29, or 2026-11-29T21:00:00")
    return moment


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _date(value: Raw) -> date:
    return _datetime(value).date()


_read_text = _one(_text)

READERS: Mapping[Kind, Callable[[Raw], Normal]] = {
    Kind.TEXT: _read_text,
    Kind.ENUM: _read_text,
    Kind.LINK: _read_link,
    Kind.NUMBER: _one(_number),
    Kind.COUNT: _one(_count),
    Kind.CHECKBOX: _one(_checkbox),
    Kind.DATE: _one(_date),
    Kind.DATETIME: _one(_datetime),
    Kind.LIST: _read_list,
    Kind.TAGS: _read_tags,
    Kind.LINKS: _read_links,
}
"""What `read` does for each kind, for callers that look it up once."""
