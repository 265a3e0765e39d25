"""A person's terminal in a project whose sessions may become a notebook, with a scripted model."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.terminal import NOW, Result, Terminal, small_vault, write
from tests.sessions import Talk
from vaultmem.store.notebook.catalog import NotebookCatalog

if TYPE_CHECKING:
    from tests.pi.model_server import ModelServer
    from vaultmem.core.notebook.card import Card

PROJECT = "billing"
SESSION = "01a228b3-619b-74c0-bedb-1ec5be15d70a"
OTHER = "01a228b3-719b-74c0-bedb-2ec5be15d70b"

OWN = Path()
"""Stands for a vault that is made for the reader."""


def answer(summary: str = "The build was repaired.", **changes: object) -> str:
    """What a model answers about a session."""
    whole = {
        "rollout_summary": summary,
        "rollout_slug": "fix build",
        "raw_memory": "# Build\nUse make, not ninja.",
        "memories": [],
    }
    return json.dumps(whole | changes)


class Reader(Terminal):
    """A terminal in the folder of `PROJECT`, with one session that has rested for a day.

    Attributes:
        vault: the folder of the vault, which the user config names.
        talk: the session.
        server: the model that the user config names.
    """

    def __init__(self, folder: Path, server: ModelServer, *, vault: Path | None = OWN) -> None:
        """Make the project's folder, and a vault of its own unless one is shared or is None."""
        project = folder / PROJECT
        project.mkdir(parents=True)
        super().__init__(project, folder / "home")
        self.vault = vault
        self.server = server
        if vault is OWN:
            self.vault = small_vault(folder / "vault")
        named = f"vault: {self.vault}\n" if self.vault else ""
        self.config(f"{named}llm: {server.url}\nllm_model: fake-model\n")
        if self.vault is not None:
            self.ok("sync")
        self.talk = self.session(SESSION, "Use make, not ninja.")

    @property
    def config_file(self) -> Path:
        """The user config."""
        return self.home / "config" / "config.yaml"

    def config(self, text: str) -> None:
        """Write the user config."""
        write(self.config_file, text)

    def session(self, name: str, *texts: str, hours: float = 24, cwd: Path | None = None) -> Talk:
        """A session in which the user said this, so many hours ago."""
        at = (NOW - timedelta(hours=hours)).isoformat(timespec="milliseconds")
        made = Talk(
            self.home / "agent" / "sessions",
            name,
            cwd=cwd or self.cwd,
            at=at.replace("+00:00", "Z"),
        )
        for text in texts:
            made.said(text)
            made.answered("Done.")
        return made

    @property
    def state(self) -> Path:
        """The vault's state folder on this machine."""
        (found,) = (self.home / "state").glob("vault_*")
        return found

    def cards(self) -> dict[str, Card]:
        """The cards by their sessions."""
        catalog = NotebookCatalog(self.state)
        try:
            return {one.session: one for one in catalog.cards.all()}
        finally:
            catalog.close()

    def agent(self, *arguments: str) -> Result:
        """The same as an agent's command."""
        return self.run(*arguments, env={"AI_AGENT": "coder"})
