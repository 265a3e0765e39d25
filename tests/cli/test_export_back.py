"""`vaultmem export jsonl` and `topics`: what they tell, ask and refuse."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_json import COMMANDS
from tests.store.importers.test_memories_db import database, row


@pytest.mark.parametrize("kind", ["jsonl", "topics"])
def test_an_export_tells_what_it_wrote(own, tmp_path, kind):
    every = ["--every-project"] if kind == "topics" else []
    told = own.ok("export", kind, "--to", str(tmp_path / "out"), *every, "--json").json
    assert set(told) == COMMANDS[f"export {kind}"]
    assert told["exported"]["memories"] > 20
    assert told["written"]
    assert told["project"] is None
    again = own.ok("export", kind, "--to", str(tmp_path / "out"), *every)
    assert "unchanged" in again.out or kind == "topics"


def test_a_person_is_asked_before_a_file_is_replaced(own, tmp_path, monkeypatch):
    out = tmp_path / "out"
    (out / "topics").mkdir(parents=True)
    (out / "topics/lessons.md").write_text("# Mine\n")
    refused = own.run("export", "topics", "--to", str(out), "--every-project", "--json")
    assert refused.code == 42
    no = own.run("export", "topics", "--to", str(out), "--every-project", typed="n\n")
    assert no.code == 42
    assert "Replace it?" in no.out
    assert (out / "topics/lessons.md").read_text() == "# Mine\n"
    yes = own.run("export", "topics", "--to", str(out), "--every-project", typed="y\n")
    assert yes.code == 0
    assert (out / "topics/lessons.md").read_text() != "# Mine\n"
    (out / "topics/lessons.md").write_text("# Mine\n")
    assert own.ok("export", "topics", "--to", str(out), "--every-project", "--yes").code == 0


def test_a_file_that_is_needed_no_more_is_told(own, tmp_path):
    out = tmp_path / "out"
    own.ok("export", "topics", "--to", str(out), "--every-project")
    project = "github.com/harborline/quay-web"
    told = own.ok("export", "topics", "--to", str(out), "--project", project)
    assert "written" in told.out
    assert "Left out, memories" in told.out


PROJECTS = ("github.com/harborline/quay-web", "github.com/harborline/tidewatch")


@pytest.fixture
def three(own):
    """A memory of each of two projects, and one of none."""
    for text, more in {
        "Count the quays in metres.": ["--project", PROJECTS[0]],
        "Print the tides in feet.": ["--project", PROJECTS[1]],
        "Water the ferns on Mondays.": [],
    }.items():
        own.ok("add", text, "--category", "lesson", *more)
    return own


def lessons(out):
    return (out / "topics/lessons.md").read_text()


def test_topic_files_are_of_the_project_in_which_the_person_is(three, tmp_path):
    """DIR may lie in a repository, where the memories of another project have no business."""
    place = tmp_path / "web"
    (place / ".pi").mkdir(parents=True)
    (place / ".pi/settings.json").write_text(json.dumps({"vaultmem": {"project": PROJECTS[0]}}))
    at = ["--vault", str(three.cwd), "export", "topics", "--to"]
    three.cwd = place
    done = three.ok(*at, ".pi/memory")
    assert f"(of {PROJECTS[0]}, and of no project)" in " ".join(done.out.split())
    assert "quays" in lessons(place / ".pi/memory")
    assert "ferns" in lessons(place / ".pi/memory")
    assert "tides" not in lessons(place / ".pi/memory")
    made = three.ok(*at, "../all", "--every-project", "--json").json
    assert made["project"] is None
    assert "tides" in lessons(tmp_path / "all")
    named = three.ok(*at, "../tide", "--project", "tidewatch", "--json").json
    assert named["project"] == PROJECTS[1]
    assert "quays" not in lessons(tmp_path / "tide")
    both = three.run(*at, "../x", "--project", "tidewatch", "--every-project")
    assert both.code == 2


def test_outside_of_a_project_the_person_says_whose_memories_they_want(three, tmp_path):
    vault, out = str(three.cwd), tmp_path / "out"
    (tmp_path / "anywhere").mkdir()
    for place in (three.cwd, three.cwd / "Memory", tmp_path / "anywhere"):
        three.cwd = place
        done = three.run("--vault", vault, "export", "topics", "--to", str(out))
        assert (done.code, done.out) == (17, "")
        assert "--project P" in done.err
        assert "--every-project" in done.err
        assert not out.exists()


def test_a_folder_of_which_a_memory_is_counts_as_a_project(three, tmp_path):
    three.ok("add", "Ring the bell.", "--category", "lesson", "--project", "belfry")
    at, three.cwd = (
        ["--vault", str(three.cwd), "export", "topics", "--to", "out"],
        tmp_path / "Belfry",
    )
    three.cwd.mkdir()
    assert three.ok(*at, "--json").json["project"].casefold() == "belfry"
    assert "bell" in lessons(three.cwd / "out")


def test_the_old_database_comes_in_and_goes_when_the_person_says_so(own, tmp_path):
    root = tmp_path / "tide/.pi/memory"
    root.mkdir(parents=True)
    database(root / "memories.db", row("Name buoys after their berth."))
    dry = own.ok("migrate", "memories-db", str(root), "--json").json
    assert (dry["dry_run"], dry["memories"], dry["removed"]) == (True, 1, [])
    assert (root / "memories.db").exists()
    done = own.ok("migrate", "memories-db", str(root), "--yes", "--remove-source", "--json").json
    assert (done["memories"], done["removed"]) == (1, ["memories.db"])
    assert list(root.iterdir()) == []
    shown = own.ok("show", "Name buoys after their berth", "--json").json
    assert (shown["project"], shown["category"]) == ("tide", "lesson")


@pytest.mark.parametrize(
    "kind", ["pi-config", "memories-db", "notebook", "markdown", "basic-memory"]
)
def test_a_path_that_is_no_such_store_is_named(own, tmp_path, kind):
    (tmp_path / "empty").mkdir()
    done = own.run("migrate", kind, str(tmp_path / "empty"))
    assert done.code == 32
    assert str(tmp_path / "empty") in done.err


def test_without_yes_the_source_stays_also_when_it_may_go(own, tmp_path):
    root = tmp_path / "tide/.pi/memory"
    root.mkdir(parents=True)
    database(root / "memories.db", row("Name buoys after their berth."))
    dry = own.ok("migrate", "memories-db", str(root), "--remove-source", "--json").json
    assert (dry["dry_run"], dry["removed"]) == (True, [])
    assert (root / "memories.db").exists()
