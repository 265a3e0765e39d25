"""Every figure of speed and memory in one table: `python -m tests.benchmarks --notes 1000 10000`.

References are measured in the same run, beside the figure, because times say as much about the
machine and its load as about the program. With `--gate` a goal that is missed fails the command;
`--write` measures the quality of search, too, and renews `docs/benchmarks.md`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import warnings
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import (
    add,
    hooks,
    inject,
    memory,
    migrate,
    notebook,
    page,
    parse,
    quality,
    report,
    sync,
    vault_search,
)
from tests.benchmarks.figure import Figure, row, table
from tests.benchmarks.reference import beside
from tests.benchmarks.vaults import Site, memory_notes
from vaultmem.cli.main import GARBAGE_AFTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DEFAULT_NOTES = (1_000, 10_000)


def parsing(site: Site) -> Iterator[Figure]:
    """Notes a second of our reader, against PyYAML's C loader."""
    paths = [site.vault / "Memory" / path for path, _ in memory_notes(site.memories)]
    ours, theirs = parse.rate(paths, parse.fast), parse.rate(paths, parse.pyyaml)
    sample = [path.read_bytes() for path in paths[::20]]
    if not all(parse.fast(data) == parse.full(data) for data in sample):
        raise SystemExit("the fast reader and the full one differ")
    name = f"read + parse, {site.memories:,}"
    yield Figure(name, ours, "notes/s", parse.GOAL, theirs, "PyYAML C", faster=True)


def first_sync(site: Site) -> Iterator[Figure]:
    """The first sync of as many memories, and of as many of the person's own notes."""
    count = site.memories
    yield from sync.first(count, 0, f"{count:,} memories")
    yield from sync.first(0, count, f"{count:,} knowledge notes")


BENCHMARKS: dict[str, Callable[[Site], Iterator[Figure]]] = {
    "parse": parsing,
    "first-sync": first_sync,
    "sync": sync.measure,
    "report": report.measure,
    "inject": inject.measure,
    "hooks": hooks.measure,
    "index": vault_search.first_index,
    "cold-search": vault_search.cold,
    "warm-search": vault_search.warm,
    "add": add.measure,
    "notebook": notebook.measure,
    "import": migrate.measure,
    "memory": memory.measure,
}
"""By name, in the order of the table; each gets a settled vault and may leave an index in it."""

LARGE = 100_000
AT_LARGE = ("first-sync", "sync", "report", "index", "cold-search")
"""What is measured where a vault has `LARGE` notes: what each command and each report waits for."""


def measure(folder: Path, sizes: Sequence[int], names: Sequence[str]) -> Iterator[Figure]:
    """The figures of the named benchmarks, for vaults of each size made below `folder`."""
    for size in sizes:
        site = Site(folder / str(size), size)
        site.settle()
        for name in names:
            if size >= LARGE and name not in AT_LARGE:
                continue
            yield from map(beside, BENCHMARKS[name](site))
            site.settle()
    if "memory" in names:
        yield from map(beside, memory.measure_long())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 with `--gate` if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[*DEFAULT_NOTES], metavar="N")
    parser.add_argument("--only", nargs="+", choices=list(BENCHMARKS), default=list(BENCHMARKS))
    parser.add_argument("--gate", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--write", action="store_true", help="renew the page of the docs")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", SyntaxWarning)  # Whoosh's, where it is not compiled yet
    with tempfile.TemporaryDirectory() as folder:
        figures = []
        measured = measure(Path(folder), options.notes, options.only)
        for figure in chain(measured, quality.measure() if options.write else ()):
            figures.append(figure)
            print(*row(figure), sep="  ", file=sys.stderr, flush=True)  # it takes minutes
    print(table(figures))
    if options.write:
        page.write(figures)
    return int(options.gate and any(figure.met is False for figure in figures))


if __name__ == "__main__":
    gc.set_threshold(GARBAGE_AFTER)  # as in the program
    raise SystemExit(main())
