"""A skill as an agent reads it, `SKILL.md`: a name, a description, and steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline, inert_value
from vaultmem.core.visible import visible_line
from vaultmem.errors import EditRefusedError
from vaultmem.notes import frontmatter

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NAME = 64
MAX_DESCRIPTION = 1024
"""Characters that agents read of both; from the format of agent skills."""
NO_STEPS = "No steps are told yet; write them here. What is known:"
"""Stands in a draft in place of the steps that its memory does not tell."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def encode_skill(name: str, description: str, steps: Sequence[str], *, source: str) -> bytes:
    """The draft of a skill; captured text in it is inert.

    Args:
        name: small letters, digits and hyphens; the name of its folder.
        description: when to use it, one line.
        steps: what to do, in order; without any, the text says that they are missing.
        source: a wikilink to the memory that it was drawn from.
    """
    # an agent's host puts it into its system prompt, where nothing may look like a tag
    words = visible_line(inert_value(description))
    if len(words) > MAX_DESCRIPTION:
        words = f"{words[: MAX_DESCRIPTION - 1].rstrip()}…"
    title = name.replace("-", " ").capitalize()
    listed = "\n".join(f"{at}. {escape_inline(step)}" for at, step in enumerate(steps, start=1))
    if not listed:
        listed = f"{NO_STEPS}\n\n{escape_inline(description)}"
    body = f"# {title}\n\n## Steps\n\n{listed}\n\n## Where it comes from\n\n{source}\n"
    return frontmatter.new_note({"name": name, "description": words}, body)


def check_skill(data: bytes, name: str) -> bytes:
    """The text of a skill, if an agent can use it as it is.

    Raises:
        EditRefusedError: its name or its description is missing or of another form.
        NoteUnreadableError: its properties cannot be read.
    """
    properties = frontmatter.get_properties(data)
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise EditRefusedError(
            f"`{name[:MAX_NAME]}` is no name of a skill.",
            "Write small letters, digits and hyphens, at most 64, as `skill`.",
        )
    if properties.get("name") != name:
        raise EditRefusedError(
            "The skill calls itself by another name than its folder.",
            f"Write `name: {name}` into its text.",
        )
    description = properties.get("description")
    if not isinstance(description, str) or not 0 < len(description.strip()) <= MAX_DESCRIPTION:
        raise EditRefusedError(
            "The skill does not say when to use it.",
            f"Write a `description` of at most {MAX_DESCRIPTION} characters into its text.",
        )
    return data
