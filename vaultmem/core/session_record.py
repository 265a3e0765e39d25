"""What is known of a session, and how its next entry changes that: the pieces that are searched.

A piece is a turn (what the user said, with the last answer to it) or a summary. Pieces hold places
in the session's file and no text, so that a record holds nothing of the talk but its title, its
first message and its decisions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_decision import decisions_in
from vaultmem.core.session_entry import (
    Answered,
    Header,
    Named,
    Said,
    Summary,
    SummaryKind,
    ToolDone,
)
from vaultmem.core.trivial import is_trivial
from vaultmem.core.visible import visible_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultmem.core.session_entry import Entry

FIRST_MESSAGE = 200
"""Characters of the first message; this and the next from governed-memory.md, section 14."""
MOST_TOOLS, MOST_FILES, MOST_DECISIONS, MOST_MODELS = 10, 20, 20, 10

_CHAIN = 50
"""Entries after a compaction that are looked at to see whether it was made again."""
_DIGESTS = 64
"""Summaries of a session that are compared with a new one."""
_MACHINE = ("[IMPORTANT:", "[SYSTEM:")
"""How a message begins that no person wrote; topic-memory.md, section 13."""


class PieceKind(StrEnum):
    """What a piece is."""

    HEAD = "head"
    """The session itself: its title, first message, project, files and decisions."""
    TURN = "turn"
    COMPACTION = "compaction"
    BRANCH = "branch"

    @property
    def is_summary(self) -> bool:
        """Whether it stands for a part of the talk."""
        return self in (PieceKind.COMPACTION, PieceKind.BRANCH)


class Span(NamedTuple):
    """A line of the session's file, in bytes; its line feed counts."""

    start: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a session that can be found.

    Attributes:
        number: from 1, in the order of the file.
        entry: the id of the entry that it begins with.
        at: when, in seconds of the Unix epoch.
        said: the user's message, or the summary; None for a turn that the user did not begin.
        answer: the last answer in the turn.
    """

    number: int
    kind: PieceKind
    entry: str
    at: float
    said: Span | None = None
    answer: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A line of the user's that says what was decided."""

    entry: str
    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """The last compaction: its piece, and the entries since in which nothing was done."""

    number: int
    first_kept: str
    chain: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session, as far as its file was read; texts have no secrets any more.

    Attributes:
        id: the agent's.
        cwd: the working folder.
        parent: the file of the session that it was forked from, or "".
        started: when, in seconds of the Unix epoch; `ended` that of the last entry.
        name: its title, or "".
        first: the beginning of the first message that says something.
        messages: of the user.
        models: that answered; likewise `tools` that were called and `files` that were changed.
        decisions: those of the user, the first `MOST_DECISIONS`.
        cost: of all answers, in the currency of the provider; `tokens` likewise.
        pieces: the number of the last piece.
        turn: the piece that the next answer belongs to.
        calls: the tools that the last answer called.
        compaction: the last one.
        digests: of the summaries that were there.
    """

    id: str
    cwd: str
    parent: str = ""
    started: float = 0.0
    ended: float = 0.0
    name: str = ""
    first: str = ""
    messages: int = 0
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    cost: float = 0.0
    tokens: int = 0
    pieces: int = 0
    turn: Piece | None = None
    calls: tuple[tuple[str, str], ...] = ()
    compaction: Compaction | None = None
    digests: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the session is called: its name, else its first message."""
        return self.name or self.first


class Folded(NamedTuple):
    """A record after one more entry, the piece that is new or changed, and one that goes."""

    record: SessionRecord
    piece: Piece | None = None
    dropped: int | None = None


def begin(header: Header) -> SessionRecord:
    """The record of a session of which only the header was read."""
    return SessionRecord(
        id=header.id, cwd=header.cwd, parent=header.parent, started=header.at, ended=header.at
    )


def fold(record: SessionRecord, entry: Entry, span: Span, redact: Callable[[str], str]) -> Folded:
    """The record after its next entry, whichever branch that is in.

    Args:
        record: what was read so far.
        entry: the next one; where its text may not be kept, without text.
        span: where it stands.
        redact: takes the secrets out of a text.
    """
    record = replace(record, ended=max(record.ended, entry.at))
    folded = _folded(record, entry, span, redact)
    return folded._replace(record=_chained(folded.record, entry))


