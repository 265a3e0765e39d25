"""The transcript of a session, from its file: nothing purged, no secret, nothing of our own."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.budget import QUARTERS
from vaultmem.core.notebook.legible import legible
from vaultmem.core.notebook.session_turns import turns_of
from vaultmem.core.notebook.transcript import MOST_TOKENS, Speaker, Turn, both_ends, cleaned, gap
from vaultmem.core.secrets import MARK, MAX_BLOCK
from vaultmem.core.session_entry import parse_entry
from vaultmem.errors import ModelStoppedError
from vaultmem.llm.model import never
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.store.sessions.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from vaultmem.services.sessions.silence import Silence
    from vaultmem.store.sessions.rows import SessionRow

T = TypeVar("T")

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
        tools: names of the tools that were called, also in what was left out.
        left_out: characters of the middle of a very long session, which none of the others has.
    """

    turns: tuple[Turn, ...]
    messages: tuple[str, ...]
    results: tuple[str, ...]
    tools: frozenset[str]
    left_out: int = 0


def read_transcript(
    row: SessionRow,
    silence: Silence,
    *,
    parent: str | None = None,
    most: int = MOST_TOKENS,
    stop: Callable[[], bool] = never,
) -> Transcript:
    """Read a session.

    Of one that is much longer than what can be sent, the middle is dropped before secrets are
    looked for, which takes most of the time. Whole turns are: no secret lies in two of them.

    Args:
        row: the session.
        silence: what may not be told of it.
        parent: the file of the session that it was forked from; what stands there too is of that
            session and left out here.
        most: tokens that can be sent. Twice as much is read, for secrets take more room than
            what stands for them.
        stop: asked between the turns; True ends the reading.

    Raises:
        ModelStoppedError: if `stop` said so.
        OSError: if the file cannot be read.
    """
    told = frozenset() if parent is None else _entries(parent, stop)
    seen = (
        replace(turn, parts=tuple(map(legible, turn.parts)))
        for turn in _turns(row.file, stop)
        if turn.entry not in told
    )
    ends = both_ends(cleaned(seen), most * QUARTERS, _size)
    between = (gap(ends.left_out),) if ends.left_out else ()
    turns = tuple(
        replace(turn, parts=tuple(map(without_secrets, turn.parts)))
        for turn in _until((*ends.first, *between, *ends.last), stop)
        if not _hidden(silence, row.id, turn)
    )
    return Transcript(
        turns,
        tuple(turn.text for turn in turns if turn.speaker is Speaker.USER),
        tuple(turn.text for turn in turns if turn.speaker is Speaker.RESULT),
        ends.tools,
        ends.left_out,
    )


def without_secrets(text: str) -> str:
    """The text with `PLACEHOLDER` for each secret; of a long one its beginning and its end.

    What is cut away begins and ends so far from what is kept that no part of a secret is left.
    """
    pieces = tuple(map(_redacted, _pieces(text)))
    if len(pieces) == 1:
        return pieces[0]
    head, tail = pieces
    head, tail = head[: max(len(head) - MAX_BLOCK, 0)], tail[MAX_BLOCK:]
    return f"{head}\n[… the middle of {len(text)} characters was left out here …]\n{tail}"


def _pieces(text: str) -> tuple[str, ...]:
    """The text, or of a long one its beginning and its end, with more than is kept of each."""
    most = MAX_END + MAX_BLOCK
    return (text,) if len(text) <= 2 * most else (text[:most], text[-most:])


def _size(turn: Turn) -> int:
    """Characters that are kept of a turn, at most."""
    return sum(min(len(part), 2 * MAX_END) for part in turn.parts)


def _redacted(text: str) -> str:
    return MARK.sub(PLACEHOLDER, redact(text))


def _until(many: Iterable[T], stop: Callable[[], bool]) -> Iterator[T]:
    """All of them, unless `stop` says so."""
    for one in many:
        if stop():
            raise ModelStoppedError(
                "The reading of the session was stopped. Run it again to do it anew."
            )
        yield one


def _turns(file: str, stop: Callable[[], bool]) -> Iterator[Turn]:
    for line in _until(read_lines(file), stop):
        if line.data is not None:
            yield from turns_of(line.data)


def _entries(file: str, stop: Callable[[], bool]) -> frozenset[str]:
    """The ids of all entries of a session file; none where it is gone."""
    lines = _until(read_lines(file), stop)
    try:
        parsed = [parse_entry(line.data) for line in lines if line.data is not None]
    except OSError:
        return frozenset()
    return frozenset(filter(None, (getattr(one, "id", "") for one in parsed)))


def _hidden(silence: Silence, session: str, turn: Turn) -> bool:
    """Whether a turn says what was purged: the whole of it goes."""
    pieces = tuple(chain.from_iterable(map(_pieces, turn.parts)))
    texts = dict.fromkeys((*pieces, "\n".join(pieces)))
    return any(silence.hides(session, turn.entry, text) for text in texts)
