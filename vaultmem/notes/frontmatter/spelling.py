"""How a new value is spelled on one line.

Text is written plain only where YAML 1.1 and 1.2 readers both take it for text, so that other tools
agree with Obsidian about what we wrote; else in double quotes with JSON's escapes.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import TYPE_CHECKING

from vaultmem.notes.frontmatter.scalars import NUMBER

if TYPE_CHECKING:
    from vaultmem.notes.frontmatter.scalars import Scalar

# Text that YAML 1.1 readers (PyYAML, Ruby, older ruamel) take for something else.
_WORDS_1_1 = frozenset(
    ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "<<", "=")
)
_NUMBER_1_1 = re.compile(
    r"[-+]?(?:0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?)"
    r"|[-+]?[0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|nan)",
    re.IGNORECASE,
)
_TIMESTAMP_1_1 = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?")

_PLAIN = re.compile(r"""(?!-(?:[-\s]|$))[^\s?:,\[\]{}#&*!|>'"%@`][^\n]*""")
_NOT_PLAIN = re.compile(r":(?:\s|$)|\s#|\s$|[\t\x7f]")
# PyYAML ends plain text inside brackets at a question mark, too.
_FLOW_INDICATOR = re.compile(r"[,\[\]{}?]|:[\"']")
_UNPRINTABLE = "\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_NEEDS_ESCAPE = re.compile(f"[{_UNPRINTABLE}]")
_ESCAPED = re.compile(f'["\\\\{_UNPRINTABLE}]')
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def spell(value: Scalar, *, flow: bool = False) -> str:
    """One line of YAML that reads back as `value`; `flow` quotes what would end an item."""
    if value is None:
        return "null" if flow else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _spell_float(value)
    return value if is_plain(value, flow=flow) else double_quoted(value)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Whether `text` can stand without quotes and is text in YAML 1.1 and 1.2."""
    if _PLAIN.fullmatch(text) is None or _NOT_PLAIN.search(text):
        return False
    if needs_escape(text) or (flow and _FLOW_INDICATOR.search(text)):
        return False
    if text.lower() in _WORDS_1_1 or _NUMBER_1_1.fullmatch(text) or NUMBER.fullmatch(text):
        return False
    return _TIMESTAMP_1_1.fullmatch(text) is None or _is_date(text)


def needs_escape(text: str) -> bool:
    """Whether `text` holds a character that only double quotes can carry on one line."""
    return _NEEDS_ESCAPE.search(text) is not None


def double_quoted(text: str) -> str:
    """`text` in double quotes, with JSON's escapes and those of invisible line breaks."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


def single_quoted(text: str) -> str:
    """`text` in single quotes; the caller has asked `needs_escape`."""
    return "'" + text.replace("'", "''") + "'"


def _escape(match: re.Match[str]) -> str:
    return _SHORT_ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def _spell_float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    # YAML 1.1 wants a point before the exponent.
    return text if "." in text else text.replace("e", ".0e")


def _is_date(text: str) -> bool:
    """Whether it is a real date or datetime in Obsidian's form, which is written plain."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def date_text(moment: date) -> str:
    """A date or datetime as Obsidian writes it, to the second, without a zone."""
    if isinstance(moment, datetime):
        return moment.isoformat(timespec="seconds")
    return moment.isoformat()
