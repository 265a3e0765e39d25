"""Dreams for tests: a real vault, the real catalog, and a scripted endpoint on loopback."""

from __future__ import annotations

import json

from tests.pi.model_server import MODEL, ModelServer, Reply
from vaultmem.core.endpoint_url import parse_endpoint
from vaultmem.core.notebook.card import Card
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.core.notebook.stem import card_stem
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.services.notebook.dream import Dreamed, dream
from vaultmem.store.notebook.catalog import NotebookCatalog

PROJECT = "github.com/mara/app"
SUITE = "Run the whole test suite before anything is pushed to the shared branch."
AGAIN = "run the whole test suite before anything is pushed to the shared branch"
MAKE = "The build still uses make and a shell script."
HELPER = "Wrap what a user typed with the escape helper."
LATER = "2099-01-01"
"""A review that is far away."""


def answer(**parts: list) -> str:
    """An answer of the schema, with empty lists where nothing is given."""
    empty: dict[str, list] = {"candidates": [], "same": [], "stale": [], "misfiled": []}
    return json.dumps(empty | parts)


class Sleeper:
    """A world in which dreams are dreamed."""

    def __init__(self, world, server: ModelServer) -> None:
        self.world = world
        self.server = server

    def script(self, *replies: str | Reply) -> None:
        """What the model says next."""
        self.server.script(*(Reply(text=one) if isinstance(one, str) else one for one in replies))

    @property
    def sent(self) -> list[str]:
        """What every request asked."""
        return [one.newest_text for one in self.server.requests]

    def model(self, **parts) -> EndpointModel:
        endpoint = parse_endpoint(self.server.url)
        assert endpoint is not None
        return EndpointModel(endpoint, MODEL, **{"key": None, "window": None, **parts})

    def catalog(self) -> NotebookCatalog:
        return NotebookCatalog(self.world.here.call().vault.state.folder)

    def dream(self, *, model=..., force=True, agent=None, **options) -> Dreamed:
        """Dream now, by the world's clock."""
        app = self.world.here.app(agent=agent)
        call = app.call()
        catalog = NotebookCatalog(call.vault.state.folder)
        try:
            return dream(
                call,
                app.engine,
                self.model() if model is ... else model,
                catalog,
                options.pop("settings", NotebookSettings()),
                projects=options.pop("projects", (PROJECT,)),
                worker="test",
                force=force,
                **options,
            )
        finally:
            catalog.close()

    def lessons(self) -> dict[str, str]:
        """Four memories, by what a test calls them; what the model calls them follows the topic."""
        made = {
            name: self.world.memory(
                f"Memory/Lessons/{name}.md", text, category="lesson", review=LATER
            )
            for name, text in (
                ("suite", SUITE),
                ("again", AGAIN),
                ("make", MAKE),
                ("helper", HELPER),
            )
        }
        self.world.here.sync()
        return made

    def shown(self, statement: str) -> str:
        """The short id by which the newest dry run would show a statement."""
        (ask,) = self.dream(model=None, dry=True).asks
        lines = [json.loads(line) for line in ask.prompt.splitlines() if line.startswith("{")]
        return next(str(line["id"]) for line in lines if line.get("text") == statement)

    def card(self, session: str, watermark: float, *, project: str = PROJECT) -> None:
        """A card of a session, as extraction stores it."""
        catalog = self.catalog()
        catalog.cards.put(
            Card(
                session=session,
                device=self.world.here.id,
                project=project,
                cwd="/home/ada/app",
                branch="main",
                file=f"/sessions/{session}.jsonl",
                watermark=watermark,
                slug=None,
                stem=card_stem(session, watermark, None),
                summary=f"Recap of {session}.",
                card=f"Notes of {session}.",
                made=watermark,
            ),
            watermark,
        )
        catalog.close()
