"""A vault with sessions to extract, and a model that answers by a script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.services.sessioning import SHOP
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.llm.model import Answer, Usage
from vaultmem.services.notebook.extract import extract
from vaultmem.store.notebook.catalog import NotebookCatalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.services.sessioning import Sessions
    from tests.sessions import Talk
    from vaultmem.core.notebook.card import Card
    from vaultmem.llm.model import Ask, Task
    from vaultmem.services.notebook.extracted import ExtractRun

PROJECT = SHOP.rpartition("/")[2]
SPENT = Usage(100, 10, 0.5)


def answer(summary: str = "The importer was repaired.", **changes: object) -> str:
    """What a model answers about a session."""
    whole = {
        "rollout_summary": summary,
        "rollout_slug": "importer repair",
        "raw_memory": "# The importer reads UTC",
        "memories": [],
    }
    return json.dumps(whole | changes)


def remembered(statement: str, quote: str = "", category: str = "preference") -> dict[str, str]:
    """One of the memories of an answer."""
    return {"statement": statement, "category": category, "quote": quote}


NOTHING = answer("", rollout_slug=None, raw_memory="")


class ScriptedModel:
    """A model that gives one answer after the other; an error is raised, a call is called."""

    name = "fake-model"
    destination = "nowhere"

    def __init__(self, *script: object, window: int | None = None) -> None:
        self.window = window
        self.asked: list[Ask] = []
        self.stopped: list[bool] = []
        self._script = list(script)
        self._spent = Usage()

    def ask(self, ask: Ask, *, seconds: float, stop: Callable[[], bool]) -> Answer:
        """Give the next answer."""
        assert seconds > 0
        self.asked.append(ask)
        self.stopped.append(stop())
        self._spent = self._spent.plus(SPENT)
        told = self._script.pop(0)
        if callable(told):
            told = told()
        if isinstance(told, BaseException):
            raise told
        return told if isinstance(told, Answer) else Answer(str(told))

    def work(self, task: Task) -> None:
        """Nothing here works on files."""
        raise NotImplementedError

    def spent(self) -> Usage:
        """What it all cost."""
        return self._spent

    def remaining_percent(self) -> float | None:
        """Nobody knows."""
        return None


class Extracting:
    """What tests of the extraction begin with; the sessions lie a day back."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.world = sessions.world
        self.app = self.world.here.app()
        self._began = sessions.call().now  # two that ended at once did, however slow the machine is
        self.catalog = NotebookCatalog(sessions.call().vault.state.folder)

    def talk(self, *texts: str, hours: float = 24, **options) -> Talk:
        """A session that ended so many hours ago."""
        from datetime import timedelta

        began = self._began + self.world.here.ahead - timedelta(hours=hours)
        stamp = f"{began.astimezone():%Y-%m-%dT%H:%M:%S.000%z}"
        return self.sessions.talk(*texts, at=stamp, **options)

    def run(self, model: object, **options) -> ExtractRun:
        """What `vaultmem notebook extract` does, in the project `shop`."""
        call = self.world.here.call(agent=options.pop("agent", None))
        given = {"settings": NotebookSettings(sessions=10), "projects": [PROJECT]} | options
        sessions = given.pop("sessions", self.sessions.index)
        catalog = given.pop("catalog", self.catalog)
        return extract(call, sessions, self.app.engine, model, catalog, worker="test", **given)

    def sent(self, **options) -> list[str]:
        """The sessions of which something would be sent."""
        return [one.session for one in self.run(ScriptedModel(), dry=True, **options).asks]

    def prompt(self, **options) -> str:
        """What would be sent of the one session that there is."""
        (one,) = self.run(ScriptedModel(), dry=True, **options).asks
        return one.ask.prompt

    def cards(self) -> list[Card]:
        """The cards that there are."""
        return self.catalog.cards.all()

    def inbox(self) -> list[tuple[str, str, str]]:
        """Statement, trust and durability of what waits."""
        from vaultmem.services.inbox import waiting

        return [
            (one.candidate.memory.statement, one.candidate.trust, one.candidate.durability)
            for one in waiting(self.world.here.call())
        ]

    def close(self) -> None:
        """Close what is open."""
        self.catalog.close()
