"""The agent's log: one note a day and device, a line for what happened, free to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import clean, escape_inline
from vaultmem.core.place import LOG
from vaultmem.errors import CaptureRefusedError, NoteNotFoundError
from vaultmem.notes import frontmatter
from vaultmem.notes.schema import NoteType
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.log_notes import log_notes
from vaultmem.services.switch import refuse_switched_off
from vaultmem.services.write import Write, write_notes
from vaultmem.store.bounded import Unread, read_inside
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from datetime import date

    from vaultmem.services.call import Call

MAX_LINE = 1_000
"""Characters of a line of the log; what is longer belongs into a note."""
MAX_LOG = 1 << 20
"""Bytes of a log that is read."""


class Logged(NamedTuple):
    """The line as it was written, and its note."""

    path: str
    line: str


def write_log(
    call: Call, text: str, *, session: str | None = None, project: str | None = None
) -> Logged:
    """Add a line to today's log of this device; secrets in it are redacted.

    Args:
        call: the circumstances.
        text: what happened; `#decision` at its beginning stays a tag.
        session: the agent's session, where remembering may be switched off.
        project: the project's identity, likewise.

    Raises:
        CaptureRefusedError: if remembering is switched off, or the text is no line.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    refuse_switched_off(call, project=project, session=session)
    said = clean(redact(text)).text
    if not said:
        raise CaptureRefusedError("A line of the log needs words. Say in a sentence what happened.")
    if len(said) > MAX_LINE:
        raise CaptureRefusedError(
            f"A line of the log has at most {MAX_LINE} characters. Say it shorter, or leave a note."
        )
    line = f"- {call.local:%H:%M:%S} {escape_inline(said)}"
    path = log_path(call, call.local.date(), call.vault.device)
    with call.vault.lock():
        write_notes(call, [_write(call, path, line)])
    return Logged(path, line)


def read_log(call: Call, day: date) -> str:
    """What all devices logged on a day, without properties, secrets redacted; "" for nothing."""
    texts: list[str] = []
    for one in log_notes(call, day, day):
        data = read_inside(call.vault.path, one.path, limit=MAX_LOG)
        if not isinstance(data, Unread):
            texts.append(frontmatter.read_or_plain(data).body.strip())
    return redact("\n".join(filter(None, texts)))


def log_path(call: Call, day: date, device: str) -> str:
    """Where a device's log of a day stands, relative to the vault."""
    return f"{call.vault.root}/{LOG}/{day.isoformat()} agent log {device}.md"


def _write(call: Call, path: str, line: str) -> Write:
    by, via = call.actor.value, "log"
    try:
        old = read_note(call.vault.path, path)
    except NoteNotFoundError:
        identifier = call.new_id("log")
        properties = {
            "id": identifier,
            "type": str(NoteType.LOG),
            "device": call.vault.device,
            "date": call.local.date(),
        }
        new = frontmatter.new_note(properties, f"{line}\n")
        return Write(path, new, None, identifier, "created", by, via)
    block = frontmatter.read(old)
    eol = block.body_eol
    missing = "" if not block.body or block.body.endswith(("\n", "\r")) else eol
    identifier = str(block.properties.get("id") or "")
    new = old + f"{missing}{line}{eol}".encode()
    return Write(path, new, etag_of(old), identifier, "edited", by, via)
