"""Read a basic-memory project: notes whose lists hold observations, `- [category] text #tag (why)`.

The format is that of its documentation (https://docs.basicmemory.com, "Knowledge Format"): a note
has a permalink, observations and relations. An observation is one statement, so it is a memory; a
relation connects notes, and a note without observations says nothing in one sentence: both stay.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportKind,
)
from vaultmem.core.model import Cue, Memory
from vaultmem.core.naming import title_of
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.note import (
    CHECKBOX,
    Kind,
    Note,
    Part,
    moment_of,
    open_note,
    text_of,
    texts_of,
)
from vaultmem.store.importers.placed import place_key, scope_of
from vaultmem.store.importers.source import Source

if TYPE_CHECKING:
    from pathlib import Path

_OBSERVATION = re.compile(r"\[(?P<category>[^\[\]()]+)\]\s+(?P<text>\S.*)")
_CLOCK = re.compile(r"\d{1,3}:\d\d[\d:.,\s-]*")
_RELATION = re.compile(r"[^\[\]]*\[\[[^\[\]]+\]\]\s*(?:\([^()]*\))?")
_CONTEXT = re.compile(r"\s*\((?P<context>[^()]*)\)$")
_ONE_TAG = re.compile(r"#([^\s#]+)")
_CATEGORIES = {
    **{str(category): category for category in Category},
    "design": Category.DECISION,
    "architecture": Category.DECISION,
    "convention": Category.PATTERN,
    "method": Category.PATTERN,
    "technique": Category.PATTERN,
    "process": Category.PATTERN,
    "principle": Category.PATTERN,
    "problem": Category.MISTAKE,
    "issue": Category.MISTAKE,
}
"""Ours by what an observation may call its own; any other is a lesson, with its word as a tag."""

RELATIONS = "relations, which connect notes"
NO_OBSERVATION = "notes without observations"
OTHERS = "notes of others, without a permalink"
TASKS = "tasks"
TWICE = "observations that stand there twice"
NO_CATEGORY = "items of lists that are no observations"


class _Observed(NamedTuple):
    category: str
    text: str
    tags: tuple[str, ...]
    context: str


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Every observation of a project's notes.

    Args:
        root: the folder of the project.
        project: the identity of the project of code that all of it is about, or none.

    Raises:
        ImportSourceError: if it is no folder, or no note of it has a permalink.
    """
    source = Source(root)
    reader = _Reader(source, project)
    for file in source.files("", (".md",)):
        if (note := open_note(source, file)) is not None:
            reader.take(note)
    reader.left.update(source.passed)
    if not reader.notes:
        raise ImportSourceError(
            f"{root} is no basic-memory project: no note of it has a `permalink`. Name the folder "
            "that `basic-memory project list` shows; for plain notes use `markdown`."
        )
    notices = []
    if reader.prose or reader.left[NO_OBSERVATION] or reader.left[RELATIONS]:
        notices.append(
            "The notes themselves stay where they are; name the folder under `knowledge_vaults` in "
            "the user config, and memories can be linked to them."
        )
    return Gathered(
        kind=ImportKind.BASIC_MEMORY,
        items=tuple(reader.items.values()),
        quarantined=tuple(source.quarantined),
        left_out=dict(+reader.left),
        notices=tuple(notices),
    )


class _Reader:
    """The notes on their way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self.notes = 0
        self.prose = 0
        """Paragraphs and blocks of the notes, which no list holds."""
        self.left: Counter[str] = Counter()
        self.items: dict[str, ImportedItem] = {}

    def take(self, note: Note) -> None:
        """Take the observations of a note."""
        if not text_of(note.properties, "permalink"):
            self.left[OTHERS] += 1
            return
        self.notes += 1
        found = 0
        for part in note.parts:
            if part.kind is Kind.ITEM:
                found += self._take_item(note, part)
        if not found:
            self.left[NO_OBSERVATION] += 1
        self.prose += sum(part.kind is Kind.PARAGRAPH for part in note.parts)
        self.prose += sum(note.passed.values())

    def _take_item(self, note: Note, part: Part) -> bool:
        """Take an item of a list; whether it is an observation."""
        observed = _observed(part.text)
        if observed is not None:
            self._put(note, part, observed)
        elif CHECKBOX.match(part.text):
            self.left[TASKS] += 1
        elif _RELATION.fullmatch(part.text):
            self.left[RELATIONS] += 1
        else:
            self.left[NO_CATEGORY] += 1
        return observed is not None

    def _put(self, note: Note, part: Part, observed: _Observed) -> None:
        category = _CATEGORIES.get(observed.category.casefold())
        own = () if category is not None else (observed.category,)
        kind = category or Category.LESSON
        key = place_key(self._project, kind, f"{_name(note)}|{observed.text}")
        if key in self.items:
            self.left[TWICE] += 1
            return
        created = moment_of(note.properties, "created", "date")
        memory = Memory(
            id=NO_ID,
            statement=observed.text,
            category=kind,
            scope=scope_of(self._project),
            project=self._project,
            cue=Cue.STRUCTURAL,
            tags=(*own, *observed.tags, *texts_of(note.properties, "tags")),
            created=created,
            updated=moment_of(note.properties, "modified", "updated"),
        )
        piece = ImportedEvidence(
            excerpt=observed.context,
            summary=f"Observed in the note {title_of(note.path)}.",
            ref=f"{_name(note)} ({note.where(part)})",
            created=created,
        )
        self.items[key] = ImportedItem(
            key=key, where=note.where(part), memory=memory, evidence=(piece,)
        )


def _name(note: Note) -> str:
    return text_of(note.properties, "permalink")


def _observed(text: str) -> _Observed | None:
    """What an item of a list observes; None for a task, a link, a line of a transcript, a text."""
    found = _OBSERVATION.fullmatch(text)
    if found is None or CHECKBOX.match(text) or _CLOCK.fullmatch(found["category"].strip()):
        return None
    said, context, tags = found["text"].strip(), "", list[str]()
    for _ in range(2):  # the tags may stand before the context, or behind it
        if (told := _CONTEXT.search(said)) is not None and not context and told.start():
            said, context = said[: told.start()], told["context"].strip()
        said, marks = _without_tags(said)
        tags = [*_ONE_TAG.findall(marks), *tags]
    return _Observed(found["category"].strip(), said.strip(), tuple(tags), context)


def _without_tags(text: str) -> tuple[str, str]:
    """A text in one line without the tags at its end, and those."""
    words = text.split()
    end = len(words)
    while end > 1 and words[end - 1].startswith("#") and words[end - 1] != "#":
        end -= 1
    return " ".join(words[:end]), " ".join(words[end:])
