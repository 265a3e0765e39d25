"""Which notes a person excluded in Obsidian (Settings, Files and links, Excluded files)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding, printable
from vaultmem.core.path_key import path_key
from vaultmem.store.linear_pattern import compile_pattern, spelled
from vaultmem.store.obsidian import APP, read_filters

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vaultmem.store.linear_pattern import Pattern

MAX_FILTERS = 1000
MAX_PATTERN = 1000
"""Characters of one pattern, and entries: far beyond what Obsidian's dialog is used for."""


class Excluded(NamedTuple):
    """The entries, ready to be asked: path prefixes in the form of `path_key`, and expressions.

    Like Obsidian's, both ignore case; an expression may match anywhere in the path.
    """

    prefixes: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()

    def excludes(self, path: str) -> bool:
        """Whether the note at the vault-relative `path` is excluded."""
        if path_key(path).startswith(self.prefixes):
            return True
        text = spelled(path) if self.patterns else ""
        return any(pattern.search(text) is not None for pattern in self.patterns)


def read_excluded(vault: Path) -> tuple[Excluded, tuple[Finding, ...]]:
    """Read the Excluded files of a vault; a pattern that cannot be used excludes nothing."""
    entries, findings = read_filters(vault)
    excluded, wrong = excluded_by(entries)
    return excluded, findings + wrong


def excluded_by(entries: Iterable[str]) -> tuple[Excluded, tuple[Finding, ...]]:
    """Make the entries ready. `/x/` is a regular expression x, anything else a path prefix.

    Expressions run in google-re2, whose time is linear in the text: a vault cannot stall us by
    one. Look-around and back references, which it does not know, are a finding each.
    """
    prefixes, patterns, findings = [], [], []
    for number, entry in enumerate(entries):
        if number >= MAX_FILTERS:
            message = f"Only the first {MAX_FILTERS} Excluded-files entries are heeded."
            findings.append(finding("VM216", message, path=APP))
            break
        if not (len(entry) > 2 and entry.startswith("/") and entry.endswith("/")):
            prefixes.append(path_key(entry))
        elif (pattern := _compiled(entry[1:-1])) is not None:
            patterns.append(pattern)
        else:
            message = f"The Excluded-files pattern `{printable(entry)}` cannot be used here."
            findings.append(finding("VM216", message, path=APP))
    return Excluded(tuple(prefixes), tuple(patterns)), tuple(findings)


def _compiled(pattern: str) -> Pattern | None:
    return None if len(pattern) > MAX_PATTERN else compile_pattern(pattern, case_sensitive=False)
