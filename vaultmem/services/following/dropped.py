"""Notes that somebody put into the inbox: each becomes a candidate, with an id and its checks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.guards import first_refusal
from vaultmem.core.ids import MemoryId
from vaultmem.core.inert import clean
from vaultmem.core.state import NoteState
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import CANNOT_WRITE, NoteError, UnsafePathError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services import evidence
from vaultmem.services.call import Actor
from vaultmem.services.capturing.guarding import as_finding, texts_of
from vaultmem.services.capturing.propose import assess
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.capturing.source import (
    AGENT_CONFIDENCE,
    Channel,
    Source,
    durability_of,
    evidence_of,
)
from vaultmem.services.curating.put_candidate import touched
from vaultmem.services.syncing.attribution import Origin
from vaultmem.services.syncing.classify import classify_in
from vaultmem.services.syncing.identify import STATED_CONFIDENCE
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.syncing.turns import origin_of_note
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultmem.core.evidence import Evidence
    from vaultmem.core.model import Memory
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

_UNUSABLE = frozenset({"VM108", "VM109", "VM113", "VM117"})
"""What is wrong with a note of which no candidate is made."""
_FOREIGN = "An agent or another program wrote this note; let a person decide."
_FOUND = "It lay in the inbox when this device first looked; approve it if it is right."


class Taken(NamedTuple):
    """What became of the notes that were put into the inbox.

    Attributes:
        readings: the notes as they were written, in place of those that were read.
        persons: the paths of those whose bytes were the person's: a decision in them counts.
        findings: what could not be done.
    """

    readings: tuple[Reading, ...]
    persons: frozenset[str]
    findings: tuple[Finding, ...]


class _Dropped(NamedTuple):
    """A note of the inbox that has no id yet."""

    reading: Reading
    data: bytes
    decoded: Decoded
    origin: Origin


def take_in(
    call: Call,
    readings: Sequence[Reading],
    *,
    typed: bool,
    waited: Collection[str] = (),
) -> Taken:
    """Make candidates of these notes of the inbox, which have no id.

    What the person wrote gets a piece of evidence that names it, signed like any other. What an
    agent or another program wrote gets none, and nothing that it says of itself is kept: neither a
    decision nor a class of trust nor evidence.

    Args:
        call: the circumstances; an agent's command writes nothing.
        readings: new or changed notes of the inbox without an id of ours.
        typed: the person typed the command, so that notes of the last two minutes are written.
        waited: the paths of notes whose present bytes waited to be written since an earlier look.
    """
    taken: list[Reading] = []
    persons: set[str] = set()
    findings: list[Finding] = []
    for reading in readings:
        try:
            one = _dropped(call, reading, waited=reading.path in waited)
            written = one and _take(call, one, typed=typed)
        except (NoteError, *CANNOT_WRITE, UnsafePathError) as error:
            found = finding("VM315", str(error), path=reading.path)
            put_reading(call, reading, found)
            findings.append(found)
            continue
        if one and written:
            taken.append(written)
            if one.origin is Origin.PERSON:
                persons.add(reading.path)
    return Taken(tuple(taken), frozenset(persons), tuple(findings))


def _dropped(call: Call, reading: Reading, *, waited: bool) -> _Dropped | None:
    """The note, where it can become a candidate; else what is wrong with it is recorded."""
    data = reading.fresh.data
    if data is None or reading.findings:
        return None
    _, decoded = decode_candidate(data, path=reading.path)
    wrong = [found for found in decoded.findings if found.code in _UNUSABLE]
    if not wrong and not clean(decoded.memory.statement).text:
        wrong = [finding("VM109", path=reading.path, line=decoded.statement_line)]
    if not wrong and (refused := _refused(decoded.memory, data)):
        wrong = [refused._replace(path=reading.path)]
    if wrong:
        put_reading(call, reading._replace(findings=tuple(wrong)))
        return None
    origin = origin_of_note(call, reading, "", waited=waited)
    return _Dropped(reading, data, decoded, origin)


def _refused(memory: Memory, data: bytes) -> Finding | None:
    """What the guards say; the note stays as it is, and a candidate it is not."""
    refusal = refuse_fields(data.decode(), *texts_of(memory))
    refusal = refusal or first_refusal(memory.statement, scope=memory.scope)
    return as_finding(refusal) if refusal else None


def _take(call: Call, one: _Dropped, *, typed: bool) -> Reading | None:
    """Write the note; None where it has to wait."""
    if call.actor is Actor.AGENT or not (typed or call.is_quiet(one.reading.fresh.stat[0])):
        with call.vault.baseline.transaction():
            put_reading(call, one.reading, state=NoteState.WAITING)
            if one.origin is not Origin.PERSON:  # else it would be at the next look
                call.vault.baseline.keep_external(one.reading.path, one.data)
        return None
    identifier = call.new_id("cand")
    values = _values(call, one, identifier)
    data = set_properties(one.data, values)
    by = "person" if one.origin is Origin.PERSON else one.origin.value
    path, keys = one.reading.path, " ".join(values)
    write_notes(
        call,
        [Write(path, data, etag_of(one.data), identifier, "identified", by, "inbox", keys=keys)],
    )
    return classify_in(call.vault, fresh_now(call.vault, path, data))


def _values(call: Call, one: _Dropped, identifier: str) -> dict[str, object]:
    """The properties that follow; what only the person may say is kept where they said it."""
    persons = one.origin is Origin.PERSON
    memory = replace(one.decoded.memory, id=MemoryId(identifier))
    present = one.decoded.properties
    trust = TrustClass.DIRECT_USER_INSTRUCTION if persons else TrustClass.AGENT_INFERENCE
    durability = durability_of(memory.scope) if persons else Durability.UNKNOWN
    pieces: tuple[Evidence, ...] = ()
    if persons:
        said = Source(channel=Channel.NOTE, ref=one.reading.path, project=memory.project)
        pieces = (evidence_of(call, said, memory.statement, trust=trust, durability=durability),)
    links = evidence.record(call, pieces)
    told = assess(call, memory, pieces, trust=trust, durability=durability)
    why = () if persons else (_FOREIGN if one.origin is Origin.EXTERNAL else _FOUND,)
    values: dict[str, object] = {
        "id": identifier,
        "type": "candidate",
        "category": memory.category.value,
        "device": call.vault.device,
        "trust": trust.value,
        "durability": durability.value,
        "verification": told.verification,
        "reasons": [*why, *told.reasons] or None,
        "matched": [one.link for one in touched(call, told.matched)] or None,
        "evidence": list(links) or None,
    }
    usual: dict[str, object] = {"confidence": STATED_CONFIDENCE, "created": call.local}
    if persons:
        usual["decision"] = None
    else:
        values |= {"decision": None, "confidence": AGENT_CONFIDENCE}
    values |= {key: value for key, value in usual.items() if key not in (present.keys() | values)}
    return {
        key: value
        for key, value in values.items()
        if value is not None or key == "decision" or key in present
    }
