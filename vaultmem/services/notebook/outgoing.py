"""What of the notebook may go out to a model or stay in it: no secret, nothing that was purged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.unsaid import forms, without_unsaid
from vaultmem.services.capturing.secret_scan import redact, scan
from vaultmem.services.sessions.silence import PurgedWords

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from vaultmem.services.call import Call


def secrets_in(data: bytes, before: bytes) -> int:
    """The first line, from 1, with a secret that the file did not hold before; 0 for none."""
    text, old = data.decode(errors="replace"), before.decode(errors="replace")
    known = {old[one.start : one.end] for one in scan(old)} if old else set()
    for one in scan(text):
        if text[one.start : one.end] not in known:
            return text.count("\n", 0, one.start) + 1
    return 0


def without_new_secrets(
    files: Mapping[str, bytes], before: Mapping[str, bytes]
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files, each that holds a secret which it did not hold before without any; and those.

    Args:
        files: what lies in the vault, by paths relative to the memory root.
        before: the version in force.
    """
    bad = tuple(path for path, data in files.items() if secrets_in(data, before.get(path, b"")))
    clean = {path: redact(files[path].decode(errors="replace")).encode() for path in bad}
    return {**files, **clean}, bad


def redacted_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files without secrets; what is no text stays, for no worker can read it."""
    return {path: _redacted(data) for path, data in files.items()}


class Unsaid:
    """What was purged, on any machine, and may not be written or sent again."""

    def __init__(self, call: Call) -> None:
        self._words = PurgedWords(call)

    def says(self, text: str) -> bool:
        """Whether a text says it, however it sets that off."""
        return bool(self._words) and any(map(self._words.said_in, forms(text)))

    def without(self, text: str, own: AbstractSet[str] = frozenset()) -> str:
        """The text without the lines that say it, but for the person's own."""
        return without_unsaid(text, is_unsaid=self.says, own=own)


def _redacted(data: bytes) -> bytes:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    return redact(text).encode()
