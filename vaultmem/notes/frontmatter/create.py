"""A new note from properties and a body, through a python-frontmatter handler of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter.reading import read
from vaultmem.notes.frontmatter.scalars import same
from vaultmem.notes.frontmatter.wanted import check_names, normalise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.notes.frontmatter.wanted import Wanted


def new_note(properties: Mapping[str, object], body: str) -> bytes:
    """The bytes of a note: its properties in the given order, then the body as it is.

    Values are those of `set_properties`. Without properties there is no block.

    Raises:
        EditRefusedError: a value or name that properties cannot have, or a body that would be read
            as part of the block.
    """
    wanted = {name: normalise(value) for name, value in properties.items()}
    check_names(wanted)
    text = _dump(wanted, body)
    try:
        data = text.encode("utf-8")
        block = read(data)
    except (NoteUnreadableError, UnicodeEncodeError) as error:
        raise _refused() from error
    found = block.properties
    if (
        block.body != body
        or list(found) != list(wanted)
        or not all(same(found[name], value) for name, value in wanted.items())
    ):
        raise _refused()
    return data


def _dump(properties: Mapping[str, Wanted], body: str) -> str:
    from vaultmem.notes.frontmatter.handler import dump

    return dump(properties, body)


def _refused() -> EditRefusedError:
    return EditRefusedError(
        "The text cannot follow its properties without being read as part of them.",
        "Begin it with a line that is not made of dashes, in Unicode without lone surrogates.",
    )
