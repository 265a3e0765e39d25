"""What a session says and the index must not: entries that say what a purged memory said."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.occurrence import passages
from vaultmem.core.sentences import sentences
from vaultmem.core.session_entry import Answered, Named, Said, Summary
from vaultmem.services.tombstones import purges, standing_tombstone, text_mac
from vaultmem.store.sessions.purged import read_purged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.session_entry import Entry
    from vaultmem.services.call import Call

_OPENING = re.compile(r"\A\w+[,.!;:]+\s+")
"""What answers before a statement: "No, never …"."""


class PurgedWords:
    """The statements that any device purged, as the signed tombstones that stand tell them."""

    def __init__(self, call: Call) -> None:
        self._call = call
        stones = call.vault.baseline.ledger.of_kind(LedgerKind.TOMBSTONES)
        self._statements = frozenset(
            stone.after
            for stone in stones
            if stone.signed
            and stone.after
            and purges(stone)
            and standing_tombstone(call, stone.note) is not None
        )

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._statements)

    def said_in(self, text: str) -> bool:
        """Whether a line, paragraph or sentence of a text is one of them."""
        return bool(self) and any(
            text_mac(self._call, one) in self._statements for one in _statements(text)
        )


class Silence:
    """The entries that this machine's purges found, and the statements that any device purged."""

    def __init__(self, call: Call) -> None:
        """Read both.

        Raises:
            UnsafePathError, ReadOnlyError, DiskFailedError: as `read_purged`.
        """
        self._entries = read_purged(call.vault.state.folder)
        self._words = PurgedWords(call)

    def over(self, session: str, entry: Entry) -> Entry:
        """The entry, without its text where that may not be kept."""
        match entry:
            case Said() | Answered() | Summary():
                hidden = self.hides(session, entry.id, entry.text)
                return replace(entry, text="") if hidden else entry
            case Named():
                hidden = self.hides(session, entry.id, entry.name)
                return replace(entry, name="") if hidden else entry
            case _:
                return entry

    def hides(self, session: str, entry: str, text: str) -> bool:
        """Whether a text of an entry may not be kept."""
        return (session, entry) in self._entries or self._words.said_in(text)


def _statements(text: str) -> Iterator[str]:
    """What in a text may be a statement: lines, paragraphs, sentences."""
    yield from passages(text.encode("utf-8", "replace"))
    for start, end in sentences(text):
        one = text[start:end].strip()
        yield one
        yield _OPENING.sub("", one, count=1)
