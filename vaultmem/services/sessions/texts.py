"""The texts of pieces, read from their session files each time: no secrets, nothing purged."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_entry import Answered, Entry, Said, Summary, parse_entry
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.store.sessions.lines import read_spans

if TYPE_CHECKING:
    from vaultmem.core.session_entry import AnyEntry
    from vaultmem.services.sessions.silence import Silence
    from vaultmem.store.sessions.catalog import Catalog
    from vaultmem.store.sessions.rows import PieceRow, SessionRow

MAX_SAID = 3_000
"""Characters of a message that are searched; what is longer is mostly pasted."""
MAX_ANSWER = 1_000
"""Characters of an answer that are searched, its beginning."""
MAX_SUMMARY = 20_000
"""Characters of a summary; Pi's have up to some 10,000."""

_MOST = {Said: MAX_SAID, Answered: MAX_ANSWER, Summary: MAX_SUMMARY}
_MARGIN = 500
"""Characters behind those that are kept in which a secret may end that begins in them."""


class PieceText(NamedTuple):
    """What a piece says: the user's message or the summary, and the answer."""

    said: str
    answer: str


class Texts:
    """Reads pieces; a session's row is looked up once."""

    def __init__(self, catalog: Catalog, silence: Silence) -> None:
        self._catalog = catalog
        self._silence = silence
        self._rows: dict[int, SessionRow | None] = {}

    def row(self, number: int) -> SessionRow | None:
        """The session of that number."""
        if number not in self._rows:
            self._rows[number] = self._catalog.row(number)
        return self._rows[number]

    def of(self, one: PieceRow) -> PieceText | None:
        """What a piece says; None where its file says something else now, or is not there."""
        row, piece = self.row(one.session), one.piece
        spans = [span for span in (piece.said, piece.answer) if span is not None]
        if row is None or not spans:
            return None
        try:
            lines = [parse_entry(line) for line in read_spans(row.file, spans)]
        except OSError:
            return None
        if not isinstance(lines[0], Entry) or lines[0].id != piece.entry:
            return None
        texts = [self._text(row.id, line) for line in lines]
        said = texts[0] if piece.said is not None else ""
        answer = texts[-1][:MAX_ANSWER] if piece.answer is not None else ""
        return PieceText(said, answer) if said or answer else None

    def _text(self, session: str, entry: AnyEntry | None) -> str:
        """The text of an entry without secrets; "" where it has none or may not be kept."""
        if not isinstance(entry, Said | Answered | Summary):
            return ""
        if self._silence.hides(session, entry.id, entry.text):
            return ""
        most = _MOST[type(entry)]
        return redact(entry.text[: most + _MARGIN])[:most]
