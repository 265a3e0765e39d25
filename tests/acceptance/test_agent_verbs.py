"""What each command lets an agent do; a new command has to say it here before it is there."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, files, small_vault, write
from tests.reference import every_command
from vaultmem.core.agent_verbs import HELPERS, PERSON_OPTIONS, PERSON_VERBS, refused
from vaultmem.core.shell import commands

READS, PROPOSES, POLICY, PERSON = "reads", "proposes", "policy", "person"
KEEPS = "keeps"
"""It keeps state of this machine: no memory, no note, nothing that is told or learned from."""
AGENTS = [({"AI_AGENT": "coder"}, "coder"), ({"PI_CODING_AGENT": "1"}, "pi")]

MAY: dict[str, tuple[str, list[str]]] = {
    "init": (PERSON, [".", "--yes"]),
    "add": (PROPOSES, ["Say thanks.", "--category", "lesson"]),
    "search": (READS, ["rule"]),
    "show": (READS, ["Rule"]),
    "why": (READS, ["Rule"]),
    "edit": (PERSON, ["Rule", "--statement", "Obey."]),
    "pin": (PERSON, ["Rule"]),
    "unpin": (PERSON, ["Rule"]),
    "contest": (PERSON, ["Rule"]),
    "uncontest": (PERSON, ["Rule"]),
    "deprecate": (PERSON, ["Rule"]),
    "exception": (PERSON, ["Rule", "--not", "always"]),
    "forget": (PERSON, ["Rule", "--yes"]),
    "reinforce": (PROPOSES, ["Rule"]),
    "report": (READS, []),
    "topics": (READS, []),
    "render": (PERSON, []),
    "export": (READS, []),
    "export graph": (READS, []),
    "export timeline": (READS, []),
    "export handoff": (READS, ["--goal", "Ship."]),
    "export procedures": (READS, []),
    "export canvas": (READS, []),
    "export jsonl": (PERSON, ["--to", "out"]),
    "export topics": (PERSON, ["--to", "out"]),
    "maintain identity": (PERSON, []),
    "ratify": (PERSON, ["Rule"]),
    "inbox": (READS, []),
    "inbox approve": (PERSON, ["Ask first"]),
    "inbox defer": (PERSON, ["Ask first"]),
    "inbox edit": (PERSON, ["Ask first", "--statement", "Obey."]),
    "inbox reject": (PERSON, ["Ask first"]),
    "inbox list": (READS, []),
    "inbox review": (PERSON, []),
    "curate": (PERSON, []),
    "learnings": (READS, []),
    "maintain": (READS, []),
    "maintain list": (READS, []),
    "maintain run": (PERSON, []),
    "maintain reviewed": (PERSON, ["Rule"]),
    "maintain inquiries": (READS, []),
    "maintain ask": (PERSON, ["Which one holds?"]),
    "maintain answer": (PERSON, ["Which one holds?", "Rule"]),
    "maintain withdraw": (PERSON, ["Which one holds?"]),
    "patch": (READS, []),
    "patch list": (READS, []),
    "patch show": (READS, ["Ask first"]),
    "patch apply": (PERSON, ["Ask first", "--all"]),
    "patch reject": (PERSON, ["Ask first"]),
    "patch revert": (PERSON, ["Ask first"]),
    "promote": (READS, []),
    "promote list": (READS, []),
    "promote show": (READS, ["Discard Rule"]),
    "promote run": (PROPOSES, []),
    "promote propose": (PROPOSES, ["Rule", "--to", "skill"]),
    "promote accept": (PERSON, ["Discard Rule"]),
    "promote reject": (PERSON, ["Discard Rule"]),
    "promote suggest": (PERSON, ["Rule"]),
    "enforce": (READS, []),
    "enforce test": (READS, ["git add ."]),
    "enforce list": (READS, []),
    "enforce audit": (READS, []),
    "undo": (PERSON, []),
    "evidence": (READS, []),
    "evidence list": (READS, ["Rule"]),
    "evidence show": (READS, ["ev_01JDR3Z8Q4M5N6P7R8S9T0V1W2"]),
    "on": (PERSON, []),
    "off": (PERSON, []),
    "trust": (PERSON, ["."]),
    "sync": (READS, []),
    "watch": (READS, []),
    "reindex": (READS, []),
    "status": (READS, []),
    "doctor": (READS, []),
    "demo": (READS, []),
    "detect": (READS, []),
    "note": (READS, []),
    "note get": (READS, ["Notes/Own"]),
    "note set": (PERSON, ["Notes/Own", "rating", "5"]),
    "note unset": (PERSON, ["Notes/Own", "rating"]),
    "model": (READS, []),
    "model list": (READS, []),
    "model use": (PERSON, ["all-MiniLM-L6-v2-onnx-int8"]),
    "key": (READS, []),
    "key export": (PERSON, []),
    "key import": (PERSON, ["--replace"]),
    "migrate": (PERSON, ["pi-memory", "."]),
    "review": (READS, []),
    "review store": (KEEPS, ["review.json"]),
    "review skipped": (READS, ["acme", "tide", "12"]),
    "review match": (KEEPS, ["review.json"]),
    "review resolve": (
        KEEPS,
        ["acme", "tide", "12", "--path", "a.py", "--status", "resolved_fixed"],
    ),
    "review history": (READS, ["acme", "tide", "12"]),
    "review import": (PERSON, ["pr-reviews.db"]),
    "review guideline": (READS, []),
    "review guideline add": (PROPOSES, ["Skip style remarks."]),
    "review guideline list": (READS, []),
    "pi": (READS, []),
    "pi install": (PERSON, ["--agent-dir", "."]),
    "pi uninstall": (PERSON, ["--agent-dir", "."]),
    "pi status": (READS, ["--agent-dir", "."]),
    "obsidian": (READS, []),
    "obsidian install": (PERSON, ["--yes"]),
    "obsidian uninstall": (PERSON, ["--yes"]),
    "obsidian status": (READS, []),
    "session": (READS, []),
    "session sync": (READS, []),
    "session reindex": (READS, []),
    "session search": (READS, ["rule"]),
    "session list": (READS, []),
    "session read": (READS, ["01a2"]),
    "session decisions": (READS, []),
    "notebook": (READS, []),
    "notebook status": (READS, []),
    "notebook history": (READS, []),
    "notebook show": (READS, []),
    "notebook run": (POLICY, []),
    "notebook extract": (POLICY, []),
    "notebook consolidate": (POLICY, []),
    "notebook dream": (POLICY, []),
    "notebook on": (PERSON, []),
    "notebook off": (PERSON, []),
    "notebook ignore": (PERSON, ["01a2"]),
    "notebook reset": (PERSON, ["--yes"]),
    "notebook restore": (PERSON, ["0123456", "--yes"]),
    "notebook accept": (PERSON, ["--yes"]),
    "serve": (READS, []),
    "hook": (READS, ["rules"]),
    "mcp": (READS, []),
    "completion": (READS, ["bash"]),
}
"""Command to what an agent may do with it, and arguments that a person could give."""

AS_OPTIONS = {
    "init --undo": ["init", ".", "--undo", "--yes"],
    "trust --remove": ["trust", ".", "--remove"],
    "sync --accept-deletions": ["sync", "--accept-deletions"],
    "doctor --fix": ["doctor", "--fix"],
    "ratify --review": ["ratify", "--review", "--yes"],
    "export graph --save": ["export", "graph", "--save"],
    "export timeline --save": ["export", "timeline", "--save"],
    "export handoff --save": ["export", "handoff", "--save"],
    "export procedures --save": ["export", "procedures", "--save"],
    "export canvas --save": ["export", "canvas", "--save"],
    "forget --purge": ["forget", "Rule", "--purge", "--yes"],
    "curate --session-end": ["curate", "--session-end"],
    "detect --capture": ["detect", "--capture", "--session", "s1"],
    "off --write": ["off", "--write"],
    "notebook run --dry-run": ["notebook", "run", "--dry-run"],
    "notebook extract --dry-run": ["notebook", "extract", "--dry-run"],
    "notebook consolidate --dry-run": ["notebook", "consolidate", "--dry-run"],
    "notebook dream --dry-run": ["notebook", "dream", "--dry-run"],
}
"""Options that make of a command what only a person may do."""

EVERY = {" ".join(path): command for path, command in every_command()}
_UNASKED = {
    *("watch", "demo", "serve", "mcp"),
    *(
        "pi",
        "obsidian",
        "enforce",
        "note",
        "model",
        "key",
        "patch",
        "promote",
        "evidence",
        "session",
        "notebook",
        "maintain",
        "export",
        "review",
        "review guideline",
    ),
}
"""Groups that do nothing alone, two that do not end, and one that has a vault of its own."""


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory):
    """One terminal for all tests that show that nothing changed in it."""
    return _terminal(tmp_path_factory.mktemp("unchanged"))


@pytest.fixture
def terminal(tmp_path):
    return _terminal(tmp_path)


def _terminal(folder):
    made = Terminal(small_vault(folder / "vault"), folder / "home")
    made.ok("--vault", ".", "trust", ".")
    made.ok("sync")
    write(made.cwd / "Memory/Lessons/Rule.md", "---\npinned: true\n---\nAlways say please.\n")
    made.ok("sync")
    made.ok("add", "Ask first.", "--category", "lesson", env={"AI_AGENT": "coder"})
    made.ok("promote", "propose", "Rule", "--to", "discard")
    return made


def test_every_command_says_what_an_agent_may_do_with_it():
    assert set(EVERY) - set(MAY) == set()


def test_the_guard_stops_exactly_what_an_agent_may_not_run():
    persons = {one for one, (may, _) in MAY.items() if may == PERSON}
    assert persons - HELPERS == PERSON_VERBS
    for command, (may, words) in MAY.items():
        given = " ".join(f"'{word}'" for word in (*command.split(), *words))
        found = refused(commands(f"vaultmem {given}"))
        assert (found is not None) == (may == PERSON or command in HELPERS), command
    for words in AS_OPTIONS.values():
        assert refused(commands("vaultmem " + " ".join(f"'{word}'" for word in words))), words
    for verb, options in PERSON_OPTIONS.items():
        assert {f"{verb} {option}" for option in options} <= {
            " ".join(word for word in words if word in (verb, *options))
            for words in AS_OPTIONS.values()
        }


@pytest.mark.parametrize(("env", "name"), AGENTS, ids=["AI_AGENT", "PI_CODING_AGENT"])
@pytest.mark.parametrize("command", [one for one in EVERY if MAY.get(one, ("",))[0] == PERSON])
def test_a_persons_command_refuses_an_agent_and_names_it(unchanged, command, env, name):
    before = files(unchanged.cwd), files(unchanged.home / "config")
    done = unchanged.run(*command.split(), *MAY[command][1], env=env, typed="y\n")
    assert done.code == 40, done
    assert f"called from {name}." in done.err
    assert "Ask the person" in done.err
    assert (files(unchanged.cwd), files(unchanged.home / "config")) == before


@pytest.mark.parametrize("words", AS_OPTIONS.values(), ids=AS_OPTIONS)
def test_a_persons_option_refuses_an_agent(unchanged, words):
    before = files(unchanged.cwd)
    done = unchanged.run(*words, env={"AI_AGENT": "coder"}, typed="Don't use npm, use bun.\n")
    assert done.code == 40, done
    assert files(unchanged.cwd) == before


@pytest.mark.parametrize(
    "command", [one for one in EVERY if MAY.get(one, ("",))[0] == READS and one not in _UNASKED]
)
def test_a_reading_command_answers_an_agent_and_changes_no_note(unchanged, command):
    before = files(unchanged.cwd)
    done = unchanged.run(
        *command.split(), *MAY[command][1], env={"AI_AGENT": "coder"}, stdin="Hi.\n"
    )
    assert done.code in (0, 1, 20, 23), done
    assert files(unchanged.cwd) == before


@pytest.mark.parametrize("command", [one for one in EVERY if MAY.get(one, ("",))[0] == POLICY])
def test_a_command_of_policy_does_for_an_agent_only_what_a_person_allowed(terminal, command):
    before = files(terminal.cwd)
    done = terminal.run(*command.split(), *MAY[command][1], env={"AI_AGENT": "coder"})
    assert done.code == 46, done
    assert "Switch it on with `vaultmem notebook on`; only a person can." in done.err
    assert files(terminal.cwd) == before


REVIEW = (
    '{"metadata": {"owner": "acme", "repo": "tide", "pr_number": 12}, "comments": ['
    '{"path": "a.py", "body": "Quokka."},'
    '{"path": "b.py", "status": "skipped", "skip_reason": "Zeppelin."}]}'
)


@pytest.mark.parametrize("command", [one for one, (may, _) in MAY.items() if may == KEEPS])
def test_what_an_agent_keeps_on_this_machine_is_in_no_note_and_told_by_no_report(terminal, command):
    write(terminal.cwd / "review.json", REVIEW)
    env = {"AI_AGENT": "coder"}
    before = files(terminal.cwd)
    for one in ("review store", command):
        terminal.ok(*one.split(), *MAY[one][1], env=env)
    assert files(terminal.cwd) == before
    told = terminal.ok("report", "--prompt", "Please review this PR", env=env).out
    assert "Quokka" not in told
    assert "Zeppelin" not in told


def test_a_guideline_that_an_agent_proposes_is_told_to_nobody(terminal):
    env = {"AI_AGENT": "coder"}
    command = ["review", "guideline", "add", *MAY["review guideline add"][1], "--json"]
    assert terminal.ok(*command, env=env).json["outcome"] == "proposed"
    assert terminal.ok(*command, env=env).json["outcome"] == "known"
    asked = ["report", "--prompt", "Please review this PR"]
    assert "Skip style remarks" not in terminal.ok(*asked).out
    assert terminal.ok(*command).json["outcome"] == "accepted"
    assert "Skip style remarks" in terminal.ok(*asked).out


def test_a_promotion_that_an_agent_proposes_changes_no_memory(terminal):
    before = files(terminal.cwd / "Memory/Lessons")
    terminal.ok("promote", "propose", *MAY["promote propose"][1], env={"AI_AGENT": "coder"})
    assert terminal.ok("promote", "run", "--json", env={"AI_AGENT": "coder"}).json["applied"] == []
    assert files(terminal.cwd / "Memory/Lessons") == before


def test_an_agent_reinforces_what_it_was_shown_and_nothing_else(terminal):
    before = files(terminal.cwd)
    refused = terminal.run("reinforce", "Rule", "--json", env={"AI_AGENT": "coder"})
    assert (refused.code, refused.json["outcome"]) == (41, "refused")
    assert files(terminal.cwd) == before
    terminal.ok("report", env={"AI_AGENT": "coder"})
    done = terminal.ok("reinforce", "Rule", "--json", env={"AI_AGENT": "coder"}).json
    assert done["outcome"] == "reinforced"
    changed = {path for path, data in files(terminal.cwd).items() if before.get(path) != data}
    assert all("/Ledger/" in str(path) for path in changed)


def test_what_an_agent_proposes_waits(terminal):
    done = terminal.ok("add", *MAY["add"][1], "--json", env={"AI_AGENT": "coder"}).json
    assert done["outcome"] == "candidate"
    assert "Say thanks" not in terminal.ok("report").out
