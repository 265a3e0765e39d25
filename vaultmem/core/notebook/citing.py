"""Which lines of a rewritten notebook say where they come from; the others are left out.

In `MEMORY.md` a task stands by the inputs that its `rollout_summary_files` names, and every other
line below a heading by a citation: `[Task 2]` of its own group, `[jqmb]` of a session, or
`[ad-hoc note]`. In `memory_summary.md` every line cites a session or a note. A citation counts only
where its source is among the inputs of this rewrite, so what lost its last source goes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.outline import Item, Section, is_bullet, outline
from vaultmem.core.notebook.places import OwnLine, blocks, headed
from vaultmem.core.notebook.stem import short_hash
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from vaultmem.core.notebook.places import Headings

AD_HOC = "ad-hoc note"
"""How a text cites the ad-hoc notes (facts/notebook.md §5)."""
_CITATION = re.compile(r"\[([^\[\]\n]+)\]")
TASK = re.compile(r"Task\s+(\d+)\b", re.IGNORECASE)
"""The title of a task within its group, and a citation of it."""
_GROUP = re.compile(r"Task Group\b", re.IGNORECASE)
_FILES = re.compile(r"rollout_summary_files\b", re.IGNORECASE)
_WORD = re.compile(r"[\w.-]+")
_SCOPE = re.compile(r"(?:[-*+]\s+)?(?:scope|applies_to):", re.IGNORECASE)


class Sources(NamedTuple):
    """What a line may cite."""

    files: frozenset[str]
    """File names, without `.md`, of the selected summaries and of the ad-hoc notes."""
    hashes: frozenset[str]
    """The four characters of each selected summary (`core.notebook.stem.short_hash`)."""
    notes: bool
    """Whether there are ad-hoc notes."""


class Cited(NamedTuple):
    """A text without the lines that cite nothing."""

    text: str
    dropped: tuple[str, ...]
    """The lines that were left out, in their order."""
    kept: int
    """How many pieces of content are left: bullets, paragraphs, tasks' lines."""


def sources(stems: Iterable[str], notes: Iterable[str]) -> Sources:
    """What may be cited, from the stems of the selected cards and the notes' file names."""
    names = tuple(stems)
    left = tuple(name.removesuffix(".md") for name in notes)
    return Sources(
        files=frozenset((*names, *left)),
        hashes=frozenset(filter(None, map(short_hash, names))),
        notes=bool(left),
    )


def cited_handbook(text: str, known: Sources, own: AbstractSet[OwnLine]) -> Cited:
    """`MEMORY.md` without what cites nothing.

    Args:
        text: what the worker wrote.
        known: what may be cited.
        own: lines that the person wrote; where they wrote them they stay word for word.
    """
    sections = outline(text)
    tasks = _tasks(sections, known)
    result = _Filter(HANDBOOK, own)
    for number, (headings, section) in enumerate(headed(sections)):
        group = tasks[number]
        task = group.task
        if task is not None:
            is_file = _FILES.match(section.title) is not None
            result.section(headings, section, _in_task(group, task, known, is_file=is_file))
        else:
            result.section(headings, section, _in_group(section, group, known))
    return result.done(text)


def cited_summary(text: str, known: Sources, own: AbstractSet[OwnLine]) -> Cited:
    """`memory_summary.md` without what cites nothing; arguments as `cited_handbook`."""
    first, end, rest = text.partition("\n")
    result = _Filter(SUMMARY, own)
    for headings, section in headed(outline(rest)):
        result.section(headings, section, lambda item: _cites(item, known, frozenset()))
    done = result.done(rest)
    return done._replace(text=f"{first}{end}{done.text}")


def cited_words(text: str) -> Iterator[str]:
    """What a text cites: each part of what stands in square brackets."""
    for inside in _CITATION.findall(text):
        yield from (part.strip() for part in re.split("[,;]", inside))


def cites_source(text: str, known: Sources) -> bool:
    """Whether a text as a whole cites a session or a note, as a skill must."""
    return _cites(Item(0, tuple(text.split("\n"))), known, frozenset())


class _Place(NamedTuple):
    """Where a section stands: the task that it is part of, and the tasks of its group that hold."""

    task: int | None
    valid: frozenset[int]


