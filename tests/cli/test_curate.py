"""`vaultmem curate` asks, tells and prints what a curation did."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.cli.terminal import Terminal, write
from tests.cli.test_json import COMMANDS, LISTS
from tests.services.candidates import captured
from vaultmem.app import App
from vaultmem.cli.curated import say_curated
from vaultmem.config import Environment
from vaultmem.core.trust import TrustClass
from vaultmem.services.apply import Skipped
from vaultmem.services.curate import Curated

BUN = "Use bun for tests."
NPM = "Never use npm for installs."


@pytest.fixture
def person(terminal):
    """A vault that was synced once."""
    terminal.ok("sync")
    return terminal


def put(person: Terminal, statement: str, **more: object) -> None:
    """Let a candidate wait."""
    person.now += timedelta(seconds=1)
    with App(
        env=Environment(home=str(person.home)),
        cwd=person.cwd,
        vault=str(person.cwd),
        now=lambda: person.now,
        embedder=lambda: None,
    ) as app:
        captured(app.call(), statement, **more)


def config(person: Terminal, text: str) -> None:
    place = person.home / "config/config.yaml"
    place.write_text(place.read_text() + text)


def test_nothing_to_curate(person):
    assert person.ok("curate").out == "Nothing to curate.\n"


def test_a_proposal_names_its_note_and_the_next_step(person):
    put(person, BUN)
    out = person.ok("curate").out
    assert "Proposed in Memory/Inbox/Patch - add - Use bun for tests" in out
    assert "decision: apply" in out


def test_what_waits_says_what_it_is_and_why(person):
    put(person, BUN, trust=TrustClass.AGENT_INFERENCE)
    out = person.ok("curate").out
    assert out.startswith(f"Waits: {BUN} (cand_")
    assert "evidence from another session" in " ".join(out.split())


def test_a_looser_option_is_said_to_be_overruled(person):
    put(person, BUN)
    assert "The mode is `propose`" in person.ok("curate", "--mode", "auto").out
    assert "The mode is" not in person.ok("curate", "--mode", "propose").out


def test_the_end_of_a_session_applies_and_says_how_to_take_it_back(person):
    put(person, BUN)
    out = person.ok("curate", "--session-end").out
    assert "Applied add: Memory/Lessons/Use bun for tests.md" in out
    assert "Take it back with `vaultmem patch revert patch_" in " ".join(out.split())
    status = person.ok("status")
    assert "1 change by policy" in status.out
    assert status.out.count("vaultmem patch revert") == 1


def test_an_option_of_its_own(person):
    assert person.run("curate", "--session-end", "--mode", "auto").code == 2
    done = person.run("curate", "--session-end", env={"AI_AGENT": "coder"})
    assert (done.code, "for the person" in done.err) == (40, True)


@pytest.mark.parametrize(
    ("typed", "applied"),
    [("y\nn\n", [BUN]), ("\nYES\n", [NPM]), ("y\n", [BUN]), ("q\n", []), ("y\ny\n", [BUN, NPM])],
)
def test_supervised_asks_about_each_operation(person, typed, applied):
    config(person, "curator_mode: supervised\n")
    put(person, BUN)
    put(person, NPM, trust=TrustClass.AGENT_INFERENCE, sessions=("s1", "s2"))
    out = person.ok("curate", typed=typed).out
    assert "1/2  add, low risk: Use bun for tests." in out
    told = person.ok("report").out
    for statement in (BUN, NPM):
        assert (statement in told) is (statement in applied)


def test_supervised_shows_what_would_change(person):
    config(person, "curator_mode: supervised\n")
    put(person, "Use Python 3.12 for the tests.")
    block = "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\ncategory: lesson"
    write(
        person.cwd / "Memory/Lessons/P.md", f"---\n{block}\n---\nUse Python 3.11 for the tests.\n"
    )
    out = person.ok("curate", typed="n\n").out
    assert "update, medium risk: Use Python 3.12 for the tests." in out
    assert "now: Use Python 3.11 for the tests." in out


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_supervised_needs_somebody_to_ask(person, arguments):
    config(person, "curator_mode: supervised\n")
    put(person, BUN)
    typed = {"typed": "y\n"} if arguments else {}
    done = person.run("curate", *arguments, **typed)
    assert done.code != 0
    assert "--mode propose" in done.err
    assert person.ok("curate", "--mode", "propose", "--json").json["proposed"]


def test_json_has_the_documented_keys(person):
    config(person, "curator_mode: auto\n")
    block = "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\ncategory: lesson"
    write(person.cwd / "Memory/Lessons/N.md", f"---\n{block}\n---\n{NPM}\n")
    put(person, BUN)
    put(person, NPM)
    put(person, "Use npm for installs.")
    put(person, "Use tabs.", trust=TrustClass.AGENT_INFERENCE)
    done = person.ok("curate", "--json").json
    assert set(done) == COMMANDS["curate"]
    for name in ("applied", "counted", "held", "questions"):
        keys = LISTS[f"{name}` of `curate"]
        assert done[name], name
        assert all(set(one) == keys for one in done[name]), name
    shown = person.ok("status", "--json").json
    assert set(shown) == COMMANDS["status"]
    assert all(set(one) == LISTS["applied_alone"] for one in shown["applied_alone"])
    assert shown["applied_alone"]


def test_changes_of_one_patch_are_told_with_the_one_command_that_takes_them_back(person):
    config(person, "curator_mode: auto\n")
    put(person, BUN)
    put(person, NPM)
    person.ok("curate")

    shown = " ".join(person.ok("status").out.split())

    assert "Applied 2 changes by policy since you looked" in shown
    assert shown.count("`vaultmem patch revert ") == 1
    assert "Take all of them back with `vaultmem patch revert " in shown


def test_status_shows_what_of_the_settings_does_not_hold(person):
    note = person.cwd / "Memory/Settings.md"
    text = note.read_text()
    note.write_text(text.replace("type: settings\n", "type: settings\ncurator_mode: auto\n"))
    status = person.ok("status")
    assert "info VM222 Memory/Settings.md" in status.out
    assert "`curator_mode` asks for auto, but propose holds on this machine." in " ".join(
        status.out.split()
    )
    codes = [one["code"] for one in person.ok("status", "--json").json["findings"]]
    assert codes == ["VM222"]
    assert "VM222" in person.run("doctor").out


def test_status_says_that_the_inbox_opens(person):
    config(person, "curator_inbox_prompt_threshold: 1\n")
    put(person, BUN)
    assert "it opens when a session starts" in " ".join(person.ok("status").out.split())


def test_what_is_known_and_what_is_asked_is_told(person):
    block = "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\ncategory: lesson"
    write(person.cwd / "Memory/Lessons/N.md", f"---\n{block}\n---\n{NPM}\n")
    put(person, NPM)
    out = " ".join(person.ok("curate").out.split())
    assert f"Known already: {NPM} (cand_" in out
    assert "Nothing to propose." in out
    put(person, "Use npm for installs.")
    out = " ".join(person.ok("curate", "--session-end").out.split())
    assert "Counted 1 candidate that said what is known." in out
    assert "Question: Use npm for installs. (cand_" in out
    write(
        person.cwd / "Memory/Settings.md",
        (person.cwd / "Memory/Settings.md")
        .read_text()
        .replace("type: settings\n", "type: settings\ncurator_auto_curate: off\n"),
    )
    out = " ".join(person.ok("curate", "--session-end").out.split())
    assert out.startswith("Nothing was applied. `curator_auto_curate` is off;")


def test_what_was_left_out_says_why(capsys):
    left = Skipped("op_001", "stale", "The candidate was edited.")
    say_curated(Curated(mode="auto", skipped=(left,)), None)
    assert capsys.readouterr().out == "Left out op_001: The candidate was edited.\n"
