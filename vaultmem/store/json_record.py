"""One JSON object of a source, read field by field; a field of the wrong kind says so once."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

E = TypeVar("E", bound=StrEnum)
D = TypeVar("D")

MAX_COUNT = 1_000_000
"""The most that a source can say it counted."""
FIRST_YEAR, LAST_YEAR = 1000, 9998
"""Years of four digits, from whose last day one can still count on."""


class RecordError(ValueError):
    """A record cannot be taken; the sentence says why, and holds nothing of its text."""


def json_object(text: str) -> dict[str, object] | None:
    """The JSON object in a text; None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class Record:
    """The fields of a JSON object, of whatever kind they are there."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, object]) -> None:
        """Take the object as `json` gives it."""
        self._values = values

    @classmethod
    def of(cls, text: str) -> Record:
        """The object in a text.

        Raises:
            RecordError: if it is no JSON object.
        """
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise RecordError("It is not JSON.") from None
        if not isinstance(found, dict):
            raise RecordError("It is no JSON object.")
        return cls(found)

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def flag(self, name: str) -> bool | None:
        """True or false; None where it is neither."""
        value = self._values.get(name)
        return value if isinstance(value, bool) else None

    def text(self, name: str) -> str:
        """A text; "" where there is none.

        Raises:
            RecordError: if it is of another kind.
        """
        value = self._values.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise RecordError(f"`{name}` is no text.")
        return value

    def needed(self, name: str) -> str:
        """A text that must hold more than blanks.

        Raises:
            RecordError: if it does not.
        """
        if value := self.text(name).strip():
            return value
        raise RecordError(f"`{name}` is missing.")

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a list; one text counts as a list of itself.

        Raises:
            RecordError: if anything else is in it.
        """
        value = self._values.get(name)
        items = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(item, str) for item in items):
            raise RecordError(f"`{name}` is no list of texts.")
        return tuple(str(item) for item in items if str(item).strip())

    def number(self, name: str, default: float) -> float:
        """A number, neither infinite nor NaN.

        Raises:
            RecordError: if it is none.
        """
        value = self._values.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RecordError(f"`{name}` is no number.")
        try:
            number = float(value)
        except OverflowError:  # JSON sets no bound to a whole number
            number = math.inf
        if not math.isfinite(number):
            raise RecordError(f"`{name}` is no number.")
        return number

    def fraction(self, name: str, default: float) -> float:
        """A number from 0 to 1.

        Raises:
            RecordError: if it is none.
        """
        value = self.number(name, default)
        if not 0 <= value <= 1:
            raise RecordError(f"`{name}` is not between 0 and 1.")
        return value

    def count(self, name: str, default: int) -> int:
        """A number as a whole one from 1 to a million.

        Raises:
            RecordError: if it is none.
        """
        return min(max(round(self.number(name, default)), 1), MAX_COUNT)

    def moment(self, name: str) -> datetime | None:
        """A date or a moment as local time without a zone; None where there is none.

        Raises:
            RecordError: if it is none of both.
        """
        value = self._values.get(name)
        if value is None or value == "":
            return None
        try:
            if isinstance(value, int | float) and not isinstance(value, bool):
                at = datetime.fromtimestamp(value / 1000, UTC)  # milliseconds, as JavaScript has
            else:
                at = datetime.fromisoformat(str(value))
            at = (at.astimezone() if at.tzinfo else at).replace(tzinfo=None, microsecond=0)
        except (ValueError, OverflowError, OSError):
            raise RecordError(f"`{name}` is no date.") from None
        if not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise RecordError(f"`{name}` is no date.")
        return at

    def day(self, name: str) -> date | None:
        """As `moment`, the date of it."""
        at = self.moment(name)
        return None if at is None else at.date()

    def word(self, name: str, words: type[E], default: D) -> E | D:
        """One of some words.

        Raises:
            RecordError: if it is another one.
        """
        value = self.text(name)
        if not value:
            return default
        if value not in tuple(words):
            raise RecordError(f"`{name}` is none of {', '.join(words)}.")
        return words(value)

    def known(self, name: str, words: type[E], default: E) -> E:
        """As `word`, but another one is the default."""
        value = self._values.get(name)
        return words(value) if isinstance(value, str) and value in tuple(words) else default

    def record(self, name: str) -> Record:
        """An object inside; an empty one where there is none.

        Raises:
            RecordError: if it is of another kind.
        """
        value = self._values.get(name)
        if value is None:
            return Record({})
        if not isinstance(value, dict):
            raise RecordError(f"`{name}` is no object.")
        return Record(value)

    def records(self, name: str) -> tuple[Record, ...]:
        """The objects of a list.

        Raises:
            RecordError: if anything else is in it.
        """
        value = self._values.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise RecordError(f"`{name}` is no list of objects.")
        return tuple(Record(item) for item in value)
