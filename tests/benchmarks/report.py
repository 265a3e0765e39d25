"""How long a fresh process takes for the situation report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, beside_bare, goal_at
from tests.benchmarks.reference import BARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.vaults import Site

TIMES = {1_000: 10.0, 10_000: 20.0}
"""By memories, how many times `python -c pass` it may take."""


def measure(site: Site) -> Iterator[Figure]:
    """The cold report of one settled vault."""
    cold, bare = beside_bare(site.command("report"), env=site.environment, cwd=site.vault)
    times = goal_at(site.memories, TIMES)
    for what, ours, alone in (("", cold.wall, bare.wall), (", CPU", cold.cpu, bare.cpu)):
        most = times and times * 1000 * alone
        name = f"cold report{what}, {site.memories:,}"
        yield Figure(name, 1000 * ours, "ms", most, 1000 * alone, BARE)
