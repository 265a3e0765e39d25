"""Overviews of the memory as notes, one for each project and one for all; made again when needed.

Each lies in `System/Reports` and carries the device in its name, so no other machine writes it.
What a person changed in one is theirs: it is left as it is, and told.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Status
from vaultmem.core.overview import overview
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.services.call import Actor
from vaultmem.services.curating.proposals import as_written
from vaultmem.services.exporting.gather import gather
from vaultmem.services.exporting.saved import lasting_path, new_report
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.core.holdings import Holdings
    from vaultmem.services.call import Call

RENDER = "render"


class Outcome(StrEnum):
    """What became of an overview."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    EDITED = "edited"
    """A person, or another program, changed it; it was left as it is."""


class Rendered(NamedTuple):
    """One overview: of which project, "" for all, where it lies, and what became of it."""

    project: str
    path: str
    outcome: Outcome


def render(call: Call, *, project: str | None = None) -> tuple[Rendered, ...]:
    """Make the overviews whose content changed; none where there is no memory to tell of.

    Args:
        call: the circumstances.
        project: only this one's; None for one of each project that has memories, and one of all.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    call.person_only(RENDER)
    held = gather(call)
    live = (one.memory for one in held.memories if one.memory.status is not Status.DELETED)
    owners = {one.project for one in live if one.project}
    wanted = ["", *sorted(owners)] if project is None else [project]
    with call.vault.lock():
        made = (_render(call, held, one) for one in wanted)
        return tuple(one for one in made if one is not None)


def _render(call: Call, held: Holdings, project: str) -> Rendered | None:
    path = lasting_path(call, "Overview", project)
    told = held.of_project(project, shared=False)
    body = overview(told, project=project)
    try:
        old = read_note(call.vault.path, path)
    except NoteNotFoundError:
        if all(one.memory.status is Status.DELETED for one in told.memories):
            return None
        identifier = call.new_id("rep")
        _write(call, path, new_report(call, identifier, body), None, identifier)
        return Rendered(project, path, Outcome.CREATED)
    try:
        block = frontmatter.read(old)
    except NoteUnreadableError:
        return Rendered(project, path, Outcome.EDITED)
    identifier = str(block.properties.get("id") or "")
    known = _digest(block.body) == call.vault.baseline.meta(_key(path))
    if not (known or as_written(call, identifier, old)):
        return Rendered(project, path, Outcome.EDITED)
    if _digest(block.body) == _digest(body):
        return Rendered(project, path, Outcome.UNCHANGED)
    _write(call, path, frontmatter.with_body(old, block, body), old, identifier)
    return Rendered(project, path, Outcome.UPDATED)


def _write(call: Call, path: str, data: bytes, old: bytes | None, identifier: str) -> None:
    act = "created" if old is None else "edited"
    expected = None if old is None else etag_of(old)
    by = Actor.PERSON.value
    write_notes(call, [Write(path, data, expected, identifier, act, by, RENDER)])
    body = frontmatter.read(data).body
    with call.vault.baseline.transaction():
        call.vault.baseline.set_meta(_key(path), _digest(body))


def _key(path: str) -> str:
    return f"rendered {path}"


def _digest(body: str) -> str:
    """What a body says; blanks at the ends of lines, which editors trim, do not count."""
    return etag_of("\n".join(line.rstrip() for line in body.splitlines()).rstrip().encode())
