"""What comes back of a version of the notebook: not what is left out of it by now."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.left_out import without_sessions
from vaultmem.core.notebook.own import PERSON, UNPUBLISHED, foreign_skills, own_lines
from vaultmem.core.notebook.stem import card_stem, short_hash
from vaultmem.core.notebook.validation import HANDBOOK
from vaultmem.errors import NotebookInvalidError
from vaultmem.services.notebook.card_notes import cards_of_all_devices
from vaultmem.store.notebook.catalog import NotebookCatalog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call
    from vaultmem.store.notebook_history import History


class LeftOut(NamedTuple):
    """How many lines of a version, and which of its skills, do not come back."""

    lines: int = 0
    skills: tuple[str, ...] = ()


class Back(NamedTuple):
    """A version's files as they come back.

    Attributes:
        version: its id.
        files: without what is left out.
        left_out: what that is.
    """

    version: str
    files: Mapping[str, bytes]
    left_out: LeftOut = LeftOut()


def bring_back(call: Call, history: History, name: str, now: Mapping[str, bytes]) -> Back:
    """The files of a version, with the skills of the present one that no worker made.

    What a version says of sessions that the person left out since, or of projects in which the
    notebook is off, stays away: the agent would be told it until the next rewrite.

    Args:
        call: the circumstances.
        history: the versions.
        name: of the version.
        now: the files of the version in force.

    Raises:
        NoteNotFoundError: if there is no such version.
        NotebookInvalidError: if nothing is left of its `MEMORY.md`.
        HistoryDamagedError, BusyError, ReadOnlyError, DiskFailedError: as the history and the
            catalog answer.
    """
    wanted = history.find(name)
    read = list(history.versions())
    at = history.log().index(wanted)
    stay = foreign_skills(read)
    files = dict(read[at].files)
    files |= {path: now[path] for path in now.keys() - files.keys() if skill_of(path) in stay}
    if read[at].by == UNPUBLISHED:
        read[at] = read[at]._replace(by=PERSON)  # they typed what is new in it
    gone = _marks(call)
    own, foreign = own_lines(read[at:], gone), stay | foreign_skills(read[at:])
    left = without_sessions(files, gone, own=own, foreign=foreign)
    if left.lines and not left.files[HANDBOOK].strip():
        raise NotebookInvalidError(_ALL_GONE)
    return Back(wanted.id, left.files, LeftOut(left.lines, left.skills))


_ALL_GONE = (
    "All that MEMORY.md of this version says is of sessions that you left out, or of projects in "
    "which the notebook is off. Let a session in again with `vaultmem notebook ignore ID --undo`."
)


def _marks(call: Call) -> frozenset[str]:
    """The marks by which the notebook cites what is left out of it on this machine.

    Where the notebook is on for no project, nobody says which of them are left out.
    """
    on = call.vault.notebook
    with closing(NotebookCatalog(call.vault.state.folder)) as catalog:
        modes = catalog.modes.all()
    out = {short_hash(card_stem(key, 0.0, None)) for key, one in modes.items() if not one.counts}
    cards = [card for card in cards_of_all_devices(call) if card.hash]
    off = {card.hash for card in cards if on and card.project.casefold() not in on}
    counting = {card.hash for card in cards} - off
    return frozenset((off | out) - (counting - out) - {""})
