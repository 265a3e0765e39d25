"""Which folders hold templates and daily notes, whatever the settings files look like."""

from __future__ import annotations

import pytest

from vaultmem.store.apart import folders_apart, templates_of

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


def test_daily_notes_are_no_templates(tmp_path):
    write(tmp_path, TEMPLATES, '{"folder": "5. Templates"}')
    write(tmp_path, DAILY, '{"folder": "Diary"}')
    write(tmp_path, TEMPLATER, '{"templates_folder": "System/T"}')
    found = templates_of(tmp_path)
    held = ("5. Templates/a.md", "5. templates/b/a.md", "System/T/a.md", "Templates/Inquiry.md")
    assert all(map(found.hold, held))
    others = ("Diary/a.md", "Templates/a.md", "5. Templates.md", "System/a.md")
    assert not any(map(found.hold, others))


def test_an_installation_without_templates_knows_the_folders_only(tmp_path, monkeypatch):
    def missing(name):
        raise FileNotFoundError(name)

    monkeypatch.setattr("vaultmem.store.apart.resource", missing)
    assert templates_of(tmp_path) == ((), frozenset())
