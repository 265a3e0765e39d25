"""A purge takes what was recorded of a memory after its note: its use, and the words about it."""

from __future__ import annotations

import pytest

from tests.services.purging import places_with
from tests.services.using import BUN, LOCK, end, reply, tell, three
from vaultmem.services.capturing.evidence_list import list_evidence
from vaultmem.services.confirm import confirm
from vaultmem.services.purge import purge
from vaultmem.services.telemetry import usage

TELEMETRY = "telemetry"


def _say(world, name, note):
    return confirm(world.here.call(), name, session="s1", note=note)


@pytest.fixture
def told(ready):
    """Three memories that an agent was told and used."""
    made = three(ready)
    tell(ready, *made)
    reply(ready, f"I did what I was told: {BUN} {LOCK} That is all of it.", *made[:2])
    return made


def _files(world):
    cache = world.here.call().vault.state.cache
    return "".join(one.read_text() for one in cache.glob(f"{TELEMETRY}*"))


def test_no_id_is_left_in_the_telemetry(ready, told):
    bun, docs, lock = told
    assert purge(ready.here.call(), bun).finished
    assert bun not in _files(ready)
    assert {one.id for one in usage(ready.here.call())} == {docs, lock}
    assert end(ready) == (docs, lock)


def test_another_device_erases_its_own_when_it_syncs(ready, told):
    bun, docs, _ = told
    other = ready.device()
    other.sync()
    ready.devices.remove(other)
    here, ready.here = ready.here, other
    tell(ready, bun, docs)
    purge(here.call(), bun)
    ready.here.sync()
    assert bun not in _files(ready)
    assert docs in _files(ready)
    ready.devices.append(other)
    ready.here = here


def test_what_was_said_of_it_goes_with_it(ready, told):
    bun, docs, _ = told
    _say(ready, bun, "The quokka suite was green.")
    _say(ready, docs, "The wombat page was clear.")
    done = purge(ready.here.call(), bun)
    assert done.finished
    ready.close()
    assert places_with([ready.folder], ("quokka",)) == set()
    assert len(places_with([ready.folder], ("wombat",))) == 1


def test_what_was_said_of_two_memories_stays_for_the_other(ready, told):
    bun, docs, _ = told
    for memory in (bun, docs):
        _say(ready, memory, "The quokka suite was green.")
    purge(ready.here.call(), bun)
    (piece,) = list_evidence(ready.here.call(), docs).pieces
    assert (piece.state, piece.evidence.excerpt) == ("intact", "The quokka suite was green.")
