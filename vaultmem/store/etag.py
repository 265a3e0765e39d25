"""The version of a file: a hash of its bytes, which a write names to say what it replaces."""

from __future__ import annotations

from typing import NewType

Etag = NewType("Etag", str)
"""64 hex digits: SHA-256 of a file's bytes."""


def etag_of(data: bytes) -> Etag:
    """The version that `data` is."""
    from hashlib import sha256  # not for a report on an unchanged vault

    return Etag(sha256(data).hexdigest())
