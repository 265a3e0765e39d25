"""Which sessions are extracted, by what holds now."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.services.notebook.extracting import Extracting, ScriptedModel, answer
from tests.services.sessioning import DOCS
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.services.notebook import eligible
from vaultmem.services.notebook.eligible import newest_first, reads_elsewhere
from vaultmem.services.switch import WRITE, Place, switch
from vaultmem.store.notebook.jobs import JobStatus
from vaultmem.store.notebook.modes import Mode
from vaultmem.store.sessions.folders import SessionFolder


@pytest.fixture
def world_of(sessions):
    """A vault with sessions and nothing extracted."""
    made = Extracting(sessions)
    yield made
    made.close()


def test_the_newest_session_comes_first(world_of):
    old = world_of.talk("Please do one task.", hours=72)
    new = world_of.talk("Please do another task.", hours=24)
    middle = world_of.talk("Please do a third task.", hours=48)
    assert world_of.sent() == [new.id, middle.id, old.id]


def test_of_two_that_ended_at_once_the_greater_id_comes_first(world_of):
    first, second = (world_of.talk(f"Please do task {number}.") for number in (1, 2))
    assert first.now == second.now
    assert world_of.sent() == [second.id, first.id]


@pytest.mark.parametrize(
    ("age", "is_due"),
    [
        ({"hours": 6}, True),
        ({"hours": 6, "seconds": -1}, False),
        ({"days": 10}, True),
        ({"days": 10, "seconds": 1}, False),
    ],
)
def test_both_bounds_of_age_and_rest_are_inclusive(world_of, age, is_due):
    talk = world_of.talk("Fix the importer.")
    call = world_of.world.here.call()._replace(now=talk.now.astimezone() + timedelta(**age))
    world_of.sessions.sync()
    found = eligible.eligible(
        call,
        world_of.sessions.index.catalog.rows(),
        world_of.catalog,
        NotebookSettings(),
        projects=["shop"],
    )
    assert [row.id for row in found] == ([talk.id] if is_due else [])


def test_not_more_sessions_are_looked_at_than_the_limit(world_of, monkeypatch):
    monkeypatch.setattr(eligible, "SCAN_LIMIT", 2)
    shop = world_of.talk("Fix the importer.", hours=30)
    world_of.talk("Write the manual.", hours=20, cwd=DOCS)
    assert world_of.sent() == [shop.id]
    world_of.talk("Write the other manual.", hours=20, cwd=DOCS)
    assert world_of.sent() == []


def test_only_the_projects_that_are_on_are_extracted(world_of):
    world_of.talk("Fix the importer.")
    docs = world_of.talk("Write the manual.", cwd=DOCS)
    assert world_of.sent(projects=["DOCS"]) == [docs.id]
    assert world_of.sent(projects=[]) == []


def test_the_session_that_runs_now_is_left_out(world_of):
    talk = world_of.talk("Fix the importer.")
    assert world_of.sent(own_session=talk.id) == []


def test_a_session_in_which_no_user_spoke_is_left_out(world_of):
    talk = world_of.talk()
    talk.answered("Nobody is there.")
    assert world_of.sent() == []


def test_an_archived_session_is_left_out(world_of):
    world_of.talk("Fix the importer.")
    folder = SessionFolder(world_of.sessions.folder, archived=True)
    assert world_of.sent(sessions=world_of.sessions.opened(folder)) == []


@pytest.mark.parametrize("begins", ["You are a sub-agent.", "you are a delegated subagent: look"])
def test_the_session_of_a_sub_agent_is_left_out(world_of, begins):
    world_of.talk(begins)
    assert world_of.sent() == []


def test_a_session_whose_id_no_note_can_name_is_left_out(world_of):
    talk = world_of.talk("Fix the importer.")
    talk.path.write_text(talk.path.read_text().replace(talk.id, "[[x]]", 1))
    assert world_of.sent() == []


def test_a_role_that_a_person_gives_does_not_make_a_sub_agent(world_of):
    talk = world_of.talk("You are a careful reviewer. Fix the importer.")
    assert world_of.sent() == [talk.id]


@pytest.mark.parametrize("where", ["all", "project", "session"])
def test_where_remembering_is_off_nothing_is_sent(world_of, where):
    talk = world_of.talk("Fix the importer.")
    assert world_of.sent() == [talk.id]
    place = {
        "all": Place(),
        "project": Place(project="shop"),
        "session": Place(session=talk.id),
    }[where]
    switch(world_of.world.here.call(), [WRITE], place, off=True)
    assert world_of.sent() == []


@pytest.mark.parametrize("mode", [Mode.DISABLED, Mode.POLLUTED])
def test_a_session_of_another_mode_is_left_out(world_of, mode):
    talk = world_of.talk("Fix the importer.")
    now = world_of.world.here.call().now.timestamp()
    world_of.catalog.modes.set(talk.id, mode, now)
    assert world_of.sent() == []
    world_of.catalog.modes.set(talk.id, Mode.ENABLED, now)
    assert world_of.sent() == [talk.id]


def test_a_session_that_the_person_ignores_is_left_out(world_of):
    talk = world_of.talk("Fix the importer.")
    world_of.catalog.modes.ignore(talk.id, 0.0)
    assert world_of.sent() == []


def test_a_session_that_read_the_web_is_polluted_where_the_person_wants_that(world_of):
    talk = world_of.talk("Look it up.")
    talk.answered("I do.", tools=(("c1", "web_search", {"query": "x"}),))
    model = ScriptedModel()
    strict = NotebookSettings(skip_external=True)
    assert world_of.sent(settings=strict) == []
    assert world_of.run(model, settings=strict).claimed == 0
    assert world_of.catalog.modes.get(talk.id).mode is Mode.POLLUTED
    (job,) = world_of.catalog.jobs.all()
    assert job.status is JobStatus.PENDING
    assert world_of.sent() == [], "it stays so"


def test_a_session_that_read_the_web_counts_like_any_other_by_default(world_of):
    talk = world_of.talk("Look it up.")
    talk.answered("I do.", tools=(("c1", "web_search", {"query": "x"}),))
    assert world_of.run(ScriptedModel(answer())).written == 1


@pytest.mark.parametrize(
    ("tool", "is_external"),
    [
        ("web_search", True),
        ("WebFetch", True),
        ("fetch", True),
        ("fetch_url", True),
        ("browser_open", True),
        ("mcp__github__issues", True),
        ("mcp_github", True),
        ("read", False),
        ("bash", False),
        ("memory_search", False),
        ("webpack", False),
    ],
)
def test_tools_that_read_what_strangers_write(tool, is_external):
    assert reads_elsewhere(["read", tool]) is is_external


def test_of_two_files_of_a_session_the_one_that_goes_on_counts(world_of):
    talk = world_of.talk("Fix the importer.")
    copy = talk.path.with_name("copy.jsonl")
    copy.write_bytes(talk.path.read_bytes())
    talk.said("And the exporter.")
    world_of.sessions.sync()
    rows = world_of.sessions.index.catalog.rows()
    assert [row.file for row in newest_first(rows)] == [str(talk.path)]
    assert len(rows) == 2


def test_a_session_without_times_is_as_old_as_its_file(world_of):
    talk = world_of.talk("Fix the importer.")
    text = talk.path.read_text().replace('"timestamp"', '"when"')
    talk.path.write_text(text)
    assert world_of.sent() == [], "the file was written just now"
    world_of.world.here.pass_time(hours=7)
    assert world_of.sent() == [talk.id]
