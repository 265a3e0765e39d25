"""What changed between two sets of files, as the worker of a consolidation reads it."""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

DIFF_NAME = "phase2_workspace_diff.md"
MAX_DIFF = 4 * 1024 * 1024
"""Bytes of the file (facts/notebook.md §2)."""
CUT = "\n[The diff is cut here: it is longer than 4 MiB. Read the files themselves.]\n"


class Change(NamedTuple):
    """One file that is not what it was."""

    status: str
    """added, modified, deleted."""
    path: str


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[Change, ...]:
    """The files that differ, by path."""
    return tuple(
        Change(_status(path, before, after), path)
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )


def workspace_diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """The text of `DIFF_NAME`: a list of the changed files, then their unified diff, fenced.

    At most `MAX_DIFF` bytes of UTF-8, cut between two characters with a line that says so.
    """
    changed = changes(before, after)
    diff = plain_diff(before, after)
    status = "\n".join(f"- {one.status} {one.path}" for one in changed) or "- none"
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", diff)), default=0))
    head = (
        "# What changed since the last rewrite\n\n"
        "This file is made for you and thrown away afterwards. Do not edit it.\n\n"
        f"## Status\n\n{status}\n\n## Diff\n\n{ticks}diff\n"
    )
    foot = f"{ticks}\n"
    return head_of(head + diff, MAX_DIFF - len(foot) - len(CUT)) + foot


def plain_diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """The unified diff of the files that differ, by path; "" where none does."""
    return "".join(_of_file(one.path, before, after) for one in changes(before, after))


def head_of(text: str, most: int) -> str:
    """The text, or its first `most` bytes of UTF-8 without a broken character, and `CUT`."""
    data = text.encode(errors="replace")
    if len(data) <= most:
        return text
    return data[:most].decode(errors="ignore") + CUT


def _status(path: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    if path not in before:
        return "added"
    return "modified" if path in after else "deleted"


def _of_file(path: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    old = f"a/{path}" if path in before else "/dev/null"
    new = f"b/{path}" if path in after else "/dev/null"
    lines = unified_diff(_lines(before.get(path)), _lines(after.get(path)), old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _lines(data: bytes | None) -> list[str]:
    """The lines with their ends; a line separator within one ends none, as in Markdown."""
    return re.findall(r"[^\n]*\n|[^\n]+", (data or b"").decode(errors="replace"))
