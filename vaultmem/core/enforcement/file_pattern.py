"""Which files a `file_modified` trigger means: a part of a path, or a glob.

A pattern may begin at any folder of the path, unless it begins with `/`, which is the project's
root. `*` and `?` stay within a name, `**` goes over folders, `[abc]` and `{a,b}` choose. Without
any of them the pattern is a part of the path in whole names: `src/api` means what lies below it,
`Dockerfile` a file or folder of that name. Upper and lower case are two things.
"""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAGIC = re.compile(r"[*?\[{]")
_BRACES = re.compile(r"\{([^{}/]*)\}")
MAX_FORMS = 64
"""Patterns that the braces of one can spell; more are no pattern of a person's."""
MAX_GLOB = 200
"""Characters of a pattern, as of a regular expression; from the topic-file memory, §10."""

_ANY = "**"
_LEADS_OUT = frozenset(("..", "~"))
"""Names that no path has any more when it is compared."""


def is_usable(pattern: str) -> bool:
    """Whether a pattern can mean a file at all."""
    forms = _forms(pattern) if len(pattern) <= MAX_GLOB else ()
    return bool(forms) and all(form and not _LEADS_OUT & {*form} for form in forms)


def means(pattern: str, path: str) -> bool:
    """Whether a pattern means the file at `path`.

    Args:
        pattern: what stands behind `file_modified`.
        path: with `/` between names; relative to the project's root where it lies below that.
    """
    if not is_usable(pattern):
        return False
    names = [name for name in path.split("/") if name not in ("", ".")]
    below = pattern.endswith(("/", "\\")) or not _MAGIC.search(pattern)
    return any(
        _meets(form, names, begins=pattern.startswith(("/", "\\")), below=below)
        for form in _forms(pattern)
    )


@lru_cache(maxsize=256)
def _forms(pattern: str) -> tuple[tuple[str, ...], ...]:
    """The patterns that the braces spell, in names; () where they spell too many."""
    spelled = [pattern.replace("\\", "/")]
    while _BRACES.search(spelled[0]):
        spelled = [form for one in spelled for form in _spell(one)]
        if len(spelled) > MAX_FORMS:
            return ()
    return tuple(tuple(name for name in one.split("/") if name not in ("", ".")) for one in spelled)


def _spell(pattern: str) -> list[str]:
    """The pattern once for each choice of its first braces; all have the same braces left."""
    before, choices, *rest = _BRACES.split(pattern, maxsplit=1)
    return [before + choice + rest[0] for choice in choices.split(",")]


def _meets(form: Sequence[str], names: Sequence[str], *, begins: bool, below: bool) -> bool:
    """Whether the names can be read as the form; `below`: it may end at a folder of the path.

    `there` are the places in `form` that can be reached with the names so far: no form takes more
    time than its length times that of the path.
    """
    there = _closed(form, {0})
    for name in names:
        if below and len(form) in there:
            return True
        there = {
            at if form[at] == _ANY else at + 1
            for at in there
            if at < len(form) and (form[at] == _ANY or _name(form[at]).match(name))
        }
        if not begins:
            there.add(0)
        there = _closed(form, there)
    return len(form) in there


def _closed(form: Sequence[str], there: set[int]) -> set[int]:
    """The places with those behind a `**`, which may stand for no folder at all."""
    found = set(there)
    for at, part in enumerate(form):
        if at in found and part == _ANY:
            found.add(at + 1)
    return found


@lru_cache(maxsize=256)
def _name(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))
