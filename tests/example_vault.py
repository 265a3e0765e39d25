"""Reads the example vault once, for the tests that look at it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from vaultmem.core.ids import CROCKFORD
from vaultmem.notes.frontmatter import read

REPOSITORY = Path(__file__).resolve().parents[1]
VAULT = REPOSITORY / "example-vault"
PROJECTS = {"github.com/harborline/tidewatch", "github.com/harborline/quay-web"}
KNOWLEDGE = ("Notes", "Projects", "Reference")

LINK = re.compile(r"!?\[\[([^\]]+)\]\]")
FENCE = re.compile(r"^( *)(`{3,})[^\n]*\n.*?^\1\2$", re.M | re.S)
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.M)
BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)$", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    path: PurePosixPath
    data: bytes
    properties: dict[str, object]
    body: str

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def prose(self) -> str:
        """The body with LF line ends, without code."""
        text = FENCE.sub("", self.body.replace("\r\n", "\n"))
        return re.sub(r"`[^`\n]+`", "", text)

    def links(self) -> list[str]:
        """Targets of all wikilinks, in properties and prose, without what is shown for them."""
        text = self.prose + json.dumps(self.properties, ensure_ascii=False)
        return [re.split(r"\\?\|", inner)[0] for inner in LINK.findall(text)]


@cache
def notes() -> tuple[Note, ...]:
    found = []
    for path in sorted(VAULT.rglob("*.md")):
        data = path.read_bytes()
        block = read(data)
        relative = PurePosixPath(path.relative_to(VAULT).as_posix())
        found.append(Note(path=relative, data=data, properties=block.properties, body=block.body))
    return tuple(found)


@cache
def memories() -> tuple[Note, ...]:
    return tuple(note for note in notes() if note.properties.get("type") == "memory")


@cache
def knowledge() -> tuple[Note, ...]:
    return tuple(note for note in notes() if note.path.parts[0] in KNOWLEDGE)


@cache
def by_name() -> dict[str, Note]:
    return {note.name: note for note in notes()}


def resolve(link: str) -> Note | None:
    target = PurePosixPath(link.split("#")[0])
    note = by_name().get(target.name)
    return (
        note
        if note and (target.parent == PurePosixPath() or note.path.parent == target.parent)
        else None
    )


def moment(value: object) -> datetime:
    assert isinstance(value, str)
    return datetime.fromisoformat(value)


def born(identifier: str) -> datetime:
    """The time in an id, to the second; the example's person lives in UTC."""
    milliseconds = 0
    for character in identifier.partition("_")[2][:10]:
        milliseconds = milliseconds << 5 | CROCKFORD.index(character)
    return datetime.fromtimestamp(milliseconds // 1000, UTC).replace(tzinfo=None)


def named(group: tuple[Note, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("note", group, ids=lambda note: note.name)
