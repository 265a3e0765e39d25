"""Processes that extract the same sessions at once, each asking a scripted endpoint for real.

`python -m tests.services.notebook.reading_together VAULT HOME SESSIONS URL NAME` is one of them: it
says `ready`, waits for a line, extracts until nothing is due, and prints what it met as JSON.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.pi.model_server import ModelServer, Reply
from tests.services.notebook.extracting import PROJECT, answer, remembered
from tests.services.sessioning import Sessions
from tests.together import run_together, wait_for_the_others
from tests.world import World
from vaultmem.core.endpoint_url import parse_endpoint
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.services.notebook.extract import extract
from vaultmem.services.sessions.index import SessionIndex
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.sessions.folders import SessionFolder

if TYPE_CHECKING:
    from vaultmem.core.notebook.card import Card

TASK = "Please do the task number {:03} of the list."


class Read(NamedTuple):
    """What all processes together did.

    Attributes:
        prompts: of each request, the text of the newest message.
        cards: that the catalog holds in the end.
        written: by each process, how many cards it wrote.
        behind: by each process, how many sessions another one held when it came.
        seconds: from the start to the last one's end.
    """

    prompts: list[str]
    cards: list[Card]
    written: list[int]
    behind: list[int]
    seconds: float


def read_together(world: World, *, processes: int, sessions: int) -> Read:
    """Let so many processes extract so many sessions."""
    made = Sessions(world)
    began = world.here.call().now - timedelta(hours=24)
    for number in range(sessions):
        at = (began + timedelta(minutes=number)).astimezone()
        made.talk(TASK.format(number), at=f"{at:%Y-%m-%dT%H:%M:%S.000%z}")
    made.sync()
    made.close()
    reply = answer(memories=[remembered("The tasks of the list are numbered.", "")])
    with ModelServer(Reply(text=reply, repeat=True)) as server:
        command = [
            sys.executable, "-m", __spec__.name, str(world.vault), str(world.here.home),
            str(made.folder), server.url,
        ]  # fmt: skip
        texts, seconds = run_together([*command, f"w{number}"] for number in range(processes))
        told = [json.loads(text) for text in texts]
        prompts = [one.newest_text for one in server.requests]
    catalog = NotebookCatalog(world.here.call().vault.state.folder)
    cards = catalog.cards.all()
    catalog.close()
    return Read(
        prompts, cards, [one["written"] for one in told], [one["behind"] for one in told], seconds
    )


def work(vault: Path, home: Path, folder: Path, url: str, name: str) -> dict[str, int]:
    """Extract until nothing is due that nobody else has in hand."""
    world = World.attach(vault, home, seed=int(name.removeprefix("w")) + 7)
    address = parse_endpoint(url)
    assert address is not None
    model = EndpointModel(address, "small", key=None)
    app = world.here.app()
    state = world.here.call().vault.state
    index = SessionIndex(state.cache, (SessionFolder(folder),), embedder=None)
    catalog = NotebookCatalog(state.folder)
    written = behind = 0
    while True:
        done = extract(
            world.here.call(), index, app.engine, model, catalog,
            settings=NotebookSettings(sessions=10), projects=[PROJECT], worker=name,
        )  # fmt: skip
        written += done.written
        behind += done.running
        if not done.claimed:
            break
    catalog.close()
    index.close()
    world.close()
    return {"written": written, "behind": behind}


if __name__ == "__main__":
    wait_for_the_others()
    place, house, files, address, called = sys.argv[1:]
    print(json.dumps(work(Path(place), Path(house), Path(files), address, called)))
