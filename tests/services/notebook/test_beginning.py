"""Files of a notebook that are there before any version: a first version, or what is wrong."""

from __future__ import annotations

import shutil
import time

import pytest

from tests.core.fakes import fake
from tests.services.notebook.noting import (
    FILES,
    HANDBOOK,
    NEXT,
    SUMMARY,
    in_force,
    log,
    on_disk,
    put,
    switch_on,
)
from tests.services.notebook.rewriting import endpoint, good, handbook, says, summary, writes
from tests.world import codes
from vaultmem.errors import NotebookChangedError, NotebookInvalidError, NoteNotFoundError
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.published import publish
from vaultmem.services.notebook.reset import reset
from vaultmem.services.notebook.restore import accept, foresee_accept, restore
from vaultmem.services.notebook.versions import show
from vaultmem.store.notebook.catalog import NotebookCatalog

HAND = FILES["MEMORY.md"] + b"- By hand on the first machine.\n"
MINE = "---\nname: mine\ndescription: Mine.\n---\nMine.\n"


def in_a_window(world, change):
    world.here.open_window(time.time_ns())
    change()
    time.sleep(0.03)
    world.here.close_windows(time.time_ns())
    time.sleep(0.06)


@pytest.mark.parametrize("paths", [(HANDBOOK,), (SUMMARY,), ("Memory/Skills/tag-it/SKILL.md",)])
def test_a_second_machine_gets_a_notebook_of_which_one_file_was_edited(published, paths):
    for path in paths:
        published.write(path, published.path(path).read_bytes() + b"- By hand.\n")
    published.here.sync()
    other = published.device()
    switch_on(other)
    assert other.sync().findings == ()
    assert in_force(other) == in_force(published.here)
    assert [by for by, _ in log(other)] == ["person"]
    assert other.sync().findings == ()
    assert len(log(other)) == 1


@pytest.mark.parametrize("edited", [False, True])
def test_a_history_that_was_deleted_is_begun_anew_by_the_next_sync(published, edited):
    if edited:
        published.write(HANDBOOK, HAND)
        published.here.sync()
    there = on_disk(published)
    shutil.rmtree(published.here.call().vault.state.history)
    assert published.here.sync().findings == ()
    assert in_force(published.here) == there == on_disk(published)
    put(published.here, NEXT)
    assert in_force(published.here) == NEXT


def test_an_edit_that_no_sync_saw_before_the_history_was_deleted_is_in_the_new_one(published):
    published.write(HANDBOOK, HAND)
    shutil.rmtree(published.here.call().vault.state.history)
    assert published.here.sync().findings == ()
    assert in_force(published.here)["MEMORY.md"] == HAND


def test_nothing_is_published_over_files_of_a_history_that_was_just_lost(published):
    shutil.rmtree(published.here.call().vault.state.history)
    with pytest.raises(NotebookChangedError):
        publish(published.here.call(), NEXT, before=None, by="consolidation", message="new")
    assert on_disk(published) == FILES


# A skill of the person's before the first version


def test_a_persons_skill_is_no_obstacle_to_the_first_version(book, server):
    book.world.write("Memory/Skills/mine/SKILL.md", MINE)
    card = book.card()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert book.device.sync().findings == ()
    assert book.published()["Skills/mine/SKILL.md"].decode() == MINE
    assert book.in_vault() == book.published()


def test_a_persons_skill_that_a_reset_left_is_none_either(book, server):
    card = book.card()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    book.world.write("Memory/Skills/mine/SKILL.md", MINE)
    book.device.sync()
    call = book.device.call()
    catalog = NotebookCatalog(call.vault.state.folder)
    assert reset(call, catalog, yes=True).reach.kept == ("mine",)
    catalog.close()
    card = book.card()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    book.device.sync()
    assert book.published()["Skills/mine/SKILL.md"].decode() == MINE


