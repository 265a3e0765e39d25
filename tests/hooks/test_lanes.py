"""Lanes: jobs in their order, a late one never keeps the next ones waiting longer than its limit."""

from __future__ import annotations

import threading
from contextlib import contextmanager

from vaultmem.hooks.lanes import MOST_LATE, Clock, Job, Lane

WAIT = 10.0


class Owned:
    """What the threads of a lane own: each its own number."""

    def __init__(self) -> None:
        self.made = 0
        self.closed: list[int] = []

    @contextmanager
    def open(self):
        self.made += 1
        mine = self.made
        yield mine
        self.closed.append(mine)


def job(work, *, late=lambda: None, must=False):
    return Job(work, late=late, must=must)


def test_jobs_are_done_in_their_order_by_one_thread():
    owned, seen, done = Owned(), [], threading.Event()
    lane = Lane("test", owned.open)

    for number in range(20):
        lane.put(job(lambda own, number=number: seen.append((own, number))))
    lane.put(job(lambda _: done.set()))

    assert done.wait(WAIT)
    assert seen == [(1, number) for number in range(20)]
    assert lane.finish(WAIT)
    assert owned.closed == [1]


def test_a_lane_that_was_never_used_ends_at_once():
    owned = Owned()

    assert Lane("test", owned.open).finish(0)
    assert owned.made == 0


def test_a_job_that_hangs_is_passed_by_and_its_thread_ends_when_it_returns():
    owned, hangs, began, seen = Owned(), threading.Event(), threading.Event(), []
    lane, told = Lane("test", owned.open), threading.Event()

    def hang(own):
        began.set()
        hangs.wait(WAIT)
        seen.append(own)

    late = []
    first = job(hang, late=lambda: late.append("late"))
    lane.put(first)
    assert began.wait(WAIT)
    assert first.expire()
    lane.pass_by(first)
    lane.put(job(lambda own: (seen.append(own), told.set())))

    assert told.wait(WAIT)
    assert (late, seen) == (["late"], [2])
    hangs.set()
    assert lane.finish(WAIT)
    while len(owned.closed) < 2:
        pass
    assert seen == [2, 1]


def test_so_many_threads_may_hang_and_no_more():
    owned, hangs, late = Owned(), threading.Event(), []
    lane = Lane("test", owned.open)
    for _ in range(MOST_LATE + 1):
        began = threading.Event()
        one = job(lambda _, began=began: (began.set(), hangs.wait(WAIT)))
        lane.put(one)
        assert began.wait(WAIT)
        one.expire()
        lane.pass_by(one)
    waits = job(lambda _: None, late=lambda: late.append(1))
    lane.put(waits)

    assert waits.expire()
    assert (owned.made, late) == (MOST_LATE + 1, [1])
    assert not lane.finish(0.01)
    hangs.set()


def test_only_the_running_job_is_passed_by():
    owned, hangs, began = Owned(), threading.Event(), threading.Event()
    lane = Lane("test", owned.open)
    lane.put(job(lambda _: (began.set(), hangs.wait(WAIT))))
    waits = job(lambda _: None)
    lane.put(waits)
    assert began.wait(WAIT)

    lane.pass_by(waits)

    assert owned.made == 1
    hangs.set()
    assert lane.finish(WAIT)


def test_a_job_is_answered_once_and_is_left_out_when_nobody_waits_for_it():
    done, late = [], []
    one = job(done.append, late=lambda: late.append(1))

    assert one.close()
    assert not one.close()
    assert not one.expire()
    one.run(5)
    assert (done, late) == ([], [])


def test_what_must_be_done_is_done_although_it_is_late():
    done, late = [], []
    one = job(done.append, late=lambda: late.append(1), must=True)

    assert one.expire()
    one.run(5)

    assert (done, late) == ([5], [1])


def test_the_clock_calls_at_the_moment_and_the_sooner_one_first():
    clock, seen, done = Clock(), [], threading.Event()

    clock.at(0.05, lambda: (seen.append("second"), done.set()))
    clock.at(0.0, lambda: seen.append("first"))

    assert done.wait(WAIT)
    assert seen == ["first", "second"]
