"""A session that ends is queued at once and settled later, by whoever comes next."""

from __future__ import annotations

from tests.services.candidates import captured
from vaultmem.services.session_queue import queue_session, settle_queued
from vaultmem.store.ended import MAX_BYTES, read_ended


def state(world):
    return world.here.call().vault.state.folder


def waiting(world):
    return sorted(one.session for one in read_ended(state(world)))


def test_a_session_waits_once_and_is_settled_once(ready):
    captured(ready.here.call(), "Add files by name.")
    queue_session(ready.here.call(agent="pi"), "s1")
    queue_session(ready.here.call(agent="pi"), "s1")
    queue_session(ready.here.call(agent="pi"), "s2")
    assert waiting(ready) == ["s1", "s2"]

    assert sorted(settle_queued(ready.here.call().by_policy())) == ["s1", "s2"]

    assert waiting(ready) == []
    assert settle_queued(ready.here.call().by_policy()) == ()
    assert [one.statement for one in ready.here.call().vault.baseline.standings()] == [
        "Add files by name."
    ]


def test_while_a_tool_may_write_the_sessions_wait(ready):
    queue_session(ready.here.call(), "s1")
    call = ready.here.call()
    ready.here.open_window(call.nanoseconds)

    assert settle_queued(call.by_policy()) == ()
    assert waiting(ready) == ["s1"]


def test_any_id_can_wait_and_what_cannot_be_read_names_none(ready):
    queue_session(ready.here.call(), "\ud800 / ..")
    folder = state(ready) / "ended"
    (folder / "broken").mkdir()
    (folder / "long").write_bytes(b"x" * (MAX_BYTES + 1))
    (folder / ".tmp").write_bytes(b"x")

    assert waiting(ready) == ["\ud800 / .."]
    assert folder.stat().st_mode & 0o777 == 0o700
