"""Look for words in the notebook from the command line, as an agent's tool does."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.notebook.text_search import MatchMode, Question
from vaultmem.errors import (
    BrowseError,
    BusyError,
    HistoryDamagedError,
    NotebookOffError,
    NoteError,
    UnsafePathError,
)
from vaultmem.services.notebook.browse import Notebook
from vaultmem.services.notebook.enable import refuse_disabled
from vaultmem.services.switch import READ, switched_off
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.config import UserConfig
    from vaultmem.core.notebook.text_search import Match
    from vaultmem.services.call import Call


def search_notebook(
    call: Call,
    config: UserConfig,
    query: str,
    *,
    project: str,
    session: str | None = None,
    limit: int,
) -> tuple[Match, ...]:
    """The lines that hold all words of a query, or any of them where none holds all.

    Args:
        call: the circumstances.
        config: the user config; a person looks where the notebook is on anywhere, an agent where
            it is on in its project.
        query: words.
        project: that of the working folder.
        session: the agent's session, which can be switched off by itself.
        limit: how many at most.

    Returns:
        Paths are those of the vault for a person, and the notebook's own for an agent.

    Raises:
        NotebookOffError: if the notebook is off.
        BrowseError: if recalling is off, or the query is blank.
        HistoryDamagedError, BusyError: as `Notebook`.
    """
    notebook, words = _opened(call, config, project, session), tuple(query.split())
    for mode in (MatchMode.SAME_LINE, MatchMode.ANY):
        found = notebook.search(Question(words, mode=mode), most=limit).matches
        if found:
            return found if call.agent is not None else tuple(_in_vault(call, notebook, found))
    return ()


def _in_vault(call: Call, notebook: Notebook, found: Iterable[Match]) -> Iterator[Match]:
    """Where the vault has what was found; an agent reads it by the notebook's own paths."""
    for one in found:
        path = notebook.in_vault(one.path)
        yield one._replace(path=path, line=_line(call, path, one))


def _line(call: Call, path: str, match: Match) -> int:
    """The number of the line in the note; that of a session has more than its summary."""
    shown = match.text.split("\n")[match.line - match.start].strip()
    try:
        lines = read_note(call.vault.path, path).decode("utf-8", "replace").split("\n")
    except (NoteError, UnsafePathError):
        return match.line
    if match.line <= len(lines) and shown in lines[match.line - 1]:
        return match.line
    return next((number for number, line in enumerate(lines, 1) if shown in line), match.line)


def is_in_notebook(call: Call, config: UserConfig, query: str, *, project: str) -> bool:
    """Whether a line of the notebook holds all words of a query.

    For whoever searched elsewhere in vain: where the notebook is off or cannot be read now, it has
    nothing to say. The arguments are those of `search_notebook`.
    """
    with suppress(NotebookOffError, BrowseError, HistoryDamagedError, BusyError):
        asked = Question(tuple(query.split()), mode=MatchMode.SAME_LINE)
        return bool(_opened(call, config, project).search(asked, most=1).matches)
    return False


def _opened(call: Call, config: UserConfig, project: str, session: str | None = None) -> Notebook:
    """The notebook, where it may be looked into."""
    if call.agent is not None or not config.notebook:
        refuse_disabled(config, project)
    if off := switched_off(call, READ, project=project, session=session):
        raise BrowseError(off.sentence)
    return Notebook(call)
