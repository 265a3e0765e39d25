"""How long one `add` takes in a process that has everything open: note, ledger, index, vector.

The look at every note that comes first is told apart: a process that watches the vault needs none.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, seconds
from tests.benchmarks.vault_search import Stocked, model
from tests.benchmarks.vaults import Site, statements
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add
from vaultmem.services.indexing import refresh
from vaultmem.services.syncing.observe import observe

if TYPE_CHECKING:
    from collections.abc import Iterator

GOAL_MS = 100
ROUNDS = 25


def measure(site: Site) -> Iterator[Figure]:
    """Statements added one after the other to a copy of the vault."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(site.vault, Path(folder, "vault"))
        copy = Site(Path(folder), site.memories)
        copy.first_sync()
        copy.settle()
        with copy.app(Stocked(model())) as app:
            refresh(app.call(), app.engine)
            app.engine.embed()
            taken, look = [], []
            for text in statements(ROUNDS + 3):
                start = time.perf_counter()
                done = add(app.call(), app.engine, Wish(text=text, category=Category.LESSON))
                app.engine.embed()
                taken.append(1000 * (time.perf_counter() - start))
                look.append(1000 * seconds(lambda: observe(app.vault), 1)[0])
                if done.outcome != "added":
                    raise SystemExit(f"{done.outcome}: {text}")
    size = f"{site.memories:,}"
    parts = [whole - seen for whole, seen in zip(taken, look, strict=True)][3:]
    yield Figure(
        f"warm add: note, ledger, index, vector, {size}", statistics.median(parts), "ms", GOAL_MS
    )
    yield Figure(f"the same with a look at the vault, {size}", statistics.median(taken[3:]), "ms")
    yield Figure(f"of that, looking at every note, {size}", statistics.median(look), "ms")
