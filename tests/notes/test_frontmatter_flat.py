"""The fast path: taken where it is certain, equal to the full reader there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.parse import note
from tests.examples import many
from tests.notes.frontmatter_blocks import ALL_BLOCKS, NOTES, PLAIN, QUOTED, flat_notes, notes
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.frontmatter import fence
from vaultmem.notes.frontmatter.flat import read_flat
from vaultmem.notes.frontmatter.reading import read_tree
from vaultmem.notes.frontmatter.scalars import same
from vaultmem.notes.frontmatter.tree import construct

if TYPE_CHECKING:
    from pathlib import Path


def full(text: str) -> dict[str, object]:
    _, entries = read_tree(text)
    return {entry.name: construct(entry.value) for entry in entries}


def agree(text: str) -> bool:
    """Whether the fast path took the text; if it did, the full reader must say the same."""
    fast = read_flat(text)
    if fast is None:
        return False
    slow = full(text)
    assert list(fast) == list(slow)
    for name, value in fast.items():
        assert same(value, slow[name])
        assert type(value) is type(slow[name])
        if isinstance(value, list):
            assert list(map(type, value)) == list(map(type, slow[name]))  # type: ignore[call-overload]
    return True


def text_of(data: bytes) -> str:
    parts = fence.split(data)
    return fence.decode(data, parts.block_start, parts.block_end)


@many(4)
@given(flat_notes())
def test_flat_notes_read_the_same_on_both_paths(data: bytes) -> None:
    agree(text_of(data))


@many(2)
@given(notes())
def test_any_note_reads_the_same_on_both_paths(data: bytes) -> None:
    agree(text_of(data))


@many(4)
@given(
    st.text(st.sampled_from("ab1 :#-'\"[]{},\\\n\r\t&*!|>%@`?=~.<é\u2028\xa0\ufeff"), max_size=12)
)
def test_any_value_reads_the_same_on_both_paths(value: str) -> None:
    agree(f"a: {value}\nb:\n  - {value}\n")
    agree(f"a: {value}\n")


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.name)
def test_real_notes_read_the_same_on_both_paths(path: Path) -> None:
    agree(text_of(path.read_bytes()))


@pytest.mark.parametrize("data", ALL_BLOCKS)
def test_cases_read_the_same_on_both_paths(data: bytes) -> None:
    try:
        text = text_of(data)
    except NoteUnreadableError:
        return
    agree(text)


def test_the_notes_we_write_take_the_fast_path() -> None:
    import random

    for number in range(20):
        assert agree(text_of(note(random.Random(number), number)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# comment\na: 1\n",
        "a:\n",
        "a:  \n",
        "a: x \n",
        "a: [ X, bX , c ]\n",
        "a: x\xa0\nb:\n  - y\u3000\n  - x\xa0 \n",
        'a: "q"  \n',
        "a: 'q'\r\nb: 1\r\n",
        "a: []\n",
        "a: [ b c, 1 ]  \n",
        "a:\n- x\n- \"y\"\n",
        "a:\n    - x\n\nb: 1\n",
        "a: https://x.y/z#w?v=u\n",
        *(f"a: {value}\n" for value in PLAIN if value[0] not in "-~"),
        *(f"a: {value}\n" for value in QUOTED if "\\" not in value and value != "'it''s'"),
    ],
)  # fmt: skip
def test_the_fast_path_takes(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1", "a: x # c\n", "a: x: y\n", "a: x:\n", "a: x\n  y\n", "a: x\n\n  y\n", "a:\n  b: 1\n", "a: |\n  x\n",
        "a: &x 1\n", "a: *x\n", "a: !t 1\n", "a: {b: 1}\n", "a: [[b]]\n", "a: [b,]\n", "a: [b: c]\n", 'a: ["b"]\n',
        'a: "x\\n"\n', "a: 'it''s'\n", 'a: "x" y\n', 'a: "x"y\n', "a: 1\na: 2\n", "a: 1\nA: 2\n", "null: 1\n",
        "True: 1\n", "a b: 1\n", '"a": 1\n', "é: 1\n", "1: 1\n", "a:1\n", "a\n", "- a\n", "a:\n  - x\n - y\n",
        "a:\n  - x\n    y\n", "a:\n  - x: 1\n", "a:\n  - - x\n", "a:\n  -\n", "a:\n  - x # c\n", "a:\n\n  - x\n",
        "a:\n  # c\n  - x\n", "a: x\ty\n", "a:\tx\n", "a: x\rb: y\n", "a: x\x85y\n", "a: x\u2028y\n", "a: \ufeffx\n",
        "a: x\x00\n", "a: \ud800\n", "  a: 1\n", "a: - x\n", "a: ? x\n", "a: @x\n", "a: `x\n", "a: %x\n", "...\n",
        "--- a\n", "a: \xa0x\n", f"{'a' * 201}: 1\n",
    ],
)  # fmt: skip
def test_the_fast_path_leaves(text: str) -> None:
    assert read_flat(text) is None
