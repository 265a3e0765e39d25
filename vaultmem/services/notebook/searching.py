"""Look for words in the notebook from the command line, as an agent's tool does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.text_search import MatchMode, Question
from vaultmem.errors import BrowseError
from vaultmem.services.notebook.browse import Notebook
from vaultmem.services.notebook.enable import refuse_disabled
from vaultmem.services.switch import READ, switched_off

if TYPE_CHECKING:
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

    Raises:
        NotebookOffError: if the notebook is off.
        BrowseError: if recalling is off, or the query is blank.
        HistoryDamagedError, BusyError: as `Notebook`.
    """
    if call.agent is not None or not config.notebook:
        refuse_disabled(config, project)
    if off := switched_off(call, READ, project=project, session=session):
        raise BrowseError(off.sentence)
    notebook, words = Notebook(call), tuple(query.split())
    for mode in (MatchMode.SAME_LINE, MatchMode.ANY):
        found = notebook.search(Question(words, mode=mode), most=limit).matches
        if found:
            return found
    return ()
