"""Two workers on the same jobs, in any order, at any time: never do two of them hold one job."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from tests.store.notebook.cards import NOW, card
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook.jobs import (
    GLOBAL,
    LEASE_SECONDS,
    Claimed,
    JobKind,
    JobStatus,
    Refusal,
    Refused,
)

WORKERS = st.sampled_from([0, 1])
SESSIONS = st.sampled_from(["s1", "s2"])


class Held(NamedTuple):
    """What a worker believes to hold."""

    kind: JobKind
    key: str
    claim: Claimed
    mark: float


class TwoWorkers(RuleBasedStateMachine):
    """The catalog beside a model of who holds what, up to where each session was read."""

    held = Bundle("held")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.workers = [NotebookCatalog(self.folder), NotebookCatalog(self.folder)]
        self.now = NOW
        self.grown = {"s1": NOW, "s2": NOW}
        self.read: dict[str, float] = {}
        self.holder: dict[tuple[JobKind, str], tuple[str, float]] = {}
        self.tokens: set[str] = set()
        self.dirty = 0

    def teardown(self) -> None:
        for worker in self.workers:
            worker.close()
        shutil.rmtree(self.folder)

    @rule(seconds=st.sampled_from([1.0, 1800.0, 3600.0, 7 * 3600.0, -5.0, -90_000.0]))
    def time_passes_or_jumps_back(self, seconds: float) -> None:
        self.now += seconds

    @rule(session=SESSIONS)
    def a_session_goes_on(self, session: str) -> None:
        self.grown[session] += 10

    @rule(worker=WORKERS)
    def input_changes(self, worker: int) -> None:
        before = self.workers[0].jobs.get(JobKind.CONSOLIDATE, GLOBAL)
        self.dirty += 1
        assert self.workers[worker].jobs.mark_dirty(self.now) == self.dirty
        after = self.workers[1].jobs.get(JobKind.CONSOLIDATE, GLOBAL)
        assert after is not None
        assert before is None or after.watermark > before.watermark

    @rule(worker=WORKERS, session=SESSIONS, target=held)
    def claim_a_session(self, worker: int, session: str):
        mark = self.grown[session]
        found = self.claim(worker, JobKind.EXTRACT, session, mark)
        if self.read.get(session, 0.0) >= mark:
            assert isinstance(found, Refused)
        return self.kept(JobKind.EXTRACT, session, found, mark)

    @rule(worker=WORKERS, force=st.booleans(), target=held)
    def claim_the_notebook(self, worker: int, force: bool):
        found = self.claim(worker, JobKind.CONSOLIDATE, GLOBAL, 0.0, force=force)
        return self.kept(JobKind.CONSOLIDATE, GLOBAL, found)

    @rule(worker=WORKERS, one=held)
    def live_on(self, worker: int, one: Held) -> None:
        lives = self.workers[worker].jobs.heartbeat(one.kind, one.key, one.claim.token, self.now)
        assert lives == self.holds(one)
        if lives:
            self.holder[one.kind, one.key] = (one.claim.token, self.now + LEASE_SECONDS)

    @rule(worker=WORKERS, one=consumes(held))
    def fail(self, worker: int, one: Held) -> None:
        jobs = self.workers[worker].jobs
        ended = jobs.fail(one.kind, one.key, one.claim.token, self.now, "no answer")
        self.ends(one, ended=ended)

    @rule(worker=WORKERS, one=consumes(held))
    def give_back(self, worker: int, one: Held) -> None:
        jobs = self.workers[worker].jobs
        self.ends(one, ended=jobs.release(one.kind, one.key, one.claim.token, self.now))

    @rule(worker=WORKERS, one=consumes(held), empty=st.booleans())
    def succeed(self, worker: int, one: Held, empty: bool) -> None:
        catalog, token = self.workers[worker], one.claim.token
        had = catalog.cards.get(one.key)
        if one.kind is JobKind.CONSOLIDATE:
            current = one.claim.generation == self.dirty
            done = catalog.finish_consolidation(
                token, self.now, generation=one.claim.generation, cards=[]
            )
            assert done == (self.holds(one) and current)
            if done:
                del self.holder[one.kind, one.key]
            return
        made = None if empty else card(one.key, watermark=one.mark)
        done = catalog.finish_extraction(one.key, token, self.now, made)
        self.ends(one, ended=done)
        if done:
            self.read[one.key] = max(self.read.get(one.key, 0.0), one.mark)
            self.dirty += made is not None or had is not None
            assert (catalog.cards.get(one.key) is None) == empty
        else:
            assert catalog.cards.get(one.key) == had

    @invariant()
    def what_runs_is_held_and_what_is_held_runs(self) -> None:
        running = {
            (job.kind, job.key): job.token
            for job in self.workers[0].jobs.all()
            if job.status is JobStatus.RUNNING
        }
        assert running == {place: token for place, (token, _) in self.holder.items()}
        assert self.workers[1].jobs.generation() == self.dirty

    def claim(self, worker: int, kind: JobKind, key: str, mark: float, *, force: bool = False):
        found = self.workers[worker].jobs.claim(
            kind, key, mark, self.now, f"w{worker}", force=force
        )
        token, lease = self.holder.get((kind, key), ("", self.now))
        if self.now < lease <= self.now + 2 * LEASE_SECONDS:  # one further ahead is not believed
            assert isinstance(found, Refused)
            assert found.reason is Refusal.RUNNING
        if isinstance(found, Claimed):
            assert found.token not in self.tokens
            assert found.generation == self.dirty
            assert token != found.token
            self.tokens.add(found.token)
            self.holder[kind, key] = (found.token, self.now + LEASE_SECONDS)
        return found

    def kept(self, kind: JobKind, key: str, found: Claimed | Refused, mark: float = 0.0):
        return Held(kind, key, found, mark) if isinstance(found, Claimed) else multiple()

    def holds(self, one: Held) -> bool:
        return self.holder.get((one.kind, one.key), ("", 0.0))[0] == one.claim.token

    def ends(self, one: Held, *, ended: bool) -> None:
        assert ended == self.holds(one)
        if ended:
            del self.holder[one.kind, one.key]


TestTwoWorkers = TwoWorkers.TestCase
TestTwoWorkers.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
