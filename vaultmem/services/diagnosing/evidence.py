"""What the diagnostics ask of the evidence: is it there and as recorded, and does it still hold?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.core.evidence import EvidenceId, Polarity, Redaction, SourceKind, is_intact
from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import ULID_FORM
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Scope
from vaultmem.core.naming import link_targets, name_key, title_of
from vaultmem.core.state import MemoryState
from vaultmem.core.support import SUPPORTIVE, support_ratio
from vaultmem.services.evidence import RECORDED, checks, cited, link_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultmem.core.evidence import Evidence
    from vaultmem.services.call import Call
    from vaultmem.services.diagnosing.examined import Examined

_FILES = (SourceKind.FILE, SourceKind.CODEBASE_ANALYSIS, SourceKind.TEST_RESULT)
"""Kinds of source whose reference names a file."""
_LINE = re.compile(r"(?::\d+){1,2}$|#L\d+(?:-L?\d+)?$")
"""A place in a file, behind its path."""
_NAMED = re.compile(rf"(?i:\bev[_-]({ULID_FORM})\b)")
"""A piece by its id, or by its block id in a link."""


def check_evidence(call: Call, seen: Examined) -> Iterator[Finding]:
    """Every piece is what was recorded, its source is there, and something rests on it."""
    recorded = _recorded(call)
    resting = _resting(call, seen)
    for identifier, pieces in sorted(seen.evidence.items()):
        for path, piece in pieces:
            if not is_intact(piece):
                text = f"{identifier} is no longer what was recorded; it supports nothing."
                yield finding("VM622", text, path=path)
            elif not recorded(identifier):
                text = f"{identifier} was recorded by no device; it supports nothing."
                yield finding("VM712", text, path=path)
            elif source_is_gone(piece):
                text = f"The file that {identifier} was taken from is gone."
                yield finding("VM714", text, path=path)
            if identifier not in resting:
                yield finding("VM713", f"Nothing rests on {identifier}.", path=path)


def check_cited(call: Call, seen: Examined) -> Iterator[Finding]:
    """The evidence that memories and candidates cite is there, and the memories' still holds."""
    recorded = _recorded(call)
    for one in seen.memories:
        memory = one.decoded.memory
        yield from _dangling(call, seen, one.row.id, one.row.path, memory.evidence)
        ids = cited(memory.evidence)
        good = [piece for name in ids if (piece := _good(seen, name, recorded)) is not None]
        if ids and not good:
            text = f"No piece of the evidence of {one.row.id} holds any more; priority high."
            yield finding("VM721", text, path=one.row.path)
        elif len(good) < len(ids):
            missing = len(ids) - len(good)
            text = f"{missing} of {len(ids)} pieces of the evidence of {one.row.id} do not hold."
            yield finding("VM722", f"{text[:-1]}; priority medium.", path=one.row.path)
        elif good and not any(_says(piece, memory.statement) for piece in good):
            text = f"The evidence of {one.row.id} does not say what it says now."
            yield finding("VM723", text, path=one.row.path)
    for path, candidate in seen.candidates.items():
        memory = candidate.memory
        yield from _dangling(call, seen, memory.id or "A candidate", path, memory.evidence)


def check_projects(call: Call, seen: Examined) -> Iterator[Finding]:
    """A project that is a folder is there; others are known by name only."""
    del call
    for one in seen.memories:
        memory = one.decoded.memory
        place = memory.project or ""
        if memory.scope is Scope.PROJECT and _is_absolute(place) and not _there(place):
            text = f"The project of {one.row.id} is a folder that is gone."
            yield finding("VM715", text, path=one.row.path)


def source_is_gone(piece: Evidence) -> bool:
    """Whether a piece names a file by its whole path, and nothing is there any more."""
    place = _LINE.sub("", piece.source_ref)
    return piece.source_kind in _FILES and _is_absolute(place) and not _there(place)


def _is_absolute(place: str) -> bool:
    """Whether a text is a whole path on this machine; `//host/…` would ask the network."""
    return not place.startswith(("//", "\\\\")) and Path(place).is_absolute()


def _there(place: str) -> bool:
    try:
        return Path(place).exists()
    except (OSError, ValueError):  # too long, or with a NUL: no file has that name
        return False


def _recorded(call: Call) -> Callable[[EvidenceId], bool]:
    """Whether a device vouches for a piece; without the key nothing can be said against it."""
    return checks(call).recorded if call.vault.key is not None else lambda _: True


def _good(
    seen: Examined, identifier: EvidenceId, recorded: Callable[[EvidenceId], bool]
) -> Evidence | None:
    """A piece that still is what a memory may rest on."""
    for _, piece in seen.evidence.get(identifier, ()):
        if (
            piece.redaction is Redaction.NONE
            and is_intact(piece)
            and recorded(identifier)
            and not source_is_gone(piece)
        ):
            return piece
    return None


def _says(piece: Evidence, statement: str) -> bool:
    return (
        piece.polarity is Polarity.SUPPORTS and support_ratio(statement, piece.text) >= SUPPORTIVE
    )


def _dangling(
    call: Call, seen: Examined, owner: str, path: str, links: tuple[str, ...]
) -> Iterator[Finding]:
    for link in links:
        identifier = link_id(link)
        if identifier is not None:
            if identifier not in seen.evidence:
                text = f"{owner} cites {identifier}, which is not there."
                yield finding("VM711", text, path=path)
        elif any(
            not call.vault.baseline.stems(name_key(title_of(one))) for one in link_targets([link])
        ):
            yield finding("VM711", f"{owner} cites a note that is not there.", path=path)


def _resting(call: Call, seen: Examined) -> set[EvidenceId]:
    """The pieces on which something rests or rested: a memory, a candidate, what became of one."""
    memories = [found.decoded.memory for found in seen.memories]
    memories += [candidate.memory for candidate in seen.candidates.values()]
    ids = {name for memory in memories for name in cited(memory.evidence)}
    baseline = call.vault.baseline
    gone = (row.id for row in baseline.memories() if row.state != MemoryState.LIVE)
    texts = [(baseline.content(name) or b"").decode("utf-8", "replace") for name in gone]
    for row in call.vault.patches.rows():
        texts += (row.note.decode("utf-8", "replace"), row.steps)
    lines = baseline.ledger.of_kind(LedgerKind.REINFORCEMENT)
    texts += (row.data for row in lines if call.vault.vouches(row))
    named = {EvidenceId(f"ev_{one.upper()}") for text in texts for one in _NAMED.findall(text)}
    return ids | named | _of_rejected(call)


def _of_rejected(call: Call) -> set[EvidenceId]:
    """The pieces that were recorded with a candidate that was rejected.

    Only the device that rejected it keeps its note; its evidence has the moment of the note in the
    ledger.
    """
    rows = [row for row in call.vault.baseline.ledger.of_kind(LedgerKind.ACTIVITY) if row.signed]
    rejected = {row.note for row in rows if row.act == "rejected"}
    made = {(row.device, row.at) for row in rows if row.act == "created" and row.note in rejected}
    return {
        EvidenceId(row.note) for row in rows if row.act == RECORDED and (row.device, row.at) in made
    }


CHECKS = (check_evidence, check_cited, check_projects)
