"""How fast several processes claim and extract sessions, and how often they meet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure
from tests.services.notebook.reading_together import read_together
from tests.store.notebook.claiming import run
from tests.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.vaults import Site

SESSIONS = 200
WORKERS = 4
GOAL_MS = 2_000
"""A worker asks a model for seconds to minutes; a claim must be nothing beside that."""


def measure(_: Site) -> Iterator[Figure]:
    """Synthetic sessions in a fresh catalog, by one process and by several at once."""
    with tempfile.TemporaryDirectory() as folder:
        alone = run(Path(folder, "alone"), workers=1, sessions=SESSIONS)
        shared = run(Path(folder, "shared"), workers=WORKERS, sessions=SESSIONS)
    claimed = sorted(name for one in shared.workers for name in one.claimed)
    if len(claimed) != SESSIONS or len({*claimed}) != SESSIONS:
        raise SystemExit("a session was claimed twice, or not at all")
    size = f"{WORKERS} processes, {SESSIONS} sessions"
    yield Figure(
        f"cards stored, {size}",
        SESSIONS / shared.seconds,
        "cards/s",
        reference=SESSIONS / alone.seconds,
        of="one process",
    )
    claims = [1000 * taken for one in shared.workers for taken in one.claims]
    own = [1000 * taken for taken in alone.workers[0].claims]
    yield Figure(
        f"longest claim, {size}",
        max(claims),
        "ms",
        GOAL_MS,
        max(own),
        "one process",
    )
    met = sum(one.running for one in shared.workers)
    yield Figure(f"claims that met another's lease, {size}", 100 * met / len(claims), "%")
    yield from _extracted()


def _extracted() -> Iterator[Figure]:
    """The whole way from a session's file to its card, each asking a scripted endpoint."""
    rate = []
    for count in (1, WORKERS):
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder))
            world.here.sync()
            read = read_together(world, processes=count, sessions=SESSIONS)
            world.close()
        if len(read.prompts) != SESSIONS or len(read.cards) != SESSIONS:
            raise SystemExit("a session was extracted twice, or not at all")
        rate.append(SESSIONS / read.seconds)
    size = f"{WORKERS} processes, {SESSIONS} sessions"
    yield Figure(
        f"sessions extracted, {size}", rate[1], "sessions/s", reference=rate[0], of="one process"
    )
    yield Figure(f"sessions that another process had in hand, {size}", sum(read.behind), "times")
