"""The characters of a longer text that a person sees, so that none of it speaks to a model only."""

from __future__ import annotations

import re

_TERMINAL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)")
_BREAKS = re.compile(r"\r\n?|[\u2028\u2029\x85]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Controls, direction marks, tags and what takes no room; line feeds, tabs and joiners stay."""


def legible(text: str) -> str:
    """The text without what nobody sees; its lines stay lines, and every encoding can hold it."""
    if text.isascii() and text.isprintable():
        return text
    kept = text.encode("utf-8", "replace").decode("utf-8")
    return _UNSEEN.sub("", _BREAKS.sub("\n", _TERMINAL.sub("", kept)))
