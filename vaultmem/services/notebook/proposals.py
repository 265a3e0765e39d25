"""What extraction would have remembered, as candidates: none becomes a memory by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.model import Cue, Scope
from vaultmem.core.own_words import plain
from vaultmem.core.support import said_by_user
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import CaptureRefusedError
from vaultmem.services.capture import Channel, Source, Wish, add
from vaultmem.services.notebook.transcripts import PLACEHOLDER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.notebook.extraction import Remembered
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.transcripts import Transcript
    from vaultmem.store.sessions.rows import SessionRow


def propose(
    call: Call,
    engine: SearchEngine,
    row: SessionRow,
    transcript: Transcript,
    memories: Iterable[Remembered],
) -> int:
    """Let the statements of a session wait in the inbox; how many wait there now.

    They are of unknown durability, so that no policy applies them; what says a memory that there
    is counts for that memory. A statement with a secret taken out of it is left out.

    Args:
        call: the circumstances; whoever calls, policy acts.
        engine: the search engine of the vault.
        row: the session.
        transcript: what was sent of it.
        memories: what the model answered, without secrets.

    Raises:
        BusyError, NoteError, ReadOnlyError, DiskFailedError: if they cannot be written.
    """
    plain_texts = {turn.text: _plain(turn.text) for turn in transcript.turns}
    waiting: set[str] = set()
    for one in memories:
        if PLACEHOLDER in one.statement:
            continue
        source = _source_of(row, transcript, one, plain_texts)
        wish = Wish(
            text=one.statement,
            category=one.category,
            scope=Scope.PROJECT,
            project=row.project,
            cue=Cue.EXPLICIT if source.user_messages else Cue.BEHAVIORAL,
            durability=Durability.UNKNOWN,
        )
        try:
            done = add(call.by_policy(), engine, wish, source=source)
        except CaptureRefusedError:
            continue  # nothing of the statement can be seen in a note
        if done.outcome == "candidate" and done.id is not None:
            waiting.add(done.id)
    return len(waiting)


def _source_of(
    row: SessionRow, transcript: Transcript, one: Remembered, plain_texts: Mapping[str, str]
) -> Source:
    """Where a statement comes from, by the session's file and not by what the model says of it.

    The user's word counts where the quote stands in their messages and says the statement. What
    only a tool's result says is a text of the repository; a quote that stands nowhere is made up.
    """
    quote = _plain(one.quote)
    heard = tuple(text for text in transcript.messages if quote and quote in plain_texts[text])
    own = [text for text in heard if said_by_user(one.statement, (text,))]
    found = bool(heard) or any(quote in text for text in plain_texts.values())
    trust: TrustClass | None = None
    if quote and not found:
        trust = TrustClass.GENERATED_CONTENT
    elif quote and not heard and any(quote in plain_texts[text] for text in transcript.results):
        trust = TrustClass.REPOSITORY_TEXT
    return Source(
        channel=Channel.EXTRACTION,
        session=row.id,
        project=row.project,
        user_messages=tuple(own) if said_by_user(one.statement, (quote,)) else (),
        trust=trust,
        excerpt=one.quote if found else "",
    )


def _plain(text: str) -> str:
    """The words of a text: white space, case and the form of quotation marks do not count."""
    return " ".join(plain(text).casefold().split())
