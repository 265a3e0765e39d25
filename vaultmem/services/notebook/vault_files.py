"""The notebook's files in the vault: which differ from the version in force, and their writing."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ledger import NO_NOTE, LedgerKind
from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.own import PERSON, foreign_skills
from vaultmem.core.notebook.validation import SKILLS
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError, UnsafePathError
from vaultmem.services.write import Write, content_mac, entry, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import create_file, read_note, remove_file, replace_file
from vaultmem.store.folders import remove_folder
from vaultmem.store.notebook_files import scan
from vaultmem.store.walk import NO_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.core.notebook.own import Version
    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag
    from vaultmem.store.notebook_record import Placed, Record
    from vaultmem.store.walk import Stat

VIA = "notebook"
_NOTE = (".md", ".MD", ".Md")
"""Endings of what a sync takes for a note."""
RACY_NS = 2_000_000_000
"""A file that changed so shortly before it was looked at may have the same stat and other bytes."""


class Changed(NamedTuple):
    """A file in the vault that is not as the version in force has it.

    Attributes:
        path: relative to the memory root.
        data: what it holds; None where it is gone.
        stat: as it was looked at; `NO_FILE` where it is gone.
    """

    path: str
    data: bytes | None
    stat: Stat


def changed_files(call: Call, record: Record) -> Iterator[Changed]:
    """The files that are not as the version has them; one that cannot be read is passed over.

    A sync says of such a note that it cannot be read.
    """
    seen = scan(call.vault.path / call.vault.root)
    for path in sorted({*record.files, *seen.files}):
        known, stat = record.files.get(path), seen.files.get(path)
        if seen.is_unknown(path) or (stat is not None and is_as_seen(known, stat)):
            continue
        try:
            data = read_file(call, path) if stat is not None else None
        except (NoteUnreadableError, UnsafePathError):
            continue
        etag = etag_of(data) if data is not None else ""
        if etag != (known.etag if known else "") and etag != record.apart.get(path):
            yield Changed(path, data, stat or NO_FILE)


def is_as_seen(known: Placed | None, stat: Stat) -> bool:
    """Whether a stat proves that a file still holds the bytes that it was seen with."""
    changed = max(stat[0], stat[3])
    return known is not None and known.stat == stat and known.seen_ns - changed > RACY_NS


def skills_not_ours(call: Call, read: Sequence[Version]) -> frozenset[str]:
    """The skills that lie in the vault or in the newest version and that no worker made.

    Args:
        call: the circumstances.
        read: the versions, the newest first; without one, every skill is somebody else's.
    """
    seen = set(map(skill_of, scan(call.vault.path / call.vault.root).files))
    known = set(map(skill_of, read[0].files)) if read else set()
    return foreign_skills(read) | (seen - known - {""})


def read_file(call: Call, path: str) -> bytes | None:
    """A file of the notebook as it lies in the vault, None where there is none.

    Raises:
        NoteUnreadableError, UnsafePathError: if it cannot be read.
    """
    with suppress(NoteNotFoundError):
        return read_note(call.vault.path, f"{call.vault.root}/{path}")
    return None


def readable(call: Call, path: str) -> bytes | None:
    """As `read_file`; None where it cannot be read, too."""
    with suppress(NoteUnreadableError, UnsafePathError):
        return read_file(call, path)
    return None


def put_file(call: Call, path: str, old: bytes | None, data: bytes | None, *, by: str) -> None:
    """Write or remove one file of the notebook, announced in the ledger.

    Raises:
        NoteChangedError, NameTakenError, NoteNotFoundError: if it is not the version `old`.
        ReadOnlyError, DiskFailedError, UnsafePathError: if it cannot be written.
    """
    vault = call.vault
    place = f"{vault.root}/{path}"
    expected = etag_of(old) if old is not None else None
    who = PERSON if by == PERSON else "policy"
    act = "removed" if data is None else "edited" if old is not None else "created"
    if data is not None and place.endswith(_NOTE):
        write_notes(call, [Write(place, data, expected, "", act, who, VIA)])
        return
    values = {"by": who, "via": VIA, "after": content_mac(call, data) if data is not None else ""}
    vault.append(LedgerKind.ACTIVITY, [entry(call, act, NO_NOTE, values)])
    if data is None:
        _remove(call, place, expected)
    elif expected is None:
        create_file(vault.path, place, data)
    else:
        replace_file(vault.path, place, data, expected=expected)


def _remove(call: Call, place: str, expected: Etag | None) -> None:
    """Remove a file, and the folders of a skill that are empty then."""
    vault = call.vault
    if expected is None:  # pragma: no cover - what is not there is as it should be
        return
    remove_file(vault.path, place, expected=expected)
    vault.baseline.drop_note(place)
    folder = place.rpartition("/")[0]
    while folder.startswith(f"{vault.root}/{SKILLS}/") and remove_folder(vault.path, folder):
        folder = folder.rpartition("/")[0]
