"""Thresholds keep what they promise on pairs that they were not chosen on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.index.calibration import Outcome, outcomes, rows
from vaultmem.index.models import CAUTIOUS, EMBEDDED_MODEL, calibration

if TYPE_CHECKING:
    from vaultmem.index.embedder import FastEmbedder

FILES = ("statements.jsonl", "prompts.jsonl", "files.jsonl", "notes.jsonl")


@pytest.fixture(scope="module")
def held(model: FastEmbedder) -> dict[str, Outcome]:
    found = outcomes(model, calibration(EMBEDDED_MODEL))
    return {one.purpose: one for one in found if one.split == "hold"}


def test_dedup_is_nearly_never_wrong_and_still_finds_most(held: dict[str, Outcome]) -> None:
    assert held["dedup"].precision >= 0.99
    assert held["dedup"].recall >= 0.75


# Floors a little below what is measured (docs/explanation/search.md).
@pytest.mark.parametrize(
    ("purpose", "precision", "recall"),
    [
        ("tombstone", 0.99, 0.80),
        ("contextual", 0.95, 0.30),
        ("file_reminder", 0.95, 0.65),
        ("vault_ref", 0.95, 0.90),
    ],
)
def test_other_thresholds_on_held_out_pairs(
    held: dict[str, Outcome], purpose: str, precision: float, recall: float
) -> None:
    assert held[purpose].precision >= precision
    assert held[purpose].recall >= recall


def test_there_are_enough_pairs_and_hard_ones_in_both_splits() -> None:
    pairs = [pair for name in FILES for pair in rows(name)]
    assert len(pairs) >= 200
    assert len({(pair["a"], pair["b"]) for pair in pairs}) == len(pairs)
    kinds = Counter((pair["split"], pair.get("differs")) for pair in pairs)
    for split in ("tune", "hold"):
        for kind in ("number", "version", "negation", "identifier"):
            assert kinds[split, kind] >= 4


def test_an_unknown_model_gets_cautious_thresholds() -> None:
    assert calibration("some/model") is CAUTIOUS
    assert not CAUTIOUS.measured
    known = calibration(EMBEDDED_MODEL)
    assert known.measured
    assert CAUTIOUS.dedup > known.dedup
    assert CAUTIOUS.contextual > known.contextual
