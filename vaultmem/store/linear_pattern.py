"""Regular expressions from notes and vaults, in an engine whose time is linear in the text.

google-re2 knows neither look-around nor back references; a hostile pattern cannot stall it, and one
that would want much memory is refused.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

_MAX_MEMORY = 1 << 20
"""Bytes that one pattern may use; `x{1000}{1000}` would want more."""


class Pattern(Protocol):
    """A compiled expression; it wants text that UTF-8 can spell (`spelled`)."""

    def search(self, text: str) -> object:
        """The first match, or None."""


def compile_pattern(pattern: str, *, case_sensitive: bool = True) -> Pattern | None:
    """The expression ready to be used; None for one that this engine does not know."""
    import re2  # most vaults have no patterns

    options = re2.Options()
    options.case_sensitive = case_sensitive
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        compiled: Pattern = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError):
        return None
    return compiled


def spelled(text: str) -> str:
    """The text without halves of characters, which UTF-8 cannot spell."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def search(pattern: str, text: str) -> bool | None:
    """Whether an expression is found in a text, case counting; None for one that is none."""
    compiled = _compiled(pattern)
    return None if compiled is None else compiled.search(spelled(text)) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Pattern | None:
    return compile_pattern(pattern)
