"""The evidence of imported records, as our evidence notes take it: by day, without secrets."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

from vaultmem.core.evidence import MAX_EXCERPT, MAX_SUMMARY, new_evidence
from vaultmem.core.importing.item import ImportedEvidence
from vaultmem.core.importing.pieces import cut_up
from vaultmem.core.importing.plan import Fate
from vaultmem.core.inert import clean, inside_fence
from vaultmem.core.trust import TrustClass, lower_of
from vaultmem.services import evidence
from vaultmem.services.capturing.secret_scan import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.importing.item import ImportKind
    from vaultmem.core.importing.plan import Plan, Planned
    from vaultmem.services.call import Call

SOURCE = "Imported from a "
"""How that sentence begins."""
TAKEN = frozenset((Fate.MEMORY, Fate.CANDIDATE, Fate.STRENGTHENED))
"""Fates of records whose evidence is recorded."""


def record_evidence(call: Call, plan: Plan) -> Mapping[str, tuple[str, ...]]:
    """Record what the records rest on, each piece in the note of its own day.

    Returns:
        Links to the pieces, by the record's key.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `evidence.record`.
    """
    days: dict[date, list[Evidence]] = defaultdict(list)
    cites: dict[str, list[EvidenceId]] = defaultdict(list)
    for one in plan.planned:
        if one.fate in TAKEN:
            for piece in _pieces(call, plan, one):
                days[(piece.created or call.local).date()].append(piece)
                cites[one.item.key].append(piece.id)
    links = evidence.record_by_day(call, days)
    return {key: tuple(links[one] for one in dict.fromkeys(ids)) for key, ids in cites.items()}


def _pieces(call: Call, plan: Plan, one: Planned) -> Iterator[Evidence]:
    claimed: Iterable[ImportedEvidence] = one.item.evidence
    if one.fate is Fate.CANDIDATE and not claimed and not is_unchecked(one):
        claimed = [ImportedEvidence(excerpt=one.memory.statement, created=one.memory.created)]
    for piece in itertools.chain.from_iterable(map(_fitting, claimed)):
        told = "" if piece.trust is TrustClass.AGENT_INFERENCE else f"({piece.trust} there)"
        source = filter(None, (plan.gathered.kind, redact(piece.ref), told))
        try:
            yield new_evidence(
                source_kind=piece.kind,
                trust=lower_of(piece.trust, TrustClass.AGENT_INFERENCE),
                excerpt=piece.excerpt,
                summary=piece.summary,
                project=one.memory.project,
                session=redact(piece.session or "") or None,
                source_ref=" ".join(source),
                polarity=piece.polarity,
                durability=piece.durability,
                created=piece.created or one.memory.created or call.local,
            )
        except ValueError:  # it holds no visible word
            continue


def _fitting(claimed: ImportedEvidence) -> Iterator[ImportedEvidence]:
    """A piece without secrets, in as many as its words need: evidence would cut them short."""
    summary = clean(redact(claimed.summary)).text
    texts = list(cut_up(inside_fence(redact(claimed.excerpt)), MAX_EXCERPT))
    if len(summary) > MAX_SUMMARY:
        texts += cut_up(summary, MAX_EXCERPT)
        summary = ""
    for text in texts or [""]:
        yield claimed._replace(excerpt=text, summary=summary)
        summary = ""


def is_unchecked(one: Planned) -> bool:
    """Whether nothing but the migration speaks for a candidate (`governance_mode`)."""
    return one.item.unchecked and not one.guarded and not one.item.evidence


def source_said(kind: ImportKind, where: str) -> str:
    """The sentence by which a memory or a candidate names the place that it comes from."""
    return f"{SOURCE}{kind} store, {clean(redact(where)).text}."
