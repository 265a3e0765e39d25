"""`vaultmem export jsonl` and `topics`: what they tell, ask and refuse."""

from __future__ import annotations

import pytest

from tests.cli.test_json import COMMANDS
from tests.store.importers.test_memories_db import database, row


@pytest.mark.parametrize("kind", ["jsonl", "topics"])
def test_an_export_tells_what_it_wrote(own, tmp_path, kind):
    told = own.ok("export", kind, "--to", str(tmp_path / "out"), "--json").json
    assert set(told) == COMMANDS[f"export {kind}"]
    assert told["exported"]["memories"] > 20
    assert told["written"]
    again = own.ok("export", kind, "--to", str(tmp_path / "out"))
    assert "unchanged" in again.out or kind == "topics"


def test_a_person_is_asked_before_a_file_is_replaced(own, tmp_path, monkeypatch):
    out = tmp_path / "out"
    (out / "topics").mkdir(parents=True)
    (out / "topics/lessons.md").write_text("# Mine\n")
    refused = own.run("export", "topics", "--to", str(out), "--json")
    assert refused.code == 42
    no = own.run("export", "topics", "--to", str(out), typed="n\n")
    assert no.code == 42
    assert "Replace it?" in no.out
    assert (out / "topics/lessons.md").read_text() == "# Mine\n"
    yes = own.run("export", "topics", "--to", str(out), typed="y\n")
    assert yes.code == 0
    assert (out / "topics/lessons.md").read_text() != "# Mine\n"
    (out / "topics/lessons.md").write_text("# Mine\n")
    assert own.ok("export", "topics", "--to", str(out), "--yes").code == 0


def test_a_file_that_is_needed_no_more_is_told(own, tmp_path):
    out = tmp_path / "out"
    own.ok("export", "topics", "--to", str(out))
    project = "github.com/harborline/quay-web"
    told = own.ok("export", "topics", "--to", str(out), "--project", project)
    assert "written" in told.out
    assert "Left out, memories" in told.out


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
