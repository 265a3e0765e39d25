"""`vaultmem enforce`: what it prints, its keys, and what an agent is shown."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.enforcing.check import check_call

ID, OTHER = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W3"
CHECK = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W4"


def note(terminal, identifier, statement, *lines):
    more = "".join(f"{line}\n" for line in lines)
    write(
        terminal.cwd / f"Memory/Lessons/{statement[:-1]}.md",
        f"---\nid: {identifier}\ntype: memory\ncategory: lesson\n"
        f"created: 2026-11-20T10:00:00\n{more}---\n{statement}\n",
    )


@pytest.fixture
def ready(terminal):
    """A vault with a rule that blocks, one that nobody ratified, and a verifier."""
    note(terminal, ID, "Add files by name.", "trigger: bash_contains git add .", "action: block")
    note(terminal, OTHER, "Test it.", "trigger: file_modified *.py", "action: run_after npm test")
    note(terminal, CHECK, "Ask first.", "verifier: tool_called ask_user before gh pr merge")
    terminal.ok("sync")
    terminal.ok("ratify", ID)
    terminal.ok("ratify", CHECK)
    return terminal


def test_the_documented_keys_are_printed(ready):
    tried = ready.ok("enforce", "test", "git add .", "--json").json
    assert set(tried) == COMMANDS["enforce test"]
    (met,) = tried["met"]
    assert set(met) == LISTS["met"]
    assert (tried["tool"], tried["blocked"], met["id"], met["does"], met["why"]) == (
        "bash",
        True,
        ID,
        "block",
        "",
    )
    assert "Add files by name." in tried["reason"]
    listed = ready.ok("enforce", "list", "--json").json
    assert set(listed) == COMMANDS["enforce list"]
    assert all(set(one) == LISTS["guardrails"] for one in listed["guardrails"])
    assert [(one["id"], one["acts"], one["why"]) for one in listed["guardrails"]] == [
        (ID, True, ""),
        (CHECK, True, ""),
        (OTHER, False, "unreviewed"),
    ]
    assert [one["literal"] for one in listed["guardrails"]] == [True, False, False]
    codes = [one["code"] for one in listed["guardrails"][2]["findings"]]
    assert codes == ["VM920", "VM330"]


def test_the_audit_has_its_keys(ready):
    assert ready.ok("enforce", "audit", "--json").json == {"audit": []}
    assert "No guardrail did anything" in ready.ok("enforce", "audit").out
    with ready.app() as app:
        check_call(app.call(), "bash", {"command": "git add ."}, cwd=ready.cwd, session="s1")
    told = ready.ok("enforce", "audit", "--json").json
    assert set(told) == COMMANDS["enforce audit"]
    (line,) = told["audit"]
    assert set(line) == LISTS["audit"]
    assert (line["act"], line["id"], line["tool"], line["session"]) == ("blocked", ID, "bash", "s1")
    assert line["trigger"] == "bash_contains git add ."
    assert (
        "blocked bash\n    Add files by name. [s9t0v1w2]\n    by `bash_contains git add .`\n"
        in ready.ok("enforce", "audit").out
    )
    assert ready.ok("enforce", "audit", "--session", "s2", "--json").json == {"audit": []}


def test_a_trial_is_told_to_people(ready):
    blocked = ready.ok("enforce", "test", "git add . && git commit").out
    assert blocked.startswith("It would not run.")
    assert "`bash_contains git add .` blocks it." in blocked
    assert "The agent would be told:" in blocked
    assert ready.ok("enforce", "test", "git add a.txt").out == "No guardrail is about this.\n"
    checked = ready.ok("enforce", "test", "gh pr merge 1").out
    assert "It would run." in checked
    assert "is checked at the end of the turn" in checked
    rests = ready.ok("enforce", "test", "--file", "a.py").out
    assert "no guardrail does anything here" in rests
    assert "does nothing: not ratified" in rests


def test_a_command_that_this_machine_does_not_allow_is_told(ready):
    ready.ok("ratify", OTHER)
    (met,) = ready.ok("enforce", "test", "--file", "a.py", "--json").json["met"]
    assert met["does"] == "refuse"
    config = ready.home / "config" / "config.yaml"
    config.write_text(f"{config.read_text()}run_after: npm test\n")
    (met,) = ready.ok("enforce", "test", "--file", "a.py", "--tool", "edit", "--json").json["met"]
    assert (met["does"], met["why"]) == ("run_after", "")
    listed = ready.ok("enforce", "list", "--json").json["guardrails"]
    assert all(one["findings"] == [] for one in listed)


def test_a_condition_and_a_project_are_told(ready):
    note(
        ready,
        "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W5",
        "Push by hand.",
        "trigger: bash_contains git push",
        "action: warn",
        "project: acme/tide",
        "not_when: release branch",
    )
    ready.ok("sync")
    ready.ok("ratify", "Push by hand")
    ready.ok("add", "Quays are steel.", "--category", "lesson", "--project", "acme/quay")
    elsewhere = ready.ok("enforce", "test", "git push", "--project", "acme/quay").out
    assert "it is of acme/tide" in elsewhere
    here = ("enforce", "test", "git push", "--project", "acme/tide")
    assert "warns afterwards" in ready.ok(*here).out
    assert "not when “release branch”" in ready.ok(*here, "--prompt", "a release branch").out


def test_nothing_to_try_is_a_usage_error(ready):
    assert ready.run("enforce", "test").code == 2


def test_the_list_is_told_to_people(ready, terminal):
    told = ready.ok("enforce", "list").out
    assert "`bash_contains git add .` → block" in told
    assert "`tool_called ask_user before gh pr merge`" in told
    assert "Does nothing here: not ratified." in told
    assert told.endswith("3 guardrails, 2 of them in force here.\n")


def test_without_guardrails_the_list_says_how_to_get_one(terminal):
    assert "No memory names a guardrail." in terminal.ok("enforce", "list").out


def test_what_an_agent_was_shown_is_not_learned_from(ready):
    for verb in (("list",), ("test", "git add .")):
        ready.ok("enforce", *verb)
        with ready.app() as app:
            assert not was_shown(app.call(), "Add files by name.")
    ready.ok("enforce", "test", "git add .", env={"AI_AGENT": "coder"})
    with ready.app() as app:
        assert was_shown(app.call(), "Add files by name.")
        assert not was_shown(app.call(), "Ask first.")
    ready.ok("enforce", "list", env={"AI_AGENT": "coder"})
    with ready.app() as app:
        assert was_shown(app.call(), "Ask first.")


def test_a_contested_guardrail_is_told(ready):
    ready.ok("contest", "Ask first")
    (one,) = [
        one
        for one in ready.ok("enforce", "list", "--json").json["guardrails"]
        if one["id"] == CHECK
    ]
    assert (one["acts"], one["why"]) == (False, "status:contested")
    assert "it is contested" in ready.ok("enforce", "list").out
