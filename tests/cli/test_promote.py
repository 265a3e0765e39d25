"""`vaultmem promote`: what is listed, shown and decided, for people and for scripts."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from vaultmem.core.ids import short_id

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


def test_a_proposal_is_told_with_the_id_that_decides_it(terminal):
    said(terminal, FACT, 1)
    out = terminal.ok("promote", "propose", FACT.rstrip("."), "--to", "project_rule").out
    (one,) = terminal.ok("promote", "list", "--json").json["promotions"]
    assert f"  {one['id']}, Memory/Promotions/" in out
    for verb in ("show", "accept", "reject"):
        assert f"`vaultmem promote {verb} {short_id(one['id'])}`" in " ".join(out.split())


def test_a_rejection_names_the_way_back_which_works(terminal):
    one = proposed(terminal, "project_rule")
    listed = " ".join(terminal.ok("promote", "list").out.split())
    assert "Only you can propose again what you reject" in listed
    done = " ".join(terminal.ok("promote", "reject", one["id"]).out.split())
    again = f"promote propose {one['memory'][-8:].lower()} --to project_rule"
    assert f"`vaultmem {again}`" in done
    refused = terminal.run(*again.split(), env=AGENT)
    assert refused.code == 22
    assert "only a person proposes again what was rejected" in " ".join(refused.err.split())
    assert terminal.ok("promote", "run", "--json").json["proposed"] == []
    terminal.ok(*again.split())
    (listed,) = terminal.ok("promote", "list", "--json").json["promotions"]
    assert (listed["id"], listed["status"]) == (one["id"], "proposed")
    assert terminal.ok("promote", "accept", one["id"]).out.startswith("Accepted")


def test_the_form_that_is_missing_is_asked_for_in_one_sentence(terminal):
    said(terminal, FACT, 1)
    done = terminal.run("promote", "propose", FACT.rstrip("."))
    assert done.code == 2
    assert "\t" not in done.err
    assert "Missing option '--to'. Choose from: memory, enforcement," in done.err
    as_json = terminal.run("promote", "propose", FACT.rstrip("."), "--json")
    assert "Choose from: memory," in as_json.json["error"]["message"]


def test_a_mistake_is_no_skill_and_what_can_be_one_is_named(terminal):
    said(terminal, "Snapshot tests of a whole page hide regressions.", 1, "mistake")
    done = terminal.run(
        "promote", "propose", "Snapshot tests of a whole page hide regressions", "--to", "skill"
    )
    assert done.code == 22
    assert "those of `pattern`, `lesson` and `done` can become skills" in " ".join(done.err.split())


def test_a_skill_without_steps_says_so_and_an_accepted_one_is_to_be_edited(terminal):
    one = proposed(terminal, "skill")
    shown = terminal.ok("promote", "show", one["id"]).out
    assert "It tells no steps; write them into the text before you accept it." in shown
    done = terminal.ok("promote", "accept", one["id"])
    told = " ".join(done.out.split())
    assert "edit it there before an agent uses it" in told
    assert "To take it back, delete its folder." in told
    (note,) = (terminal.cwd / "Memory/Skills").rglob("SKILL.md")
    assert f"No steps are told yet; write them here. What is known:\n\n{FACT}" in note.read_text()
    assert "1." not in note.read_text()


def test_skills_of_other_scripts_have_names_and_no_two_have_the_same(terminal):
    texts = ("潮位は三回測る。", "風速は二回測る。", "Logging: use UTC.", "Logging: keep it short.")
    names = set()
    for text in texts:
        terminal.ok("add", text, "--category", "lesson")
        listed = terminal.ok("learnings", "--json").json["learnings"]
        identifier = next(one["id"] for one in listed if one["statement"] == text)
        one = terminal.ok("promote", "propose", identifier, "--to", "skill", "--json").json
        path = terminal.ok("promote", "accept", one["id"], "--json").json["path"]
        names.add(path.split("/")[2])
    assert len(names) == 4
    assert sum(name.startswith("lesson-") for name in names) == 2
    assert sum(name.startswith("logging") for name in names) == 2


def test_no_promotion_at_all_is_said(terminal):
    assert terminal.ok("promote", "list", "--all").out.startswith("No promotion was proposed yet;")
    assert terminal.ok("promote", "list").out.startswith("No promotion waits;")
