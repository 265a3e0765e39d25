"""Reads what was added to a session file since it was read last, and gives its pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_entry import Header, parse_entry
from vaultmem.core.session_record import begin, fold
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.store.sessions.lines import guard_of, read_lines

if TYPE_CHECKING:
    from vaultmem.core.session_entry import AnyEntry
    from vaultmem.core.session_record import Piece, SessionRecord, Span
    from vaultmem.services.sessions.silence import Silence
    from vaultmem.store.sessions.rows import SessionRow


class Read(NamedTuple):
    """A session after more of its file was read.

    Attributes:
        record: the session.
        done: bytes that were read in all.
        passed: broken or too long lines among those that were read now.
        entries: entries that were read now.
        pieces: those that are new or changed.
        dropped: numbers of earlier pieces that go.
        whole: whether the file was read from its beginning.
    """

    record: SessionRecord
    done: int
    passed: int
    entries: int
    pieces: tuple[Piece, ...]
    dropped: tuple[int, ...]
    whole: bool


def read_session_file(path: str, before: SessionRow | None, silence: Silence) -> Read | None:
    """What stands in a session file behind what was read before; None where it is no session.

    A file that does not begin any more with what was read is read from its beginning. A last line
    that is still being written waits for the next time.

    Raises:
        OSError: if the file cannot be read.
    """
    if before is not None and guard_of(path, before.done) == before.guard:
        reader = _Reader(before.record, before.done, silence)
    else:
        reader = _Reader(None, 0, silence)
    for line in read_lines(path, reader.done):
        entry = None if line.data is None else parse_entry(line.data)
        if entry is None and not line.ends:
            break
        reader.done += line.span.length
        if entry is None:
            reader.passed += line.data is None or bool(line.data.strip())
        elif not reader.take(entry, line.span):
            return None
    return reader.result()


class _Reader:
    """The entries of a file, one after the other."""

    def __init__(self, record: SessionRecord | None, done: int, silence: Silence) -> None:
        self.done = done
        self.passed = 0
        self._entries = 0
        self._record = record
        self._silence = silence
        self._whole = record is None
        self._pieces: dict[int, Piece] = {}
        self._dropped: list[int] = []

    def take(self, entry: AnyEntry, span: Span) -> bool:
        """Add an entry; False where the first one is no header, so that this is no session."""
        if isinstance(entry, Header):
            if self._record is None:
                self._record = begin(entry) if entry.id else None
            return self._record is not None
        if self._record is None:
            return False
        folded = fold(self._record, self._silence.over(self._record.id, entry), span, redact)
        self._record, self._entries = folded.record, self._entries + 1
        if folded.piece is not None:
            self._pieces[folded.piece.number] = folded.piece
        if folded.dropped is not None and self._pieces.pop(folded.dropped, None) is None:
            self._dropped.append(folded.dropped)
        return True

    def result(self) -> Read | None:
        """What was read; None where there was no header."""
        if self._record is None:
            return None
        return Read(
            self._record,
            self.done,
            self.passed,
            self._entries,
            tuple(self._pieces.values()),
            tuple(self._dropped),
            self._whole,
        )
