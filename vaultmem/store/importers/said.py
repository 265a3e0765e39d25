"""What a note of a person says to be remembered: one memory with what speaks for it, or a list.

A note is one memory, its first paragraph, and the rest of it is evidence. What begins with a list,
or with a line that ends in `:` above one, is a list of memories: a note without a category of its
own, and in any other the part below a heading that names a category. An item that says itself which
category it is of (`- [lesson] …`) is a memory wherever it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category
from vaultmem.core.importing.entry import FILE_OF, read_entry
from vaultmem.core.naming import title_of
from vaultmem.store.importers.note import CHECKBOX, Kind, Note, Part, text_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

_WORDS = {
    **{str(category): category for category in Category},
    **{name: category for category, name in FILE_OF.items()},
    "conventions": Category.PATTERN,
    "adr": Category.DECISION,
}
"""What a heading, a file or a folder may call a category."""
_WORD = re.compile(r"\w+")
MAX_REST = 10_000
"""Characters of a note that go with one memory as evidence: about ten pieces."""

TASKS = "tasks"
BELOW = "items and paragraphs below an item, which go with it as evidence"
BELOW_TASK = "items and paragraphs below a task"
BESIDE = "paragraphs beside lists"
OVER = "items and paragraphs of long notes, which stay there"


class Said(NamedTuple):
    """One memory of a note, before it has a place.

    Attributes:
        part: where it stands.
        category: what the item, its heading, the properties or the note's place say; None if
            nothing does.
        text: without the marks of an item.
        context: the headings and the line that it stands below; "" for none.
        rest: what else its note says with it.
        listed: how many items of lists are in the rest.
    """

    part: Part
    category: Category | None
    text: str
    pinned: bool = False
    context: str = ""
    rest: str = ""
    listed: int = 0

    @property
    def below(self) -> str:
        """The context as evidence tells it; "" for none."""
        return f"Below: {self.context}" if self.context else ""


def said_by(note: Note, left: Counter[str]) -> list[Said] | None:
    """Every memory of a note; None where it has neither a paragraph nor a list.

    Args:
        note: the note.
        left: counts what is not taken, or goes with something else.
    """
    if all(part.kind is Kind.HEADING for part in note.parts):
        return None
    return _Sorting(note, left).sorted()


@dataclass(slots=True, kw_only=True)
class _Growing:
    """A memory to which more of its note may come."""

    said: Said
    rest: list[Part] = field(default_factory=list)
    size: int = 0

    def take(self, part: Part) -> bool:
        """Whether there was room for it."""
        self.size += len(part.text) + 1
        if self.size > MAX_REST + 1:
            return False
        self.rest.append(part)
        return True

    def grown(self) -> Said:
        listed = sum(part.kind is Kind.ITEM for part in self.rest)
        return self.said._replace(rest=" ".join(part.text for part in self.rest), listed=listed)


class _Sorting:
    """The parts of one note on their way."""

    def __init__(self, note: Note, left: Counter[str]) -> None:
        self._parts = note.parts
        self._left = left
        own = _WORDS.get(text_of(note.properties, "category").casefold())
        self._named = own or _by_place(note)
        self._whole = _whole(note.parts, own)
        self._may_list = own is None
        """Whether a part of the note may be a list of memories though the note is one."""
        self._lists = self._whole is None
        """Whether the items that come now are memories."""
        self._headings: list[Part] = []
        self._intro = ""
        self._intro_waits = False
        """Whether the line above a list has not gone with any item yet."""
        self._found: list[_Growing] = []
        self._owner: _Growing | None = None
        """What the parts below an item go with; None below a task."""

    def sorted(self) -> list[Said]:
        if self._whole is not None:
            text = self._whole.text
            self._found.append(_Growing(said=Said(self._whole, self._named, text)))
        for place, part in enumerate(self._parts):
            if part is self._whole:
                continue
            if part.kind is Kind.HEADING:
                self._below(place, part)
            elif part.kind is Kind.PARAGRAPH and part.level == 0:
                self._paragraph(place, part)
            else:
                self._item(part)
        self._announce("")
        return [one.grown() for one in self._found]

    def _below(self, place: int, part: Part) -> None:
        self._headings = [one for one in self._headings if one.level < part.level] + [part]
        self._announce("")
        if self._whole is None:
            return
        named = self._may_list and by_words(part.text) is not None
        self._lists = named and _begins_list(self._parts, place + 1)
        if not self._lists and part.line > self._whole.line:
            self._with(self._found[0], part)

    def _paragraph(self, place: int, part: Part) -> None:
        self._announce(part.text if self._lists and _is_intro(self._parts, place) else "")
        if self._intro:
            return
        if self._whole is None:
            self._left[BESIDE] += 1
        else:
            self._with(self._found[0], part)

    def _announce(self, intro: str) -> None:
        """The line above the list that comes, or none; one with tasks alone below it is left."""
        self._left[BESIDE] += self._intro_waits
        self._intro, self._intro_waits = intro, bool(intro)

    def _item(self, part: Part) -> None:
        """An item of a list, or a paragraph in one."""
        entry = read_entry(f"- {part.text}") if part.kind is Kind.ITEM else None
        if entry is not None:
            self._add(Said(part, entry.category, entry.text, entry.pinned))
        elif part.kind is Kind.PARAGRAPH or part.level > 1:
            self._detail(part)
        elif CHECKBOX.match(part.text):
            self._left[TASKS] += 1
            self._owner = None
        elif self._lists:
            self._add(Said(part, self._category(), part.text))
        else:
            self._owner = self._found[0]
            self._with(self._owner, part)

    def _detail(self, part: Part) -> None:
        """What stands below an item."""
        if self._owner is None:
            self._left[BELOW_TASK] += 1
        elif self._with(self._owner, part) and self._owner.said.part is not self._whole:
            self._left[BELOW] += 1

    def _category(self) -> Category | None:
        heading = by_words(self._headings[-1].text) if self._headings else None
        return by_words(self._intro) or heading or self._named

    def _add(self, said: Said) -> None:
        self._intro_waits = False
        above = [one.text for one in self._headings] + [self._intro]
        self._owner = _Growing(said=said._replace(context=" / ".join(filter(None, above))))
        self._found.append(self._owner)

    def _with(self, owner: _Growing, part: Part) -> bool:
        """Whether a part goes with a memory; where there is no room any more, it is counted."""
        taken = owner.take(part)
        self._left[OVER] += not taken
        return taken


def by_words(name: str) -> Category | None:
    """The category that a heading or a name tells by one of its words."""
    words = _WORD.findall(name.casefold().replace("_", " "))
    return next((_WORDS[word] for word in words if word in _WORDS), None)


def _by_place(note: Note) -> Category | None:
    """The category that the file's name or its folders tell, the nearest first."""
    *folders, _ = note.path.split("/")
    names = (title_of(note.path), *reversed(folders))
    return next(filter(None, map(by_words, names)), None)


def _whole(parts: Sequence[Part], own: Category | None) -> Part | None:
    """The paragraph that is the note's one memory; None where the note is a list of them."""
    if own is None and _begins_list([one for one in parts if one.kind is not Kind.HEADING], 0):
        return None
    return next(
        (
            part
            for place, part in enumerate(parts)
            if part.kind is Kind.PARAGRAPH and part.level == 0 and not _is_intro(parts, place)
        ),
        None,
    )


def _begins_list(parts: Sequence[Part], place: int) -> bool:
    """Whether a list stands at a place, or a line that announces one."""
    if place >= len(parts):
        return False
    return parts[place].kind is Kind.ITEM or _is_intro(parts, place)


def _is_intro(parts: Sequence[Part], place: int) -> bool:
    """Whether a line stands at a place that announces the list behind it."""
    if [part.kind for part in parts[place : place + 2]] != [Kind.PARAGRAPH, Kind.ITEM]:
        return False
    return parts[place].text.rstrip("*_ ").endswith((":", "："))
