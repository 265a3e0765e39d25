"""The promotion queue of a topic-file memory, `promotions.md`: one block for each.

Facts: topic-file memory, section 2. There, a block that lacks a field vanishes at the next write.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.category import Category

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultmem.store.importers.source import Line, Source

FILE = "promotions.md"
_HEADING = re.compile(r"#{1,6}\s")
_BLOCK = re.compile(r"###\s+\S")
_FIELD = re.compile(r"-\s+(?P<name>[a-z_]+):\s*(?P<value>.*)")


class Destination(StrEnum):
    """What a memory was to become."""

    ENFORCEMENT = "enforcement"
    SKILL = "skill"
    PROJECT_RULE = "project_rule"


class Decided(StrEnum):
    """What became of a promotion."""

    PROPOSED = "proposed"
    APPLIED = "applied"
    REJECTED = "rejected"


class Promoted(NamedTuple):
    """One block of the queue."""

    where: str
    destination: Destination
    status: Decided
    category: Category
    text: str
    reason: str
    trigger: str
    action: str
    verifier: str
    evidence: int


def promotions(source: Source, relative: str) -> Iterator[Promoted]:
    """The blocks of the queue; one that lacks what it is about is quarantined."""
    for where, fields in _blocks(source.lines(relative)):
        fault = _fault(fields)
        if fault:
            source.quarantine(where, fault)
            continue
        yield Promoted(
            where,
            Destination(fields["destination"]),
            Decided(fields["status"]),
            Category(fields["category"]),
            fields["text"],
            fields.get("reason", ""),
            fields.get("trigger", ""),
            fields.get("action", ""),
            fields.get("verifier", ""),
            _count(fields.get("evidence_count", "")),
        )


def _blocks(lines: Iterator[Line]) -> Iterator[tuple[str, Mapping[str, str]]]:
    where, fields = "", dict[str, str]()
    for line in lines:
        if _HEADING.match(line.text):
            if where:
                yield where, fields
            where, fields = line.where if _BLOCK.match(line.text) else "", {}
        elif (field := _FIELD.match(line.text)) is not None and where:
            fields.setdefault(field["name"], field["value"].strip())
    if where:
        yield where, fields


def _fault(fields: Mapping[str, str]) -> str:
    """Why a block cannot be taken; a reason and a date are not needed."""
    for name, words in (("destination", Destination), ("status", Decided), ("category", Category)):
        if fields.get(name, "") not in tuple(words):
            return f"`{name}` is none of {', '.join(words)}."
    return "" if fields.get("text") else "`text` is missing."


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 1
