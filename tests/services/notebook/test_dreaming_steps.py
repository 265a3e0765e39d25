"""The steps of a dream that need no model, and what becomes of it when something fails."""

from __future__ import annotations

import errno
import os
import socket
from dataclasses import replace

import pytest

from tests.acceptance.forging import append_line, ledger_note, spelled
from tests.pi.model_server import MODEL, Reply
from tests.services.candidates import captured, inbox
from tests.services.notebook.dreams import MAKE, Sleeper, answer
from tests.services.patching import apply_open, memory_of
from tests.services.promoting import DEPLOY, heard
from tests.services.test_curate import allowed
from vaultmem.core.endpoint_url import Endpoint
from vaultmem.core.evidence import Polarity, SourceKind, new_evidence
from vaultmem.core.ids import with_prefix
from vaultmem.core.notebook.dream import DreamAnswer, Stale
from vaultmem.core.notebook.dream_proposals import World, proposals
from vaultmem.core.notebook.settings import NotebookSettings
from vaultmem.core.operation import Op, Operation
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.errors import DiskFailedError
from vaultmem.llm.endpoint import EndpointModel
from vaultmem.notes.candidate import Decision
from vaultmem.notes.evidence import append_evidence
from vaultmem.services import evidence, patches
from vaultmem.services.curating.applied_alone import applied_alone
from vaultmem.services.inbox import decide
from vaultmem.services.notebook.asking import OUTPUT
from vaultmem.services.notebook.dream import DreamOutcome
from vaultmem.services.notebook.dreaming.night import Night
from vaultmem.services.notebook.dreaming.origins import MOST
from vaultmem.services.notebook.dreaming.told import DREAMED, tell_patch
from vaultmem.services.notebook.transcripts import PLACEHOLDER
from vaultmem.services.revert import revert
from vaultmem.services.switch import WRITE, Place, switch
from vaultmem.store.disk import DISK
from vaultmem.store.notebook.jobs import GLOBAL, JobKind, JobStatus

TOKEN = "sk-" + "abcdefghijklmnopqrstuvwxyz123456"
TABLES = "Prefer tables in every report."


def learned(world, text: str = TABLES, *, sessions: tuple[str, ...] = ("s1",), **fields) -> str:
    """A memory that the person approved, whose note names no session; its id."""
    path = captured(world.here.call(), text, sessions=sessions, **fields)
    (one,) = (each for each in inbox(world) if each.path == path)
    decide(world.here.call(), one.id, Decision.APPROVE)
    world.here.pass_time(minutes=10)
    return with_prefix(one.id, "mem")


def job(sleeper: Sleeper):
    catalog = sleeper.catalog()
    found = catalog.jobs.get(JobKind.DREAM, GLOBAL)
    catalog.close()
    return found


# Provenance


def test_a_memory_learns_its_session_from_its_evidence(sleeper):
    world = sleeper.world
    known = learned(world, sessions=("s2", "s1"))
    assert memory_of(world, known).source_session is None
    done = sleeper.dream(model=None)
    assert (done.merged, done.patch) == (1, None)
    assert memory_of(world, known).source_session in ("s1", "s2")
    assert "source_session: s" in world.read("Memory/Lessons/Prefer tables in every report.md")
    assert sleeper.dream(model=None).merged == 0
    (told,) = applied_alone(world.here.call())
    assert told.memory == known, "the person is told, with the command that takes it back"
    assert world.here.sync().changes == ()


def test_the_earliest_piece_says_where_a_memory_came_from(sleeper):
    world = sleeper.world
    links = []
    for session in ("late", "later"):
        call = world.here.call()
        links += evidence.record(call, [_piece(call, TABLES, session=session)])
        world.here.pass_time(hours=1)
    known = learned(world, evidence=tuple(reversed(links)))
    sleeper.dream(model=None)
    assert memory_of(world, known).source_session == "late"


