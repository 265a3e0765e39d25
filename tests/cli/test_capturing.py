"""The commands around capture: `detect --capture`, `off`, `on`, `evidence`, guardrails of `add`."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_json import COMMANDS, LISTS

SAID = "Always run the type checker before you push.\nok\n"
AGENT = {"AI_AGENT": "coder"}


@pytest.fixture
def heard(terminal):
    """A terminal whose inbox holds a correction that the person said in a session."""
    done = terminal.ok("detect", "--capture", "--session", "s1", stdin=SAID)
    first, second = [json.loads(line) for line in done.out.splitlines()]
    assert set(first) == COMMANDS["detect --capture"] - {"more"}
    assert (first["outcome"], second["outcome"], second["id"]) == ("candidate", None, None)
    return terminal


def test_what_was_said_waits_in_the_inbox(heard):
    (one,) = heard.ok("inbox", "--json").json["candidates"]
    assert one["trust"] == "user_correction"


def test_its_evidence_is_listed_and_shown(heard):
    (one,) = heard.ok("inbox", "--json").json["candidates"]
    listed = heard.ok("evidence", "list", one["id"], "--json").json
    assert set(listed) == COMMANDS["evidence list"]
    (piece,) = listed["evidence"]
    assert set(piece) == LISTS["evidence` of `evidence list"] == COMMANDS["evidence show"]
    assert (piece["state"], piece["session"], piece["ref"]) == ("intact", "s1", "line 1")
    for name in (piece["id"], one["evidence"][0], piece["id"].lower().replace("_", "-")):
        assert heard.ok("evidence", "show", name, "--json").json == piece
    text = heard.ok("evidence", "list", one["path"]).out
    assert "> Always run the type checker before you push." in text
    assert "1 piece of evidence" in text
    assert heard.ok("evidence", "show", piece["id"]).out in text


def test_an_altered_and_a_lost_piece_say_so(heard):
    (one,) = heard.ok("inbox", "--json").json["candidates"]
    (note,) = heard.cwd.rglob("* evidence *.md")
    text = note.read_text()
    note.write_text(text.replace("> Always run", "> Never run"))
    assert "altered since it was recorded" in heard.ok("evidence", "list", one["id"]).out
    note.unlink()
    listed = heard.ok("evidence", "list", one["id"], "--json").json
    assert [(piece["state"], piece["excerpt"]) for piece in listed["evidence"]] == [
        ("missing", None)
    ]
    assert "not there any more" in heard.ok("evidence", "list", one["id"]).out
    done = heard.run("evidence", "show", listed["evidence"][0]["id"])
    assert done.code != 0
    assert "vaultmem evidence list ID" in done.err


@pytest.mark.parametrize("name", ["nothing", "ev_", "[[Note#^ev-1]]"])
def test_no_such_piece_says_where_to_look(terminal, name):
    done = terminal.run("evidence", "show", name)
    assert done.code == 23
    assert "vaultmem evidence list ID" in done.err


def test_a_memory_without_evidence_has_none_listed(terminal):
    terminal.ok("add", "Use UTC.", "--category", "lesson")
    assert "0 pieces of evidence" in terminal.ok("evidence", "list", "Use UTC").out


@pytest.mark.parametrize(
    "arguments", [["detect", "--capture", "--session", "s"], ["off"], ["on", "--read"]]
)
def test_an_agent_is_refused(terminal, arguments):
    done = terminal.run(*arguments, env=AGENT, stdin=SAID)
    assert done.code != 0
    assert "coder" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["detect", "--capture"],
        ["detect", "--session", "s"],
        ["detect", "--project", "p"],
        ["off", "--project", "p", "--session", "s"],
    ],
)
def test_options_that_do_not_go_together_are_a_mistake(terminal, arguments):
    assert terminal.run(*arguments, stdin=SAID).code == 2


def test_what_is_off_is_told_and_obeyed(terminal):
    terminal.ok("add", "Use UTC.", "--category", "lesson")
    off = terminal.ok("off", "--json").json
    assert set(off) == COMMANDS["off"]
    assert set(off["off"][0]) == LISTS["off"]
    done = terminal.run("add", "Use tabs.", "--category", "lesson", "--json")
    assert (done.code, done.json["findings"][0]["code"]) == (41, "VM623")
    made = terminal.ok("report", "--json").json
    assert (made["text"], [one["code"] for one in made["findings"]]) == ("", ["VM624"])
    assert "vaultmem on --read" in terminal.ok("report").out
    assert "vaultmem on --read" in terminal.ok("search", "UTC").out
    on = terminal.ok("on", "--json").json
    assert on == {"off": []}
    assert set(on) == COMMANDS["on"]
    assert "Use UTC." in terminal.ok("report").out


def test_off_names_each_place(terminal):
    terminal.ok("off", "--write", "--project", ".")
    text = terminal.ok("off", "--read", "--session", "s1").out
    assert "Recalling is off in the session s1." in text
    assert "Remembering is off in the project " in text
    assert terminal.ok("on").out == "Remembering and recalling are on everywhere.\n"


def test_a_guardrail_is_stored_with_its_advice(terminal):
    done = terminal.ok(
        "add", "Never fetch by hand.", "--category", "lesson",
        "--trigger", "tool_name curl", "--action", "block", "--json",
    )  # fmt: skip
    assert [one["code"] for one in done.json["findings"]] == ["VM613"]
    shown = terminal.ok("show", done.json["id"], "--json").json
    assert (shown["trigger"], shown["action"], shown["force"]) == ("tool_name curl", "block", True)


def test_a_task_ends_and_belongs_to_the_project_of_the_folder(terminal):
    done = terminal.ok(
        "add", "Use bun for this task.", "--category", "lesson", "--scope", "task", "--json"
    )
    shown = terminal.ok("show", done.json["id"], "--json").json
    assert shown["project"]
    assert shown["expires"] > shown["created"]


def test_what_a_report_told_an_agent_is_not_added_by_it(terminal):
    terminal.ok("add", "Use UTC in every table.", "--category", "lesson")
    for env, options in ((AGENT, []), ({}, ["--session", "s1"])):
        assert "Use UTC" in terminal.run("report", *options, env=env).out
    done = terminal.run(
        "add", "use UTC in every table", "--category", "lesson", "--json", env=AGENT
    )
    assert [one["code"] for one in done.json["findings"]] == ["VM625"]
    terminal.ok("search", "UTC", "--session", "s1")
