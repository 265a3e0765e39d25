"""Undoing `init` takes back what is still as `init` made it, and names what is not."""

from __future__ import annotations

import json

import pytest

from tests.world import Device
from vaultmem.errors import VaultNotFoundError
from vaultmem.services.init import init, plan_init
from vaultmem.services.undo_init import undo_init

TYPES = ".obsidian/types.json"
SETTINGS = "Memory/Settings.md"


@pytest.fixture
def app(tmp_path):
    """On a machine that ran `init` in a vault with one note and one type of the person's."""
    vault = tmp_path / "vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / TYPES).write_text('{"types": {"mood": "text"}}')
    device = Device(vault, tmp_path / "home", seed=1)
    made = device.app()
    plan = plan_init(made.home, vault, "Memory", exclude_system=True)
    init(made.home, made.config.config, plan, now=made.now, random=made.random)
    yield made
    device.close()


def test_types_that_the_person_edited_since_lose_ours_and_keep_theirs(app):
    types = app.cwd / TYPES
    types.write_text(types.read_text().replace('"mood": "text"', '"mood": "number"'))

    undone = undo_init(app.home, app.cwd, "Memory")

    assert json.loads(types.read_text()) == {"types": {"mood": "number"}}
    assert f"{TYPES}: our property types" in undone.removed
    assert TYPES not in undone.removed


def test_settings_that_the_person_edited_since_are_kept_and_so_is_the_record(app):
    note = app.cwd / SETTINGS
    note.write_text(note.read_text() + "My own words.\n")

    first = undo_init(app.home, app.cwd, "Memory")
    second = undo_init(app.home, app.cwd, "Memory")

    assert SETTINGS in first.kept
    assert SETTINGS in second.kept
    assert note.read_text().endswith("My own words.\n")


def test_a_settings_file_that_is_no_json_any_more_is_left(app):
    other = app.cwd / ".obsidian/app.json"
    other.write_text("{")

    undo_init(app.home, app.cwd, "Memory")

    assert other.read_text() == "{"


@pytest.mark.parametrize("text", ["{", "[]", '{"more": 1}'])
def test_a_damaged_record_takes_nothing_back(app, text):
    (record,) = (app.home.state).glob("vault_*/init.json")
    record.write_text(text)
    before = {path: path.stat().st_mtime_ns for path in app.cwd.rglob("*")}

    with pytest.raises(VaultNotFoundError, match="did not make Memory"):
        undo_init(app.home, app.cwd, "Memory")

    assert {path: path.stat().st_mtime_ns for path in app.cwd.rglob("*")} == before
