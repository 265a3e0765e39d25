"""The transcript of a session, from its file: nothing purged, no secret, nothing of our own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.legible import legible
from vaultmem.core.notebook.session_turns import turns_of
from vaultmem.core.notebook.transcript import Speaker, Turn, cleaned
from vaultmem.core.secrets import MARK, MAX_BLOCK
from vaultmem.core.session_entry import parse_entry
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.store.sessions.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.services.sessions.silence import Silence
    from vaultmem.store.sessions.rows import SessionRow

PLACEHOLDER = "[REDACTED_SECRET]"
"""What stands for a secret in all that a model is sent or answers; notebook.md, section 12."""
MAX_END = 30_000
"""Characters of a text's beginning, and of its end, that are kept of a longer one."""


class Transcript(NamedTuple):
    """What was said and done in a session.

    Attributes:
        turns: in the order of the file, without secrets.
        messages: of the user, without what their agent's program loaded into them.
        results: of tools.
        tools: names of the tools that were called.
    """

    turns: tuple[Turn, ...]
    messages: tuple[str, ...]
    results: tuple[str, ...]
    tools: frozenset[str]


def read_transcript(row: SessionRow, silence: Silence, *, parent: str | None = None) -> Transcript:
    """Read a session.

    Args:
        row: the session.
        silence: what may not be told of it.
        parent: the file of the session that it was forked from; what stands there too is of that
            session and left out here.

    Raises:
        OSError: if the file cannot be read.
    """
    told = frozenset() if parent is None else _entries(parent)
    seen = (
        replace(turn, parts=tuple(map(legible, turn.parts)))
        for turn in _turns(row.file)
        if turn.entry not in told
    )
    turns = tuple(
        replace(turn, parts=tuple(map(without_secrets, turn.parts)))
        for turn in cleaned(seen)
        if not _hidden(silence, row.id, turn)
    )
    return Transcript(
        turns,
        tuple(turn.text for turn in turns if turn.speaker is Speaker.USER),
        tuple(turn.text for turn in turns if turn.speaker is Speaker.RESULT),
        frozenset(turn.name for turn in turns if turn.speaker is Speaker.CALL),
    )


def without_secrets(text: str) -> str:
    """The text with `PLACEHOLDER` for each secret; of a long one its beginning and its end.

    What is cut away begins and ends so far from what is kept that no part of a secret is left.
    """
    if len(text) <= 2 * (MAX_END + MAX_BLOCK):
        return _redacted(text)
    head, tail = _redacted(text[: MAX_END + MAX_BLOCK]), _redacted(text[-MAX_END - MAX_BLOCK :])
    head, tail = head[: max(len(head) - MAX_BLOCK, 0)], tail[MAX_BLOCK:]
    return f"{head}\n[… the middle of {len(text)} characters was left out here …]\n{tail}"


def _redacted(text: str) -> str:
    return MARK.sub(PLACEHOLDER, redact(text))


def _turns(file: str) -> Iterator[Turn]:
    for line in read_lines(file):
        if line.data is not None:
            yield from turns_of(line.data)


def _entries(file: str) -> frozenset[str]:
    """The ids of all entries of a session file; none where it is gone."""
    try:
        parsed = [parse_entry(line.data) for line in read_lines(file) if line.data is not None]
    except OSError:
        return frozenset()
    return frozenset(filter(None, (getattr(one, "id", "") for one in parsed)))


def _hidden(silence: Silence, session: str, turn: Turn) -> bool:
    """Whether a turn says what was purged: the whole of it goes."""
    texts = dict.fromkeys((*turn.parts, turn.text))
    return any(silence.hides(session, turn.entry, text) for text in texts)
