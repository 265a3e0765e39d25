"""Shows a part of an earlier session, as it was said, without secrets."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.session_entry import Answered, Said, Summary, parse_entry
from vaultmem.core.visible import visible_line
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError, SearchError
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.sessions.choosing import may_see, moment_of
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.switch import READ, switched_off
from vaultmem.store.sessions.lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from vaultmem.services.call import Call
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.sessions.rows import SessionRow

MAX_MESSAGE = 2_000
"""Characters of a message that are shown; governed-memory.md, section 14."""
SHORTEST = 4
"""Characters of an id or a file's name that are enough to name a session."""


class Speaker(StrEnum):
    """Who said it."""

    USER = "user"
    AGENT = "agent"
    SUMMARY = "summary"


class Message(NamedTuple):
    """One message.

    Attributes:
        number: from 0, by which it is asked for.
        entry: the id of its entry.
        at: when, local.
        text: inert lines; a longer one ends in `…`.
        tools: that the agent called with it.
    """

    number: int
    entry: str
    speaker: Speaker
    at: datetime
    text: str
    tools: tuple[str, ...]


class SessionPart(NamedTuple):
    """Some messages of a session.

    Attributes:
        session: its id.
        file: the session's file.
        title: what it is called.
        total: how many messages it has.
        messages: those that were asked for, in the order in which they were said.
    """

    session: str
    file: str
    project: str
    title: str
    total: int
    messages: tuple[Message, ...]


def read_session(
    call: Call,
    sessions: SessionIndex,
    name: str,
    *,
    offset: int = 0,
    limit: int = 50,
    own_project: str = "",
    session: str | None = None,
    progress: Callable[[int], object] = int,
) -> SessionPart:
    """Messages of a session: what the user said, what the agent answered, and the summaries.

    Args:
        call: the circumstances; an agent reads sessions of `own_project` only.
        sessions: the index, which is brought up to the files first.
        name: the session's id, the beginning of it, or a part of its file's name.
        offset: the first message, from 0.
        limit: how many at most.
        own_project: the project in which it is asked.
        session: the agent's session that is told, None outside of any.
        progress: as for `sync_sessions`.

    Raises:
        NoteNotFoundError, AmbiguousIdError: if no session or several answer to the name.
        SearchError: if recalling is switched off, or the file cannot be read.
        BusyError, ReadOnlyError: if the catalog cannot be read.
    """
    if off := switched_off(call, READ, project=own_project, session=session):
        raise SearchError(off.sentence)
    sync_sessions(call, sessions, progress=progress)
    row = find_session(call, sessions, name, own_project=own_project)
    silence = Silence(call)
    shown: list[Message] = []
    total = 0
    try:
        for entry in _messages(row):
            if silence.hides(row.id, entry.id, entry.text):
                continue
            if offset <= total < offset + limit:
                shown.append(_message(call, total, entry))
            total += 1
    except OSError as error:
        raise SearchError(
            f"{row.file} cannot be read ({error.strerror or error}). Check its permissions."
        ) from error
    return SessionPart(row.id, row.file, row.project, row.record.title, total, tuple(shown))


def find_session(
    call: Call, sessions: SessionIndex, name: str, *, own_project: str = ""
) -> SessionRow:
    """The session that answers to a name.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `read_session`.
        BusyError, ReadOnlyError, SearchError: if the catalog cannot be read.
    """
    wanted = name.strip().removesuffix(".jsonl").rpartition("/")[2]
    seen = [row for row in sessions.catalog.rows() if may_see(call, row, own_project)]
    found = [row for row in seen if row.id == wanted]
    if not found and len(wanted) >= SHORTEST:
        found = [row for row in seen if row.id.startswith(wanted)]
        found = found or [row for row in seen if wanted in row.file.rpartition("/")[2]]
    if not found:
        raise NoteNotFoundError(
            f"No session answers to {visible_line(name, 80)!r}.",
            "Look at the ids with `vaultmem session list`.",
        )
    if len({row.id for row in found}) > 1:
        ids = ", ".join(row.id for row in found[:5])
        raise AmbiguousIdError(
            f"Several sessions answer to {visible_line(name, 80)!r}: {ids}.",
            "Give more of the id.",
        )
    return max(found, key=lambda row: row.record.ended)


def _messages(row: SessionRow) -> Iterator[Said | Answered | Summary]:
    for line in read_lines(row.file):
        entry = None if line.data is None else parse_entry(line.data)
        if isinstance(entry, Said | Answered | Summary) and (
            entry.text.strip() or isinstance(entry, Answered)
        ):
            yield entry


def _message(call: Call, number: int, entry: Said | Answered | Summary) -> Message:
    text = redact(entry.text)
    lines = (visible_line(line) for line in text[: MAX_MESSAGE + 1].split("\n"))
    shown = "\n".join(lines).strip()
    shown = shown if len(text) <= MAX_MESSAGE else f"{shown[: MAX_MESSAGE - 1]}…"
    tools = tuple(one.name for one in entry.tools) if isinstance(entry, Answered) else ()
    return Message(number, entry.id, _speaker(entry), moment_of(call, entry.at), shown, tools)


def _speaker(entry: Said | Answered | Summary) -> Speaker:
    if isinstance(entry, Said):
        return Speaker.USER
    return Speaker.AGENT if isinstance(entry, Answered) else Speaker.SUMMARY
