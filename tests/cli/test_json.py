"""The JSON of every command has the keys of `docs/reference/json.md`, and its values make sense."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal, small_vault, write
from tests.reference import every_command

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/json.md"
ROW = re.compile(r"^\| (.+?) \| (`.+) \|$", re.M)
MEMORY = "4dz4zm50"
FINDING = {"code", "severity", "path", "line", "message", "remedy"}


def documented(part: str) -> dict[str, set[str]]:
    """The rows of the page's table under the heading `part`: name to keys."""
    text = PAGE.read_text(encoding="utf-8").split(f"{part}\n")[1].split("\n## ")[0]
    return {name.strip("`"): set(re.findall(r"`(\w+)`", keys)) for name, keys in ROW.findall(text)}


COMMANDS = documented("# JSON")
LISTS = documented("## What lists hold")

# Commands that only read, over the example vault.
READING = {
    "search": ["search", "migration", "--limit", "3"],
    "why": ["why", MEMORY],
    "report": ["report"],
    "report --sections": ["report", "--sections"],
    "report --explain": ["report", "--explain"],
    "topics": ["topics"],
    "sync": ["sync"],
    "status": ["status"],
    "doctor": ["doctor"],
    "note get": ["note", "get", "Home"],
    "model list": ["model", "list"],
    "learnings": ["learnings"],
    "key export": ["key", "export"],
    "pi status": ["pi", "status", "--agent-dir", "."],
    "obsidian status": ["obsidian", "status"],
    "completion": ["completion", "bash"],
    "reindex": ["reindex"],
}


def test_the_page_names_every_command():
    every = {
        " ".join(path)
        for path, command in every_command()
        if getattr(command, "invoke_without_command", True)  # a group that answers is a command too
    }

    assert set(COMMANDS) == every | {
        "init --undo",
        "detect --capture",
        "forget --purge",
        "report --sections",
        "report --explain",
        "report --telemetry",
        *(f"notebook {verb} --dry-run" for verb in ("run", "extract", "consolidate", "dream")),
    }


@pytest.mark.parametrize("name", READING)
def test_a_reading_command_prints_the_documented_keys(example, name):
    assert set(example.run(*READING[name], "--json").json) == COMMANDS[name]


def test_show_prints_every_property_and_what_follows_from_them(example):
    shown = example.ok("show", MEMORY, "--json").json

    assert COMMANDS["show"] <= set(shown)
    assert shown["id"] == "mem_01KKEXJND243M2EGJK4DZ4ZM50"
    assert shown["pinned"] is True
    assert shown["tags"] == ["memory/git"]
    assert shown["review"] == "2027-02-18"
    assert shown["created"] == "2026-03-11T17:02:13"
    assert shown["superseded_by"] == []
    assert shown["vault_ref"] is None
    assert shown["lifecycle"] == "strong"
    assert 1.5 <= shown["score"] < 2
    assert shown["statement"] == "Never stage everything at once; add files by name."
    assert shown["body"].startswith(shown["statement"])
    assert shown["force"] is True
    assert shown["state"] == "live"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["search", "migration"], "hits"),
        (["why", MEMORY], "events"),
        (["report"], "sections"),
        (["report", "--budget", "300"], "excluded"),
        (["report", "--explain"], "stages"),
        (["report", "--explain"], "told"),
        (["report", "--explain"], "left_out"),
        (["topics"], "topics"),
        (["doctor"], "findings"),
        (["model", "list"], "models"),
        (["learnings"], "learnings"),
    ],
)
def test_the_items_of_lists_have_the_documented_keys(example, arguments, name):
    items = example.run(*arguments, "--json").json[name]

    assert items
    keys = next(keys for row, keys in LISTS.items() if row.split("`")[0] == name)
    assert all(set(item) == keys for item in items)


def test_writing_commands_print_the_documented_keys(tmp_path):
    person = Terminal(tmp_path, tmp_path / "home")
    small_vault(tmp_path / "vault")

    made = person.ok("init", "vault", "--yes", "--json").json
    assert set(made) == COMMANDS["init"]
    person.cwd = tmp_path / "vault"
    added = person.ok("add", "Say what you do.", "--category", "lesson", "--pin", "--json").json
    assert set(added) == COMMANDS["add"]
    assert (
        set(person.ok("edit", added["id"], "--set", "stability", "stable", "--json").json)
        == (COMMANDS["edit"])
    )
    ratified = person.ok("ratify", added["id"], "--json").json
    assert set(ratified) == COMMANDS["ratify"]
    assert set(ratified["ratified"][0]) == LISTS["ratified"]
    for verb in ("defer", "reject", "approve"):
        text = f"A thing to {verb}."
        person.run("add", text, "--category", "lesson", env={"AI_AGENT": "coder"})
        listed = person.ok("inbox", "--json").json
        assert set(listed) == COMMANDS["inbox"]
        assert all(set(one) == LISTS["candidates"] for one in listed["candidates"])
        path = f"Memory/Inbox/A thing to {verb}.md"
        decided = person.ok("inbox", verb, path, "--json").json
        assert set(decided) == COMMANDS[f"inbox {verb}"]
        assert set(decided["decided"][0]) == LISTS["decided"]
    assert set(person.ok("trust", ".", "--json").json) == COMMANDS["trust"]
    write(tmp_path / "vault/Memory/Lessons/New.md", "A new one by hand.\n")
    synced = person.ok("sync", "--json").json
    assert set(synced) == COMMANDS["sync"]
    assert set(synced["changes"][0]) == LISTS["changes` of `sync"]
    assert (
        set(person.ok("note", "set", "Notes/Own", "a", "b", "--json").json)
        == (COMMANDS["note set"])
    )
    assert (
        set(person.ok("note", "unset", "Notes/Own", "a", "--json").json) == (COMMANDS["note unset"])
    )
    key = person.ok("key", "export", "--json").json["key"]
    assert set(person.ok("key", "import", "--json", stdin=key).json) == COMMANDS["key import"]
    used = person.ok("model", "use", "all-MiniLM-L6-v2-onnx-int8", "--json").json
    assert set(used) == COMMANDS["model use"]
    assert used["dimension"] == 384
    assert set(person.ok("init", ".", "--undo", "--yes", "--json").json) == COMMANDS["init --undo"]


