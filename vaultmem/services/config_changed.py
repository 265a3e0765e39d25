"""Tells the person what changed in the user config while a tool ran: it acts at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultmem.core.visible import visible_line
from vaultmem.core.wording import count
from vaultmem.store.bounded import Unread, read_bounded
from vaultmem.store.private import keep_copy
from vaultmem.store.user_config import MAX_CONFIG
from vaultmem.store.windows import read_windows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from vaultmem.config import HomeDirs

SEEN = "config.seen"
"""In the state folder: the user config as it was when a session last started."""
MOST_LINES = 6
_SHOWN = 120
"""Characters of a line that are shown."""


def config_changes(home: HomeDirs, *, at_ns: int, tell: bool) -> str:
    """What changed in the user config while a tool of an agent ran; "" for nothing.

    What changed at any other time is the person's own. Where they changed it as well after the
    tool did, nothing tells the two apart, and it counts as theirs.

    Args:
        home: this machine's folders.
        at_ns: the moment, nanoseconds since 1970.
        tell: whether somebody sees it; else the next call tells it.
    """
    data = _read(home.config_file) or b""
    seen = _read(home.state / SEEN)
    if data == seen:
        return ""
    by_tool = read_windows(home.state, at_ns=at_ns).hold(*_times(home.config_file))
    if by_tool and not tell:
        return ""
    keep_copy(home.state / SEEN, data)
    return _sentence(home.config_file, seen or b"", data) if by_tool else ""


def _read(path: Path) -> bytes | None:
    data = read_bounded(path, limit=MAX_CONFIG)
    return None if isinstance(data, Unread) else data


def _times(path: Path) -> Iterator[int]:
    """When the file was written, put in its place, or taken away, also with its folder."""
    for follow in (True, False):
        try:
            found = os.stat(path, follow_symlinks=follow)  # noqa: PTH116 - as store.files does
        except OSError:
            continue
        yield from (found.st_mtime_ns, found.st_ctime_ns)
    for folder in (path.parent, path.parent.parent):
        if folder.exists():
            yield folder.stat().st_mtime_ns


def _sentence(path: Path, old: bytes, new: bytes) -> str:
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    changed = [f"- {line}" for line in before if line not in after]
    changed += [f"+ {line}" for line in after if line not in before]
    shown = [visible_line(line, _SHOWN) for line in changed[:MOST_LINES]]
    if more := len(changed) - len(shown):
        shown.append(f"and {count(more, 'more line')}")
    told = f"{path} changed while a tool of an agent ran, and acts already. Correct it if need be."
    return "\n".join((told, *shown))
