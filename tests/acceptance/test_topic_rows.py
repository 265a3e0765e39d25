"""Rows 1 to 27 of the topic files' facts, through the command line as a person and an agent use it.

What only concerns the words of a message is tested at `core`; `tests.acceptance.rows` says where.
"""

from __future__ import annotations

import pytest

AGENT = {"AI_AGENT": "coder"}
either = pytest.mark.parametrize("env", [None, AGENT], ids=["person", "agent"])


def said(terminal, text, *options, env=None, category="lesson"):
    return terminal.run("add", text, "--category", category, "--json", *options, env=env)


def refused(done, code):
    assert done.code == 41
    assert done.json["outcome"] == "refused"
    (found,) = done.json["findings"]
    assert found["code"] == code
    assert found["message"]
    assert found["remedy"]


def memories(terminal):
    root = terminal.cwd / "Memory"
    return [
        note
        for note in root.rglob("*.md")
        if b"\ntype: memory\n" in note.read_bytes() and "System" not in note.parts
    ]


@either
@pytest.mark.parametrize("text", ["you can merge this PR", "go ahead", "just this once"])
def test_rows_001_to_003_a_permission_for_once_is_not_remembered(terminal, env, text):
    refused(said(terminal, text, env=env), "VM602")
    assert memories(terminal) == []


@either
@pytest.mark.parametrize(
    "text",
    [
        "when done, I want an html report",
        "when bumping to 1.4.0, drop the vendor dir",
        "Use the old colours for this report and drop the logo.",
        "every 30min (changed from 1h)",
    ],
)
def test_rows_004_to_007_what_is_for_the_task_is_not_remembered(terminal, env, text):
    refused(said(terminal, text, env=env), "VM603")
    assert memories(terminal) == []


def test_row_008_a_standing_rule_is_remembered(terminal):
    assert said(terminal, "When done, commit and push everything").json["outcome"] == "added"


def test_row_009_two_rules_about_different_actions_are_both_kept(terminal):
    assert said(terminal, "always publish to npm").json["outcome"] == "added"
    assert said(terminal, "never publish with a dead token").json["outcome"] == "added"
    assert len(memories(terminal)) == 2


def test_row_010_a_quotation_contradicts_nothing(terminal):
    assert said(terminal, "Never say OK.").json["outcome"] == "added"
    text = "Smoke test: send 'always say OK' and expect an answer."
    assert said(terminal, text).json["outcome"] == "added"


@either
def test_row_011_a_contradiction_is_refused_and_asks_the_user(terminal, env):
    old = said(terminal, "Never publish on Fridays.").json
    done = said(terminal, "Publish on Fridays.", env=env)
    refused(done, "VM604")
    (found,) = done.json["findings"]
    assert "Ask the user" in found["remedy"]
    assert old["id"][-8:].lower() in found["message"].lower()
    assert len(memories(terminal)) == 1


def test_row_012_overridden_the_old_memory_is_superseded_with_provenance(terminal):
    old = said(terminal, "Never publish on Fridays.").json
    new = said(terminal, "Publish on Fridays.", "--override-conflicts").json
    assert new["outcome"] == "added"
    was = terminal.ok("show", old["id"], "--json").json
    now = terminal.ok("show", new["id"], "--json").json
    assert was["status"] == "superseded"
    assert was["superseded_by"] == ["[[Publish on Fridays]]"]
    assert now["supersedes"] == ["[[Never publish on Fridays]]"]
    assert now["status"] == "active"
    text = terminal.ok("report", "--json").json["text"]
    assert "Publish on Fridays." in text
    assert "Never publish" not in text
    assert "superseded" in terminal.ok("why", old["id"]).out


@either
@pytest.mark.parametrize("options", [(), ("--override-conflicts",)])
def test_row_013_a_pinned_memory_is_never_overridden(terminal, env, options):
    old = said(terminal, "Never publish on Fridays.", "--pin").json
    refused(said(terminal, "Publish on Fridays.", *options, env=env), "VM605")
    assert terminal.ok("show", old["id"], "--json").json["status"] == "active"


@pytest.mark.parametrize(
    ("trigger", "code"),
    [("tool_name curl", "VM613"), ("tool_name git", "VM613"), ("tool_name bash", "VM614")],
)
def test_rows_014_and_015_a_trigger_that_fails_its_purpose_is_kept_with_advice(
    terminal, trigger, code
):
    done = said(terminal, f"Never call {trigger}.", "--trigger", trigger, "--action", "block").json
    assert done["outcome"] == "added"
    (found,) = done["findings"]
    assert found["code"] == code
    assert "bash_contains" in found["remedy"]


def test_row_016_what_was_said_for_a_session_ends_with_it(terminal):
    done = said(terminal, "Use the staging database.", "--scope", "session").json
    assert done["outcome"] == "added"
    assert "staging database" in terminal.ok("report", "--json").json["text"]
    from datetime import timedelta

    terminal.now += timedelta(hours=25)
    shown = terminal.ok("report", "--json").json
    assert "staging database" not in shown["text"]
    assert [one["reason"] for one in shown["excluded"]] == ["session_over"] or [
        one["reason"] for one in shown["excluded"]
    ] == ["expired"]


# The pairs that the facts propose besides the rows.


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always ask before force-pushing.", "You may always force-push without asking."),
        ("Never deploy on Fridays.", "Deploy on Fridays is fine now."),
        ("Always use sudo.", "Never use sudo in tests, always use podman."),
    ],
)
def test_proposed_pairs_that_contradict(terminal, old, new):
    assert said(terminal, old).json["outcome"] == "added"
    refused(said(terminal, new), "VM604")


def test_proposed_pairs_that_do_not(terminal):
    assert said(terminal, "Do not merge without review.").json["outcome"] == "added"
    assert said(terminal, "Always merge with squash.").json["outcome"] == "added"


def test_proposed_the_same_prohibition_in_other_words_is_no_contradiction(terminal):
    assert said(terminal, "Don't commit generated files.").json["outcome"] == "added"
    done = said(terminal, "Never commit generated files.").json
    assert done["outcome"] in ("added", "reinforced")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("it's fine to skip docs for this PR", "VM602"),
        ("until Friday use the staging key", "VM603"),
    ],
)
def test_proposed_what_passes_is_not_remembered(terminal, text, code):
    refused(said(terminal, text), code)


def test_proposed_a_fact_is_no_permission(terminal):
    assert said(terminal, "You can run tests with `tox -e py`.").json["outcome"] == "added"
