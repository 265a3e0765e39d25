"""Read a source with the reader of its kind, and remove what was imported if the person asks."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

from vaultmem.config import PI_AGENT, place
from vaultmem.core.importing.item import ImportKind
from vaultmem.errors import ImportSourceError, NotConfirmedError
from vaultmem.services.migrating.plan import VERB
from vaultmem.store.importers.source import remove_files

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.config import Environment
    from vaultmem.core.importing.item import Gathered
    from vaultmem.core.importing.plan import Plan
    from vaultmem.services.call import Call


READERS = {
    ImportKind.PI_CONFIG: "pi_config",
    ImportKind.PI_MEMORY: "pi_memory",
    ImportKind.MEMORIES_DB: "memories_db",
    ImportKind.NOTEBOOK: "notebook",
    ImportKind.MARKDOWN: "markdown",
    ImportKind.BASIC_MEMORY: "basic_memory",
}
"""The module of `store.importers` that reads a store of each kind; those that `migrate` offers."""


class UsualPlace(NamedTuple):
    """Where the tool of a kind keeps its store unless a variable names another folder."""

    variable: str
    """A field of `Environment`."""
    folder: str


USUAL_PLACES = {
    ImportKind.PI_MEMORY: UsualPlace("pi_memory_root", f"{PI_AGENT}/pi-memory"),
    ImportKind.NOTEBOOK: UsualPlace("pi_memory_home", f"{PI_AGENT}/memories"),
}
"""Of the kinds that are kept once for a person (facts/governed-memory.md, 1.1; notebook.md, 1)."""


class _Reader(Protocol):
    def __call__(self, root: Path, *, project: str | None = None) -> Gathered: ...


def gather(call: Call, kind: ImportKind, path: Path, *, project: str | None = None) -> Gathered:
    """Everything that the store at `path` holds; it is only read.

    Args:
        call: the circumstances.
        kind: whose store it is.
        path: the store's folder or file.
        project: the identity of the project that its records are of, where they do not say so.

    Raises:
        AgentRefusedError: if an agent calls.
        ImportSourceError: if there is no such store, or it is this vault's own memory root.
    """
    call.person_only(VERB)
    root = call.vault.path / call.vault.root
    if path.resolve().is_relative_to(root.resolve()):
        raise ImportSourceError(
            f"{path} lies in this vault's own memory root, whose notes are memories already. Name "
            "the store of another tool."
        )
    return reader_of(kind)(path, project=project)


def usual_place(kind: ImportKind, env: Environment) -> Path:
    """Where the store of that kind lies if the person names no path.

    Raises:
        ImportSourceError: if it may lie anywhere, or the variable names no absolute path.
    """
    if (usual := USUAL_PLACES.get(kind)) is None:
        raise ImportSourceError(
            f"A store of the kind {kind} may lie anywhere. Name its path: `vaultmem {VERB} {kind} "
            "PATH`."
        )
    named = getattr(env, usual.variable)
    if (found := place(named or usual.folder)) is None:
        raise ImportSourceError(
            f"{usual.variable.upper()} is {named}, which is no absolute path. Name the store: "
            f"`vaultmem {VERB} {kind} PATH`."
        )
    return found


def reader_of(kind: ImportKind) -> _Reader:
    """The function that reads a store of that kind."""
    read: _Reader = importlib.import_module(f"vaultmem.store.importers.{READERS[kind]}").read
    return read


def remove_source(call: Call, path: Path, plan: Plan) -> tuple[str, ...]:
    """Remove what the old tool removed after such an import; the names of what is gone.

    Raises:
        AgentRefusedError: if an agent calls.
        NotConfirmedError: if something of the source could not be taken, so nothing is removed.
        UnsafePathError, ReadOnlyError, DiskFailedError: if a file cannot be removed.
    """
    call.person_only(VERB)
    if plan.quarantined():
        raise NotConfirmedError(
            "Something of the source could not be taken, so nothing of it was removed. Look at the "
            "report, and delete the source yourself if you want that."
        )
    folder = path if path.is_dir() else path.parent
    return remove_files(folder, plan.gathered.removable)
