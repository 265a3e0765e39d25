"""Ids: a prefix that names the kind of note and a ULID, checked by form wherever one is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from datetime import datetime

MemoryId = NewType("MemoryId", str)
"""`mem_` and a ULID; a candidate that became a memory keeps its ULID."""

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O, U."""

PREFIXES = ("mem", "cand", "patch", "ev", "inq", "prom", "vault", "dev", "log", "sess", "rep")

ULID_FORM = "[0-7][0-9A-HJKMNP-TV-Z]{25}"
"""A ULID as a regular expression; 128 bits begin with a digit up to 7."""
NOTE_FORM = rf"[a-z]{{2,8}}_{ULID_FORM}"
"""The id of a note as a regular expression, whatever version of vaultmem made it."""
ACT_FORM = "[a-z][a-z0-9_]{0,39}"
"""What a ledger calls an act, as a regular expression."""
_ID = re.compile(rf"({'|'.join(PREFIXES)})_({ULID_FORM})")
SHORT_LENGTH = 8
"""Characters of a ULID's end that people and models cite; 32**8 makes a clash unlikely."""

SHORTEST = SHORT_LENGTH - 2
"""Characters of an end of an id that a person must at least type."""


def ulid(milliseconds: int, randomness: bytes) -> str:
    """Spell a ULID: 48 bits of Unix time in milliseconds, 80 random bits (github.com/ulid/spec).

    Raises:
        ValueError: if the time does not fit 48 bits or `randomness` is not 10 bytes.
    """
    if not 0 <= milliseconds < 1 << 48 or len(randomness) != 10:
        raise ValueError("a ULID takes a 48-bit time and 10 random bytes")
    number = milliseconds << 80 | int.from_bytes(randomness, "big")
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))


def ulid_milliseconds(text: str) -> int:
    """The time in a ULID, in milliseconds since the epoch."""
    number = 0
    for character in text[:10]:
        number = number << 5 | CROCKFORD.index(character)
    return number


def new_id(prefix: str, at: datetime, randomness: bytes) -> str:
    """A new id of that kind, made at the aware time `at` from 10 random bytes.

    Raises:
        ValueError: as `ulid`.
    """
    return f"{prefix}_{ulid(int(at.timestamp() * 1000), randomness)}"


def hashed_id(prefix: str, message: str) -> str:
    """The id of that kind which a message has on every device and day.

    128 bits of its SHA-256 spelled as a ULID: the first 6 bytes in the place of the time, the next
    10 in that of the random bits. The message may hold lone surrogates.
    """
    import hashlib  # most commands only read ids

    digest = hashlib.sha256(message.encode("utf-8", "surrogatepass")).digest()
    return f"{prefix}_{ulid(int.from_bytes(digest[:6], 'big'), digest[6:16])}"


def is_id(text: object, prefix: str | None = None) -> bool:
    """Say whether `text` has the form of one of our ids, with that prefix if one is given."""
    if not isinstance(text, str) or (match := _ID.fullmatch(text)) is None:
        return False
    return prefix is None or match[1] == prefix


def short_id(identifier: str) -> str:
    """The end of an id, lower-case: what a report line shows and a citation repeats."""
    return identifier[-SHORT_LENGTH:].lower()


def is_end_of(text: str, identifier: str) -> bool:
    """Whether `text` is long enough an end of the id to mean it, in any case."""
    return len(text) >= SHORTEST and identifier.upper().endswith(text.upper())


def with_prefix(identifier: str, prefix: str) -> str:
    """The same ULID under another prefix: an approved `cand_x` is the memory `mem_x`."""
    return f"{prefix}_{identifier.split('_', 1)[1]}"
