"""Whose the notes are in which a person decides, and whose turn it is to follow the decision.

One rule for candidates, patches and promotions, and for notes that were dropped into the inbox.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.turn import turn_of
from vaultmem.services.call import Actor
from vaultmem.services.syncing.attribution import Origin, is_said_external, origin_of_bytes
from vaultmem.services.syncing.hold import announce
from vaultmem.services.syncing.observe import age_seconds

if TYPE_CHECKING:
    from vaultmem.core.turn import Turn
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading


def origin_of_note(call: Call, reading: Reading, identifier: str, *, waited: bool) -> Origin:
    """Whose the present bytes of a note are in which a person may have decided.

    That they are no person's is signed, so that no later look thinks so.

    Args:
        call: the circumstances.
        reading: the note, as it is on disk.
        identifier: the note's id, empty for one without.
        waited: these bytes waited since an earlier look. They are the person's still, whoever
            looks now, unless it was known then that they are not, or a device signed so since.
    """
    data = reading.fresh.data
    if not waited or data is None:
        origin = origin_of_bytes(call, identifier, reading.fresh)
    elif call.vault.baseline.content_external(reading.path) == data:
        return Origin.EXTERNAL  # and announced then, if anybody knew whose they were
    else:
        said = is_said_external(call, identifier, data)
        origin = Origin.EXTERNAL if said else Origin.PERSON
    if origin is Origin.EXTERNAL:
        announce(call, reading, identifier)
    return origin


def is_left_over(
    call: Call,
    reading: Reading,
    identifier: str,
    word: str,
    *,
    origin: Origin,
    after: str = "",
) -> bool:
    """Whether the decision in a note is no person's: it is what was there when somebody saved it.

    To save a note again, as a linter does, decides nothing. Such a decision is remembered until
    the word is another one, or was seen taken out; where an agent wrote it, that the present bytes
    hold it still is signed for the other devices.

    Args:
        call: the circumstances.
        reading: the note, as it is on disk.
        identifier: the note's id.
        word: what is decided in it, as it stands there, in words of ours only; "" for nothing.
        origin: whose the present bytes are.
        after: the ledger line of a decision that was carried out; what stands in a note that comes
            back is that one. "" for none.
    """
    key, done = f"decision {identifier}", f"decided {identifier}"
    kept = call.vault.baseline.meta(key) or ""
    by, _, theirs = kept.partition(" ")
    is_back = bool(after) and call.vault.baseline.meta(done) != after
    if is_back:
        call.vault.baseline.set_meta(done, after)
    if is_back or origin in (Origin.EXTERNAL, Origin.ADOPTED):
        by, theirs = origin.value, word
    left = bool(word) and theirs == word
    now = f"{by} {word}" if left else ""
    if now != kept:
        call.vault.baseline.set_meta(key, now)
    if left and by == Origin.EXTERNAL:
        announce(call, reading, identifier)
    return left


def turn_now(call: Call, reading: Reading, *, persons: bool, elsewhere: bool) -> Turn:
    """What is done with the decision in a note at this look; the arguments as for `turn_of`."""
    return turn_of(
        persons=persons,
        agent=call.actor is Actor.AGENT,
        elsewhere=elsewhere,
        age=age_seconds(call, reading.fresh.stat),
    )
