"""How well search finds what people ask for: `python tests/benchmarks/retrieval.py DIR --json`.

DIR holds `corpus.jsonl` (`{id, title?, text, command?}`) and `queries.jsonl` (`{id, text,
relevant: [ids]}`). Prints nDCG@10, R@5, R@10, MRR and hit@5 for keyword, semantic and hybrid,
found by the same engine that the program uses. `--with-command` adds the command to the text.
With `--floor ndcg10=.60` and the like it fails where hybrid finds less, or less than its parts.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.index.documents import Document, Source
from vaultmem.index.engine import Feed, SearchEngine
from vaultmem.index.hybrid import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vaultmem.index.embedder import Embedder

DEPTH = 10
NEVER_BELOW_BETTER_HALF = 0.015
"""How far the nDCG@10 of hybrid may be below that of its better part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query and the ids of the notes that answer it."""

    text: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Means over all questions, each in [0, 1]."""

    ndcg10: float
    recall5: float
    recall10: float
    mrr: float
    hit5: float


def corpus(folder: Path, *, with_command: bool) -> Iterator[Document]:
    """The notes of a set, one document each."""
    for row in _rows(folder / "corpus.jsonl"):
        parts = [row["text"], row["command"]] if with_command else [row["text"]]
        yield Document(
            key=str(row["id"]),
            id=str(row["id"]),
            source=Source.MEMORY,
            path=f"{row['id']}.md",
            title=row.get("title") or "",
            body="\n".join(parts),
        )


def questions(folder: Path) -> list[Question]:
    """The questions of a set."""
    rows = _rows(folder / "queries.jsonl")
    # A question that nothing answers says nothing about a ranking.
    return [
        Question(text=row["text"], relevant=frozenset(map(str, row["relevant"])))
        for row in rows
        if row["relevant"]
    ]


def figures(rankings: Sequence[Sequence[str]], asked: Sequence[Question]) -> Figures:
    """Compare rankings of ids with what is relevant; binary gains, log2 discount."""
    pairs = list(zip(rankings, asked, strict=True))

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    return Figures(
        ndcg10=mean([_ndcg(ranking, question.relevant) for ranking, question in pairs]),
        recall5=mean([_recall(ranking[:5], question.relevant) for ranking, question in pairs]),
        recall10=mean([_recall(ranking[:10], question.relevant) for ranking, question in pairs]),
        mrr=mean([_reciprocal(ranking, question.relevant) for ranking, question in pairs]),
        hit5=mean([float(bool(question.relevant & {*ranking[:5]})) for ranking, question in pairs]),
    )


def measure(
    folder: Path, cache: Path, embedder: Embedder, *, with_command: bool = False
) -> dict[Mode, Figures]:
    """Index a set below `cache` (vectors that are there already are used) and ask everything."""
    engine = SearchEngine(cache, embedder=embedder)
    feed = Feed(corpus(folder, with_command=with_command), (), str(folder), complete=True)
    if trouble := engine.refresh(lambda _: feed):
        raise SystemExit(trouble)
    engine.embed()
    asked = questions(folder)
    measured = {
        mode: figures(
            [
                [hit.key for hit in engine.search(question.text, mode=mode, limit=DEPTH).hits]
                for question in asked
            ],
            asked,
        )
        for mode in Mode
    }
    engine.close()
    return measured


def shortfalls(measured: Mapping[Mode, Figures], floors: Sequence[tuple[str, float]]) -> list[str]:
    """What hybrid does not reach: each floor by the name of its figure, and its better part."""
    hybrid = asdict(measured[Mode.HYBRID])
    better = max(measured[Mode.KEYWORD].ndcg10, measured[Mode.SEMANTIC].ndcg10)
    wanted = [*floors, ("ndcg10", better - NEVER_BELOW_BETTER_HALF)]
    return [
        f"hybrid {name} is {hybrid[name]:.3f}, not {least:.3f}"
        for name, least in wanted
        if hybrid[name] < least
    ]


def _floor(text: str) -> tuple[str, float]:
    name, _, least = text.partition("=")
    if name not in Figures.__dataclass_fields__:
        raise argparse.ArgumentTypeError(f"one of {', '.join(Figures.__dataclass_fields__)}")
    return name, float(least)


def _rows(path: Path) -> list[dict[str, str]]:
    # Not splitlines(): it also splits at characters that JSON strings may hold as they are.
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def _ndcg(ranking: Sequence[str], relevant: frozenset[str]) -> float:
    gained = sum(1 / math.log2(at + 2) for at, key in enumerate(ranking[:10]) if key in relevant)
    return gained / sum(1 / math.log2(at + 2) for at in range(min(10, len(relevant))))


def _recall(ranking: Sequence[str], relevant: frozenset[str]) -> float:
    return len(relevant & {*ranking}) / len(relevant)


def _reciprocal(ranking: Sequence[str], relevant: frozenset[str]) -> float:
    return next((1 / (at + 1) for at, key in enumerate(ranking) if key in relevant), 0.0)


def main() -> None:
    """Run from the command line."""
    from vaultmem.index.embedder import FastEmbedder
    from vaultmem.index.models import embedded_model

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--with-command", action="store_true", help="index text and command")
    parser.add_argument("--cache", type=Path, help="keep the index here; otherwise temporary")
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--floor", type=_floor, action="append", metavar="FIGURE=N", help="what hybrid must reach"
    )
    options = parser.parse_args()
    place = nullcontext(options.cache) if options.cache else tempfile.TemporaryDirectory()
    with place as cache:
        measured = measure(
            options.folder,
            Path(cache),
            FastEmbedder(embedded_model()),
            with_command=options.with_command,
        )
    if options.json:
        json.dump({mode: asdict(row) for mode, row in measured.items()}, sys.stdout, indent=2)
        print()
    else:
        _print(measured)
    missed = shortfalls(measured, options.floor) if options.floor else []
    if missed:
        sys.exit("; ".join(missed))


def _print(measured: Mapping[Mode, Figures]) -> None:
    print(f"{'':9} nDCG@10    R@5   R@10    MRR  hit@5")
    for mode, row in measured.items():
        numbers = (row.ndcg10, row.recall5, row.recall10, row.mrr, row.hit5)
        print(f"{mode:9} " + " ".join(f"{number:6.3f}" for number in numbers))


if __name__ == "__main__":
    main()
