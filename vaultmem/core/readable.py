"""A text of several lines as a model may read it: what a person sees, and nothing that speaks."""

from __future__ import annotations

from vaultmem.core.comments import without_comments
from vaultmem.core.visible import visible_line

MAX_INDENT = 12
"""Blanks at the beginning of a line that are kept; they tell lists and code apart."""


def readable(text: str) -> str:
    """Every line by the allow-list of `core.visible`, comments taken out, indents kept."""
    lines = without_comments(text.replace("\r\n", "\n")).split("\n")
    return "\n".join(map(readable_line, lines)).strip("\n")


def readable_line(line: str) -> str:
    """One line by the allow-list of `core.visible`, its indent kept."""
    shown, wide = visible_line(line), line.expandtabs(4)
    indent = len(wide) - len(wide.lstrip(" "))
    return f"{' ' * min(indent, MAX_INDENT)}{shown}" if shown else ""
