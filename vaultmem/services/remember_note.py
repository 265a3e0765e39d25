"""A note that an agent leaves to be worked into the memory later: information, never an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.inert import clean, fence
from vaultmem.errors import CaptureRefusedError
from vaultmem.notes.frontmatter import new_note
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.switch import refuse_switched_off
from vaultmem.services.sync import ensure_current
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from vaultmem.services.call import Call

FOLDER = "Notes"
"""Below the memory root (DESIGN §2)."""
MAX_TEXT = 20_000
"""Characters of a note."""


def remember_note(
    call: Call, title: str, text: str, *, session: str | None = None, project: str | None = None
) -> str:
    """Write the note and return its path; secrets in it are redacted, its text is fenced.

    Args:
        call: the circumstances.
        title: its name.
        text: what is to be kept.
        session: the agent's session, where remembering may be switched off.
        project: the project's identity, likewise.

    Raises:
        CaptureRefusedError: if remembering is switched off, or there is nothing to keep.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    refuse_switched_off(call, project=project, session=session)
    name, body = clean(redact(title)).text, redact(text).strip()
    if not name or not body:
        raise CaptureRefusedError("A note needs a title and a text. Give it both.")
    if len(body) > MAX_TEXT:
        raise CaptureRefusedError(
            f"A note has at most {MAX_TEXT} characters. Keep what matters, or leave several."
        )
    ensure_current(call)
    properties = {"created": call.local, "device": call.vault.device}
    data = new_note(properties, f"{fence(body)}\n")
    with call.vault.lock():
        path = call.vault.free_path(FOLDER, name, call.new_id("log"))
        write = Write(path, data, None, "", "created", call.actor.value, "note")
        write_notes(call, [write])
    return path


def notes_left(call: Call) -> tuple[str, ...]:
    """The paths of the notes that were left, by name."""
    ensure_current(call)
    folder = f"{call.vault.root}/{FOLDER}/"
    return tuple(one for one in call.vault.baseline.paths() if one.startswith(folder))
