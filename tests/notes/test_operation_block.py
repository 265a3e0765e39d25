"""The block of an operation: YAML that a person can read and no plugin acts on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.patches import FRESH, OLD, PATCH, TARGET, operation, proposed
from vaultmem.core.model import Category, Memory
from vaultmem.core.operation import Op, Operation
from vaultmem.notes import frontmatter
from vaultmem.notes import operation as blocks
from vaultmem.notes.operation import AlteredError, operation_block, read_operation

ONE = replace(proposed(Op.UPDATE, TARGET)[0], id="op_001")


def back(one: Operation) -> Operation:
    return read_operation(PATCH, operation_block(PATCH, one))


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 1.0},
        {"confidence": 1},
        {"confidence": 0.1 + 0.2},
        {"evidence_count": 7, "pinned": True},
        {"pinned": False, "project": None},
        {"review": date(2026, 12, 1), "expires": datetime(2026, 12, 1, 7, 8, 9)},
        {"category": Category.DONE},
        {"project": "null"},
        {"project": "true"},
        {"project": "yes"},
        {"project": "2026-01-01"},
        {"project": "012"},
        {"project": "github.com/acme/billing-web"},
        {"project": 'a "b" \\ \x7f \U000e0041 \u200b é 😀 # :: ://'},
        {"tags": ("a", "b")},
        {"tags": ()},
        {"domains": ("null", "a, b", "[x]", "-")},
        {"evidence": ("[[Note#^ev-1|x]]",)},
    ],
)
def test_every_kind_of_value_comes_back(changes: dict[str, object]) -> None:
    one = replace(ONE, changes=changes)
    assert back(one) == one
    assert back(replace(one, before=changes)).before == changes


def test_a_value_is_settled_to_what_a_reader_makes_of_it() -> None:
    loose = {"review": datetime(2026, 12, 1, 7), "category": "done", "confidence": None}
    settled = {"review": date(2026, 12, 1), "category": Category.DONE, "confidence": 0.75}
    assert back(replace(ONE, changes=loose)).changes == settled


def test_a_memory_comes_back_with_every_field() -> None:
    memory = Memory(
        id=FRESH.id,
        statement="Use bun.",
        category=Category.PATTERN,
        project="x",
        confidence=0.5,
        tags=("memory/a",),
        created=datetime(2026, 1, 1),
        review=date(2026, 2, 1),
        not_when=("offline",),
        superseded_by=("[[A]]",),
        trigger="bash_contains rm",
        source_session="s",
    )
    one = replace(operation(Op.ADD, memory=memory), id="op_001")
    assert back(one) == one


def test_each_value_stands_on_one_line_and_plain_words_are_plain() -> None:
    block = operation_block(PATCH, replace(ONE, reason="supersede"))
    assert f"\ntarget: {OLD}\n" in block
    assert "\nreason: supersede\n" in block
    assert '\nreason: "null"\n' in operation_block(PATCH, replace(ONE, reason="null"))
    assert block.splitlines()[-1].startswith("hash: ")
    assert "`" not in operation_block(PATCH, replace(ONE, reason="``` ~~~"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a list"),
        ("- a", "not a list"),
        ("|\n  id: op_001\n", "not a list"),
        ("a: [", "cannot be read"),
        ("id: op_001\nid: op_001\n", "cannot be read"),
        ("id: op_1\nop: add\nrisk: low\n", "id of the wrong form"),
        ("id: 7\n", "id of the wrong form"),
        ("id: op_001\nop: add\n", "`risk` that is none of low, medium, high"),
        ("id: op_001\nop: [a, b]\nrisk: low\n", "must be one value"),
        (f"id: op_001\nop: add\nrisk: {'[' * 100_000}\n", "cannot be read"),
        ("id: op_001\nop: add\nrisk: low\nmemory: 7\n", "`memory` that is not a list"),
        ("id: op_001\nop: add\nrisk: low\nmemory:\n  confidence: 2\n", "`confidence` must be from"),
        ("id: op_001\nop: add\nrisk: low\nmemory:\n  colour: red\n", "`colour`, which no memory"),
        ("id: op_001\nop: add\nrisk: low\ncandidate: mem_x\n", "`candidate` that is no id"),
        ("id: op_001\nop: delete\nrisk: low\ndeletion: all\n", "`deletion` that is none of"),
        ("id: op_001\nop: add\nrisk: low\nwhen: now\n", "holds `when`"),
        ("id: op_001\nop: add\nrisk: low\n", "does not match its hash"),
        ("id: op_001\nop: add\nrisk: low\nhash: [a]\n", "does not match its hash"),
    ],
)
def test_a_block_that_is_not_ours_says_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(AlteredError, match=says):
        read_operation(PATCH, text)


def test_a_memory_without_id_and_words_is_read_so_that_the_check_can_refuse_it() -> None:
    blank = Operation(op=Op.ADD, id="op_001", memory=Memory(id="", statement="", pinned=True))  # type: ignore[arg-type]
    assert back(blank) == blank


def test_a_tick_is_never_in_the_block() -> None:
    assert operation_block(PATCH, replace(ONE, selected=True)) == operation_block(PATCH, ONE)
    assert not back(replace(ONE, selected=True)).selected


_TEXTS = st.text(st.characters(), max_size=12)


@given(project=_TEXTS, tags=st.lists(_TEXTS, max_size=3).map(tuple), confidence=st.floats(0, 1))
def test_the_quick_reader_reads_what_a_yaml_reader_does(
    project: str, tags: tuple[str, ...], confidence: float
) -> None:
    one = replace(ONE, changes={"project": project, "tags": tags, "confidence": confidence})
    try:
        block = operation_block(PATCH, one)
    except ValueError:
        return
    quick = blocks._plain(block)
    assert quick is None or quick == dict(frontmatter.parse_yaml(block))


@pytest.mark.parametrize(
    "lines",
    [
        "id: op_001\nid: op_002\n",
        "id: op_001\n\n",
        "id: op_001 # tick\n",
        "a: {}\n",
        "a: [[1]]\n",
        "a: NaN\n",
        "a: 'x'\n",
        "a: yes please\n",
        "a:\n  b:\n",
        "  a: 1\n",
        'a: "\\ud83d\\ude00"\n',
        "a: &x 1\n",
        "- a\n",
    ],
)
def test_what_is_not_just_as_we_write_it_is_left_to_the_yaml_reader(lines: str) -> None:
    assert blocks._plain(lines) is None


def test_the_quick_reader_reads_every_block_of_ours() -> None:
    memory = Memory(id=FRESH.id, statement="Use bun.", tags=("a",), confidence=0.5)
    for one in (ONE, Operation(op=Op.ADD, id="op_001", memory=memory, reason="Said: so.")):
        block = operation_block(PATCH, one)
        assert blocks._plain(block) == dict(frontmatter.parse_yaml(block))
