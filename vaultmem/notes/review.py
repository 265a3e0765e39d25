"""The note of a project's review guidelines: whose it is, what it says, and one more line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.naming import title_of
from vaultmem.core.path_key import path_key
from vaultmem.core.reviewing.guidelines import accepted, find, guidelines, with_guideline
from vaultmem.notes import frontmatter

if TYPE_CHECKING:
    from vaultmem.core.reviewing.guidelines import Guideline

TYPE = "review"


class ReviewNote(NamedTuple):
    """A note of guidelines.

    Attributes:
        project: the project's identity; "" where the note does not say.
        guidelines: their lines counted from the note's first.
    """

    project: str
    guidelines: tuple[Guideline, ...]


def new_review_note(project: str, name: str) -> bytes:
    """A note without guidelines.

    Args:
        project: the project's identity.
        name: the base name of the note.
    """
    heading = f"# Review guidelines of {name}\n\n"
    return frontmatter.new_note({"type": TYPE, "project": project}, heading)


def decode_review(data: bytes) -> ReviewNote:
    """What a note says.

    Raises:
        NoteUnreadableError: if its properties cannot be read, or it is no UTF-8 text.
    """
    block = frontmatter.read(data)
    project = block.properties.get("project")
    above = block.body_line - 1
    return ReviewNote(
        project.strip() if isinstance(project, str) else "",
        tuple(one._replace(line=one.line + above) for one in guidelines(block.body)),
    )


def is_about(note: ReviewNote, path: str, project: str) -> bool:
    """Whether a note is of a project: by its property, else by its name.

    Args:
        note: what it says.
        path: where it lies.
        project: the project's identity, whose last part names a note that says no project.
    """
    if note.project:
        return note.project.casefold() == project.casefold()
    return path_key(title_of(path)) == path_key(project.rpartition("/")[2])


def add_to_review(data: bytes, guideline: str, *, proposed: bool) -> bytes:
    """The note with one more guideline, or with the one that says this ticked.

    Every other byte stays.

    Args:
        data: the note.
        guideline: visible characters in one line.
        proposed: whether it waits for the person; then a proposal that is there stays as it is.

    Raises:
        NoteUnreadableError: as `decode_review`.
    """
    block = frontmatter.read(data)
    known = find(guidelines(block.body), guideline)
    if known is None:
        body = with_guideline(block.body, guideline, proposed=proposed)
    elif known.mark < 0 or proposed:
        return data
    else:
        body = accepted(block.body, known)
    return frontmatter.with_body(data, block, body)
