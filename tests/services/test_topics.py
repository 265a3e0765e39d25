"""The topics of a vault, as its notes and settings stand now."""

from __future__ import annotations

import pytest

from vaultmem.services.topics import list_topics

MADE = "2026-01-05"


@pytest.fixture
def tagged(ready):
    ready.memory("Memory/Lessons/One.md", "Add files by name.", tags="[memory/git]", created=MADE)
    ready.memory(
        "Memory/Lessons/Two.md",
        "Fetch before a rebase.",
        tags="[memory/git]",
        project="a/b",
        created=MADE,
    )
    ready.memory(
        "Memory/Decisions/Three.md",
        "Dates are UTC.",
        tags="[memory/time]",
        project="c/d",
        created=MADE,
    )
    return ready


def counts(found) -> dict[str, int]:
    return {one.name: one.entries for one in found}


def test_topics_are_the_categories_and_tags_of_what_a_person_just_wrote(tagged):
    assert counts(list_topics(tagged.here.call())) == {
        "lesson": 2,
        "git": 2,
        "decision": 1,
        "time": 1,
    }


def test_a_project_has_its_own_topics_and_those_of_what_holds_everywhere(tagged):
    call = tagged.here.call()
    assert counts(list_topics(call, project="A/B")) == {"lesson": 2, "git": 2}
    assert counts(list_topics(call, project="")) == {"lesson": 1, "git": 1}


def test_a_memory_that_is_forgotten_leaves_its_topics(tagged):
    tagged.here.sync()
    tagged.replace("Memory/Decisions/Three.md", "type: memory", "type: memory\nstatus: deleted")
    assert counts(list_topics(tagged.here.call())) == {"lesson": 2, "git": 2}


def test_a_topic_cools_while_nothing_confirms_it(tagged):
    def hotness():
        return {one.name: one.hotness for one in list_topics(tagged.here.call())}

    before = hotness()
    tagged.here.pass_time(days=40)
    assert all(0 < after < before[name] for name, after in hotness().items())


def test_an_empty_vault_has_no_topics(ready):
    assert list_topics(ready.here.call()) == []
