"""`vaultmem reinforce`: whose word counts for a memory, and how often."""

from __future__ import annotations

import pytest

from tests.services.using import BUN, tell, three
from vaultmem.errors import AmbiguousIdError, NoteNotFoundError
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.confirm import confirm
from vaultmem.services.search import search
from vaultmem.services.switch import WRITE, Place, switch


def say(world, name, *, agent=None, **options):
    return confirm(world.here.call(agent=agent), name, **options)


def codes(done):
    return [one.code for one in done.findings]


def test_a_persons_word_counts_each_time(ready):
    bun, *_ = three(ready)
    first = say(ready, "Use bun for local tests")
    assert (first.outcome, first.id, first.statement) == ("reinforced", bun, BUN)
    assert first.path == "Memory/Lessons/Use bun for local tests.md"
    second = say(ready, bun[-8:].lower())
    assert second.evidence == first.evidence + 1


def test_in_a_session_it_counts_once(ready):
    bun, *_ = three(ready)
    assert say(ready, bun, session="s1").outcome == "reinforced"
    again = say(ready, bun, session="s1")
    assert (again.outcome, codes(again)) == ("known", ["VM626"])
    assert say(ready, bun, session="s2").outcome == "reinforced"


def test_an_agent_reinforces_only_what_it_was_shown(ready):
    bun, docs, _ = three(ready)
    done = say(ready, bun, agent="pi", session="s1")
    assert (done.outcome, codes(done)) == ("refused", ["VM862"])
    tell(ready, bun)
    assert codes(say(ready, bun, agent="pi", session="s2")) == ["VM862"], "another session's"
    assert say(ready, bun, agent="pi", session="s1").outcome == "reinforced"
    remember_shown(ready.here.call(agent="pi"), ["Write the docs in plain English."])
    assert say(ready, docs, agent="pi").outcome == "reinforced"


def test_an_agent_without_a_session_counts_once_a_day(ready):
    bun, *_ = three(ready)
    remember_shown(ready.here.call(agent="pi"), [BUN])
    said = [say(ready, bun, agent="pi").outcome for _ in range(3)]
    assert said == ["reinforced", "known", "known"]
    ready.here.pass_time(days=1)
    assert say(ready, bun, agent="pi").outcome == "reinforced"


def test_a_session_that_an_agent_names_must_have_been_told_the_memory(ready):
    """Shown anywhere is not shown in the session that it names."""
    bun, *_ = three(ready)
    remember_shown(ready.here.call(agent="pi"), [BUN])
    for invented in ("a", "b", "c"):
        assert codes(say(ready, bun, agent="pi", session=invented)) == ["VM862"]
    assert ready.ledger("reinforcement") == ""


def test_what_a_search_found_for_a_session_was_told_in_it(ready):
    bun, *_ = three(ready)
    app = ready.here.app(agent="pi")
    search(app.call(), app.engine, "bun tests", session="s1")
    assert codes(say(ready, bun, agent="pi", session="s2")) == ["VM862"]
    assert say(ready, bun, agent="pi", session="s1").outcome == "reinforced"


def test_no_name_of_a_session_gives_an_agent_more_than_one_word_a_day(ready):
    """It can have itself told a memory in as many sessions as it can name."""
    bun, *_ = three(ready)
    tell(ready, bun, session="")
    for invented in ("a", "b", "c"):
        tell(ready, bun, session=invented)
    remember_shown(ready.here.call(agent="pi"), [BUN])
    said = [say(ready, bun, agent="pi", session=one).outcome for one in ("a", "b", "", "c", "a")]
    assert said == ["reinforced", "known", "known", "known", "known"]
    ready.here.pass_time(days=1)
    assert say(ready, bun, agent="pi", session="b").outcome == "reinforced"
    assert say(ready, bun, agent="pi").outcome == "known"
    assert say(ready, bun, session="b").outcome == "known", "a person, in the same session"
    assert say(ready, bun, session="d").outcome == "reinforced", "a person's session is no agent's"


def test_what_is_out_of_use_gets_no_evidence(ready):
    bun, docs, _ = three(ready)
    ready.replace(
        "Memory/Lessons/Use bun for local tests.md", "category: lesson", "status: deprecated"
    )
    ready.path("Memory/Lessons/Write the docs in plain English.md").unlink()
    ready.here.sync()
    for memory in (bun, docs):
        done = say(ready, memory)
        assert (done.outcome, codes(done)) == ("refused", ["VM861"])
    assert ready.ledger("reinforcement") == ""


def test_a_contested_memory_can_be_confirmed(ready):
    bun, *_ = three(ready)
    ready.replace(
        "Memory/Lessons/Use bun for local tests.md", "category: lesson", "status: contested"
    )
    ready.here.sync()
    assert say(ready, bun).outcome == "reinforced"


@pytest.mark.parametrize(
    "place", [Place(), Place(project="github.com/acme/billing"), Place(session="s1")]
)
def test_where_remembering_is_off_nothing_counts(ready, place):
    bun, *_ = three(ready)
    switch(ready.here.call(), [WRITE], place, off=True)
    done = say(ready, bun, session="s1", project="github.com/acme/billing")
    assert (done.outcome, codes(done)) == ("refused", ["VM623"])


def test_names_that_mean_no_memory_or_several(ready):
    with pytest.raises(NoteNotFoundError):
        say(ready, "nothing")
    ready.memory("Memory/Lessons/Twin.md", "One.")
    ready.memory("Memory/Patterns/Twin.md", "Two.")
    ready.here.sync()
    with pytest.raises(AmbiguousIdError):
        say(ready, "Twin")


def test_what_a_person_changed_by_hand_is_in_force_first(ready):
    bun, *_ = three(ready)
    ready.replace("Memory/Lessons/Use bun for local tests.md", BUN, "Use bun for every test.")
    assert say(ready, bun).statement == "Use bun for every test."
