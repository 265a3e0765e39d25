"""Read a folder of Markdown notes: what a person, or some other tool, wrote down to be remembered.

Which words of a note are memories says `said`. Where nothing says the category of one, the person
decides. What lies in a vault's memory root and its folder of templates is none of either.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.category import Category
from vaultmem.core.importing.item import (
    NO_ID,
    Gathered,
    ImportedEvidence,
    ImportedItem,
    ImportKind,
)
from vaultmem.core.model import Cue, Memory
from vaultmem.core.wording import count
from vaultmem.errors import ImportSourceError
from vaultmem.store.importers.note import Note, moment_of, open_note, texts_of
from vaultmem.store.importers.placed import place_key, scope_of
from vaultmem.store.importers.said import Said, said_by
from vaultmem.store.importers.source import Source
from vaultmem.store.importers.vault_layout import Layouts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OURS = "notes that vaultmem made"
PRIVATE = "notes that say `vaultmem: false`"
EMPTY = "notes that say nothing in a paragraph or a list"
TWICE = "memories that stand there twice"


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
    reader.left.update(source.passed)
    layouts = Layouts(root)
    for file in files:
        if kept := layouts.keeps(file):
            reader.left[kept] += 1
        elif (note := open_note(source, file)) is not None:
            reader.take(note)
    return Gathered(
        kind=ImportKind.MARKDOWN,
        items=tuple(reader.items.values()),
        quarantined=tuple(source.quarantined),
        left_out=dict(+reader.left),
        notices=tuple(reader.notices()),
    )


class _Reader:
    """The notes on their way."""

    def __init__(self, source: Source, project: str | None) -> None:
        self._source = source
        self._project = project
        self.left: Counter[str] = Counter()
        self.items: dict[str, ImportedItem] = {}
        self.listed = 0
        """Items of lists that go as evidence with the paragraph of their note."""

    def take(self, note: Note) -> None:
        """Take the memories of a note."""
        if note.is_ours:
            self.left[OURS] += 1
        elif note.properties.flag("vaultmem") is False:
            self.left[PRIVATE] += 1
        elif (found := said_by(note, self.left)) is None:
            self.left[EMPTY] += 1
        else:
            self.left.update(note.passed)
            for one in found:
                self._put(note, one)

    def notices(self) -> Iterator[str]:
        """What the person may want to have otherwise."""
        if self.listed:
            told = count(self.listed, "item of a list goes", "items of lists go")
            yield (
                f"{told} as evidence with a paragraph. To make each a memory, end the line above "
                "the list with `:`, or begin the item with its category, `- [lesson] …`."
            )

    def _put(self, note: Note, said: Said) -> None:
        category = said.category or Category.LESSON
        key = place_key(self._project, category, said.text)
        self.listed += said.listed
        where, created = note.where(said.part), moment_of(note.properties, "created", "date")
        rest = ImportedEvidence(
            excerpt=said.rest or said.text,
            summary=said.below,
            ref=where,
            created=created,
        )
        evidence = (rest,) if said.rest or said.context else ()
        if (there := self.items.get(key)) is not None:
            self.left[TWICE] += 1
            self.items[key] = replace(there, evidence=there.evidence + evidence)
            return
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
        self.items[key] = ImportedItem(
            key=key, where=where, memory=memory, evidence=evidence, waits=waits
        )
