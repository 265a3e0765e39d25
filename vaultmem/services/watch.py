"""Watch: sync whenever a note changes, and never write into one that somebody is typing in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vaultmem.errors import BusyError
from vaultmem.services.sync import PUT_OFF, SyncResult, sync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from threading import Event

    from vaultmem.services.call import Call

QUIET_MS = 1_500
"""Obsidian saves two seconds after the last key; one batch of changes is one look."""
TICK_SECONDS = 30.0
"""How often to look without any change: notes that wait for their id, graces that end."""
AGAIN_SECONDS = 1.0
"""How soon to look again where differences waited because a tool of the agent ran."""
STEP_MS = 500
"""How long the watcher is waited for at a time."""


def watch(
    call: Callable[[], Call], path: Path, *, stop: Event | None = None
) -> Iterator[SyncResult]:
    """Yield the result of each sync that found something, until `stop` is set.

    While another command writes for long it waits: it looks again as soon as that is done.

    Args:
        call: gives the circumstances of each sync, at its moment.
        path: the vault's folder.
        stop: ends the watch; None for an interrupt only.

    Raises:
        BusyError: if another command writes for longer than ten seconds at the start.
        KeyboardInterrupt: if a person interrupts it.
        VaultError, ReadOnlyError, DiskFailedError: as `sync`.
    """
    from watchfiles import watch as changes

    watcher = changes(
        path,
        watch_filter=None,  # what it drops would come as nothing at all, and no look would be due
        debounce=QUIET_MS,
        rust_timeout=STEP_MS,
        yield_on_timeout=True,
        stop_event=stop,
    )
    next(watcher, None)  # it watches from here on, so that no edit during the first sync is missed
    found = sync(call(), typed=False)
    yield found
    touched, due = False, _next_look(found)
    for batch in watcher:
        touched = touched or any(_is_note(name, str(path)) for _, name in batch)
        if not touched and time.monotonic() < due:
            continue
        try:
            found = sync(call(), typed=False)
        except BusyError:
            continue
        touched, due = False, _next_look(found)
        if found.changes or found.applied:
            yield found


def _next_look(found: SyncResult) -> float:
    """When to look without any change, as `time.monotonic` counts."""
    waits = any(one.code == PUT_OFF for one in found.findings)
    return time.monotonic() + (AGAIN_SECONDS if waits else TICK_SECONDS)


def _is_note(name: str, root: str) -> bool:
    inner = name[len(root) :].replace("\\", "/")
    return name.lower().endswith(".md") and "/." not in inner