def _piece(call, text: str, **parts):
    usual = {"source_kind": SourceKind.CONVERSATION, "trust": TrustClass.USER_CORRECTION}
    return new_evidence(**{**usual, "excerpt": text, "created": call.local, **parts})


@pytest.mark.parametrize(
    "pieces",
    [
        [],
        [{"session": None}],
        [{"session": "s1", "polarity": Polarity.CONTRADICTS}],
    ],
)
def test_evidence_that_does_not_know_says_nothing(sleeper, pieces):
    world = sleeper.world
    call = world.here.call()
    links = evidence.record(call, [_piece(call, TABLES, **one) for one in pieces])
    known = learned(world, evidence=links)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known).source_session is None


def test_evidence_that_was_changed_says_nothing(sleeper):
    world = sleeper.world
    known = learned(world)
    (note,) = (path for path in world.notes() if "System/Evidence/" in path)
    text = world.read(note)
    assert "s1" in text
    world.write(note, text.replace("s1", "s9"))
    world.here.pass_time(minutes=10)
    world.here.sync()
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known).source_session is None


@pytest.mark.parametrize("fields", [{"source_session": "s7"}, {"pinned": True}])
def test_what_has_a_session_or_acts_is_left_as_it_is(sleeper, fields):
    world = sleeper.world
    known = learned(world, **fields)
    before = memory_of(world, known)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known) == before


def test_where_policy_may_not_act_the_person_decides_about_provenance_too(sleeper):
    world = sleeper.world
    allowed(world, curator_auto_curate="off")
    known = learned(world)
    done = sleeper.dream(model=None)
    assert (done.merged, [one.kind for one in done.proposals]) == (0, ["origin"])
    assert memory_of(world, known).source_session is None
    assert "- [x] op_001" in world.read(done.path), "it rests on no model's word"
    assert sleeper.dream(model=None).waiting == done.patch
    apply_open(world, done.patch)
    assert memory_of(world, known).source_session == "s1"
    again = sleeper.dream(model=None)
    assert (again.merged, again.patch, again.waiting) == (0, None, None)


def test_where_policy_may_not_act_nothing_is_filled_in_while_a_patch_waits(sleeper):
    world = sleeper.world
    allowed(world, curator_auto_curate="off")
    sleeper.lessons()
    sleeper.script(answer(stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}]))
    first = sleeper.dream()
    known = learned(world)
    again = sleeper.dream()
    assert (again.waiting, again.merged) == (first.patch, 0)
    assert memory_of(world, known).source_session is None


def test_a_memory_in_doubt_is_left_as_it_is(sleeper):
    world = sleeper.world
    call = world.here.call()
    (link,) = evidence.record(call, [_piece(call, TABLES, session="s1")])
    known = world.memory(
        "Memory/Lessons/Doubt.md",
        TABLES,
        category="lesson",
        confidence=0.9,
        status="contested",
        evidence=f'["{link}"]',
    )
    world.here.sync()
    world.here.pass_time(minutes=10)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known).source_session is None


def test_evidence_that_no_device_recorded_says_nothing(sleeper):
    world = sleeper.world
    call = world.here.call()
    evidence.record(call, [_piece(call, "Another thing.", session="s0")])
    (note,) = (path for path in world.notes() if "System/Evidence/" in path)
    forged = _piece(call, TABLES, session="s1")
    world.write(note, append_evidence(world.path(note).read_bytes(), forged))
    day = {"date": call.local.date().isoformat(), "by": "person"}
    line = spelled("evidence", forged.id, day)
    append_line(world, ledger_note(world, "activity"), line)
    known = world.memory(
        "Memory/Lessons/Forged.md",
        TABLES,
        category="lesson",
        confidence=0.9,
        evidence=f'["{evidence.link_to(note, forged.id)}"]',
    )
    world.here.sync()
    world.here.pass_time(minutes=10)
    assert evidence.find(world.here.call(), [forged.id]) == (forged,)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known).source_session is None


