"""What only a person may do is refused in an agent's environment, and the refusal names the agent."""

from __future__ import annotations

import pytest

from tests.cli.terminal import files, write

PERSON_ONLY = [
    ["init", ".", "--yes"],
    ["init", ".", "--undo", "--yes"],
    ["edit", "Rule", "--statement", "Another one."],
    ["edit", "Rule"],
    ["ratify", "Rule"],
    ["ratify", "--review", "--yes"],
    ["inbox", "approve", "Rule"],
    ["inbox", "reject", "Rule"],
    ["inbox", "defer", "Rule"],
    ["inbox", "edit", "Rule", "--statement", "Another one."],
    ["inbox", "edit", "Rule", "--approve"],
    ["inbox", "review"],
    ["pin", "Rule"],
    ["unpin", "Rule"],
    ["contest", "Rule"],
    ["uncontest", "Rule"],
    ["deprecate", "Rule"],
    ["exception", "Rule", "--not", "here"],
    ["trust", "."],
    ["trust", ".", "--copied"],
    ["trust", ".", "--remove"],
    ["sync", "--accept-deletions"],
    ["doctor", "--fix"],
    ["note", "set", "Notes/Own", "rating", "5"],
    ["note", "unset", "Notes/Own", "rating"],
    ["model", "use", "all-MiniLM-L6-v2-onnx-int8"],
    ["key", "export"],
    ["key", "import", "--replace"],
]
ALLOWED = [
    ["show", "Rule"],
    ["why", "Rule"],
    ["search", "rule"],
    ["report"],
    ["inbox"],
    ["learnings"],
    ["sync"],
    ["status"],
    ["doctor"],
    ["reindex"],
    ["note", "get", "Notes/Own"],
    ["model", "list"],
    ["completion", "zsh"],
]
AGENTS = [({"AI_AGENT": "coder"}, "coder"), ({"PI_CODING_AGENT": "1"}, "pi")]


@pytest.fixture
def ruled(terminal):
    write(terminal.cwd / "Memory/Lessons/Rule.md", "---\npinned: true\n---\nAlways say please.\n")
    terminal.ok("sync")
    return terminal


@pytest.mark.parametrize(("env", "name"), AGENTS)
@pytest.mark.parametrize("arguments", PERSON_ONLY, ids=" ".join)
def test_a_persons_verb_refuses_an_agent_and_changes_nothing(ruled, arguments, env, name):
    before = files(ruled.cwd), files(ruled.home / "config")

    done = ruled.run(*arguments, "--json", env=env)

    assert done.code == 40
    assert f"called from {name}." in done.err
    assert f"`{arguments[0]}" in done.err
    assert done.json["error"]["type"] == "AgentRefusedError"
    assert (files(ruled.cwd), files(ruled.home / "config")) == before


@pytest.mark.parametrize("arguments", ALLOWED, ids=" ".join)
def test_an_agent_may_read(ruled, arguments):
    before = files(ruled.cwd)

    done = ruled.run(*arguments, env={"AI_AGENT": "coder"})

    assert done.code == 0, done
    assert files(ruled.cwd) == before


def test_what_an_agents_command_meets_is_held_until_a_person_accepts_it(ruled):
    place = ruled.cwd / "Memory/Lessons/Rule.md"
    place.write_text(place.read_text().replace("please", "nothing"))
    met = ruled.ok("sync", "--json", env={"AI_AGENT": "coder"}).json

    assert met["external"] == 1
    assert [one["code"] for one in met["findings"]] == ["VM310"]
    assert "Always say please." in ruled.ok("show", "Rule").out
    accepted = ruled.ok("ratify", "Memory/Lessons/Rule.md", "--json").json["ratified"]
    assert [one["accepted"] for one in accepted] == ["version"]
    assert "Always say nothing." in ruled.ok("show", "Rule").out


def test_an_agent_finds_only_the_memory_root_and_what_the_config_opens(ruled):
    mine = ["search", "own", "--in", "vault", "--json"]
    agent = {"AI_AGENT": "coder"}

    assert [hit["path"] for hit in ruled.ok(*mine).json["hits"]] == ["Notes/Own.md"]
    assert ruled.ok(*mine, env=agent).json["hits"] == []
    config = ruled.home / "config/config.yaml"
    config.write_text(config.read_text() + "knowledge:\n  - Notes\n")
    assert [hit["path"] for hit in ruled.ok(*mine, env=agent).json["hits"]] == ["Notes/Own.md"]
