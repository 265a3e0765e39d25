"""What belongs to a project."""

from __future__ import annotations

from dataclasses import replace

from tests.core.holding import asked, ev, gone, happened, held, mem, piece, waits
from vaultmem.core.holdings import Holdings, Undecided
from vaultmem.core.wording import count, short

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
    assert short("never install packages into the system", 35) == "never install packages into the…"
    assert short("a bcdefghijklmnop", 10) == "a bcdefgh…", "no word is long enough to cut before"


def test_a_number_has_its_noun():
    assert [count(one, "question") for one in (0, 1, 2)] == [
        "0 questions",
        "1 question",
        "2 questions",
    ]
    assert count(2, "patch", "patches") == "2 patches"


def test_what_waits_belongs_to_the_project_of_what_it_is_about():
    known = replace(
        EVERYTHING,
        patches=(Undecided("patch_1", (mem(1),)), Undecided("patch_2", (mem(2),))),
        promotions=(
            Undecided("prom_1", (EVERYTHING.candidates[0].memory.id,)),
            Undecided("prom_2"),
        ),
    )
    told = known.of_project("host/a/one")
    assert [one.id for one in told.patches] == ["patch_1"]
    assert [one.id for one in told.promotions] == ["prom_1"]
    assert known.of_project("") == known


def test_what_a_ledger_counts_for_a_memory_is_evidence_of_its_project():
    one = held(1, project="host/a/one")._replace(counted=(ev(9),))
    told = replace(EVERYTHING, memories=(one,)).of_project("host/a/one")
    assert ev(9) in {piece.id for piece in told.evidence}
