"""Operations are taken out of a patch's note with their box and block; the rest is as it was."""

from __future__ import annotations

import pytest

from tests.core.patches import FRESH, operation, patch_of
from vaultmem.core.operation import Op
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes.patch import decode_patch, encode_patch
from vaultmem.notes.patch_cut import without_operations

NOTE = encode_patch(
    patch_of(
        operation(Op.CONTEST, reason="It may be wrong."),
        operation(Op.ADD, memory=FRESH),
        operation(Op.DEPRECATE),
    )
)


def _about_bun(block):
    return "bun" in block


def test_the_box_and_the_block_of_an_operation_go_and_the_others_keep_their_hash():
    cut = without_operations(NOTE, _about_bun)
    assert (cut.gone, cut.left) == (("op_002",), 2)
    assert b"bun" not in cut.data
    left = decode_patch(cut.data, path="p.md")
    assert [one.id for one in left.patch.operations] == ["op_001", "op_003"]
    assert (left.altered, left.findings) == ((), ())


def test_what_a_person_wrote_between_them_stays():
    text = NOTE.replace(b"- [ ] op_002", b"My words.\n\n- [x] op_002 bun").replace(b"\n", b"\r\n")
    cut = without_operations(text, _about_bun)
    kept = [line for line in text.split(b"\r\n") if line in (b"My words.", b"decision:")]
    assert len(kept) == 2
    for line in kept:
        assert line + b"\r\n" in cut.data
    assert b"bun" not in cut.data


@pytest.mark.parametrize("eol", [b"\r\n", b"\r"])
def test_it_is_gone_whatever_ends_the_lines_of_the_body(eol):
    head, body = NOTE.rsplit(b"---\n", 1)
    cut = without_operations(head + b"---\n" + body.replace(b"\n", eol), _about_bun)
    assert cut.gone == ("op_002",)
    assert b"bun" not in cut.data
    assert b"op_002" not in cut.data
    assert b"op_001" in cut.data


def test_a_copied_block_goes_as_well():
    text = NOTE + b"\n" + NOTE[NOTE.index(b"- [ ] op_002") : NOTE.index(b"- [ ] op_003")]
    cut = without_operations(text, _about_bun)
    assert b"bun" not in cut.data
    assert cut.left == 2


def test_where_nothing_is_meant_nothing_changes():
    assert without_operations(NOTE, lambda _: False) == (NOTE, (), 3)
    bare = b"---\nid: x\n---\n- [ ] a task\n\n```yaml\nno: operation\n```\n"
    assert without_operations(bare, lambda _: True) == (bare, (), 0)


def test_nothing_may_be_left():
    cut = without_operations(NOTE, lambda _: True)
    assert (cut.gone, cut.left) == (("op_001", "op_002", "op_003"), 0)


def test_a_note_that_cannot_be_read_is_refused():
    with pytest.raises(NoteUnreadableError):
        without_operations(b"---\na: [\n---\n", _about_bun)
