"""A note that an agent leaves to be worked into the memory later: information, never an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.budget import shorten
from vaultmem.core.inert import clean, escape_inline, fence
from vaultmem.core.notebook.ad_hoc import asked_to_keep, note_names
from vaultmem.errors import AgentRefusedError, CaptureRefusedError, NameTakenError
from vaultmem.notes.frontmatter import new_note
from vaultmem.notes.schema import NoteType
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.switch import refuse_switched_off
from vaultmem.services.sync import ensure_current
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.services.call import Call

FOLDER = "Notes"
"""Below the memory root (DESIGN §2)."""
MAX_TEXT = 20_000
"""Characters of a note."""
TITLE_QUARTERS = 800
"""Of a title in the note: 200 tokens."""


def remember_note(
    call: Call,
    title: str,
    text: str,
    *,
    said: Iterable[str] = (),
    request: str = "",
    session: str | None = None,
    project: str | None = None,
) -> str:
    """Write the note and return its path; secrets in it are redacted, its text is fenced.

    Args:
        call: the circumstances; an agent leaves a note only if the user asked it to.
        title: a few words, or a whole name as `core.notebook.ad_hoc.note_names` has it.
        text: what is to be kept.
        said: the user's messages of the session.
        request: the words by which they asked, as the agent quotes them.
        session: the agent's session, where remembering may be switched off.
        project: the project's identity, likewise.

    Raises:
        AgentRefusedError: if an agent calls and the user did not ask.
        CaptureRefusedError: if remembering is switched off, there is nothing to keep, or the title
            is a name of another form.
        NameTakenError: if there is a note of that name.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    refuse_switched_off(call, project=project, session=session)
    name, body = clean(redact(title)).text, redact(text).strip()
    if call.agent is not None and not asked_to_keep(said, request):
        raise AgentRefusedError(
            "A note is left only when the user asks for it, and no message of theirs in this "
            "session does. Ask them; then repeat their words in `request`."
        )
    if not name or not body:
        raise CaptureRefusedError("A note needs a title and a text. Give it both.")
    if len(body) > MAX_TEXT:
        raise CaptureRefusedError(
            f"A note has at most {MAX_TEXT} characters. Keep what matters, or leave several."
        )
    ensure_current(call)
    data = _note(call, name, body, session=session, project=project)
    with call.vault.lock():
        path = _free_path(call, name)
        write = Write(path, data, None, "", "created", call.actor.value, "note")
        write_notes(call, [write])
    return path


def _note(call: Call, name: str, body: str, *, session: str | None, project: str | None) -> bytes:
    properties: dict[str, object] = {
        "id": call.new_id("log"),
        "type": str(NoteType.REMEMBER),
        "created": call.local,
        "device": call.vault.device,
    }
    properties |= {"project": project} if project else {}
    properties |= {"source_session": session} if session else {}
    heading = escape_inline(shorten(name, TITLE_QUARTERS))
    return new_note(properties, f"# {heading}\n\n{fence(body)}\n")


def _free_path(call: Call, title: str) -> str:
    """Where a note of that title goes: its base name is unique in the vault, its form kept."""
    for name in note_names(title, call.local):
        path = f"{call.vault.root}/{FOLDER}/{name}.md"
        if call.vault.is_free(name, path):
            return path
    raise NameTakenError("There is a note of that name.", "Choose another title.")


def notes_left(call: Call) -> tuple[str, ...]:
    """The paths of the notes that were left, by name."""
    ensure_current(call)
    folder = f"{call.vault.root}/{FOLDER}/"
    return tuple(one for one in call.vault.baseline.paths() if one.startswith(folder))
