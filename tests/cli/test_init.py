"""`vaultmem init`: it says what it will do, does that, and takes exactly that back."""

from __future__ import annotations

import json

import pytest

from tests.cli.terminal import Terminal, copy_example, files, write
from vaultmem.store.key import KeyFile

OWN_TYPES = '{\n\t"types": {\n\t\t"rating":  "number",\n\t\t"review": "text"\n\t}\n}\n'


@pytest.fixture
def person(tmp_path):
    """In a vault of their own that has no memory root."""
    write(tmp_path / "vault/Home.md", "My home.\n")
    return Terminal(tmp_path / "vault", tmp_path / "home")


def test_the_plan_is_printed_before_anything_is_made(person):
    before = files(person.cwd)
    done = person.run("init", ".", typed="n\n")

    assert done.code == 42
    assert "Memory/Settings.md" in done.out
    assert "merged into .obsidian/types.json:\n    text: id, type, " in done.out
    assert "\n    number: confidence, " in done.out
    assert "an id in the settings, and a key on this machine" in done.out
    assert files(person.cwd) == before
    assert not person.home.exists() or not files(person.home)


def test_yes_makes_what_the_plan_said(person):
    planned = person.run("init", ".", typed="n\n").out
    done = person.ok("init", ".", typed="y\n")

    assert planned.split("Go ahead?")[0] == done.out.split("Go ahead?")[0]
    assert "Next: `vaultmem add" in done.out
    made = person.ok("status", "--json").json
    assert made["id"] in done.out
    assert made["has_key"] is True
    found = person.ok("doctor", "--json").json
    assert found == {"ok": True, "findings": [], "fixed": [], "saved": None}


def test_memories_that_are_there_and_want_to_act_are_the_next_step(tmp_path):
    there = Terminal(copy_example(tmp_path / "vault"), tmp_path / "home")
    out = there.ok("init", ".", "--yes").out
    assert "Next: `vaultmem ratify --review`, then `vaultmem report`.\n" in out
    told = " ".join(out.split())
    assert "would act, as a rule or a pin, and will only inform until you say so." in told
    there.ok("ratify", "--review", "--yes")
    waiting = there.ok("status", "--json").json["unreviewed"]
    if not waiting:
        assert "ratify" not in there.ok("init", ".", "--yes").out


def test_memories_that_only_inform_are_told_as_there(person):
    write(person.cwd / "Memory/Settings.md", "---\ntype: settings\n---\nSettings.\n")
    write(person.cwd / "Memory/Lessons/One.md", "Add files by name.\n")
    out = person.ok("init", ".", "--yes").out
    assert "Next: `vaultmem report` tells what is there" in out
    assert "cannot be read" not in out


def test_notes_that_cannot_be_read_are_counted(person):
    write(person.cwd / "Broken.md", "---\na: [\n---\nx\n")
    (person.cwd / "Bytes.md").write_bytes(b"---\na: \xff\n---\nx\n")
    out = person.ok("init", ".", "--yes").out
    assert "2 notes cannot be read; `vaultmem doctor` lists what is wrong.\n" in out


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {".obsidian/types.json": OWN_TYPES},
        {".obsidian/types.json": '{"types":{}}'},
        {".obsidian/types.json": OWN_TYPES, ".obsidian/app.json": '{"foo": 1}'},
        {".obsidian/app.json": '{\n  "userIgnoreFilters": ["Old/"]\n}'},
    ],
    ids=["none", "types", "empty types", "both", "filters"],
)
@pytest.mark.parametrize("root", ["Memory", "Brain/Memory"])
def test_undo_leaves_every_byte_as_it_was(person, settings, root):
    for path, text in settings.items():
        write(person.cwd / path, text)
    before = files(person.cwd)

    person.ok("init", ".", "--root", root, "--exclude-system", "--yes")
    during = files(person.cwd)
    done = person.ok("init", ".", "--root", root, "--undo", typed="y\n")

    assert f"{root}/Settings.md" in during
    assert "removed" in done.out
    assert files(person.cwd) == before
    assert str(person.cwd) not in (person.home / "config/config.yaml").read_text()


def test_properties_that_the_person_shows_otherwise_are_left_alone_and_listed(person):
    write(person.cwd / ".obsidian/types.json", OWN_TYPES)

    done = person.ok("init", ".", "--yes")

    types = json.loads((person.cwd / ".obsidian/types.json").read_text())["types"]
    assert "left alone: the property review is text, ours is date" in done.out
    assert types["review"] == "text"
    assert types["confidence"] == "number"


def test_undo_says_where_the_companion_plugin_is_taken_out(person):
    person.ok("init", ".", "--yes")
    assert "plugin" not in person.ok("init", ".", "--undo", "--yes").out
    person.ok("init", ".", "--yes")
    person.ok("obsidian", "install", "--yes")
    assert "Uninstall it in Obsidian's settings." in person.ok("init", ".", "--undo", "--yes").out


