"""What the diagnostics ask of the files: secrets, and drift between notes, baseline and index."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.ids import ULID_FORM
from vaultmem.core.model import Status
from vaultmem.core.standing import standing_of
from vaultmem.core.visible import visible_characters
from vaultmem.services.capturing.secret_scan import scan
from vaultmem.services.diagnosing.examined import machine_notes
from vaultmem.services.diagnosing.succession import deleted_at
from vaultmem.services.indexing import feed, refresh
from vaultmem.services.syncing.record import force_mac
from vaultmem.store.etag import etag_of
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.standing import Standing
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.diagnosing.examined import Examined
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.store.baseline_rows import NoteRow

GENERATED = ("MEMORY.md", "memory_summary.md")
"""Notes in the memory root that a model rewrites, and that cite memories by their ids."""

_OWN = re.compile(rf"(?<![0-9A-Za-z]){ULID_FORM}(?![0-9A-Za-z])|~[0-9a-f]{{32}}(?!\w)")
"""Ids and signatures of ours, which look drawn at random: some have the form of a cloud key."""
_MEMORY_ID = re.compile(rf"\bmem_{ULID_FORM}(?!\w)")


def check_files(call: Call) -> Iterator[Finding]:
    """Each note of ours: no secret in it, the bytes that were recorded, nothing deleted cited."""
    generated = {f"{call.vault.root}/{name}" for name in GENERATED}
    for row, data in machine_notes(call):
        yield from _secrets(row, data)
        yield from _drift(call, row, data)
        if row.path in generated:
            yield from _deleted_in(call, row.path, data)


def check_kept(call: Call, seen: Examined) -> Iterator[Finding]:
    """What this machine keeps of a memory is what its note says."""
    for one in seen.memories:
        if etag_of(one.data) != one.row.etag or not _agrees(call, one):
            text = f"What this machine keeps of {one.row.id} is damaged."
            yield finding("VM742", text, path=one.row.path)


def check_index(call: Call, engine: SearchEngine) -> Iterator[Finding]:
    """The search index holds every document and no other one; one that was never built is none."""
    if engine.stamp is None:
        return
    trouble = refresh(call, engine)
    held = engine.contents()
    if trouble is not None or held is None:
        yield finding("VM744", trouble)
        return
    wanted = {document.key for document in feed(call, None).upserts}
    missing, extra = wanted - held.words, (held.words | held.meaning) - wanted
    if missing or extra:
        text = f"The search index lacks {len(missing)} documents and has {len(extra)} too many."
        yield finding("VM743", text)


def _secrets(row: NoteRow, data: bytes) -> Iterator[Finding]:
    """A finding for each kind of secret; neither the secret nor a name that holds it is told."""
    text = _OWN.sub(_blanked, data.decode("utf-8", "replace"))
    found = {one.kind: text.count("\n", 0, one.start) + 1 for one in reversed(scan(text))}
    if not found and not text.isascii():  # a character that nobody sees may part a secret
        text = "\n".join(map(visible_characters, text.split("\n")))
        found = {one.kind: text.count("\n", 0, one.start) + 1 for one in reversed(scan(text))}
    named = [one.kind for one in scan(_OWN.sub(_blanked, row.path))]
    path = None if named else row.path
    for kind in sorted({*found, *named}):
        message = f"{_what(row)} holds a secret ({kind})."
        yield finding("VM761", message, path=path, line=found.get(kind))


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _drift(call: Call, row: NoteRow, data: bytes) -> Iterator[Finding]:
    """A note with the stat of the recorded version and other bytes: no sync will look at it."""
    if row.etag in ("", etag_of(data)):
        return
    try:
        unmoved = stat_of(call.vault.path, row.path) == row.stat
    except OSError:
        return  # it went away meanwhile
    if unmoved:
        text = f"{_what(row)} differs from what this machine recorded."
        yield finding("VM741", text, path=row.path)


def _what(row: NoteRow) -> str:
    return row.id or f"A note of kind {row.kind}"


def _deleted_in(call: Call, path: str, data: bytes) -> Iterator[Finding]:
    """The deleted memories that a generated note cites; ids are compared whole."""
    text = data.decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n"), start=1):
        for identifier in dict.fromkeys(_MEMORY_ID.findall(line)):
            standing = call.vault.baseline.standing(identifier)
            deleted = standing is not None and standing.status == Status.DELETED.value
            if deleted or deleted_at(call, identifier):
                text = f"{identifier} was deleted and is cited."
                yield finding("VM752", text, path=path, line=number)


def _agrees(call: Call, one: FoundMemory) -> bool:
    """Whether the row that the report reads says what the kept version does."""
    memory = one.decoded.memory
    said = standing_of(memory, path=one.row.path, force=False)
    same = _without_counts(said) == _without_counts(one.standing)
    return same and one.row.force_mac == force_mac(call.vault, memory)


def _without_counts(standing: Standing) -> Standing:
    """A row without what the ledgers add to it."""
    return standing._replace(evidence_count=0.0, reinforced=0.0, trust="", force=0)


CHECKS = (check_kept,)
