"""The lines of a topic file, and the key by which its score file knows each of them.

Facts: topic-file memory, sections 1 and 2.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.core.category import Category

FILE_OF = {
    Category.PREFERENCE: "preferences",
    Category.LESSON: "lessons",
    Category.PATTERN: "patterns",
    Category.DECISION: "decisions",
    Category.DONE: "completions",
    Category.MISTAKE: "mistakes",
}
"""The topic file that a category is written to, without its ending."""
MAX_TOPIC = 12_000
"""Characters that a topic file may have there."""

EXPORTED = "vaultmem"
"""The field of a score record that says which memory of ours it was, where we exported it."""
PINNED, ENFORCED = "*(pinned)*", "*(enforced)*"
_ENTRY = re.compile(rf"- \[({'|'.join(Category)})\] (?=\S)(.*)", re.DOTALL)
_MARKER = re.compile(r"(?<![ \t])[ \t]*\*\((?:pinned|enforced)\)\*")
_OFFSET, _PRIME = 0x811C9DC5, 16777619.0


class Entry(NamedTuple):
    """One memory of a topic file."""

    category: Category
    text: str
    """Without the markers and blanks at its ends."""
    pinned: bool = False
    enforced: bool = False
    """It is marked as a guardrail; only the score file says which."""


def read_entry(line: str) -> Entry | None:
    """The entry on a line, which begins at its first character; None for any other line."""
    found = _ENTRY.fullmatch(line)
    text = _MARKER.sub("", found[2]).strip() if found is not None else ""
    if found is None or not text:
        return None
    return Entry(Category(found[1]), text, PINNED in line, ENFORCED in line)


def entry_line(entry: Entry) -> str:
    """The line of an entry; words of its text that would be markers are none any more."""
    text = re.sub(r"\*\((pinned|enforced)\)\*", r"(\1)", " ".join(entry.text.split()))
    marks = (PINNED if entry.pinned else "", ENFORCED if entry.enforced else "")
    return " ".join((f"- [{entry.category}]", text, *filter(None, marks)))


def entry_key(category: str, text: str) -> str:
    """The key of an entry: eight hexadecimal digits of its line without markers.

    It looks like 32-bit FNV-1a and is not: the product is rounded to a double before its lowest 32
    bits are taken, with the exclusive or read as a signed number.
    """
    data = f"- [{category}] {text}".encode("utf-16-le", "surrogatepass")
    key = _OFFSET
    for low, high in zip(data[::2], data[1::2], strict=True):
        mixed = key ^ (low | high << 8)
        signed = mixed - (1 << 32) if mixed >= 1 << 31 else mixed
        key = int(signed * _PRIME) % (1 << 32)
    return f"{key:08x}"
