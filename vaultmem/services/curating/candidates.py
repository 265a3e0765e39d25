"""The candidates that wait in the inbox, as their notes say them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id, short_id
from vaultmem.core.place import Kind
from vaultmem.errors import NoteError, NoteNotFoundError
from vaultmem.notes.candidate import Candidate, Decision, State, decode_candidate, read_decision
from vaultmem.services.lookup import find_memory, the_only, those_called
from vaultmem.store.etag import Etag, etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call


REPEATED = "repeated"
"""The act of the ledger line: the candidate said what the memory that it names says."""
REJECTED = "rejected"
DECIDED = frozenset(("approved", REJECTED, REPEATED))
"""Acts of the lines by which a candidate's note is done with."""


class Waiting(NamedTuple):
    """A candidate as its note says it, and the version that was read."""

    path: str
    candidate: Candidate
    decoded: Decoded
    etag: Etag
    data: bytes

    @property
    def id(self) -> str:
        """Its own id, `cand_…`."""
        return self.candidate.memory.id

    @property
    def decision(self) -> Decision | None:
        """What the person wrote, if it means something."""
        return read_decision(self.candidate.decision)


def waiting(call: Call) -> list[Waiting]:
    """Every candidate that can be read, the oldest first, those that were put off at the end.

    The others are findings of a sync.
    """
    found = []
    for row in call.vault.baseline.notes(kind=Kind.CANDIDATE.value):
        try:
            found.append(_read(call, row.path))
        except NoteError:
            continue
    named = [one for one in found if is_id(one.id, "cand")]
    return sorted(named, key=lambda one: (one.candidate.state is State.DEFERRED, one.id))


def find_waiting(call: Call, name: str) -> Waiting:
    """The candidate that `name` means: its id, the end of it, its path, or its title.

    Raises:
        NoteNotFoundError: if there is none.
        AmbiguousIdError: if several answer to it.
    """
    found = those_called(name, waiting(call))
    if not found:
        _refuse_memory(call, name)
    return the_only(found, name, kind="candidate", listing="`vaultmem inbox`")


def _refuse_memory(call: Call, name: str) -> None:
    """Say so where the name is that of a memory, so that nothing waits for a decision.

    Raises:
        NoteNotFoundError: if it is.
    """
    row = None
    with suppress(NoteError):
        row = find_memory(call, name).row
    if row is not None:
        raise NoteNotFoundError(
            f"{row.path} is a memory already, and nothing waits for a decision.",
            f"See it with `vaultmem show {short_id(row.id)}`.",
        )


def is_external(one: Waiting) -> bool:
    """Whether a candidate shows what an agent or another program did to a note."""
    return one.candidate.is_external


def _read(call: Call, path: str) -> Waiting:
    data = read_note(call.vault.path, path)
    candidate, decoded = decode_candidate(data, path=path)
    return Waiting(path, candidate, decoded, etag_of(data), data)
