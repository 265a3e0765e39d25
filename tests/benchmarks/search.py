"""What search costs: `python tests/benchmarks/search.py [--notes 1000 10000] [--json]`.

Made-up notes of the size of memories; every figure is measured in a process of its own, so that
memory and imports count. Beside each figure stands its ratio to a reference from the same run,
because absolute times say more about the machine than about the program.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.index.documents import Document, Source
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.engine import Feed, SearchEngine
from vaultmem.index.hybrid import Mode
from vaultmem.index.models import embedded_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHORT, LONG = 8, 120
"""Words of a query and of a prompt."""

_WORDS = random.Random(1).sample(
    [a + b + c for a in ("re", "con", "de", "in", "sub", "pro", "ex", "trans") for b in
     ("cach", "deploy", "commit", "test", "retri", "index", "build", "log", "pars", "merg", "lint", "mock") for c in
     ("e", "ing", "ed", "er", "ion", "able", "s", "or", "al", "ive", "ory", "ment")], 1_000,
)  # fmt: skip


def made_up(count: int, *, characters: int = 130) -> Iterator[Document]:
    """Notes with Zipf-like words, the same ones each time."""
    chance = random.Random(2)
    weights = [1 / (rank + 3) for rank in range(len(_WORDS))]
    for number in range(count):
        words = chance.choices(_WORDS, weights, k=characters // 8)
        yield Document(
            key=f"mem_{number:026d}",
            id=f"mem_{number:026d}",
            source=Source.MEMORY,
            path=f"Memory/Lessons/{number}.md",
            title=" ".join(words[:6]),
            body=" ".join(words) + f" {number}",
        )


def queries(words: int, count: int = 60) -> list[str]:
    """Queries of so many words."""
    chance = random.Random(3)
    weights = [1 / (rank + 3) for rank in range(len(_WORDS))]
    return [" ".join(chance.choices(_WORDS, weights, k=words)) for _ in range(count)]


def p95(actions: dict[str, Callable[[str], object]], asked: list[str]) -> dict[str, float]:
    """The 95th percentile of the milliseconds of one call of each; they take turns, query by query.

    What they are compared with then suffers from the same neighbours.
    """
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for query in [asked[0], *asked]:
        for name, action in actions.items():
            began = time.perf_counter()
            action(query)
            taken[name].append(time.perf_counter() - began)
    return {name: 1e3 * sorted(times[1:])[int(len(asked) * 0.95)] for name, times in taken.items()}


def peak() -> float:
    """MB that this process had at most."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (2**20 if sys.platform == "darwin" else 2**10)


class Measure:
    """One process's worth of figures; each public method is one."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.count = count

        self.embedder = FastEmbedder(embedded_model())

    def _engine(self, *, model: bool) -> SearchEngine:
        return SearchEngine(self.folder, embedder=self.embedder if model else None)

    def _feed(self, stamp: str | None) -> Feed:
        if stamp == "1":
            return Feed((), (), "1")
        return Feed(made_up(self.count), (), "1", complete=True)

    def first_index(self) -> dict[str, float]:
        """CPU seconds and memory of the first keyword index."""
        engine = self._engine(model=False)
        began = time.process_time()
        engine.refresh(self._feed)
        spent = time.process_time() - began
        engine.optimise(purge=True)
        return {"cpu s": spent, "peak MB": peak()}

    def vectors(self) -> dict[str, float]:
        """Seconds and memory of embedding everything."""
        engine = self._engine(model=True)
        engine.refresh(self._feed)
        began = time.perf_counter()
        done = engine.embed()
        return {"texts a second": done / (time.perf_counter() - began), "peak MB": peak()}

    def long_notes(self) -> dict[str, float]:
        """Memory of embedding notes of 5,000 characters."""
        self.embedder.embed([document.body for document in made_up(128, characters=5_000)])
        return {"peak MB": peak()}

    def cold_search(self) -> dict[str, float]:
        """CPU seconds of a keyword search in a fresh process, imports included."""
        found = self._engine(model=False).search(queries(SHORT)[0], mode=Mode.KEYWORD)
        return {"cpu s": time.process_time(), "hits": float(len(found.hits))}

    def warm_search(self) -> dict[str, float]:
        """Milliseconds, p95, of warm queries beside those of embedding them."""
        engine = self._engine(model=True)
        figures: dict[str, float] = {}
        for name, words in (("short", SHORT), ("long", LONG)):
            actions: dict[str, Callable[[str], object]] = {
                "embedding": lambda query: self.embedder.embed([query]),
                "hybrid": engine.search,
                "keyword": lambda query: engine.search(query, mode=Mode.KEYWORD),
            }
            found = p95(actions, queries(words))
            figures |= {f"{name} {what} ms": value for what, value in found.items()}
            beyond = found["hybrid"] - 2 * found["embedding"]
            figures[f"{name} beyond 2x embedding ms"] = beyond
        return figures | {"peak MB": peak()}

    def one_update(self) -> dict[str, float]:
        """Milliseconds of one changed memory: both indexes and its vector."""
        engine = self._engine(model=True)
        engine.search("warm")
        taken: list[float] = []
        for number, document in enumerate(made_up(20)):
            changed = Document(
                key=document.key, id=document.id, source=document.source, path=document.path,
                title=document.title, body=f"{document.body} changed {number}",
            )  # fmt: skip
            began = time.perf_counter()
            engine.refresh(lambda _, one=changed, at=number: Feed([one], (), f"update {at}"))  # type: ignore[misc]
            engine.embed()
            taken.append(time.perf_counter() - began)
        return {"p50 ms": 1e3 * sorted(taken)[10], "max ms": 1e3 * max(taken)}


FIGURES = ("first_index", "vectors", "long_notes", "cold_search", "warm_search", "one_update")


def measure(figure: str, folder: Path, count: int) -> dict[str, float]:
    """One figure, in a process of its own."""
    command = [sys.executable, __file__, "--figure", figure, "--folder", str(folder)]
    printed = subprocess.run(
        [*command, "--notes", str(count)], capture_output=True, check=True, text=True
    ).stdout
    return {name: float(value) for name, value in json.loads(printed).items()}


def reference() -> float:
    """CPU seconds of a loop of plain Python, to compare machines by."""
    began = time.process_time()
    sum(number * number % 7 for number in range(3_000_000))
    return time.process_time() - began


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--figure", choices=FIGURES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.figure:
        figures = getattr(Measure(options.folder, options.notes[0]), options.figure)()
        print(json.dumps(figures))
        return
    unit = reference()
    rows: list[dict[str, float | str]] = []
    for count in options.notes:
        with tempfile.TemporaryDirectory() as folder:
            for figure in FIGURES:
                for name, value in measure(figure, Path(folder), count).items():
                    ratio = value / unit if name.endswith(" s") else value / (1e3 * unit)
                    timed = name.endswith((" s", " ms"))
                    rows.append(
                        {
                            "notes": count,
                            "figure": f"{figure} {name}",
                            "value": value,
                            "ratio": ratio if timed else 0.0,
                        }
                    )
    if options.json:
        print(json.dumps({"reference s": unit, "rows": rows}, indent=2))
        return
    print(
        f"reference: {unit:.3f} s of plain Python\n\n{'notes':>7}  {'figure':44} {'value':>9} {'x reference':>12}"
    )
    for row in rows:
        ratio = f"{row['ratio']:12.3f}" if row["ratio"] else ""
        print(f"{row['notes']:>7}  {row['figure']:44} {row['value']:9.2f} {ratio}")


if __name__ == "__main__":
    main()
