"""The catalog: results stored whole or not at all, what was consumed, use, pruning, purge, reset."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.notebook.cards import NOW, card
from vaultmem.core.occurrence import lines_with, wanted
from vaultmem.errors import BusyError
from vaultmem.store.notebook import tables
from vaultmem.store.notebook.cards import PRUNE_BATCH
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, Claimed, JobKind, JobStatus, Refusal
from vaultmem.store.notebook.modes import Mode, SessionMode
from vaultmem.store.notebook.usage import Spent

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = 86_400.0
OTHER = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W6"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[NotebookCatalog]:
    made = NotebookCatalog(tmp_path / "state")
    yield made
    made.close()


def claim(catalog: NotebookCatalog, key: str = "s1", mark: float = NOW, now: float = NOW) -> str:
    found = catalog.jobs.claim(JobKind.EXTRACT, key, mark, now, "w1")
    assert isinstance(found, Claimed)
    return found.token


def consume(catalog: NotebookCatalog, *cards, now: float = NOW) -> bool:
    found = catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, now, "w1", force=True)
    return catalog.finish_consolidation(found.token, now, generation=found.generation, cards=cards)


# What a worker stores


def test_an_extraction_stores_its_card_and_marks_the_input(catalog):
    made = card(watermark=NOW, slug=None)
    assert catalog.finish_extraction("s1", claim(catalog), NOW, made)
    assert catalog.cards.get("s1") == made
    assert catalog.cards.get("s2") is None
    assert catalog.jobs.generation() == 1
    job = catalog.jobs.get(JobKind.EXTRACT, "s1")
    assert (job.status, job.succeeded, job.error) == (JobStatus.DONE, NOW, "")
    assert catalog.jobs.get(JobKind.CONSOLIDATE, GLOBAL).watermark == NOW


def test_a_newer_version_replaces_a_card_and_keeps_its_uses(catalog):
    catalog.cards.put(card(), NOW)
    catalog.cards.use(["s1"], NOW)
    newer = card(watermark=NOW, summary="Newer.")
    assert catalog.finish_extraction("s1", claim(catalog), NOW, newer)
    assert catalog.cards.get("s1") == replace(newer, used=1, last_used=NOW)


def test_an_older_result_never_replaces_a_newer_card(catalog):
    token = claim(catalog, mark=NOW - 10)
    catalog.cards.put(card(watermark=NOW), NOW)
    before = catalog.jobs.generation()
    assert catalog.finish_extraction("s1", token, NOW, card(watermark=NOW - 10))
    assert catalog.cards.get("s1").watermark == NOW
    assert catalog.jobs.generation() == before
    assert not catalog.cards.put(card(watermark=NOW - 1), NOW)


def test_a_session_with_nothing_to_learn_any_more_loses_its_card(catalog):
    catalog.cards.put(card(), NOW)
    assert catalog.finish_extraction("s1", claim(catalog), NOW, None)
    assert catalog.cards.all() == []
    assert catalog.cards.dropped() == ["s1"]
    assert catalog.jobs.generation() == 2
    assert catalog.finish_extraction("s2", claim(catalog, "s2"), NOW, None)
    assert catalog.jobs.generation() == 2  # there was none, so nothing changed


def test_an_error_in_between_leaves_nothing_behind(catalog):
    token = claim(catalog)

    def cut_short() -> None:
        with catalog._db.changing():
            assert catalog.finish_extraction("s1", token, NOW, card())
            raise KeyError

    with pytest.raises(KeyError):
        cut_short()
    assert catalog.cards.all() == []
    assert catalog.jobs.generation() == 0
    assert catalog.jobs.get(JobKind.EXTRACT, "s1").status is JobStatus.RUNNING
    assert catalog.finish_extraction("s1", token, NOW, card())


def test_a_consolidation_stores_exactly_what_it_consumed(catalog):
    foreign = card("far", device=OTHER, watermark=NOW + 50)
    for one in (card("s1"), card("s2")):
        catalog.cards.put(one, NOW)
    assert consume(catalog, card("s1"), card("s2"))
    assert consume(catalog, card("s2"), foreign)
    assert catalog.cards.selected() == {"s2": card("s2").watermark, "far": NOW + 50}
    job = catalog.jobs.get(JobKind.CONSOLIDATE, GLOBAL)
    assert (job.status, job.succeeded) == (JobStatus.DONE, NOW + 50)


def test_a_consolidation_of_older_input_stores_nothing(catalog):
    catalog.cards.put(card("s1"), NOW)
    assert consume(catalog, card("s1"))
    found = catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, NOW, "w1", force=True)
    catalog.cards.put(card("s2"), NOW)
    assert not catalog.finish_consolidation(
        found.token, NOW, generation=found.generation, cards=[card("s1"), card("s2")]
    )
    assert list(catalog.cards.selected()) == ["s1"]
    assert catalog.jobs.heartbeat(JobKind.CONSOLIDATE, GLOBAL, found.token, NOW)
    assert not catalog.finish_consolidation(
        "lost", NOW, generation=catalog.jobs.generation(), cards=[]
    )
    assert list(catalog.cards.selected()) == ["s1"]


# Use and pruning


@pytest.mark.parametrize("name", ["s1", card().stem, card().hash])
def test_a_use_counts_by_session_stem_or_short_hash(catalog, name):
    catalog.cards.put(card(), NOW)
    assert catalog.cards.use([name, name, "unknown", ""], NOW) == 1
    assert catalog.cards.use([card().hash, "s1"], NOW - 5) == 1  # once a card, and never back
    found = catalog.cards.get("s1")
    assert (found.used, found.last_used) == (2, NOW)
    assert catalog.cards.use(["unknown"], NOW) == 0
    assert catalog.jobs.generation() == 1  # a use changes no input


def test_uses_of_other_devices_cards_are_added_to_what_their_notes_tell(catalog):
    own, foreign = card("s1"), card("far", device=OTHER, used=3, last_used=NOW + 9)
    catalog.cards.put(own, NOW)
    assert consume(catalog, own, foreign)
    assert catalog.cards.use(["s1", "far"], NOW) == 2
    told = [replace(own, used=7, last_used=NOW - 99), foreign, card("new", device=OTHER)]
    assert [(one.used, one.last_used) for one in catalog.cards.with_uses(told)] == [
        (1, NOW),
        (4, NOW + 9),
        (0, None),
    ]


def test_pruning_takes_what_nobody_used_or_consumed_the_oldest_first(catalog):
    cutoff = NOW - 30 * DAY
    for name, age in (("old", 40), ("older", 50), ("used", 60), ("kept", 70), ("cited", 80)):
        catalog.cards.put(card(name, watermark=NOW - age * DAY), NOW)
    catalog.cards.put(card("edge", watermark=cutoff), NOW)
    assert consume(catalog, catalog.cards.get("kept"))
    catalog.cards.use(["used"], NOW - 1)
    generation = catalog.jobs.generation()
    assert catalog.cards.prune(cutoff, keep={"cited"}) == ["older", "old"]
    assert [one.session for one in catalog.cards.all()] == ["cited", "edge", "kept", "used"]
    assert catalog.cards.dropped() == ["old", "older"]
    assert catalog.jobs.generation() == generation
    assert catalog.cards.prune(cutoff, keep={"cited"}) == []


def test_a_pruning_takes_two_hundred_at_most(catalog):
    for number in range(PRUNE_BATCH + 3):
        catalog.cards.put(card(f"s{number}", watermark=NOW - 99 * DAY + number), NOW)
    gone = catalog.cards.prune(NOW)
    assert gone == [f"s{number}" for number in range(PRUNE_BATCH)]
    assert len(catalog.cards.prune(NOW)) == 3


@given(
    rows=st.dictionaries(
        st.sampled_from("abcdef"),
        st.tuples(st.integers(0, 60), st.none() | st.integers(0, 60), st.booleans()),
    ),
    cutoff=st.integers(0, 60),
)
def test_pruning_never_takes_what_was_consumed_or_is_fresh(tmp_path_factory, rows, cutoff):
    catalog = NotebookCatalog(tmp_path_factory.mktemp("state"))
    for name, (mark, used, _) in rows.items():
        catalog.cards.put(card(name, watermark=float(mark)), NOW)
        if used is not None:
            catalog.cards.use([name], float(used))
    chosen = [catalog.cards.get(name) for name, (_, _, selected) in rows.items() if selected]
    assert consume(catalog, *chosen)
    gone = catalog.cards.prune(float(cutoff))
    fresh = {name: used if used is not None else mark for name, (mark, used, _) in rows.items()}
    assert set(gone) == {
        name for name, (_, _, selected) in rows.items() if not selected and fresh[name] < cutoff
    }
    assert [fresh[name] for name in gone] == sorted(fresh[name] for name in gone)
    catalog.close()


def test_a_card_that_is_removed_forgets_its_uses_and_changes_the_input(catalog):
    catalog.cards.put(card(), NOW)
    catalog.cards.use(["s1"], NOW)
    assert catalog.cards.remove("s1", NOW)
    assert not catalog.cards.remove("s1", NOW)
    assert catalog.jobs.generation() == 2
    catalog.cards.put(card(), NOW)
    assert catalog.cards.get("s1").used == 0
    assert catalog.cards.dropped() == []  # it is there again


# What notes are due


def test_a_card_is_due_until_its_version_is_written(catalog):
    catalog.cards.put(card(), NOW)
    (due,) = catalog.cards.unwritten(NOW)
    catalog.cards.written(due, NOW)
    assert catalog.cards.unwritten(NOW + 99) == []
    catalog.cards.put(card(watermark=NOW), NOW)
    assert [one.watermark for one in catalog.cards.unwritten(0.0)] == [NOW]
    catalog.cards.remove("s1", NOW)
    assert catalog.cards.unwritten(NOW) == []
    catalog.cards.forgotten("s1")
    assert catalog.cards.dropped() == []


def test_uses_alone_make_a_note_due_once_it_is_old_enough(catalog):
    catalog.cards.put(card(), NOW)
    catalog.cards.written(card(), NOW)
    catalog.cards.use(["s1"], NOW + 1)
    assert catalog.cards.unwritten(NOW) == []
    (due,) = catalog.cards.unwritten(NOW + 1)
    assert due.used == 1
    catalog.cards.written(due, NOW + 2)
    assert catalog.cards.unwritten(NOW + 99) == []


# Modes and usage


def test_a_session_is_enabled_until_something_else_is_said(catalog):
    modes = catalog.modes
    assert modes.get("s1") == SessionMode(Mode.ENABLED, ignored=False)
    assert modes.get("s1").counts
    modes.set("s1", Mode.POLLUTED, NOW)
    modes.ignore("s1", NOW)
    assert modes.get("s1") == SessionMode(Mode.POLLUTED, ignored=True)
    modes.set("s1", Mode.ENABLED, NOW)
    assert not modes.get("s1").counts
    modes.ignore("s1", NOW, ignored=False)
    modes.set("s2", Mode.DISABLED, NOW)
    assert {name: one.counts for name, one in modes.all().items()} == {"s1": True, "s2": False}
    assert catalog.jobs.generation() == 0  # nothing was extracted of them


def test_a_session_with_a_card_that_is_switched_off_changes_the_input(catalog):
    catalog.cards.put(card(), NOW)
    catalog.modes.set("s1", Mode.ENABLED, NOW)
    assert catalog.jobs.generation() == 1
    catalog.modes.ignore("s1", NOW)
    assert catalog.jobs.generation() == 2
    catalog.modes.set("s1", Mode.POLLUTED, NOW)
    assert catalog.jobs.generation() == 2
    assert consume(catalog, card("far", device=OTHER))
    catalog.modes.set("far", Mode.DISABLED, NOW)
    assert catalog.jobs.generation() == 3


def test_usage_is_summed_by_day_purpose_and_model(catalog):
    first, second = date(2026, 11, 29), date(2026, 11, 30)
    usage = catalog.usage
    assert usage.total() == Spent("", "")
    usage.add(first, "extract", "small", input=100, output=10, cost=0.5)
    usage.add(first, "extract", "small", input=1, output=2, cost=None)
    usage.add(second, "consolidate", "large", input=7, output=3, cost=0.25)
    usage.add(second, "extract", "small", input=2, output=1, cost=None)
    assert usage.by_purpose() == [
        Spent("consolidate", "large", 1, 7, 3, 0.25, 0),
        Spent("extract", "small", 3, 103, 13, 0.5, 2),
    ]
    assert usage.total() == Spent("", "", 4, 110, 16, 0.75, 2)
    assert usage.total(second) == Spent("", "", 2, 9, 4, 0.25, 1)


def test_sums_of_usage_have_no_end(catalog):
    day, most = date(2026, 11, 30), 2**62
    for purpose in ("dream", "dream", "dream", "extract"):
        catalog.usage.add(day, purpose, "m", input=most, output=1, cost=1e9)
    assert catalog.usage.total() == Spent("", "", 4, 2**63 - 1, 4, 4e9, 0)
    assert [one.input for one in catalog.usage.by_purpose()] == [2**63 - 1, most]


# Maintenance and reset


def test_maintenance_is_refused_while_a_job_runs(catalog):
    claim(catalog)
    with pytest.raises(BusyError, match=r"extract, w1"), catalog.maintenance("m", NOW):
        raise AssertionError
    assert isinstance(catalog.jobs.claim(JobKind.EXTRACT, "s2", NOW, NOW, "w2"), Claimed)


def test_nothing_is_claimed_during_maintenance_and_an_expired_worker_has_lost(catalog, tmp_path):
    token = claim(catalog)
    other = NotebookCatalog(tmp_path / "state")
    with catalog.maintenance("m", NOW + 3600):
        for one in (catalog, other):
            found = one.jobs.claim(JobKind.EXTRACT, "s2", NOW, NOW + 3600, "w2", force=True)
            assert found.reason is Refusal.MAINTENANCE
        assert not other.finish_extraction("s1", token, NOW + 3601, card())
        with pytest.raises(BusyError, match="resetting"), other.maintenance("n", NOW + 3600):
            raise AssertionError
    assert isinstance(other.jobs.claim(JobKind.EXTRACT, "s2", NOW, NOW + 3600, "w2"), Claimed)
    other.close()


def test_maintenance_ends_also_when_it_fails(catalog):
    with pytest.raises(ValueError, match="no"), catalog.maintenance("m", NOW):
        raise ValueError("no")
    claim(catalog)


def test_the_lock_of_a_process_that_died_is_nobodys(catalog, tmp_path):
    program = (
        "import os, sys; from pathlib import Path\n"
        "from vaultmem.store.notebook.catalog import NotebookCatalog\n"
        "with NotebookCatalog(Path(sys.argv[1])).maintenance('m', 0.0):\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "state")]
    assert subprocess.run(command, check=False).returncode == -9
    claim(catalog)
    catalog.jobs.release(JobKind.EXTRACT, "s1", catalog.jobs.get(JobKind.EXTRACT, "s1").token, NOW)
    with catalog.maintenance("n", NOW):
        pass


def test_a_reset_forgets_all_but_what_the_person_said_and_what_it_cost(catalog):
    catalog.cards.put(card(), NOW)
    catalog.cards.use(["s1"], NOW)
    assert consume(catalog, card())
    catalog.finish_extraction("s2", claim(catalog, "s2"), NOW, None)
    catalog.modes.ignore("s3", NOW)
    catalog.usage.add(date(2026, 11, 30), "extract", "m", input=1, output=1, cost=None)
    before = catalog.jobs.generation()
    with catalog.maintenance("m", NOW):
        catalog.wipe(NOW)
    assert catalog.cards.all() == []
    assert catalog.cards.selected() == {}
    assert catalog.cards.dropped() == ["s1"]
    assert [job.kind for job in catalog.jobs.all()] == [JobKind.CONSOLIDATE]
    assert catalog.jobs.generation() == before + 1
    assert catalog.modes.get("s3").ignored
    assert catalog.usage.total().calls == 1
    assert isinstance(catalog.jobs.claim(JobKind.EXTRACT, "s2", NOW, NOW, "w"), Claimed)


# Purge

SECRET = "Never deploy on a Friday afternoon."


def says(*texts: str):
    sought = wanted(texts)
    return lambda data: lines_with(sought, data)


def test_a_purge_cuts_the_lines_that_say_it_out_of_cards_and_errors(catalog, tmp_path):
    told = "Task: deploy.\n- never deploy on a *Friday* afternoon\n- success"
    catalog.cards.put(card("s1", summary=f"A day.\n{SECRET}\nThe end.", card=told), NOW)
    catalog.cards.put(card("s2"), NOW)
    for one in catalog.cards.unwritten(NOW):
        catalog.cards.written(one, NOW)
    token = claim(catalog, "s4")
    catalog.jobs.fail(JobKind.EXTRACT, "s4", token, NOW, f"It said: {SECRET}")
    before = catalog.jobs.generation()
    assert catalog.purge(says(SECRET), NOW) == ("s1",)
    left = catalog.cards.get("s1")
    assert (left.summary, left.card) == ("A day.\nThe end.", "Task: deploy.\n- success")
    assert catalog.cards.get("s2") == card("s2")
    assert [one.session for one in catalog.cards.unwritten(NOW)] == ["s1"]
    assert catalog.jobs.generation() == before + 1
    assert catalog.jobs.get(JobKind.EXTRACT, "s4").error == ""
    for place in (tmp_path / "state").iterdir():
        assert b"Friday" not in place.read_bytes()
    assert catalog.purge(says(SECRET), NOW) == ()
    assert catalog.jobs.generation() == before + 1


@pytest.mark.parametrize(
    "changes",
    [
        {"summary": SECRET},
        {"card": f"{SECRET}\n{SECRET}"},
        {"slug": "never_deploy_on_a_friday_afternoon"},
    ],
)
def test_a_card_of_which_nothing_is_left_goes_with_its_note(catalog, tmp_path, changes):
    one = card("s1", watermark=NOW, **changes)
    catalog.finish_extraction("s1", claim(catalog), NOW, one)
    assert consume(catalog, one)
    assert catalog.purge(says(SECRET), NOW) == ("s1",)
    assert catalog.cards.all() == []
    assert catalog.cards.dropped() == ["s1"]
    assert catalog.cards.use([one.hash], NOW) == 1  # it was consumed, so the notebook cites it
    assert catalog.jobs.look(JobKind.EXTRACT, "s1", NOW, NOW + 1).reason is Refusal.UP_TO_DATE
    for place in (tmp_path / "state").iterdir():
        assert b"riday" not in place.read_bytes()


def test_a_purge_waits_for_those_who_still_read(catalog, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "_WAIT_SECONDS", 0.1)
    catalog.cards.put(card("s1", summary=SECRET), NOW)
    other = NotebookCatalog(tmp_path / "state")
    with other._db.reading() as sql:
        sql.execute("BEGIN")
        sql.execute("SELECT * FROM cards").fetchall()
        with pytest.raises(BusyError, match="still reading"):
            catalog.purge(says(SECRET), NOW)
        sql.execute("COMMIT")
    other.close()
    assert catalog.purge(says(SECRET), NOW) == ()
    assert b"Friday" not in (tmp_path / "state" / "catalog.sqlite").read_bytes()


def test_cards_are_read_back_after_a_loss_and_count_as_read(catalog):
    assert not catalog.restored
    catalog.restore([card("s1", used=4, last_used=NOW - 7)], NOW)
    assert catalog.restored
    assert catalog.cards.get("s1") == card("s1", used=4, last_used=NOW - 7)
    assert catalog.cards.unwritten(NOW) == []
    found = catalog.jobs.claim(JobKind.EXTRACT, "s1", card().watermark, NOW, "w")
    assert found.reason is Refusal.UP_TO_DATE
    assert catalog.jobs.generation() == 1
    catalog.restore([card("s1", watermark=1.0)], NOW)
    assert catalog.jobs.generation() == 1
