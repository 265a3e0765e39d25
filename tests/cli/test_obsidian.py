"""`vaultmem obsidian`: the plugin comes into a vault and goes again, and nothing else changes."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.terminal import Terminal, files, small_vault, write
from tests.cli.test_json import COMMANDS
from vaultmem.errors import NoteError
from vaultmem.resources import resource
from vaultmem.services.obsidian_plugin import install_plugin, plan_install
from vaultmem.store.etag import etag_of

PLUGIN = ".obsidian/plugins/vaultmem"
NAMES = {"main.js", "manifest.json", "styles.css"}


@pytest.fixture
def person(tmp_path):
    """In a small vault that has been looked at once."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("--vault", ".", "trust", ".")
    made.ok("sync")
    return made


def installed(person) -> set[str]:
    folder = person.cwd / PLUGIN
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def test_it_comes_as_it_ships_and_goes_without_a_trace(person):
    before = files(person.cwd)
    done = person.ok("obsidian", "install", "--yes", "--json").json
    assert set(done) == COMMANDS["obsidian install"]
    assert done["path"] == PLUGIN
    assert {path.rpartition("/")[2] for path in done["changed"]} == installed(person) == NAMES
    shipped = resource("templates") / "obsidian-plugin"
    for name in NAMES:
        assert (person.cwd / PLUGIN / name).read_bytes() == (shipped / name).read_bytes()
    assert done["turned_on"] is False
    assert not (person.cwd / ".obsidian/community-plugins.json").exists()
    gone = person.ok("obsidian", "uninstall", "--yes", "--json").json
    assert set(gone) == COMMANDS["obsidian uninstall"]
    assert gone["kept"] == []
    assert files(person.cwd) == before


def test_a_second_time_changes_nothing(person):
    person.ok("obsidian", "install", "--yes")
    before = files(person.cwd)
    assert "there already" in person.ok("obsidian", "install").out
    assert files(person.cwd) == before


def test_the_folders_that_were_there_stay(person):
    write(person.cwd / ".obsidian/plugins/other/main.js", "theirs")
    person.ok("obsidian", "install", "--yes")
    person.ok("obsidian", "uninstall", "--yes")
    assert (person.cwd / ".obsidian/plugins/other/main.js").read_text() == "theirs"
    assert not (person.cwd / PLUGIN).exists()


def test_the_person_is_asked_and_may_say_no(person):
    before = files(person.cwd)
    done = person.run("obsidian", "install", typed="n\n")
    assert f"{PLUGIN}/main.js\n" in done.out
    assert "Nothing was changed." in done.err
    assert files(person.cwd) == before
    person.ok("obsidian", "install", typed="y\n")
    assert installed(person) == NAMES
    assert person.run("obsidian", "uninstall", typed="n\n").code == done.code
    assert installed(person) == NAMES
    person.ok("obsidian", "uninstall", typed="y\n")
    assert installed(person) == set()


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_where_nobody_is_there_to_ask_nothing_is_done(person, words):
    done = person.run("obsidian", "install", *words)
    assert done.code
    assert "`--yes`" in done.err + done.out
    assert installed(person) == set()
    person.ok("obsidian", "install", "--yes")
    assert person.run("obsidian", "uninstall", *words).code == done.code
    assert installed(person) == NAMES


def test_another_file_is_named_before_it_is_replaced(person):
    write(person.cwd / PLUGIN / "main.js", "theirs")
    done = person.run("obsidian", "install", typed="n\n")
    assert f"{PLUGIN}/main.js (replaces a file that was not written here)" in done.out
    assert (person.cwd / PLUGIN / "main.js").read_text() == "theirs"


def test_an_update_replaces_what_was_written_here_without_a_word(person):
    person.ok("obsidian", "install", "--yes")
    place = person.cwd / PLUGIN / "main.js"
    record = next((person.home / "state").glob("vault_*/obsidian-plugin.json"))
    place.write_text("older")
    from vaultmem.store.etag import etag_of

    values = json.loads(record.read_text())
    values["files"][f"{PLUGIN}/main.js"] = [etag_of(b"older")]
    record.write_text(json.dumps(values))
    told = person.ok("obsidian", "status", "--json").json
    assert (told["complete"], told["other"]) == (False, [f"{PLUGIN}/main.js"])
    assert "(replaces" not in person.ok("obsidian", "install", typed="y\n").out
    assert person.ok("obsidian", "status", "--json").json["complete"] is True


def test_a_file_that_was_changed_since_stays(person):
    person.ok("obsidian", "install", "--yes")
    (person.cwd / PLUGIN / "styles.css").write_text("mine")
    write(person.cwd / PLUGIN / "data.json", "{}")
    out = person.ok("obsidian", "uninstall", "--yes").out
    assert f"Left {PLUGIN}/styles.css" in out
    assert f"Left {PLUGIN}/:" in out
    assert installed(person) == {"styles.css", "data.json"}


def test_what_the_person_took_away_before_is_no_trouble(person):
    person.ok("obsidian", "install", "--yes")
    (person.cwd / PLUGIN / "main.js").unlink()
    gone = person.ok("obsidian", "uninstall", "--yes", "--json").json
    assert f"{PLUGIN}/main.js" not in gone["removed"]
    assert not (person.cwd / PLUGIN).exists()
    person.ok("obsidian", "install", "--yes")
    for name in NAMES:
        (person.cwd / PLUGIN / name).unlink()
    (person.cwd / PLUGIN).rmdir()
    gone = person.ok("obsidian", "uninstall", "--json").json
    assert f"{PLUGIN}/" not in gone["removed"]


