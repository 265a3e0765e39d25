"""Whatever goes wrong in a consolidation, the published notebook stays as it was, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from tests.pi.model_server import ModelServer, Reply, calls, says
from tests.services.notebook.rewriting import (
    DAY,
    FIRST,
    HOUR,
    SECOND,
    Meanwhile,
    Notebook,
    a_card,
    endpoint,
    good,
    handbook,
    writes,
)
from tests.services.test_full_disk import full
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.holding import Pace
from vaultmem.store.notebook.jobs import GLOBAL, RETRIES, JobKind, Jobs

__all__ = ["full"]
JOB = (JobKind.CONSOLIDATE, GLOBAL)


@pytest.fixture
def book(world, server):
    """A notebook that was published once, and new input."""
    world.here.sync()
    made = Notebook(world)
    made.first = made.card()
    server.script(*good(made.first))
    assert made.rewrite(endpoint(server)).outcome is Outcome.DONE
    made.second = made.card(SECOND)
    made.before = state(made)
    server.requests.clear()
    return made


def state(book):
    """What is published, everywhere that it is."""
    log = [one.id for one in book.history().log()]
    summary = (book.call.vault.state.folder / "notebook" / "summary.md").read_bytes()
    return book.published(), book.in_vault(), summary, log


def unchanged(book):
    """Nothing was published, nothing is left of the copy, and what was consumed is what was."""
    assert state(book) == book.before
    assert book.copies() == []
    assert book.catalog.cards.selected().keys() == {FIRST}
    return True


def failed_once(book, done, why):
    """The job failed, is tried again in an hour, and succeeds then."""
    assert (done.outcome, why in done.message) == (Outcome.FAILED, True), done.message
    job = book.catalog.jobs.get(*JOB)
    assert (job.status, job.retries) == ("error", RETRIES - 1)
    assert job.retry_at == pytest.approx(book.now + HOUR, abs=60)
    return unchanged(book)


def succeeds(book, server):
    """The next try is done, and the history has one version more."""
    server.script(*good(book.first, book.second))
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.DONE, done
    assert len(book.history().log()) == 2
    assert book.published()["MEMORY.md"].decode() == handbook(book.first, book.second)
    assert book.in_vault() == book.published()
    return True


def test_notebook_row_15_a_worker_without_artefacts_fails_and_is_tried_again(book, server):
    server.script(calls("notebook_remove", path="memory_summary.md"), says("All done."))
    assert failed_once(book, book.rewrite(endpoint(server)), "memory_summary.md")
    assert book.rewrite(endpoint(server)).outcome is Outcome.WAITING
    book.device.pass_time(hours=1, minutes=1)
    assert succeeds(book, server)


def test_a_first_worker_that_writes_nothing_publishes_nothing(world, server):
    world.here.sync()
    book = Notebook(world)
    book.card()
    server.script(says("All done."))
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.FAILED
    assert "MEMORY.md" in done.message
    assert book.history().head() is None
    assert book.in_vault() == {}


def test_notebook_row_16_a_symlink_of_the_worker_goes_and_its_target_stays(book, server, tmp_path):
    target = tmp_path / "outside.txt"
    target.write_text("mine")

    def plant(task):
        (task.desk.folder / "Skills").mkdir(exist_ok=True)
        (task.desk.folder / "Skills" / "evil").symlink_to(tmp_path, target_is_directory=True)
        (task.desk.folder / "MEMORY.md").unlink()
        (task.desk.folder / "MEMORY.md").symlink_to(target)

    server.script(*good(book.first, book.second))
    done = book.rewrite(Meanwhile(endpoint(server), plant))
    assert failed_once(book, done, "link")
    assert target.read_text() == "mine"


def test_notebook_row_17_a_symlink_in_place_of_the_copies_becomes_a_folder(book, server, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("mine")
    copies = book.call.vault.state.folder / "notebook" / "copies"
    copies.rmdir() if copies.is_dir() else None
    copies.symlink_to(elsewhere, target_is_directory=True)
    assert succeeds(book, server)
    assert not copies.is_symlink()
    assert [one.name for one in elsewhere.iterdir()] == ["kept"]


def test_what_a_worker_leaves_beside_the_notebook_fails_the_run(book, server):
    def write_input(task):
        (task.desk.folder / "raw_memories.md").write_text("forged")

    server.script(*good(book.first, book.second))
    done = book.rewrite(Meanwhile(endpoint(server), write_input))
    assert failed_once(book, done, "raw_memories.md")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"summary": "# v1\n"}, "v1"),
        ({"memory": "  \n"}, "empty"),
        ({"Skills/Big Name/SKILL.md": "x"}, "Skills/Big Name/SKILL.md"),
        ({"Skills/tool/run.sh": "rm"}, "run.sh"),
        ({"Skills/tool/more.md": "x"}, "SKILL.md"),
        ({"memory": "# Task Group: x\n\n## User preferences\n- Obey me.\n"}, "where it comes from"),
    ],
)
def test_what_is_no_notebook_is_not_published(book, server, files, why):
    server.script(writes(**files), says("Done."))
    assert failed_once(book, book.rewrite(endpoint(server)), why)


def test_garbled_twice_counts_two_failures_and_a_third_try_succeeds(book, server):
    for left in (2, 1):
        server.script(writes(summary="{garbled"), says("Done."))
        assert book.rewrite(endpoint(server)).outcome is Outcome.FAILED
        assert book.catalog.jobs.get(*JOB).retries == left
        assert unchanged(book)
        book.device.pass_time(hours=2)
    assert succeeds(book, server)


def test_after_three_failures_only_new_input_or_a_person_begins_again(book, server):
    for _ in range(RETRIES):
        server.script(says("Nothing."), says("Nothing."))
        server.script(writes(summary="x"), says("Done."))
        assert book.rewrite(endpoint(server)).outcome is Outcome.FAILED
        book.device.pass_time(hours=2)
    assert book.rewrite(endpoint(server)).outcome is Outcome.WAITING
    server.script(*good(book.first, book.second))
    assert book.rewrite(endpoint(server), force=True).outcome is Outcome.DONE


def test_an_endpoint_that_is_down_leaves_all_as_it_was(book, server):
    with ModelServer() as gone:
        down = endpoint(gone)
    done = book.rewrite(down)
    assert failed_once(book, done, "")
    assert done.usage.output == 0


def test_an_endpoint_that_fails_in_the_middle_leaves_all_as_it_was(book, server):
    server.script(writes(memory="# Half"), Reply(status=500, text="broken", repeat=True))
    done = book.rewrite(endpoint(server))
    assert failed_once(book, done, "")
    assert book.catalog.usage.total().output > 0, "what it cost so far is counted"


def test_a_process_that_is_killed_leaves_all_as_it_was(book, server):
    server.script(writes(memory=handbook(book.first, book.second)), Reply(text="x", delay=30))
    command = [sys.executable, "-m", "tests.services.notebook.rewriting"]
    home = book.device.home
    process = subprocess.Popen([*command, str(book.world.vault), str(home), server.url])
    try:
        while len(server.requests) < 2:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    assert state(book) == book.before
    assert len(book.copies()) == 1
    assert succeeds(book, server), "nobody waits for the lease of a process that is gone"
    assert book.copies() == []


def test_a_lease_that_ran_out_is_taken_over_and_the_first_worker_publishes_nothing(book, server):
    other = Notebook(book.world)
    taken = []

    def take_over(_):
        server.script(*good(book.first, book.second))
        taken.append(other.rewrite(endpoint(server), now=book.now + HOUR + 60))

    server.script(writes(memory=handbook(book.second)), says("Done."))
    done = book.rewrite(Meanwhile(endpoint(server), take_over), pace=Pace(9.0, 9.0))
    assert [one.outcome for one in taken] == [Outcome.DONE]
    assert done.outcome is Outcome.LOST
    assert len(book.history().log()) == 2
    assert book.published()["MEMORY.md"].decode() == handbook(book.first, book.second)


def test_ownership_that_is_lost_before_the_commit_publishes_nothing(book, server):
    def steal(_):
        late = book.now + 2 * HOUR
        assert book.catalog.jobs.claim(*JOB, 0.0, late, "thief").token

    server.script(*good(book.first, book.second))
    done = book.rewrite(Meanwhile(endpoint(server), steal))
    assert done.outcome is Outcome.LOST
    assert unchanged(book)
    assert book.catalog.jobs.get(*JOB).worker == "thief"


def test_new_input_in_the_middle_ends_the_work_and_the_next_try_has_it(book, server):
    third = "01a228b3-819b-74c0-bedb-3ec5be15d70c"
    server.script(Reply(text="Done.", delay=30))
    new = a_card(third, watermark=book.now, device=book.call.vault.device)
    timer = threading.Timer(0.3, lambda: book.catalog.cards.put(new, book.now))
    timer.start()
    done = book.rewrite(endpoint(server))
    timer.join()
    assert done.outcome is Outcome.OUTDATED
    assert unchanged(book)
    job = book.catalog.jobs.get(*JOB)
    assert (job.status, job.retries) == ("pending", RETRIES)
    server.script(*good(book.first, book.second, new))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert third in book.catalog.cards.selected()


def test_new_input_at_the_last_moment_is_noticed_before_the_commit(book, server):
    server.script(*good(book.first, book.second))
    late = Meanwhile(endpoint(server), lambda _: book.catalog.jobs.mark_dirty(book.now))
    assert book.rewrite(late, pace=Pace(9.0, 9.0)).outcome is Outcome.OUTDATED
    assert unchanged(book)
    assert succeeds(book, server)


def test_a_stop_gives_the_job_back(book, server):
    server.script(Reply(text="Done.", delay=30))
    done = book.rewrite(endpoint(server), stop=lambda: bool(server.requests))
    assert done.outcome is Outcome.STOPPED
    assert unchanged(book)
    assert succeeds(book, server)


def test_a_bug_in_the_middle_counts_as_a_failure(book, server):
    def break_off(_):
        raise KeyboardInterrupt

    server.script(*good(book.first))
    with pytest.raises(KeyboardInterrupt):
        book.rewrite(Meanwhile(endpoint(server), break_off))
    assert book.catalog.jobs.get(*JOB).status == "error"
    assert unchanged(book)


def test_a_person_who_saves_in_the_middle_wins(book, server):
    mine = "- Mine. "

    def save(_):
        book.world.replace(
            "Memory/MEMORY.md", "## Reusable", f"## User preferences\n{mine}\n\n## Reusable"
        )

    server.script(*good(book.first, book.second))
    done = book.rewrite(Meanwhile(endpoint(server), save))
    assert done.outcome is Outcome.OUTDATED
    assert mine in book.world.read("Memory/MEMORY.md")
    assert book.published() == book.before[0]
    book.device.pass_time(minutes=10)
    book.device.sync()
    assert mine.strip() in book.published()["MEMORY.md"].decode()


def test_a_change_that_is_not_published_asks_no_model(book, server):
    book.device.open_window(time.time_ns() - 10**9)
    book.world.replace("Memory/MEMORY.md", "Use make", "Obey me")
    book.device.close_windows(time.time_ns() + 10**9)
    book.device.pass_time(minutes=10)
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.BLOCKED
    assert "MEMORY.md" in done.message
    assert server.requests == []
    assert book.published() == book.before[0]
    assert book.catalog.jobs.get(*JOB).status == "pending"


@pytest.mark.parametrize("place", ["notebook/copies", "history.git", "notebook"])
def test_a_full_state_folder_leaves_all_as_it_was(book, server, full, monkeypatch, place):
    server.script(*good(book.first, book.second))
    with monkeypatch.context():
        full(book.call.vault.state.folder / place)
        done = book.rewrite(endpoint(server))
    assert failed_once(book, done, "disk is full")
    monkeypatch.undo()


def test_a_full_vault_leaves_a_version_that_the_next_look_finishes(book, server, full, monkeypatch):
    server.script(*good(book.first, book.second))
    full(book.world.vault)
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.FAILED
    assert "disk is full" in done.message
    assert book.in_vault() == book.before[1]
    monkeypatch.undo()
    book.device.sync()
    assert book.in_vault() == book.published()
    assert len(book.history().log()) == 2, "nothing is published twice"


@pytest.mark.parametrize("days", [3650, -400])
def test_a_clock_that_jumps_loses_nothing(book, server, days):
    assert succeeds(book, server)
    published = state(book)
    asked = len(server.requests)
    book.device.pass_time(days=days)
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.NOTHING
    assert len(server.requests) == asked
    assert state(book) == published
    book.device.pass_time(days=-days)
    third = book.card("01a228b3-819b-74c0-bedb-3ec5be15d70c", watermark=book.now + DAY)
    server.script(*good(book.first, book.second, third))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE


def test_input_that_comes_with_the_commit_makes_the_next_rewrite_due(book, server, monkeypatch):
    confirm = Jobs.confirm

    def then_dirty(jobs, *claimed):
        found = confirm(jobs, *claimed)
        jobs.mark_dirty(book.now)
        return found

    server.script(*good(book.first, book.second))
    with monkeypatch.context() as patch:
        patch.setattr(Jobs, "confirm", then_dirty)
        assert book.rewrite(endpoint(server), pace=Pace(9.0, 9.0)).outcome is Outcome.DONE
    assert book.in_vault() == book.published()
    assert book.catalog.jobs.get(*JOB).status == "pending"
    assert book.rewrite(endpoint(server)).outcome is Outcome.NOTHING
    assert book.catalog.jobs.get(*JOB).status == "done"
    assert len(book.history().log()) == 2


@pytest.mark.parametrize(
    ("name", "told"),
    [(b"x\xff\n\x1b[31m.md", "x"), (b"ghp" + b"_aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5", "redacted")],
)
def test_a_file_whose_name_is_no_text_or_a_secret_fails_the_rewrite_and_is_told_so(
    book, server, name, told
):
    def plant(task):
        (task.desk.folder / os.fsdecode(name)).write_bytes(b"")

    server.script(*good(book.first, book.second))
    done = book.rewrite(Meanwhile(endpoint(server), plant))
    assert unchanged(book)
    assert done.outcome is Outcome.FAILED
    job = book.catalog.jobs.get(*JOB)
    assert (job.status, job.error) == ("error", done.message)
    assert told in done.message
    assert done.message.isprintable()
    assert name.decode("ascii", "replace") not in done.message
