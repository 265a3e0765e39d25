"""The dashboards of a memory root: Obsidian bases, filled in from `templates/bases`."""

from __future__ import annotations

import json

from vaultmem.resources import resource

FOLDER = "bases"
_ROOT = "{root}"


def dashboards(root: str) -> dict[str, bytes]:
    """Every dashboard of a memory root: its path in the vault and its bytes.

    Args:
        root: the memory root. The bases name it, because `this` is another file where a base is
            shown inside a note.

    Raises:
        FileNotFoundError: if this installation lacks the templates.
    """
    return {
        f"{root}/{place.name}": place.read_text("utf-8").replace(_ROOT, _in_quotes(root)).encode()
        for place in sorted((resource("templates") / FOLDER).glob("*.base"))
    }


def _in_quotes(text: str) -> str:
    """A text inside a string of a filter, which is a YAML text in single quotes."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("'", "''")
