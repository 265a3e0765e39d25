"""`--dry-run` says what would keep a step from being done, in the words of the step itself."""

from __future__ import annotations

from contextlib import closing

import pytest

from tests.cli.noting import OTHER, Reader
from tests.cli.terminal import NOW
from tests.pi.model_server import ModelServer
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, JobKind

HANDBOOK = "Memory/MEMORY.md"
SECRET = "sk-abcdefghijklmnopqrstuvwxyz123456"


def plan(reader, *words: str):
    """A dry run's JSON, and what it prints on one line."""
    found = reader.ok("notebook", *words, "--dry-run", "--json").json
    return found, " ".join(reader.ok("notebook", *words, "--dry-run").out.split())


def claim(reader, kind: JobKind, key: str = GLOBAL) -> None:
    with closing(NotebookCatalog(reader.state)) as catalog:
        catalog.jobs.claim(kind, key, NOW.timestamp(), NOW.timestamp(), "another", force=True)


def blocked(published, text: str, **env: str) -> None:
    """An edit of the handbook that is not published."""
    place = published.vault / HANDBOOK
    place.write_text(place.read_text() + text)
    published.run("sync", env=env)


@pytest.mark.parametrize(
    ("text", "env"), [(f"- The token is {SECRET}.\n", {}), ("- Obey.\n", {"AI_AGENT": "coder"})]
)
def test_an_edit_that_is_not_published_holds_up_the_rewrite_and_is_named(
    published, server, text, env
):
    blocked(published, text, **env)
    published.session(OTHER, "We deploy on Fridays.")
    asked = len(server.requests)
    found, told = plan(published, "consolidate", "--now")
    assert found["parts"] == []
    assert f"{HANDBOOK} holds a change that is not published" in found["note"]
    assert ("holds a secret" if SECRET in text else "notebook accept") in found["note"]
    assert published.ok("notebook", "status", "--json").json["blocked"] == found["note"]
    assert f"consolidate: nothing would be sent. {found['note']}" == told
    whole, told = plan(published, "run")
    assert whole["extract"]["parts"]
    assert whole["consolidate"]["note"] == found["note"], "no new card lets it begin"
    assert len(server.requests) == asked
    assert (
        published.ok("notebook", "consolidate", "--now", "--json").json["message"]
        == (found["note"])
    )


def test_a_session_note_that_cannot_be_read_is_named(published):
    (note,) = (published.vault / "Memory/System/Sessions").rglob("*.md")
    note.write_text(note.read_text().replace("session:", "session: ["))
    published.ok("sync")
    found, _ = plan(published, "consolidate", "--now")
    assert "cannot be read" in found["note"]
    assert found["parts"] == []
    assert published.ok("notebook", "status", "--json").json["blocked"] == found["note"]
    assert "Blocked" in published.ok("notebook", "status").out


def test_the_cooldown_and_another_process_are_named(published):
    found, told = plan(published, "consolidate")
    assert "less than six hours ago" in found["note"]
    assert told == f"consolidate: nothing would be sent. {found['note']}"
    published.session(OTHER, "We deploy on Fridays.")
    assert "then go to a rewrite as well" in plan(published, "run")[0]["consolidate"]["note"]
    claim(published, JobKind.CONSOLIDATE)
    claim(published, JobKind.EXTRACT, OTHER)
    assert plan(published, "consolidate")[0]["note"] == "Another process rewrites it."
    assert plan(published, "extract")[0]["note"] == "Another run reads 1 session now."


def test_a_destination_without_a_yes_is_told(reader):
    found, told = plan(reader, "extract")
    assert found["agreed"] is False
    assert "; you did not agree to that yet, so a run asks first." in told


def test_where_remembering_is_off_that_is_told(reader):
    reader.ok("off", "--write")
    for step in ("extract", "dream"):
        found, told = plan(reader, step)
        assert found["parts"] == []
        assert "Remembering is switched off" in told


def test_where_all_is_off_every_step_sends_nothing_and_says_why(published, server):
    handbook = published.vault / HANDBOOK
    handbook.write_text(handbook.read_text() + "- Mine.\n")
    published.session(OTHER, "We deploy on Fridays.")
    published.ok("off")
    asked = len(server.requests)
    for step in ("extract", "consolidate", "dream"):
        found, told = plan(published, step)
        assert found["parts"] == []
        assert "Remembering is switched off" in told
        assert "Remembering is switched off" in " ".join(published.ok("notebook", step).out.split())
    for step in plan(published, "run")[0].values():
        assert step["parts"] == []
        assert "Remembering is switched off" in step["note"]
    assert "Remembering is switched off" in published.ok("notebook", "run").out
    assert published.ok("notebook", "run", "--if-due").out == ""
    assert published.ok("notebook", "status", "--json").json["next"] is None
    assert len(server.requests) == asked


def test_where_all_is_off_nobody_is_asked_for_a_yes(reader, server):
    reader.ok("off")
    for verb in ("run", "extract", "consolidate", "dream"):
        assert "Remembering is switched off" in " ".join(reader.ok("notebook", verb).out.split())
    reader.ok("notebook", "run", "--yes")
    assert reader.ok("notebook", "status", "--json").json["agreed"] == []
    assert server.requests == []


def test_another_device_rewrites_and_dreams(published, tmp_path, server):
    other = Reader(tmp_path / "other", server, vault=published.vault)
    other.ok("notebook", "on")
    found, told = plan(other, "run")
    assert found["extract"]["parts"]
    assert "notebook_device" in found["consolidate"]["note"]
    assert "dream: nothing would be sent. A run dreams on the device" in told
    assert "A run dreams" not in plan(other, "dream")[1]


def test_sessions_that_wait_for_later_runs_are_counted(reader):
    for number in range(4):
        reader.session(f"{OTHER[:-1]}{number}", f"Please do task {number}.", hours=30 + number)
    found, out = plan(reader, "extract")
    assert len([one for one in found["parts"] if "(01a2" in one["what"] and one["text"]]) > 0
    assert found["note"] == "3 more sessions wait for later runs."
    assert "3 more sessions wait for later runs." in out
    found, _ = plan(reader, "extract", "--limit", "4")
    assert found["note"] == "1 more session waits for later runs."
    assert plan(reader, "extract", "--limit", "5")[0]["note"] is None


def test_the_question_tells_what_the_same_run_sends_once_its_sessions_are_read(reader):
    with ModelServer() as other:
        reader.config(f"{reader.config_file.read_text()}llm_consolidation_model: large-model\n")
        done = reader.run("notebook", "run", typed="y\nn\n")
    out = " ".join(done.out.split())
    first, _, second = out.partition("model large-model")
    assert "tokens now" in first
    assert "what this run makes of your sessions, and what comes to be due later" in second
    assert "the cards, notes and MEMORY.md then go to a rewrite as well" in second
    assert "nothing now" not in second
    assert other.requests == []


def test_the_question_to_one_place_for_all_tells_it_too(reader):
    done = reader.run("notebook", "run", typed="n\n")
    out = " ".join(done.out.split())
    assert "tokens now, and what this run makes of them." in out
    assert "the cards, notes and MEMORY.md then go to a rewrite as well" in out
