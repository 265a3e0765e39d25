"""`vaultmem note`: one property of any note, in the type that the vault shows it with."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from vaultmem.notes.frontmatter import get_properties

TYPES = """{"types": {"done": "checkbox", "due": "date", "at": "datetime", "stars": "number",
  "label": "text", "with": "multitext", "tags": "tags", "aliases": "aliases"}}"""
NOTE = "---\n# mine\nlabel:   'x'   # keep\nold: [1, 2]\nflag: true\n---\nBody.\n"


@pytest.fixture
def person(terminal):
    write(terminal.cwd / ".obsidian/types.json", TYPES)
    write(terminal.cwd / "Notes/N.md", NOTE)
    terminal.ok("sync")
    return terminal


@pytest.mark.parametrize(
    ("key", "texts", "value"),
    [
        ("done", ["true"], True),
        ("done", ["False"], False),
        ("due", ["2026-11-29"], "2026-11-29"),
        ("at", ["2026-11-29T10:00:00"], "2026-11-29T10:00:00"),
        ("stars", ["4"], 4),
        ("stars", ["4.5"], 4.5),
        ("label", ["12"], "12"),  # a text that looks like a number stays a text
        ("label", ["true"], "true"),
        ("label", ["[[Own]]"], "[[Own]]"),
        ("with", ["a"], ["a"]),
        ("with", ["a", "b c"], ["a", "b c"]),
        ("tags", ["x", "y/z"], ["x", "y/z"]),
        ("aliases", ["Other name"], ["Other name"]),
        ("unknown", ["12"], "12"),
        ("unknown", ["a", "b"], ["a", "b"]),
        ("old", ["3"], ["3"]),  # without a type in the vault, the note's own value tells
        ("flag", ["false"], False),
        ("label", [""], None),
    ],
)
def test_set_writes_the_type_of_the_vault(person, key, texts, value):
    done = person.ok("note", "set", "Notes/N", key, *texts, "--json").json

    assert done == {"path": "Notes/N.md", "changed": True}
    data = (person.cwd / "Notes/N.md").read_bytes()
    assert get_properties(data)[key] == value
    assert type(get_properties(data)[key]) is type(value)
    assert b"# mine\n" in data
    assert data.endswith(b"---\nBody.\n")
    assert person.ok("note", "get", "Notes/N", key, "--json").json["properties"] == {key: value}


@pytest.mark.parametrize(
    ("key", "text"),
    [("done", "maybe"), ("due", "soon"), ("at", "noon"), ("stars", "many"), ("flag", "2")],
)
def test_a_value_of_another_type_is_refused(person, key, text):
    done = person.run("note", "set", "Notes/N", key, text)

    assert done.code == 22
    assert f"`{key}`" in done.err
    assert (person.cwd / "Notes/N.md").read_text() == NOTE


def test_the_same_value_changes_nothing(person):
    assert (
        person.ok("note", "set", "Notes/N", "label", "x").out == "Nothing to change in Notes/N.md\n"
    )
    assert (person.cwd / "Notes/N.md").read_text() == NOTE


def test_unset_removes_the_property_and_nothing_else(person):
    assert person.ok("note", "unset", "Notes/N", "old").out == "Changed Notes/N.md\n"
    assert (person.cwd / "Notes/N.md").read_text() == NOTE.replace("old: [1, 2]\n", "")
    assert person.ok("note", "unset", "Notes/N", "old", "--json").json["changed"] is False


def test_get_prints_all_properties_or_the_value_of_one(person):
    assert person.ok("note", "get", "Notes/N").out == "label: x\nold: 1, 2\nflag: true\n"
    assert person.ok("note", "get", "Notes/N.md", "flag").out == "true\n"
    assert person.ok("note", "get", "./Notes/N", "old").out == "1, 2\n"


def test_an_absolute_path_in_the_vault_is_taken(person):
    place = str(person.cwd / "Notes/N.md")

    assert person.ok("note", "get", place, "--json").json["path"] == "Notes/N.md"


def test_a_note_without_properties_gets_its_first(person):
    write(person.cwd / "Notes/Bare.md", "Only text.\n")

    person.ok("note", "set", "Notes/Bare", "stars", "5")

    assert (person.cwd / "Notes/Bare.md").read_text() == "---\nstars: 5\n---\nOnly text.\n"


def test_a_memory_changed_so_is_in_force_at_once(person):
    added = person.ok("add", "Prefer tea.", "--category", "preference", "--json").json

    person.ok("note", "set", added["path"], "stability", "stable")

    assert person.ok("show", added["id"], "--json").json["stability"] == "stable"
    assert person.ok("sync", "--json").json["changes"] == []


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [
        ("stability", "hard", "must be one of low"),
        ("status", "gone", "must be one of active"),
        ("action", "blok", "Write block, warn"),
        ("trigger", "on_save x", "Begin it with bash_contains"),
    ],
)
def test_a_value_that_a_memory_cannot_have_is_refused(person, key, text, words):
    path = person.ok("add", "Prefer tea.", "--category", "preference", "--json").json["path"]
    before = (person.cwd / path).read_bytes()

    done = person.run("note", "set", path, key, text)

    assert done.code == 22
    assert words in " ".join(done.err.split())
    assert (person.cwd / path).read_bytes() == before


def test_a_value_of_a_memory_is_written_in_its_own_spelling(person):
    path = person.ok("add", "Prefer tea.", "--category", "preference", "--json").json["path"]

    person.ok("note", "set", path, "stability", "STABLE")

    assert get_properties((person.cwd / path).read_bytes())["stability"] == "stable"


def test_a_setting_that_means_nothing_is_refused(person):
    done = person.run("note", "set", "Memory/Settings", "curator_mode", "sometimes")

    assert done.code == 22
    assert "`curator_mode` must be" in done.err
    person.ok("note", "set", "Memory/Settings", "curator_mode", "propose")


def test_a_misspelt_property_of_a_note_of_ours_is_refused_with_the_name_that_was_meant(person):
    path = person.ok("add", "Prefer tea.", "--category", "preference", "--json").json["path"]
    for note, key, meant in (
        (path, "stabilty", "stability"),
        (path, "Status", "status"),
        ("Memory/Settings", "curater_mode", "curator_mode"),
    ):
        done = person.run("note", "set", note, key, "stable")

        assert done.code == 22
        assert f"Did you mean `{meant}`?" in done.err


def test_a_misspelt_property_that_is_asked_for_is_told_with_the_names_of_the_note(person):
    done = person.run("note", "get", "Notes/N", "lable")

    assert done.code == 23
    assert "Did you mean `label`?" in done.err
    assert "Check its name." in person.run("note", "get", "Notes/N", "mood").err


def test_a_note_of_the_person_may_say_what_it_likes(person):
    write(person.cwd / "Notes/Mine.md", "---\ntype: memory\nstatus: open\n---\nMine.\n")

    person.ok("note", "set", "Notes/Mine", "status", "gone")
    person.ok("note", "set", "Notes/N", "action", "blok")
    person.ok("note", "set", "Notes/Mine", "catgory", "mine")
