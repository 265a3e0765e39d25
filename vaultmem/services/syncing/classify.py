"""One fresh file: what kind of note it is, what it says, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.conflict import is_conflict_copy
from vaultmem.core.finding import Severity, finding
from vaultmem.core.ids import is_id
from vaultmem.core.inert import clean
from vaultmem.core.place import Kind, folder_category, inside, kind_of, stray
from vaultmem.core.settings import line_of
from vaultmem.core.standing import IN_USE, lacks_project
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.codec import Decoded, decode_memory, finding_of
from vaultmem.notes.frontmatter import get_properties

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.finding import Finding
    from vaultmem.core.model import Memory
    from vaultmem.services.syncing.observe import Fresh
    from vaultmem.store.vault import OpenVault

LARGE = 1_000_000
"""Bytes beyond which a note is indexed by its head and headings only (DESIGN §6)."""


_GLANCE = 64
"""Characters that nearly always hold a letter, so that the costly look is rare."""


class Reading(NamedTuple):
    """What a fresh file is to vaultmem."""

    fresh: Fresh
    kind: Kind
    id: str
    decoded: Decoded | None
    """The memory, where it is one and can be read."""
    findings: tuple[Finding, ...]

    @property
    def path(self) -> str:
        """The note, relative to the vault."""
        return self.fresh.path


def classify(fresh: Fresh, *, root: str, known: Callable[[str], bool]) -> Reading:
    """Read a fresh file; never raises for what it holds.

    Args:
        fresh: the file.
        root: the memory root.
        known: whether an id is that of a memory; only then can a note outside the root be one.
    """
    name = fresh.path.rpartition("/")[2]
    kind = kind_of(fresh.path, root)
    if is_conflict_copy(name):
        return Reading(fresh, Kind.CONFLICT, "", None, (finding("VM301", path=fresh.path),))
    if fresh.data is None:
        found = finding("VM111", fresh.problem, path=fresh.path)
        return Reading(fresh, kind, "", None, (found,))
    large: tuple[Finding, ...] = ()
    if len(fresh.data) > LARGE:
        large = (finding("VM112", path=fresh.path),)
    try:
        properties = get_properties(fresh.data)
    except NoteUnreadableError as error:
        found = finding_of(error, fresh.path)
        if kind is Kind.KNOWLEDGE:  # theirs to keep as it is; it is searched as plain text
            found = found._replace(severity=Severity.INFO)
        return Reading(fresh, kind, "", None, (*large, found))
    identifier = properties.get("id")
    is_memory = properties.get("type") == "memory"
    if kind in (Kind.ROOT, Kind.INQUIRY, Kind.PROMOTION) and is_memory:
        kind = Kind.MEMORY
    else:
        kind = _by_type(kind, str(properties.get("type")).casefold())
    if kind is Kind.KNOWLEDGE and is_memory and is_id(identifier, "mem"):
        kind = Kind.MEMORY if known(str(identifier)) else kind
    elif kind is Kind.MEMORY and properties.get("type") not in (None, "", "memory"):
        return Reading(fresh, Kind.ROOT, "", None, (finding("VM302", path=fresh.path),))
    if kind is not Kind.MEMORY:
        large = _not_taken_in(large, kind, _own_id(identifier))
        if stray(fresh.path, root) and properties.get("type") in (None, ""):
            large += (finding("VM305", path=fresh.path),)
        large += _misplaced(fresh, kind, properties.get("type"))
        return Reading(fresh, kind, _own_id(identifier), None, large)
    return _memory(fresh, root, large)


def _by_type(kind: Kind, type_: str) -> Kind:
    """The kind of a note in a folder that holds notes of several types."""
    if kind is Kind.CANDIDATE and type_ == Kind.PATCH:
        return Kind.PATCH
    return Kind.ROOT if kind is Kind.PROMOTION and type_ != Kind.PROMOTION else kind


def _not_taken_in(large: tuple[Finding, ...], kind: Kind, identifier: str) -> tuple[Finding, ...]:
    """What its size means for a note that somebody put into the inbox."""
    if kind is not Kind.CANDIDATE or identifier:
        return large
    return tuple(one._replace(message=_NO_CANDIDATE, remedy=_SHORTEN) for one in large)


_NO_CANDIDATE = (
    "The note is larger than 1 MB, so no candidate is made of it: nothing checks or decides it."
)
_SHORTEN = "Shorten it to what is to be remembered, or move it out of the inbox."


def classify_in(vault: OpenVault, fresh: Fresh) -> Reading:
    """Read a fresh file of a vault whose baseline knows which ids are memories."""
    return classify(
        fresh, root=vault.root, known=lambda key: vault.baseline.memory(key) is not None
    )


def decode_in(root: str, path: str, data: bytes) -> Decoded:
    """A memory's note, with the category of its folder where it names none.

    Raises:
        NoteUnreadableError: if the bytes or the properties cannot be read at all.
    """
    return decode_memory(data, path=path, folder_category=folder_category(path, root))


def _misplaced(fresh: Fresh, kind: Kind, value: object) -> tuple[Finding, ...]:
    """What is said of a note in the inbox that is no candidate; nobody can decide about it."""
    if kind is not Kind.CANDIDATE or value in (None, "") or str(value).casefold() == Kind.CANDIDATE:
        return ()
    message = f"`type` is `{str(value)[:40]}`, and the inbox holds candidates and patches only."
    line = line_of(fresh.data.decode(), "type") if fresh.data else None
    remedy = "Move the note to the folder where it belongs."
    return (finding("VM117", message, path=fresh.path, line=line, remedy=remedy),)


def _memory(fresh: Fresh, root: str, large: tuple[Finding, ...]) -> Reading:
    if fresh.data is None:  # pragma: no cover - the caller read it
        raise ValueError(fresh.path)
    try:
        decoded = decode_in(root, fresh.path, fresh.data)
    except NoteUnreadableError as error:
        return Reading(fresh, Kind.MEMORY, "", None, (*large, finding_of(error, fresh.path)))
    findings = (*large, *decoded.findings)
    if not inside(fresh.path, root):
        findings += (finding("VM303", path=fresh.path),)
    if decoded.usable and _is_nowhere(decoded.memory):
        findings += (finding("VM336", path=fresh.path, line=line_of(fresh.data.decode(), "scope")),)
    identifier = _own_id(decoded.memory.id)
    if decoded.usable and not _is_visible(decoded.memory.statement):
        findings += (finding("VM109", path=fresh.path, line=decoded.statement_line),)
        return Reading(fresh, Kind.MEMORY, identifier, None, findings)
    if not decoded.usable:
        return Reading(fresh, Kind.MEMORY, identifier, None, findings)
    return Reading(fresh, Kind.MEMORY, identifier, decoded, findings)


def _is_nowhere(memory: Memory) -> bool:
    return memory.status in IN_USE and lacks_project(memory.scope, memory.project)


def _is_visible(statement: str) -> bool:
    """Whether anything of a statement would be left for a person to see."""
    return any(map(str.isalnum, statement[:_GLANCE])) or bool(clean(statement).text)


def _own_id(value: object) -> str:
    return str(value) if is_id(value) else ""
