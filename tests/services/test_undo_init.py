"""Undoing `init` takes back what is still as `init` made it, and names what is not."""

from __future__ import annotations

import json

import pytest

from tests.world import Device
from vaultmem.errors import ConfigError, NameTakenError, VaultNotFoundError
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
    assert TYPES not in undone.restored


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


def test_what_a_link_stands_in_the_way_of_is_kept_and_the_rest_goes(app, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    inbox = app.cwd / "Memory/Inbox"
    inbox.rmdir()
    inbox.symlink_to(tmp_path / "elsewhere")

    first = undo_init(app.home, app.cwd, "Memory")

    assert set(first.kept) == {"Memory/Inbox/", "Memory/"}
    assert json.loads((app.cwd / TYPES).read_text()) == {"types": {"mood": "text"}}
    inbox.unlink()
    assert undo_init(app.home, app.cwd, "Memory").kept == ()
    assert not (app.cwd / "Memory").exists()


def test_an_undo_that_was_stopped_can_be_run_again(app):
    config = app.home.config / "config.yaml"
    good = config.read_text()
    config.write_text("vaults: [")
    with pytest.raises(ConfigError):
        undo_init(app.home, app.cwd, "Memory")
    assert not (app.cwd / SETTINGS).exists()
    config.write_text(good)

    undo_init(app.home, app.cwd, "Memory")

    assert str(app.cwd) not in config.read_text()


@pytest.mark.parametrize("name", ["app", "types"])
@pytest.mark.parametrize("text", ["{", '{"x": ' + "[" * 100_000])
def test_settings_that_cannot_be_read_keep_ours_and_the_record(app, name, text):
    other = app.cwd / f".obsidian/{name}.json"
    good = other.read_text()
    other.write_text(text)

    first = undo_init(app.home, app.cwd, "Memory")

    assert [path for path in first.kept if path.startswith(f".obsidian/{name}.json: our ")]
    assert other.read_text() == text
    other.write_text(good)
    assert undo_init(app.home, app.cwd, "Memory").kept == ()


def test_an_init_that_was_stopped_is_taken_back_as_far_as_it_came(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    device = Device(vault, tmp_path / "home", seed=1)
    app = device.app()
    plan = plan_init(app.home, vault, "Memory", templates=True)
    (vault / "Memory").mkdir()
    (vault / "Memory/Patterns").write_text("theirs")
    with pytest.raises(NameTakenError):
        init(app.home, app.config.config, plan, now=app.now, random=app.random)
    assert (vault / SETTINGS).exists()

    undo_init(app.home, vault, "Memory")

    assert [path.name for path in vault.rglob("*")] == ["Memory", "Patterns"]
    device.close()


def test_types_that_may_not_be_written_are_kept_and_so_is_the_record(app):
    types = app.cwd / TYPES
    types.chmod(0o444)

    first = undo_init(app.home, app.cwd, "Memory")

    assert f"{TYPES}: our property types" in first.kept
    types.chmod(0o644)
    assert TYPES in undo_init(app.home, app.cwd, "Memory").restored
