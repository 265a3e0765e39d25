"""Count the use of cards: by what an agent reads of the notebook, and by what its replies cite."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.notebook.behind import MOST_READ, named_sessions, sessions_behind
from vaultmem.core.notebook.browsing import safe_path
from vaultmem.errors import NoteNotFoundError, UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.citation import CitedPlace
    from vaultmem.core.notebook.browsing import Lines
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.browse import Notebook
    from vaultmem.store.notebook.catalog import NotebookCatalog


def used_by_reading(notebook: Notebook, lines: Lines) -> frozenset[str]:
    """Short hashes of the sessions whose cards are used by reading some lines of a file."""
    found = sessions_behind(lines.path, notebook.text(lines.path) or "", lines.start, lines.end)
    return found if len(found) <= MOST_READ else frozenset()


def used_by_citing(
    notebook: Notebook, places: Iterable[CitedPlace], sessions: Iterable[str]
) -> frozenset[str]:
    """Short hashes of the sessions that a reply names, and of those behind the lines it names.

    A place that the notebook does not have names nothing.
    """
    found = set(named_sessions(sessions))
    for place in places:
        with suppress(UnsafePathError, NoteNotFoundError):
            path = safe_path(place.path)
            if notebook.has(path):
                text = notebook.text(path) or ""
                found |= sessions_behind(path, text, place.start, place.end)
    return frozenset(found)


def count_use(call: Call, catalog: NotebookCatalog, used: Iterable[str], counted: set[str]) -> int:
    """Count one use for each card that was not counted yet; returns how many there were.

    Args:
        call: the circumstances.
        catalog: of the notebook; an unknown name counts nothing.
        used: short hashes of sessions.
        counted: those that count no more, such as since the last prompt; they are added to it.

    Raises:
        As the methods of `NotebookCatalog`.
    """
    new = frozenset(used) - counted
    counted |= new
    return catalog.cards.use(new, call.now.timestamp()) if new else 0