def test_what_came_from_elsewhere_is_not_taken_away(person):
    shipped = resource("templates") / "obsidian-plugin"
    for name in NAMES:
        write(person.cwd / PLUGIN / name, (shipped / name).read_bytes().decode())
    assert "there already" in person.ok("obsidian", "install").out
    out = person.ok("obsidian", "uninstall").out
    assert "came from elsewhere" in out
    assert installed(person) == NAMES


def test_a_damaged_record_makes_nothing_ours(person):
    person.ok("obsidian", "install", "--yes")
    record = next((person.home / "state").glob("vault_*/obsidian-plugin.json"))
    for text in ("{", "[]", '{"files": {"Home.md": ["x"], "a": 1}, "folders": ["Memory", 1]}'):
        record.write_text(text)
        before = files(person.cwd)
        person.ok("obsidian", "uninstall")
        assert files(person.cwd) == before


@pytest.mark.parametrize(
    ("text", "on"),
    [('["vaultmem"]', True), ('["other"]', False), ("{}", False), ("[", False), ("[1]", False)],
)
def test_the_status_tells_whether_obsidian_runs_it(person, text, on):
    status = person.ok("obsidian", "status").out
    assert "not there" in status
    assert "`vaultmem obsidian install`" in status
    person.ok("obsidian", "install", "--yes")
    write(person.cwd / ".obsidian/community-plugins.json", text)
    told = person.ok("obsidian", "status", "--json").json
    assert (told["turned_on"], told["ok"], told["version"]) == (on, on, "0.1.0")
    assert ("it is turned on" in person.ok("obsidian", "status").out) == on
    assert ("Settings" in person.ok("obsidian", "status").out) != on


def test_after_an_update_a_plugin_that_runs_is_to_be_loaded_anew(person):
    write(person.cwd / ".obsidian/community-plugins.json", '["vaultmem"]')
    assert "when it starts again" in " ".join(person.ok("obsidian", "install", "--yes").out.split())


def test_the_status_names_what_is_missing_and_a_manifest_that_cannot_be_read(person):
    person.ok("obsidian", "install", "--yes")
    (person.cwd / PLUGIN / "styles.css").unlink()
    (person.cwd / PLUGIN / "main.js").write_text("x")
    out = person.ok("obsidian", "status").out
    assert f"{PLUGIN}/styles.css is missing." in out
    assert f"{PLUGIN}/main.js is not the one of this version." in out
    for text in ("{", "[]", '{"version": 1}', "[" * 100_000):
        (person.cwd / PLUGIN / "manifest.json").write_text(text)
        assert person.ok("obsidian", "status", "--json").json["version"] is None


def test_a_link_in_the_way_is_not_followed(person, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (person.cwd / ".obsidian").mkdir(exist_ok=True)
    (person.cwd / ".obsidian/plugins").symlink_to(tmp_path / "elsewhere")
    assert person.run("obsidian", "install", "--yes").code
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_manifest_of_somebody_else_says_its_version_on_one_line(person):
    write(person.cwd / PLUGIN / "manifest.json", json.dumps({"version": f"1\n\x1b[31m{'9' * 99}"}))
    line = person.ok("obsidian", "status").out.split("\n")[0]
    assert re.search(r"version 1 9{30,}…$", line)
    assert len(line) < 100


def test_what_stays_can_be_taken_away_later(person):
    before = files(person.cwd)
    person.ok("obsidian", "install", "--yes")
    main = person.cwd / PLUGIN / "main.js"
    ours = main.read_bytes()
    main.write_text("mine")
    assert person.ok("obsidian", "uninstall", "--yes", "--json").json["kept"]
    main.write_bytes(ours)
    gone = person.ok("obsidian", "uninstall", "--yes", "--json").json
    assert f"{PLUGIN}/main.js" in gone["removed"]
    assert gone["kept"] == []
    assert files(person.cwd) == before
    assert not (person.cwd / PLUGIN).exists()
    assert not list((person.home / "state").glob("vault_*/obsidian-plugin.json"))


@pytest.mark.parametrize("there", ["older", None])
def test_what_came_there_since_the_question_is_not_replaced(world, there):
    place = world.path(f"{PLUGIN}/main.js")
    if there is not None:
        write(place, there)
    call = world.here.call()
    plan = plan_install(call)
    write(place, "theirs")
    with pytest.raises(NoteError):
        install_plugin(call, plan)
    assert place.read_text() == "theirs"


def test_a_record_that_names_other_files_and_folders_makes_them_not_ours(person):
    person.ok("obsidian", "install", "--yes")
    write(person.cwd / "Diary.md", "Mine.\n")
    (person.cwd / "Ideas").mkdir()
    record = next((person.home / "state").glob("vault_*/obsidian-plugin.json"))
    told = {"files": {"Diary.md": [etag_of(b"Mine.\n")]}, "folders": ["Ideas"]}
    record.write_text(json.dumps(told))
    person.ok("obsidian", "uninstall", "--yes")
    assert (person.cwd / "Diary.md").read_text() == "Mine.\n"
    assert (person.cwd / "Ideas").is_dir()
