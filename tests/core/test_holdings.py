"""What belongs to a project."""

from __future__ import annotations

from tests.core.holding import asked, gone, happened, held, mem, piece, waits
from vaultmem.core.holdings import Holdings, short

EVERYTHING = Holdings(
    memories=(
        held(1, project="host/a/one", cites=(1,)),
        held(2, project="host/a/two", cites=(2,)),
        held(3, cites=(3,)),
    ),
    candidates=(waits(4, project="host/a/one", cites=(4,)), waits(5, project="host/a/two")),
    evidence=(piece(1), piece(2), piece(3), piece(4), piece(9)),
    outcomes=(happened(1, 1), happened(2, 2)),
    deleted=(gone(3, 1), gone(4, 2)),
    inquiries=(asked(1, project="host/a/one"), asked(2, project="host/a/two"), asked(3)),
)


def test_without_a_project_everything_belongs():
    assert EVERYTHING.of_project("") is EVERYTHING


def test_a_project_has_its_own_and_what_belongs_to_none():
    made = EVERYTHING.of_project("HOST/a/One")
    assert [one.memory.id for one in made.memories] == [mem(1), mem(3)]
    assert [one.memory.statement for one in made.candidates] == ["Idea 4."]
    assert [one.id for one in made.evidence] == [piece(1).id, piece(3).id, piece(4).id]
    assert [one.memory for one in made.outcomes] == [mem(1)]
    assert [one.memory for one in made.deleted] == [mem(1)]
    assert len(made.inquiries) == 2


def test_a_project_alone_has_nothing_of_the_others():
    made = EVERYTHING.of_project("host/a/two", shared=False)
    assert [one.memory.id for one in made.memories] == [mem(2)]
    assert [one.project for one in made.inquiries] == ["host/a/two"]


def test_a_long_text_is_cut_and_says_so():
    assert short("a" * 80) == "a" * 80
    assert short("ab " * 40, 10) == "ab ab ab…"
