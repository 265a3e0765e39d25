"""`vaultmem promote`: what is listed, shown and decided, for people and for scripts."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS

AGENT = {"AI_AGENT": "coder"}
DEPLOY = "Deploy workflow: build → test → tag → push"
NOTE = "Make a skill of Deploy workflow- build → test → tag → push"
FACT = "Postgres keeps dead rows until a vacuum removes them."


def said(terminal, text, times, category="lesson"):
    """The person says it so many times."""
    for _ in range(times):
        terminal.ok("add", text, "--category", category)


def proposed(terminal, destination, text=FACT, env=None):
    """A proposal that was made by hand, as JSON."""
    said(terminal, text, 1)
    done = terminal.ok(
        "promote", "propose", text.rstrip("."), "--to", destination, "--json", env=env
    )
    return done.json


@pytest.fixture
def skill(terminal):
    """A vault in which a skill was earned."""
    said(terminal, DEPLOY, 3, "pattern")
    return terminal


def test_run_list_and_show_print_the_documented_keys(skill):
    ran = skill.ok("promote", "run", "--json").json
    assert set(ran) == COMMANDS["promote run"]
    assert ran["kept_back"] is None
    (one,) = ran["proposed"]
    assert set(one) == LISTS["proposed` of `promote run"] == COMMANDS["promote propose"]
    assert one["patch"] is None
    (listed,) = skill.ok("promote", "list", "--json").json["promotions"]
    assert set(listed) == LISTS["promotions"]
    assert (listed["status"], listed["sessions"], listed["by"]) == ("proposed", 3, "person")
    shown = skill.ok("promote", "show", one["id"], "--json").json
    assert set(shown) == COMMANDS["promote show"]
    assert shown["skill"] == "deploy-workflow"
    assert (shown["trigger"], shown["note"], shown["requirements"]) == (None, None, [])
    assert shown["heard"] == {"sessions": 3, "projects": [], "since": "2026-11-29"}


def test_a_decision_prints_the_documented_keys(skill):
    skill.ok("promote", "run")
    done = skill.ok("promote", "accept", NOTE, "--json").json
    assert set(done) == COMMANDS["promote accept"] == COMMANDS["promote reject"]
    assert (done["outcome"], done["patch"], done["text"]) == ("accepted", None, None)
    assert done["path"] == "Memory/Skills/deploy-workflow/SKILL.md"
    assert skill.ok("promote", "list", "--json").json == {"promotions": []}
    (listed,) = skill.ok("promote", "list", "--all", "--json").json["promotions"]
    assert (listed["status"], listed["path"]) == ("accepted", None)


def test_a_guardrail_that_was_made_at_once_says_how_to_take_it_back(terminal):
    said(terminal, "Never run `git add .`", 3)
    done = terminal.ok("promote", "run")
    assert "A guardrail: Never run `git add .`" in done.out
    assert "vaultmem patch revert patch_" in done.out
    assert terminal.ok("promote", "list").out.startswith("No promotion waits")


def test_what_a_guardrail_lacks_is_given_with_the_decision(terminal):
    said(terminal, "Never commit secrets", 3)
    terminal.ok("promote", "run")
    name = "Enforce Never commit secrets"
    assert terminal.run("promote", "accept", name).code == 22
    terminal.ok(
        "promote", "accept", name, "--trigger", "bash_contains git add .env", "--action", "block"
    )
    shown = terminal.ok("show", "Never commit secrets", "--json").json
    assert (shown["trigger"], shown["action"]) == ("bash_contains git add .env", "block")
    assert shown["force"] is True


def test_a_rule_of_the_project_is_printed_to_be_copied(terminal):
    proposed(terminal, "project_rule")
    done = terminal.ok(
        "promote",
        "accept",
        "Make a project rule of Postgres keeps dead rows until a vacuum removes them",
    )
    assert f"- {FACT}" in done.out
    assert "Copy this into the rules of your project:" in done.out


def test_a_knowledge_note_is_shown_with_what_it_needs_and_linked(terminal):
    one = proposed(terminal, "vault_ref")
    write(terminal.cwd / "Notes/Vacuum.md", "# Vacuum\n")
    shown = terminal.ok("promote", "show", one["id"])
    assert "no:  Seen in 2 projects" in shown.out
    assert "yes: General knowledge" in shown.out
    assert "# Postgres keeps dead rows" in shown.out
    terminal.ok("promote", "accept", one["id"], "--note", "Vacuum")
    told = terminal.ok("show", one["memory"], "--json").json
    assert (told["status"], told["vault_ref"]) == ("promoted", "[[Notes/Vacuum|Vacuum]]")
    assert FACT not in terminal.ok("report").out
    assert "promoted to another form" in terminal.ok("search", "dead rows").out


def test_an_agent_proposes_and_is_told_no_note_of_the_persons(terminal):
    one = proposed(terminal, "vault_ref", env=AGENT)
    write(terminal.cwd / "Notes/Vacuum.md", f"# {FACT}\n\n{FACT}\n")
    shown = terminal.ok("promote", "show", one["id"], "--json", env=AGENT).json
    assert (shown["by"], shown["suggestions"]) == ("agent", [])
    assert "rejected by you" not in terminal.ok("promote", "list", "--all").out
    terminal.ok("promote", "reject", one["id"])
    assert "rejected by you" in terminal.ok("promote", "list", "--all").out


def test_hostile_text_stays_text(terminal):
    hostile = "Keep \x1b[31m[bold]this[/] ![[Embed]] <% code %> when you deploy → test → tag"
    said(terminal, hostile, 3, "pattern")
    terminal.ok("promote", "run")
    for words in (
        ("list",),
        ("show", terminal.ok("promote", "list", "--json").json["promotions"][0]["id"]),
    ):
        out = terminal.ok("promote", *words).out
        assert "\x1b" not in out
        assert "[bold]this[/]" in out
    (note,) = (terminal.cwd / "Memory/Promotions").iterdir()
    body = note.read_text().split("## Draft")[0]
    assert "![[Embed]]" not in body
    assert "<%" not in note.read_text()