def _tasks(sections: Sequence[Section], known: Sources) -> list[_Place]:
    """For each section its place."""
    found: list[tuple[int | None, set[int]]] = []
    task: int | None = None
    valid: set[int] = set()
    for section in sections:
        if section.level <= 1:
            task, valid = None, set()
        elif section.level == 2:
            match = TASK.match(section.title)
            task = int(match[1]) if match else None
        names_input = task is not None and _FILES.match(section.title)
        if task is not None and names_input and any(_names(one, known) for one in section.items):
            valid.add(task)
        found.append((task, valid))
    return [_Place(task, frozenset(valid)) for task, valid in found]


def _in_task(
    place: _Place, task: int, known: Sources, *, is_file: bool
) -> Callable[[Item], bool | None]:
    """A task's lines stand with the task; a file that is no input of this rewrite is not named."""
    if task not in place.valid:
        return lambda _: False
    if is_file:
        return lambda item: _names(item, known)
    return lambda _: True


def _in_group(section: Section, place: _Place, known: Sources) -> Callable[[Item], bool | None]:
    """`scope` and `applies_to` go with their group and are no content of their own."""
    is_head = section.level == 1 and _GROUP.match(section.title) is not None

    def judge(item: Item) -> bool | None:
        if is_head and all(_SCOPE.match(line.strip()) for line in item.lines if line.strip()):
            return None
        return _cites(item, known, place.valid)

    return judge


def _names(item: Item, known: Sources) -> bool:
    words = _WORD.findall(" ".join(item.lines))
    return any(word.removesuffix(".md") in known.files for word in words)


def _cites(item: Item, known: Sources, tasks: frozenset[int]) -> bool:
    return any(_counts(word, known, tasks) for word in cited_words("\n".join(item.lines)))


def _counts(word: str, known: Sources, tasks: frozenset[int]) -> bool:
    """Whether one citation names a source that there is."""
    if task := TASK.fullmatch(word):
        return int(task[1]) in tasks
    if word.casefold().partition(":")[0] == AD_HOC:
        return known.notes
    return word in known.hashes or word.removesuffix(".md") in known.files


class _Filter:
    """Collects the lines that stay; a heading stays with what stands below it."""

    def __init__(self, file: str, own: AbstractSet[OwnLine]) -> None:
        self._file = file
        self._own = own
        self._headings: Headings = ()
        self._lines: list[str] = []
        self._waiting: list[Section] = []
        self._dropped: list[str] = []
        self._kept = 0

    def section(
        self, headings: Headings, section: Section, judge: Callable[[Item], bool | None]
    ) -> None:
        """Take a section; `judge` says True to keep an item, None to keep it with its group."""
        self._headings = headings
        while self._waiting and self._waiting[-1].level >= section.level:
            self._waiting.pop()
        self._waiting.append(section._replace(items=()))
        if section.level and self._is_own("", section.head[0].strip()):
            self._open()
        below: int | None = None
        for item in section.items:
            if below is not None and item.indent > below:
                self._drop(item)
                continue
            below = None
            verdict = judge(item)
            if verdict is None:
                self._head(item)
            elif verdict:
                self._keep(item.lines)
            else:
                self._drop(item)
                below = item.indent if is_bullet(item.lines[0]) else None

    def done(self, text: str) -> Cited:
        """What is left; the very text where nothing was left out."""
        if not self._dropped:
            return Cited(text, (), self._kept)
        body = "\n".join(self._lines).rstrip("\n")
        return Cited(f"{body}\n" if body else "", tuple(self._dropped), self._kept)

    def _head(self, item: Item) -> None:
        last = self._waiting[-1]
        self._waiting[-1] = last._replace(items=(*last.items, item))

    def _keep(self, lines: Iterable[str]) -> None:
        self._open()
        self._kept += 1
        self._lines += lines

    def _open(self) -> None:
        """Write the headings that wait, with what goes with them."""
        for number, section in enumerate(self._waiting):
            self._lines += section.head
            for item in section.items:
                self._lines += item.lines
            self._waiting[number] = section._replace(head=(), items=())

    def _drop(self, item: Item) -> None:
        mine: list[str] = []
        for block in blocks(item.lines):
            if self._is_own(block.fence, block.text):
                mine += block.lines
            else:
                self._dropped += (line for line in block.lines if line.strip())
        if mine:
            self._keep(mine)
        if self._lines and self._lines[-1].strip() and not item.lines[-1].strip():
            self._lines.append("")

    def _is_own(self, fence: str, said: str) -> bool:
        return OwnLine(self._file, self._headings, fence, said) in self._own
