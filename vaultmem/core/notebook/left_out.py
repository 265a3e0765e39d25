"""A version of the notebook without what rests on sessions that are left out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.check import skill_of
from vaultmem.core.notebook.citing import (
    Sources,
    cited_handbook,
    cited_summary,
    cited_words,
    cites_source,
)
from vaultmem.core.notebook.legend import with_legend, without_legend
from vaultmem.core.notebook.places import lines_at
from vaultmem.core.notebook.stem import short_hash
from vaultmem.core.notebook.validation import HANDBOOK, SKILLS, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.places import OwnLine

_NAME = re.compile(r"[\w.-]+")
_MARK = re.compile(r"[0-9A-Za-z]{4}")


class Remaining(NamedTuple):
    """The files that are left, and what is not.

    Attributes:
        files: by their paths, relative to the memory root.
        lines: how many lines were left out of the two notes.
        skills: the names of the skills that were left out.
    """

    files: dict[str, bytes]
    lines: int = 0
    skills: tuple[str, ...] = ()


def without_sessions(
    files: Mapping[str, bytes],
    gone: AbstractSet[str],
    *,
    own: AbstractSet[OwnLine],
    foreign: AbstractSet[str],
) -> Remaining:
    """The files without the lines and skills for which no other source is named.

    Args:
        files: a notebook, by paths relative to the memory root.
        gone: the four characters (`core.notebook.stem.short_hash`) of the sessions.
        own: lines that a person wrote; they stay, and so does what cites nothing.
        foreign: the skills that the worker did not make; they stay.
    """
    made, lines = dict(files), 0
    for path in (HANDBOOK, SUMMARY):
        text = _text(files, path)
        if not _names(text, gone):
            continue
        cited = cited_handbook if path == HANDBOOK else cited_summary
        told = without_legend(text) if path == HANDBOOK else text
        all_cited = cited(told, _others(told, frozenset()), frozenset()).text
        bare = frozenset(lines_at(path, told)) - frozenset(lines_at(path, all_cited))
        left = cited(told, _others(told, gone), own | bare)
        after = left.text if told == text else with_legend(left.text)
        made[path] = after.encode()
        lines += len(left.dropped)
    skills = tuple(_unfounded(files, gone, foreign))
    return Remaining(
        {path: data for path, data in made.items() if skill_of(path) not in skills}, lines, skills
    )


def _unfounded(
    files: Mapping[str, bytes], gone: AbstractSet[str], foreign: AbstractSet[str]
) -> Iterable[str]:
    """The worker's skills that cite nothing but these sessions."""
    for name in sorted({skill_of(path) for path in files} - {"", *foreign}):
        text = _text(files, f"{SKILLS}/{name}/SKILL.md")
        if _names(text, gone) and not cites_source(text, _others(text, gone)):
            yield name


def _names(text: str, gone: AbstractSet[str]) -> bool:
    """Whether a text cites one of these sessions."""
    marks = {*cited_words(text), *(short_hash(one) for one in _NAME.findall(text))}
    return not marks.isdisjoint(gone)


def _others(text: str, gone: AbstractSet[str]) -> Sources:
    """What a text cites but for these sessions."""
    names = (one.removesuffix(".md") for one in _NAME.findall(text) if _is_name(one))
    marks = (one for one in cited_words(text) if _MARK.fullmatch(one))
    return Sources(
        files=frozenset(one for one in names if short_hash(one) not in gone),
        hashes=frozenset(marks) - gone,
        notes=True,
    )


def _is_name(word: str) -> bool:
    """Whether a word is the name of an input: a session's, or a note's with its ending."""
    return word.endswith(".md") or bool(short_hash(word))


def _text(files: Mapping[str, bytes], path: str) -> str:
    return files.get(path, b"").decode(errors="replace")
