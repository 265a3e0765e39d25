"""What the report tells beside memories: questions, scratchpad, log, proposals, guidelines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.place import SCRATCHPAD, Kind, is_review_note
from vaultmem.core.query_class import QueryClass
from vaultmem.core.report import Extras
from vaultmem.services.log_notes import log_notes
from vaultmem.store.bounded import Unread, read_inside

if TYPE_CHECKING:
    from vaultmem.core.context import Context
    from vaultmem.services.call import Call

MAX_BYTES = 262_144
"""Of a note that is read for the report; a longer one is not looked at."""


def extras(call: Call, context: Context, kind: QueryClass) -> Extras:
    """The lines for one report; what is not there costs no import.

    Args:
        call: the circumstances; the baseline is up to date.
        context: of the report.
        kind: what its prompt asks for.
    """
    return Extras(
        inquiries=_inquiries(call, context),
        scratchpad=open_tasks(call),
        log=_log(call),
        promotions=_promotions(call, context),
        guidelines=_guidelines(call, context) if kind is QueryClass.PR_REVIEW else (),
    )


def _inquiries(call: Call, context: Context) -> tuple[str, ...]:
    if not call.vault.baseline.paths(kind=Kind.INQUIRY.value):
        return ()
    from vaultmem.services.inquiring.notes import open_inquiries  # most vaults have none

    found = open_inquiries(call, project=context.project, prompt=context.prompt)
    return tuple(one.question for one in found)


def _promotions(call: Call, context: Context) -> tuple[str, ...]:
    if not call.vault.baseline.paths(kind=Kind.PROMOTION.value):
        return ()
    from vaultmem.services.promoting.lines import proposed  # likewise

    return proposed(call, project=context.project)


def _guidelines(call: Call, context: Context) -> tuple[str, ...]:
    """What was learned of reviews."""
    there = call.vault.baseline.paths(kind=Kind.ROOT.value)
    if not any(is_review_note(path, call.vault.root) for path in there):
        return ()
    from vaultmem.services.reviewing.guidelines import told_guidelines  # most vaults have none

    return told_guidelines(call, context.project)


def open_tasks(call: Call) -> tuple[str, ...]:
    """The open items of the scratchpad, without secrets."""
    text = _text(call, f"{call.vault.root}/{SCRATCHPAD}")
    if not text:
        return ()
    from vaultmem.core.scratchpad import open_items

    return _redacted(open_items(text))


def _log(call: Call) -> tuple[str, ...]:
    """The digest of what all devices logged today, by the person's clock."""
    today = call.local.date()
    paths = [one.path for one in log_notes(call, today, today)]
    if not paths:
        return ()
    from vaultmem.core.digest import daily_digest  # a day begins without a log

    return _redacted(daily_digest("\n".join(map(_body, (_text(call, path) for path in paths)))))


def _text(call: Call, path: str) -> str:
    data = read_inside(call.vault.path, path, limit=MAX_BYTES)
    return "" if isinstance(data, Unread) else data.decode("utf-8", "replace")


def _body(text: str) -> str:
    """A note without its properties."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return text
    end = text.find("\n---\n", 3)
    return "" if end < 0 else text[end + 5 :]


def _redacted(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Lines that nobody guarded on their way in, without secrets on their way out."""
    if not lines:
        return ()
    from vaultmem.services.capturing.secret_scan import redact  # many patterns

    return tuple(map(redact, lines))