def test_undo_keeps_what_the_person_wrote(person):
    person.ok("init", ".", "--yes")
    person.ok("add", "Keep me.", "--category", "lesson")
    with (person.cwd / "Memory/Settings.md").open("a") as file:
        file.write("My words.\n")

    done = person.ok("init", ".", "--undo", "--yes")

    assert "kept Memory/Settings.md" in done.out
    assert (person.cwd / "Memory/Lessons/Keep me.md").exists()
    assert not (person.cwd / "Memory/Patterns").exists()


def test_a_root_that_holds_other_files_is_refused(person):
    write(person.cwd / "Memory/Diary.md", "Mine.\n")
    before = files(person.cwd)

    done = person.run("init", ".", "--yes")

    assert done.code == 14
    assert "Diary.md" in done.err
    assert "--root" in done.err
    assert files(person.cwd) == before


def test_without_a_person_nothing_is_made(person):
    before = files(person.cwd)

    assert person.run("init", ".").code == 42
    assert person.run("init", ".", "--json").code == 42
    assert person.run("init", ".", "--undo", "--json").code == 42
    assert files(person.cwd) == before


def test_a_second_init_has_nothing_to_do(person):
    person.ok("init", ".", "--yes")
    before = files(person.cwd)

    again = person.ok("init", ".", "--yes")

    assert "nothing; everything is there already" in again.out
    assert files(person.cwd) == before


def test_where_nothing_is_left_to_do_nobody_is_asked(person):
    person.ok("init", ".", "--yes")
    before = files(person.cwd)

    again = person.ok("init", ".")

    assert "Go ahead?" not in again.out
    assert "becomes a vault" not in again.out
    assert files(person.cwd) == before


def test_a_vault_that_came_whole_is_told_to_become_one_of_this_machine(person, tmp_path):
    person.ok("init", ".", "--yes")
    second = Terminal(person.cwd, tmp_path / "second-home")

    refused = second.run("init", ".", typed="n\n")

    assert refused.code == 42
    assert "it becomes a vault that this machine uses" in refused.out
    assert "vaultmem trust" in second.run("status").err


def test_undo_again_names_only_what_it_still_took_away(person):
    types = write(person.cwd / ".obsidian/types.json", OWN_TYPES)
    person.ok("init", ".", "--yes")
    person.ok("add", "Never stage everything at once.", "--category", "lesson")

    first = person.ok("init", "--undo", ".", "--yes").out
    again = person.ok("init", "--undo", ".", "--yes").out

    assert "restored .obsidian/types.json: it is as it was before `init`" in first
    assert types.read_text() == OWN_TYPES
    assert "removed Memory/Identity/" in first
    assert "Your notes stay. To have them gone as well, delete the folder Memory." in first
    assert "removed" not in again
    assert "kept Memory/Lessons/" in again


def test_undo_of_two_inits_takes_both_back(person):
    before = files(person.cwd)
    person.ok("init", ".", "--yes")
    person.ok("init", ".", "--exclude-system", "--yes")
    person.ok("init", ".", "--undo", "--yes")

    assert files(person.cwd) == before


def test_a_second_device_gets_no_key_until_it_is_imported(person, tmp_path):
    person.ok("init", ".", "--yes")
    added = person.ok("add", "Pinned here.", "--category", "lesson", "--pin", "--json").json
    other = Terminal(person.cwd, tmp_path / "home2", seed=8)

    met = other.ok("init", ".", "--yes")

    assert "vaultmem key import" in met.out
    assert other.ok("status", "--json").json["has_key"] is False
    assert other.run("ratify", added["id"]).code == 16
    assert other.run("key", "export").code == 16
    codes = {one["code"] for one in other.run("doctor", "--json").json["findings"]}
    assert "VM403" in codes

    key = person.ok("key", "export").out
    assert other.run("key", "import", stdin=key[:40]).code == 16
    assert "has the key" in other.ok("key", "import", typed=key).out
    assert other.ok("show", added["id"], "--json").json["force"] is True
    assert other.ok("doctor", "--json").json["ok"] is True


def test_a_different_key_replaces_the_own_one_only_when_told(person, tmp_path):
    person.ok("init", ".", "--yes")
    identifier = person.ok("status", "--json").json["id"]
    KeyFile(tmp_path / "other", identifier).create()
    other = (tmp_path / "other").read_text()

    assert person.ok("key", "import", stdin=person.ok("key", "export").out).code == 0
    refused = person.run("key", "import", stdin=other)
    assert refused.code == 16
    assert "--replace" in refused.err
    assert person.ok("key", "import", "--replace", stdin=other).code == 0
    assert person.ok("key", "export").out.strip() == other.strip()


def test_a_root_below_a_folder_is_found_again(person):
    person.ok("init", ".", "--root", "Brain/Memory", "--yes")
    person.ok("add", "Deep down.", "--category", "lesson")

    assert (person.cwd / "Brain/Memory/Lessons/Deep down.md").exists()
    assert person.ok("status", "--json").json["root"] == "Brain/Memory"
    assert "Deep down." in person.ok("report").out


