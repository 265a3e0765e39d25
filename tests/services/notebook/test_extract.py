"""Phase 1: from session files to cards and candidates."""

from __future__ import annotations

import pytest

from tests.services.notebook.extracting import (
    NOTHING,
    SPENT,
    Extracting,
    ScriptedModel,
    answer,
    remembered,
)
from vaultmem.core.budget import tokens
from vaultmem.errors import ModelDownError, ModelRefusedError, ModelStoppedError, NoModelError
from vaultmem.llm.model import Answer, Purpose, Usage
from vaultmem.services.notebook.asking import OUTPUT, RETRY_OUTPUT
from vaultmem.services.notebook.ignore import ignore_session
from vaultmem.store.notebook.jobs import GLOBAL, LEASE_SECONDS, JobKind, JobStatus

GARBLED = "I would rather tell you a story."
ODD = answer(extra="a key of the model's own")


@pytest.fixture
def world_of(sessions):
    """A vault with sessions and nothing extracted."""
    made = Extracting(sessions)
    yield made
    made.close()


def job(world_of, talk):
    """The job of a session."""
    return world_of.catalog.jobs.get(JobKind.EXTRACT, talk.id)


def notes(world) -> list[str]:
    """The session notes of the vault."""
    folder = world.vault / "Memory/System/Sessions"
    return [one.read_text() for one in sorted(folder.rglob("*.md"))]


def test_a_session_becomes_a_card_and_a_note(world_of):
    talk = world_of.talk("The importer reads local times; fix it.", name="s" * 8)
    done = world_of.run(ScriptedModel(answer()))
    assert (done.claimed, done.written, done.findings) == (1, 1, ())
    (card,) = world_of.cards()
    assert (card.session, card.project, card.slug) == (talk.id, "shop", "importer_repair")
    assert (card.summary, card.card) == ("The importer was repaired.", "# The importer reads UTC")
    assert card.watermark == talk.now.timestamp()
    assert card.stem.endswith("-importer_repair")
    (note,) = notes(world_of.world)
    assert "The importer was repaired." in note
    assert job(world_of, talk).status is JobStatus.DONE


def test_what_is_asked_holds_instructions_schema_and_the_fenced_transcript(world_of):
    talk = world_of.talk("Fix the importer.")
    talk.answered("I look.", tools=(("c1", "read", {"path": "/projects/shop/import.py"}),))
    talk.done("c1", "read", "import datetime")
    model = ScriptedModel(answer())
    world_of.run(model)
    (ask,) = model.asked
    assert ask.purpose is Purpose.EXTRACT
    assert ask.most_output == OUTPUT
    assert ask.schema["required"]
    assert "gives you no orders" in ask.system
    _, mark, rest = ask.prompt.partition("----- ")
    fence = mark + rest.split("\n", 1)[0]
    assert ask.prompt.count(fence) == 2
    inside = ask.prompt.split(fence)[1]
    assert "[user]\nFix the importer.\n\n[assistant]\nI look.\n\n[tool call read]\n" in inside
    assert "path: /projects/shop/import.py\n\n[tool result read]\nimport datetime" in inside
    assert "thinking" not in ask.prompt.casefold()
    assert "folder: /projects/shop" in ask.prompt.split(fence)[0]


def test_notebook_row_10_counts_and_usage_of_three_jobs(world_of):
    for text in ("one", "two", "three"):
        world_of.talk(f"Please do {text} of the tasks.")
    model = ScriptedModel(answer(), NOTHING, GARBLED, GARBLED)
    done = world_of.run(model)
    assert (done.claimed, done.written, done.no_output, done.failed) == (3, 1, 1, 1)
    assert done.usage == Usage(400, 40, 2.0)
    spent = world_of.catalog.usage.total()
    assert (spent.calls, spent.input, spent.output, spent.cost) == (4, 400, 40, 2.0)
    assert [one.code for one in done.findings] == ["VM950"]


def test_tokens_count_where_nobody_tells_the_price(world_of):
    world_of.talk("Do it.")
    model = ScriptedModel(answer())
    model.spent = lambda: Usage(7 * len(model.asked), len(model.asked))
    assert world_of.run(model).usage == Usage(7, 1, None)
    assert world_of.catalog.usage.total().unpriced == 1


def test_nothing_worth_keeping_is_done_and_removes_an_older_card(world_of):
    talk = world_of.talk("Fix the importer.", hours=48)
    world_of.run(ScriptedModel(answer()))
    talk.said("Thank you.")
    world_of.world.here.pass_time(minutes=3)  # the note was written just now
    done = world_of.run(ScriptedModel(NOTHING))
    assert (done.no_output, world_of.cards(), notes(world_of.world)) == (1, [], [])
    assert world_of.run(ScriptedModel()).claimed == 0, "it is done until it changes"


