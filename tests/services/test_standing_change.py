"""What a person says of one memory: it takes effect at once, is a patch, and no agent may say it."""

from __future__ import annotations

import pytest

from tests.core.fakes import fake
from tests.services.patching import standing_of
from tests.world import NOTE
from vaultmem.core.model import Status
from vaultmem.errors import (
    AgentRefusedError,
    CaptureRefusedError,
    EditRefusedError,
    NoteNotFoundError,
    NotRatifiedError,
)
from vaultmem.services import standing_change as say
from vaultmem.services.doctor import doctor
from vaultmem.services.edit import edit
from vaultmem.services.enforcing.listing import list_guardrails
from vaultmem.services.learnings import learnings
from vaultmem.services.ratify import ratify, unreviewed
from vaultmem.services.report import report
from vaultmem.services.revert import revert
from vaultmem.services.status import status as status_of

RULE = {"category": "lesson", "rule": "avoid_pattern", "confidence": 0.9}


def test_a_pin_is_the_persons_word_and_gives_force(world, known):
    done = say.pin(world.here.call(), known)
    assert (done.pinned, done.force, done.changed) == (True, True, True)
    assert "pinned: true\n" in world.read(NOTE)
    standing = standing_of(world, known)
    assert (bool(standing.pinned), bool(standing.force)) == (True, True)
    assert f" given {known} " in world.ledger("force")
    assert world.here.sync().changes == ()


def test_what_is_so_already_changes_nothing(world, known):
    call = world.here.call()
    say.pin(call, known)
    before = world.snapshot()
    again = say.pin(world.here.call(), known)
    assert (again.changed, again.patch) == (False, None)
    assert world.snapshot() == before
    for verb, name in ((say.unpin, "pinned"), (say.contest, "status"), (say.deprecate, "status")):
        first = verb(world.here.call(), known)
        assert first.changed, verb
        before = world.snapshot()
        assert getattr(verb(world.here.call(), known), name) == getattr(first, name)
        assert world.snapshot() == before, verb


def test_a_pin_signs_for_one_that_nobody_had_reviewed(world):
    identifier = world.memory(NOTE, "Add files by name.", category="lesson", pinned="true")
    world.here.sync()
    vault = world.here.call().vault
    vault.baseline.set_force(identifier, force=False)
    done = say.pin(world.here.call(), identifier)
    assert (done.force, done.changed, done.patch) == (True, True, None)


def test_a_pin_gives_no_force_to_a_guardrail_that_nobody_ratified(world):
    identifier = world.memory(
        NOTE,
        "Add files by name.",
        category="lesson",
        trigger="bash_contains git add",
        action="block",
    )
    world.here.sync()
    assert not standing_of(world, identifier).force
    done = say.pin(world.here.call(), identifier)
    assert (done.pinned, done.force) == (True, False)
    assert not say.pin(world.here.call(), identifier).force
    ratify(world.here.call(), identifier)
    assert say.pin(world.here.call(), identifier).force


def test_an_unpinned_memory_stands_by_its_score(world, known):
    say.pin(world.here.call(), known)
    done = say.unpin(world.here.call(), known)
    assert (done.pinned, done.changed) == (False, True)
    assert "pinned: true" not in world.read(NOTE)


def test_a_contested_rule_is_a_rule_no_more_and_uncontest_makes_it_one_again(world):
    identifier = world.memory(NOTE, "Add files by name.", **RULE)
    world.here.sync()
    ratify(world.here.call(), identifier)
    assert "hard_rules" in _sections(world, identifier)
    done = say.contest(world.here.call(), identifier, reason="The new tool does it.")
    assert done.status == "contested"
    assert _sections(world, identifier) == ["contested"]
    say.uncontest(world.here.call(), identifier)
    assert "hard_rules" in _sections(world, identifier)


def _sections(world, identifier):
    made = report(world.here.call())
    return [one.name for one in made.sections if identifier in one.ids]


def test_a_deprecated_memory_leaves_the_report_and_its_note_stays(world, known):
    say.deprecate(world.here.call(), known)
    assert _sections(world, known) == []
    assert world.path(NOTE).exists()
    assert learnings(world.here.call()) == []
    (one,) = learnings(world.here.call(), everything=True)
    assert one.out == "status:deprecated"


