"""What in the notebook is a person's, by its versions: their lines, and the skills not ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.check import skill_files, skill_of
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PERSON = "person"
MACHINE = "consolidation"
UNPUBLISHED = "unpublished"
"""Whose a version is, as `store.notebook_history.Commit.by` has it; the last one was never in
force, and only keeps what gave way to a version that was restored."""


class Version(NamedTuple):
    """One version of the notebook, and whose it is."""

    by: str
    files: Mapping[str, bytes]


def own_lines(versions: Sequence[Version]) -> frozenset[str]:
    """The lines, stripped, that a person wrote into the notebook in any of the versions.

    A file that they put back as an earlier version had it makes no line of it theirs.

    Args:
        versions: the newest first; the last one is taken as the beginning of all.
    """
    found: set[str] = set()
    forced = _in_force(versions)
    for at, version in enumerate(forced):
        earlier = forced[at + 1 :]
        if version.by == PERSON:
            before = earlier[0].files if earlier else {}
            found |= _lines(_written(version.files, earlier)) - _lines(before)
    return frozenset(found)


def foreign_skills(versions: Sequence[Version]) -> frozenset[str]:
    """The skills of the newest version that are as somebody else than the worker made them."""
    forced = _in_force(versions)
    if not forced:
        return frozenset()
    names = {skill_of(path) for path in forced[0].files} - {""}
    return frozenset(name for name in names if _made_by(name, forced) != MACHINE)


def _in_force(versions: Sequence[Version]) -> list[Version]:
    return [one for one in versions if one.by != UNPUBLISHED]


def _written(files: Mapping[str, bytes], earlier: Sequence[Version]) -> dict[str, bytes]:
    """The files that are not as they were in an earlier version."""
    return {
        path: data
        for path, data in files.items()
        if all(one.files.get(path) != data for one in earlier)
    }


def _made_by(name: str, versions: Sequence[Version]) -> str:
    """Whose the first of the versions is in which the skill is as it is in the newest."""
    now = skill_files(versions[0].files, name)
    return next(one.by for one in reversed(versions) if skill_files(one.files, name) == now)


def _lines(files: Mapping[str, bytes]) -> set[str]:
    texts = (files.get(path, b"").decode(errors="replace") for path in (HANDBOOK, SUMMARY))
    return {line.strip() for text in texts for line in text.splitlines()} - {""}