def test_what_the_settings_find_too_unsure_is_not_filled_in(sleeper):
    known = learned(sleeper.world, confidence=0.5)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(sleeper.world, known).source_session is None


def test_provenance_that_the_person_took_back_stays_away(sleeper):
    world = sleeper.world
    known = learned(world)
    sleeper.dream(model=None)
    (told,) = applied_alone(world.here.call())
    revert(world.here.call(), told.patch)
    world.here.pass_time(days=1)
    assert sleeper.dream(model=None).merged == 0
    assert memory_of(world, known).source_session is None


def test_a_note_in_which_somebody_is_writing_is_filled_in_later(sleeper):
    world = sleeper.world
    known = learned(world)
    note = "Memory/Lessons/Prefer tables in every report.md"
    world.write(note, world.read(note) + "\nA remark.\n")
    now = world.here.call().now.timestamp()
    os.utime(world.path(note), (now, now))
    world.here.sync()
    assert sleeper.dream(model=None).merged == 0
    world.here.pass_time(minutes=10)
    assert sleeper.dream(model=None).merged == 1
    assert memory_of(world, known).source_session == "s1"


def test_one_dream_fills_in_a_few_only(sleeper):
    world = sleeper.world
    call = world.here.call()
    for number in range(MOST + 2):
        text = f"Topic{number:02} wants habit{number:02} of everybody."
        (link,) = evidence.record(call, [_piece(call, text, session=f"s{number}")])
        world.memory(
            f"Memory/Lessons/{number}.md",
            text,
            category="lesson",
            confidence=0.9,
            evidence=f'["{link}"]',
        )
    world.here.sync()
    world.here.pass_time(minutes=10)
    assert [sleeper.dream(model=None).merged for _ in range(3)] == [MOST, 2, 0]


# Promotion


def test_what_was_said_in_three_sessions_is_proposed_for_promotion(sleeper):
    heard(sleeper.world, DEPLOY, "s1", "s2")
    assert sleeper.dream(model=None).promoted == 0
    heard(sleeper.world, DEPLOY, "s3")
    done = sleeper.dream(model=None)
    assert done.promoted == 1
    assert any(path.startswith("Memory/Promotions/") for path in sleeper.world.notes())
    assert sleeper.dream(model=None).promoted == 0


# The model


def test_with_the_endpoint_down_the_steps_that_need_none_go_on(sleeper):
    world = sleeper.world
    learned(world)
    heard(world, DEPLOY, "a", "b", "c")
    sleeper.script(Reply(status=500, text="down", repeat=True))
    done = sleeper.dream(force=False)
    assert done.outcome is DreamOutcome.WITHOUT_MODEL
    assert (done.merged, done.promoted, done.patch) == (1, 1, None)
    assert [one.code for one in done.findings] == ["VM957"]
    assert "What needs no model was done." in done.findings[0].message
    assert job(sleeper).status is JobStatus.ERROR
    assert sleeper.dream(force=False).outcome is DreamOutcome.RETRY
    world.here.pass_time(hours=1, minutes=1)
    sleeper.script(answer())
    assert sleeper.dream(force=False).outcome is DreamOutcome.NOTHING
    assert job(sleeper).status is JobStatus.DONE


def test_an_answer_of_the_wrong_form_is_asked_for_once_more_with_more_room(sleeper):
    sleeper.lessons()
    sleeper.script("Sure, here you are!", answer(stale=[{"id": "m1", "reason": "Over."}]))
    done = sleeper.dream()
    assert [one.kind for one in done.proposals] == ["stale"]
    assert done.usage.input == 200
    assert [_room(one) for one in sleeper.server.requests] == [OUTPUT, 2 * OUTPUT]


def _room(request) -> object:
    return request.body.get("max_completion_tokens") or request.body.get("max_tokens")


