"""What one property of our notes is: its kind, default, allowed values, and how it is shown."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from vaultmem.core.values import Kind, Normal, WrongValueError


class Widget(StrEnum):
    """Obsidian's name for how a property is shown, as in `.obsidian/types.json`."""

    TEXT = "text"
    LIST = "multitext"
    NUMBER = "number"
    CHECKBOX = "checkbox"
    DATE = "date"
    DATETIME = "datetime"
    TAGS = "tags"


WIDGETS = {
    Kind.TEXT: Widget.TEXT,
    Kind.ENUM: Widget.TEXT,
    Kind.LINK: Widget.TEXT,
    Kind.NUMBER: Widget.NUMBER,
    Kind.COUNT: Widget.NUMBER,
    Kind.CHECKBOX: Widget.CHECKBOX,
    Kind.DATE: Widget.DATE,
    Kind.DATETIME: Widget.DATETIME,
    Kind.LIST: Widget.LIST,
    Kind.LINKS: Widget.LIST,
    Kind.TAGS: Widget.TAGS,
}


class Property(NamedTuple):
    """One property of one type of note.

    Attributes:
        name: lower-case, as written.
        kind: how its value is read.
        meaning: one sentence, for a person.
        default: what its absence means; None where absence means "unknown" or "none".
        allowed: the values of an ENUM, in their order.
        computed: whether the machine keeps it; a person's change is reported and put back.
        low, high: the bounds of a number, both allowed.
    """

    name: str
    kind: Kind
    meaning: str
    default: Normal = None
    allowed: tuple[str, ...] = ()
    computed: bool = False
    low: float | None = None
    high: float | None = None

    @property
    def widget(self) -> Widget:
        """How Obsidian shows it."""
        return WIDGETS[self.kind]

    def checked(self, value: Normal) -> Normal:
        """A value of its kind, if the table allows it; an enum's in its own spelling.

        Raises:
            WrongValueError: it is none of the allowed values, or beyond a bound.
        """
        if self.kind is Kind.ENUM and isinstance(value, str):
            for allowed in self.allowed:
                if allowed.casefold() == value.casefold():
                    return allowed
            raise WrongValueError(f"must be one of {', '.join(self.allowed)}")
        if self.low is None or self.high is None or not isinstance(value, int | float):
            return value
        if not self.low <= value <= self.high:
            raise WrongValueError(f"must be from {self.low:g} to {self.high:g}")
        return value
