"""Which file names a sync program gives to the second version of a file that changed twice."""

from __future__ import annotations

import re
import unicodedata

_DATE = r"\d{4}-\d{2}-\d{2}"
_TIME = r"\d{2}[ .:-]?\d{2}[ .:-]?\d{2}"
_PARENTHESES = re.compile(
    rf"""
    (?P<original>.*\S)[ ]\((?:
        conflicted[ ]copy[ ](?:[^()]*[ ])?\d{{12,14}}                # Obsidian Sync: device, minute
      | conflicted[ ]copy[ ]{_DATE}(?:[ ]{_TIME})?                   # Nextcloud
      | [^()]*['’]s?[ ]conflicted[ ]copy(?:[ ]{_DATE})?              # Dropbox, with the owner
      | conflict[ ]{_DATE}(?:[ ]{_TIME})?                            # the shortest that are in use
    )(?:[ ]\(?\d+\)?)?\)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SYNCTHING = re.compile(r"(?P<original>.+)\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<original>.*\S) (?:[2-9]|[1-9]\d{1,2})")
"""iCloud; its first second version is ` 2`, so ` 1` and ` 0` are a person's."""


def conflict_original(name: str, *, same_id: bool = False) -> str | None:
    """The name of the file that `name` is the second version of, or None if it is no such copy.

    The patterns are those of Obsidian Sync, Nextcloud, Dropbox and Syncthing, and `Name (conflict
    2026-11-01)`. `Name 2` is iCloud's
    and also what people write themselves, so it counts only if the caller has seen that both
    files hold the same id and says so by `same_id`. `name` has no folder; its extension is kept.
    """
    plain = unicodedata.normalize("NFC", name)
    stem, dot, extension = plain.rpartition(".")
    if not dot or " " in extension or ")" in extension:
        stem, dot, extension = plain, "", ""
    patterns = (_PARENTHESES, _SYNCTHING, _NUMBERED) if same_id else (_PARENTHESES, _SYNCTHING)
    for pattern in patterns:
        if match := pattern.fullmatch(stem):
            return f"{match['original']}{dot}{extension}"
    return None


def is_conflict_copy(name: str, *, same_id: bool = False) -> bool:
    """Say whether a file name is that of a conflict copy; see `conflict_original`."""
    return conflict_original(name, same_id=same_id) is not None
