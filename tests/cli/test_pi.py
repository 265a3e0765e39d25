"""`vaultmem pi`: what a person and a script are told of Pi."""

from __future__ import annotations

import json

import pytest

from tests.cli.terminal import Terminal, small_vault
from tests.cli.test_json import COMMANDS


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
