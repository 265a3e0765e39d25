"""A change of status or validity is in the report and in search at once."""

from __future__ import annotations

import pytest

from vaultmem.index.hybrid import Mode
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.show import show

NOTE = "Memory/Lessons/Run the parser tests.md"


@pytest.fixture
def known(world):
    """A memory in force that a search has found before."""
    identifier = world.memory(NOTE, "Run the parser tests.", category="lesson", status="active")
    world.here.sync()
    assert found(world) == [(identifier, "")]
    assert "parser tests" in report(world.here.call()).text
    return identifier


def found(world) -> list[tuple[str | None, str]]:
    app = world.here.app()
    hits = search(app.call(), app.engine, "parser tests", mode=Mode.KEYWORD).hits
    return [(hit.id, hit.mark) for hit in hits]


def told(world, prompt: str = "") -> dict[str, list[str]]:
    sections = report(world.here.call(), prompt=prompt).sections
    return {one.name: list(one.ids) for one in sections}


@pytest.mark.parametrize("status", ["deprecated", "superseded", "deleted"])
def test_what_is_out_of_force_is_gone_from_report_and_search_at_once(world, known, status):
    world.replace(NOTE, "status: active", f"status: {status}")
    assert report(world.here.call()).text == ""
    assert found(world) == []
    world.replace(NOTE, f"status: {status}", "status: active")
    assert found(world) == [(known, "")]


def test_what_is_contested_stands_in_its_section_only_and_is_marked(world, known):
    world.replace(NOTE, "status: active", "status: contested")
    assert told(world) == {"contested": [known]}
    assert found(world) == [(known, "contested")]


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("expires: 2020-01-01T10:00:00", "expired"),
        ("valid_to: 2020-01-01", "no_longer_valid"),
        ("valid_from: 2190-01-01", "not_yet_valid"),
    ],
)
def test_what_does_not_hold_now_is_left_out_of_the_report_and_marked_in_search(
    world, known, line, mark
):
    world.replace(NOTE, "status: active", f"status: active\n{line}")
    assert told(world) == {}
    assert found(world) == [(known, mark)]


@pytest.mark.parametrize("key", ["not_when", "exceptions"])
def test_what_the_prompt_rules_out_is_left_out_of_this_report(world, known, key):
    world.replace(NOTE, "status: active", f"status: active\n{key}: publishing")
    assert told(world, "publish the package") == {}
    assert told(world, "fix the parser") == {"lessons": [known]}


def test_a_hit_that_the_index_still_holds_is_left_out_when_it_cannot_be_updated(
    world, known, monkeypatch
):
    monkeypatch.setattr("vaultmem.services.search.refresh", lambda call, engine: "It is locked.")
    world.replace(NOTE, "status: active", "status: deprecated")
    app = world.here.app()
    done = search(app.call(), app.engine, "parser tests", mode=Mode.KEYWORD)
    assert done.hits == ()
    assert done.degraded == "It is locked."


def test_a_memory_whose_note_vanished_is_no_hit_of_a_stale_index(world, known, monkeypatch):
    monkeypatch.setattr("vaultmem.services.search.refresh", lambda call, engine: None)
    world.path(NOTE).unlink()
    assert found(world) == []


def test_a_note_of_the_person_is_found_without_a_mark(world):
    world.write("Notes/Parser.md", "All about parser tests.\n")
    world.here.sync()
    app = world.here.app()
    from vaultmem.services.search import PLACES

    done = search(app.call(), app.engine, "parser tests", mode=Mode.KEYWORD, sources=PLACES["all"])
    assert [(hit.path, hit.mark) for hit in done.hits] == [("Notes/Parser.md", "")]


def test_governed_row_112_show_tells_until_when_a_superseded_memory_held(world, known):
    new = world.memory(
        "Memory/Lessons/New.md", "Run them all.", category="lesson", created="2026-07-01T09:00:00"
    )
    world.replace(NOTE, "status: active", 'status: superseded\nsuperseded_by: "[[New]]"')
    held = show(world.here.call(), known).validity
    assert held.end.isoformat() == "2026-07-01T09:00:00"
    assert (held.ended_by, held.reason) == (new, "superseded")


def test_governed_row_113_show_tells_when_a_memory_was_deleted(world, known):
    world.replace(NOTE, "status: active", "status: deleted")
    call = world.here.call()
    held = show(call, known).validity
    assert held.reason == "deleted"
    assert abs((held.end - call.local).total_seconds()) < 60


@pytest.mark.parametrize("link", ["[[Nowhere]]", "no link", "[[Notes/Own]]"])
def test_a_successor_that_is_no_memory_ends_nothing(world, known, link):
    world.write("Notes/Own.md", "Mine.\n")
    world.replace(NOTE, "status: active", f'status: superseded\nsuperseded_by: "{link}"')
    assert show(world.here.call(), known).validity.end is None
