"""The words of a text that its writer says, without those that are only quoted."""

from __future__ import annotations

import re

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "＇": "'"})

QUOTED = re.compile(
    r"""
      (?:^|(?<=\n))[ \t]{0,3}(?P<fence>`{3,}|~{3,})[^\n]{0,200}\n
        (?:(?!\s{0,3}(?P=fence))[^\n]*\n){0,400}[^\n]*
    | (?:^|(?<=\n))[ \t]{0,3}>[^\n]*
    | ``(?:(?!``)[^\n]){1,400}`` | `[^`\n]{1,400}`
    | "[^"\n]{1,400}" | “[^”\n]{1,400}” | „[^“”\n]{1,400}[“”] | «[^»\n]{1,400}»
    | (?<!\w)'[^'\n]{1,400}'(?!\w)
    """,
    re.VERBOSE,
)
"""Fences, block quotes, code spans, and what stands between quotation marks on one line."""


def straight(text: str) -> str:
    """The text with every kind of apostrophe as the plain one, so that "don’t" is "don't"."""
    return text.translate(_APOSTROPHES)


def unquoted(text: str) -> str:
    """The text with each quotation replaced by one blank mark, which no phrase spans.

    Apostrophes are straight. Code, block quotes and what stands in quotation marks is somebody
    else's, or is spoken about, not said.
    """
    return QUOTED.sub(" ▢ ", straight(text))
