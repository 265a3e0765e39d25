"""Which folders hold templates and daily notes, whatever the settings files look like."""

from __future__ import annotations

import pytest

from vaultmem.store.apart import folders_apart

TEMPLATES = "templates.json"
DAILY = "daily-notes.json"
TEMPLATER = "plugins/templater-obsidian/data.json"


def write(vault, name, text):
    place = vault / ".obsidian" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_the_folders_of_the_plugins(tmp_path):
    write(tmp_path, TEMPLATES, '{"folder": "5. Templates"}')
    write(tmp_path, DAILY, '{"folder": "/Diary/", "format": "YYYY"}')
    write(tmp_path, TEMPLATER, '{"templates_folder": "System/T"}')
    assert folders_apart(tmp_path) == ("5. Templates", "Diary", "System/T")


def test_the_example_vault_has_two(request):
    vault = request.config.rootpath / "example-vault"
    assert folders_apart(vault) == ("Templates", "Daily")


@pytest.mark.parametrize(
    "text",
    ["", "{", b"\xff", "[]", "{}", '{"folder": ""}', '{"folder": "/"}', '{"folder": "../up"}',
     '{"folder": 7}', '{"folder": "a", "folder": "b"}'],
)  # fmt: skip
def test_settings_that_name_no_folder_of_the_vault(tmp_path, text):
    write(tmp_path, TEMPLATES, text)
    assert folders_apart(tmp_path) == ()
    assert folders_apart(tmp_path / "not there") == ()
