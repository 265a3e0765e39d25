"""What in the notebook is a person's, by its versions: their lines, and the skills not ours."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.check import skill_files, skill_of
from vaultmem.core.notebook.citing import Sources, cited_handbook, cited_summary
from vaultmem.core.notebook.legend import LEGEND, without_legend
from vaultmem.core.notebook.places import lines_at
from vaultmem.core.notebook.stem import STEM, short_hash
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.places import OwnLine

PERSON = "person"
MACHINE = "consolidation"
UNPUBLISHED = "unpublished"
"""Whose a version is, as `store.notebook_history.Commit.by` has it; the last one was never in
force, and only keeps what gave way to a version that was restored."""


class Version(NamedTuple):
    """One version of the notebook, and whose it is."""

    by: str
    files: Mapping[str, bytes]


def own_lines(
    versions: Sequence[Version], marks: AbstractSet[str] = frozenset()
) -> frozenset[OwnLine]:
    """The lines of the newest version that a person wrote, each at its place.

    A line, or a fenced block, is whose version brought it, and stays theirs until a version of the
    person's is without it. Three things bring a line and make nobody its author: who moves one
    below another heading; who puts a file back as it was, with or without some of its lines; and
    what was there before all versions, or comes from another machine. Then it is whose it was; and
    where nobody knows, it is the person's if it cites nothing, for no rewrite leaves such a line.

    Args:
        versions: the newest first, down to the first of all; one that was never in force counts as
            the person's where it is the newest.
        marks: the four characters of sessions that are known.
    """
    owners = (_Owner(file, marks) for file in (HANDBOOK, SUMMARY))
    return frozenset(line for owner in owners for line in owner.after(versions))


def own_texts(own: Iterable[OwnLine]) -> frozenset[str]:
    """The lines without their places, those of blocks one by one."""
    return frozenset(line for one in own for line in one.text.split("\n"))


def foreign_skills(versions: Sequence[Version]) -> frozenset[str]:
    """The skills of the newest version that are as somebody else than the worker made them."""
    forced = [one for one in versions if one.by != UNPUBLISHED]
    if not forced:
        return frozenset()
    names = {skill_of(path) for path in forced[0].files} - {""}
    return frozenset(name for name in names if _made_by(name, forced) != MACHINE)


class _Past(NamedTuple):
    """A file as one version had it, and what of it may be the person's."""

    data: bytes
    own: frozenset[OwnLine]


class _Owner:
    """Goes through the versions of one file, the oldest first."""

    def __init__(self, file: str, marks: AbstractSet[str]) -> None:
        self._file = file
        self._marks = marks
        self._past: dict[bytes, _Past] = {}
        """Each text of the file, the newest last."""
        self._read: dict[bytes, frozenset[OwnLine]] = {}

    def after(self, versions: Sequence[Version]) -> frozenset[OwnLine]:
        """The person's lines of the newest version."""
        made = now = _Past(b"", frozenset())
        for version in reversed(versions):
            made = self._next(version, now)
            self._past.pop(made.data, None)
            self._past[made.data] = made
            now = now if version.by == UNPUBLISHED else made
        return made.own & self._lines(made.data)

    def _next(self, version: Version, before: _Past) -> _Past:
        data = version.files.get(self._file, b"")
        if version.by == MACHINE or data == before.data:
            return _Past(data, before.own)
        lines, earlier = self._lines(data), self._lines(before.data)
        own, brought = before.own & lines, lines - earlier
        if past := self._put_back(data, lines, brought):
            return _Past(data, own | (brought & past.own))
        gone = earlier - lines
        own |= _moved(brought, before.own & gone)
        brought = _without_moved(brought, gone)
        is_first = not any(self._past)  # of this file; the other one may have been there
        if is_first or version.by not in (PERSON, UNPUBLISHED):
            brought &= self._unsourced(version)
        return _Past(data, own | brought)

    def _put_back(
        self, data: bytes, lines: AbstractSet[OwnLine], brought: AbstractSet[OwnLine]
    ) -> _Past | None:
        """The newest text that had all of these lines, the same one if it was there before."""
        words = [word.encode() for word in own_texts(brought)]
        for past in (self._past.get(data), *reversed(self._past.values())):
            if past is None or not all(word in past.data for word in words):
                continue  # few have them, and only those are read
            if lines <= self._lines(past.data):
                return past
        return None

    def _lines(self, data: bytes) -> frozenset[OwnLine]:
        if data not in self._read:
            self._read[data] = frozenset(self._said(decoded(data)))
        return self._read[data]

    def _said(self, text: str) -> Iterable[OwnLine]:
        """The lines of the text that somebody may have written."""
        ours = {LEGEND, VERSION}
        return (one for one in lines_at(self._file, text) if one.text not in ours)

    def _unsourced(self, version: Version) -> frozenset[OwnLine]:
        """The lines that cite nothing that may ever have been a source."""
        text = decoded(version.files.get(self._file, b""))
        both = (decoded(version.files.get(file, b"")) for file in (HANDBOOK, SUMMARY))
        stems = frozenset(STEM.findall("\n".join(both)))
        known = Sources(stems, frozenset({*self._marks, *map(short_hash, stems)}), notes=True)
        if self._file == HANDBOOK:
            done = cited_handbook(without_legend(text), known, frozenset())
        else:
            done = cited_summary(text, known, frozenset())
        return frozenset(self._said(text)) - frozenset(self._said(done.text))


def _moved(brought: Iterable[OwnLine], gone: Iterable[OwnLine]) -> frozenset[OwnLine]:
    """The brought lines of which a person's went from another place."""
    theirs = set(map(_words, gone))
    return frozenset(one for one in brought if _words(one) in theirs)


def _without_moved(brought: Iterable[OwnLine], gone: Iterable[OwnLine]) -> frozenset[OwnLine]:
    """The brought lines that are more than those which went from another place."""
    went, came = Counter(map(_words, gone)), Counter(map(_words, brought))
    return frozenset(one for one in brought if came[_words(one)] > went[_words(one)])


def _words(line: OwnLine) -> tuple[str, str]:
    return line.fence, line.text


def _made_by(name: str, versions: Sequence[Version]) -> str:
    """Whose the first of the versions is in which the skill is as it is in the newest."""
    now = skill_files(versions[0].files, name)
    return next(one.by for one in reversed(versions) if skill_files(one.files, name) == now)


def decoded(data: bytes) -> str:
    """The text with its lines ended alike; nothing but a line feed ends one."""
    return data.decode(errors="replace").replace("\r\n", "\n").replace("\r", "\n")