def test_what_is_no_answer_twice_proposes_nothing_and_is_tried_again(sleeper):
    sleeper.lessons()
    before = sleeper.world.notes()
    sleeper.script("Sure!", '{"candidates": []}')
    done = sleeper.dream(force=False)
    assert (done.outcome, done.patch, len(sleeper.sent)) == (DreamOutcome.WITHOUT_MODEL, None, 2)
    assert sleeper.world.notes() == before
    assert job(sleeper).status is JobStatus.ERROR
    assert job(sleeper).error == "What the model answered is not of the form that was asked for."
    sleeper.world.here.pass_time(hours=2)
    sleeper.script(answer(stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}]))
    assert sleeper.dream(force=False).patch is not None


def test_a_dream_without_an_answer_keeps_what_was_said_of_it(sleeper):
    sleeper.lessons()
    sleeper.script(Reply(text="down", status=503))
    sleeper.dream(force=False)
    assert "is busy or broken (503)" in job(sleeper).error
    assert "Error" not in job(sleeper).error


def test_a_dream_that_could_not_be_kept_says_so_in_a_sentence(sleeper, monkeypatch):
    sleeper.lessons()

    def fails(_night):
        raise DiskFailedError(f"The disk of {TOKEN} failed.")

    monkeypatch.setattr(Night, "_merge", fails)
    sleeper.script(answer())
    with pytest.raises(DiskFailedError):
        sleeper.dream(force=False)
    assert job(sleeper).error == f"The disk of {PLACEHOLDER} failed."


def test_a_model_that_nothing_was_sent_to_costs_nothing(sleeper):
    sleeper.lessons()
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{one.getsockname()[1]}/v1"
    done = sleeper.dream(model=EndpointModel(Endpoint(url, local=True), MODEL, key=None))
    assert done.outcome is DreamOutcome.WITHOUT_MODEL
    catalog = sleeper.catalog()
    assert catalog.usage.by_purpose() == []
    catalog.close()


def test_what_a_dream_costs_is_counted(sleeper):
    sleeper.lessons()
    sleeper.script(answer())
    done = sleeper.dream()
    assert (done.usage.input, done.usage.output) == (100, 10)
    catalog = sleeper.catalog()
    (spent,) = catalog.usage.by_purpose()
    catalog.close()
    assert (spent.purpose, spent.calls, spent.input, spent.output) == ("dream", 1, 100, 10)


def test_without_a_model_it_says_so_and_has_not_failed(sleeper):
    sleeper.lessons()
    done = sleeper.dream(model=None, force=False)
    assert done.outcome is DreamOutcome.WITHOUT_MODEL
    assert done.findings[0].message.startswith("No model is set up.")
    assert job(sleeper).status is JobStatus.DONE
    assert sleeper.sent == []


class Limited(EndpointModel):
    """A model whose provider has told what is left of its limits."""

    left: float

    def remaining_percent(self) -> float | None:
        return self.left


@pytest.mark.parametrize(("left", "asked"), [(24.9, 0), (25.0, 1)])
def test_below_the_limit_of_the_allowance_nothing_is_asked(sleeper, left, asked):
    sleeper.lessons()
    usual = sleeper.model()
    model = Limited(usual._endpoint, MODEL, key=None)
    model.left = left
    sleeper.script(answer())
    done = sleeper.dream(model=model, settings=NotebookSettings(rate_percent=25))
    assert len(sleeper.sent) == asked
    assert (done.outcome is DreamOutcome.WITHOUT_MODEL) is (asked == 0)


# One at a time


def test_two_dreams_are_three_hours_apart_unless_a_person_asks(sleeper):
    sleeper.lessons()
    sleeper.script(answer())
    assert sleeper.dream(force=False).outcome is DreamOutcome.NOTHING
    sleeper.world.here.pass_time(hours=2, minutes=59)
    assert sleeper.dream(force=False).outcome is DreamOutcome.COOLDOWN
    assert sleeper.dream(force=True).outcome is DreamOutcome.NOTHING
    assert sleeper.dream(force=False).outcome is DreamOutcome.NOTHING


