"""The versions of the notebook, for a person to look through."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.line_diff import changes
from vaultmem.core.notebook.own import PERSON
from vaultmem.errors import HistoryDamagedError, NoteNotFoundError
from vaultmem.services.notebook.published import versions
from vaultmem.services.syncing.record import notebook_findings
from vaultmem.store.notebook_history import History

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.services.call import Call
    from vaultmem.store.notebook_history import Commit


class Shown(NamedTuple):
    """One version.

    Attributes:
        version: when it was made, and whose it is.
        files: all of them by their paths, relative to the memory root.
        before: likewise of the version before it; empty for the first one.
    """

    version: Commit
    files: Mapping[str, bytes]
    before: Mapping[str, bytes]

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that are new, other than before, or gone."""
        return tuple(one.path for one in changes(self.before, self.files))


def history(call: Call, limit: int | None = None) -> tuple[Commit, ...]:
    """The versions, the newest first, at most `limit`; empty before the first one.

    Raises:
        HistoryDamagedError: if one cannot be read; the next sync begins anew.
        BusyError: if another process writes for longer than ten seconds.
    """
    with versions(call) as found:
        return tuple(found.log(limit))


def show(call: Call, name: str | None = None) -> Shown:
    """A version by its id or the beginning of it; the one in force for None.

    Raises:
        NoteNotFoundError: if there is no such version.
        HistoryDamagedError, BusyError: as `history`.
    """
    with versions(call) as found:
        version = found.head() if name is None else found.find(name)
        if version is None:
            raise nothing_published(call)
        log = found.log()
        older = log[log.index(version) + 1 :]
        before = found.files(older[0].id) if older else {}
        return Shown(version, found.files(version.id), before)


def head_id(call: Call) -> str | None:
    """The id of the newest version; None where there is none, or nobody can tell."""
    try:
        return History(call.vault.state.history).head_id()
    except HistoryDamagedError:
        return None


def made_by_person(call: Call, *, since: str | None) -> str | None:
    """The id of the newest version, where it is another one than `since` and the person's."""
    newest = head_id(call)
    if newest in (None, since):
        return None
    found = History(call.vault.state.history).find(str(newest))
    return found.id if found.by == PERSON else None


def nothing_published(call: Call) -> NoteNotFoundError:
    """The error where no version of the notebook is there yet, with what a sync found of it."""
    told = notebook_findings(call)
    why = told[0].placed if told else "Run `vaultmem notebook status` to see why."
    return NoteNotFoundError("No version of the notebook was published here yet.", why)
