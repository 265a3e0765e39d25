"""One process of ours for tests: events in, answers out, in this thread, over a real vault."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tests.sessions import Talk
from vaultmem.config import HomeDirs
from vaultmem.hooks.answers import WireError
from vaultmem.hooks.dispatch import answer, go_on
from vaultmem.hooks.here import Here, Later, Shared
from vaultmem.hooks.wire import read_payload

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.app import App
    from vaultmem.index.embedder import Embedder

SESSION = "01a228b3-619b-74c0-bedb-1ec5be15d70a"


class Serving:
    """What `serve` does with events, without its threads."""

    def __init__(self, world: World, *, typed: bool = True, model: Embedder | None = None) -> None:
        self.world = world
        self._model = model
        self.shared = Shared(
            lambda _model: self._app(),
            agent="pi",
            typed=typed,
            home=HomeDirs(*(world.here.home / one for one in ("config", "state", "cache"))),
        )
        self.here = Here(self.shared)
        self._numbers = itertools.count(1)

    def _app(self) -> App:
        app = self.world.here.app()
        app.env = app.env._replace(pi_agent_dir=str(self.world.folder / "agent"))
        app._embedder = lambda: self._model
        return app

    def talk(self, *texts: str) -> Talk:
        """An earlier session in the vault's folder, in which the user said these texts."""
        folder = self.world.folder / "agent/sessions"
        made = Talk(folder, "00000001-619b-74c0-bedb-1ec5be15d70a", cwd=str(self.world.vault))
        for text in texts:
            made.said(text)
        return made

    def ask(self, event: str, **payload):
        """The result of an event as JSON has it; an error as `{"error": …}`."""
        told = self.raw(event, **payload)
        return {"error": told.json()} if isinstance(told, WireError) else told.json()

    def raw(self, event: str, **payload):
        """The answer as a value; what comes later is waited for."""
        place = {"session": SESSION, "cwd": str(self.world.vault)}
        request = read_payload(next(self._numbers), event, place | payload)
        assert request.unknown == ()
        told = answer(self.here, request)
        return go_on(self.here, request, told) if isinstance(told, Later) else told

    def tool(self, name: str, **arguments):
        """What a tool says; an error as an exception."""
        told = self.ask("tool", name=name, call="call_1", arguments=arguments)
        assert not told["is_error"], told["text"]
        return told["text"]

    def refusal(self, name: str, **arguments):
        """What a tool that fails says."""
        told = self.ask("tool", name=name, call="call_1", arguments=arguments)
        assert told["is_error"], told["text"]
        return told["text"]

    def settle(self) -> None:
        """Do what nobody waits for."""
        while self.shared.left:
            self.shared.left.pop(0)(self.here)

    @property
    def crash(self) -> str:
        """The trace of a bug, "" for none."""
        log = self.shared.home.crash_log
        return log.read_text() if log.exists() else ""

    def close(self) -> None:
        """End it."""
        self.here.__exit__()
        self.shared.close()