def test_a_deprecated_memory_is_not_revived_by_uncontest(world, known):
    say.deprecate(world.here.call(), known)
    with pytest.raises(EditRefusedError, match="deprecated"):
        say.uncontest(world.here.call(), known)


def test_an_exception_leaves_the_memory_out_where_it_fits(world, known):
    done = say.add_exception(
        world.here.call(), known, not_when=["publishing"], exceptions=["GitHub Packages"]
    )
    assert done.changed
    say.add_exception(world.here.call(), known, not_when=["publishing", "a demo"])
    note = world.read(NOTE)
    assert "not_when:\n  - publishing\n  - a demo\n" in note
    assert "exceptions:\n  - GitHub Packages\n" in note
    again = say.add_exception(world.here.call(), known, exceptions=["GitHub Packages"])
    assert not again.changed


def test_a_condition_is_an_exception_the_other_way_round(world, known):
    say.add_exception(world.here.call(), known, when=["staging files"])
    assert "applies_when:\n  - staging files\n" in world.read(NOTE)


@pytest.mark.parametrize("phrases", [(), ("",), ("<!-- x -->",)])
def test_an_exception_without_words_is_refused(world, known, phrases):
    with pytest.raises(EditRefusedError, match="--not"):
        say.add_exception(world.here.call(), known, not_when=phrases)


@pytest.mark.parametrize(
    "verb",
    [
        lambda call, known, text: say.contest(call, known, reason=f"See {text}."),
        lambda call, known, text: say.add_exception(call, known, exceptions=[text]),
    ],
    ids=["reason", "phrase"],
)
def test_a_secret_is_written_nowhere(world, known, verb):
    token = "gh" + "p_" + fake(36)
    before = world.snapshot()
    with pytest.raises(CaptureRefusedError, match="secret"):
        verb(world.here.call(), known, token)
    assert world.snapshot() == before


VERBS = [say.pin, say.unpin, say.contest, say.uncontest, say.deprecate, say.add_exception]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_an_agent_may_say_none_of_it(world, known, verb):
    with pytest.raises(AgentRefusedError, match="is for the person"):
        verb(world.here.call(agent="pi"), known)
    with pytest.raises(NoteNotFoundError):
        verb(world.here.call(), "nothing of the kind")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_identity_changes_only_when_it_is_ratified(world, verb):
    status = "contested" if verb is say.uncontest else "active"
    pinned = "true" if verb is say.unpin else "false"
    more = {"when": ["writing"]} if verb is say.add_exception else {}
    path = "Memory/Identity/Me.md"
    me = world.memory(path, "I am brief.", layer="L1", status=status, pinned=pinned)
    world.here.sync()
    ratify(world.here.call(), me)
    if verb in (say.contest, say.deprecate):  # these put nothing in force
        assert verb(world.here.call(), me).changed
        return
    before = world.read(path)
    with pytest.raises(NotRatifiedError, match="--ratify"):
        verb(world.here.call(), me, **more)
    assert world.read(path) == before
    done = verb(world.here.call(), me, **more, ratified=True)
    assert (done.changed, done.force) == (True, True)


def test_a_note_that_is_held_back_is_not_accepted_in_passing(world, known):
    world.replace(NOTE, "by name", "one by one")
    world.here.sync(agent="pi")
    with pytest.raises(EditRefusedError, match="vaultmem ratify"):
        say.pin(world.here.call(), known)
    assert "pinned" not in world.read(NOTE)


def test_a_note_outside_the_memory_root_is_left_to_the_person(world, known):
    world.path("Elsewhere").mkdir()
    world.path(NOTE).rename(world.path("Elsewhere/Add files by name.md"))
    world.here.sync()
    with pytest.raises(EditRefusedError, match="outside the memory root"):
        say.pin(world.here.call(), known)


def test_every_word_can_be_taken_back(world, known):
    for verb, more in (
        (say.pin, {}),
        (say.contest, {}),
        (say.deprecate, {}),
        (say.add_exception, {"not_when": ["publishing"]}),
    ):
        before = learnings(world.here.call())
        done = verb(world.here.call(), known, **more)
        revert(world.here.call(), done.patch)
        assert learnings(world.here.call()) == before
        assert "publishing" not in world.read(NOTE)


