"""Memories as a topic-file memory keeps them: a line each in `topics/`, and a score record.

Facts: topic-file memory, sections 1 and 2. A file has at most 12,000 characters there, so a long
one goes on in `lessons-2.md`; the category stands in the line, not in the file's name.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.importing.entry import (
    EXPORTED,
    FILE_OF,
    MAX_TOPIC,
    Entry,
    entry_key,
    entry_line,
)
from vaultmem.core.model import Status
from vaultmem.core.scoring import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from vaultmem.core.category import Category
    from vaultmem.core.holdings import Held
    from vaultmem.core.model import Memory

SCORES = "memory-scores.jsonl"
PINNED_SCORE = 9999.0
_ACTIVE, _PROVISIONAL, _CANDIDATE = 1.5, 0.7, 0.4
"""Its thresholds, which are not ours."""

NOT_ACTIVE = "memories that are not active, for which topic files have no word"
TWICE = "memories whose words and category stand there already"
TOO_LONG = "memories that are longer than a topic file may be"

Json = str | int | float | list[str]


class Rendered(NamedTuple):
    """The files of an export, and what of it has no place in them."""

    files: Mapping[str, str]
    """By path below the folder."""
    taken: Mapping[str, int]
    """How many of each kind are in them: {"memories": 3}."""
    left_out: Mapping[str, int]


def topic_files(memories: Iterable[Held], *, at: datetime) -> Rendered:
    """The files of a `.pi/memory` that holds the active memories.

    Args:
        memories: with their live count, their texts one visible line each.
        at: the moment, with its zone.
    """
    left: Counter[str] = Counter()
    held: dict[str, Held] = {}
    for one in memories:
        entry = _entry(one.memory)
        key = entry_key(entry.category, entry.text)
        if one.memory.status is not Status.ACTIVE:
            left[NOT_ACTIVE] += 1
        elif key in held:
            left[TWICE] += 1
        elif len(entry_line(entry)) > MAX_TOPIC - 100:
            left[TOO_LONG] += 1
        else:
            held[key] = one
    names = {str(one.memory.id): key for key, one in held.items()}
    scores = {key: _score(one, names, at) for key, one in held.items()}
    told = {"entries": scores, "lastRebuild": at.isoformat()}
    lines = json.dumps(told, ensure_ascii=False) + "\n"
    files = {**_topics([one.memory for one in held.values()]), SCORES: lines}
    return Rendered(files, {"memories": len(held)}, left)


def _entry(memory: Memory) -> Entry:
    """The memory as an entry; its text is what a reader takes from the line."""
    plain = entry_line(Entry(memory.category, memory.statement))
    text = plain.removeprefix(f"- [{memory.category}] ")
    return Entry(memory.category, text, memory.pinned, memory.enforced)


def _topics(memories: Sequence[Memory]) -> dict[str, str]:
    by_category: dict[Category, list[str]] = defaultdict(list)
    for memory in memories:
        by_category[memory.category].append(entry_line(_entry(memory)) + "\n")
    files: dict[str, str] = {}
    for category, name in FILE_OF.items():
        head = f"# {name.title()}\n"
        for number, lines in enumerate(_parts(by_category[category], len(head)), 1):
            part = "" if number == 1 else f"-{number}"
            files[f"topics/{name}{part}.md"] = head + "".join(lines)
    return files


def _parts(lines: Iterable[str], head: int) -> list[list[str]]:
    """The lines in parts of at most 12,000 characters with the heading."""
    parts: list[list[str]] = []
    size = MAX_TOPIC
    for line in lines:
        if size + len(line) > MAX_TOPIC:
            parts.append([])
            size = head
        parts[-1].append(line)
        size += len(line)
    return parts


def _score(one: Held, names: Mapping[str, str], at: datetime) -> dict[str, Json]:
    """The record of an entry (section 1), with `scope` where it is not the project."""
    memory = one.memory
    since = memory.reinforced or memory.created or at.replace(tzinfo=None)
    age = (at.replace(tzinfo=None) - since).total_seconds()
    plain = score(memory.cue, memory.category, memory.evidence_count, age)
    value = PINNED_SCORE if memory.pinned else plain
    action, _, command = (memory.action or "").partition(" ")
    record: dict[str, Json] = {
        EXPORTED: memory.id,
        "class": memory.category.value,
        "score": round(value, 6),
        "evidenceCount": memory.evidence_count,
        "cue": memory.cue.value,
        "firstSeen": (memory.created or since).isoformat(),
        "lastReinforced": since.isoformat(),
        "userState": "pinned" if memory.pinned else "auto",
        "lifecycle": _lifecycle(value, kept=memory.pinned or memory.enforced),
        "trigger": memory.trigger or "",
        "action": action,
        "actionCommand": command,
        "verifier": memory.verifier or "",
        "sourceSession": memory.source_session or "",
        "derivedFrom": [names[name] for name in one.derived_from if name in names],
        "informs": [names[name] for name in one.informs if name in names],
        "scope": "" if memory.scope == "project" else memory.scope.value,
        "expiresAt": memory.expires.isoformat() if memory.expires is not None else "",
    }
    return {key: said for key, said in record.items() if said not in ("", [])}


def _lifecycle(value: float, *, kept: bool) -> str:
    if kept or value >= _ACTIVE:
        return "active"
    if value >= _PROVISIONAL:
        return "provisional"
    return "candidate" if value >= _CANDIDATE else "dropped"
