"""A vault in which the notebook is on, cards in it, and a scripted endpoint that rewrites it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.pi.model_server import Call as ToolCall
from tests.pi.model_server import Reply, says
from tests.world import World
from vaultmem.core.endpoint_url import parse_endpoint
from vaultmem.core.notebook.card import Card
from vaultmem.core.notebook.legend import LEGEND
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.core.notebook.stem import card_stem
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.consolidate import consolidate
from vaultmem.services.notebook.enable import enable
from vaultmem.services.notebook.holding import Pace
from vaultmem.store.notebook_history import History

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.pi.model_server import ModelServer
    from tests.world import Device
    from vaultmem.llm.model import Model, Task
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.consolidated import Consolidated
    from vaultmem.store.notebook.catalog import NotebookCatalog

PROJECT = "acme/billing"
FIRST = "01a228b3-619b-74c0-bedb-1ec5be15d70a"
SECOND = "01a228b3-719b-74c0-bedb-2ec5be15d70b"
QUICK = Pace(look=0.02, beat=0.05)
HOUR = 3600.0
DAY = 24 * HOUR


class Notebook:
    """One device's view of the notebook of a world."""

    def __init__(self, world: World, device: Device | None = None) -> None:
        self.world = world
        self.device = device or world.here
        app = self.device.app()
        enable(self.device.call(), app.home, PROJECT)
        self.restart()

    def restart(self) -> None:
        """A new process on the same machine."""
        app = self.device.app()
        self.call: Call = app.call()
        self.catalog: NotebookCatalog = app.notebook

    @property
    def now(self) -> float:
        """Seconds since the epoch by the device's clock."""
        return self.device.app().now.timestamp()

    def card(self, session: str = FIRST, **changes: object) -> Card:
        """Store a card as extraction does."""
        values = {"watermark": self.now - HOUR, "device": self.call.vault.device} | changes
        made = a_card(session, **values)
        self.catalog.cards.put(made, self.now)
        settle_notes(self.device.call(), self.catalog)
        return made

    def rewrite(self, model: Model, **options: object) -> Consolidated:
        """Consolidate, as a new process."""
        self.restart()
        options = {"worker": "test", "now": self.now, "pace": QUICK} | options
        settings = options.pop("settings", NotebookSettings())
        return consolidate(self.call, model, self.catalog, settings, **options)

    def history(self) -> History:
        """The versions."""
        return History(self.call.vault.state.history)

    def published(self) -> dict[str, bytes]:
        """The newest version's files."""
        return self.history().files()

    def in_vault(self) -> dict[str, bytes]:
        """The notebook's files as they lie in the vault."""
        root = self.world.path("Memory")
        names = [root / "MEMORY.md", root / "memory_summary.md", *(root / "Skills").rglob("*.md")]
        return {
            one.relative_to(root).as_posix(): one.read_bytes() for one in names if one.is_file()
        }

    def copies(self) -> list[str]:
        """What is left of copies."""
        folder = self.call.vault.state.folder / "notebook" / "copies"
        return [one.name for one in folder.iterdir()] if folder.is_dir() else []


def a_card(session: str = FIRST, **changes: object) -> Card:
    """A card with something in it."""
    values: dict[str, object] = {
        "session": session,
        "device": "dev_x",
        "project": PROJECT,
        "cwd": "/projects/billing",
        "branch": "main",
        "file": f"/agent/{session}.jsonl",
        "watermark": 1_764_400_000.0,
        "slug": "fix_build",
        "summary": f"The build of {session[9:13]} was repaired.",
        "card": f"# Build {session[9:13]}\nUse make, not ninja.",
        "made": 1_764_400_100.0,
    }
    values |= changes
    stem = card_stem(str(values["session"]), values["watermark"], values["slug"])
    return Card(**({"stem": stem} | values))


def handbook(*cards: Card, more: str = "") -> str:
    """A good `MEMORY.md` about these cards."""
    tasks = "".join(
        f"## Task {number}: build repaired\n### rollout_summary_files\n"
        f"- {card.stem}.md (cwd={card.cwd})\n### keywords\nbuild, make\n\n"
        for number, card in enumerate(cards, 1)
    )
    return (
        f"{LEGEND}\n\n# Task Group: builds\nscope: the build\napplies_to: cwd=/projects/billing; reuse_rule=here\n\n"
        f"{tasks}## Reusable knowledge\n- Use make, not ninja. [Task 1]\n{more}"
    )


def summary(*cards: Card, more: str = "") -> str:
    """A good `memory_summary.md` about these cards."""
    lines = "".join(f"- Use make in {card.cwd}. [{card.hash}]\n" for card in cards)
    return f"v1\n\n## User preferences\n{lines}{more}"


def writes(**files: str) -> Reply:
    """The worker writes these files, whose names have `_` for `.md`."""
    named = {"memory": "MEMORY.md", "summary": "memory_summary.md"}
    calls = [
        ToolCall(name="notebook_write", arguments={"path": named.get(name, name), "text": text})
        for name, text in files.items()
    ]
    return Reply(calls=tuple(calls))


def good(*cards: Card) -> tuple[Reply, ...]:
    """The script of a worker that does its work."""
    return (writes(memory=handbook(*cards), summary=summary(*cards)), says("Done."))


def endpoint(server: ModelServer) -> EndpointModel:
    """The scripted server as a model."""
    address = parse_endpoint(server.url)
    assert address is not None
    return EndpointModel(address, "small", key=None)


class Meanwhile:
    """A model that lets something happen in the middle of its work; the work itself is real."""

    def __init__(self, model: Model, happen: Callable[[Task], object]) -> None:
        self._model = model
        self._happen = happen

    def __getattr__(self, name: str) -> object:
        return getattr(self._model, name)

    def work(self, task: Task) -> None:
        """Work, then let it happen."""
        self._model.work(task)
        self._happen(task)


def rewrite_in_own_process(vault: str, home: str, url: str) -> None:
    """Consolidate, as a process that a test can kill."""
    book = Notebook(World.attach(Path(vault), Path(home), seed=99))
    address = parse_endpoint(url)
    assert address is not None
    book.rewrite(EndpointModel(address, "small", key=None))


if __name__ == "__main__":
    rewrite_in_own_process(*sys.argv[1:])
