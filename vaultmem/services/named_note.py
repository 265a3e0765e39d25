"""The link to the knowledge note that a person names for a memory: by path, title or link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.knowledge_link import leads_to, link_to, named_in, without_part
from vaultmem.core.naming import name_key, title_of, without_ending
from vaultmem.core.place import Kind
from vaultmem.errors import AmbiguousIdError, EditRefusedError, NoteNotFoundError
from vaultmem.store.walk import stat_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.services.call import Call

_LISTING = "Look for it with `vaultmem search --in vault`."


def link_of(call: Call, name: str, *, suggested: Sequence[str] = ()) -> str:
    """The value of `vault_ref` that a person means.

    Args:
        call: the circumstances; the baseline is up to date.
        name: the number of a suggestion, counted from 1; a wikilink or the address of a note in
            another vault, which stay as they are; or a note's title or path in the vault, where a
            heading may follow: `Note#Heading`.
        suggested: the links that were suggested, in their order.

    Raises:
        NoteNotFoundError: if there is no such note, or no such suggestion.
        AmbiguousIdError: if several notes have that title.
        EditRefusedError: if the note's name cannot stand in a link, or two notes are linked.
    """
    wanted = name.strip()
    if wanted.isascii() and wanted.isdigit() and not _notes(call, wanted):
        return _numbered(wanted, suggested)
    if named := named_in(wanted):
        _refuse_several(named)
        return wanted
    return link_to_note(call, wanted)


def link_to_note(call: Call, wanted: str) -> str:
    """The link to the person's one note of this title or path; a heading may follow after `#`.

    Raises:
        As `link_of`.
    """
    found, part = _notes(call, wanted), ""
    if not found:
        note, part = without_part(wanted)
        found = _notes(call, note) if part else []
    if not found:
        raise NoteNotFoundError(f"No note of the vault is called {wanted[:80]!r}.", _LISTING)
    if len(found) > 1:
        shown = ", ".join(found[:5])
        raise AmbiguousIdError(f"{wanted[:80]!r} could be {shown}.", "Write the whole path.")
    link = link_to(found[0], part=part)
    if link is None:
        raise EditRefusedError(
            "Its name, or that of the heading, holds what a link cannot, such as `#` or `|`.",
            "Rename it in Obsidian first.",
            path=found[0],
        )
    return link


def the_link_in(text: str) -> str:
    """What the one link in a text names; the text itself where it holds none.

    Raises:
        EditRefusedError: if it holds several.
    """
    named = named_in(text)
    _refuse_several(named)
    return next(iter(named), text.strip())


def _refuse_several(named: Sequence[str]) -> None:
    if len(named) > 1:
        raise EditRefusedError(
            f"It links {len(named)} notes, and a memory links one.", "Name the one that says more."
        )


def notes_named(call: Call, target: str) -> list[str]:
    """The notes of the vault that the target of a wikilink leads to, memories among them."""
    stem = name_key(title_of(target))
    return sorted(path for path in call.vault.baseline.stems(stem) if leads_to(target, path))


def is_in(vault: Path, path: str) -> bool:
    """Whether a vault, of which the folder is given, has the note; `path` without `.md`."""
    try:
        stat_of(vault, f"{path}.md")
    except (OSError, ValueError):
        return False
    return True


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
