"""How good the suggested knowledge notes are: `python -m tests.benchmarks.vault_ref [--misses]`.

Reads the labelled statements in `tests/fixtures/vault_ref` and asks for suggestions over the
knowledge notes of `example-vault`, with the embedded model and without one.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.world import Device
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.index.engine import SearchEngine
from vaultmem.services.vault_ref import suggest_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vaultmem.index.embedder import Embedder
    from vaultmem.services.call import Call
    from vaultmem.services.vault_ref import Suggestion

REPOSITORY = Path(__file__).resolve().parents[2]
LABELLED = REPOSITORY / "tests" / "fixtures" / "vault_ref" / "candidates.jsonl"
SPLITS = ("tune", "measure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A statement, and the notes of which any is right; none where no note is."""

    statement: str
    notes: tuple[str, ...]
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the first suggestions compare with the labels.

    Attributes:
        precision: the right ones among those that were suggested.
        recall: the right ones among the statements that have a note.
        wrong: a line for each that is missed or false.
    """

    precision: float
    recall: float
    wrong: tuple[str, ...]


def labelled(split: str) -> list[Labelled]:
    """The statements of one half."""
    rows = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    return [
        Labelled(statement=row["statement"], notes=tuple(row["notes"]), split=row["split"])
        for row in rows
        if row["split"] == split
    ]


@contextmanager
def example_vault(folder: Path) -> Iterator[Call]:
    """A copy of the example vault below `folder`, looked at once."""
    vault = folder / "vault"
    shutil.copytree(REPOSITORY / "example-vault", vault)
    device = Device(vault, folder / "home", seed=0)
    device.sync()
    yield device.call()
    device.close()


def suggested(
    call: Call, rows: Sequence[Labelled], embedder: Embedder | None, *, embedded: bool = True
) -> list[tuple[Suggestion, ...]]:
    """What is suggested for each statement, by an engine of its own.

    Without `embedded`, as in a vault whose notes have no vectors yet.
    """
    kind = ("meaning" if embedded else "no vectors") if embedder is not None else "words"
    cache = call.vault.state.cache / kind
    engine = SearchEngine(cache, embedder=embedder)
    memories = [_memory(call, row.statement) for row in rows]
    suggest_all(call, engine, memories[:1])  # feeds the index
    if embedded:
        engine.embed()
    found = suggest_all(call, engine, memories)
    engine.close()
    return found


def _memory(call: Call, statement: str) -> Memory:
    made = MemoryId(call.new_id("mem"))
    return Memory(id=made, category=Category.LESSON, statement=statement)


def outcome(rows: Sequence[Labelled], found: Sequence[Sequence[Suggestion]]) -> Outcome:
    """Compare the first suggestion of each with its label."""
    right = made = 0
    wrong: list[str] = []
    for row, ones in zip(rows, found, strict=True):
        first = ones[0].path if ones else None
        made += first is not None
        right += first in row.notes
        if first not in row.notes and (first or row.notes):
            wrong.append(f"{first or 'missed'}: {row.statement}")
    having = sum(bool(row.notes) for row in rows)
    return Outcome(
        precision=right / made if made else 1.0, recall=right / having, wrong=tuple(wrong)
    )


def main() -> None:
    """Print the table, and with `--misses` each wrong one of the tune half."""
    from vaultmem.index.embedder import FastEmbedder
    from vaultmem.index.models import embedded_model

    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.vault_ref")
    parser.add_argument("--misses", action="store_true", help="print what was wrong")
    options = parser.parse_args()
    models: dict[str, Embedder | None] = {
        "embedded": FastEmbedder(embedded_model()),
        "words alone": None,
    }
    print("| model | half | statements | precision | recall | ms each |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, example_vault(Path(folder)) as call:
        for name, model in models.items():
            for split in SPLITS:
                rows = labelled(split)
                start = time.perf_counter()
                done = outcome(rows, suggested(call, rows, model))
                each = 1000 * (time.perf_counter() - start) / len(rows)
                print(
                    f"| {name} | {split} | {len(rows)} | {done.precision:.3f} "
                    f"| {done.recall:.3f} | {each:.0f} |"
                )
                if options.misses and split == "tune":
                    print("\n".join(f"    {line}" for line in done.wrong))


if __name__ == "__main__":
    main()
