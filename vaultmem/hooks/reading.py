"""Reads the fields of a JSON object by name and type; what nobody asked for is unknown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from vaultmem.core.finding import printable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

Json: TypeAlias = "Mapping[str, object]"
"""A JSON object whose fields are the agent's own: the input of a tool."""

_SHOWN = 60
_UNUSABLE = re.compile("[\0\ud800-\udfff]")


class WrongFieldError(Exception):
    """A field is missing or has a wrong value; the message names it, and says what it must be."""


class Fields:
    """The fields of one object; each reader raises WrongFieldError."""

    def __init__(self, raw: Json, *, inside: str = "") -> None:
        """Take the object.

        Args:
            raw: what JSON gave.
            inside: where it stands in another one, for the sentences.
        """
        self._raw = raw
        self._inside = inside
        self._asked: set[str] = set()

    def text(self, name: str, default: str | None = None) -> str:
        """A text; one without a default must be there."""
        value = self._get(name)
        if value is None:
            if default is None:
                raise WrongFieldError(f"{self._called(name)} is missing.")
            return default
        if not isinstance(value, str):
            raise WrongFieldError(f"{self._called(name)} must be a text.")
        return value

    def plain(self, name: str, default: str | None = None) -> str:
        """A text that a path or an argument may hold, which the system takes."""
        value = self.text(name, default)
        if _UNUSABLE.search(value):
            raise WrongFieldError(
                f"{self._called(name)} must hold no NUL and no half of a pair of surrogates."
            )
        return value

    def word(self, name: str) -> str:
        """A text that must be there, and not be empty or only blanks."""
        value = self.text(name)
        if not value.strip():
            raise WrongFieldError(f"{self._called(name)} must not be empty.")
        return value

    def plain_word(self, name: str) -> str:
        """A `word` that is `plain` as well."""
        self.word(name)
        return self.plain(name)

    def maybe(self, name: str) -> str | None:
        """A text that may be absent; an empty one counts as absent."""
        return self.text(name, "") or None

    def one_of(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of a few words."""
        value = self.text(name, default)
        if value not in allowed:
            raise WrongFieldError(f"{self._called(name)} must be one of {', '.join(allowed)}.")
        return value

    def day(self, name: str) -> date | None:
        """A day as ISO 8601 spells it; absent is None."""
        value = self.maybe(name)
        if value is None:
            return None
        from datetime import date  # most events have none

        try:
            return date.fromisoformat(value)
        except ValueError:
            raise WrongFieldError(
                f"{self._called(name)} must be a day such as 2026-11-30."
            ) from None

    def flag(self, name: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self._get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise WrongFieldError(f"{self._called(name)} must be true or false.")
        return value

    def number(self, name: str, default: int, *, least: int = 0, most: int = 2**53) -> int:
        """A whole number within bounds; one without a fraction may be written as 3.0."""
        value = self._get(name)
        if value is None:
            return default
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise WrongFieldError(
                f"{self._called(name)} must be a whole number from {least} to {most}."
            )
        return value

    def texts(self, name: str, *, most: int = 1_000) -> tuple[str, ...]:
        """A list of texts; absent is empty, and a single text is a list of one."""
        value = self._get(name)
        items = [] if value is None else value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in items):
            raise WrongFieldError(f"{self._called(name)} must be a list of texts.")
        if len(items) > most:
            raise WrongFieldError(f"{self._called(name)} has at most {most} items.")
        return tuple(str(one) for one in items)

    def mapping(self, name: str) -> Json:
        """An object, passed on as it is; absent is empty."""
        value = self._get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise WrongFieldError(f"{self._called(name)} must be an object.")
        return value

    def anything(self, name: str) -> object:
        """A value of any type, passed on as it is; absent is None."""
        return self._get(name)

    def objects(self, name: str) -> tuple[Fields, ...]:
        """A list of objects; absent is empty."""
        value = self._get(name)
        items = [] if value is None else value
        if not isinstance(items, list) or not all(isinstance(one, dict) for one in items):
            raise WrongFieldError(f"{self._called(name)} must be a list of objects.")
        return tuple(Fields(one, inside=f"{name}[{place}].") for place, one in enumerate(items))

    def unknown(self) -> tuple[str, ...]:
        """The names of the fields that nobody asked for, as they may be printed."""
        return tuple(printable(name[:_SHOWN]) for name in self._raw if name not in self._asked)

    def _get(self, name: str) -> object:
        self._asked.add(name)
        return self._raw.get(name)

    def _called(self, name: str) -> str:
        return f"`{self._inside}{name}`"
