"""How fast several processes claim sessions and store their cards, and how often they meet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure
from tests.store.notebook.claiming import run

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
