"""What a worker left: whether it is a notebook at all, before any of it is published."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.notebook.validation import HANDBOOK, SKILLS, SUMMARY, problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

WRITABLE = (HANDBOOK, SUMMARY, f"{SKILLS}/*/**")
"""What the worker may write, as patterns of its desk."""
_SKILL_PATH = re.compile(
    rf"{SKILLS}/[a-z0-9]+(?:-[a-z0-9]+)*/(?:\w[\w .-]{{,63}}/){{,2}}\w[\w .-]{{,63}}\.md"
)
"""At most two folders within a skill, and 64 characters for a name: a person finds what is there,
and every file system and sync service takes it."""


def may_publish(path: str) -> bool:
    """Whether the worker may have made a file of that name: a skill holds Markdown only."""
    return path in (HANDBOOK, SUMMARY) or _SKILL_PATH.fullmatch(path) is not None


def protected(frozen: AbstractSet[str]) -> tuple[str, ...]:
    """The patterns of skills that the worker did not make, which it may only read."""
    return tuple(f"{SKILLS}/{name}/**" for name in sorted(frozen))


def faults(
    files: Mapping[str, bytes], before: Mapping[str, bytes], frozen: AbstractSet[str]
) -> tuple[str, ...]:
    """Every reason not to publish what the worker left, as sentences; none if it may be.

    Args:
        files: the notebook's files in the worker's folder, by path.
        before: the same files when the work began; those that are unchanged are not judged.
        frozen: the names of skills that the worker did not make.
    """
    return (
        *(f"{one.path}: {one.message}" for one in problems(files)),
        *_faults(files, before, frozen),
    )


def _faults(
    files: Mapping[str, bytes], before: Mapping[str, bytes], frozen: AbstractSet[str]
) -> Iterator[str]:
    changed = {path for path in files.keys() | before.keys() if files.get(path) != before.get(path)}
    for path in sorted(changed & files.keys()):
        if not may_publish(path):
            yield f"{path} is no Markdown file of a skill, at most two folders deep."
        elif not _is_utf8(files[path]):
            yield f"{path} is not UTF-8."
    for name in sorted({skill_of(path) for path in changed} - {""}):
        if name in frozen:
            yield f"The skill {name} is not the worker's, but it was changed."
        elif f"{SKILLS}/{name}/SKILL.md" not in files and any(
            skill_of(path) == name for path in files
        ):
            yield f"The skill {name} has no SKILL.md."


def skill_of(path: str) -> str:
    """The name of the skill that a file belongs to, "" for none."""
    top, _, rest = path.partition("/")
    return rest.partition("/")[0] if top == SKILLS else ""


def skill_files(files: Mapping[str, bytes], name: str) -> dict[str, bytes]:
    """The files of one skill, by their whole paths."""
    return {path: data for path, data in files.items() if skill_of(path) == name}


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