def test_one_dream_runs_at_a_time(sleeper):
    world = sleeper.world
    catalog = sleeper.catalog()
    now = world.here.call().now.timestamp()
    catalog.jobs.claim(JobKind.DREAM, GLOBAL, 0.0, now, "another")
    assert sleeper.dream().outcome is DreamOutcome.RUNNING
    world.here.pass_time(hours=1, minutes=1)  # its lease is over: it died
    assert sleeper.dream().outcome is DreamOutcome.NOTHING
    catalog.close()


def test_during_a_reset_nobody_dreams(sleeper):
    catalog = sleeper.catalog()
    with catalog.maintenance("reset", 0.0):
        assert sleeper.dream().outcome is DreamOutcome.RUNNING
    catalog.close()


class Overtaken(EndpointModel):
    """A model that answers when another worker has taken the work over."""

    sleeper: Sleeper

    def ask(self, ask, *, seconds, stop):
        found = super().ask(ask, seconds=seconds, stop=stop)
        catalog = self.sleeper.catalog()
        later = self.sleeper.world.here.call().now.timestamp() + 4000
        assert catalog.jobs.claim(JobKind.DREAM, GLOBAL, 0.0, later, "another", force=True).token
        catalog.close()
        return found


@pytest.mark.parametrize("lasts", ["no", "long_term", "unsure"])
def test_who_lost_the_claim_writes_nothing(sleeper, lasts):
    world = sleeper.world
    sleeper.lessons()
    captured(world.here.call(), TABLES, durability=Durability.UNKNOWN)
    world.here.pass_time(minutes=10)
    model = Overtaken(sleeper.model()._endpoint, MODEL, key=None)
    model.sleeper = sleeper
    sleeper.script(
        answer(
            candidates=[{"id": "c1", "lasts": lasts, "reason": "x"}],
            stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}],
        )
    )
    before = world.snapshot()
    done = sleeper.dream(model=model)
    assert (done.outcome, done.patch) == (DreamOutcome.STOPPED, None)
    assert world.snapshot() == before
    assert (job(sleeper).worker, job(sleeper).status) == ("another", JobStatus.RUNNING)


def test_one_that_is_told_to_stop_gives_the_work_back(sleeper):
    sleeper.lessons()
    learned(sleeper.world)
    sleeper.script(Reply(text=answer(), delay=30.0))
    done = sleeper.dream(stop=lambda: len(sleeper.sent) > 0)
    assert (done.outcome, done.merged) == (DreamOutcome.STOPPED, 0)
    assert job(sleeper).status is JobStatus.PENDING
    sleeper.script(answer())
    assert sleeper.dream(force=False).merged == 1, "the next one waits for nothing"


def test_where_remembering_is_off_nobody_dreams(sleeper):
    sleeper.lessons()
    switch(sleeper.world.here.call(), [WRITE], Place(), off=True)
    done = sleeper.dream()
    assert done.outcome is DreamOutcome.OFF
    assert [one.code for one in done.findings] == ["VM623"]
    assert job(sleeper) is None


def test_where_the_notebook_is_on_for_no_project_nothing_is_sent(sleeper):
    sleeper.lessons()
    done = sleeper.dream(projects=())
    assert (done.outcome, sleeper.sent) == (DreamOutcome.OFF, [])
    assert "vaultmem notebook on" in done.findings[0].remedy
    assert sleeper.dream(projects=(), dry=True).asks == ()


def test_lines_that_nobody_signed_say_nothing_of_earlier_dreams(sleeper):
    world = sleeper.world
    known = sleeper.lessons()
    call = world.here.call()
    stale = Operation(op=Op.FLAG_FOR_REVIEW, target=known["suite"], changes={"review": None})
    other = patches.new(call, [(stale, memory_of(world, known["suite"]))])
    patches.save(call, other)
    forged = spelled(DREAMED, other.id, {"by": "policy", "patch": other.id})
    append_line(world, ledger_note(world, "activity"), forged)
    world.here.sync()
    sleeper.script(answer())
    assert sleeper.dream().waiting is None


