"""Leave a session out of the notebook because the person says so, or let it in again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.visible import visible_line
from vaultmem.errors import AmbiguousIdError
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.sessions.read import find_session
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.store.notebook.jobs import JobKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultmem.core.notebook.card import Card
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.notebook.catalog import NotebookCatalog


class Ignored(NamedTuple):
    """What holds for a session now.

    Attributes:
        session: its id.
        project: of it.
        title: what it is called.
        ignored: whether it is left out.
        changed: whether that is new.
        dropped: whether a card of it was deleted.
    """

    session: str
    project: str
    title: str
    ignored: bool
    changed: bool
    dropped: bool


def ignore_session(
    call: Call,
    sessions: SessionIndex,
    catalog: NotebookCatalog,
    name: str,
    *,
    ignored: bool = True,
    progress: Callable[[int], object] = int,
) -> Ignored:
    """Never read a session for the notebook, and delete its card; or allow it again.

    The next rewrite takes out of the notebook what rested on that session alone. Who is reading it
    now throws the answer away. A session that is allowed again is read anew.

    Args:
        call: the circumstances, with the baseline up to date.
        sessions: the index, which is brought up to the files first.
        catalog: of the notebook.
        name: the session's id, the beginning of it, a part of its file's name, or what its card is
            called: the mark, the slug, the name of its note.
        ignored: False allows it.
        progress: as for `sync_sessions`.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: if no session or several answer to the name.
        BusyError, ReadOnlyError, DiskFailedError, VaultError: if a catalog cannot be used.
    """
    call.person_only("notebook ignore")
    settle_notes(call, catalog)  # a lost catalog has its cards back before one is removed
    sync_sessions(call, sessions, progress=progress)
    row = find_session(call, sessions, _session_of(catalog.cards.all(), name) or name)
    now = call.now.timestamp()
    changed = catalog.modes.get(row.id).ignored != ignored
    catalog.modes.ignore(row.id, now, ignored=ignored)
    dropped = ignored and catalog.cards.remove(row.id, now)
    if ignored:
        catalog.jobs.forget(JobKind.EXTRACT, row.id)
    settle_notes(call, catalog)
    return Ignored(row.id, row.project, row.record.title, ignored, changed, dropped)


def _session_of(cards: Iterable[Card], name: str) -> str | None:
    """The session whose card is called so; None where none is.

    Raises:
        AmbiguousIdError: if several are.
    """
    wanted = name.strip().strip("[]").removesuffix(".md").rpartition("/")[2]
    found = {one.session for one in cards if wanted and wanted in (one.hash, one.slug, one.stem)}
    if len(found) > 1:
        raise AmbiguousIdError(
            f"Several sessions answer to {visible_line(name, 80)!r}: {', '.join(sorted(found))}.",
            "Give the id of one.",
        )
    return next(iter(found), None)
