"""Evidence of the vault: recorded once, found by id, and checked before anything rests on it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from contextlib import suppress
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from vaultmem.core.evidence import EvidenceId, is_intact
from vaultmem.core.ids import short_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.naming import title_of
from vaultmem.core.place import EVIDENCE, Kind
from vaultmem.core.proposal import Checks
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.notes.evidence import (
    append_evidence,
    block_id,
    decode_evidence_day,
    new_evidence_day,
)
from vaultmem.services.day_note import DayEntry, DayNote, add_by_day
from vaultmem.services.tombstones import deleted_texts, standing
from vaultmem.services.write import entry
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.ledger import LedgerEntry, Scalar
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

RECORDED = "evidence"
"""The act of the ledger line that vouches for a piece; its note is the piece's id."""

NOTE_PIECES = 500
"""Pieces that are put into one note at a time, which then has less than a megabyte."""
_DAY = DayNote(EVIDENCE, "evidence", "log", new_evidence_day)

_LINK = re.compile(r"#\^ev-([0-7][0-9a-hjkmnp-tv-z]{25})(?![0-9a-z])", re.IGNORECASE)


def record(call: Call, pieces: Sequence[Evidence]) -> tuple[str, ...]:
    """Write each piece into the device's note of the day, once per id, with a signed line.

    The caller has refused or redacted secrets. A piece that was recorded before, on any day and
    device, and is still as it was is not written again.

    Returns:
        A link to each piece's block, in their order, as the property `evidence` takes it.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
        ValueError: if a piece cannot be read back as it would be written.
    """
    links = record_by_day(call, {call.local.date(): pieces})
    return tuple(links[piece.id] for piece in pieces)


def record_by_day(call: Call, days: Mapping[date, Sequence[Evidence]]) -> Mapping[EvidenceId, str]:
    """As `record`, for pieces of several days, each in the device's note of its day.

    Returns:
        A link to each piece's block, by its id.

    Raises:
        As `record`.
    """
    unique = {piece.id: (day, piece) for day, pieces in days.items() for piece in pieces}
    with call.vault.lock():
        known = {one: path for one, path, piece in _located(call, unique) if is_intact(piece)}
        new: dict[date, list[Evidence]] = defaultdict(list)
        for identifier, (day, piece) in unique.items():
            if identifier not in known:
                new[day].append(piece)
        batches = [one for day, pieces in new.items() for one in _batches(day, pieces)]
        parts = {piece.id: batch.part for batch, pieces in batches for piece in pieces}
        lines = [
            _line(call, identifier, day, parts.get(identifier, ""))
            for identifier, (day, _) in unique.items()
            if not _is_recorded(call, identifier)
        ]
        call.vault.append(LedgerKind.ACTIVITY, lines)
        entries = [batch for batch, _ in batches]
        paths = add_by_day(call, _DAY, entries, by=call.actor.value, via=RECORDED)
        for path, (_, pieces) in zip(paths, batches, strict=True):
            known |= dict.fromkeys((piece.id for piece in pieces), path)
    return {identifier: link_to(known[identifier], identifier) for identifier in unique}


def find(call: Call, ids: Iterable[EvidenceId]) -> tuple[Evidence, ...]:
    """The pieces that are there, intact or not, in the order of `ids`.

    Where a piece stands in several notes, the one that is as it was recorded counts.
    """
    wanted = list(dict.fromkeys(ids))
    there = {identifier: piece for identifier, _, piece in _located(call, wanted)}
    return tuple(there[identifier] for identifier in wanted if identifier in there)


def everything(call: Call) -> list[Evidence]:
    """Every piece of every note that can be read, by the notes' paths; one may stand in several."""
    return [piece for _, piece in _pieces(call, _notes(call))]


def links(call: Call, ids: Iterable[EvidenceId]) -> tuple[str, ...]:
    """A link to each of these pieces that is there, in their order."""
    return tuple(link_to(path, one) for one, path, _ in _located(call, list(dict.fromkeys(ids))))


def checks(call: Call) -> Checks:
    """What only this vault can say of candidates: its tombstones, and what was recorded.

    The deleted texts are read once, with the first candidate that is asked for.
    """
    buried = cache(lambda: deleted_texts(call))
    return Checks(
        tombstone=lambda identifier, statement: standing(
            call, identifier, statement, buried=buried()
        ),
        recorded=lambda identifier: _is_recorded(call, identifier),
    )


