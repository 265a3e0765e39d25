"""A worker's lease is renewed while it works, and it learns at once that it must stop."""

from __future__ import annotations

import time

import pytest

from tests.services.notebook.rewriting import QUICK
from vaultmem.errors import BusyError
from vaultmem.services.notebook.holding import USUAL_PACE, Holding
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import GLOBAL, LEASE_SECONDS, JobKind

JOB = (JobKind.CONSOLIDATE, GLOBAL)
NOW = 1_764_400_000.0


@pytest.fixture
def catalog(tmp_path):
    made = NotebookCatalog(tmp_path / "state")
    yield made
    made.close()


def held(catalog, *, pace=QUICK):
    claimed = catalog.jobs.claim(*JOB, 1.0, NOW, "test")
    return Holding(catalog, claimed, NOW, lambda: False, pace)


def until(true):
    """Wait for something that a thread does."""
    for _ in range(2000):
        if true():
            return True
        time.sleep(0.005)
    return False


def lease(catalog):
    return catalog.jobs.get(*JOB).lease_until


def test_the_lease_is_renewed_at_least_every_minute():
    assert USUAL_PACE.look + USUAL_PACE.beat <= 60


def test_the_lease_grows_while_the_work_goes_on(catalog):
    with held(catalog) as holding:
        assert until(lambda: lease(catalog) > NOW + LEASE_SECONDS)
        first = lease(catalog)
        assert until(lambda: lease(catalog) > first)
        assert not holding.must_stop()


def test_a_job_that_another_took_ends_the_work(catalog):
    with held(catalog) as holding:
        catalog.jobs.claim(*JOB, 1.0, NOW + LEASE_SECONDS * 1.5, "other")
        assert until(holding.must_stop)
        assert (holding.lost, holding.confirm()) == (True, False)


def test_newer_input_ends_the_work(catalog):
    with held(catalog) as holding:
        catalog.jobs.mark_dirty(NOW)
        assert until(holding.must_stop)
        assert (holding.outdated, holding.lost, holding.confirm()) == (True, False, False)


def test_a_catalog_that_is_busy_for_a_moment_ends_nothing(catalog, monkeypatch):
    busy = []

    def heartbeat(*_):
        busy.append(1)
        raise BusyError("busy")

    with held(catalog) as holding:
        with monkeypatch.context() as patch:
            patch.setattr(catalog.jobs, "heartbeat", heartbeat)
            assert until(lambda: len(busy) > 1)
        assert not holding.must_stop()
        assert holding.confirm()


def test_confirming_renews_the_lease(catalog):
    with held(catalog, pace=USUAL_PACE) as holding:
        assert holding.confirm()
        assert lease(catalog) > NOW + LEASE_SECONDS
