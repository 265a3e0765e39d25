"""What the memories are about: every category and every tag, with how hot it is today.

Hotness is the sum of its memories' scores, as in the topic-file memory (section 3). There a pinned
memory has a stand-in score of 9999, so that one pin beats everything; here it counts with the score
that its evidence and age give, and topics say how many are pinned.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Layer
from vaultmem.core.selection import score_on, today, why_nowhere
from vaultmem.core.topic import SUPERSEDES
from vaultmem.core.visible import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.standing import Standing

IDENTITY = "identity"
"""Stands for the category of L1 memories."""


class TopicKind(StrEnum):
    """What makes the memories of a topic one."""

    CATEGORY = "category"
    TAG = "tag"


class Tagged(NamedTuple):
    """A memory with the tags of its note."""

    memory: Standing
    tags: tuple[str, ...]


class Topic(NamedTuple):
    """Memories that are about one thing.

    Attributes:
        name: a category, `identity`, or a tag without `memory/`, in lower case.
        entries: how many there are.
        pinned: how many of them are pinned.
        hotness: the sum of their scores today.
        newest: when one of them was last reinforced or else made, in local seconds; 0.0 where no
            date says.
        characters: of all their statements.
    """

    name: str
    kind: TopicKind
    entries: int
    pinned: int
    hotness: float
    newest: float
    characters: int


def topics(memories: Iterable[Tagged], *, now: float) -> list[Topic]:
    """The topics of what is in force, the hottest first, then by name.

    A memory belongs to its category and to each of its tags; a tag that says what a category says
    is told once. The result does not depend on the order of `memories`.

    Args:
        memories: of one project or of all, also those that are over.
        now: the moment, as `Context.now`.
    """
    members: dict[tuple[str, TopicKind], list[Standing]] = {}
    for memory, tags in sorted(memories, key=lambda one: one.memory.id):
        if not why_nowhere(memory, now):
            for key in _keys(memory, tags):
                members.setdefault(key, []).append(memory)
    day = today(now)
    found = [
        _topic(name, kind, group, day)
        for (name, kind), group in members.items()
        if kind is TopicKind.CATEGORY or members.get((name, TopicKind.CATEGORY)) != group
    ]
    return sorted(found, key=lambda one: (-one.hotness, one.name, one.kind))


def category_name(layer: str, category: str) -> str:
    """The category under which a memory is listed; those of L1 stand apart."""
    return IDENTITY if layer == Layer.IDENTITY else category


def _keys(memory: Standing, tags: tuple[str, ...]) -> Iterator[tuple[str, TopicKind]]:
    yield category_name(memory.layer, memory.category), TopicKind.CATEGORY
    told = (tag for tag in tags if not SUPERSEDES.search(tag))
    names = (visible_line(tag.removeprefix("memory/")).casefold() for tag in told)
    for name in dict.fromkeys(filter(None, names)):
        yield name, TopicKind.TAG


def _topic(name: str, kind: TopicKind, group: list[Standing], day: float) -> Topic:
    return Topic(
        name=name,
        kind=kind,
        entries=len(group),
        pinned=sum(bool(one.pinned) for one in group),
        hotness=sum(score_on(one, day) for one in group),
        newest=max(one.reinforced or one.created for one in group),
        characters=sum(len(one.statement) for one in group),
    )
