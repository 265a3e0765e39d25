"""How well detection does on labelled developer talk; only `hold` judges, `tune` was tuned on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from vaultmem.core.detection import detect

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "detection"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "detection.md"
KEYS = {"text", "captured", "kind", "rule", "durability", "split"}


class Figures(NamedTuple):
    """Counts over one part of the corpus."""

    right: int
    wrong: int
    missed: int
    kinds: int

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed)


def rows(split: str) -> list[dict]:
    text = (FOLDER / f"{split}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def measure(split: str) -> Figures:
    answers = [(row, detect(row["text"])[0]) for row in rows(split)]
    both = [(row, got) for row, got in answers if row["captured"] and got.captured]
    return Figures(
        right=len(both),
        wrong=sum(got.captured and not row["captured"] for row, got in answers),
        missed=sum(row["captured"] and not got.captured for row, got in answers),
        kinds=sum(got.kind == row["kind"] for row, got in both),
    )


@pytest.mark.parametrize("split", ["tune", "hold"])
def test_captures_what_a_person_wants_remembered_and_little_else(split):
    figures = measure(split)

    assert figures.precision >= 0.95
    assert figures.recall >= 0.85
    assert figures.kinds / figures.right >= 0.97


@pytest.mark.parametrize("split", ["tune", "hold"])
def test_the_page_prints_the_figures(split):
    figures = measure(split)
    row = (
        f"| {split} | {len(rows(split))} | {sum(one['captured'] for one in rows(split))} "
        f"| {figures.precision:.3f} | {figures.recall:.3f} |"
    )

    assert row in PAGE.read_text(encoding="utf-8")


def test_rule_and_durability_are_right_where_they_are_labelled():
    told = [(row, detect(row["text"])[0]) for row in (*rows("tune"), *rows("hold"))]
    rules = [got.rule == row["rule"] for row, got in told if "rule" in row and got.captured]
    lasts = [
        got.durability == row["durability"]
        for row, got in told
        if "durability" in row and got.captured
    ]

    assert len(rules) > 50
    assert len(lasts) > 150
    assert sum(rules) / len(rules) >= 0.97
    assert sum(lasts) / len(lasts) >= 0.97


def test_the_corpus_is_well_formed_and_its_parts_share_nothing():
    tune, hold = rows("tune"), rows("hold")
    texts = [row["text"] for row in (*tune, *hold)]

    assert len(hold) >= 160
    assert len(texts) == len(set(texts)) >= 320
    for split, part in (("tune", tune), ("hold", hold)):
        assert all(set(row) <= KEYS and row["split"] == split for row in part)
        assert all(row["captured"] == (row["kind"] != "none") for row in part)
        assert 0.35 < sum(row["captured"] for row in part) / len(part) < 0.65
