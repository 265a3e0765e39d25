"""The bytes of the notes that an operation changes or makes, and where they go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Polarity, computed_trust, is_intact
from vaultmem.core.model import Layer
from vaultmem.core.naming import title_of
from vaultmem.core.patch_rules import Applier, only_proposes
from vaultmem.core.place import home_folder
from vaultmem.core.trust import TrustClass, lower_of
from vaultmem.errors import naming
from vaultmem.notes.body import replace_statement
from vaultmem.notes.candidate import without_notice
from vaultmem.notes.codec import encode_memory, property_changes
from vaultmem.notes.frontmatter import set_properties, unset_property
from vaultmem.notes.hints import without_hints
from vaultmem.notes.schema import CANDIDATE, MEMORY
from vaultmem.services.evidence import checks, cited, find
from vaultmem.services.write import Write
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call
    from vaultmem.services.patching.case import CandidateNote, Case

MIGRATE = "migrate"
"""The verb of what keeps the moments that it had in another tool's store."""
_OWN = tuple(row.name for row in CANDIDATE if row not in MEMORY)
"""The properties of a candidate that no memory has."""


def place_of_new(call: Call, case: Case) -> str:
    """Where the note that an operation makes will lie; "" if it makes none.

    A candidate's note keeps its name, so that links to it go on leading to it.
    """
    operation, new = case.operation, case.operation.memory
    if only_proposes(operation) and case.memory is not None:
        from vaultmem.services.promoting.by_patch import promotion_place  # few patches do

        return promotion_place(call, case.memory)
    if new is None or case.created is not None:
        return ""
    folder = home_folder(new.category, identity=new.layer is Layer.IDENTITY)
    if case.candidate is not None:
        path = f"{call.vault.root}/{folder}/{case.candidate.path.rpartition('/')[2]}"
        if not (call.vault.path / path).exists():
            return path
    return call.vault.free_path(folder, new.statement, new.id)


def links(call: Call, operation: Operation, path: str) -> Callable[[MemoryId], str]:
    """Names the notes that a supersession links to each other."""

    def link(identifier: MemoryId) -> str:
        new = operation.memory
        if new is not None and identifier == new.id and path:
            return f"[[{title_of(path)}]]"
        row = call.vault.baseline.memory(identifier)
        return f"[[{title_of(row.path)}]]" if row is not None else f"[[{identifier}]]"

    return link


def change_write(call: Call, case: Case, after: Memory, *, by: str, via: str) -> Write:
    """The target's note with the values that differ; no other byte of it moves.

    Raises:
        NoteError: if the note cannot be changed without touching something else.
    """
    target, before = case.target, case.memory
    if target is None or before is None:
        raise ValueError(case.operation.id)
    path = target.row.path
    changes = property_changes(before, after)
    with naming(path):
        keys = list(changes)
        data = case.data
        if not after.pinned and changes.pop("pinned", None) is not None:
            data = _without_pin(data, target.decoded.properties)
        data = set_properties(data, changes)
        if after.statement != before.statement:
            data = replace_statement(data, after.statement)
            keys.append("statement")
    return Write(
        path,
        data,
        expected=etag_of(case.data),
        id=target.row.id,
        act="edited",
        by=by,
        via=via,
        keys=" ".join(keys),
        trust=_trust(call, case.candidate) if "statement" in keys else "",
    )


def _trust(call: Call, candidate: CandidateNote | None) -> str:
    """How far a candidate's source is trusted: as it claims, and as its evidence shows at most."""
    if candidate is None:
        return ""
    recorded = checks(call).recorded
    computed = computed_trust(
        piece
        for piece in find(call, cited(candidate.memory.evidence))
        if piece.polarity is Polarity.SUPPORTS and is_intact(piece) and recorded(piece.id)
    )
    claimed = str(candidate.decoded.properties.get("trust") or "")
    known = claimed in TrustClass.__members__.values()
    return (lower_of(TrustClass(claimed), computed) if known else computed).value


def _without_pin(data: bytes, properties: Iterable[str]) -> bytes:
    """Without the property, as a note is that was never pinned."""
    for key in properties:
        if key.lower() == "pinned":
            data = unset_property(data, key)
    return data


def new_write(call: Call, case: Case, new: Memory, path: str, *, by: str, via: str) -> Write:
    """The note of a new memory: that of its candidate with what a person wrote in it, or a new one.

    Raises:
        NoteError: if the candidate's note cannot be changed without touching something else.
    """
    if by == Applier.PERSON and via != MIGRATE:
        new = replace(new, reinforced=call.local)
    if new.created is None:
        new = replace(new, created=call.local)
    candidate = case.candidate
    data = encode_memory(new) if candidate is None else _promoted(candidate, new)
    return Write(path, data, None, new.id, "created", by, via, trust=_trust(call, candidate))


def _promoted(candidate: CandidateNote, new: Memory) -> bytes:
    """The candidate's note as a memory's: its text stays, what only a candidate has goes."""
    was = candidate.memory
    evidence = tuple(dict.fromkeys((*was.evidence, *new.evidence)))
    new = replace(new, evidence=evidence)
    with naming(candidate.path):
        data = without_hints(without_notice(candidate.data))
        for key in candidate.decoded.properties:
            if key.lower() in _OWN:
                data = unset_property(data, key)
        changes = {"id": new.id, "type": "memory"} | property_changes(was, new)
        return set_properties(data, changes)
