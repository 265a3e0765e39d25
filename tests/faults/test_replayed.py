"""Faults that the state machine once found, as the shortest plays that showed them."""

from __future__ import annotations

import pytest

from tests.faults.catalogue import fault
from tests.faults.test_state_machine import Play
from tests.faults.words import SECOND_THOUGHTS, STATEMENTS
from vaultmem.core.model import Category
from vaultmem.notes.candidate import Decision

pytestmark = fault("play")

LESSON = Category.LESSON


@pytest.fixture
def play(monkeypatch, memory):
    """A stage that is looked at once more in the end, and after each step by `_`."""
    monkeypatch.setattr(Play, "place", str(memory))
    made = Play()
    yield made
    made.only_what_people_said_is_in_force()
    made.teardown()


def _adds(play: Play, at: int = 0, *, text: int = 0, pin: bool = False) -> None:
    play.adds(at=at, text=text, category=LESSON, pin=pin, override=False)


def test_an_agents_new_note_with_an_id_is_held_on_a_machine_that_joins(play):
    play.drops_a_note(at=0, number=1, folder="Lessons", window=False)
    play.another_machine_joins()


def test_an_agents_new_note_with_an_id_is_held_on_the_other_machine(play):
    play.another_machine_joins()
    play.drops_a_note(at=0, number=1, folder="Identity", window=True)
    play.looks(at=1)


@pytest.mark.parametrize("how", ["claims", "decides"])
@pytest.mark.parametrize("window", [True, False])
def test_a_decision_that_an_agent_wrote_decides_on_no_machine_however_late(play, window, how):
    play.another_machine_joins()
    play.proposes(at=0, words=STATEMENTS[0], override=False)
    play.looks(at=1)
    play.tampers_with_a_note(at=0, one=0, how=how, window=window)
    play.time_passes({"minutes": 11})
    play.looks(at=1)


def test_a_decision_that_lies_there_when_a_machine_joins_decides_nothing(play):
    play.drops_a_note(at=0, number=1, folder="Inbox", window=False)
    play.another_machine_joins()
    play.looks(at=1)


def test_a_decision_that_an_agent_wrote_decides_nothing_when_the_note_is_saved_again(play):
    play.proposes(at=0, words=STATEMENTS[0], override=False)
    play.tampers_with_a_note(at=0, one=0, how="claims", window=False)
    play.saves_a_note_again(one=0)
    play.looks(at=0)


def test_an_approval_that_an_agent_wrote_approves_nothing_when_the_note_is_saved_again(play):
    play.proposes(at=0, words=STATEMENTS[0], override=False)
    play.tampers_with_a_note(at=0, one=0, how="decides", window=False)
    play.looks(at=0)
    play.saves_a_note_again(one=0)
    play.looks(at=0)


def test_an_identity_that_an_agent_claims_is_none_by_an_approval(play):
    play.proposes(at=0, words=STATEMENTS[0], override=False)
    play.tampers_with_a_note(at=0, one=0, how="claims", window=False)
    play.decides(at=0, one=0, decision=Decision.APPROVE)


def test_a_forged_ledger_line_takes_no_force_from_a_pin_whose_edit_waits(play):
    play.another_machine_joins()
    _adds(play, 1, pin=True)
    play.looks(at=0)
    play.edits_a_statement(at=0, one=0, words=SECOND_THOUGHTS[0])
    play.forges_ledger_lines(at=0, one=0, other=0, line=0, window=False)


def test_a_purge_leaves_no_words_of_a_twin_whose_note_has_vanished(play):
    _adds(play)
    play.deletes_a_note(at=0, one=0)
    _adds(play)
    play.purges(at=0, one=0)


@pytest.mark.parametrize("joins", ["first", "after"])
def test_an_agents_words_that_are_saved_again_are_nobodys_on_the_other_machine(play, joins):
    _adds(play)
    if joins == "first":
        play.another_machine_joins()
    play.tampers_with_a_note(at=0, one=0, how="says", window=False)
    play.saves_a_note_again(one=1)  # the first one is what shows the edit in the inbox
    if joins == "after":
        play.another_machine_joins()
    play.looks(at=1)


def test_a_decision_in_the_note_of_an_external_candidate_is_carried_out_once(play):
    _adds(play)
    play.tampers_with_a_note(at=0, one=0, how="says", window=False)
    play.decides_in_the_note(at=0, one=0, word="approve")


def test_a_memory_whose_note_an_agent_rewrote_on_another_machine_is_not_undone_as_it_stands(play):
    play.proposes(at=0, words=STATEMENTS[0], override=False)
    play.another_machine_joins()
    play.decides(at=1, one=0, decision=Decision.APPROVE)
    play.looks(at=0)
    play.tampers_with_a_note(at=0, one=0, how="says", window=False)
    play.undoes(at=1)


def test_a_text_stays_deleted_when_its_note_says_something_else_and_is_purged(play):
    _adds(play)
    play.forgets(at=0, one=0)
    play.edits_a_statement(at=0, one=0, words=SECOND_THOUGHTS[0])
    play.looks(at=0)
    play.purges(at=0, one=0)
    _adds(play)


@pytest.mark.parametrize("verb", ["forget", "purge"])
@pytest.mark.parametrize("step", range(1, 9))
def test_a_text_whose_deletion_was_cut_short_stays_deleted(play, verb, step):
    _adds(play)
    play.dies_deleting(at=0, one=0, verb=verb, step=step)
    _adds(play)


def test_a_broken_note_that_an_agent_moves_stays_where_it_was(play):
    _adds(play)
    play.breaks_a_note(at=0, one=0)
    play.tampers_with_a_note(at=0, one=0, how="moves", window=True)


def test_a_deletion_is_not_explained_by_what_an_agent_removed_before_this_machine_knew(play):
    play.writes_a_note(at=0, text=0, folder="Preferences", pinned=False, number=2)
    play.tampers_with_a_note(at=0, one=0, how="removes", window=False)
    play.another_machine_joins()
    play.looks(at=0)
    play.writes_a_note(at=0, text=0, folder="Preferences", pinned=False, number=2)
    play.deletes_a_note(at=1, one=0)


def test_a_purge_leaves_no_name_on_a_machine_that_knew_only_the_path(play):
    _adds(play)
    play.breaks_a_note(at=0, one=0)
    play.another_machine_joins()
    play.mends_a_note(one=0)
    play.purges(at=0, one=0)


def test_a_purge_leaves_no_words_in_a_finding_about_another_note(play):
    _adds(play, text=4, pin=True)
    play.writes_a_note(at=0, text=3, folder="Lessons", pinned=False, number=1)
    play.purges(at=0, one=0)


def test_an_edit_that_says_what_was_purged_is_no_late_note_of_it(play):
    play.another_machine_joins()
    _adds(play, text=4)
    play.purges(at=0, one=0)
    _adds(play, text=2)
    play.edits_a_statement(at=0, one=0, words=STATEMENTS[4])
    play.looks(at=0)
    play.looks(at=1)
    play.looks(at=0)
