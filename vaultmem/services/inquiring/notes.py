"""The notes of inquiries as they are on disk: read, and one or more of their properties set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inquiry import WAITING, InquiryStatus, to_tell
from vaultmem.core.naming import link_targets, title_of
from vaultmem.core.place import Kind
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.notes import frontmatter
from vaultmem.notes.inquiry import decode_inquiry
from vaultmem.services.lookup import find_memory
from vaultmem.services.syncing.attribution import is_said_external
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.inquiry import Inquiry
    from vaultmem.services.call import Call


class Kept(NamedTuple):
    """An inquiry as its note says it, and the version that was read.

    `external` says that an agent or another program wrote what the note says now: it is open, and
    its question is not told.
    """

    path: str
    inquiry: Inquiry
    etag: Etag
    data: bytes
    external: bool

    @property
    def id(self) -> str:
        """Its id, `inq_…`."""
        return self.inquiry.id


def inquiries(call: Call) -> list[Kept]:
    """Every inquiry that can be read, the oldest first; the others are findings of a sync.

    The baseline must be up to date.
    """
    found = (_read(call, row.path) for row in call.vault.baseline.notes(kind=Kind.INQUIRY.value))
    known = [one for one in found if one is not None]
    return sorted(known, key=lambda one: (one.inquiry.created or call.local, one.id, one.path))


def by_id(call: Call) -> dict[str, Kept]:
    """Every inquiry by its id; of copies the first."""
    return {one.id: one for one in reversed(inquiries(call))}


def open_inquiries(call: Call, *, project: str = "", prompt: str = "") -> tuple[Inquiry, ...]:
    """The open questions to tell here, at most three, the most important and nearest first.

    Args:
        call: the circumstances; the baseline is up to date.
        project: the project's identity, "" outside of any.
        prompt: what the user asked; "" tells those of the project whatever they are about.
    """
    unique = {one.id: one.inquiry for one in inquiries(call) if not one.external}
    return to_tell(unique.values(), project=project, prompt=prompt, now=call.local)


def may_write(call: Call, path: str) -> bool:
    """Whether a note may be written by itself: nobody has changed it within two minutes."""
    row = call.vault.baseline.note(path)
    return row is not None and call.is_quiet(row.mtime_ns)


def set_in_note(
    call: Call, kept: Kept, changes: Mapping[str, object], act: str, *, via: str
) -> None:
    """Set properties of an inquiry's note; no other byte of it moves.

    Args:
        call: the circumstances; `call.actor` does it.
        kept: the version that was read.
        changes: as `frontmatter.set_properties` takes them.
        act: what the ledger says.
        via: the verb.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    data = frontmatter.set_properties(kept.data, changes)
    by, keys = call.actor.value, " ".join(changes)
    write_notes(call, [Write(kept.path, data, kept.etag, kept.id, act, by, via, keys)])


def understood(call: Call, inquiry: Inquiry) -> Inquiry:
    """The inquiry with the link that a bare title in `answer` stands for.

    Where it is no link and no single memory is called so, the question is not answered by it.
    """
    if inquiry.answer is None or any(link_targets([inquiry.answer])):
        return inquiry
    try:
        found = find_memory(call, inquiry.answer)
    except NoteError:
        return inquiry
    status = InquiryStatus.ANSWERED if inquiry.status in WAITING else inquiry.status
    return replace(inquiry, status=status, answer=answer_link(found.row.path))


def answer_link(memory: str) -> str:
    """How an inquiry names the memory, whose note lies at a path, that answers it."""
    return f"[[{title_of(memory)}]]"


def _read(call: Call, path: str) -> Kept | None:
    try:
        data = read_note(call.vault.path, path)
        decoded = decode_inquiry(data, path=path)
    except (NoteError, UnsafePathError):
        return None
    if not decoded.usable:
        return None
    inquiry = decoded.inquiry
    external = is_said_external(call, inquiry.id, data)
    if external:  # an agent decides nothing
        inquiry = replace(inquiry, status=InquiryStatus.OPEN, answer=None)
    return Kept(path, understood(call, inquiry), etag_of(data), data, external)
