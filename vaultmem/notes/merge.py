"""Finds the marks of an unresolved git merge in a note's body."""

from __future__ import annotations

import re

_MARK = re.compile(
    r"^(?: {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\r\n]*)"
    r"|(?P<ours><{7} )|(?P<middle>={7}\r?$)|(?P<theirs>>{7} ))",
    re.MULTILINE,
)


def conflict_line(body: str) -> int | None:
    """The line, from 1, at which a conflict begins, or None.

    A conflict is the three marks in their order, each at the start of a line. Inside a fenced block
    they are an example of one, which people do write down.
    """
    if "<<<<<<< " not in body:
        return None
    fence = ""
    start: int | None = None
    divided = False
    for found in _MARK.finditer(body):
        if found["fence"]:
            fence = _after(fence, found["fence"], found["info"])
        elif fence:
            continue
        elif found["ours"]:
            start, divided = found.start(), False
        elif found["middle"]:
            divided = True
        elif start is not None and divided:
            return body.count("\n", 0, start) + 1
    return None


def _after(fence: str, run: str, info: str) -> str:
    """The fence that is open behind a line that begins with `run`."""
    if not fence:
        return "" if run[0] == "`" and "`" in info else run
    closes = run[0] == fence[0] and len(run) >= len(fence) and not info.strip()
    return "" if closes else fence
