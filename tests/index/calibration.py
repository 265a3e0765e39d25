"""Precision and recall of the similarity thresholds: `python -m tests.index.calibration`.

Reads the labelled pairs in `tests/fixtures/pairs`. Thresholds were chosen on the pairs with split
`tune`; the table of docs/explanation/search.md is what this prints, the gate is on `hold`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.core.duplicate import difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.index.embedder import Embedder
    from vaultmem.index.models import Calibration

PAIRS = Path(__file__).parents[1] / "fixtures" / "pairs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A labelled pair and its cosine; `positive` is what the threshold should let through."""

    a: str
    b: str
    split: str
    positive: bool
    vetoed: bool
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a threshold does on one split."""

    purpose: str
    split: str
    threshold: float
    pairs: int
    precision: float
    recall: float


def rows(name: str) -> list[dict[str, str]]:
    """The labelled pairs of one file."""
    return [json.loads(line) for line in (PAIRS / name).read_text("utf-8").splitlines()]


def scored(name: str, label: str, embedder: Embedder, *, veto: bool) -> list[Scored]:
    """Every pair of a file with the cosine of its two texts."""
    pairs = rows(name)
    first = embedder.embed([pair["a"] for pair in pairs])
    second = embedder.embed([pair["b"] for pair in pairs])
    return [
        Scored(
            a=pair["a"],
            b=pair["b"],
            split=pair["split"],
            positive=pair["label"] == label,
            vetoed=veto and difference(pair["a"], pair["b"]) is not None,
            cosine=float(cosine),
        )
        for pair, cosine in zip(pairs, (first * second).sum(axis=1), strict=True)
    ]


def outcome(purpose: str, split: str, threshold: float, pairs: Iterable[Scored]) -> Outcome:
    """Precision and recall at a threshold; no hit at all has precision 1."""
    mine = [pair for pair in pairs if pair.split == split]
    hits = [pair.positive for pair in mine if pair.cosine >= threshold and not pair.vetoed]
    return Outcome(
        purpose=purpose,
        split=split,
        threshold=threshold,
        pairs=len(mine),
        precision=sum(hits) / len(hits) if hits else 1.0,
        recall=sum(hits) / sum(pair.positive for pair in mine),
    )


def outcomes(embedder: Embedder, thresholds: Calibration) -> list[Outcome]:
    """All five purposes on both splits."""
    statements = scored("statements.jsonl", "same", embedder, veto=True)
    measured = (
        ("dedup", thresholds.dedup, statements),
        ("tombstone", thresholds.tombstone, statements),
        (
            "contextual",
            thresholds.contextual,
            scored("prompts.jsonl", "related", embedder, veto=False),
        ),
        (
            "file_reminder",
            thresholds.file_reminder,
            scored("files.jsonl", "related", embedder, veto=False),
        ),
        ("vault_ref", thresholds.vault_ref, scored("notes.jsonl", "related", embedder, veto=False)),
    )
    return [
        outcome(purpose, split, threshold, pairs)
        for purpose, threshold, pairs in measured
        for split in ("tune", "hold")
    ]


def main() -> None:
    """Print the table."""
    from vaultmem.index.embedder import FastEmbedder
    from vaultmem.index.models import calibration, embedded_model

    model = embedded_model()
    print("| purpose | threshold | pairs | tune: precision / recall | hold: precision / recall |")
    print("|---|---|---|---|---|")
    found = outcomes(FastEmbedder(model), calibration(model.name))
    for tune, hold in zip(found[::2], found[1::2], strict=True):
        print(
            f"| {tune.purpose} | {tune.threshold:.2f} | {tune.pairs + hold.pairs} |"
            f" {tune.precision:.2f} / {tune.recall:.2f} | {hold.precision:.2f} / {hold.recall:.2f} |"
        )


if __name__ == "__main__":
    main()