def link_to(path: str, identifier: EvidenceId) -> str:
    """`[[2026-11-29 evidence dev_…#^ev-…]]`: a wikilink to a piece's block."""
    return f"[[{title_of(path)}#^{block_id(identifier)}]]"


def link_id(link: str) -> EvidenceId | None:
    """The piece that a link to a block names, or None where it names none."""
    found = _LINK.search(link)
    return EvidenceId(f"ev_{found[1].upper()}") if found else None


def cited(links: Iterable[str]) -> tuple[EvidenceId, ...]:
    """The pieces that the links of a property `evidence` name, each once."""
    ids = (link_id(link) for link in links)
    return tuple(dict.fromkeys(one for one in ids if one is not None))


def _batches(
    day: date, pieces: Sequence[Evidence]
) -> Iterator[tuple[DayEntry, Sequence[Evidence]]]:
    """The pieces of a day by the notes that take them, the first of which is the day's own."""
    for at in range(0, len(pieces), NOTE_PIECES):
        batch = pieces[at : at + NOTE_PIECES]
        part = short_id(batch[0].id) if at else ""
        yield _entry(day, batch, part), batch


def _entry(day: date, pieces: Sequence[Evidence], part: str) -> DayEntry:
    return DayEntry(day, pieces[0].id, lambda data, _: append_evidence(data, *pieces), part)


def _line(call: Call, identifier: EvidenceId, day: date, part: str) -> LedgerEntry:
    """What says that a piece was recorded, and in which note."""
    values: dict[str, Scalar] = {"date": day.isoformat(), "by": call.actor.value}
    return entry(call, RECORDED, identifier, values | ({"part": part} if part else {}))


def _located(call: Call, ids: Iterable[EvidenceId]) -> Iterator[tuple[EvidenceId, str, Evidence]]:
    """Those of the pieces that a ledger names and that are there, each with its note.

    A line says on which day and device a piece was recorded, and so in which note it stands; only
    where it does not stand there are all evidence notes read.
    """
    named = {one: rows for one in ids if (rows := _lines(call, one))}
    places = dict.fromkeys(path for rows in named.values() for path in _paths(call, rows))
    there = _best(_pieces(call, places))
    if any(one not in there or not is_intact(there[one][1]) for one in named):
        rest = _pieces(call, [path for path in _notes(call) if path not in places])
        there = _best([*there.values(), *rest])
    for identifier in named:
        if identifier in there:
            yield identifier, *there[identifier]


def _best(found: Iterable[tuple[str, Evidence]]) -> dict[EvidenceId, tuple[str, Evidence]]:
    """Each piece with its note; the first that is as it was recorded, else the first of all."""
    best: dict[EvidenceId, tuple[str, Evidence]] = {}
    for path, piece in found:
        if piece.id not in best or (is_intact(piece) and not is_intact(best[piece.id][1])):
            best[piece.id] = (path, piece)
    return best


def _paths(call: Call, rows: Iterable[LedgerRow]) -> Iterator[str]:
    for row in rows:
        with suppress(ValueError):  # an unsigned line may say anything
            values = json.loads(row.data)
            day = date.fromisoformat(str(values.get("date", "")))
            part = str(values.get("part", ""))
            yield _DAY.path(call, row.device, day, part if part.isalnum() else "")


def _notes(call: Call) -> list[str]:
    return [row.path for row in call.vault.baseline.notes(kind=Kind.EVIDENCE.value)]


def _pieces(call: Call, paths: Iterable[str]) -> list[tuple[str, Evidence]]:
    """Every piece in these notes; one that cannot be read is a finding of `doctor`."""
    found: list[tuple[str, Evidence]] = []
    for path in paths:
        with suppress(NoteError, UnsafePathError):
            pieces, _ = decode_evidence_day(read_note(call.vault.path, path), path=path)
            found += ((path, piece) for piece in pieces)
    return found


def _is_recorded(call: Call, identifier: EvidenceId) -> bool:
    """Whether a signed ledger line of any device names the piece."""
    return any(row.signed for row in _lines(call, identifier))


def _lines(call: Call, identifier: EvidenceId) -> list[LedgerRow]:
    lines = call.vault.baseline.ledger.of_note(identifier, LedgerKind.ACTIVITY)
    return [row for row in lines if row.act == RECORDED]
