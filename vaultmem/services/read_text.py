"""Read one note of the vault for an agent: in its scope, as a person sees it, without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.readable import readable
from vaultmem.errors import AgentRefusedError, NoteNotFoundError
from vaultmem.index.documents import is_within
from vaultmem.notes.frontmatter import read_or_plain
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.sync import catch_up
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call


def read_text(call: Call, path: str, *, knowledge: Sequence[str] = ()) -> str:
    """The body of a note, without its properties.

    Args:
        call: the circumstances; an agent reads in the memory root and in `knowledge` only.
        path: relative to the vault; `.md` may be missing.
        knowledge: folders of the vault that the user config opens to the agent, "" for all of it.

    Raises:
        AgentRefusedError: if the note lies where the agent may not read.
        NoteNotFoundError: if there is none, or it says `vaultmem: false`.
        NoteUnreadableError, UnsafePathError: as `read_note`.
    """
    path = path if path.casefold().endswith(".md") else f"{path}.md"
    scope = (call.vault.root, *knowledge)
    if call.agent is not None and "" not in knowledge and not is_within(path, scope):
        raise AgentRefusedError(
            "That note lies outside of what may be read here. Ask the user to show it, or to open "
            "its folder with `knowledge` in the user config."
        )
    catch_up(call)
    block = read_or_plain(read_note(call.vault.path, path))
    if block.properties.get("vaultmem") is False:
        raise NoteNotFoundError(
            "The user keeps that note to themselves.", "Ask them if you need it."
        )
    text = readable(redact(block.body))
    if call.agent is not None:
        remember_shown(call, text.splitlines())
    return text