def test_what_a_person_says_of_a_memory_prints_the_documented_keys(terminal):
    terminal.ok("add", "Say what you do.", "--category", "lesson")
    for verb in ("pin", "unpin", "contest", "uncontest", "exception", "deprecate"):
        more = ["--not", "here"] if verb == "exception" else []
        done = terminal.ok(verb, "Say what you do", *more, "--json").json
        assert set(done) == COMMANDS[verb]


def test_an_inbox_prints_the_documented_keys_of_edit_review_and_refusals(terminal):
    terminal.run("add", "A thing.", "--category", "lesson", env={"AI_AGENT": "coder"})
    edited = terminal.ok("inbox", "edit", "A thing", "--statement", "Another thing.", "--json").json
    assert set(edited) == COMMANDS["inbox edit"] - {"decided", "refused"}
    refused = terminal.run("inbox", "approve", "no such one", "nor this", "--json").json
    assert set(refused["refused"][0]) == LISTS["refused"]
    reviewed = terminal.ok("inbox", "review", "--json", typed="a\n").json
    assert set(reviewed) == COMMANDS["inbox review"]
    assert set(reviewed["decided"][0]) == LISTS["decided"]


def test_the_demo_prints_the_documented_keys(tmp_path):
    shown = Terminal(tmp_path, tmp_path / "home").ok("demo", "--json").json

    assert set(shown) == COMMANDS["demo"]
    assert shown["ok"] is True
    assert shown["memories"] == 70
    assert shown["mode"] == "hybrid"
    assert len(shown["hits"]) == 3
    assert shown["report"].startswith("# Project Memory")
    assert shown["tokens"] <= 1700


def test_findings_have_their_stable_shape(terminal):
    write(terminal.cwd / "Memory/Lessons/Broken.md", "---\nid: [\n---\nX.\n")

    done = terminal.run("doctor", "--json")

    assert done.code == 1
    assert done.json["ok"] is False
    found = done.json["findings"][0]
    assert set(found) == FINDING == LISTS["findings"]
    assert found["path"] == "Memory/Lessons/Broken.md"
    assert found["severity"] == "error"
    assert found["line"] >= 1


def test_search_says_what_it_did_and_why_it_is_less(example):
    found = example.ok("search", "migration", "--json").json

    assert found["mode"] == "keyword"
    assert found["degraded"]
    assert all(0 <= hit["score"] <= 1 for hit in found["hits"])
    assert {hit["source"] for hit in found["hits"]} == {"memory"}


@pytest.mark.parametrize(
    ("place", "sources"),
    [("memory", {"memory"}), ("vault", {"vault"}), ("log", {"log"}), ("all", {"memory", "vault"})],
)
def test_search_looks_where_it_is_told(example, place, sources):
    hits = example.ok("search", "migration column", "--in", place, "--json").json["hits"]

    assert sources <= {hit["source"] for hit in hits} <= {*sources, "log"}
    assert all((hit["id"] is not None) == (hit["source"] == "memory") for hit in hits)


def test_search_limits_its_hits(example):
    assert len(example.ok("search", "tests", "--limit", "2", "--json").json["hits"]) == 2


def test_the_report_is_within_its_budget_and_its_ids_are_memories(example):
    made = example.ok("report", "--budget", "400", "--json").json

    assert made["text"].startswith("# Project Memory")
    assert made["tokens"] <= made["budget"] == 400
    assert made["query_class"] == "general"
    ids = [one for section in made["sections"] for one in section["ids"]]
    assert ids
    for one in ids[:3]:
        assert example.ok("show", one, "--json").json["id"] == one


def test_a_prompt_sets_the_class_and_a_project_the_memories(example):
    project = "github.com/harborline/tidewatch"
    made = example.ok(
        "report", "--prompt", "the tests fail, debug", "--project", project, "--json"
    ).json
    general = example.ok("report", "--json").json

    assert made["query_class"] == "debug"
    assert "webhook" in made["text"]
    assert "webhook" not in general["text"]


def test_json_is_readable_and_keeps_its_characters(example):
    done = example.ok("search", "基準面", "--in", "vault", "--json")

    assert "潮位の基準面" in done.out
    assert json.loads(done.out)["hits"][0]["title"] == "潮位の基準面"


def test_a_memory_without_dates_is_as_strong_everywhere_as_in_the_report(terminal):
    block = "id: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\ncategory: lesson"
    write(terminal.cwd / "Memory/Lessons/Water.md", f"---\n{block}\n---\nWater is wet.\n")
    terminal.ok("sync")

    shown = terminal.ok("show", "Water", "--json").json
    assert (shown["reinforced"], shown["lifecycle"]) == (None, "provisional")
    assert "dropped" not in terminal.ok("status", "--json").json["lifecycle"]
    assert "Water is wet." in terminal.ok("report").out


def test_status_names_the_model_as_model_use_takes_it(terminal):
    used = terminal.ok("status", "--json").json["model"]

    assert terminal.ok("model", "use", used, "--json").json["name"] == used
