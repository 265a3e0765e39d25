"""How much memory a process takes at its peak, without the embedding model and with it.

Each figure is taken in a process of its own, `python -m tests.benchmarks.memory WHAT FOLDER COUNT`.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure
from tests.benchmarks.vaults import Site, prompts
from vaultmem.cli.main import GARBAGE_AFTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.index.embedder import Embedder

WITHOUT_MB, WITH_MB = 80, 450
LONG_NOTES, CHARACTERS = 120, 5_000
_KIB = 1024


def measure(site: Site) -> Iterator[Figure]:
    """The peaks on one vault, and on one whose notes are long."""
    size = f"{site.memories:,}"
    peak = _peak("words", site)
    yield Figure(f"peak, sync + first index + keyword, {size}", peak, "MB", WITHOUT_MB)
    yield Figure(f"peak, warm hybrid, {size}", _peak("warm", site), "MB", WITH_MB)


def measure_long() -> Iterator[Figure]:
    """The peak of embedding notes of 5,000 characters."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), LONG_NOTES, body=CHARACTERS)
        site.first_sync()
        peak = _peak("meaning", site)
    yield Figure(f"peak, embedding {LONG_NOTES} long notes", peak, "MB", WITH_MB)


def peak_mb() -> float:
    """The peak of this process."""
    status = Path("/proc/self/status")
    if status.is_file():  # `getrusage` counts the parent's memory before the start, too
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / _KIB
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB / _KIB


def _peak(what: str, site: Site) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.memory", what]
    command += [str(site.vault.parent), str(site.memories)]
    done = subprocess.run(command, env=site.environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def words(site: Site) -> None:
    """Sync, report, build the keyword index anew and search it."""
    from vaultmem.index.hybrid import Mode
    from vaultmem.services.report import report
    from vaultmem.services.search import search

    site.first_sync()
    with site.app() as app:
        report(app.call())
        app.engine.wipe()
        for query in prompts(10, 120):
            search(app.call(), app.engine, query, mode=Mode.KEYWORD)


def meaning(site: Site) -> None:
    """Embed every note, then search by words and meaning."""
    from tests.benchmarks.vault_search import model

    _search(site, model())


def warm(site: Site) -> None:
    """Search by words and meaning where the notes have their vectors."""
    from tests.benchmarks.vault_search import Stocked, model

    _search(site, Stocked(model()))


def _search(site: Site, embedder: Embedder) -> None:
    from vaultmem.index.hybrid import Mode
    from vaultmem.services.indexing import refresh
    from vaultmem.services.search import search

    with site.app(embedder) as app:
        refresh(app.call(), app.engine)
        app.engine.embed()
        for query in prompts(10, 120):
            if search(app.call(), app.engine, query).mode is not Mode.HYBRID:
                raise SystemExit("the model is missing")


if __name__ == "__main__":
    gc.set_threshold(GARBAGE_AFTER)  # as in the program
    _WHAT = {"words": words, "meaning": meaning, "warm": warm}
    _WHAT[sys.argv[1]](Site(Path(sys.argv[2]), int(sys.argv[3])))
    print(peak_mb())
