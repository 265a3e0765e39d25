"""The name that the card of a session has wherever it is shown: time, short hash, slug.

As notebook.md, section 5, has it: `YYYY-MM-DDTHH-MM-SS-<4 characters>[-<slug>]`, in UTC, so that
every device names the same session alike.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from uuid import UUID

MAX_SLUG = 60
"""Characters of a slug."""
STEM = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[\w-]+")
"""What names a session's summary or an ad-hoc note within a text."""

_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LENGTH = 4
_LAST = datetime(9000, 1, 1, tzinfo=UTC).timestamp()
_UUID_V7 = 7


def card_stem(session: str, watermark: float, slug: str | None) -> str:
    """The name of the card of a session, without a file's ending.

    Args:
        session: the agent's id; a UUID of version 7 tells when the session began.
        watermark: when the session was changed last, in seconds of the Unix epoch; counts where
            the id tells no time.
        slug: a few words about it, in any form; none or an empty one adds nothing.
    """
    uuid = _uuid(session)
    began = _began(uuid)
    at = datetime.fromtimestamp(watermark_of(watermark) if began is None else began, UTC)
    stem = f"{at:%Y-%m-%dT%H-%M-%S}-{_short(_seed(session, uuid))}"
    words = slug_of(slug)
    return f"{stem}-{words}" if words else stem


def short_hash(stem: str) -> str:
    """The four characters of a stem by which a line cites its session; "" where it is no stem."""
    found = stem[20:24]
    return found if len(found) == _LENGTH and stem[19:20] == "-" and found.isalnum() else ""


def slug_of(text: str | None) -> str:
    """A slug as a file's name may hold it: `a` to `z`, `0` to `9` and `_`, none at its end."""
    lowered = (text or "")[:MAX_SLUG].lower()
    kept = (one if one.isascii() and one.isalnum() else "_" for one in lowered)
    return "".join(kept)[:MAX_SLUG].rstrip("_")


def watermark_of(seconds: float) -> float:
    """A moment that every calendar knows; 0 where it is none."""
    return seconds if 0 < seconds < _LAST else 0.0


def utc_text(seconds: float) -> str:
    """A moment in UTC, to the second, as models read it; "" where it is none."""
    known = watermark_of(seconds)
    return f"{datetime.fromtimestamp(known, UTC):%Y-%m-%dT%H:%M:%SZ}" if known else ""


def _uuid(session: str) -> UUID | None:
    try:
        return UUID(session)
    except ValueError:
        return None


def _began(uuid: UUID | None) -> float | None:
    """When a session began by its id: the first 48 bits are milliseconds (RFC 9562)."""
    if uuid is None or uuid.version != _UUID_V7:
        return None
    seconds = (uuid.int >> 80) / 1000
    return seconds if watermark_of(seconds) else None


def _seed(session: str, uuid: UUID | None) -> int:
    if uuid is not None:
        return uuid.int & 0xFFFF_FFFF
    seed = 0
    for byte in session.encode("utf-8", "replace"):
        seed = (seed * 31 + byte) & 0xFFFF_FFFF
    return seed


def _short(seed: int) -> str:
    signs = ""
    for _ in range(_LENGTH):
        seed, place = divmod(seed, len(_SIGNS))
        signs = _SIGNS[place] + signs
    return signs
