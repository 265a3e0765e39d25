"""`vaultmem add`: what becomes of a person's and of an agent's statement."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, small_vault, write
from vaultmem.notes.frontmatter import get_properties

AGENT = {"AI_AGENT": "coder"}
STATEMENT = "Name files in kebab case."


def _add(terminal, text=STATEMENT, *more, env=None):
    done = terminal.run("add", text, "--category", "preference", *more, "--json", env=env)
    return done, done.json


def _note(terminal, path):
    return get_properties((terminal.cwd / path).read_bytes())


def test_a_person_adds_a_memory_that_is_there_at_once(terminal):
    done, added = _add(terminal)

    assert done.code == 0
    assert added["outcome"] == "added"
    assert added["path"] == "Memory/Preferences/Name files in kebab case.md"
    assert added["findings"] == []
    assert _note(terminal, added["path"])["id"] == added["id"]
    assert terminal.ok("show", added["id"], "--json").json["confidence"] == 0.95
    assert STATEMENT in terminal.ok("report").out


def test_the_same_statement_again_is_evidence(terminal):
    _, first = _add(terminal)
    done, again = _add(terminal, "name files in  kebab case")

    assert done.code == 0
    assert again["outcome"] == "reinforced"
    assert (again["id"], again["path"]) == (first["id"], first["path"])
    assert terminal.ok("show", first["id"], "--json").json["evidence_live"] == 3
    assert "Known already" in terminal.ok("add", STATEMENT, "--category", "preference").out


def test_an_agent_proposes_a_candidate_in_the_inbox(terminal):
    done, proposed = _add(terminal, env=AGENT)

    assert done.code == 0
    assert proposed["outcome"] == "candidate"
    assert proposed["id"].startswith("cand_")
    assert proposed["path"].startswith("Memory/Inbox/")
    note = _note(terminal, proposed["path"])
    assert note["type"] == "candidate"
    assert note["decision"] is None
    assert STATEMENT not in terminal.ok("report").out
    assert terminal.ok("status", "--json").json["waiting"] == 1


@pytest.mark.parametrize(
    ("by", "outcome", "code"),
    [(AGENT, "refused", 41), (None, "candidate", 0)],
    ids=["agent", "person"],
)
def test_what_was_deleted_comes_back_by_no_machine(terminal, by, outcome, code):
    _, added = _add(terminal)
    (terminal.cwd / added["path"]).unlink()
    terminal.ok("sync")
    terminal.now = terminal.now.replace(month=12, day=20)
    terminal.ok("sync")

    done, again = _add(terminal, env=by)

    assert (done.code, again["outcome"]) == (code, outcome)
    assert [one["code"] for one in again["findings"]] == ["VM321" if by else "VM627"]
    if by:
        assert again["id"] is None
        human = terminal.run("add", STATEMENT, "--category", "preference", env=by)
        assert human.out.startswith("Not remembered.")


def test_options_become_properties(terminal):
    project = "github.com/acme/shop"
    _, added = _add(
        terminal, STATEMENT, "--project", project, "--tag", "style", "--tag", "files", "--pin",
        "--cue", "structural",
    )  # fmt: skip
    shown = terminal.ok("show", added["id"], "--json").json

    assert (shown["scope"], shown["project"]) == ("project", project)
    assert shown["tags"] == ["memory/style", "memory/files"]
    assert shown["pinned"] is True
    assert shown["force"] is True
    assert shown["cue"] == "structural"


def test_the_scope_project_is_that_of_the_working_folder(terminal):
    write(terminal.cwd / "package.json", '{"name": "harbour"}')
    _, added = _add(terminal, STATEMENT, "--scope", "project")

    project = terminal.ok("status", "--json").json["project"]
    assert terminal.ok("show", added["id"], "--json").json["project"] == project != ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["add", STATEMENT, "--category", "preference", "--pin"],
        ["note", "set", "Notes/Own", "rating", "4"],
        ["note", "unset", "Notes/Own", "rating"],
        ["ratify", "--review", "--yes"],
        ["sync"],
        ["doctor", "--fix"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_the_first_writing_command_of_a_person_gives_a_vault_its_id_and_key(tmp_path, arguments):
    fresh = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")

    refused = fresh.run("--vault", ".", *arguments, env=AGENT)
    assert refused.code in {13, 40} or arguments == ["doctor", "--fix"]
    assert "id:" not in (fresh.cwd / "Memory/Settings.md").read_text()

    fresh.ok("--vault", ".", *arguments)
    status = fresh.ok("--vault", ".", "status", "--json").json
    assert status["id"].startswith("vault_")
    assert status["has_key"] is True
    assert status["unreviewed"] == 0


def test_hidden_text_is_left_out_and_reported(terminal):
    done = terminal.ok("add", "Use tabs. <!-- and obey -->", "--category", "preference")

    assert "VM114" in done.out
    assert "obey" not in (terminal.cwd / "Memory/Preferences/Use tabs.md").read_text()


def test_what_was_replaced_is_named_and_can_be_taken_back(terminal):
    never = "Never publish to npm from a laptop."
    terminal.ok("add", never, "--category", "lesson")
    always = ("add", "Always publish to npm from a laptop.", "--category", "lesson")
    refused = terminal.run(*always)
    assert "Ask the user" not in refused.out
    assert "Ask the user" in terminal.run(*always, env=AGENT).out

    done = " ".join(terminal.ok(*always, "--override-conflicts").out.split())

    assert f"It stands instead of: {never}" in done
    revert = done.split("Take it back with `vaultmem ")[1].split("`")[0]
    terminal.ok(*revert.split())
    assert never in terminal.ok("report").out
