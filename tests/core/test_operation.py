"""An operation's hash covers all that it would do, and nothing that the person decides."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from datetime import date, datetime

import pytest

from tests.core.patches import CANDIDATE, FRESH, OTHER, PATCH, TARGET, operation, proposed
from vaultmem.core.model import Category, Memory, Status
from vaultmem.core.operation import (
    ENUMS,
    Deletion,
    Op,
    Operation,
    Risk,
    is_operation_id,
    operation_hash,
    operation_id,
    spelled,
    spelled_memory,
    spelled_operation,
)

FULL = replace(proposed(Op.SUPERSEDE)[0], id="op_001", reason="They differ.")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("op", Op.ADD),
        ("id", "op_002"),
        ("target", OTHER),
        ("memory", replace(FRESH, pinned=True)),
        ("memory", None),
        ("changes", {"valid_to": datetime(2026, 1, 1)}),
        ("reason", ""),
        ("risk", Risk.HIGH),
        ("candidate", CANDIDATE[:-1] + "9"),
        ("candidate", None),
        ("before", {**FULL.before, "statement": "Other words."}),
        ("before", {}),
    ],
)
def test_the_hash_changes_with_every_part(part: str, value: object) -> None:
    other = replace(FULL, **{part: value})
    assert other != FULL
    assert operation_hash(PATCH, other) != operation_hash(PATCH, FULL)


def test_the_hash_tells_a_purge_from_a_delete_that_keeps_the_text() -> None:
    audit, purge = (operation(Op.DELETE, deletion=deletion) for deletion in Deletion)
    assert operation_hash(PATCH, audit) != operation_hash(PATCH, purge)


def test_every_part_but_the_tick_and_an_empty_one_is_spelled() -> None:
    full = replace(FULL, changes={"valid_to": None})
    names = {one.name for one in fields(Operation)} - {"selected", "deletion", "archive"}
    assert spelled_operation(full).keys() == names
    assert spelled_operation(operation(Op.DELETE)).keys() >= {"deletion"}
    assert "deletion" not in spelled_operation(full)


def test_the_hash_is_the_same_for_a_tick_and_for_another_order_of_changes() -> None:
    assert operation_hash(PATCH, replace(FULL, selected=True)) == operation_hash(PATCH, FULL)
    one, other = ({"trigger": "a", "action": "b"}, {"action": "b", "trigger": "a"})
    first, second = (operation(Op.UPDATE, changes=changes) for changes in (one, other))
    assert operation_hash(PATCH, first) == operation_hash(PATCH, second)


def test_the_hash_holds_in_one_patch_only() -> None:
    assert operation_hash(PATCH, FULL) != operation_hash(PATCH[:-1] + "9", FULL)


def test_the_hash_is_that_of_the_canonical_json_of_the_reference() -> None:
    simple = Operation(op=Op.ADD, id="op_001", memory=Memory(id=FRESH.id, statement="Use bün."))
    canonical = (
        b'{"id":"op_001","memory":{"id":"mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2",'
        b'"statement":"Use b\\u00fcn."},"op":"add",'
        b'"patch":"patch_01JDR3Z8Q4M5N6P7R8S9T0V1W4","risk":"low"}'
    )
    assert operation_hash(PATCH, simple) == hashlib.sha256(canonical).hexdigest()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2026, 11, 29, 21, 5, 0, 7), "2026-11-29T21:05:00"),
        (date(2026, 11, 29), "2026-11-29"),
        (("a", Status.ACTIVE), ["a", "active"]),
        (1.0, 1),
        (0.95, 0.95),
        (7, 7),
        (True, True),
        (None, None),
        (Category.LESSON, "lesson"),
    ],
)
def test_values_are_spelled_as_notes_spell_them(value: object, expected: object) -> None:
    found = spelled(value)  # type: ignore[arg-type]
    assert found == expected
    assert type(found) is type(expected)


def test_a_memory_is_spelled_without_its_defaults() -> None:
    assert spelled_memory(TARGET) == {
        "id": TARGET.id,
        "statement": "Use npm for installs.",
        "confidence": 0.9,
        "tags": ["memory/npm"],
        "created": "2026-09-03T10:12:00",
        "exceptions": ["in CI"],
    }


def test_the_closed_sets_are_those_of_the_model() -> None:
    annotated = {one.name for one in fields(Memory) if str(one.type).split(" ")[0] in _NAMES}
    assert annotated == set(ENUMS)


_NAMES = {members.__name__ for members in ENUMS.values()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("op_001", True),
        ("op_1000", True),
        ("op_01", False),
        ("op_0000001", False),
        ("OP_001", False),
        ("op_001 ", False),
        (1, False),
    ],
)
def test_the_form_of_an_operations_id(text: object, expected: bool) -> None:
    assert is_operation_id(text) is expected


def test_operation_ids_are_counted_from_one() -> None:
    assert (operation_id(1), operation_id(1000)) == ("op_001", "op_1000")
    assert [risk.rank for risk in Risk] == [0, 1, 2]
