"""How a memory links to a knowledge note, in its own vault or in another one.

A note of the same vault is a wikilink with its whole path, `[[Notes/X|X]]`, because two notes may
share a base name; of one in no folder the path is the name. A note of another vault is a Markdown
link to an `obsidian://open` address, which text properties show as a link since Obsidian 1.11 and
which names no path of this machine.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.core.inert import clean
from vaultmem.core.naming import link_targets, title_of, without_ending

_UNLINKABLE = re.compile(r"[\[\]#^|\\]|%%|\s(?:/|$)")
"""What ends or changes the target of a wikilink (facts on Obsidian, section 2); blanks at an end
are not kept."""

_ADDRESS = re.compile(r"obsidian://open\?vault=([^&\s()]+)&file=([^&\s()]+)")


_WIKILINK = re.compile(r"\[\[([^\[\]|#][^\[\]|]*)(?:\|[^\[\]]*)?\]\]")
_NO_HEADING = re.compile(r"[\[\]|\\]|%%")
"""What ends a link where a heading is named in it."""


class Elsewhere(NamedTuple):
    """A note of another vault, as a link names it."""

    vault: str
    """The other vault's name, which is that of its folder."""
    path: str
    """Relative to that vault, without `.md`."""


def link_to(path: str, *, vault: str = "", part: str = "") -> str | None:
    """The link to a note.

    Args:
        path: relative to its vault, with `/`.
        vault: the name of the other vault that it is in; "" for the memory's own.
        part: a heading of a note in the own vault, or `^` and the id of a block; "" for all of it.

    Returns:
        The value of `vault_ref`, or None where the name holds what a link cannot.
    """
    target, title = without_ending(path), title_of(path)
    if _UNLINKABLE.search(f"{vault}/{target}") or clean(path).text != path:
        return None
    if not vault:
        if _NO_HEADING.search(part) or clean(part).text != part:
            return None
        inner = f"{target}#{part}" if part else target
        return f"[[{inner}]]" if inner == title else f"[[{inner}|{title}]]"
    from urllib.parse import quote  # rare, and slow to import

    return f"[{title}](obsidian://open?vault={quote(vault, safe='')}&file={quote(target, safe='')})"


def elsewhere(text: str) -> Elsewhere | None:
    """The note of another vault that a link names, None for every other text."""
    found = _ADDRESS.search(text)
    if found is None:
        return None
    from urllib.parse import unquote  # as above

    return Elsewhere(unquote(found[1]), without_ending(unquote(found[2])))


def named_in(text: str) -> list[str]:
    """What each link in a text names: of a wikilink all but the shown text, else the address."""
    inner = [found.strip() for found in _WIKILINK.findall(text)]
    return [*inner, *(found[0] for found in _ADDRESS.finditer(text))]


def without_part(target: str) -> tuple[str, str]:
    """The note that the target of a wikilink names, and the heading or block in it, "" for none."""
    note, _, part = target.partition("#")
    return note.strip(), part.strip()


def names_note(link: str, path: str) -> bool:
    """Whether a wikilink leads to the note at `path`."""
    return any(leads_to(target, path) for target in link_targets([link]))


def leads_to(target: str, path: str) -> bool:
    """Whether the target of a wikilink is the note at `path`: all of it, the end, or the name.

    Upper and lower case count as the same, as in Obsidian.
    """
    note, named = (without_ending(one).casefold() for one in (path, target.removeprefix("/")))
    return note == named or note.endswith(f"/{named}")
