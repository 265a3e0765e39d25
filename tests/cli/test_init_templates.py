"""`vaultmem init --templates`: notes for the plugin Templates, and they are taken back exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal, files, write

OURS = {
    one.name: one.read_bytes()
    for one in (Path(__file__).resolve().parents[2] / "templates/vault").glob("*.md")
}
SETTINGS = ".obsidian/templates.json"


@pytest.fixture
def person(tmp_path):
    """In a vault of their own without a memory root."""
    write(tmp_path / "vault/Home.md", "My home.\n")
    return Terminal(tmp_path / "vault", tmp_path / "home")


def made(person, folder):
    return {one.name: one.read_bytes() for one in (person.cwd / folder).glob("*.md")}


def test_without_the_option_no_template_is_made(person):
    person.ok("init", ".", "--yes")
    assert not (person.cwd / "Templates").exists()


def test_each_template_is_listed_and_made(person):
    planned = person.run("init", ".", "--templates", typed="n\n").out
    assert not (person.cwd / "Templates").exists()
    done = person.ok("init", ".", "--templates", "--yes")

    assert all(f"  Templates/{name}\n" in planned for name in OURS)
    assert made(person, "Templates") == OURS
    assert "The templates lie in Templates." in done.out
    assert person.ok("doctor", "--json").json["findings"] == []
    assert person.ok("sync", "--json").json["created"] == 0


@pytest.mark.parametrize("folder", ["5. Templates", "System/Forms"])
def test_they_go_to_the_folder_that_the_plugin_uses_and_are_taken_back(person, folder):
    write(person.cwd / SETTINGS, f'{{"folder": "{folder}"}}')
    before = files(person.cwd)

    person.ok("init", ".", "--templates", "--yes")
    during = made(person, folder)
    person.ok("init", ".", "--undo", "--yes")

    assert during == OURS
    assert files(person.cwd) == before


def test_undo_keeps_a_template_that_the_person_changed_and_all_of_theirs(person):
    write(person.cwd / "Templates/Mine.md", "{{title}}\n")
    person.ok("init", ".", "--templates", "--yes")
    write(person.cwd / "Templates/Inquiry.md", "My own form.\n")

    undone = person.ok("init", ".", "--undo", "--yes").out

    assert "kept Templates/Inquiry.md" in undone
    assert set(made(person, "Templates")) == {"Mine.md", "Inquiry.md"}


def test_what_is_there_stays_and_a_name_that_is_taken_is_left_out(person):
    write(person.cwd / "Templates/Knowledge note.md", "My own form.\n")
    write(person.cwd / "Notes/INQUIRY.md", "A note.\n")

    done = person.ok("init", ".", "--templates", "--yes")

    assert "left out: Templates/Inquiry.md; another note has its name" in done.out
    assert (person.cwd / "Templates/Knowledge note.md").read_text() == "My own form.\n"
    assert set(made(person, "Templates")) == OURS.keys() - {"Inquiry.md"}
    told = person.ok("init", ".", "--templates", "--yes", "--json").json
    assert (told["created"], told["left_out"]) == ([], ["Templates/Inquiry.md"])


def test_a_template_that_nobody_changed_is_renewed(person, monkeypatch):
    person.ok("init", ".", "--templates", "--yes")
    (person.cwd / "Templates/Inquiry.md").write_text("Changed.\n")
    real = Path.read_bytes

    def newer(path):
        return b"New form.\n" if path.parent.name == "vault" else real(path)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", newer)
        told = person.ok("init", ".", "--templates", "--yes", "--json").json

    assert set(told["renewed"]) == {f"Templates/{name}" for name in OURS.keys() - {"Inquiry.md"}}
    assert (person.cwd / "Templates/Inquiry.md").read_text() == "Changed.\n"


@pytest.mark.parametrize("folder", ["Memory/Forms", "memory/lessons"])
def test_templates_never_go_into_the_memory_root(person, folder):
    write(person.cwd / SETTINGS, f'{{"folder": "{folder}"}}')
    before = files(person.cwd)

    done = person.run("init", ".", "--templates", "--yes")

    assert done.code != 0
    assert "lies in the memory root. Choose another one" in done.err
    assert files(person.cwd) == before


def test_a_folder_of_templates_that_is_none_is_refused_before_anything_is_made(person, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (person.cwd / "Templates").symlink_to(tmp_path / "elsewhere")
    link = person.run("init", ".", "--templates", "--yes")
    (person.cwd / "Templates").unlink()
    write(person.cwd / "Templates", "a file")
    file = person.run("init", ".", "--templates", "--yes")

    for done in (link, file):
        assert done.code != 0
        assert "is no real folder." in done.err
    assert not (person.cwd / "Memory").exists()
    assert not any((tmp_path / "elsewhere").iterdir())


def test_templates_do_not_go_with_undo(person):
    assert person.run("init", ".", "--undo", "--templates", "--yes").code == 2


@pytest.mark.parametrize("folder", [None, "5. Forms"])
def test_templates_are_no_notes_of_theirs_and_no_search_finds_them(person, folder):
    if folder is not None:
        write(person.cwd / SETTINGS, f'{{"folder": "{folder}"}}')
    person.ok("init", ".", "--templates", "--yes")
    write(person.cwd / "Notes/Tried.md", "What happened when the port was moved.\n")
    found = person.ok("status", "--json").json["notes"]
    assert (found["knowledge"], found["template"]) == (2, len(OURS))
    hits = person.ok("search", "what happened", "--in", "vault", "--json").json["hits"]
    assert [one["path"] for one in hits] == ["Notes/Tried.md"]


def test_a_note_beside_ours_is_theirs_where_no_plugin_has_a_folder(person):
    write(person.cwd / "Templates/Jigs.md", "Jigs and moulds of the workshop.\n")
    person.ok("init", ".", "--templates", "--yes")
    hits = person.ok("search", "moulds workshop", "--in", "vault", "--json").json["hits"]
    assert [one["path"] for one in hits] == ["Templates/Jigs.md"]


def test_an_import_of_a_vault_takes_neither_its_templates_nor_its_memory_root(person, tmp_path):
    person.ok("init", ".", "--templates", "--yes")
    person.ok("add", "Use uv.", "--category", "lesson")
    write(person.cwd / "Memory/System/Log/odd.md", "A machine's note.\n")
    (tmp_path / "other").mkdir()
    other = Terminal(tmp_path / "other", tmp_path / "home2")
    other.ok("init", ".", "--yes")
    for path in (person.cwd, person.cwd / "Templates"):
        told = other.ok("migrate", "markdown", str(path), "--json").json
        assert told["left_out"]["templates of a vault"] == len(OURS)
        statements = [one["statement"] for one in told["fates"]]
        assert statements == (["My home."] if path == person.cwd else [])
    told = other.ok("migrate", "markdown", str(person.cwd), "--json").json
    assert told["left_out"]["notes in a vault's memory root"] >= 3
