"""Claims: one worker at a time, leases that end, failures that wait, and a clock that may jump."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.notebook.cards import NOW, card
from vaultmem.store.notebook.cards import PRUNE_BATCH
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import (
    COOLDOWN_SECONDS,
    GLOBAL,
    HEARTBEAT_SECONDS,
    LEASE_SECONDS,
    RETRIES,
    RETRY_SECONDS,
    Claimed,
    JobKind,
    JobStatus,
    Refusal,
    Refused,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOUR = 3600.0
MARK = NOW - 24 * HOUR


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[NotebookCatalog]:
    made = NotebookCatalog(tmp_path / "state")
    yield made
    made.close()


def extract(catalog: NotebookCatalog, now: float = NOW, *, mark: float = MARK, worker: str = "w1"):
    return catalog.jobs.claim(JobKind.EXTRACT, "s1", mark, now, worker)


def consolidate(catalog: NotebookCatalog, now: float = NOW, **options):
    return catalog.jobs.claim(JobKind.CONSOLIDATE, GLOBAL, 0.0, now, "w1", **options)


def reason(claim: Claimed | Refused) -> Refusal | None:
    return claim.reason if isinstance(claim, Refused) else None


def test_a_job_is_claimed_once(catalog):
    first = extract(catalog)
    assert isinstance(first, Claimed)
    assert extract(catalog, worker="w2") == Refused(Refusal.RUNNING, NOW + LEASE_SECONDS)
    job = catalog.jobs.get(JobKind.EXTRACT, "s1")
    assert (job.status, job.worker, job.started) == (JobStatus.RUNNING, "w1", NOW)
    assert [one.key for one in catalog.jobs.all() if one.is_live(NOW)] == ["s1"]
    assert catalog.jobs.all(JobKind.DREAM) == []


def test_sessions_are_claimed_independently(catalog):
    assert isinstance(extract(catalog), Claimed)
    assert isinstance(catalog.jobs.claim(JobKind.EXTRACT, "s2", MARK, NOW, "w2"), Claimed)


@pytest.mark.parametrize(
    ("late", "taken"), [(LEASE_SECONDS - 1, False), (LEASE_SECONDS, True), (10 * HOUR, True)]
)
def test_a_lease_that_is_over_may_be_taken_over_with_another_token(catalog, late, taken):
    first = extract(catalog)
    second = extract(catalog, NOW + late, worker="w2")
    assert isinstance(second, Claimed) == taken
    if taken:
        assert second.token != first.token


def test_a_heartbeat_renews_the_lease(catalog):
    first = extract(catalog)
    assert catalog.jobs.heartbeat(JobKind.EXTRACT, "s1", first.token, NOW + 3000)
    assert reason(extract(catalog, NOW + LEASE_SECONDS)) is Refusal.RUNNING
    assert isinstance(extract(catalog, NOW + 3000 + LEASE_SECONDS), Claimed)


def test_an_expired_lease_that_nobody_took_is_still_its_workers(catalog):
    first = extract(catalog)
    assert catalog.jobs.heartbeat(JobKind.EXTRACT, "s1", first.token, NOW + 2 * LEASE_SECONDS)


@pytest.mark.parametrize("act", ["heartbeat", "succeed", "fail", "release"])
def test_a_lost_token_writes_nothing(catalog, act):
    first = extract(catalog)
    second = extract(catalog, NOW + LEASE_SECONDS, worker="w2")
    before = catalog.jobs.get(JobKind.EXTRACT, "s1")
    act_of = getattr(catalog.jobs, act)
    assert act_of(JobKind.EXTRACT, "s1", first.token, NOW + LEASE_SECONDS + 1) is False
    assert act_of(JobKind.EXTRACT, "s1", "", NOW) is False
    assert act_of(JobKind.EXTRACT, "other", second.token, NOW) is False
    assert catalog.jobs.get(JobKind.EXTRACT, "s1") == before
    assert not catalog.finish_extraction("s1", first.token, NOW + LEASE_SECONDS + 1, card())
    assert catalog.cards.all() == []
    assert catalog.jobs.generation() == 0
    assert catalog.finish_extraction("s1", second.token, NOW + LEASE_SECONDS + 1, card())


def test_a_finished_job_is_nobodys(catalog):
    first = extract(catalog)
    assert catalog.jobs.succeed(JobKind.EXTRACT, "s1", first.token, NOW)
    assert not catalog.jobs.succeed(JobKind.EXTRACT, "s1", first.token, NOW)


def test_a_session_that_was_read_is_up_to_date_until_it_goes_on(catalog):
    first = extract(catalog)
    assert catalog.finish_extraction("s1", first.token, NOW, None)  # nothing to learn
    assert reason(extract(catalog, NOW + HOUR)) is Refusal.UP_TO_DATE
    assert reason(extract(catalog, NOW + HOUR, mark=MARK - 1)) is Refusal.UP_TO_DATE
    again = extract(catalog, NOW + HOUR, mark=MARK + 1)
    assert isinstance(again, Claimed)
    assert catalog.jobs.get(JobKind.EXTRACT, "s1").watermark == MARK + 1


def test_a_stored_card_counts_as_read_without_a_job(catalog):
    catalog.cards.put(card(watermark=MARK), NOW)
    assert reason(extract(catalog)) is Refusal.UP_TO_DATE
    assert isinstance(extract(catalog, mark=MARK + 0.001), Claimed)


def test_a_failure_waits_an_hour_and_three_exhaust_the_job(catalog):
    now = NOW
    for left in (2, 1, 0):
        claim = extract(catalog, now)
        assert catalog.jobs.fail(JobKind.EXTRACT, "s1", claim.token, now, "x" * 900)
        job = catalog.jobs.get(JobKind.EXTRACT, "s1")
        assert (job.status, job.retries, len(job.error)) == (JobStatus.ERROR, left, 500)
        if left:
            assert extract(catalog, now + 1) == Refused(Refusal.WAITING, now + RETRY_SECONDS)
        now += RETRY_SECONDS
    assert reason(extract(catalog, now + 99 * HOUR)) is Refusal.EXHAUSTED
    again = extract(catalog, now, mark=MARK + 1)  # it went on, so it is tried anew, at once
    assert isinstance(again, Claimed)
    assert catalog.jobs.get(JobKind.EXTRACT, "s1").retries == 3


def test_a_refused_claim_changes_nothing(catalog):
    claim = extract(catalog)
    before = catalog.jobs.get(JobKind.EXTRACT, "s1")
    assert reason(extract(catalog, NOW + 1, mark=MARK + 5)) is Refusal.RUNNING
    assert catalog.jobs.get(JobKind.EXTRACT, "s1") == before
    assert catalog.finish_extraction("s1", claim.token, NOW + 2, card(watermark=MARK))
    assert isinstance(extract(catalog, NOW + 3, mark=MARK + 5), Claimed)


def test_looking_says_what_a_claim_would_and_takes_nothing(catalog):
    assert catalog.jobs.look(JobKind.EXTRACT, "s1", MARK, NOW) is None
    assert catalog.jobs.all() == []
    extract(catalog)
    assert catalog.jobs.look(JobKind.EXTRACT, "s1", MARK, NOW).reason is Refusal.RUNNING


def test_notebook_row_38_a_second_claim_within_six_hours_of_a_success_cools_down(catalog):
    claim = consolidate(catalog)
    assert catalog.finish_consolidation(claim.token, NOW, generation=0, cards=[])
    over = NOW + COOLDOWN_SECONDS
    assert consolidate(catalog, NOW + 60) == Refused(Refusal.COOLDOWN, over)
    assert reason(consolidate(catalog, over - 1)) is Refusal.COOLDOWN
    assert isinstance(consolidate(catalog, over), Claimed)


def test_new_input_bypasses_the_cooldown(catalog):
    claim = consolidate(catalog)
    assert catalog.finish_consolidation(claim.token, NOW, generation=0, cards=[])
    assert catalog.jobs.mark_dirty(NOW + 60) == 1
    assert isinstance(consolidate(catalog, NOW + 61), Claimed)


def test_a_person_may_force_a_claim_but_not_one_that_runs(catalog):
    claim = consolidate(catalog)
    assert reason(consolidate(catalog, force=True)) is Refusal.RUNNING
    assert catalog.finish_consolidation(claim.token, NOW, generation=0, cards=[])
    now = NOW
    for _ in range(4):
        forced = consolidate(catalog, now, force=True)
        assert isinstance(forced, Claimed)
        assert catalog.jobs.fail(JobKind.CONSOLIDATE, GLOBAL, forced.token, now)
        now += 1
    assert reason(consolidate(catalog, now + 99 * HOUR)) is Refusal.EXHAUSTED


def test_another_kind_has_the_cooldown_that_it_asks_for(catalog):
    def dream(now: float, span: float | None):
        return catalog.jobs.claim(JobKind.DREAM, GLOBAL, 7.0, now, "w1", cooldown=span)

    claim = dream(NOW, 3 * HOUR)
    assert catalog.jobs.succeed(JobKind.DREAM, GLOBAL, claim.token, NOW)
    assert dream(NOW + HOUR, 3 * HOUR) == Refused(Refusal.COOLDOWN, NOW + 3 * HOUR)
    assert catalog.jobs.get(JobKind.DREAM, GLOBAL).succeeded == 7.0
    assert isinstance(dream(NOW + 1, None), Claimed)


def test_marking_dirty_grows_strictly_clears_failures_and_leaves_a_worker_be(catalog):
    jobs = catalog.jobs
    marks = []
    for now in (50.0, 40.0, NOW, 60.0):
        jobs.mark_dirty(now)
        marks.append(jobs.get(JobKind.CONSOLIDATE, GLOBAL).watermark)
    assert marks == [50.0, 51.0, NOW, NOW + 1]
    claim = consolidate(catalog)
    assert jobs.fail(JobKind.CONSOLIDATE, GLOBAL, claim.token, NOW)
    assert jobs.mark_dirty(NOW) == 5
    job = jobs.get(JobKind.CONSOLIDATE, GLOBAL)
    assert (job.status, job.retries, job.retry_at) == (JobStatus.PENDING, 3, None)
    assert isinstance(consolidate(catalog, NOW + 1), Claimed)
    jobs.mark_dirty(NOW + 2)
    assert jobs.get(JobKind.CONSOLIDATE, GLOBAL).status is JobStatus.RUNNING


def test_an_aborted_job_is_given_back_without_a_failure(catalog):
    claim = consolidate(catalog)
    assert catalog.jobs.release(JobKind.CONSOLIDATE, GLOBAL, claim.token, NOW)
    job = catalog.jobs.get(JobKind.CONSOLIDATE, GLOBAL)
    assert (job.status, job.retries) == (JobStatus.PENDING, 3)
    assert isinstance(consolidate(catalog, NOW + 1), Claimed)


def test_confirming_needs_both_the_token_and_the_generation(catalog):
    jobs, kind = catalog.jobs, JobKind.CONSOLIDATE
    claim = consolidate(catalog)
    assert claim.generation == 0
    assert jobs.confirm(kind, GLOBAL, claim.token, NOW + 60, 0)
    assert jobs.get(kind, GLOBAL).lease_until == NOW + 60 + LEASE_SECONDS
    assert not jobs.confirm(kind, GLOBAL, "other", NOW + 61, 0)
    jobs.mark_dirty(NOW + 62)
    assert not jobs.confirm(kind, GLOBAL, claim.token, NOW + 63, 0)
    assert jobs.get(kind, GLOBAL).lease_until == NOW + 60 + LEASE_SECONDS


@pytest.mark.parametrize("back", [30 * 86_400.0, 3 * HOUR])
def test_a_clock_that_jumps_back_blocks_no_claim_for_long(catalog, back):
    extract(catalog)
    assert isinstance(extract(catalog, NOW - back), Claimed)
    failed = catalog.jobs.claim(JobKind.EXTRACT, "s2", MARK, NOW, "w1")
    catalog.jobs.fail(JobKind.EXTRACT, "s2", failed.token, NOW)
    retried = catalog.jobs.claim(JobKind.EXTRACT, "s2", MARK, NOW - back, "w1")
    assert isinstance(retried, Claimed)
    done = consolidate(catalog)
    assert catalog.finish_consolidation(done.token, NOW, generation=0, cards=[])
    assert (reason(consolidate(catalog, NOW - back)) is None) == (back > COOLDOWN_SECONDS)
    assert catalog.jobs.mark_dirty(NOW - back) == 1
    assert catalog.jobs.get(JobKind.CONSOLIDATE, GLOBAL).watermark > 0


def test_a_small_jump_back_takes_no_lease_away(catalog):
    extract(catalog)
    assert reason(extract(catalog, NOW - 60, worker="w2")) is Refusal.RUNNING


def test_the_spans_and_numbers_are_those_of_the_facts():
    assert (LEASE_SECONDS, RETRY_SECONDS, COOLDOWN_SECONDS) == (3600.0, 3600.0, 6 * 3600.0)
    assert (RETRIES, PRUNE_BATCH) == (3, 200)
    assert 30 <= HEARTBEAT_SECONDS <= 90
