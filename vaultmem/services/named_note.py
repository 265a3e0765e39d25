"""The link to the knowledge note that a person names for a memory: by path, title or link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.knowledge_link import elsewhere, leads_to, link_to
from vaultmem.core.naming import link_targets, name_key, title_of, without_ending
from vaultmem.core.place import Kind
from vaultmem.errors import AmbiguousIdError, EditRefusedError, NoteNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call

_LISTING = "Look for it with `vaultmem search --in vault`."


def link_of(call: Call, name: str, *, suggested: Sequence[str] = ()) -> str:
    """The value of `vault_ref` that a person means.

    Args:
        call: the circumstances; the baseline is up to date.
        name: the number of a suggestion, counted from 1; a wikilink or the address of a note in
            another vault, which stay as they are; or a note's title or path in the vault.
        suggested: the links that were suggested, in their order.

    Raises:
        NoteNotFoundError: if there is no such note, or no such suggestion.
        AmbiguousIdError: if several notes have that title.
        EditRefusedError: if the note's name cannot stand in a link.
    """
    wanted = name.strip()
    if wanted.isascii() and wanted.isdigit() and not _notes(call, wanted):
        return _numbered(wanted, suggested)
    if any(link_targets([wanted])) or elsewhere(wanted) is not None:
        return wanted
    found = _notes(call, wanted)
    if not found:
        raise NoteNotFoundError(f"No note of the vault is called {wanted[:80]!r}.", _LISTING)
    if len(found) > 1:
        shown = ", ".join(found[:5])
        raise AmbiguousIdError(f"{wanted[:80]!r} could be {shown}.", "Write the whole path.")
    link = link_to(found[0])
    if link is None:
        raise EditRefusedError(
            "Its name holds what a link cannot, such as `#` or `|`.",
            "Rename the note in Obsidian first.",
            path=found[0],
        )
    return link


def notes_named(call: Call, target: str) -> list[str]:
    """The notes of the vault that the target of a wikilink leads to, memories among them."""
    stem = name_key(title_of(target))
    return sorted(path for path in call.vault.baseline.stems(stem) if leads_to(target, path))


def _notes(call: Call, name: str) -> list[str]:
    """The person's notes that have this title or path; memories and machine notes are none."""
    rows = map(call.vault.baseline.note, notes_named(call, name))
    found = [row.path for row in rows if row is not None and row.kind == Kind.KNOWLEDGE]
    exact = [path for path in found if without_ending(path) == without_ending(name)]
    return exact or found


def _numbered(number: str, suggested: Sequence[str]) -> str:
    if not 1 <= int(number) <= len(suggested):
        raise NoteNotFoundError(
            f"There is no suggestion {int(number)}.",
            "See them with `vaultmem inbox`, or give the note's title.",
        )
    return suggested[int(number) - 1]
