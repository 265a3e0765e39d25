"""A topic-file memory for tests, spelled as the facts say (sections 1 and 2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.importing.entry import entry_key

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, relative: str, text: str | bytes) -> None:
    """A file as it is."""
    place = root / relative
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def topic(root: Path, name: str, *lines: str) -> None:
    """A topic file with its heading."""
    write(root, f"topics/{name}.md", "".join(f"{one}\n" for one in (f"# {name.title()}", *lines)))


def score(category: str, **fields: object) -> dict[str, object]:
    """A score record."""
    record: dict[str, object] = {
        "class": category,
        "score": 0.69,
        "evidenceCount": 3,
        "cue": "structural",
        "firstSeen": "2026-01-05T09:00:00",
        "lastReinforced": "2026-02-06T10:00:00",
        "userState": "auto",
        "lifecycle": "provisional",
    }
    return record | fields


def snapshot(**scores: object) -> str:
    """A line of the score file, by key."""
    return json.dumps({"entries": scores, "lastRebuild": "2026-02-07T00:00:00.000Z"})


def of(category: str, text: str) -> str:
    """The key of an entry."""
    return entry_key(category, text)


def promotion(identifier: str, **fields: str) -> str:
    """A block of the promotion queue; a field that is "" is left out."""
    told = {
        "destination": "enforcement",
        "status": "proposed",
        "category": "lesson",
        "text": "Never use `git add .`",
        "reason": "seen often",
        "created": "2026-02-01T00:00:00.000Z",
    } | fields
    lines = "".join(f"- {name}: {value}\n" for name, value in told.items() if value)
    return f"### {identifier}\n{lines}\n"
