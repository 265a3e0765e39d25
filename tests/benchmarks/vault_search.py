"""How long a search of a vault takes: the first index, cold with words, warm with the model."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, goal_at, percentile, processes
from tests.benchmarks.vaults import prompts
from vaultmem.index.hybrid import Mode
from vaultmem.services.indexing import refresh
from vaultmem.services.search import search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tests.benchmarks.vaults import Site
    from vaultmem.index.embedder import FastEmbedder

QUERIES = 60
SHORT, LONG = 6, 120
"""Words of a query, and of a prompt."""
BEYOND_MS = 30
"""What a warm hybrid query may take beyond twice its embedding."""
_MANY = 5


class Stocked:
    """The real model for queries and single notes, and made-up unit vectors for many texts at once.

    The time of an exact search does not depend on what the vectors say, and to embed ten thousand
    notes takes minutes.
    """

    def __init__(self, real: FastEmbedder) -> None:
        self._real = real
        self.name, self.dimension, self.fingerprint = real.name, real.dimension, real.fingerprint

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a row."""
        import zlib

        import numpy as np

        if len(texts) < _MANY:
            return self._real.embed(texts)
        made = np.empty((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            chance = np.random.default_rng(zlib.crc32(text.encode()))
            made[at] = chance.standard_normal(self.dimension)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made


def model() -> FastEmbedder:
    """The embedded model."""
    from vaultmem.index.embedder import FastEmbedder
    from vaultmem.index.models import embedded_model

    return FastEmbedder(embedded_model())


def first_index(site: Site) -> Iterator[Figure]:
    """The first keyword index, built from nothing."""
    goal = goal_at(site.memories, {1_000: 1.5, 10_000: 8.0})
    with site.app() as app:
        call = app.call()
        app.engine.wipe()
        start = time.process_time()
        refresh(call, app.engine)
        taken = time.process_time() - start
    yield Figure(f"first keyword index, CPU, {site.memories:,}", taken, "s", goal)


def cold(site: Site) -> Iterator[Figure]:
    """A keyword search in a fresh process, over an index that is there."""
    goal = goal_at(site.memories, {1_000: 0.3, 10_000: 0.5})
    query = prompts(1, SHORT)[0]
    command = site.command("search", query, "--mode", "keyword")
    taken = processes(command, env=site.environment, cwd=site.vault)
    yield Figure(f"cold keyword search, CPU, {site.memories:,}", taken.cpu, "s", goal)


def warm(site: Site) -> Iterator[Figure]:
    """Hybrid queries in a process that has index and model open, against their embedding alone.

    The last figure is what the whole service takes, which looks at every note of the vault first.
    """
    embedder = Stocked(model())
    with site.app(embedder) as app:
        call, engine = app.call(), app.engine
        refresh(call, engine)
        engine.embed()
        for query in prompts(3, LONG):  # load the model, open the files
            engine.search(query)
        for words in (SHORT, LONG):
            taken, alone = [], []
            for query in prompts(QUERIES, words):
                start = time.perf_counter()
                embedder.embed([query])
                middle = time.perf_counter()
                found = engine.search(query)
                end = time.perf_counter()
                if found.mode is not Mode.HYBRID or found.degraded:
                    raise SystemExit(f"not hybrid: {found.degraded}")
                alone.append(1000 * (middle - start))
                taken.append(1000 * (end - middle))
            name = f"warm hybrid p95, {words} words, {site.memories:,}"
            base = percentile(alone, 0.95)
            goal = 2 * base + BEYOND_MS
            yield Figure(name, percentile(taken, 0.95), "ms", goal, base, "its embedding, p95")
        whole = []
        for query in prompts(QUERIES // 3, SHORT):
            start = time.perf_counter()
            search(call, engine, query)
            whole.append(1000 * (time.perf_counter() - start))
        name = f"the same with a look at the vault, {site.memories:,}"
        yield Figure(name, statistics.median(whole), "ms")
