"""`vaultmem pi`: what a person and a script are told of Pi."""

from __future__ import annotations

import json
import sys

import pytest

from tests.cli.terminal import Terminal, small_vault
from tests.cli.test_json import COMMANDS
from vaultmem import __version__


@pytest.fixture
def person(tmp_path):
    """In a small vault, with a Pi beside it."""
    (tmp_path / "agent").mkdir()
    return Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")


def test_a_script_installs_it_where_the_environment_says(person):
    agent = person.cwd.parent / "agent"
    env = {"PI_CODING_AGENT_DIR": str(agent)}

    done = person.ok("pi", "install", "--json", env=env).json

    assert set(done) == COMMANDS["pi install"]
    assert done["agent_dir"] == str(agent)
    assert str(agent / "settings.json") in done["changed"]
    assert json.loads((agent / "settings.json").read_text()) == {"packages": [done["folder"]]}
    assert person.ok("pi", "status", "--json", env=env).json["ok"] is True
    gone = person.ok("pi", "uninstall", "--json", env=env).json
    assert set(gone) == COMMANDS["pi uninstall"]
    assert sorted(gone["changed"][1:-1]) == sorted(set(done["changed"]) - {gone["changed"][0]})


def test_a_folder_is_named_as_the_person_stands(person):
    person.ok("pi", "install", "--agent-dir", "../agent")

    status = person.ok("pi", "status", "--agent-dir", "../agent", "--json").json

    assert status["agent_dir"] == str(person.cwd.parent / "agent")
    assert status["listed"] is True


def test_doctor_tells_that_the_extension_is_another_one(person):
    person.ok("--vault", ".", "sync")
    person.ok("pi", "install", "--agent-dir", "../agent")
    folder = person.cwd.parent / "home/config/pi"
    (folder / "tools.json").write_text("{}")

    told = person.run("--vault", ".", "doctor", "--json").json["findings"]

    assert [one["remedy"] for one in told if one["code"] == "VM910"] == [
        "Run `vaultmem pi install`, then start Pi again."
    ]


def test_without_a_vault_the_next_step_is_to_make_one(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "agent").mkdir()
    person = Terminal(tmp_path / "empty", tmp_path / "home")

    out = person.ok("pi", "install", "--agent-dir", "../agent").out
    status = person.ok("pi", "status", "--agent-dir", "../agent").out

    assert "Next: `vaultmem init PATH`" in out
    assert "start Pi" not in out
    assert "Vault: none." in status
    assert "`vaultmem init PATH`" in " ".join(status.split())
    assert "Pi has the memory." not in status
    told = person.ok("pi", "status", "--agent-dir", "../agent", "--json").json
    assert (told["vault"], told["why"]) == (None, None)


def test_the_status_tells_versions_runtime_and_vault(person):
    person.ok("trust", ".")
    person.ok("pi", "install", "--agent-dir", "../agent")
    program = person.cwd.parent / "lib" / "pi" / "dist" / "cli.js"
    program.parent.mkdir(parents=True)
    program.write_text("#!/usr/bin/env node\n")
    program.chmod(0o755)
    package = {"name": "@earendil-works/pi-coding-agent", "version": "1.6.0"}
    (program.parents[1] / "package.json").write_text(json.dumps(package))
    (person.cwd.parent / "bin").mkdir()
    (person.cwd.parent / "bin" / "pi").symlink_to(program)
    env = {"PATH": str(person.cwd.parent / "bin")}

    out = person.ok("pi", "status", "--agent-dir", "../agent", env=env).out
    told = person.ok("pi", "status", "--agent-dir", "../agent", "--json", env=env).json

    assert set(told) == COMMANDS["pi status"]
    assert f"Versions: vaultmem {__version__}, Pi 1.6.0\n" in out
    assert f"It starts: {sys.executable}\n" in out
    assert f"Vault: {person.cwd} (by parent folder)\n" in out
    assert (told["pi"], told["vault"], told["why"]) == ("1.6.0", str(person.cwd), "parent folder")


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"name": "pi", "version": "9"}', None])
def test_a_program_of_that_name_alone_is_not_pi(person, text):
    folder = person.cwd.parent / "bin"
    folder.mkdir()
    (folder / "pi").write_text("#!/bin/sh\n")
    (folder / "pi").chmod(0o755)
    if text is not None:
        (folder / "package.json").write_text(text)

    out = person.ok("pi", "status", "--agent-dir", "../agent", env={"PATH": str(folder)}).out

    assert "no Pi on the path" in out


def test_what_was_written_and_removed_is_said(person):
    installed = person.ok("pi", "install", "--agent-dir", "../agent").out
    gone = person.ok("pi", "uninstall", "--agent-dir", "../agent").out

    assert installed.splitlines()[0].startswith("Wrote /")
    assert gone.splitlines()[-2].startswith("Removed /")
    assert gone.endswith("A Pi that runs keeps the memory until it is started again.\n")


def test_a_vault_that_is_not_trusted_is_to_be_trusted_next(person):
    out = person.ok("pi", "install", "--agent-dir", "../agent").out

    assert "run `vaultmem trust " in " ".join(out.split())
    assert "init" not in out
