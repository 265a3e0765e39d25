"""What holds for every note and every edit, tried on generated blocks."""

from __future__ import annotations

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import many
from tests.notes.frontmatter_blocks import KEYS, NEW_VALUES, SCALARS, check_many, notes
from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import (
    append_to_list,
    get_properties,
    new_note,
    set_property,
    unset_property,
)
from vaultmem.notes.frontmatter.fence import split
from vaultmem.notes.frontmatter.reading import read_tree
from vaultmem.notes.frontmatter.scalars import same
from vaultmem.notes.frontmatter.spelling import spell

NAMES = st.sampled_from([*(key.strip('"') for key in KEYS), "new", "A", "null", "x: y"])


def readable(data: bytes) -> dict[str, object] | None:
    try:
        return dict(get_properties(data))
    except NoteUnreadableError:
        return None


def own_lines(data: bytes, key: str) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """The lines before a property, its own up to its last content, and those after."""
    parts = split(data)
    text = data[parts.block_start : parts.block_end].decode()
    _, entries = read_tree(text)
    lines = data.splitlines(keepends=True)
    for entry in entries:
        if entry.name == key:
            first = text.count("\n", 0, entry.key.start) + 1
            last = text.count("\n", 0, entry.value.end) + 1
            return lines[:first], lines[first : last + 1], lines[last + 1 :]
    first = data[: parts.block_end].count(b"\n")
    return lines[:first], [], lines[first:]


def check_edit(data: bytes, changed: bytes, key: str, before: dict[str, object]) -> None:
    """Only the property's own lines differ, and every other property keeps its value."""
    head, _, tail = own_lines(data, key)
    if not split(data).has_block:
        assert changed.endswith(b"".join(tail))
        return
    assert changed.startswith(b"".join(head))
    assert changed.endswith(b"".join(tail))
    middle = changed[len(b"".join(head)) : len(changed) - len(b"".join(tail))]
    if split(data).eol == "\r\n":
        assert middle.count(b"\n") == middle.count(b"\r\n")
    else:
        assert b"\r" not in middle
    after = get_properties(changed)
    others = [name for name in before if name != key]
    assert [name for name in after if name != key] == others
    assert all(same(after[name], before[name]) or after[name] == before[name] for name in others)


@many(4)
@given(notes(), NAMES, NEW_VALUES)
def test_setting_changes_the_property_and_nothing_else(
    data: bytes, key: str, value: object
) -> None:
    before = readable(data)
    try:
        changed = set_property(data, key, value)
    except EditRefusedError:
        assert before is not None
        return
    except NoteUnreadableError:
        assert before is None
        return
    assert before is not None
    assert same(get_properties(changed)[key], value)
    check_edit(data, changed, key, before)
    assert set_property(changed, key, value) == changed


@many(3)
@given(notes(), NAMES)
def test_unsetting_removes_the_property_and_nothing_else(data: bytes, key: str) -> None:
    before = readable(data)
    try:
        changed = unset_property(data, key)
    except EditRefusedError:
        assert before is not None
        return
    except NoteUnreadableError:
        assert before is None
        return
    assert before is not None
    assert key not in get_properties(changed)
    head, _, tail = own_lines(data, key)
    assert changed == b"".join(head) + b"".join(tail)
    assert list(get_properties(changed)) == [name for name in before if name != key]
    assert unset_property(changed, key) == changed


@many(3)
@given(notes(), NAMES, SCALARS)
def test_appending_adds_the_item_and_nothing_else(data: bytes, key: str, item: object) -> None:
    before = readable(data)
    try:
        changed = append_to_list(data, key, item)
    except EditRefusedError:
        assert before is not None
        return
    except NoteUnreadableError:
        assert before is None
        return
    assert before is not None
    old = before.get(key)
    expected = [*old, item] if isinstance(old, list) else [item] if old is None else [old, item]
    got = get_properties(changed)[key]
    assert same(got, expected) or got == expected
    check_edit(data, changed, key, before)


@many(2)
@given(notes(), st.dictionaries(NAMES, NEW_VALUES, max_size=4))
def test_setting_many_is_setting_each(data: bytes, changes: dict[str, object]) -> None:
    check_many(data, changes)


@many(3)
@given(st.text(max_size=20) | NAMES, NEW_VALUES)
@example("a", "a\x85b\u2028c\ufeff\ufffe\U0001f9e0")
def test_what_we_write_reads_back(key: str, value: object) -> None:
    try:
        data = set_property(b"body\n", key, value)
    except EditRefusedError:
        assert not key or key != key.strip() or not key.isprintable()
        return
    found = get_properties(data)
    assert list(found) == [key]
    assert same(found[key], value)
    assert new_note({key: value}, "body\n") == data


@many(4)
@given(SCALARS, st.booleans())
def test_other_readers_agree_with_obsidian_about_what_we_write(value: object, flow: bool) -> None:
    spelled = spell(value, flow=flow)  # type: ignore[arg-type]
    block = f"a: [{spelled}]\n" if flow else f"a: {spelled}\n"
    got = yaml.safe_load(block)["a"]
    got = got[0] if flow else got
    if hasattr(got, "isoformat"):
        assert isinstance(value, str)
        assert got.isoformat()[:10] == value[:10]
    else:
        assert same(got, value)
