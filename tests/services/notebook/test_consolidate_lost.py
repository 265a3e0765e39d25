"""Who a rewrite belongs to: one that was taken over counts no failure, and policy writes its notes."""

from __future__ import annotations

from tests.pi.model_server import says
from tests.services.notebook.rewriting import (
    HOUR,
    Meanwhile,
    Notebook,
    a_card,
    endpoint,
    good,
    writes,
)
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.store.notebook.jobs import GLOBAL, RETRIES, JobKind, JobStatus

JOB = (JobKind.CONSOLIDATE, GLOBAL)


def test_what_fails_after_it_was_taken_over_counts_no_failure(world, server):
    world.here.sync()
    book = Notebook(world)
    book.card()

    def steal(_):
        assert book.catalog.jobs.claim(*JOB, 0.0, book.now + 2 * HOUR, "thief").token

    server.script(writes(summary="no notebook"), says("Done."))
    done = book.rewrite(Meanwhile(endpoint(server), steal))
    assert done.outcome is Outcome.LOST
    job = book.catalog.jobs.get(*JOB)
    assert (job.worker, job.status, job.retries) == ("thief", JobStatus.RUNNING, RETRIES)
    assert book.history().head() is None


def test_a_rewrite_writes_the_notes_of_cards_as_policy_whoever_starts_it(world, server):
    world.here.sync()
    book = Notebook(world)
    made = a_card(watermark=book.now - HOUR, device=book.call.vault.device)
    book.catalog.cards.put(made, book.now)
    before = set(world.ledger().splitlines())
    server.script(*good(made))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    acts = [one for one in world.ledger().splitlines() if one not in before and "notebook" in one]
    assert any(" created " in one for one in acts)
    assert all('"by":"policy"' in one for one in acts), acts
