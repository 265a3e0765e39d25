"""Candidates that wait are told their knowledge notes once, and again when something changes."""

from __future__ import annotations

import pytest

from tests.services.candidates import captured, inbox
from vaultmem.errors import DiskFullError
from vaultmem.index.engine import SearchEngine
from vaultmem.notes.hints import TITLE
from vaultmem.services.curating.hinting import find_hints, hints_of
from vaultmem.services.knowledge_vault import KnowledgeVault

NOTE = "Ranking by BM25 weighs rare words more than common ones and long notes less.\n"
SAYS = "Weigh rare words more than common ones in the ranking of notes."
LINK = "[[Notes/BM25 Ranking|BM25 Ranking]]"
FRUIT = ("Apples", "Berries", "Cherries", "Dates", "Elderberries", "Figs")


class Looking:
    """A person's looks at the inbox; counts for how many of them an engine was made."""

    def __init__(self, world):
        self.world = world
        self.engines = []

    def look(self, *others, agent=None, opened=()):
        self.world.here.sync(agent=agent)
        call = self.world.here.call(agent=agent)

        def engine():
            self.engines.append(SearchEngine(call.vault.state.cache / "index"))
            return self.engines[-1]

        one, *_ = inbox(self.world)
        found = find_hints(call, engine, others=others, opened=opened)
        return [hint.link for hint in found[one.id]]


@pytest.fixture
def person(world):
    for name in FRUIT:
        world.write(f"Fruit/{name}.md", f"{name} are eaten raw; each of them has a season.\n")
    world.write("Notes/BM25 Ranking.md", NOTE)
    world.here.sync()
    made = Looking(world)
    yield made
    for engine in made.engines:
        engine.close()


@pytest.fixture
def path(world, person):
    return captured(world.here.call(), SAYS)


def test_a_candidate_is_told_its_note_in_property_and_callout(world, person, path):
    assert person.look() == [LINK]
    text = world.read(path)
    assert f'vault_ref_suggestions:\n  - "{LINK}"\n' in text
    assert f"{TITLE}\n> - {LINK} (0." in text
    (one,) = inbox(world)
    assert [hint.link for hint in hints_of(world.here.call(), one)] == [LINK]
    assert world.here.sync().changes == ()


def test_a_second_look_needs_no_engine_and_writes_nothing(world, person, path):
    person.look()
    before = world.snapshot()
    assert person.look() == [LINK]
    assert person.look() == [LINK]
    assert len(person.engines) == 1
    assert world.snapshot() == before


def test_a_candidate_without_a_note_is_looked_at_once(world, person):
    captured(world.here.call(), "Answers begin with the result.")
    assert (person.look(), person.look()) == ([], [])
    assert len(person.engines) == 1


def test_a_new_candidate_is_looked_at(world, person, path):
    person.look()
    second = captured(world.here.call(), SAYS.replace("the ranking", "a ranking"))
    person.look()
    assert LINK in world.read(second)
    assert len(person.engines) == 2


def test_a_new_knowledge_note_is_told_to_those_that_wait(world, person, path):
    person.look()
    world.write("Notes/Rare words.md", SAYS)
    assert person.look()[0] == "[[Notes/Rare words|Rare words]]"
    world.path("Notes/Rare words.md").unlink()
    world.path("Notes/BM25 Ranking.md").unlink()
    assert person.look() == []
    assert TITLE not in world.read(path)
    assert "vault_ref_suggestions" not in world.read(path)


def test_a_note_of_another_vault_is_told_when_it_comes(world, person, path, tmp_path):
    wiki = tmp_path / "Wiki"
    wiki.mkdir()
    other = KnowledgeVault(wiki, tmp_path / "cache", root=None, embedder=None)
    assert person.look(other) == [LINK]
    for name in FRUIT:
        (wiki / f"{name}.md").write_text(f"{name} are eaten raw; each of them has a season.\n")
    (wiki / "Words.md").write_text(SAYS)
    assert "[Words](obsidian://open?vault=Wiki&file=Words)" in person.look(other)
    assert len(person.engines) == 2
    person.look(other)
    assert len(person.engines) == 2
    other.close()


def test_an_agent_looks_for_nothing_and_sees_what_it_may_read(world, person, path):
    assert person.look(agent="pi", opened=[""]) == []
    assert person.engines == []
    assert person.look() == [LINK]
    assert person.look(agent="pi", opened=[""]) == [LINK]
    assert person.look(agent="pi", opened=["Notes"]) == [LINK]
    assert person.look(agent="pi", opened=["Note", "Fruit"]) == [], "only where it may read"
    assert person.look(agent="pi") == []


def test_a_note_that_somebody_changed_is_neither_written_nor_believed(world, person, path):
    person.look()
    world.replace(path, LINK, "[[Fruit/Figs|Figs]]")
    before = world.read(path)
    assert person.look() == [LINK]
    assert world.read(path) == before
    (one,) = inbox(world)
    assert hints_of(world.here.call(), one) == ()


def test_a_note_that_cannot_be_written_is_told_all_the_same_and_written_later(
    world, person, path, monkeypatch
):
    def full(*_):
        raise DiskFullError("The disk is full. Free some space.")

    with monkeypatch.context() as broken:
        broken.setattr("vaultmem.services.curating.hinting.write_notes", full)
        assert person.look() == [LINK]
    assert TITLE not in world.read(path)
    assert person.look() == [LINK]
    assert TITLE in world.read(path)


def test_two_devices_do_not_take_turns_in_what_a_candidate_suggests(world, person, path, tmp_path):
    there = world.device()
    there.sync()
    wiki = tmp_path / "Wiki"
    wiki.mkdir()
    (wiki / "Words.md").write_text(SAYS)
    other = KnowledgeVault(wiki, tmp_path / "cache", root=None, embedder=None)
    call = there.call()
    engine = SearchEngine(call.vault.state.cache / "index")
    find_hints(call, lambda: engine, others=[other])
    assert "obsidian://open?vault=Wiki" in world.read(path), "nobody had looked yet"
    assert person.look() == [LINK], "the device that made it knows better"
    there.sync()
    find_hints(there.call(), lambda: engine, others=[other])
    assert "obsidian:" not in world.read(path)
    engine.close()
    other.close()


def test_an_external_change_is_no_candidate_for_a_note(world, person):
    world.memory("Memory/Lessons/x.md", "Add files by name.", category="lesson")
    world.here.sync()
    world.replace("Memory/Lessons/x.md", "by name", "one by one")
    world.here.sync(agent="pi")
    call = world.here.call()
    assert find_hints(call, lambda: pytest.fail("not needed")) == {}
