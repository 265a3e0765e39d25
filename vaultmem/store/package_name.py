"""The name that a project gives itself in its package file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.store.bounded import Unread, read_bounded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAX_PACKAGE_FILE = 1 << 20

_MODULE = re.compile(r"^\s*module\s+[\"`]?([^\s\"`]+)", re.MULTILINE)


def package_name(folder: Path) -> str | None:
    """The name in the first package file of `folder` that has one; None where none can be read."""
    for name, read in _READERS.items():
        data = read_bounded(folder / name, limit=MAX_PACKAGE_FILE)
        if isinstance(data, Unread):
            continue
        found = read(data.decode("utf-8-sig", "replace"))
        if isinstance(found, str) and found.strip():
            return found.strip()
    return None


def _pyproject(text: str) -> object:
    tables = _toml(text)
    tool = tables.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    return _name_in(tables.get("project")) or _name_in(poetry)


def _package_json(text: str) -> object:
    import json

    try:
        return _name_in(json.loads(text))
    except (ValueError, RecursionError):
        return None


def _cargo(text: str) -> object:
    return _name_in(_toml(text).get("package"))


def _go_mod(text: str) -> object:
    match = _MODULE.search(text)
    return match[1] if match else None


def _name_in(table: object) -> object:
    return table.get("name") if isinstance(table, dict) else None


def _toml(text: str) -> dict[str, object]:
    import tomllib

    try:
        return dict(tomllib.loads(text))
    except (ValueError, RecursionError):
        return {}


_READERS: dict[str, Callable[[str], object]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
}
PACKAGE_FILES = tuple(_READERS)
