"""Which Pi a shell would start, told without starting it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from vaultmem.store.bounded import Unread, read_bounded

PROGRAM = "pi"
PACKAGES = ("@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent")
"""What Pi's package is called, and was (facts/pi-client.md §1)."""
MAX_PACKAGE = 1 << 18
"""Bytes of a `package.json`; Pi's has a few KiB."""
_LEVELS = 4
"""Folders above the program in which its package is looked for; it lies in `dist/bundle`."""


def pi_version() -> str:
    """The version of the Pi that is found on the path, "" where none is or nothing says it."""
    program = shutil.which(PROGRAM)
    if program is None:
        return ""
    folders = Path(program).resolve().parents[:_LEVELS]
    return next(filter(None, map(_version, folders)), "")


def _version(folder: Path) -> str:
    """The version that the package in a folder has, "" where it is not Pi's."""
    data = read_bounded(folder / "package.json", limit=MAX_PACKAGE)
    if isinstance(data, Unread):
        return ""
    try:
        values: object = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    match values:
        case {"name": str(name), "version": str(version)} if name in PACKAGES:
            return version
    return ""
