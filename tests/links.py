"""Where the links of a vault point, by Obsidian's rule: base name or path, shortest unique path."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LINK = re.compile(r"(?<!\\)(!?)\[\[([^\]|#\n\\]+)[^\]\n]*\]\]")


def targets(vault: Path) -> dict[tuple[str, str], str | None]:
    """Each (note, link text) with the note it resolves to, None where there is none."""
    notes = {
        place.relative_to(vault).as_posix(): place
        for place in sorted(vault.rglob("*.md"))
        if "/." not in f"/{place.relative_to(vault).as_posix()}"
    }
    found: dict[tuple[str, str], str | None] = {}
    for path, place in notes.items():
        text = place.read_bytes().decode("utf-8", "replace")
        for link in _LINK.finditer(text):
            found[path, link[2]] = _resolve(link[2], list(notes))
    return found


def _resolve(link: str, paths: list[str]) -> str | None:
    wanted = _key(link.strip().removesuffix(".md"))
    matches = [
        path
        for path in paths
        if _key(path.removesuffix(".md")) == wanted
        or _key(path.removesuffix(".md")).endswith(f"/{wanted}")
    ]
    return min(matches, key=lambda path: (path.count("/"), path), default=None)


def _key(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