def test_init_on_a_copied_example_vault_gives_it_an_id_and_takes_it_back(tmp_path):
    person = Terminal(copy_example(tmp_path / "vault"), tmp_path / "home")
    before = files(person.cwd)

    person.ok("init", ".", "--yes")
    assert person.ok("status", "--json").json["id"].startswith("vault_")
    told = person.ok("status", "--json").json
    assert sum((*told["memories"].values(), *told["out"].values())) == 70
    person.ok("init", ".", "--undo", "--yes")

    ledgers = {path for path in files(person.cwd) if "System/Ledger" in path}
    assert {path: data for path, data in files(person.cwd).items() if path not in ledgers} == before


def test_a_folder_that_is_no_vault_path_may_be_the_working_folder(person):
    made = person.ok("init", "--yes", "--json").json

    assert made["path"] == str(person.cwd.resolve())
    assert made["created"][-5:] == [
        "Memory/Settings.md",
        *(f"Memory/{name}.base" for name in ("Inbox", "Memories", "Patches", "Promotions")),
    ]
    assert made["renewed"] == made["left_out"] == []


def test_init_of_a_second_vault_says_which_one_the_commands_go_on_using(person, tmp_path):
    first = person.ok("init", ".", "--yes")
    write(tmp_path / "second/Home.md", "Another home.\n")

    second = person.ok("init", str(tmp_path / "second"), "--yes")

    assert "goes on naming" not in first.out
    assert f"goes on naming {person.cwd.resolve()}" in second.out
    assert "--vault" in second.out


@pytest.fixture
def inner(tmp_path):
    """In a folder of a larger vault that Obsidian has open."""
    write(tmp_path / "Outer/.obsidian/core-plugins.json", "{}")
    write(tmp_path / "Outer/Work/My notes/Plan.md", "A plan.\n")
    return Terminal(tmp_path / "Outer/Work/My notes", tmp_path / "home")


@pytest.mark.parametrize("words", [["--yes"], [], ["--yes", "--json"]])
def test_a_folder_of_a_larger_vault_becomes_no_vault_in_it(inner, words):
    outer = inner.cwd.parent.parent
    before = files(outer)
    done = inner.run("init", ".", *words)
    assert done.code == 14
    assert f"`vaultmem init {outer} --root 'Work/My notes/Memory'`" in done.err + done.out
    assert files(outer) == before
    inner.ok("init", str(outer), "--root", "Work/My notes/Memory", "--yes")
    added = inner.ok("add", "Use UTC in every table.", "--category", "lesson", "--json").json
    assert added["path"].startswith("Work/My notes/Memory/Lessons/")
    assert not (inner.cwd / ".obsidian").exists()
    assert "Work/My notes/Memory" in (inner.cwd / "Memory/Inbox.base").read_text()


def test_a_vault_that_obsidian_opens_by_itself_is_one_wherever_it_lies(inner):
    write(inner.cwd / ".obsidian/app.json", "{}")
    write(inner.cwd / ".obsidian/workspace.json", "{}")
    inner.ok("init", ".", "--yes")
    assert (inner.cwd / ".obsidian/types.json").exists()


def test_obsidian_does_not_look_into_a_folder_with_a_dot(inner, tmp_path):
    write(tmp_path / "Outer/.hidden/vault/Home.md", "My home.\n")
    inner.ok("init", str(tmp_path / "Outer/.hidden/vault"), "--yes")


def test_a_memory_that_is_in_a_larger_vault_already_can_move_to_its_top(inner):
    outer = inner.cwd.parent.parent
    (outer / ".obsidian").rename(outer / "elsewhere")
    inner.ok("init", ".", "--yes")
    one = inner.ok("add", "Use UTC in every table.", "--category", "lesson", "--json").json
    (outer / "elsewhere").rename(outer / ".obsidian")
    for words in (["init", ".", "--yes"], ["obsidian", "install", "--yes"]):
        done = inner.run(*words)
        assert done.code == 14
        assert (
            f"move Memory to the top of it; then run `vaultmem trust {outer} --moved`" in done.err
        )
    assert not (inner.cwd / ".obsidian/plugins").exists()
    assert inner.ok("obsidian", "status", "--json").json["ok"] is False
    (inner.cwd / "Memory").rename(outer / "Memory")
    inner.cwd = outer
    inner.ok("trust", str(outer), "--moved")
    assert inner.ok("show", one["id"], "--json").json["path"] == one["path"]
    inner.ok("obsidian", "install", "--yes")
    assert (outer / ".obsidian/plugins/vaultmem/main.js").exists()


def test_undo_still_goes_in_a_folder_that_came_into_a_larger_vault(inner):
    outer = inner.cwd.parent.parent
    (outer / ".obsidian").rename(outer / "elsewhere")
    inner.ok("init", ".", "--yes")
    (outer / "elsewhere").rename(outer / ".obsidian")
    inner.ok("init", ".", "--undo", "--yes")
    assert [one.name for one in inner.cwd.iterdir()] == ["Plan.md"]