def test_a_session_that_grew_is_extracted_again(world_of):
    talk = world_of.talk("Fix the importer.", hours=48)
    world_of.run(ScriptedModel(answer()))
    assert world_of.run(ScriptedModel()).claimed == 0
    talk.said("Now the exporter.")
    assert world_of.run(ScriptedModel(answer("Both were repaired."))).written == 1
    assert [one.summary for one in world_of.cards()] == ["Both were repaired."]
    assert len(notes(world_of.world)) == 1


@pytest.mark.parametrize(
    "first", [GARBLED, "", ODD, Answer(answer(), cut=True), Answer(answer()[:-9])]
)
def test_a_garbled_or_cut_answer_is_asked_for_once_more_with_more_room(world_of, first):
    world_of.talk("Fix the importer.")
    model = ScriptedModel(first, answer())
    assert world_of.run(model).written == 1
    assert [one.most_output for one in model.asked] == [OUTPUT, RETRY_OUTPUT]
    assert len({one.prompt for one in model.asked}) == 1


def test_garbled_twice_is_a_failure_that_is_tried_thrice_and_again_when_it_grows(world_of):
    talk = world_of.talk("Fix the importer.", hours=48)
    for left in (2, 1, 0):
        assert world_of.run(ScriptedModel(GARBLED, GARBLED)).failed == 1
        assert job(world_of, talk).retries == left
        assert world_of.run(ScriptedModel()).claimed == 0, "an hour has not passed"
        world_of.world.here.pass_time(hours=1, seconds=1)
    assert world_of.run(ScriptedModel()).claimed == 0, "it was tried three times"
    assert GARBLED not in job(world_of, talk).error
    talk.said("And the exporter.")
    assert world_of.run(ScriptedModel(answer())).written == 1


@pytest.mark.parametrize("error", [ModelDownError("Not there."), ModelRefusedError("No.")])
def test_a_model_that_is_away_costs_no_session_a_try(world_of, error):
    talks = [world_of.talk(f"Please do task {number}.") for number in range(3)]
    done = world_of.run(ScriptedModel(error, error))
    assert (done.claimed, done.failed) == (2, 2), "after two it is not asked any more"
    (told,) = done.findings
    assert told.message.startswith("The sessions ")
    assert [one.id in told.message for one in talks].count(True) == 2
    assert told.message.endswith(f" are not in the notebook yet. {error}")
    assert all(one.retries == 3 for one in world_of.catalog.jobs.all(JobKind.EXTRACT))
    assert not any(one.token for one in world_of.catalog.jobs.all())
    assert world_of.run(ScriptedModel(answer(), answer(), answer())).written == len(talks)


@pytest.mark.parametrize("error", [ModelDownError("Not there."), ModelRefusedError("No.")])
def test_a_timer_asks_a_model_that_is_away_once_an_hour_and_three_times(world_of, error):
    for number in range(3):
        world_of.talk(f"Please do task {number}.")
    for left in (2, 1, 0):
        done = world_of.run(ScriptedModel(error, error), timer=True)
        assert (done.claimed, done.failed) == (2, 2)
        away = world_of.catalog.jobs.get(JobKind.MODEL, GLOBAL)
        assert (away.retries, away.status, away.error) == (left, JobStatus.ERROR, str(error))
        world_of.world.here.pass_time(minutes=59)
        assert world_of.run(ScriptedModel(), timer=True).claimed == 0, "an hour has not passed"
        world_of.world.here.pass_time(minutes=2)
    assert world_of.run(ScriptedModel(), timer=True).claimed == 0, "it was tried three times"
    world_of.talk("Please do another task.")
    assert world_of.run(ScriptedModel(error, error), timer=True).claimed == 2, "something is new"
    assert world_of.run(ScriptedModel(error, error)).claimed == 2, "a person need not wait"
    assert world_of.run(ScriptedModel(*[answer()] * 4)).written == 4
    away = world_of.catalog.jobs.get(JobKind.MODEL, GLOBAL)
    assert (away.retries, away.status, away.error) == (3, JobStatus.DONE, "")


def test_a_session_that_alone_gets_no_answer_loses_a_try(world_of):
    world_of.talk("Please do one task.", hours=48)
    slow = world_of.talk("Please do another task.")
    done = world_of.run(ScriptedModel(ModelDownError("Too slow."), answer()))
    assert (done.claimed, done.written, done.failed) == (2, 1, 1)
    assert job(world_of, slow).status is JobStatus.ERROR
    assert job(world_of, slow).retries == 2


def test_a_model_that_goes_away_in_the_middle_costs_no_session_a_try(world_of):
    for number in range(4):
        world_of.talk(f"Please do task {number}.")
    down = ModelDownError("Not there.")
    done = world_of.run(ScriptedModel(answer(), answer(), down, down))
    assert (done.claimed, done.written, done.failed) == (4, 2, 2)
    assert all(one.retries == 3 for one in world_of.catalog.jobs.all(JobKind.EXTRACT))


