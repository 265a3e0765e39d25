"""Notes in which a person decides, copied: told at both, and nothing is decided until one is gone."""

from __future__ import annotations

import pytest

from tests.world import NOTE, SAYS
from vaultmem.core.promotion_words import Destination
from vaultmem.errors import AmbiguousIdError
from vaultmem.services.inquiries import ask, find_inquiry, inquiries
from vaultmem.services.maintain import maintain
from vaultmem.services.patches import find_patch, open_patches
from vaultmem.services.promote import accept, list_, propose_one, reject


def _findings(world, *codes):
    return [one for one in world.here.sync().findings if one.code in codes]


def _status(world):
    (one,) = world.here.call().vault.baseline.standings()
    return one.status


def _copy(world, path):
    """A copy of a note, as Obsidian names it; it comes first."""
    copy = path.replace(".md", " 1.md")
    world.write(copy, world.read(path))
    return copy


@pytest.fixture
def old(world):
    """A vault with one memory that nobody has needed for years."""
    world.memory(NOTE, SAYS, category="lesson", created="2020-01-01T10:00:00")
    world.here.sync()
    return world


@pytest.fixture
def patch(old):
    """A patch that waits."""
    return maintain(old.here.call()).proposed


@pytest.fixture
def promotion(old):
    """A proposal that waits, to take the memory out of use."""
    return propose_one(old.here.call(), NOTE, Destination.DISCARD).path


@pytest.fixture
def question(old):
    """A question that waits."""
    return ask(old.here.call(), "Which of the two tables is the right one?").path


@pytest.mark.parametrize("kind", ["patch", "promotion", "question"])
def test_a_copied_note_is_a_finding_at_both_until_one_is_gone(old, kind, request):
    path = request.getfixturevalue(kind)
    copy = _copy(old, path)
    told = _findings(old, "VM304")
    assert [(one.path, kind in one.message) for one in told] == [(copy, True), (path, True)]
    old.path(copy).unlink()
    assert _findings(old, "VM304") == []


@pytest.mark.parametrize("decide", [accept, reject])
@pytest.mark.parametrize("named", ["id", "path"])
def test_nothing_is_decided_about_a_promotion_that_stands_in_two_notes(
    old, promotion, decide, named
):
    copy = _copy(old, promotion)
    old.here.sync()
    identifier = list_(old.here.call())[0].id
    with pytest.raises(AmbiguousIdError, match="several notes"):
        decide(old.here.call(), copy if named == "path" else identifier)
    assert _status(old) == "active"


@pytest.mark.parametrize("decided", ["copy", "original", "both"])
def test_a_decision_about_a_copied_promotion_waits_until_one_is_gone(old, promotion, decided):
    copy = _copy(old, promotion)
    old.here.sync()
    chosen, other = (copy, promotion) if decided == "copy" else (promotion, copy)
    old.replace(chosen, "decision:", "decision: accept")
    if decided == "both":
        old.replace(other, "decision:", "decision: reject")
    told = _findings(old, "VM833")
    assert (chosen in [one.path for one in told], _status(old)) == (True, "active")
    old.path(other).unlink()
    assert (_findings(old, "VM304", "VM833"), _status(old)) == ([], "deprecated")


def test_a_decision_about_a_copied_patch_waits_until_one_is_gone(old, patch):
    copy = _copy(old, patch)
    old.here.sync()
    old.replace(copy, "decision:", "decision: apply")
    old.replace(copy, "- [ ]", "- [x]")
    (told,) = _findings(old, "VM657")
    assert (told.path, patch in told.message, _status(old)) == (copy, True, "active")
    for name in (copy, open_patches(old.here.call())[0].id):
        with pytest.raises(AmbiguousIdError, match="several notes"):
            find_patch(old.here.call(), name)
    old.path(patch).unlink()
    assert (_findings(old, "VM304", "VM657"), _status(old)) == ([], "deprecated")


def test_a_question_is_asked_on_where_only_its_copy_was_answered(old, question):
    copy = _copy(old, question)
    old.here.sync()
    identifier = inquiries(old.here.call())[0].id
    old.replace(copy, "status: open", "status: withdrawn")
    assert old.here.sync().applied == 0
    with pytest.raises(AmbiguousIdError, match="several notes"):
        find_inquiry(old.here.call(), identifier)
    old.path(copy).unlink()
    old.here.sync()
    assert " withdrawn " not in old.ledger(), "one of two notes is no question taken back"
    assert [one.inquiry.status for one in inquiries(old.here.call())] == ["open"]
    old.path(question).unlink()
    old.here.sync()
    assert ask(old.here.call(), "Which of the two tables is the right one?").already
