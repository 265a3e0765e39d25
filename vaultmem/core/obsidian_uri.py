"""The address with which a note opens in Obsidian (facts/obsidian.md §3.2)."""

from __future__ import annotations

from urllib.parse import quote

MAX_URI = 2083
"""Bytes; terminals that follow links take no longer ones (VTE's limit)."""

_SUBPATH = frozenset("#|")
"""Obsidian takes what follows one of them in `file` for a heading or another name."""


def open_uri(vault: str, file: str) -> str:
    """`obsidian://open` for a file of a vault; "" where Obsidian would open something else.

    Only letters, digits and `-._~` of ASCII stand in it as they are, so no name can end it, add to
    it, or drive a terminal.

    Args:
        vault: the vault's name in Obsidian.
        file: the file's path in that vault, with `/`.
    """
    parts = file.split("/")
    if not vault or _SUBPATH & set(file) or any(not part or part[0] == "." for part in parts):
        return ""
    try:
        uri = f"obsidian://open?vault={quote(vault, safe='')}&file={quote(file, safe='')}"
    except UnicodeEncodeError:  # half a character, from a name that is no UTF-8
        return ""
    return uri if len(uri) <= MAX_URI else ""
