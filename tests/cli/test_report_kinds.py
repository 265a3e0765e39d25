"""Every kind of report over the example vault, as a terminal and as a script get it."""

from __future__ import annotations

import json

import pytest

from tests.cli.terminal import Terminal, copy_example, small_vault
from tests.index.fake import FakeEmbedder

WORK = ["--project", "github.com/harborline/tidewatch"]
PROMPTS = {
    "general": "add a chart of the last readings",
    "debug": "the webhook tests fail on CI",
    "pr_review": "please review my pull request",
    "git_release": "prepare the release of tidewatch",
}
KINDS = {
    **{name: ["report", *WORK, "--prompt", text] for name, text in PROMPTS.items()},
    "tight": ["report", *WORK, "--budget", "300"],
    "sections": [
        "report", "--sections", *WORK, "--budget", "300",
        "--prompt", "Release tags of both projects are signed, and the pipeline refuses one that is not.",
    ],
    "explain": ["report", "--explain", *WORK],
}  # fmt: skip
MODES = ("policy_only", "wakeup")


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """Somebody whose vault was looked at, with a model."""
    folder = tmp_path_factory.mktemp("kinds")
    made = Terminal(
        copy_example(folder / "tide-notes"),
        folder / "home",
        embedder=lambda: FakeEmbedder(dimension=256),
    )
    made.ok("trust", ".")
    made.ok("sync")
    return made


@pytest.mark.parametrize("name", KINDS)
def test_a_report_in_a_terminal(person, snapshot, name):
    done = person.ok(*KINDS[name])
    assert done.out == snapshot
    assert done.err == ""


@pytest.mark.parametrize("name", KINDS)
def test_a_report_for_a_script(person, snapshot, name):
    assert person.ok(*KINDS[name], "--json").json == snapshot


@pytest.mark.parametrize("mode", MODES)
def test_a_session_without_memories(tmp_path, snapshot, mode):
    person = Terminal(copy_example(tmp_path / "tide-notes"), tmp_path / "home")
    person.ok("trust", ".")
    person.ok("note", "set", "Memory/Settings", "retrieval_injection_mode", mode)
    person.ok("sync")
    done = person.ok("report", "--prompt", PROMPTS["debug"])
    assert done.out == snapshot
    report = person.ok("report", "--json").json
    assert (report["mode"], report["sections"]) == (mode, [])
    assert {one["reason"] for one in report["excluded"]} == {f"mode:{mode}"}
    assert report["text"] == done.out.rstrip("\n")


def test_a_second_look_gives_the_same_bytes(person):
    for arguments in KINDS.values():
        first, second = (person.ok(*arguments, "--json").out for _ in range(2))
        assert first == second


def test_the_keys_beside_the_report_are_there_only_with_sections(person):
    plain = person.ok(*KINDS["tight"], "--json").json
    assert "contextual_memories" not in plain
    given = person.ok(*KINDS["sections"], "--json").json
    assert plain.keys() < given.keys()
    beside = given["contextual_memories"]
    assert beside["text"].startswith("# Contextual Memories\n")
    assert 0 < beside["tokens"] <= beside["budget"]
    told = {name for section in given["sections"] for name in section["ids"]}
    assert told.isdisjoint(one["id"] for one in beside["memories"])
    assert given["tokens"] <= 300


def test_sections_without_a_model_say_so(tmp_path):
    person = Terminal(copy_example(tmp_path / "tide-notes"), tmp_path / "home")
    person.ok("trust", ".")
    person.ok("sync")
    done = person.ok("report", "--sections", "--prompt", "what about signed release tags?")
    assert "No embedding model is set up" in done.out
    assert json.loads(person.ok("report", "--sections", "--json").out)["degraded"] is None


def test_nothing_to_tell_says_where_to_look(tmp_path):
    person = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    person.ok("--vault", ".", "trust", ".")
    person.ok("sync")
    done = person.ok("report", "--sections")
    assert "There is nothing to tell yet. Add a memory" in done.out
    person.ok("add", "Add files by name.", "--category", "lesson")
    person.ok("deprecate", "Add files by name")
    done = person.ok("report", "--sections")
    assert "There is nothing to tell here. `vaultmem report --explain` says why." in done.out