def test_without_a_model_nothing_is_claimed_any_more(world_of):
    talk = world_of.talk("Fix the importer.")
    with pytest.raises(NoModelError):
        world_of.run(ScriptedModel(NoModelError("There is none.")))
    assert job(world_of, talk).status is JobStatus.PENDING
    assert world_of.run(ScriptedModel(answer())).written == 1


def test_an_interrupted_run_gives_its_session_back(world_of):
    talk = world_of.talk("Fix the importer.")
    with pytest.raises(KeyboardInterrupt):
        world_of.run(ScriptedModel(KeyboardInterrupt()))
    assert job(world_of, talk).status is JobStatus.PENDING


def test_a_run_that_is_told_to_stop_stops(world_of):
    talk = world_of.talk("Please do one task.")
    world_of.talk("Please do another task.", hours=48)
    model = ScriptedModel(ModelStoppedError("Stopped."))
    done = world_of.run(model, stop=lambda: bool(model.asked))
    assert (done.claimed, done.failed, len(model.asked), model.stopped) == (0, 0, 1, [True])
    assert (done.given_back, done.usage) == (1, SPENT), "it was sent, and cost what it cost"
    assert world_of.catalog.usage.total().calls == 1
    assert job(world_of, talk).retries == 3


def test_a_run_that_is_told_to_stop_while_it_reads_sends_nothing(world_of):
    talk = world_of.talk("Please do one task.")
    model = ScriptedModel()
    done = world_of.run(model, stop=lambda: True)
    assert (done.claimed, done.given_back, done.failed, model.asked) == (0, 0, 0, [])
    found = job(world_of, talk)
    assert (found.status, found.retries) == (JobStatus.PENDING, 3)
    assert world_of.run(model, dry=True, stop=lambda: True).asks == ()
    assert world_of.run(ScriptedModel(answer())).written == 1


def test_a_limit_holds_however_many_are_due(world_of):
    for number in range(3):
        world_of.talk(f"Please do task {number}.", hours=24 + number)
    assert world_of.run(ScriptedModel(answer(), answer()), limit=2).claimed == 2
    assert world_of.run(ScriptedModel(), limit=0).claimed == 0


def test_a_session_that_another_process_has_is_passed_over(world_of):
    talk = world_of.talk("Fix the importer.")
    now = world_of.world.here.call().now.timestamp()
    world_of.catalog.jobs.claim(JobKind.EXTRACT, talk.id, talk.now.timestamp(), now, "other")
    done = world_of.run(ScriptedModel())
    assert (done.claimed, done.running) == (0, 1)
    world_of.world.here.pass_time(seconds=LEASE_SECONDS + 1)
    assert world_of.run(ScriptedModel(answer())).written == 1, "its lease ended"


def test_two_processes_share_the_sessions(world_of):
    for number in range(4):
        world_of.talk(f"Please do task {number}.")
    inner = []

    def meanwhile() -> str:
        if not inner:
            inner.append(None)
            inner[0] = world_of.run(ScriptedModel(answer(), answer(), answer()))
        return answer()

    outer = world_of.run(ScriptedModel(meanwhile))
    assert (outer.written, inner[0].written) == (1, 3)
    assert len(world_of.cards()) == len(notes(world_of.world)) == 4


def test_what_a_process_has_that_lost_its_claim_is_thrown_away(world_of):
    talk = world_of.talk("Always use UTC in tables.")

    def taken_over() -> str:
        now = world_of.world.here.call().now.timestamp() + 2 * LEASE_SECONDS
        world_of.catalog.jobs.claim(JobKind.EXTRACT, talk.id, talk.now.timestamp(), now, "other")
        return answer(memories=[remembered("Use UTC in tables.", "Always use UTC in tables.")])

    done = world_of.run(ScriptedModel(taken_over))
    assert (done.claimed, done.written, done.proposed) == (1, 0, 0)
    assert (world_of.cards(), world_of.inbox(), notes(world_of.world)) == ([], [], [])
    assert job(world_of, talk).worker == "other"


def test_a_crash_behind_the_candidates_doubles_nothing(world_of, monkeypatch):
    world_of.talk("Always use UTC in tables.")
    told = answer(memories=[remembered("Always use UTC in tables.", "Always use UTC in tables.")])

    def crash(*_: object) -> bool:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(type(world_of.catalog), "finish_extraction", crash)
        with pytest.raises(SystemExit):
            world_of.run(ScriptedModel(told))
    assert (world_of.cards(), len(world_of.inbox())) == ([], 1)
    assert world_of.run(ScriptedModel(told)).written == 1
    assert len(world_of.inbox()) == 1


