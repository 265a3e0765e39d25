"""Read a consolidated notebook, `~/.pi/agent/memories`: its handbook, summary and ad-hoc notes.

Facts: notebook, sections 1 and 5. A note that somebody asked for is a memory; what a model wrote
from sessions waits for the person. Session summaries, raw memories and skills stay.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category
from vaultmem.core.evidence import SourceKind
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportKind,
)
from vaultmem.core.model import Cue, Memory
from vaultmem.core.naming import title_of
from vaultmem.core.trust import TrustClass
from vaultmem.store.importers.note import Kind, open_note
from vaultmem.store.importers.placed import place_key, scope_of
from vaultmem.store.importers.said import said_by
from vaultmem.store.importers.source import Source, no_store

if TYPE_CHECKING:
    from pathlib import Path

    from vaultmem.store.importers.note import Note, Part

HANDBOOK, SUMMARY, NOTES = "MEMORY.md", "memory_summary.md", "extensions/ad_hoc/notes"
_SIGNS = (HANDBOOK, SUMMARY, NOTES, "raw_memories.md", "rollout_summaries", "state.sqlite")
_SECTIONS = {
    "user preferences": Category.PREFERENCE,
    "reusable knowledge": Category.LESSON,
    "failures and how to do differently": Category.LESSON,
    "general tips": Category.LESSON,
}
"""The sections whose items are memories, by their headings in lower case."""
_TASK_GROUP = re.compile(r"task group:\s*(.*)", re.IGNORECASE)
_STAMP = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)T(\d\d)-?(\d\d)-?(\d\d)")
_LEFT = {
    "rollout_summaries": ("session summaries", ".md"),
    "skills": ("files of skills", ""),
}
_FILES = {
    "raw_memories.md": "raw memories",
    "phase2_workspace_diff.md": "files of the last run",
    "state.sqlite": "databases",
}
_WROTE = "A model wrote it there, from your sessions."

OTHERS = "items and paragraphs of the handbook that are no memories"
TWICE = "memories that stand there twice"
EMPTY = "notes without a text"


class _Place(NamedTuple):
    """Under which headings a part of the handbook stands."""

    group: str = ""
    category: Category | None = None


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Every memory of a notebook.

    Args:
        root: its folder, `~/.pi/agent/memories` by default.
        project: the project that all of it is of; None if it is of none.

    Raises:
        ImportSourceError: if it is no such folder.
    """
    source = Source(root)
    if not any(map(source.has, _SIGNS)):
        remedy = "Name its folder (`~/.pi/agent/memories` by default)."
        raise no_store(source, "notebook", _SIGNS, remedy)
    return _Reader(source, project).gathered()


class _Reader:
    """One notebook on its way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self._left: Counter[str] = Counter()
        self._items: dict[str, ImportedItem] = {}

    def gathered(self) -> Gathered:
        """Read what was asked for first, so that it does not wait."""
        for file in self._source.files(NOTES, (".md",)):
            if (note := open_note(self._source, file)) is not None:
                self._take_note(note)
        for file in (HANDBOOK, SUMMARY):
            if self._source.has(file) and (note := open_note(self._source, file)) is not None:
                self._take_handbook(note)
        for folder, (called, ending) in _LEFT.items():
            self._left[called] += len(self._source.files(folder, (ending,)))
        for file, called in _FILES.items():
            self._left[called] += self._source.has(file)
        self._left.update(self._source.passed)
        skills = self._left[_LEFT["skills"][0]]
        say = "Copy the folders of `skills` that you want to keep into `Memory/Skills`."
        return Gathered(
            kind=ImportKind.NOTEBOOK,
            items=tuple(self._items.values()),
            quarantined=tuple(self._source.quarantined),
            left_out=dict(+self._left),
            notices=(say,) if skills else (),
        )

    def _take_note(self, note: Note) -> None:
        said = said_by(note, self._left)
        if said is None:
            self._left[EMPTY] += 1
            return
        self._left.update(note.passed)
        for one in said:
            piece = ImportedEvidence(
                excerpt=one.text,
                summary=" ".join(filter(None, (one.below, one.rest))),
                kind=SourceKind.CONVERSATION,
                ref=note.path,
                created=_moment(note.path),
            )
            category = one.category or Category.LESSON
            self._put(note.where(one.part), category, one.text, Cue.EXPLICIT, piece)

    def _take_handbook(self, note: Note) -> None:
        place = _Place()
        self._left.update(note.passed)
        for part in note.parts:
            if part.kind is Kind.HEADING:
                place = _below(place, part)
            elif part.kind is Kind.ITEM and part.level == 1 and place.category is not None:
                group = f" of the task group {place.group}" if place.group else ""
                piece = ImportedEvidence(
                    excerpt=part.text,
                    summary=f"From {note.path}{group}.",
                    kind=SourceKind.GENERATED_CONTENT,
                    trust=TrustClass.GENERATED_CONTENT,
                    ref=note.where(part),
                )
                text = _without_references(part.text)
                self._put(
                    note.where(part), place.category, text, Cue.BEHAVIORAL, piece, waits=_WROTE
                )
            else:
                self._left[OTHERS] += 1

    def _put(
        self,
        where: str,
        category: Category,
        text: str,
        cue: Cue,
        piece: ImportedEvidence,
        *,
        waits: str = "",
    ) -> None:
        key = place_key(self._project, category, text)
        if (there := self._items.get(key)) is not None:
            self._left[TWICE] += 1
            self._items[key] = replace(there, evidence=(*there.evidence, piece))
            return
        memory = Memory(
            id=NO_ID,
            statement=text,
            category=category,
            scope=scope_of(self._project),
            project=self._project,
            cue=cue,
            created=piece.created,
        )
        self._items[key] = ImportedItem(
            key=key, where=where, memory=memory, evidence=(piece,), waits=waits
        )


def _below(place: _Place, heading: Part) -> _Place:
    """The place below a heading."""
    group = _TASK_GROUP.fullmatch(heading.text)
    if group is not None:
        return _Place(group[1])
    return _Place(place.group, _SECTIONS.get(heading.text.casefold()))


def _without_references(text: str) -> str:
    """An item without the `[…]` at its end, which name the sessions that it comes from."""
    end = len(text)
    while text.endswith("]", 0, end):
        start = text.rfind("[", 0, end)
        if start < 0 or "]" in text[start : end - 1]:
            break
        end = start
        while text.endswith(" ", 0, end):
            end -= 1
    return text[:end]


def _moment(path: str) -> datetime | None:
    """The moment in the name of an ad-hoc note."""
    found = _STAMP.match(title_of(path))
    if found is None:
        return None
    try:
        return datetime.fromisoformat("{}-{}-{}T{}:{}:{}".format(*found.groups()))
    except ValueError:
        return None
