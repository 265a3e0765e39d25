"""What a plain scalar means by YAML 1.2's core schema.

The table is that of YAML 1.2.2, section 10.3.2, as Obsidian's parser applies it: `yes`, `12:30`,
`1_000` and dates are text; `012` is 12.
"""

from __future__ import annotations

import math
import re
from typing import TypeAlias

Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | None"
"""What a property can hold. Dates are text."""

Scalar: TypeAlias = "bool | int | float | str | None"
"""A value that is no list and no map."""

WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
"""Plain scalars that are null or boolean by the core schema."""

NUMBER = re.compile(
    r"([-+]?[0-9]+)|(0o[0-7]+)|(0x[0-9a-fA-F]+)"
    r"|([-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
    r"|([-+]?)\.(?:inf|Inf|INF)|(\.(?:nan|NaN|NAN))"
)
_INTEGER, _OCTAL, _HEXADECIMAL, _DECIMAL, _INFINITY = 1, 2, 3, 4, 5
_MAX_DIGITS = 4300  # Python refuses to convert longer ones; JavaScript reads them as Infinity
_MAX_BITS = 14_000  # of a whole number that can be spelled in decimal all the same


def resolve(text: str) -> bool | int | float | str | None:
    """The value of a plain scalar."""
    if text in WORDS:
        return WORDS[text]
    number = NUMBER.fullmatch(text)
    if number is None:
        return text
    kind = number.lastindex
    if kind == _INTEGER:
        return int(text) if len(text) <= _MAX_DIGITS else float(text)
    if kind in (_OCTAL, _HEXADECIMAL):
        whole = int(text, 0)
        return whole if whole.bit_length() <= _MAX_BITS else math.inf
    if kind == _DECIMAL:
        return float(text)
    return float(text.replace(".", "", 1))


def same(one: object, other: object) -> bool:
    """Equal values; numbers by value, but a boolean is no number, and NaN equals itself."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other
