"""A session that rested, and what a scripted model says of it, step by step, when a run asks."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.pi.model_server import Call, Reply
from tests.sessions import Talk
from vaultmem.core.notebook.stem import card_stem, short_hash
from vaultmem.llm.model import Purpose
from vaultmem.store.notebook_agreed import agree_destination
from vaultmem.store.user_config_edit import edit_user_config

if TYPE_CHECKING:
    from pathlib import Path

    from tests.world import World

EXTRACTS, REWRITES, DREAMS = (
    ("You read the transcript of one finished session",),
    ("You keep a notebook for a coding agent",),
    ("You look after the long-term memory",),
)
"""How the instructions of each purpose begin."""
RESTED = "0194f5a6-89ab-7cde-8123-4567890a0b0c"
LINE = "- Run make test first."


def rested(sessions: Path, cwd: Path) -> Talk:
    """A session of yesterday, in this working folder."""
    at = datetime.now(UTC) - timedelta(hours=24)
    talk = Talk(sessions, RESTED, cwd=cwd, at=f"{at:%Y-%m-%dT%H:%M:%S}.000Z")
    talk.said("Always run make test before a commit, please.")
    talk.answered("I ran make test; it passed.")
    return talk


def learned() -> Reply:
    """What the model says of that session."""
    answer = {
        "rollout_summary": "The user wants make test run before a commit.",
        "rollout_slug": "make test",
        "raw_memory": "# make test\n- run make test before a commit",
        "memories": [],
    }
    return Reply(text=json.dumps(answer), when_system=EXTRACTS)


def rewritten() -> tuple[Reply, ...]:
    """What the worker does with the card of that session."""
    stem = card_stem(RESTED, 0.0, "make test")
    handbook = (
        "# Task Group: commits\nscope: commits\napplies_to: cwd=/x; reuse_rule=here\n\n"
        f"## Task 1: make test\n### rollout_summary_files\n- {stem}.md (cwd=/x)\n"
        "### keywords\nmake, test\n\n## User preferences\n- Run make test first. [Task 1]\n"
    )
    summary = f"v1\n\n## User preferences\n- Run make test first. [{short_hash(stem)}]\n"
    wanted = {"MEMORY.md": handbook, "memory_summary.md": summary}
    made = tuple(
        Call(name="notebook_write", arguments={"path": path, "text": text})
        for path, text in wanted.items()
    )
    return Reply(calls=made, when_system=REWRITES), Reply(text="Done.", when_system=REWRITES)


def dreamt() -> Reply:
    """Nothing to propose."""
    empty = json.dumps({"candidates": [], "same": [], "stale": [], "misfiled": []})
    return Reply(text=empty, when_system=DREAMS, repeat=True)


def with_model(world: World, **keys: str) -> None:
    """Name a model in the user config, and agree to its destination."""
    edit_user_config(world.here.app().home, lambda config: config.update(keys))
    app = world.here.app()
    for purpose in Purpose:
        agree_destination(app.vault.state.folder, app.language_model(purpose).destination)
