"""The acceptance cases, byte for byte, and every note of every vault at hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.notes.frontmatter_blocks import CASES, NOTES, ROOT, Case, cases
from vaultmem.errors import EditRefusedError, NoteError
from vaultmem.notes.frontmatter import (
    append_to_list,
    get_properties,
    set_property,
    unset_property,
)
from vaultmem.notes.frontmatter.fence import split
from vaultmem.notes.frontmatter.scalars import same

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


ALL = cases()


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_case_gives_the_expected_bytes_or_a_refusal(case: Case) -> None:
    if case.expected is None:
        with pytest.raises(NoteError) as caught:
            set_property(case.data, case.key, case.value)
        assert caught.value.line is not None
        assert caught.value.problem.endswith(".")
        assert caught.value.remedy.endswith(".")
    else:
        assert set_property(case.data, case.key, case.value) == case.expected
        assert same(get_properties(case.expected)[case.key], case.value)


def test_the_cases_are_there() -> None:
    assert len(ALL) >= 83


def test_the_copy_of_the_cases_agrees_with_the_ones_read() -> None:
    copy = ROOT / "tests/fixtures/frontmatter_cases"
    names = sorted(path.relative_to(CASES) for path in CASES.rglob("*.md"))
    assert names == sorted(path.relative_to(copy) for path in copy.rglob("*.md"))
    assert all((CASES / name).read_bytes() == (copy / name).read_bytes() for name in names)


def outside(data: bytes) -> tuple[bytes, bytes]:
    parts = split(data)
    return data[: parts.block_start], data[parts.block_end :]


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.name)
def test_a_new_property_on_a_real_note_adds_one_line_and_goes_without_a_trace(path: Path) -> None:
    data = path.read_bytes()
    parts = split(data)
    line = f"vaultmem-probe: a value{parts.eol}".encode()
    if not parts.has_block:
        fence = f"---{parts.eol}".encode()
        line = fence + line + fence
    changed = set_property(data, "vaultmem-probe", "a value")
    assert changed == data[: parts.block_end] + line + data[parts.block_end :]
    removed = unset_property(changed, "vaultmem-probe")
    assert removed == data if parts.has_block else removed.endswith(data[parts.body_start :])


@pytest.mark.no_cover  # the cases above go through every line; here the notes are the point
@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.name)
def test_changing_each_property_of_a_real_note_changes_only_it(path: Path) -> None:
    data = path.read_bytes()
    before = get_properties(data)
    for key, old in before.items():
        changed = attempt(set_property, data, key, "other")
        assert get_properties(changed) == {**before, key: "other"}
        removed = attempt(unset_property, data, key)
        assert get_properties(removed) == {k: v for k, v in before.items() if k != key}
        if isinstance(old, list):
            longer = append_to_list(data, key, "more")
            assert get_properties(longer) == {**before, key: [*old, "more"]}
            assert outside(longer) == outside(data)


def attempt(change: Callable[..., bytes], data: bytes, *arguments: object) -> bytes:
    """The changed note; where a comment stands in the way, the same change without comments."""
    try:
        changed = change(data, *arguments)
    except EditRefusedError:
        assert re.search(rb"(?m)^[^#\n]+[ \t]#", data)
        return change(re.sub(rb"(?m)[ \t]#.*$", b"", data), *arguments)
    assert outside(changed) == outside(data)
    return changed
