"""With the embedded model, suggested knowledge notes are right; the labels judge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks.vault_ref import SPLITS, example_vault, labelled, outcome, suggested

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.index.embedder import FastEmbedder
    from vaultmem.services.call import Call


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Call]:
    with example_vault(tmp_path_factory.mktemp("example")) as made:
        yield made


# The issue asks for precision .9 and recall .8; these floors lie a little below what is measured.
@pytest.mark.parametrize("split", SPLITS)
def test_suggestions_by_words_and_meaning(call: Call, model: FastEmbedder, split: str) -> None:
    rows = labelled(split)
    found = suggested(call, rows, model)
    done = outcome(rows, found)
    assert done.precision >= 0.95, done.wrong
    assert done.recall >= 0.90, done.wrong
    assert found == suggested(call, rows, model), "the same again"


def test_a_vault_whose_notes_have_no_vectors_yet_is_answered_the_same(
    call: Call, model: FastEmbedder
) -> None:
    rows = labelled("measure")[::4]
    found = suggested(call, rows, model, embedded=False)
    assert found == suggested(call, rows, model)
    assert any("meaning" in one.reason for ones in found for one in ones)


@pytest.mark.parametrize("split", SPLITS)
def test_without_a_model_words_alone_are_stricter(call: Call, split: str) -> None:
    rows = labelled(split)
    done = outcome(rows, suggested(call, rows, None))
    assert done.precision >= 0.97, done.wrong
    assert done.recall >= 0.65, done.wrong


@pytest.mark.parametrize("split", SPLITS)
def test_every_suggestion_says_why_and_there_are_three_at_most(
    call: Call, model: FastEmbedder, split: str
) -> None:
    for ones in suggested(call, labelled(split), model):
        assert len(ones) <= 3
        assert [one.score for one in ones] == sorted((one.score for one in ones), reverse=True)
        for one in ones:
            assert one.link == f"[[{one.path.removesuffix('.md')}|{one.title}]]"
            assert one.reason.startswith("words: ")
            assert not one.path.startswith(("Memory/", "Templates/", "Daily/"))


def test_half_of_the_statements_have_a_note_and_all_notes_are_there(call: Call) -> None:
    for split in SPLITS:
        rows = labelled(split)
        counts = Counter(bool(row.notes) for row in rows)
        assert counts[True] == counts[False] >= 30
        for row in rows:
            assert all((call.vault.path / note).is_file() for note in row.notes)
    statements = [row.statement for split in SPLITS for row in labelled(split)]
    assert len(set(statements)) == len(statements)
