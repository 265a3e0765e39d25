"""Look at a version of the notebook: its files, or what it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.line_diff import plain_diff
from vaultmem.core.visible import visible_line
from vaultmem.errors import NoteNotFoundError
from vaultmem.services.call import Actor
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.notebook.versions import show

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.store.notebook_history import Commit


class NotebookFile(NamedTuple):
    """A file of a version; `path` is relative to the memory root."""

    path: str
    text: str


class Look(NamedTuple):
    """A version of the notebook.

    Attributes:
        version: when it was made, and whose it is.
        files: those that were asked for.
        changed: the files that it changed.
        diff: what it changed in the files that were asked for; None where that was not asked.
    """

    version: Commit
    files: tuple[NotebookFile, ...]
    changed: tuple[str, ...]
    diff: str | None


def look_at(call: Call, name: str | None, *, path: str | None = None, diff: bool = False) -> Look:
    """A version by its id or the beginning of it; the one in force for None.

    An agent sees it without secrets.

    Args:
        call: the circumstances.
        name: of the version.
        path: of one of its files; None for all.
        diff: whether its changes are asked for.

    Raises:
        NoteNotFoundError: if there is no such version or file.
        HistoryDamagedError, BusyError: as `versions.history`.
    """
    found = show(call, name)
    named = sorted({*found.files, *found.before})
    if path is not None and path not in named:
        raise NoteNotFoundError(
            f"This version has no file {visible_line(path, 80)!r}.",
            f"It has {', '.join(sorted(found.files))}.",
        )
    wanted = [one for one in named if path in (None, one)]
    seen = redact if call.actor is Actor.AGENT else str
    files = [
        NotebookFile(one, seen(found.files[one].decode("utf-8", "replace")))
        for one in wanted
        if one in found.files
    ]
    return Look(
        found.version,
        tuple(files),
        found.changed,
        seen(
            plain_diff(
                {one: found.before[one] for one in wanted if one in found.before},
                {one: found.files[one] for one in wanted if one in found.files},
            )
        )
        if diff
        else None,
    )
