"""A published notebook, with the cards that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.card import Card
from vaultmem.core.notebook.stem import card_stem
from vaultmem.services.notebook.published import publish

if TYPE_CHECKING:
    from tests.world import World

PROJECT = "github.com/me/site"
GREEN, POOL = "0194f5a6-89ab-7cde-8123-456789abcdef", "0194f5a7-89ab-7cde-8123-456789abcd00"
STEMS = {
    GREEN: card_stem(GREEN, 0.0, "green tests"),
    POOL: card_stem(POOL, 0.0, None),
}
HASHES = {session: stem[20:24] for session, stem in STEMS.items()}
HANDBOOK = f"""\
# Task Group: tests of the site
scope: running the tests
applies_to: cwd=/home/me/site; reuse_rule=always

## Task 1: make the tests pass
### rollout_summary_files
- {STEMS[GREEN]}.md (cwd=/home/me/site)
### keywords
- tests, npm

## User preferences
- when tests run, the user asked for "npm test" [Task 1]

## Reusable knowledge
- the pooler takes 20 connections [{HASHES[POOL]}]
- nobody cites this line
"""
SUMMARY = f"v1\n\n## User preferences\n- run the tests before a commit [{HASHES[GREEN]}]\n"
SKILL = f"# Release\n\nTag, then push. [{HASHES[POOL]}]\n"
FILES = {
    "MEMORY.md": HANDBOOK,
    "memory_summary.md": SUMMARY,
    "Skills/release/SKILL.md": SKILL,
}


def card(world: World, session: str = GREEN, **more: object) -> Card:
    """A card of this device; what is not said is plain."""
    call = world.here.call()
    now = call.now.timestamp()
    slug = "green tests" if session == GREEN else None
    given = {
        "session": session,
        "device": call.vault.device,
        "project": PROJECT,
        "cwd": "/home/me/site",
        "branch": "main",
        "file": f"/home/me/sessions/{session}.jsonl",
        "watermark": now - 86_400.0,
        "slug": slug,
        "stem": STEMS.get(session) or card_stem(session, 0.0, slug),
        "summary": "The tests were made green with npm test.",
        "card": "# The tests\n- npm test runs them",
        "made": now - 3_600.0,
    }
    return Card(**(given | more))


def publish_notebook(world: World, **files: str | bytes) -> str:
    """Publish the files above, with or in place of them those that are given; the version's id."""
    given = {path: text for path, text in (FILES | files).items() if text}
    data = {
        path: text if isinstance(text, bytes) else text.encode() for path, text in given.items()
    }
    world.here.sync()
    return publish(world.here.call(), data, before=None, by="consolidation", message="test")
