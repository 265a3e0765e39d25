"""Candidates of a governed memory's oldest form: a `MEMORY.md` with a heading for each memory.

Facts: governed memory, section 9.7, which gives the confidence of a block by what it holds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.importing.item import NO_ID, ImportedEvidence, text_key
from vaultmem.core.model import Category, Cue, Memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BASE, FLOOR, CEILING = 0.62, 0.45, 0.95
_FEW_WORDS = 8
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_BLOCK = re.compile(r"###\s+(.*)")
_FIELD = re.compile(r"(?:[-*]\s+)?\*\*(?P<name>[^*:]+):?\*\*:?\s*(?P<value>.*)")
_BULLET = re.compile(r"\s*[-*]\s+(.*)")

_TAKEN = frozenset(("confidence", "change condition", "evidence"))
"""Fields that say something of a candidate; any other goes with it as evidence."""


class Block(NamedTuple):
    """One block: the line of its heading, and the candidate that it is."""

    line: int
    key: str
    memory: Memory
    evidence: tuple[ImportedEvidence, ...]


def legacy_blocks(text: str) -> Iterator[Block | None]:
    """Every block that begins with a heading of the third level; None for a line in no block."""
    start, title, body = 0, "", list[str]()
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip("\r")
        if _HEADING.match(line):
            if start:
                yield _block(start, title, body)
            start, title, body = (number if _BLOCK.match(line) else 0), line[3:].strip(), []
        elif start:
            body.append(line)
        elif line.strip():
            yield None
    if start:
        yield _block(start, title, body)


def _block(line: int, title: str, body: list[str]) -> Block:
    fields, said, evidence, rest = _parts(body)
    statement = said or title
    memory = Memory(
        id=NO_ID,
        statement=statement,
        category=Category.LESSON,
        cue=Cue.STRUCTURAL,
        confidence=_confidence(statement, fields, len(evidence)),
        evidence_count=max(len(evidence), 1),
        change_condition=fields.get("change condition"),
    )
    pieces = tuple(ImportedEvidence(excerpt=one, ref="MEMORY.md") for one in evidence)
    if said and title:
        rest = [title, *rest]
    if rest:
        pieces += (ImportedEvidence(excerpt="\n".join(rest), ref="MEMORY.md"),)
    return Block(line, f"legacy_{text_key(memory.category, statement)}", memory, pieces)


def _parts(body: list[str]) -> tuple[dict[str, str], str, list[str], list[str]]:
    """The named fields, the first plain line before them, the bullets of `Evidence`, the rest."""
    fields: dict[str, str] = {}
    rest: list[str] = []
    said, evidence, within = "", list[str](), ""
    for line in body:
        if (field := _FIELD.match(line.strip())) is not None:
            within = field["name"].strip().casefold()
            fields[within] = field["value"].strip()
            if within == "evidence" and fields[within]:
                evidence.append(fields[within])
            elif within not in _TAKEN:
                rest.append(line.strip())
        elif within == "evidence" and (bullet := _BULLET.match(line)) is not None:
            evidence.append(bullet[1].strip())
        elif line.strip() and not (said or within or _BULLET.match(line)):
            said = line.strip()
        elif line.strip():
            rest.append(line.strip())
    return fields, said, evidence, rest


def _confidence(statement: str, fields: Mapping[str, str], evidence: int) -> float:
    sure = BASE
    try:
        sure = max(sure, min(float(fields.get("confidence", "")), CEILING))
    except ValueError:  # a word, or none
        sure = BASE
    sure += 0.06 * (evidence >= 1) + 0.03 * (evidence >= 2)
    sure += 0.08 * ("change condition" in fields) + 0.03 * ("stability" in fields)
    sure += 0.02 * ("review" in fields) - 0.08 * (len(statement.split()) < _FEW_WORDS)
    return round(min(max(sure, FLOOR), CEILING), 2)