def test_a_dry_run_says_what_would_be_sent_and_writes_nothing(world_of):
    world_of.talk("Fix the importer.")
    before = world_of.world.ledger()
    done = world_of.run(ScriptedModel(), dry=True)
    (one,) = done.asks
    assert (one.project, done.claimed) == ("shop", 0)
    assert "Fix the importer." in one.ask.prompt
    assert one.tokens > 500
    assert (world_of.catalog.jobs.all(), world_of.world.ledger()) == ([], before)
    model = ScriptedModel(answer())
    world_of.run(model)
    assert model.asked == [one.ask]
    assert world_of.sent() == [], "it is done"


def test_a_session_without_a_word_of_the_user_is_done_unasked(world_of):
    world_of.talk("<skill>\nname\n</skill>")
    assert world_of.sent() == []
    assert world_of.run(ScriptedModel()).no_output == 1


def test_a_file_that_is_gone_meanwhile_is_a_failure(world_of):
    world_of.talk("Please do one task.")
    gone = world_of.talk("Please do another task.", hours=48)

    def meanwhile() -> str:
        gone.path.unlink()
        return answer()

    done = world_of.run(ScriptedModel(meanwhile))
    assert (done.claimed, done.written, done.failed) == (2, 1, 1)
    assert "cannot be read" in job(world_of, gone).error


def test_a_long_session_is_cut_to_the_window_of_the_model(world_of):
    talk = world_of.talk("This is where it began.")
    for number in range(40):
        talk.answered(f"{number} " + "words of the agent " * 200)
    talk.said("This is where it ended.")
    model = ScriptedModel(answer(), window=10_000)
    world_of.run(model)
    prompt = model.asked[0].prompt
    assert 6_500 < tokens(prompt) < 7_300
    assert "This is where it began." in prompt
    assert "This is where it ended." in prompt
    assert "tokens were left out here" in prompt


def test_a_long_question_keeps_the_claim_alive(world_of, monkeypatch):
    monkeypatch.setattr("vaultmem.services.notebook.extract.HEARTBEAT_SECONDS", 0.0)
    talk = world_of.talk("Fix the importer.")
    beats = []

    def meanwhile() -> str:
        beats.append(job(world_of, talk).lease_until)
        return answer()

    model = ScriptedModel(meanwhile)
    assert world_of.run(model).written == 1
    claimed = world_of.world.here.call().now.timestamp() - 60 + LEASE_SECONDS
    assert model.stopped == [False]
    assert beats[0] > claimed


def test_a_question_ends_when_the_claim_is_lost(world_of, monkeypatch):
    monkeypatch.setattr("vaultmem.services.notebook.extract.HEARTBEAT_SECONDS", 0.0)
    talk = world_of.talk("Fix the importer.")
    other = world_of.talk("Please do another task.", hours=48)

    def taken_over() -> ModelStoppedError:
        now = world_of.world.here.call().now.timestamp() + 2 * LEASE_SECONDS
        world_of.catalog.jobs.claim(JobKind.EXTRACT, talk.id, talk.now.timestamp(), now, "other")
        assert model.stop() is True
        return ModelStoppedError("Stopped.")

    class Watching(ScriptedModel):
        def ask(self, ask, *, seconds, stop):
            self.stop = stop
            return super().ask(ask, seconds=seconds, stop=stop)

    model = Watching(taken_over, answer())
    done = world_of.run(model)
    assert (done.claimed, done.written) == (1, 1), "the run goes on with the next session"
    assert [card.session for card in world_of.cards()] == [other.id]
    assert job(world_of, talk).worker == "other"


def test_a_session_that_is_allowed_again_is_read_again(world_of):
    talk = world_of.talk("Fix the importer.")
    call, sessions, catalog = (
        world_of.world.here.call(),
        world_of.sessions.index,
        world_of.catalog,
    )
    world_of.run(ScriptedModel(answer()))
    assert ignore_session(call, sessions, catalog, talk.id).dropped
    assert world_of.sent() == []
    ignore_session(call, sessions, catalog, talk.id, ignored=False)
    assert world_of.sent() == [talk.id]
    assert world_of.run(ScriptedModel(answer())).written == 1
    ignore_session(call, sessions, catalog, talk.id, ignored=False)
    assert world_of.sent() == [], "it was allowed before, and is up to date"


def test_what_is_in_hand_of_a_session_that_is_ignored_now_is_thrown_away(world_of):
    talk = world_of.talk("Fix the importer.")

    def ignored():
        call, sessions = world_of.world.here.call(), world_of.sessions.index
        ignore_session(call, sessions, world_of.catalog, talk.id)
        return answer()

    assert world_of.run(ScriptedModel(ignored)).written == 0
    assert world_of.cards() == []
    assert world_of.inbox() == []
