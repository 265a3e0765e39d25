"""Properties of notes that people, plugins and enemies wrote: read or refused, changed or left."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz, says_why
from tests.fuzz.hostile import mutants, texts
from tests.notes.frontmatter_blocks import NEW_VALUES, check_many
from vaultmem.errors import EditRefusedError, NoteUnreadableError
from vaultmem.notes.frontmatter import (
    append_to_list,
    get_properties,
    parse_yaml,
    read,
    read_or_plain,
    set_property,
    unset_property,
)
from vaultmem.notes.frontmatter.fence import split
from vaultmem.notes.frontmatter.flat import read_flat
from vaultmem.notes.frontmatter.reading import properties_of, read_tree
from vaultmem.notes.frontmatter.scalars import same

NOTES = mutants([*seeds.BLOCKS, *seeds.OURS])
KEYS = st.sampled_from(
    ["tags", "status", "id", "type", "created", "new", "a", "title", "aliases", "decision", "é", "A b"]
)  # fmt: skip
VALUES = st.one_of(NEW_VALUES, texts, st.lists(texts, max_size=2))


def alike(one: object, other: object) -> bool:
    """Equal, and of equal types inside; what is not a number equals itself."""
    return repr(one) == repr(other)


@fuzz(NOTES, examples=200)
def test_any_note_is_read_or_refused_with_its_line(data):
    plain = read_or_plain(data)
    try:
        block = read(data)
    except NoteUnreadableError as error:
        says_why(error)
        line = error.line
        refused = True
    else:
        line, refused = block.body_line, False
    assert line is None or 1 <= line <= data.count(b"\n") + data.count(b"\r") + 1
    if refused:
        assert (plain.properties, plain.body) == ({}, data.decode("utf-8", "replace"))
        return
    assert data[block.body_start :].decode() == block.body
    assert block.body_line == data.count(b"\n", 0, block.body_start) + 1
    assert alike(dict(block.properties), get_properties(data))


@fuzz(NOTES, examples=180)
def test_the_fast_reader_of_simple_blocks_says_what_the_slow_one_says(data):
    try:
        parts = split(data)
        text = data[parts.block_start : parts.block_end].decode()
    except (NoteUnreadableError, UnicodeDecodeError):
        return
    fast = read_flat(text)
    if fast is None:
        return
    _, entries = read_tree(text)
    slow = properties_of(text)
    assert alike(fast, slow)
    assert [entry.name for entry in entries] == list(fast)


@fuzz(NOTES, KEYS, VALUES, examples=100)
def test_setting_keeps_every_other_property_and_every_byte_of_the_body(data, key, value):
    _edited(data, key, lambda: set_property(data, key, value), value)


@fuzz(NOTES, KEYS, texts, examples=40)
def test_appending_keeps_every_other_property_and_every_byte_of_the_body(data, key, value):
    _edited(data, key, lambda: append_to_list(data, key, value), None)


@fuzz(NOTES, KEYS, examples=120)
def test_unsetting_keeps_every_other_property_and_every_byte_of_the_body(data, key):
    changed = _edited(data, key, lambda: unset_property(data, key), None)
    assert changed is None or key not in get_properties(changed)


def _edited(data, key, edit, value):
    """The note after an edit; None where it was refused."""
    try:
        before = read(data)
    except NoteUnreadableError:
        before = None
    try:
        changed = edit()
    except EditRefusedError as error:
        says_why(error)
        return None
    except NoteUnreadableError:
        assert before is None
        return None
    assert before is not None
    after = read(changed)
    assert changed[after.body_start :] == data[before.body_start :]
    kept = {name: held for name, held in before.properties.items() if name != key}
    left = {name: held for name, held in after.properties.items() if name != key}
    assert alike(kept, left)
    if value is not None:
        assert same(after.properties[key], value)
        assert set_property(changed, key, value) == changed
    _lines_stay(data, changed, key)
    return changed


def _lines_stay(data: bytes, changed: bytes, key: str) -> None:
    """Every line that is none of the property's is still there, in its order."""
    parts = split(data)
    if not parts.has_block:
        return
    text = data[parts.block_start : parts.block_end].decode()
    if text.lstrip().startswith("{"):  # a map in braces, which is written anew
        return
    _, entries = read_tree(text)
    spans = [(one.key.start, one.value.end) for one in entries if one.name == key]
    first = text.rfind("\n", 0, spans[0][0]) + 1 if spans else len(text)
    last = text.find("\n", spans[0][1]) if spans else len(text)
    head = data[: parts.block_start] + text[:first].encode()
    tail = (text[last:] if last >= 0 else "").encode() + data[parts.block_end :]
    assert changed.startswith(head)
    assert changed.endswith(tail)


@fuzz(NOTES, st.dictionaries(KEYS, VALUES, min_size=1, max_size=3), examples=60)
def test_setting_many_is_setting_each(data, wanted):
    check_many(data, wanted)


@fuzz(NOTES, examples=100)
def test_any_text_is_yaml_or_refused(data):
    text = data.decode("utf-8", "replace")
    try:
        parse_yaml(text)
    except NoteUnreadableError as error:
        says_why(error)