def test_the_worker_may_not_write_into_a_skill_that_no_version_has(book, server):
    book.world.write("Memory/Skills/mine/SKILL.md", MINE)
    card = book.card()
    server.script(
        writes(
            memory=handbook(card),
            summary=summary(card),
            **{"Skills/mine/more.md": f"More. [{card.hash}]\n"},
        ),
        says("Done."),
    )
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert not book.world.path("Memory/Skills/mine/more.md").exists()


# What is no notebook


def test_a_foreign_handbook_is_told_with_the_way_out_everywhere(book, server):
    book.world.write(HANDBOOK, "# My own page\n")
    book.card()
    (found,) = book.device.sync().findings
    done = book.rewrite(endpoint(server))
    assert done.outcome is Outcome.BLOCKED
    assert "Memory/MEMORY.md holds a change that is not published" in done.message
    assert server.requests == []
    for told in (done.message, str(_error(book.device, restore)), str(_error(book.device, show))):
        assert "move what is there out of the memory root" in told
    wrong = _error(book.device, accept, NotebookInvalidError)
    assert "Write both `MEMORY.md` and `memory_summary.md`" in str(wrong)
    assert found.sentence in done.message


def _error(device, verb, kind=NoteNotFoundError):
    with pytest.raises(kind) as caught:
        verb(device.call())
    return f"{caught.value} {getattr(caught.value, 'remedy', '')}"


def test_a_summary_of_another_form_is_told_with_what_is_wrong_in_it(noted):
    noted.write(HANDBOOK, FILES["MEMORY.md"])
    noted.write(SUMMARY, "Mine.\n")
    (found,) = noted.here.sync().findings
    assert (found.code, found.line) == ("VM972", 1)
    assert "Write `v1` alone" in found.remedy


@pytest.mark.parametrize("paths", [(HANDBOOK,), (HANDBOOK, SUMMARY)])
def test_what_an_agent_may_have_written_waits_and_can_be_accepted(noted, paths):
    for path in {HANDBOOK, SUMMARY} - {*paths}:
        noted.write(path, FILES[path.removeprefix("Memory/")])
    in_a_window(
        noted,
        lambda: [noted.write(path, FILES[path.removeprefix("Memory/")]) for path in paths],
    )
    found = noted.here.sync().findings
    assert set(codes(noted.here.sync())) == {"VM974"}
    assert all("notebook accept" in one.remedy for one in found)
    assert all("restore" not in one.remedy for one in found)
    assert log(noted.here) == []
    assert set(foresee_accept(noted.here.call()).paths) == {"MEMORY.md", "memory_summary.md"}
    accept(noted.here.call())
    assert noted.here.sync().findings == ()
    assert in_force(noted.here) == {
        "MEMORY.md": FILES["MEMORY.md"],
        "memory_summary.md": FILES["memory_summary.md"],
    }
    assert [by for by, _ in log(noted.here)] == ["person"]


def test_one_file_that_an_agent_changed_makes_no_other_one_missing(published):
    shutil.rmtree(published.here.call().vault.state.history)
    in_a_window(published, lambda: published.write(HANDBOOK, HAND))
    for _ in range(2):
        found = published.here.sync().findings
        assert [(one.code, one.path) for one in found] == [("VM974", HANDBOOK)]
    accept(published.here.call())
    assert published.here.sync().findings == ()
    assert in_force(published.here) == FILES | {"MEMORY.md": HAND}


def test_a_first_version_with_what_is_no_secret_can_be_accepted(noted):
    noted.write(HANDBOOK, FILES["MEMORY.md"] + f"- key sk-ant-api03-{fake(40)}\n".encode())
    noted.write(SUMMARY, FILES["memory_summary.md"])
    assert codes(noted.here.sync()) == ["VM977"]
    assert set(accept(noted.here.call()).paths) == {"MEMORY.md", "memory_summary.md"}
    assert noted.here.sync().findings == ()


def test_skills_alone_are_nothing_to_accept(noted):
    noted.write("Memory/Skills/mine/SKILL.md", MINE)
    assert "notebook status" in _error(noted.here, accept)
