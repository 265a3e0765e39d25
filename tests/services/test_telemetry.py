"""What is logged of injections and replies, what it counts up to, and that it holds no word."""

from __future__ import annotations

import pytest

from tests.services.using import BUN, DOCS, LOCK, reply, tell, three
from vaultmem.core.ids import MemoryId, short_id
from vaultmem.core.standing import local_moment
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.session_use import session_use
from vaultmem.services.telemetry import Told, injected, injections_of, usage, usage_of
from vaultmem.store.telemetry import REMINDER

LONG = "I looked at the scripts first, and here is what I did then: {}. All of it passes now."


def counts(world):
    """Injected, used, cited, rate by id."""
    return {
        one.id: (one.injected, one.used, one.cited, one.rate) for one in usage(world.here.call())
    }


def test_a_reply_that_repeats_or_cites_a_memory_used_it(ready):
    bun, docs, lock = three(ready)
    tell(ready, bun, docs, lock)
    found = reply(ready, LONG.format("Use bun for local tests"), docs)
    assert found.used == (docs, bun)
    assert found.cited == (docs,)
    assert found.text == LONG.format("Use bun for local tests")
    assert counts(ready) == {bun: (1, 1, 0, 1.0), docs: (1, 1, 1, 1.0), lock: (1, 0, 0, 0.0)}


def test_after_one_prompt_a_memory_counts_once_however_often_replies_use_it(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    for _ in range(3):
        reply(ready, LONG.format(BUN), docs)
    assert counts(ready) == {bun: (1, 1, 0, 1.0), docs: (1, 1, 1, 1.0)}
    reply(ready, LONG.format(BUN), bun)
    assert counts(ready)[bun] == (1, 1, 1, 1.0), "it is cited only now"
    tell(ready, bun, docs)
    reply(ready, "No.", bun)
    assert counts(ready) == {bun: (2, 2, 2, 1.0), docs: (2, 1, 1, 0.5)}


def test_a_reminder_belongs_to_the_prompt_before_it(ready):
    bun, docs, lock = three(ready)
    tell(ready, bun, docs)
    reply(ready, "Done.", docs)
    tell(ready, lock, docs, where=REMINDER)
    reply(ready, LONG.format(BUN), docs, lock)
    assert counts(ready) == {
        bun: (1, 1, 0, 1.0),
        docs: (1, 1, 1, 1.0),
        lock: (1, 1, 1, 1.0),
    }
    tell(ready, bun)
    reply(ready, "Done.", docs)
    assert counts(ready)[docs] == (1, 1, 1, 1.0), "that prompt did not tell it"


def test_a_memory_in_two_sections_of_a_prompt_counts_once(ready):
    bun, *_ = three(ready)
    told = [Told(bun, "hard_rules"), Told(bun, "pinned")]
    injected(ready.here.call(), session="s1", query_class="general", told=told)
    assert counts(ready) == {bun: (1, 0, 0, 0.0)}


def test_a_repeated_reply_is_logged_once(ready):
    (bun, *_) = three(ready)
    tell(ready, bun)
    reply(ready, "Done.", bun)
    log = (ready.here.call().vault.state.cache / "telemetry.jsonl").read_bytes()
    for _ in range(3):
        assert reply(ready, "Done.", bun).used == (bun,)
    assert (ready.here.call().vault.state.cache / "telemetry.jsonl").read_bytes() == log


def test_sessions_are_apart(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun, session="s1")
    tell(ready, docs, session="s2")
    assert reply(ready, LONG.format(f"{BUN} {DOCS}"), session="s2").used == (docs,)
    assert counts(ready) == {docs: (1, 1, 0, 1.0), bun: (1, 0, 0, 0.0)}


def test_what_no_agent_was_shown_cannot_be_cited(ready):
    bun, docs, lock = three(ready)
    tell(ready, bun)
    assert reply(ready, "Done.", docs, lock, "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2").used == ()
    remember_shown(ready.here.call(agent="pi"), [DOCS])
    assert reply(ready, "Done.", docs, lock).cited == (docs,), "a search showed it"
    assert counts(ready) == {bun: (1, 0, 0, 0.0)}, "it was in no section"


def test_a_memory_that_is_not_in_force_any_more_is_not_used(ready):
    bun, docs, _ = three(ready)
    tell(ready, bun, docs)
    ready.path("Memory/Lessons/Use bun for local tests.md").unlink()
    ready.replace(
        "Memory/Lessons/Write the docs in plain English.md",
        "category: lesson",
        "status: deprecated",
    )
    ready.here.sync()
    assert reply(ready, LONG.format(BUN), bun, docs).used == ()


def test_a_reply_without_citation_is_the_same_text(ready):
    assert reply(ready, "Done.  \n").text == "Done.  \n"
    assert usage(ready.here.call()) == ()


def test_no_word_is_kept_of_prompt_reply_or_session(ready):
    bun, *_ = three(ready)
    secret = "please never tell anybody about the quokka"
    call = ready.here.call(agent="pi")
    injected(call, session=secret, query_class="quokka talk", told=[Told(bun, "a quokka", 0.5)])
    reply(ready, LONG.format(f"{BUN} quokka"), bun, session=secret)
    text = (call.vault.state.cache / "telemetry.jsonl").read_text()
    assert "quokka" not in text
    assert "bun" not in text
    assert session_use(call, secret).used == {bun: 1}
    assert session_use(ready.device().call(), secret).shown == ()


def test_a_device_without_the_key_counts_as_well(ready):
    bun, *_ = three(ready)
    for key in (ready.here.home / "state").glob("vault_*/key"):
        key.unlink()
    session = "a session with blanks"
    tell(ready, bun, session=session)
    assert reply(ready, "Done.", bun, session=session).used == (bun,)


def test_nothing_told_is_nothing_logged(ready):
    tell(ready)
    assert not (ready.here.call().vault.state.cache / "telemetry.jsonl").exists()


def test_the_most_often_told_come_first(ready):
    bun, docs, lock = three(ready)
    tell(ready, lock, docs)
    tell(ready, docs)
    tell(ready, lock, bun)
    reply(ready, LONG.format(LOCK), lock)
    assert [one.id for one in usage(ready.here.call())] == [lock, docs, bun]


def test_when_a_memory_was_injected_is_told_newest_first(ready):
    bun, docs, _ = three(ready)
    first = int(ready.here.call().seconds)
    tell(ready, bun)
    ready.here.pass_time(hours=1)
    tell(ready, bun, docs)
    newest, oldest = injections_of(ready.here.call(), bun)
    assert 0 <= (oldest - local_moment(first)).total_seconds() < 60
    assert 3_600 <= (newest - oldest).total_seconds() < 3_700
    assert local_moment(usage_of(ready.here.call(), bun).last) == newest
    nothing = usage_of(ready.here.call(), "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
    assert (nothing.injected, nothing.used, nothing.last, nothing.rate) == (0, 0, 0, 0.0)


@pytest.mark.parametrize("similarity", [None, 0.0, 0.12345, 1.0])
def test_similarity_is_kept_to_three_digits(ready, similarity):
    bun, *_ = three(ready)
    injected(
        ready.here.call(),
        session="s1",
        query_class="debug",
        told=[Told(MemoryId(bun), "contextual", similarity)],
    )
    text = (ready.here.call().vault.state.cache / "telemetry.jsonl").read_text()
    expected = "null" if similarity is None else str(round(similarity, 3))
    assert f'["{bun}","contextual",{expected}]' in text
    assert short_id(bun) not in text
