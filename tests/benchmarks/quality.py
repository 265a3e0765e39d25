"""Quality figures of search and of suggested notes, for the table of all figures."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks import retrieval, vault_ref
from tests.benchmarks.figure import Figure
from vaultmem.index.embedder import FastEmbedder
from vaultmem.index.hybrid import Mode
from vaultmem.index.models import embedded_model

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[2]
SETS = REPOSITORY.parent / "shared" / "eval"
PAIRS = REPOSITORY / "tests" / "fixtures" / "pairs"
PRECISION = 0.9
"""Least share of right ones among the suggested notes; the goal of the promotion to vault_ref."""


def measure() -> Iterator[Figure]:
    """Search on the large sets where they are at hand, else on the small ones; then vault_ref."""
    embedder = FastEmbedder(embedded_model())
    if SETS.is_dir():
        yield _found("nl2bash", SETS / "nl2bash", embedder, "ndcg10", least=0.60)
        yield _found(
            "nl2bash with code", SETS / "nl2bash", embedder, "ndcg10", least=0.67, code=True
        )
        yield _found("devmem", SETS / "devmem", embedder, "mrr", least=0.76)
        yield _found("devmem", SETS / "devmem", embedder, "hit5", least=0.80)
    else:
        yield _found("small set", PAIRS / "retrieval", embedder, "ndcg10", least=0.89)
    yield from _suggested(embedder)


def _found(
    name: str,
    folder: Path,
    embedder: FastEmbedder,
    figure: str,
    *,
    least: float,
    code: bool = False,
) -> Figure:
    with tempfile.TemporaryDirectory() as cache:
        found = retrieval.measure(folder, Path(cache), embedder, with_command=code)
    hybrid, keyword = (getattr(found[mode], figure) for mode in (Mode.HYBRID, Mode.KEYWORD))
    title = f"hybrid search, {figure}, {name}"
    return Figure(title, hybrid, "", None, keyword, "keyword alone", least=least)


def _suggested(embedder: FastEmbedder) -> Iterator[Figure]:
    rows = vault_ref.labelled("measure")
    with tempfile.TemporaryDirectory() as folder, vault_ref.example_vault(Path(folder)) as call:
        done, words = (
            vault_ref.outcome(rows, vault_ref.suggested(call, rows, model))
            for model in (embedder, None)
        )
    yield Figure(
        "suggested notes, precision",
        done.precision,
        "",
        None,
        words.precision,
        "by words alone",
        least=PRECISION,
    )
    yield Figure("suggested notes, recall", done.recall, "", None, words.recall, "by words alone")
