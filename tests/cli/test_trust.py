"""`vaultmem trust`: which vaults this machine uses, and what becomes of moved and copied ones."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal, small_vault, write


@pytest.fixture
def person(tmp_path):
    """In a small vault that has an id and that nothing trusts."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("--vault", ".", "sync")
    return made


def _id(person):
    return person.ok("--vault", ".", "status", "--json").json["id"]


def test_a_parent_folder_counts_once_it_is_trusted(person):
    person.cwd = person.cwd / "Notes"
    assert person.run("status").code in {10, 11}

    done = person.ok("trust", "..")

    assert done.out == (
        f"{person.cwd.parent} is trusted on this machine.\n"
        "Next: `vaultmem sync` in it, then `vaultmem status`.\n"
    )
    assert person.ok("status", "--json").json["why"] == "parent folder"


def test_trust_can_be_taken_back(person):
    person.ok("trust", ".")
    gone = person.ok("trust", ".", "--remove", "--json").json

    assert gone["trusted"] is False
    assert person.run("status").code in {10, 11}
    assert "was not trusted" in person.ok("trust", ".", "--remove").out, "nothing was taken back"
    person.ok("trust", ".")
    assert "no longer trusted" in person.ok("trust", ".", "--remove").out


def test_a_vault_that_moved_keeps_its_state(person, tmp_path):
    identifier = _id(person)
    person.ok("--vault", ".", "add", "Remember the move.", "--category", "lesson")
    person.cwd = person.cwd.rename(tmp_path / "elsewhere")

    moved = person.ok("trust", ".", "--moved", "--json").json

    assert moved["id"] == identifier
    assert person.ok("status", "--json").json["has_key"] is True
    assert person.ok("doctor", "--json").json["ok"] is True
    assert "Remember the move." in person.ok("report").out


@pytest.mark.parametrize("option", ["--moved", "--copied"])
def test_a_config_that_cannot_be_edited_lets_the_same_command_be_tried_again(
    person, tmp_path, option
):
    identifier = _id(person)
    person.ok("trust", ".")
    old = person.cwd
    if option == "--moved":
        person.cwd = person.cwd.rename(tmp_path / "elsewhere")
    else:
        person.cwd = Path(shutil.copytree(person.cwd, tmp_path / "elsewhere"))
    config = tmp_path / "home/config/config.yaml"
    good = config.read_text()
    config.write_text(f"vault: {old}\n{good}broken: [\n")
    before = {"settings": (person.cwd / "Memory/Settings.md").read_bytes()}
    assert person.run("trust", ".", option).code
    assert {"settings": (person.cwd / "Memory/Settings.md").read_bytes()} == before
    config.write_text(f"vault: {old}\n{good}")
    person.ok("trust", ".", option)
    said = config.read_text()
    assert (str(old) in said) == (option == "--copied")
    assert (_id(person) == identifier) == (option == "--moved")
    assert person.ok("doctor", "--json").json["ok"] is True


def test_what_the_config_said_of_a_vault_follows_it(person, tmp_path):
    old = person.cwd
    person.ok("--vault", ".", "add", "Remember the move.", "--category", "lesson")
    person.ok("trust", ".")
    config = person.home / "config" / "config.yaml"
    config.write_text(f"# mine\nvault: {old}\n{config.read_text()}")
    person.cwd = old.rename(tmp_path / "elsewhere")
    away = tmp_path / "away"
    away.mkdir()
    here, person.cwd = person.cwd, away
    assert "vaultmem trust NEW-FOLDER --moved" in person.run("report").err
    person.cwd = here

    person.ok("trust", str(person.cwd), "--moved")
    said = config.read_text()
    assert said.startswith(f"# mine\nvault: {person.cwd}\n")
    assert str(old) not in said.splitlines()
    assert said.count("path:") == 1
    person.cwd = away
    assert "Remember the move." in person.ok("report").out


def test_a_copy_is_refused_until_it_is_called_one(person, tmp_path):
    identifier = _id(person)
    person.ok("--vault", ".", "add", "Remember the copy.", "--category", "lesson")
    original = person.cwd
    person.cwd = shutil.copytree(original, tmp_path / "copy")

    refused = person.run("--vault", ".", "status")
    assert refused.code == 13
    assert "--moved" in refused.err
    assert "--copied" in refused.err

    copied = person.ok("trust", ".", "--copied", "--json").json
    assert copied["id"] != identifier
    assert person.ok("status", "--json").json["has_key"] is True
    assert "Remember the copy." in person.ok("report").out
    person.cwd = original
    assert _id(person) == identifier


def test_a_project_may_name_a_trusted_vault_only(person, tmp_path):
    vault = person.cwd
    person.cwd = tmp_path / "project"
    write(person.cwd / ".pi/settings.json", f'{{"vaultmem": {{"vault": "{vault}"}}}}')

    untrusted = person.run("status")
    assert untrusted.code == 11
    assert "vaultmem trust" in untrusted.err
    person.ok("trust", str(vault))
    assert person.ok("status", "--json").json["why"] == "project settings"


def test_doctor_names_the_vault_that_is_not_trusted(person, tmp_path):
    vault = person.cwd
    person.cwd = tmp_path / "project"
    write(person.cwd / ".pi/settings.json", f'{{"vaultmem": {{"vault": "{vault}"}}}}')

    findings = person.run("doctor", "--json").json["findings"]

    assert [one["code"] for one in findings] == ["VM221"]
    assert str(vault) in findings[0]["message"]
