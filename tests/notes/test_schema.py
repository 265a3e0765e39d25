"""The tables of properties agree with the model, with each other and with the reference page."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from vaultmem.core.governance_keys import KEYS
from vaultmem.core.model import Memory
from vaultmem.core.settings import SETTINGS as VAULT_SETTINGS
from vaultmem.core.values import Kind, read
from vaultmem.notes.candidate import Candidate
from vaultmem.notes.schema import (
    CANDIDATE,
    MEMORY,
    PREFIX,
    SCHEMAS,
    SETTINGS,
    NoteType,
    properties_of,
    rules,
    widgets,
)

if TYPE_CHECKING:
    from vaultmem.notes.property import Property

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "note-format.md"
ROWS = [
    pytest.param(kind, row, id=f"{kind}-{row.name}")
    for kind, rows in SCHEMAS.items()
    for row in rows
]


def test_every_field_of_a_memory_is_a_property_in_the_same_order_with_the_same_default() -> None:
    stored = [field for field in fields(Memory) if field.name not in ("id", "statement")]
    assert [row.name for row in MEMORY[2:]] == [field.name for field in stored]
    for row, field in zip(MEMORY[2:], stored, strict=True):
        if row.name != "category":  # absent, it is what the folder says
            assert field.default is not MISSING
            assert row.default == field.default, row.name


def test_every_field_of_a_candidate_is_a_property_with_the_same_default() -> None:
    own = {row.name: row.default for row in CANDIDATE if row not in MEMORY}
    assert own == {
        field.name: field.default for field in fields(Candidate) if field.name != "memory"
    }


def test_the_settings_are_those_that_have_an_effect() -> None:
    rows = (*VAULT_SETTINGS, *KEYS)
    known = {setting.name: (setting.widget, setting.default) for setting in rows}
    assert {row.name: (row.widget, row.default) for row in SETTINGS if row.name != "type"} == known


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_property_is_flat_lower_case_and_its_default_is_a_value_of_its_kind(
    kind: NoteType, row: Property
) -> None:
    assert row.name == row.name.lower()
    assert row.name.replace("_", "").isalnum()
    assert row.meaning.endswith(".")
    default = list(row.default) if isinstance(row.default, tuple) else row.default
    assert read(row.kind, default) == row.default
    assert bool(row.allowed) == (row.kind is Kind.ENUM)
    if row.default is not None and row.allowed:
        assert row.default in row.allowed


@pytest.mark.parametrize("kind", list(SCHEMAS))
def test_a_type_begins_with_id_and_type_and_names_nothing_twice(kind: NoteType) -> None:
    names = [row.name for row in SCHEMAS[kind]]
    assert names[:2] == ["id", "type"]
    assert len(names) == len(set(names))
    assert PREFIX[kind]
    assert list(properties_of(kind)) == names
    assert {name: rule.kind for name, rule in rules(kind).items()} == {
        row.name: row.kind for row in SCHEMAS[kind]
    }


def test_a_name_has_one_widget_in_all_types_because_obsidian_has_one_per_vault() -> None:
    seen = {(row.name, row.widget) for rows in SCHEMAS.values() for row in rows}
    assert len(seen) == len({name for name, _ in seen})
    assert set(widgets().items()) <= seen
    assert widgets()["tags"] == "tags"
    assert widgets()["review"] == "date"


def test_types_json_gets_no_name_that_only_machine_notes_have() -> None:
    edited = {row.name for row in (*MEMORY, *CANDIDATE, *SETTINGS)}
    assert set(widgets()) == edited
    assert "date" not in edited


def reference_row(row: Property) -> str:
    """A property as one line of the reference's tables."""
    if row.default in (None, ()):
        default = ""
    elif isinstance(row.default, bool):
        default = str(row.default).lower()
    else:
        default = f"{row.default}"
    values = ", ".join(row.allowed)
    if row.low is not None and row.high is not None:
        values = f"{row.low:g} to {row.high:g}"
    who = "machine" if row.computed else "you"
    return f"| `{row.name}` | {row.widget} | {row.kind} | {default} | {who} | {row.meaning}{f' Values: {values}.' if values else ''} |"


@pytest.mark.parametrize("kind", list(SCHEMAS))
def test_the_reference_has_the_table_of_every_type(kind: NoteType) -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    start = text.index(f"### `type: {kind}`")
    section = text[start : text.find("\n### ", start + 4)]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    own = [row for row in SCHEMAS[kind] if kind is not NoteType.CANDIDATE or row not in MEMORY[2:]]
    assert rows == [reference_row(row) for row in own]
