"""`vaultmem export`, `render` and `maintain identity`: what they print, save and refuse."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.terminal import Terminal, normalised
from tests.cli.test_json import COMMANDS, LISTS

PROJECT = "github.com/harborline/tidewatch"
KINDS = {
    "graph": ["graph", "--project", PROJECT],
    "timeline": ["timeline", "--project", PROJECT],
    "handoff": ["handoff", "--project", PROJECT],
    "goal": [
        *("handoff", "--project", PROJECT, "--goal", "Ship tidewatch 2.0."),
        *("--constraint", "No downtime.", "--non-goal", "A rewrite.", "--validate", "just test"),
    ],
    "procedures": ["procedures", "--project", PROJECT],
}
_REP = re.compile(r"\brep_[0-9A-HJKMNP-TV-Z]{26}\b")


def shown(terminal: Terminal, text: str) -> str:
    """A text of the terminal without what differs from run to run."""
    places = ((terminal.cwd, "~/tide-notes"), (terminal.home, "~/home"))
    return _REP.sub("rep_…", normalised(text, *places))


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_of_the_example_vault_in_the_terminal(example, snapshot, kind):
    done = example.ok("export", *KINDS[kind])
    assert shown(example, done.out) == snapshot
    assert done.err == ""


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_of_the_example_vault_as_json(example, snapshot, kind):
    told = example.ok("export", *KINDS[kind], "--json").json
    lines = [
        f"{key}: {json.dumps(entry, ensure_ascii=False)}"
        for key, value in told.items()
        for entry in (value if isinstance(value, list) else [value])
    ]
    assert "\n".join(lines) == snapshot
    assert told["saved"] is None


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_of_the_example_vault_as_a_note(own, snapshot, kind):
    told = own.ok("export", *KINDS[kind], "--save", "--json").json
    assert shown(own, (own.cwd / told["saved"]).read_text()) == snapshot


def test_the_canvas_of_the_example_vault(example, snapshot):
    done = example.ok("export", "canvas", "--project", PROJECT)
    assert done.out == snapshot
    assert len(json.loads(done.out)["nodes"]) > 20


def test_the_overviews_of_the_example_vault(own, snapshot):
    made = own.ok("render", "--json").json["notes"]
    texts = [shown(own, f"{one['path']}\n{(own.cwd / one['path']).read_text()}") for one in made]
    assert "\n".join(texts) == snapshot
    assert [one["project"] for one in made] == [
        None,
        "github.com/harborline/quay-web",
        PROJECT,
    ]


def test_the_keys_are_those_that_the_page_names(own):
    for kind, words in KINDS.items():
        told = own.ok("export", *words, "--json").json
        extra = set() if kind == "goal" else {"pending", "evidence", "findings"}
        assert set(told) == COMMANDS[f"export {words[0]}"] - (extra & COMMANDS["export handoff"])
    assert set(own.ok("export", "canvas", "--json").json) == COMMANDS["export canvas"]
    assert set(own.ok("render", "--json").json) == COMMANDS["render"]
    assert set(own.ok("maintain", "identity", "--json").json) == COMMANDS["maintain identity"]


@pytest.mark.parametrize(
    ("words", "name", "row"),
    [
        (["graph"], "nodes", "nodes` of `export graph"),
        (["graph"], "edges", "edges` of `export graph"),
        (["timeline"], "events", "events` of `export timeline"),
        (["timeline"], "validity", "validity` of `export timeline"),
        (["handoff", "--project", ""], "brief", "brief`, `questions` of `export handoff"),
        (["procedures"], "procedures", "procedures"),
        (
            ["procedures"],
            "skipped",
            "skipped` of `export procedures`, `left` of `maintain identity",
        ),
    ],
)
def test_the_items_of_lists_have_the_keys_that_the_page_names(example, words, name, row):
    items = example.ok("export", *words, "--json").json[name]
    assert items
    assert all(set(one) == LISTS[row] for one in items)


def test_saving_says_where(own):
    done = own.ok("export", "timeline", "--save")
    assert re.fullmatch(
        r"Saved as Memory/System/Reports/2026-11-29 \d{6} timeline dev_\w+\.md\.\n", done.out
    )


def test_a_canvas_is_saved_once(own):
    first = own.ok("export", "canvas", "--save").out
    assert first.startswith("Saved as Memory/System/Reports/Canvas dev_")
    assert "cards" in first
    assert own.ok("export", "canvas", "--save").out.endswith(" is up to date.\n")
    told = own.ok("export", "canvas", "--save", "--json").json
    assert told["written"] is False
    assert json.loads(told["canvas"])["nodes"]


def test_a_goal_needs_words(own):
    done = own.run("export", "handoff", "--goal", " ")
    assert (done.code, "The goal is empty" in done.err) == (2, True)


def test_an_overview_that_was_edited_is_told(own):
    path = own.ok("render", "--json").json["notes"][0]["path"]
    note = own.cwd / path
    note.write_text(note.read_text().replace("# All memories", "# Mine"))
    done = own.ok("render")
    assert f"left as it is: {path}\n" in done.out
    assert "Move the note elsewhere to keep it" in done.out


def test_an_agent_reads_an_export_and_saves_none(own):
    env = {"AI_AGENT": "coder"}
    assert own.run("export", "handoff", env=env).code == 0
    refused = own.run("export", "handoff", "--save", env=env)
    assert "for the person" in refused.err
    assert "for the person" in own.run("render", env=env).err


def test_identity_candidates_are_off_until_they_are_switched_on(own):
    assert own.ok("maintain", "identity", "--json").json["off"]
    assert "meta_consolidation_enabled" in own.ok("maintain", "identity").out


def test_identity_candidates_are_proposed_and_approved_as_identity(own):
    config = own.home / "config/config.yaml"
    config.write_text(f"{config.read_text()}meta_consolidation_enabled: true\n")
    for name, text in (("A", "Rebase before merging a branch."), ("B", "Name every staged file.")):
        note = own.cwd / f"Memory/Lessons/{name}.md"
        note.write_text(f"---\ntags: memory/staging\nstability: stable\n---\n{text}\n")
    own.ok("sync")
    done = own.ok("maintain", "identity")
    assert "identity candidates proposed. Decide with `vaultmem inbox`." in done.out
    assert "Left out: " in done.out
    waits = own.ok("inbox", "--json").json["candidates"]
    (one,) = [one for one in waits if one["statement"] == "Rebase before merging a branch."]
    refused = own.run("inbox", "approve", one["id"])
    assert "ratify" in refused.err.casefold()
    own.ok("inbox", "approve", one["id"], "--ratify")
    told = own.ok("show", one["id"].replace("cand_", "mem_"), "--json").json
    assert told["layer"] == "L1"
    assert told["path"].startswith("Memory/Identity/")
    assert own.ok("maintain", "identity", "--json").json["proposed"] == []


@pytest.mark.parametrize("kind", ["graph", "timeline", "handoff", "procedures", "canvas"])
def test_of_an_empty_vault_nothing_is_saved_and_that_is_said(terminal, kind):
    terminal.ok("sync")
    assert "Nothing was saved" in terminal.ok("export", kind, "--save").out
    told = terminal.ok("export", kind, "--save", "--json").json
    assert not told.get("saved")
    assert not told.get("written")
    assert "Nothing was made" in terminal.ok("render").out
    assert terminal.ok("render", "--json").json == {"notes": []}
    assert not (terminal.cwd / "Memory/System/Reports").exists()


def test_the_events_of_a_timeline_have_words_for_people(own):
    out = own.ok("export", "timeline").out
    assert " remembered: " in out
    assert "memory_created" not in out


def test_the_rules_of_a_handoff_are_whole(own):
    out = own.ok("export", "handoff", "--project", "").out
    rule = "Use uv for Python environments and dependencies; never install packages into the system"
    assert rule in " ".join(out.split())
    assert "without an explicit go-ahead in the same session." in " ".join(out.split())


def test_unrelated_preferences_are_no_procedure(own):
    made = own.ok("export", "procedures", "--json").json
    everywhere = [one for one in made["procedures"] if one["project"] is None]
    assert everywhere == []
