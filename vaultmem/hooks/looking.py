"""Looks at the vault between events: after a tool ran, and as the notes change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.hooks.telling import one_line
from vaultmem.services.indexing import refresh
from vaultmem.services.sync import sync

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here, Shared
    from vaultmem.hooks.payloads import Place
    from vaultmem.services.sync import SyncResult

TOLD = 3
"""Paths that one sentence names."""


def look_soon(here: Here, at: Place) -> None:
    """Let somebody look what a tool left in the vault; once, however many tools ran meanwhile."""
    shared = here.shared
    if shared.look_wanted.is_set():
        return
    shared.look_wanted.set()

    def look(own: Here) -> None:
        shared.look_wanted.clear()
        found = sync(own.policy(), typed=False)
        refresh(own.policy(), own.engine)
        if told := external_sentence(found):
            own.known(at).change((told,))

    shared.later(look)


def keep_up(here: Here) -> None:
    """Bring the search index up to what was written by us; prompts do not wait for it."""
    refresh(here.policy(), here.engine)


def external_sentence(found: SyncResult) -> str:
    """What the model is told of its own writes into the vault; "" where there are none."""
    paths = [one_line(one.path) for one in found.changes if one.change == "external"]
    if not paths:
        return ""
    named = ", ".join(paths[:TOLD]) + (f" and {len(paths) - TOLD} more" if paths[TOLD:] else "")
    return (
        f"[vaultmem] {named} changed while a tool ran. Nothing of it is in force; it waits in the "
        "inbox for the user. Use memory_edit or memory_add to propose a change."
    )


def watch_vault(shared: Shared, own: Here) -> None:
    """Sync as the notes change, until the process stops; then events need not look themselves.

    Raises:
        As `services.sync.sync`.
    """
    from vaultmem.services.watch import watch  # a library of its own

    path = own.app.vault.path
    try:
        for found in watch(own.policy, path, stop=shared.stopping):
            shared.watching.set()  # it has looked once, and misses nothing from here on
            refresh(own.policy(), own.engine)
            if told := external_sentence(found):
                shared.sessions.newest().change((told,))
    finally:
        shared.watching.clear()
