"""How fast notes are read: our reader against PyYAML's C loader on the same blocks, in one run.

    python tests/benchmarks/parse.py --notes 10000

Prints one row per reader with notes a second and the ratio to PyYAML. The notes have the shape of a
memory (about twelve properties); they are written to a temporary folder and read from there, so
every row pays for the same file reading.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.frontmatter.reading import read_tree
from vaultmem.notes.frontmatter.tree import construct

if TYPE_CHECKING:
    from collections.abc import Callable


GOAL = 1.5
_ROUNDS = 3
_FULL_SHARE = 20
"""The full reader is slow; it gets every twentieth note."""


def note(rng: random.Random, number: int) -> bytes:
    """A memory as `notes.codec` writes one."""
    words = ("never", "stage", "files", "retry", "queue", "cache", "build", "test", "review")
    statement = " ".join(rng.choices(words, k=14)).capitalize()
    ulid = "".join(rng.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=22))
    month, day = rng.randint(1, 12), rng.randint(1, 28)
    return f"""---
id: mem_01JD{ulid}
type: memory
category: {rng.choice(("lesson", "decision", "pattern"))}
rule: {rng.choice(("avoid_pattern", "testing", "workflow"))}
scope: project
project: github.com/acme/service-{number % 7}
confidence: {rng.choice(("0.7", "0.9", "0.95"))}
evidence_count: {rng.randint(1, 9)}
pinned: {rng.choice(("true", "false"))}
tags:
  - memory/{rng.choice(words)}
  - memory/{rng.choice(words)}
created: 2026-{month:02}-{day:02}T10:12:00
reinforced: 2026-{month:02}-{day:02}T09:00:00
review: 2026-{month:02}-{day:02}
evidence:
  - "[[2026-{month:02}-{day:02} evidence dev#^ev-{number}]]"
applies_when: "the repository is a service, not a library"
---
{statement}.
""".encode()


def block_of(data: bytes) -> str:
    """The text between the fences, cut as simply as can be."""
    end = data.index(b"\n---\n", 3)
    return data[4 : end + 1].decode()


def fast(data: bytes) -> object:
    """Our reader, as every command uses it."""
    return get_properties(data)


def full(data: bytes) -> object:
    """Our full reader, through ruamel's events."""
    _, entries = read_tree(block_of(data))
    return {entry.name: construct(entry.value) for entry in entries}


def pyyaml(data: bytes) -> object:
    """PyYAML's C loader."""
    return yaml.load(block_of(data), Loader=yaml.CSafeLoader)


def rate(paths: list[Path], reader: Callable[[bytes], object]) -> float:
    """Notes for each second of processor time, reading the file included."""
    start = time.process_time()
    for path in paths:
        with path.open("rb") as file:
            reader(file.read())
    return len(paths) / (time.process_time() - start)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and answer 1 if the goal is missed or the two readers of ours differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    count = parser.parse_args(arguments).notes
    rng = random.Random(20261129)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number:06}.md") for number in range(count)]
        for number, path in enumerate(paths):
            path.write_bytes(note(rng, number))
        sample = paths[::_FULL_SHARE]
        equal = all(fast(path.read_bytes()) == full(path.read_bytes()) for path in sample)
        # In turns, so that a busy machine slows both; the best of each counts.
        rounds = [(rate(paths, pyyaml), rate(paths, fast)) for _ in range(_ROUNDS)]
        base, ours = (max(column) for column in zip(*rounds, strict=True))
        rows = [
            ("PyYAML C loader", base),
            ("vaultmem", ours),
            ("vaultmem, full reader", rate(sample, full)),
        ]
    print(f"read + parse {count} notes")
    for name, speed in rows:
        print(f"  {name:<24}{speed:>10,.0f} notes/s{speed / base:>8.2f} x")
    ratio = ours / base
    print(f"  goal {GOAL} x: {'met' if ratio >= GOAL else 'MISSED'}; values equal: {equal}")
    return 0 if equal and ratio >= GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
