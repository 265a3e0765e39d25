"""The form in which two paths that some file system takes for one are equal."""

from __future__ import annotations

import unicodedata


def path_key(path: str) -> str:
    """NFC, then casefold, then NFC again: macOS and Windows tell neither case nor composition."""
    folded = unicodedata.normalize("NFC", path).casefold()
    return unicodedata.normalize("NFC", folded)