WORDS = {
    "pin": say.pin,
    "unpin": say.unpin,
    "contest": say.contest,
    "uncontest": say.uncontest,
    "deprecate": say.deprecate,
    "exception": lambda call, name: say.add_exception(call, name, not_when=["publishing"]),
    "edit": lambda call, name: edit(call, name, statement="Add them.", properties={}),
}
BACK = "--set status active` first"
# active, contested, deprecated, superseded, promoted, deleted; "" where the word holds
STEPS = {
    "pin": ("", "", BACK, "[[New]]", "promoted to", BACK),
    "unpin": ("", "", "", "[[New]]", "", BACK),
    "contest": ("", "", BACK, "[[New]]", "promoted to", BACK),
    "uncontest": ("", "", BACK, "[[New]]", "promoted to", BACK),
    "deprecate": ("", "", "", "[[New]]", "", BACK),
    "exception": ("", "", BACK, "[[New]]", "", BACK),
    "edit": ("", "", "", "[[New]]", "", BACK),
}


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("verb", WORDS)
def test_a_word_on_a_memory_that_is_over_says_so_and_what_to_do(world, verb, status):
    identifier = world.memory(
        NOTE, "Add files by name.", category="lesson", status=status, superseded_by='["[[New]]"]'
    )
    world.here.sync()
    before = world.read(NOTE)
    step = STEPS[verb][list(Status).index(status)]
    if not step:
        assert WORDS[verb](world.here.call(), identifier).path == NOTE
        return
    with pytest.raises(EditRefusedError) as told:
        WORDS[verb](world.here.call(), identifier)
    assert told.value.problem == f"The memory is {status}, so `{verb}` changes nothing."
    assert step in told.value.remedy
    assert world.read(NOTE) == before
    done = edit(world.here.call(), identifier, properties={"status": "active"})
    assert done.changed, "the step that is named works"
    assert WORDS[verb](world.here.call(), identifier).path == NOTE


@pytest.mark.parametrize("verb", WORDS)
def test_a_word_on_a_memory_whose_note_is_gone_names_its_place(world, known, verb):
    text = world.read(NOTE)
    world.path(NOTE).unlink()
    world.here.sync()
    with pytest.raises(EditRefusedError, match=f"gone.* Put the note back at {NOTE}"):
        WORDS[verb](world.here.call(), known)
    world.write(NOTE, text)
    assert WORDS[verb](world.here.call(), known).path == NOTE


def test_a_second_reason_against_a_memory_is_not_dropped_in_silence(world, known):
    say.contest(world.here.call(), known, reason="The new tool does it.")
    before = world.snapshot()
    with pytest.raises(EditRefusedError, match=r"one reason is kept.* Write it into the note"):
        say.contest(world.here.call(), known, reason="Nobody does it.")
    assert world.snapshot() == before


def test_a_note_that_was_pinned_and_unpinned_is_as_before(world, known):
    before = world.read(NOTE)
    say.pin(world.here.call(), known)
    say.unpin(world.here.call(), known)
    assert "pinned" not in world.read(NOTE)
    again = say.pin(world.here.call(), known)
    revert(world.here.call(), again.patch)
    assert "pinned" not in world.read(NOTE)
    assert world.read(NOTE).replace(_updated(world), "") == before


def _updated(world):
    return "".join(line + "\n" for line in world.read(NOTE).splitlines() if "updated" in line)


@pytest.mark.parametrize("status", ["deleted", "superseded", "deprecated", "promoted"])
def test_what_is_out_of_use_is_no_guardrail_and_is_neither_ratified_nor_pinned(world, status):
    identifier = world.memory(
        NOTE,
        "Add files by name.",
        category="mistake",
        trigger="bash_contains git add",
        action="block",
    )
    world.here.sync()
    assert len(list_guardrails(world.here.call())) == 1
    world.replace(NOTE, "type: memory", f"type: memory\nstatus: {status}")
    world.here.sync()
    call = world.here.call()

    assert list_guardrails(call) == ()
    told = status_of(call, why="", model="")
    assert (told.memories["mistake"], told.unreviewed, told.lifecycle) == (0, 0, {})
    assert unreviewed(call) == []
    assert "VM330" not in {
        one.code for one in doctor(call, set_up=(), crash_log=world.folder / "none").findings
    }
    for refused in (ratify, say.pin):
        with pytest.raises(EditRefusedError) as caught:
            refused(world.here.call(), identifier)
        assert f"The memory is {status}" in str(caught.value)
        assert f"vaultmem edit {identifier} --set status active" in caught.value.remedy
    assert "~" not in world.ledger("force")