def _folded(
    record: SessionRecord, entry: Entry, span: Span, redact: Callable[[str], str]
) -> Folded:
    match entry:
        case Said():
            return _said(record, entry, span, redact)
        case Answered():
            return _answered(record, entry, span)
        case ToolDone():
            return Folded(_done(record, entry))
        case Summary():
            return _summary(record, entry, span)
        case Named():
            return Folded(replace(record, name=visible_line(redact(entry.name), FIRST_MESSAGE)))
        case _:
            return Folded(record)


def says_something(text: str) -> bool:
    """Whether a message of the user is worth finding: no command, no mere answer, no machine's."""
    return not text.lstrip().startswith(_MACHINE) and not is_trivial(text)


def _said(record: SessionRecord, entry: Said, span: Span, redact: Callable[[str], str]) -> Folded:
    record = replace(record, messages=record.messages + 1, turn=None)
    if not says_something(entry.text):
        return Folded(record)
    if not record.first:
        record = replace(record, first=visible_line(redact(entry.text), FIRST_MESSAGE))
    if "#" in entry.text:
        record = _deciding(record, entry, decisions_in(redact(entry.text)))
    piece = Piece(
        number=record.pieces + 1, kind=PieceKind.TURN, entry=entry.id, at=entry.at, said=span
    )
    return Folded(replace(record, pieces=piece.number, turn=piece), piece)


def _deciding(record: SessionRecord, entry: Said, texts: Iterable[str]) -> SessionRecord:
    new = (Decision(entry=entry.id, at=entry.at, text=text) for text in texts)
    return replace(record, decisions=(*record.decisions, *new)[:MOST_DECISIONS])


def _answered(record: SessionRecord, entry: Answered, span: Span) -> Folded:
    record = replace(
        record,
        models=_with(record.models, [entry.model], MOST_MODELS),
        tools=_with(record.tools, (one.name for one in entry.tools), MOST_TOOLS),
        calls=tuple((one.call, one.path) for one in entry.tools),
        cost=record.cost + entry.cost,
        tokens=record.tokens + entry.tokens,
    )
    if not entry.text.strip() or entry.failed:
        return Folded(record)
    if record.turn is not None:
        piece = replace(record.turn, answer=span)
    else:
        number = record.pieces + 1
        piece = Piece(number=number, kind=PieceKind.TURN, entry=entry.id, at=entry.at, answer=span)
    return Folded(replace(record, pieces=max(record.pieces, piece.number), turn=piece), piece)


def _done(record: SessionRecord, entry: ToolDone) -> SessionRecord:
    if entry.failed:
        return record
    path = entry.path or dict(record.calls).get(entry.call, "")
    return replace(record, files=_with(record.files, [visible_line(path)], MOST_FILES))


def _summary(record: SessionRecord, entry: Summary, span: Span) -> Folded:
    text = entry.text.strip()
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    if not text or digest in record.digests:
        return Folded(record)
    kind = PieceKind.BRANCH if entry.kind is SummaryKind.BRANCH else PieceKind.COMPACTION
    piece = Piece(number=record.pieces + 1, kind=kind, entry=entry.id, at=entry.at, said=span)
    digests = (*record.digests, digest)[-_DIGESTS:]
    record = replace(record, pieces=piece.number, digests=digests)
    if kind is PieceKind.BRANCH:
        return Folded(record, piece)
    before = record.compaction
    again = before is not None and _is_again(before, entry)
    made = Compaction(number=piece.number, first_kept=entry.first_kept, chain=(entry.id,))
    dropped = before.number if before is not None and again else None
    return Folded(replace(record, compaction=made), piece, dropped)


def _is_again(before: Compaction, entry: Summary) -> bool:
    """Whether a compaction takes the place of the one before it, whose turn was retried.

    Nothing was done since in its branch, or both keep the same part of the talk.
    """
    same = bool(entry.first_kept) and entry.first_kept == before.first_kept
    return same or (bool(entry.parent) and entry.parent in before.chain)


def _chained(record: SessionRecord, entry: Entry) -> SessionRecord:
    """The record that knows whether this entry follows its last compaction without any work."""
    last = record.compaction
    if last is None or entry.parent not in last.chain or entry.id in last.chain:
        return record
    failed = isinstance(entry, Answered) and entry.failed
    if isinstance(entry, Said | Answered | ToolDone) and not failed:
        return record
    return replace(record, compaction=replace(last, chain=(*last.chain, entry.id)[-_CHAIN:]))


def _with(known: tuple[str, ...], new: Iterable[str], most: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *filter(None, new))))[:most]
