"""`vaultmem migrate`: tells first, imports with `--yes`, for a person only."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from tests.store.importers import governed
from tests.store.importers.governed import lived_in, memory, write_lines
from tests.store.importers.test_memories_db import database, row
from vaultmem.errors import NotConfirmedError
from vaultmem.services.migrating.gather import READERS, USUAL_PLACES, reader_of


@pytest.fixture
def root(tmp_path):
    return governed.empty(tmp_path / "pi-memory")


def test_it_tells_what_would_be_and_writes_nothing(terminal, root):
    lived_in(root)
    before = {file: file.read_bytes() for file in terminal.cwd.rglob("*") if file.is_file()}
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert "3 records become memories:" in told
    assert "1 record comes as contested, as it is there:" in told
    assert "1 record comes as superseded, as it is there:" in told
    assert "1 record was deleted there and comes as deleted:" in told
    assert "3 records go into the inbox:" in told
    assert "1 question to ask you." in told
    assert "1 item for the scratchpad." in told
    assert "3 records could not be taken:" in told
    assert "Left out, candidates that were decided: 1." in told
    assert "curator_min_confidence" in told
    assert "Run it again with `--yes`" in told
    after = {file: file.read_bytes() for file in terminal.cwd.rglob("*") if file.is_file()}
    assert after == before


def test_it_imports_and_says_where_the_report_lies(terminal, root):
    lived_in(root)
    told = terminal.ok("migrate", "pi-memory", str(root), "--yes").out
    assert "vaultmem patch revert" in told
    (report,) = terminal.cwd.glob("Memory/System/Reports/* import *.md")
    assert f"\n  Memory/System/Reports/{report.name}\n" in told, "in one piece, to be copied"
    assert "Nothing was new" in terminal.ok("migrate", "pi-memory", str(root), "--yes").out


def test_where_a_record_stands_is_told_in_one_piece(terminal, tmp_path):
    good = "A folder of mine/Lessons that I learned the hard way over all these years.md"
    bad = "A folder of mine/What I could not save as UTF-8 when I was on the old machine.md"
    for name, data in ((good, b"- [lesson] Name the branch.\n"), (bad, b"- [lesson] \xff\n")):
        (tmp_path / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "old" / name).write_bytes(data)

    told = terminal.ok("migrate", "markdown", str(tmp_path / "old")).out

    assert f"  {good}:1\n" in told
    assert f"- {bad}:\n" in told


@pytest.mark.parametrize(
    ("kind", "variable", "folder"),
    [
        ("pi-memory", "PI_MEMORY_ROOT", ".pi/agent/pi-memory"),
        ("notebook", "PI_MEMORY_HOME", ".pi/agent/memories"),
    ],
)
def test_without_a_path_the_store_is_looked_for_where_its_tool_keeps_it(
    terminal, tmp_path, kind, variable, folder
):
    usual, named = tmp_path / "me" / folder, tmp_path / "named"
    for number, place in enumerate((usual, named), 1):
        lines = [memory(f"m{one}", f"Keep file {one}.") for one in range(number)]
        write_lines(governed.empty(place), "memory/L2.playbooks.jsonl", *lines)
        write(place / "MEMORY.md", "## General Tips\n" + "- Use uv.\n" * number)
    home = {"HOME": str(tmp_path / "me")}
    for env, place in ((home, usual), (home | {variable: str(named)}, named)):
        told = terminal.run("migrate", kind, "--json", env=env).json
        assert told == terminal.run("migrate", kind, str(place), "--json", env=env).json
        assert (told["path"], told["records"] > 0) == (str(place), True)
    refused = terminal.run("migrate", kind, env={variable: "memories"})
    assert refused.code == 32
    assert f"{variable} is memories, which is no absolute path." in refused.err


@pytest.mark.parametrize("kind", sorted(one.value for one in {*READERS} - {*USUAL_PLACES}))
def test_a_store_that_may_lie_anywhere_needs_its_path(terminal, kind):
    refused = terminal.run("migrate", kind)
    assert refused.code == 32
    assert f"Name its path: `vaultmem migrate {kind} PATH`." in refused.err


def test_where_nothing_is_new_it_does_not_ask_for_another_run(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv."))
    terminal.ok("migrate", "pi-memory", str(root), "--yes")
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert told.endswith("There is nothing new to import.\n")


def test_its_json_has_the_documented_keys(terminal, root):
    lived_in(root)
    told = terminal.ok("migrate", "pi-memory", str(root), "--json").json
    assert set(told) == COMMANDS["migrate"]
    assert (told["dry_run"], told["patch"], told["report"]) == (True, None, None)
    done = terminal.ok("migrate", "pi-memory", str(root), "--yes", "--json").json
    assert set(done) == COMMANDS["migrate"]
    assert (done["dry_run"], done["memories"], done["candidates"]) == (False, 6, 3)
    assert all(set(one) == {"where", "reason"} for one in done["quarantined"])
    counted = sum(done[key] for key in ("memories", "candidates", "known", "strengthened"))
    counted += done["inquiries"] + done["scratchpad"] + len(done["quarantined"])
    assert counted + sum(done["left_out"].values()) == done["records"]


def test_a_project_is_named_in_full(terminal, root):
    write_lines(
        root,
        "memory/projects/tide.jsonl",
        memory("mem_a", "Use uv.", scope={"type": "project", "project": "tide"}),
    )
    terminal.ok("migrate", "pi-memory", str(root), "--yes", "--project", "github.com/acme/tide")
    (note,) = terminal.cwd.glob("Memory/Lessons/Use uv*.md")
    assert "project: github.com/acme/tide" in note.read_text()


def test_a_patch_of_candidates_alone_names_no_patch(terminal, root):
    write_lines(root, "memory/L1.identity.jsonl", memory("m", "Ada likes tea.", layer="L1"))
    told = terminal.ok("migrate", "pi-memory", str(root), "--yes").out
    assert "patch revert" not in told
    assert "1 record goes into the inbox:" in told


def test_a_person_sees_each_rule_that_would_be_in_force(terminal, root):
    rule = {"pinned": True, "trigger": "rm -rf", "action": "block"}
    rules = [memory(f"m{number}", f"Keep file {number}.", vaultmem=rule) for number in range(7)]
    write_lines(root, "memory/L2.playbooks.jsonl", *rules, memory("m", "Use uv.", vaultmem={}))
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert "7 memories among them are pinned" in told
    assert "7 rules among them that you put in force with `--yes`:" in told
    assert "- Keep file 6. On rm -rf: block" in told


def test_many_reasons_are_cut_short_for_a_person(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", *["{"] * 9)
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert "- … 4 more" in told


def test_what_is_no_such_store_is_an_error_with_the_next_step(terminal, tmp_path):
    done = terminal.run("migrate", "pi-memory", str(tmp_path))
    assert done.code == 32
    assert "Name its root" in done.err


def test_an_agent_may_not(terminal, root):
    done = terminal.run("migrate", "pi-memory", str(root), env={"AI_AGENT": "coder"})
    assert done.code == 40


@pytest.mark.parametrize("kind", list(READERS))
def test_every_kind_that_is_offered_has_a_reader(kind):
    assert callable(reader_of(kind))


def test_hostile_text_cannot_drive_the_terminal(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use \x1b[31muv\x1b[0m [red]now."))
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert "\x1b" not in told
    assert json.dumps("\x1b")[1:-1] not in told
    assert re.search(r"\[red\]", told)


def test_the_source_is_removed_only_if_it_says_so(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv."))
    done = terminal.ok("migrate", "pi-memory", str(root), "--yes", "--remove-source", "--json").json
    assert done["removed"] == []
    assert (root / "memory/L2.playbooks.jsonl").exists()


def test_the_person_sees_how_far_an_import_is(terminal, root, monkeypatch):
    seen = []

    @contextmanager
    def shown(total):
        yield lambda what, done: seen.append((what, done, total))

    monkeypatch.setattr("vaultmem.cli.commands.migrate.progress", shown)
    rules = [memory(f"m{number}", f"Rule {number} is kept.") for number in range(100)]
    write_lines(root, "memory/L2.playbooks.jsonl", *rules)
    terminal.ok("migrate", "pi-memory", str(root))
    assert seen == [("Look", 100, 100)]
    terminal.ok("migrate", "pi-memory", str(root), "--yes")
    assert seen[1:3] == [("Deciding", 100, 100), ("Writing", 100, 100)]


def test_every_record_is_shown_where_the_person_asks_for_all(terminal, root):
    rules = [memory(f"m{number}", f"Rule {number} is kept.") for number in range(9)]
    write_lines(root, "memory/L2.playbooks.jsonl", *rules, *["{"] * 7)
    told = terminal.ok("migrate", "pi-memory", str(root)).out
    assert "- … 4 more; `--all` shows them" in told
    assert "Rule 8" not in told
    told = terminal.ok("migrate", "pi-memory", str(root), "--all").out
    assert "more" not in told.replace("memor", "")
    assert all(f"- Rule {number} is kept." in told for number in range(9))
    assert told.count("It is not JSON.") == 7


def test_its_json_names_every_record_and_no_secret(terminal, root):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6g7H8"
    rules = [memory(f"m{number}", f"Rule {number} is kept.") for number in range(9)]
    gone = memory("gone", "Never so.", status="deleted")
    write_lines(root, "memory/L2.playbooks.jsonl", *rules, gone, memory("s", f"Use {secret}."))
    told = terminal.ok("migrate", "pi-memory", str(root), "--json").json
    assert [one["statement"] for one in told["fates"]] == [
        *(f"Rule {number} is kept." for number in range(9)),
        "Never so.",
        "",
    ]
    assert all(set(one) == LISTS["fates` of `migrate"] for one in told["fates"])
    assert [one["fate"] for one in told["fates"]] == ["memory"] * 10 + ["quarantined"]
    assert told["fates"][9] == {
        "where": "memory/L2.playbooks.jsonl:10",
        "fate": "memory",
        "status": "deleted",
        "category": "lesson",
        "statement": "Never so.",
        "reason": "",
    }


def test_why_names_the_store_and_the_place(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv."))
    write_lines(root, "memory/L1.identity.jsonl", memory("i", "Ada likes tea.", layer="L1"))
    terminal.ok("migrate", "pi-memory", str(root), "--yes")
    told = terminal.ok("why", "Use uv").out
    assert (
        "It was imported from a pi-memory store, memory/L2.playbooks.jsonl:1 by the person" in told
    )
    (candidate,) = terminal.cwd.glob("Memory/Inbox/*.md")
    told = terminal.ok("why", candidate.stem).out
    assert "It was imported from a pi-memory store, memory/L1.identity.jsonl:1 by the" in told


def test_a_store_whose_tool_removed_nothing_says_so(terminal, root):
    write_lines(root, "memory/L2.playbooks.jsonl", memory("m", "Use uv."))
    for also in ((), ("--yes",)):
        told = terminal.ok("migrate", "pi-memory", str(root), "--remove-source", *also).out
        assert "Of a pi-memory store nothing is removed" in " ".join(told.split())


def test_what_would_be_removed_is_told_first(terminal, tmp_path):
    place = tmp_path / "old"
    place.mkdir()
    database(place / "memories.db", row("Use uv."))
    asked = ("migrate", "memories-db", str(place), "--remove-source")
    assert "With `--yes` this is removed, if it is there: memories.db" in terminal.ok(*asked).out
    assert "Removed from the source: memories.db." in terminal.ok(*asked, "--yes").out


@pytest.mark.parametrize("also", [(), ("--json",)])
def test_an_import_is_told_although_its_source_cannot_be_removed(terminal, tmp_path, also):
    place = tmp_path / "old"
    place.mkdir()
    database(place / "memories.db", row("Use uv."), row(""))
    done = terminal.run("migrate", "memories-db", str(place), "--remove-source", "--yes", *also)
    assert done.code == NotConfirmedError.exit_code
    assert (place / "memories.db").exists()
    if also:
        assert (done.json["candidates"], done.json["removed"]) == (1, [])
        assert "nothing of it was removed" in done.json["not_removed"]
    else:
        assert "1 record goes into the inbox" in done.out
        assert "nothing of it was removed" in " ".join(done.out.split())


def test_a_file_in_the_place_of_a_folder_is_named_as_a_file(terminal, tmp_path):
    (tmp_path / "a.md").write_text("A thought.\n")
    done = terminal.run("migrate", "markdown", str(tmp_path / "a.md"))
    assert "is a file, and what is imported is a folder" in done.err
