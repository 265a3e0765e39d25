"""List what speaks for a memory or a candidate, and whether it still is what was recorded."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.evidence import EvidenceId, Redaction, is_intact
from vaultmem.errors import NoteNotFoundError
from vaultmem.services import evidence
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.reinforce import reinforcing_pieces
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.evidence import Evidence
    from vaultmem.services.call import Call


class PieceState(StrEnum):
    """What a cited piece is worth."""

    INTACT = "intact"
    UNSIGNED = "unsigned"
    """It is there, but no signed ledger line vouches for it."""
    ALTERED = "altered"
    REDACTED = "redacted"
    MISSING = "missing"


class Piece(NamedTuple):
    """A cited piece: its id, what it is worth, and the piece where it is there."""

    id: EvidenceId
    state: PieceState
    evidence: Evidence | None


class Cited(NamedTuple):
    """What is cited for a memory or a candidate."""

    id: str
    path: str
    statement: str
    pieces: tuple[Piece, ...]


def list_evidence(call: Call, name: str) -> Cited:
    """Every piece that a memory or a candidate rests on, those of later reinforcements last.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    catch_up(call)
    with suppress(NoteNotFoundError):
        one = find_waiting(call, name)
        memory = one.candidate.memory
        pieces = _pieces(call, evidence.cited(memory.evidence))
        return Cited(one.id, one.path, memory.statement, pieces)
    found = find_memory(call, name)
    memory = found.decoded.memory
    later = (EvidenceId(one) for one in reinforcing_pieces(call, memory.id))
    ids = dict.fromkeys((*evidence.cited(memory.evidence), *later))
    return Cited(memory.id, found.row.path, memory.statement, _pieces(call, tuple(ids)))


def show_evidence(call: Call, name: str) -> Piece:
    """One piece with its words.

    Args:
        call: the circumstances.
        name: its id, or a link to its block.

    Raises:
        NoteNotFoundError: if no such piece was recorded, or it is gone.
    """
    catch_up(call)
    as_block = f"#^{name.strip().replace('_', '-')}"
    wanted = evidence.link_id(name) or evidence.link_id(as_block)
    found = _pieces(call, (wanted,)) if wanted is not None else ()
    if not found or found[0].evidence is None:
        raise NoteNotFoundError(
            f"No piece of evidence is called {name[:80]!r}.",
            "List those of a memory with `vaultmem evidence list ID`.",
        )
    return found[0]


def _pieces(call: Call, ids: Sequence[EvidenceId]) -> tuple[Piece, ...]:
    there = {piece.id: piece for piece in evidence.find(call, ids)}
    if call.agent is not None:
        remember_shown(call, (piece.text for piece in there.values()))
    recorded = evidence.checks(call).recorded
    return tuple(
        Piece(one, _state(there.get(one), signed=recorded(one)), there.get(one)) for one in ids
    )


def _state(piece: Evidence | None, *, signed: bool) -> PieceState:
    if piece is None:
        return PieceState.MISSING
    if piece.redaction is not Redaction.NONE:
        return PieceState.REDACTED
    if not is_intact(piece):
        return PieceState.ALTERED
    return PieceState.INTACT if signed else PieceState.UNSIGNED
