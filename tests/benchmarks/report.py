"""How long a fresh process takes for the situation report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, beside_bare
from tests.benchmarks.reference import BARE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.vaults import Site


def goal(memories: int) -> int:
    """How many times `python -c pass` it may take."""
    return 10 if memories <= 1000 else 20


def measure(site: Site) -> Iterator[Figure]:
    """The cold report of one settled vault."""
    cold, bare = beside_bare(site.command("report"), env=site.environment, cwd=site.vault)
    most = goal(site.memories)
    name = f"cold report, {site.memories:,}"
    yield Figure(name, 1000 * cold.wall, "ms", most * 1000 * bare.wall, 1000 * bare.wall, BARE)
    name = f"cold report, CPU, {site.memories:,}"
    yield Figure(name, 1000 * cold.cpu, "ms", most * 1000 * bare.cpu, 1000 * bare.cpu, BARE)
