"""Which sessions may be extracted now, by the rules of notebook.md, section 4."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.notebook.card import is_session_name
from vaultmem.core.notebook.settings import DAY_SECONDS, HOUR_SECONDS
from vaultmem.services.notebook.sending import MaySend
from vaultmem.store.notebook.modes import SessionMode

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.sessions.rows import SessionRow

SCAN_LIMIT = 5_000
"""Sessions that are looked at, the newest first; notebook.md, section 2."""

_SUB_AGENT = re.compile(r"\s*you are (?:an? )?(?:delegated )?sub-?agent\b", re.IGNORECASE)
"""How the work of a sub-agent begins; its session is a part of another one."""
EXTERNAL_TOOL = re.compile(
    r"mcp_.*|.*__.*|(?:.*_)?(?:web|browser|fetch|url|http)(?:_.*)?|web(?:search|fetch)",
    re.IGNORECASE,
)
"""A tool that reads what people write whom nobody here knows: the web, or another server's."""


def eligible(
    call: Call,
    rows: Iterable[SessionRow],
    catalog: NotebookCatalog,
    settings: NotebookSettings,
    *,
    projects: Collection[str],
    own_session: str = "",
) -> Iterator[SessionRow]:
    """The sessions that may be extracted, the newest first; a claim decides about each.

    Args:
        call: the circumstances.
        rows: all sessions that are known.
        catalog: knows the sessions for which extraction is off.
        settings: for how long a session rests, and until when it counts.
        projects: identities of those in which the notebook is on, in any case.
        own_session: the session that runs now, "" outside of any.

    Raises:
        As the methods of `NotebookCatalog`.
    """
    may_send = MaySend(call, projects)
    modes = catalog.modes.all()
    now = call.now.timestamp()
    oldest = now - settings.max_age_days * DAY_SECONDS
    newest = now - settings.idle_hours * HOUR_SECONDS
    for row in newest_first(rows)[:SCAN_LIMIT]:
        if (
            oldest <= watermark(row) <= newest
            and row.id != own_session
            and _is_a_persons(row)
            and may_send.of(row.project, row.id)
            and modes.get(row.id, SessionMode()).counts
        ):
            yield row


def newest_first(rows: Iterable[SessionRow]) -> list[SessionRow]:
    """Each session once, as its newest file has it; the one that changed last comes first."""
    ordered = sorted(rows, key=lambda row: (watermark(row), row.id, row.file), reverse=True)
    newest: dict[str, SessionRow] = {}
    for row in ordered:
        newest.setdefault(row.id, row)
    return list(newest.values())


def watermark(row: SessionRow) -> float:
    """When a session was changed last, in seconds of the Unix epoch.

    That is its last entry; the file's own time counts only where no entry tells one, because a
    copied file has a new one.
    """
    return row.record.ended or row.changed / 1e9


def reads_elsewhere(tools: Iterable[str]) -> bool:
    """Whether one of these tools reads the web or another server."""
    return any(EXTERNAL_TOOL.fullmatch(tool) for tool in tools)


def _is_a_persons(row: SessionRow) -> bool:
    """Whether a person spoke in it, it was not put away, and a note can name it."""
    return (
        not row.archived
        and row.record.messages > 0
        and not _SUB_AGENT.match(row.record.first)
        and is_session_name(row.id)
    )
