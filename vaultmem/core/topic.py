"""What a statement is about and where it holds, as one key that two statements can share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.model import Memory, RuleType, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SUPERSEDES = re.compile(r"\bsupersedes[:/\s]\s*(mem_\w+)", re.IGNORECASE)
"""How a tag or a sentence names the memory that it replaces."""

_GENERIC = frozenset(RuleType) | _set("supersede supersedes")
_NO_TOPIC = _set(
    "the and for with that this from into should always never use uses using instead rather than "
    "not don dont does doing source truth"
)
"""What a topic is not; from the governed memory, but for words of two letters, never counted."""
_TOPIC_WORDS = 5


def slug(text: str) -> str:
    """Lower case, everything but letters and digits one dash; `unknown` where nothing is left."""
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-") or "unknown"


def topic(tags: Iterable[str], statement: str) -> str:
    """What a statement is about: its first tag that says so, else its first telling words."""
    for tag in tags:
        name = tag.removeprefix("memory/")
        if name.replace("-", "_").casefold() not in _GENERIC and not SUPERSEDES.search(tag):
            return slug(name)
    found = re.findall(r"[^\W_]+", statement.casefold())
    telling = [word for word in found if len(word) > 2 and word not in _NO_TOPIC]
    return "-".join(telling[:_TOPIC_WORDS]) or "general"


def normal_key(*, profile: str, level: str, place: str, topic: str, rule: str) -> str:
    """Five slugs: whose it is, the level and place where it holds, the topic, the rule type."""
    return "|".join(map(slug, (profile, level, place, topic, rule)))


def scope_of(memory: Memory) -> tuple[str, ...]:
    """Where a memory holds, so that two that hold in the same place have the same answer."""
    place = {
        Scope.GLOBAL: (),
        Scope.DOMAIN: tuple(sorted(map(str.casefold, memory.domains))),
        Scope.SESSION: (memory.project or "", memory.source_session or ""),
    }.get(memory.scope, (memory.project or "",))
    return (memory.scope, *place)


def key_of(memory: Memory) -> str:
    """The normal key of a memory: statements of one key are about one thing."""
    level, *place = scope_of(memory)
    return normal_key(
        profile=memory.project or "legacy",
        level=level,
        place=" ".join(place),
        topic=topic(memory.tags, memory.statement),
        rule=memory.rule or "memory",
    )
