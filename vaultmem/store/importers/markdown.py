"""Read a folder of Markdown notes: what a person, or some other tool, wrote down to be remembered.

A note whose properties name a category, and one that does not begin with a list, is one memory: its
first paragraph. A note that begins with a list is a list of memories, one an item. The category is
what the item, the properties, the heading, the file or the folder says; where nothing says it, the
person decides.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category
from vaultmem.core.importing.entry import FILE_OF, read_entry
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
    MAX_REST,
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

_WORDS = {
    **{str(category): category for category in Category},
    **{name: category for category, name in FILE_OF.items()},
    "conventions": Category.PATTERN,
    "adr": Category.DECISION,
}
"""What a heading, a file or a folder may call a category."""
_WORD = re.compile(r"\w+")

OURS = "notes that vaultmem made"
PRIVATE = "notes that say `vaultmem: false`"
EMPTY = "notes that say nothing in a paragraph or a list"
TASKS = "tasks"
TWICE = "memories that stand there twice"
BELOW = "items and paragraphs that stand below an item"
BESIDE = "paragraphs beside lists"


def read(root: Path, *, project: str | None = None) -> Gathered:
    """Every memory of a folder of notes and of those below it.

    Args:
        root: the folder.
        project: the project that all of them are of; None if they are of none.

    Raises:
        ImportSourceError: if it is no folder, or has no Markdown note.
    """
    source = Source(root)
    files = source.files("", (".md", ".markdown"))
    if not files:
        raise ImportSourceError(f"{root} has no Markdown note. Name the folder that holds them.")
    reader = _Reader(source, project)
    for file in files:
        if (note := open_note(source, file)) is not None:
            reader.take(note)
    return Gathered(
        kind=ImportKind.MARKDOWN,
        items=tuple(reader.items.values()),
        quarantined=tuple(source.quarantined),
        left_out=dict(+reader.left),
    )


class _Said(NamedTuple):
    """One memory of a note, before it has a place."""

    part: Part
    category: Category | None
    text: str
    pinned: bool = False
    rest: str = ""


class _Reader:
    """The notes on their way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self.left: Counter[str] = Counter()
        self.items: dict[str, ImportedItem] = {}

    def take(self, note: Note) -> None:
        """Take the memories of a note."""
        if note.is_ours:
            self.left[OURS] += 1
        elif note.properties.flag("vaultmem") is False:
            self.left[PRIVATE] += 1
        elif (found := self._said(note)) is None:
            self.left[EMPTY] += 1
        else:
            for one in found:
                self._put(note, one)

    def _said(self, note: Note) -> list[_Said] | None:
        named = _WORDS.get(text_of(note.properties, "category").casefold())
        plain = [one for one in note.parts if one.kind is not Kind.HEADING]
        if not plain:
            return None
        first = next((one for one in plain if one.kind is Kind.PARAGRAPH), None)
        if first is not None and (first is plain[0] or named is not None):
            rest = " ".join(one.text for one in plain if one is not first)[:MAX_REST]
            return [_Said(first, named or _by_place(note), first.text, rest=rest)]
        return self._of_list(note, named or _by_place(note))

    def _of_list(self, note: Note, named: Category | None) -> list[_Said]:
        """The items of a note's lists; one below another item goes with that."""
        found: list[_Said] = []
        heading: Category | None = None
        for part in note.parts:
            entry = read_entry(f"- {part.text}")
            if part.kind is Kind.HEADING:
                heading = _by_words(part.text)
            elif part.kind is Kind.PARAGRAPH and part.level == 0:
                self.left[BESIDE] += 1
            elif part.kind is Kind.PARAGRAPH or (part.level > 1 and entry is None):
                self.left[BELOW] += 1
                found[-1:] = [_with_rest(one, part.text) for one in found[-1:]]
            elif entry is not None:
                found.append(_Said(part, entry.category, entry.text, entry.pinned))
            elif CHECKBOX.match(part.text):
                self.left[TASKS] += 1
            else:
                found.append(_Said(part, heading or named, part.text))
        return found

    def _put(self, note: Note, said: _Said) -> None:
        category = said.category or Category.LESSON
        key = place_key(self._project, category, said.text)
        if key in self.items:
            self.left[TWICE] += 1
            return
        where, created = note.where(said.part), moment_of(note.properties, "created", "date")
        memory = Memory(
            id=NO_ID,
            statement=said.text,
            category=category,
            scope=scope_of(self._project),
            project=self._project,
            cue=Cue.EXPLICIT,
            pinned=said.pinned or note.properties.flag("pinned") is True,
            tags=texts_of(note.properties, "tags"),
            created=created,
            updated=moment_of(note.properties, "updated", "modified"),
        )
        waits = "" if said.category else "Nothing there says what kind of memory it is."
        rest = (ImportedEvidence(excerpt=said.rest, ref=where, created=created),)
        self.items[key] = ImportedItem(
            key=key,
            where=where,
            memory=memory,
            evidence=rest if said.rest else (),
            waits=waits,
        )


def _with_rest(said: _Said, text: str) -> _Said:
    return said._replace(rest=f"{said.rest} {text}".strip()[:MAX_REST])


def _by_place(note: Note) -> Category | None:
    """The category that the file's name or its folders tell, the nearest first."""
    *folders, _ = note.path.split("/")
    names = (title_of(note.path), *reversed(folders))
    return next(filter(None, map(_by_words, names)), None)


def _by_words(name: str) -> Category | None:
    words = _WORD.findall(name.casefold().replace("_", " "))
    return next((_WORDS[word] for word in words if word in _WORDS), None)