def test_without_the_vaults_key_nobody_dreams(sleeper):
    sleeper.lessons()
    (key,) = (sleeper.world.here.home / "state").glob("vault_*/key")
    key.unlink()
    done = sleeper.dream()
    assert done.outcome is DreamOutcome.OFF
    assert "vaultmem key import" in done.findings[0].remedy
    assert sleeper.sent == []


def test_nothing_that_is_kept_tells_a_purged_text(sleeper):
    """Who guesses a text cannot confirm it by what dreams keep: every hash has the vault's key."""
    world = sleeper.world
    sleeper.lessons()
    said = sleeper.shown(MAKE)
    sleeper.script(answer(stale=[{"id": said, "reason": "Over."}]))
    done = sleeper.dream()
    (one,) = done.proposals
    assert one.mark not in world.ledger()
    assert MAKE not in world.ledger()


# What cannot be written


def test_a_patch_that_could_not_be_saved_is_proposed_when_it_can(sleeper, monkeypatch):
    world = sleeper.world
    sleeper.lessons()
    said = answer(stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}])
    sleeper.script(said, said)
    real = DISK.open_new

    def full(path, mode=0o666):
        if "Inbox" in str(path):
            raise OSError(errno.ENOSPC, "full")
        return real(path, mode)

    with monkeypatch.context() as disk:
        disk.setattr(DISK, "open_new", full)
        with pytest.raises(DiskFailedError):
            sleeper.dream()
    assert job(sleeper).status is JobStatus.ERROR
    assert patches.open_patches(world.here.call()) == []
    assert sleeper.dream().patch is not None


def test_what_was_signed_and_never_saved_counts_as_not_proposed(sleeper):
    """A process that was killed between the two."""
    world = sleeper.world
    sleeper.lessons()
    said = answer(stale=[{"id": sleeper.shown(MAKE), "reason": "Over."}])
    sleeper.script(said, said)
    first = sleeper.dream()
    patches.reject(world.here.call(), first.patch)
    world.replace("Memory/Lessons/make.md", MAKE, f"{MAKE} Still.")
    world.here.pass_time(days=1)
    world.here.sync()
    killed = world.here.call()
    lost = patches.new(killed, [first.proposals[0].steps[0]])
    (again,) = _marked(sleeper, f"{MAKE} Still.", first)
    tell_patch(killed, lost, [again])
    sleeper.script(answer(stale=[{"id": sleeper.shown(f"{MAKE} Still."), "reason": "Over."}]))
    assert sleeper.dream().patch is not None


def _marked(sleeper, statement: str, first):
    """What the next dream will propose of a statement."""
    memory = memory_of(sleeper.world, first.proposals[0].about[0])
    assert memory.statement == statement
    step = first.proposals[0].steps[0][0]
    one = replace(memory, review=None)
    world = World({"m1": one}, {}, sleeper.world.here.call().local, str, str)
    return proposals(DreamAnswer(stale=(Stale("m1", step.reason),)), world)


def test_a_candidate_whose_note_is_gone_by_now_is_no_trouble(sleeper):
    world = sleeper.world
    path = captured(world.here.call(), TABLES, durability=Durability.UNKNOWN)
    world.here.pass_time(minutes=10)

    class Late(EndpointModel):
        def ask(self, ask, *, seconds, stop):
            world.path(path).unlink()
            return super().ask(ask, seconds=seconds, stop=stop)

    sleeper.script(answer(candidates=[{"id": "c1", "lasts": "long_term", "reason": "x"}]))
    done = sleeper.dream(model=Late(sleeper.model()._endpoint, MODEL, key=None))
    assert (done.reviewed, done.durable) == (1, ())
