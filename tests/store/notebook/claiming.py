"""A worker as a process of its own: claims synthetic sessions and stores a card of each.

`python -m tests.store.notebook.claiming FOLDER NAME COUNT SEED`: it says `ready`, waits for a line,
goes through all sessions in an order of its own, and prints what it met as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.store.notebook.cards import NOW, card
from tests.together import run_together, wait_for_the_others
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import Claimed, JobKind, Refusal


class Met(NamedTuple):
    """What one worker met.

    Attributes:
        claimed: the sessions that it got.
        stored: how many of them it could store.
        running: claims that met another worker's lease.
        read: claims of sessions that another worker had read.
        claims: how long each claim took, in seconds.
    """

    claimed: list[str]
    stored: int
    running: int
    read: int
    claims: list[float]


class Run(NamedTuple):
    """What all workers together met, and the seconds from the start to the last one's end."""

    workers: list[Met]
    seconds: float


def run(folder: Path, *, workers: int, sessions: int) -> Run:
    """Let so many processes go through so many sessions at once."""
    command = [sys.executable, "-m", "tests.store.notebook.claiming", str(folder)]
    told, seconds = run_together(
        [*command, f"w{number}", str(sessions), str(number)] for number in range(workers)
    )
    return Run([Met(**json.loads(text)) for text in told], seconds)


def work(folder: Path, worker: str, sessions: int, seed: int) -> Met:
    """Go through all sessions in an order of one's own."""
    catalog = NotebookCatalog(folder)
    names = [f"s{number:03}" for number in range(sessions)]
    random.Random(seed).shuffle(names)
    claimed: list[str] = []
    taken: list[float] = []
    stored = running = read = 0
    for name in names:
        start = time.perf_counter()
        found = catalog.jobs.claim(JobKind.EXTRACT, name, NOW, NOW, worker)
        taken.append(time.perf_counter() - start)
        if isinstance(found, Claimed):
            claimed.append(name)
            catalog.jobs.heartbeat(JobKind.EXTRACT, name, found.token, NOW)
            made = card(name, watermark=NOW, card=f"- {worker} read it\n" * 40)
            stored += catalog.finish_extraction(name, found.token, NOW, made)
        else:
            running += found.reason is Refusal.RUNNING
            read += found.reason is Refusal.UP_TO_DATE
    catalog.close()
    return Met(claimed, stored, running, read, taken)


if __name__ == "__main__":
    wait_for_the_others()
    place, called, count, number = sys.argv[1:]
    print(json.dumps(work(Path(place), called, int(count), int(number))._asdict()))
