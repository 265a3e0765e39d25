"""What a caller asks to be written: values that a property can hold, names that one can have."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, TypeAlias

from vaultmem.errors import EditRefusedError
from vaultmem.notes.frontmatter.reading import folded
from vaultmem.notes.frontmatter.spelling import date_text, needs_escape, spell

MAX_NAME = 200
"""Characters of a name. YAML allows a key without `?` at most 1,024 (1.2.2, section 8.2.2)."""

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.notes.frontmatter.scalars import Scalar

Wanted: TypeAlias = "Scalar | list[Scalar]"
"""What a property can be given, as it will read back."""


def normalise(value: object) -> Wanted:
    """The value as it will read back: dates as text, tuples as lists.

    Raises:
        EditRefusedError: a map, a list of lists, half a character, a time with a zone, or a type
            that properties do not have.
    """
    if isinstance(value, list | tuple):
        return [scalar(item) for item in value]
    return scalar(value)


def check_names(names: Iterable[str]) -> None:
    """Refuse new names that Obsidian could not show on one line, or would take for one.

    Raises:
        EditRefusedError: a name is empty, too long, has line breaks or blanks at its ends, or
            differs from another only in case.
    """
    seen: dict[str, str] = {}
    for name in names:
        if not name or name != name.strip() or len(name) > MAX_NAME or needs_escape(_whole(name)):
            raise EditRefusedError(
                f"{name[:40]!a} cannot be the name of a property.",
                f"Use one line of 1 to {MAX_NAME} characters without blanks at its ends.",
            )
        other = seen.setdefault(folded(name), name)
        if other != name:
            raise EditRefusedError(
                f"`{other}` and `{name}` are one property to Obsidian.",
                "Use one of the names.",
                code="VM105",
            )


def spell_name(name: str) -> str:
    """The name as a key: plain where it is surely text, else in double quotes."""
    return spell(name, flow=True)


def scalar(value: object) -> Scalar:
    """One value that is no list.

    Raises:
        EditRefusedError: as `normalise`.
    """
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise EditRefusedError(
            "A property cannot hold a time with a zone; Obsidian shows local time.",
            "Convert it to local time and drop the zone.",
        )
    if isinstance(value, date):
        return date_text(value)
    if isinstance(value, str):
        return _whole(str(value))
    if value is None or isinstance(value, bool | int | float):
        return value
    raise EditRefusedError(
        f"A property cannot hold a {type(value).__name__}.",
        "Give it text, a number, true or false, a date, or a list of these.",
    )


def _whole(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise EditRefusedError(
            "The text holds half of a character (a lone surrogate), which no file can hold.",
            "Remove that character.",
        ) from None
    return text
