"""What may be told of another side's error text: a little, and nothing that we sent."""

from __future__ import annotations

from vaultmem.core.visible import visible_line

_MOST = 200
"""Characters that are told."""
_LOOKED_AT = 1_000
"""Characters that are compared with what was sent; of the rest nothing is told."""
_ENDS = (".", "!", "?", "…")
"""How a sentence ends, so that another one can follow it."""
_SHARED = 24
"""Characters in a row that may stand in both by chance; names and short words do."""


def said(text: str, *, sent: str, secret: str | None = None) -> str:
    """An error text as it may be shown and kept, with a space before it; "" where it may not.

    Some servers repeat the request in their error. What was sent may come from a session, and must
    not go on from here into a log.

    Args:
        text: what the other side said.
        sent: what it was sent.
        secret: the key, which is never told.
    """
    line = " ".join(text.split())[:_LOOKED_AT]
    if not line or (secret and secret in text):
        return ""
    flat = " ".join(sent.split())
    windows = range(max(len(line) - _SHARED + 1, 0))
    if any(line[start : start + _SHARED] in flat for start in windows):
        return ""
    quoted = visible_line(line, _MOST)
    return f" It says: {quoted}{'' if quoted[-1:] in _ENDS else '.'}"
