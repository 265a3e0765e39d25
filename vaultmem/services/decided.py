"""What was decided already, and of which version of its note: nothing is decided or lost twice.

A note that goes once it is decided may come back: a sync program has it still, or an editor that
held it open saves it again. Only where it says nothing else may it go again.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.ledger import LedgerKind
from vaultmem.errors import NoteError
from vaultmem.notes.frontmatter import unset_property
from vaultmem.services.write import content_mac

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultmem.core.finding import Finding
    from vaultmem.core.ledger import Scalar
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

VERSION = "version"
"""Key of a line that tells of a decision for the keyed hash of the note, but for the decision."""
_TICK = re.compile(rb"^([-*+] \[)[xX](?=\] op_\d)", re.MULTILINE)
"""A tick that selects an operation of a patch."""
_BROUGHT_BACK = frozenset(("created", "external"))
"""Acts of the line by which a revert writes a note anew."""


class Decided(NamedTuple):
    """A decision that was carried out, here or elsewhere.

    Attributes:
        line: the newest ledger line that tells of it.
        act: what that line says.
        versions: the keyed hashes of the notes that were decided; none where nobody could tell.
    """

    line: str
    act: str
    versions: frozenset[str]

    def is_about(self, call: Call, data: bytes | None) -> bool:
        """Whether a note says what it said then, whatever is decided in it now."""
        return data is not None and _hash(call, data) in self.versions


def version_of(call: Call, data: bytes | None) -> dict[str, Scalar]:
    """What a line tells of the version that was decided; nothing of None, or without a key."""
    version = _hash(call, data) if data is not None else ""
    return {VERSION: version} if version else {}


def decided_before(call: Call, identifier: str, acts: Collection[str]) -> Decided | None:
    """The decision that the ledgers tell of by one of these acts, if it was not taken back since.

    Args:
        call: the circumstances.
        identifier: the id of the candidate, patch or proposal.
        acts: those by which its kind is decided.
    """
    told: list[LedgerRow] = []
    for row in call.vault.baseline.ledger.of_note(identifier, LedgerKind.ACTIVITY):
        if not call.vault.vouches(row):
            continue
        if _is_taken_back(row):
            told = []
        elif row.act in acts:
            told.append(row)
    if not told:
        return None
    versions = {str(json.loads(row.data).get(VERSION, "")) for row in told} - {""}
    return Decided(told[-1].line, told[-1].act, frozenset(versions))


def says_otherwise(call: Call, identifier: str, acts: Collection[str], data: bytes | None) -> bool:
    """Whether a note is there after its decision, and says something else; as `decided_before`."""
    before = decided_before(call, identifier, acts)
    return before is not None and not before.is_about(call, data)


def came_back(path: str, what: str, remedy: str | None = None) -> Finding:
    """That a note is there again which says something else than what was decided.

    Args:
        path: the note.
        what: what was done with it, to begin a sentence with: "The candidate was approved".
        remedy: what to do, where the usual one is not the best.
    """
    message = f"{what} before, and its note came back with another text; nothing is decided again."
    return finding("VM324", message, path=path, remedy=remedy)


def _is_taken_back(row: LedgerRow) -> bool:
    """Whether a line says that the person thinks again, or that a revert brought the note back."""
    back = row.act in _BROUGHT_BACK and json.loads(row.data).get("via") == "revert"
    return back or row.act == "reopened"


def _hash(call: Call, data: bytes) -> str:
    """The keyed hash of what a note says, whatever is decided and ticked in it."""
    with suppress(NoteError):  # what cannot be taken out is a part of what it says
        data = unset_property(data, "decision")
    return content_mac(call, _TICK.sub(rb"\1 ", data))
