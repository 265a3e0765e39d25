"""Give a person's note the properties that follow: an id and defaults, or the folder's category.

The only writes a sync makes into notes. A note that changed within the last two minutes waits,
unless the person just typed the command, and an agent's command never writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import IDENTITY_FOLDER
from vaultmem.core.finding import finding
from vaultmem.core.ids import PREFIXES
from vaultmem.core.model import Layer
from vaultmem.core.place import folder_category, folder_of
from vaultmem.core.state import NoteState
from vaultmem.errors import CANNOT_WRITE, NoteError, UnsafePathError, VaultmemError
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.call import Actor
from vaultmem.services.syncing.attribution import since
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import Etag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from vaultmem.core.finding import Finding
    from vaultmem.core.model import Category
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

_PREFIXES = tuple(f"{prefix}_" for prefix in PREFIXES)

STATED_EVIDENCE = 2
"""A memory that a person stated and approved starts with two pieces (DESIGN §5)."""
STATED_CONFIDENCE = 0.95
"""Confidence of what a person adds themselves (DESIGN §5)."""


class Following(NamedTuple):
    """A note and what follows from what the person did with it."""

    reading: Reading
    id: str
    by: str
    typed: bool
    category: Category | None = None
    """The new folder's category; None for a note that needs an id."""
    told: str = ""
    """What a sync calls the change once the note is written; empty if it told already."""


def follow(call: Call, wanted: Sequence[Following]) -> tuple[list[Following], list[Finding]]:
    """Write what follows into the notes that may be written now; the others wait.

    Returns what was written, and what could not be; one note never stops another.
    """
    findings: list[Finding] = []
    written: list[Following] = []
    for one in wanted:
        if not _may_write(call, one):
            put_reading(call, one.reading, state=NoteState.WAITING)
            continue
        try:
            write_notes(call, [_write(call, one)])
        except (NoteError, *CANNOT_WRITE, UnsafePathError) as error:
            found = _unwritten(error, one.reading.path)
            findings.append(found)
            put_reading(call, one.reading, found, state=NoteState.WAITING)
        else:
            written.append(one)
    return written, findings


def _unwritten(error: VaultmemError, path: str) -> Finding:
    if isinstance(error, NoteError):
        remedy = f"{error.remedy} Then run `vaultmem sync`."
        return finding("VM315", error.problem, path=path, line=error.line, remedy=remedy)
    return finding("VM315", str(error), path=path)


def _may_write(call: Call, one: Following) -> bool:
    if call.actor is Actor.AGENT:
        return False
    return one.typed or call.is_quiet(one.reading.fresh.stat[0])


def _write(call: Call, one: Following) -> Write:
    fresh = one.reading.fresh
    data = fresh.data or b""
    if one.category is not None:
        changed = set_properties(data, {"category": one.category.value})
        keys, act = "category", "edited"
        told = 0  # the folder is what the person chose, and a place tells nothing
    else:
        changes = _identity(call, one)
        changed = set_properties(data, changes)
        keys, act = " ".join(changes), "identified"
        told = since(fresh.stat)
    return Write(
        one.reading.path,
        changed,
        expected=Etag(fresh.etag),
        id=one.id,
        act=act,
        by=one.by,
        via="sync",
        keys=keys,
        since=told,
    )


def _identity(call: Call, one: Following) -> dict[str, object]:
    """The id and the defaults that the note lacks; what the person wrote stays."""
    decoded = one.reading.decoded
    present = decoded.properties if decoded is not None else {}
    made: datetime = call.local
    root = call.vault.root
    wanted: dict[str, object] = {"id": one.id, "type": "memory"}
    if folder_of(one.reading.path, root).split("/", 1)[0] == IDENTITY_FOLDER:
        wanted["layer"] = Layer.IDENTITY.value
    category = folder_category(one.reading.path, root)
    if category is not None:
        wanted["category"] = category.value
    wanted |= {
        "confidence": STATED_CONFIDENCE,
        "evidence_count": STATED_EVIDENCE,
        "created": made,
        "reinforced": made,
    }
    lacking = {key: value for key, value in wanted.items() if present.get(key) in (None, "", [])}
    lacking["id"] = one.id
    return lacking


def has_other_id(decoded: Decoded) -> bool:
    """Whether the `id` is a value of the person's own, which we do not replace (VM113 stands)."""
    value = decoded.properties.get("id")
    return value not in (None, "", []) and not str(value).startswith(_PREFIXES)
