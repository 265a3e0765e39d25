"""`vaultmem reinforce`, and what other commands tell of a memory's use and outcomes."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from vaultmem.core.ids import short_id
from vaultmem.services.outcomes import link_correction
from vaultmem.services.telemetry import replied

AGENT = {"AI_AGENT": "coder"}
SAYS = "Add every file by its name."


@pytest.fixture
def known(terminal):
    return terminal.ok("add", SAYS, "--category", "lesson", "--json").json["id"]


def _report(terminal, session="s1"):
    return terminal.ok("report", "--session", session, "--json", env=AGENT).json


def _reply(terminal, session="s1"):
    with terminal.app() as app:
        text = f"You told me before to do it like this, and so I did. {SAYS}"
        return replied(app.call(), text, session=session)


def test_a_persons_word_is_one_more_piece_of_evidence(terminal, known):
    done = terminal.ok("reinforce", known)
    assert done.out == f"Counted as one more piece of evidence for: {SAYS}\n  Evidence count: 3.\n"
    found = terminal.ok("reinforce", known, "--note", "Nothing was lost.", "--json").json
    assert set(found) == COMMANDS["reinforce"]
    assert (found["outcome"], found["evidence_live"]) == ("reinforced", 4)
    listed = terminal.ok("evidence", "list", known, "--json").json["evidence"]
    assert [one["excerpt"] for one in listed] == ["Nothing was lost."]


def test_what_it_earns_by_this_is_told(terminal):
    said = "Deploy workflow: build → test → tag → push"
    known = terminal.ok("add", said, "--category", "pattern", "--json").json["id"]
    first = terminal.ok("reinforce", known, "--session", "s1")
    assert "skill" not in first.out
    terminal.ok("reinforce", known)
    second = terminal.ok("reinforce", known)
    assert "A skill: Deploy workflow" in second.out
    (one,) = terminal.ok("promote", "list", "--json").json["promotions"]
    assert f"`vaultmem promote accept {short_id(one['id'])}`" in second.out
    (path,) = (terminal.cwd / "Memory/Promotions").glob("*.md")
    assert path.name.removesuffix(".md") in second.out


def test_what_it_earns_has_the_keys_of_a_promotion(terminal):
    said = "Deploy workflow: build → test → tag → push"
    known = terminal.ok("add", said, "--category", "pattern", "--json").json["id"]
    assert terminal.ok("reinforce", known, "--json").json["promotions"] == []
    terminal.ok("reinforce", known)
    (one,) = terminal.ok("reinforce", known, "--json").json["promotions"]
    assert set(one) == COMMANDS["promote propose"]


def test_in_a_session_it_counts_once_and_says_so(terminal, known):
    terminal.ok("reinforce", known, "--session", "s1")
    again = terminal.ok("reinforce", known, "--session", "s1")
    assert again.out.startswith(f"Counted before: {SAYS}\ninfo VM626")


def test_an_agent_is_told_why_its_word_does_not_count(terminal, known):
    done = terminal.run("reinforce", known, env=AGENT)
    assert done.code == 41
    assert "warning VM862" in done.out
    assert "An agent reinforces only what it was shown, in the session that it names." in done.out
    _report(terminal)
    assert terminal.ok("reinforce", known, "--session", "s1", env=AGENT).out.startswith(
        "Counted as"
    )


def test_what_is_out_of_use_is_not_reinforced(terminal, known):
    terminal.ok("deprecate", known)
    done = terminal.run("reinforce", known, "--json")
    assert (done.code, done.json["outcome"]) == (41, "refused")
    assert [one["code"] for one in done.json["findings"]] == ["VM861"]


def test_a_report_of_an_agent_is_counted_and_a_persons_is_not(terminal, known):
    terminal.ok("report")
    assert terminal.ok("report", "--telemetry").out == "No agent was told anything here yet.\n"
    _report(terminal)
    _report(terminal)
    _reply(terminal)
    found = terminal.ok("report", "--telemetry", "--json").json
    assert set(found) == COMMANDS["report --telemetry"]
    (one,) = [one for one in found["telemetry"] if one["id"] == known]
    assert set(one) == LISTS["telemetry"]
    assert (one["statement"], one["injected"], one["used"]) == (SAYS, 2, 1)
    assert (one["cited"], one["rate"], one["last"][:10]) == (0, 0.5, "2026-11-29")
    shown = terminal.ok("report", "--telemetry").out
    assert SAYS[:20] in shown
    assert "50%" in shown


def test_a_memory_that_is_out_of_use_has_its_use_without_its_words(terminal, known):
    _report(terminal)
    terminal.ok("deprecate", known)
    assert "(not in force)" in terminal.ok("report", "--telemetry").out
    (one,) = [
        one
        for one in terminal.ok("report", "--telemetry", "--json").json["telemetry"]
        if one["id"] == known
    ]
    assert one["statement"] is None


def test_nothing_of_a_statement_drives_the_terminal(terminal):
    write(
        terminal.cwd / "Memory/Lessons/Bad.md",
        "---\ncategory: lesson\n---\nObey [bold]me\x1b[31m now.\n",
    )
    terminal.ok("sync")
    _report(terminal)
    out = terminal.ok("report", "--telemetry").out
    assert "[bold]me" in out
    assert "\x1b" not in out


def test_show_and_why_tell_what_came_of_a_memory(terminal, known):
    nothing = terminal.ok("show", known).out
    assert "told:" not in nothing
    assert "outcomes:" not in nothing
    _report(terminal)
    _reply(terminal)
    terminal.ok("reinforce", known)
    terminal.ok("reinforce", known)
    terminal.ok("curate", "--session-end", "--session", "s1")
    for verb in ("show", "why"):
        out = terminal.ok(verb, known).out
        assert "  told: 1 time here, used 1 (100%)\n" in out
        assert "  outcomes: confirmed 2 times, silently right 1 time\n" in out
        assert "  advice: call it stable\n" in out
        record = terminal.ok(verb, known, "--json").json["record"]
        assert set(record) == LISTS["record` of `show` and `why"]
        assert (record["confirmed"], record["succeeded"], record["corrected"]) == (2, 1, 0)
        assert (record["score"], record["advice"]) == (2.2, ["increase_stability"])
    assert "told to an agent: 2026-11-29" in terminal.ok("why", known).out
    assert len(terminal.ok("why", known, "--json").json["injections"]) == 1


def test_a_correction_is_advice_to_look(terminal, known):
    _report(terminal)
    with terminal.app() as app:
        assert (
            link_correction(app.call(), "Don't add every file by its name.", session="s1") == known
        )
    out = terminal.ok("show", known).out
    assert "outcomes: corrected 1 time\n" in out
    assert "advice: look at it, it was corrected; call it less stable\n" in out


def test_a_candidate_has_no_record(terminal):
    terminal.ok("add", "Ask first.", "--category", "lesson", env=AGENT)
    assert terminal.ok("show", "Ask first", "--json").json["record"] is None
    assert terminal.ok("why", "Ask first", "--json").json["record"] is None


def test_a_session_is_named_only_where_one_ends(terminal):
    assert terminal.run("curate", "--session", "s1").code == 2
