"""Which guidelines of a note a person vouches for; what an agent may have written is held.

A note of guidelines acts on what an agent reads. Kept for each note are keyed hashes of the
guidelines that are the person's, and of those that are held: no words.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.reviewing.guidelines import Standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.reviewing.guidelines import Guideline
    from vaultmem.services.call import Call


KEY = "guidelines"
"""Of the baseline's `meta`."""


class Vouched(NamedTuple):
    """What is known of the guidelines of one note.

    Attributes:
        seen_ns: when a sync looked at the note last, as file systems keep it; 0 for never, less
            than 0 for when it was found to be gone.
        persons: marks of the guidelines that a person vouches for.
        held: marks of those that an agent may have written.
    """

    seen_ns: int = 0
    persons: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()


def vouched(call: Call, path: str) -> Vouched:
    """What is known of a note's guidelines.

    Of a new path as much as of the notes that the same sync misses: one of them was renamed. What
    is held stays so wherever it is moved or copied to.
    """
    known = _read(call)
    own = known.get(path, Vouched())
    if path in known and own.seen_ns >= 0:
        return own
    left = [one.persons for one in known.values() if one.seen_ns == -call.nanoseconds]
    held = [one.held for one in known.values()]
    # what we signed before the note was gone explains nothing that lies there now
    return Vouched(-own.seen_ns, frozenset[str]().union(*left), frozenset[str]().union(*held))


def keep_vouched(call: Call, path: str, known: Vouched) -> None:
    """Record what is known of a note's guidelines."""
    _write(call, _read(call) | {path: known})


def lost_review(call: Call, path: str) -> None:
    """A note is gone, by a name at least; its guidelines are vouched for until the sync ends."""
    known = _read(call)
    if path in known:
        _write(call, known | {path: known[path]._replace(seen_ns=-call.nanoseconds)})


def _read(call: Call) -> dict[str, Vouched]:
    return call.vault.baseline.parsed_meta(KEY, _parsed) or {}


def _parsed(text: str) -> dict[str, Vouched]:
    return {
        path: Vouched(int(seen), frozenset(persons.split()), frozenset(held.split()))
        for path, (seen, persons, held) in json.loads(text).items()
    }


def _write(call: Call, known: dict[str, Vouched]) -> None:
    rows = {
        path: (one.seen_ns, " ".join(sorted(one.persons)), " ".join(sorted(one.held)))
        for path, one in known.items()
    }
    call.vault.baseline.set_meta(KEY, json.dumps(rows))


def as_vouched(call: Call, path: str, found: Iterable[Guideline]) -> tuple[Guideline, ...]:
    """The guidelines of a note, of which those hold that a person vouches for."""
    known = vouched(call, path).persons
    return tuple(
        one._replace(standing=Standing.HELD)
        if one.standing is Standing.HOLDS and _mark(call, one.text) not in known
        else one
        for one in found
    )


def vouch(call: Call, path: str, text: str) -> None:
    """A person says that a guideline of a note holds."""
    known, mark = vouched(call, path), {_mark(call, text)}
    kept = known._replace(persons=known.persons | mark, held=known.held - mark)
    keep_vouched(call, path, kept)
    if known.held:
        _look_again(call, path)


def hold_unknown(call: Call, path: str, found: Iterable[Guideline]) -> None:
    """Hold what no look has decided yet: we are about to sign for the note as it is now."""
    known, marks = vouched(call, path), marks_of(call, found)
    if unknown := marks - known.persons - known.held:
        keep_vouched(call, path, known._replace(held=known.held | unknown))


def marks_of(call: Call, found: Iterable[Guideline]) -> frozenset[str]:
    """The marks of the guidelines that hold as their note says it."""
    return frozenset(_mark(call, one.text) for one in found if one.standing is Standing.HOLDS)


def _mark(call: Call, text: str) -> str:
    """What a guideline is known by; nobody without the key can guess it from that."""
    return call.vault.keyed_hash("guideline", " ".join(text.split()).encode())


def _look_again(call: Call, path: str) -> None:
    """Let the next sync find anew what is wrong with a note."""
    row = call.vault.baseline.note(path)
    if row is not None:
        call.vault.baseline.put_note(row._replace(findings="", etag="", mtime_ns=0))
