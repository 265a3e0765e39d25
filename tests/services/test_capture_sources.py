"""The one write path by every channel: whose word it is, how often it counts, where it stops."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.core.fakes import fake
from tests.index.fake import FakeEmbedder
from tests.services.candidates import inbox, pieces
from tests.world import codes
from vaultmem.core.model import Category, Scope
from vaultmem.core.trust import TrustClass
from vaultmem.errors import AgentRefusedError
from vaultmem.notes.candidate import Decision
from vaultmem.services import evidence
from vaultmem.services.call import Actor
from vaultmem.services.capture import Channel, Source, Wish, add
from vaultmem.services.capturing.shown import remember_shown, was_shown
from vaultmem.services.inbox import decide
from vaultmem.services.message import capture_message
from vaultmem.services.reinforce import reinforce, reinforcing_pieces
from vaultmem.services.report import report
from vaultmem.services.search import search
from vaultmem.services.show import show
from vaultmem.services.switch import READ, WRITE, Place, switch
from vaultmem.services.undo import undo
from vaultmem.services.why import why

UTC = "Use UTC in every table."


def put(world, text, *, agent=None, source=None, override=False, **options):
    app = world.here.app(agent=agent)
    wish = Wish(text=text, category=options.pop("category", Category.LESSON), **options)
    given = {} if source is None else {"source": source}
    return add(app.call(), app.engine, wish, override_conflicts=override, **given)


def tool(*messages, session="s1", **more):
    return Source(channel=Channel.TOOL, session=session, user_messages=messages, **more)


def count(world, done):
    return world.here.call().vault.baseline.standing(done.id).evidence_count


# whose word it is


def test_a_tools_call_is_the_users_word_where_their_message_says_it(ready):
    said = "Hello. Please use UTC in every table! My password is hunter2x9."
    put(ready, UTC, agent="pi", source=tool(said))
    (one,) = inbox(ready)
    assert one.candidate.trust == "direct_user_instruction"
    assert one.candidate.durability == "long_term"
    assert one.candidate.memory.confidence == 0.7
    (piece,) = pieces(ready, one)
    assert piece.excerpt == "Please use UTC in every table!"


@pytest.mark.parametrize(
    "messages",
    [
        (),
        ("Fix the login page.",),
        ("Should we use UTC in every table?",),
        ('The docs say "use UTC in every table".',),
        ("> Use UTC in every table.",),
        ("Never use UTC in every table.",),
    ],
)
def test_it_is_the_agents_inference_where_no_message_of_theirs_does(ready, messages):
    put(ready, UTC, agent="pi", source=tool(*messages))
    (one,) = inbox(ready)
    assert one.candidate.trust == "agent_inference"
    assert one.candidate.verification == "review_required"
    assert pieces(ready, one)[0].trust is TrustClass.AGENT_INFERENCE


@pytest.mark.parametrize(("given", "held"), [(1.0, 0.7), (0.5, 0.5)])
def test_an_agent_can_be_less_sure_but_not_surer(ready, given, held):
    put(ready, UTC, agent="pi", source=tool(UTC), confidence=given)
    assert inbox(ready)[0].candidate.memory.confidence == held


def test_an_agents_shell_cannot_claim_the_users_word(ready):
    claim = Source(
        channel=Channel.TYPED, user_messages=(UTC,), trust=TrustClass.DIRECT_USER_INSTRUCTION
    )
    put(ready, UTC, agent="pi", source=claim)
    assert inbox(ready)[0].candidate.trust == "agent_inference"


@pytest.mark.parametrize("channel", [Channel.EXTRACTION, Channel.IMPORT])
@pytest.mark.parametrize(
    ("claimed", "held"),
    [
        (None, "agent_inference"),
        (TrustClass.USER_CORRECTION, "agent_inference"),
        (TrustClass.REPOSITORY_TEXT, "repository_text"),
    ],
)
def test_extraction_and_import_can_only_be_trusted_less(ready, channel, claimed, held):
    source = Source(channel=channel, trust=claimed, session="s1", excerpt="They used UTC tables.")
    call = ready.here.call()._replace(actor=Actor.POLICY)
    app = ready.here.app()
    add(call, app.engine, Wish(text=UTC, category=Category.LESSON), source=source)
    (one,) = inbox(ready)
    assert one.candidate.trust == held
    assert pieces(ready, one)[0].excerpt == "They used UTC tables."


def test_a_secret_in_the_words_around_it_is_redacted(ready):
    token = "ghp_" + fake(36, seed=5)
    source = tool(excerpt=f"Use UTC in every table; the token is {token}.", ref=f"call {token}")
    put(ready, UTC, agent="pi", source=source)
    assert token.encode() not in b"".join(ready.snapshot().values())
    assert "[redacted_secret:" in pieces(ready, inbox(ready)[0])[0].excerpt


@pytest.mark.parametrize(
    "field", ["text", "tags", "trigger", "action", "verifier", "project", "hidden"]
)
def test_a_secret_in_any_field_refuses_all_of_it(ready, field):
    token = "ghp_" + fake(36, seed=6)
    hidden = token[:8] + "\u200b" + token[8:]
    options = {
        "text": {"text": f"Use {token}."},
        "hidden": {"text": f"Use {hidden}."},
        "tags": {"tags": (f"memory/{token}",)},
        "project": {"project": token, "scope": Scope.PROJECT},
    }.get(field, {field: f"bash_contains {token}"})
    before = ready.snapshot()
    done = put(ready, **({"text": UTC} | options))
    assert done.outcome == "refused"
    assert "VM601" in codes(done)
    assert token not in repr(done)
    assert ready.snapshot() == before


# how often it counts


def test_a_persons_own_add_needs_no_evidence_beside_the_note(ready):
    done = put(ready, UTC)
    assert done.outcome == "added"
    assert not [path for path in ready.snapshot() if "/Evidence/" in path]


def test_an_agent_reinforces_once_a_session_and_without_one_once_a_day(ready):
    done = put(ready, UTC)
    before = count(ready, done)
    for _ in range(5):
        assert put(ready, UTC, agent="pi").outcome == "reinforced"
        put(ready, UTC, agent="pi", source=tool(session="s1"))
    assert count(ready, done) == before + 2
    assert "VM626" in codes(put(ready, UTC, agent="pi"))
    ready.here.pass_time(days=1)
    put(ready, UTC, agent="pi")
    assert count(ready, done) == before + 3


def test_a_person_counts_each_time(ready):
    done = put(ready, UTC)
    before = count(ready, done)
    put(ready, UTC)
    put(ready, UTC)
    assert count(ready, done) == before + 2


def test_a_reinforcement_names_its_evidence_and_whose_word_it_was(ready):
    done = put(ready, UTC)
    put(ready, UTC, agent="pi", source=tool("Use UTC in every table, please."))
    (line,) = ready.ledger("reinforcement").splitlines()
    assert '"by":"person"' in line
    assert '"session":"s1"' in line
    (named,) = reinforcing_pieces(ready.here.call(), done.id)
    (piece,) = evidence.find(ready.here.call(), [named])
    assert piece.excerpt == "Use UTC in every table, please."


def test_another_candidate_of_another_place_is_not_strengthened(ready):
    put(ready, UTC, agent="pi", source=tool(session="s1"))
    put(ready, UTC, agent="pi", source=tool(session="s2"), category=Category.DECISION)
    put(ready, UTC, agent="pi", source=tool(session="s2"), scope=Scope.PROJECT, project="a/b/c")
    put(ready, UTC, agent="pi", source=tool(session="s2"))
    counts = sorted(len(pieces(ready, one)) for one in inbox(ready))
    assert counts == [1, 1, 2]


def test_reinforce_counts_once_a_session(ready):
    done = put(ready, UTC)
    call = ready.here.call()
    given = {"evidence": (), "by": Actor.POLICY, "via": "curate"}
    assert reinforce(call, done.id, session="a", **given)
    assert not reinforce(call, done.id, session="a", **given)
    assert reinforce(call, done.id, session="b", **given)


def test_the_same_statement_in_another_scope_is_another_one(ready):
    first = put(ready, UTC)
    second = put(ready, UTC, scope=Scope.TASK, project="host/me/app")
    third = put(ready, UTC, scope=Scope.TASK)
    assert {second.outcome, third.outcome} == {"added"}
    assert len({first.id, second.id, third.id}) == 3


def test_numbers_releases_and_negation_are_never_merged(ready):
    put(ready, "Wait 5 seconds before a retry.")
    assert put(ready, "Wait 50 seconds before a retry.").outcome == "added"
    put(ready, "v3.13.1 released with fixes.", category=Category.DONE)
    assert put(ready, "v3.12.4 released with fixes.", category=Category.DONE).outcome == "added"


def close(world, text, **options):
    """What becomes of a text whose meaning is near that of a memory."""
    app = world.here.app()
    app._embedder = FakeEmbedder
    wish = Wish(text=text, category=options.pop("category", Category.LESSON), **options)
    return add(app.call(), app.engine, wish)


def test_the_same_meaning_within_the_category_is_one_memory(ready):
    first = close(ready, "Use UTC in every table of the store.")
    again = close(ready, "In every table of the store use UTC.")
    assert (again.outcome, again.id) == ("reinforced", first.id)


@pytest.mark.parametrize(
    "options", [{"category": Category.PATTERN}, {"scope": Scope.PROJECT, "project": "host/me/app"}]
)
def test_the_same_meaning_elsewhere_is_another_memory(ready, options):
    close(ready, "Use UTC in every table of the store.")
    assert close(ready, "In every table of the store use UTC.", **options).outcome == "added"


def test_a_near_meaning_with_another_number_is_another_memory(ready):
    close(ready, "Keep the logs of the store for 30 days and no longer.")
    done = close(ready, "Keep the logs of the store for 90 days and no longer.")
    assert done.outcome == "added"


# scope and expiry


@pytest.mark.parametrize(("scope", "hours"), [(Scope.SESSION, 24), (Scope.TASK, 336)])
def test_a_bounded_scope_takes_a_task_and_ends(ready, scope, hours):
    done = put(ready, "for this report use a serif font", scope=scope)
    assert done.outcome == "added"
    text = ready.read(done.path)
    created, ends = (
        datetime.fromisoformat(line.partition(": ")[2])
        for name in ("created", "expires")
        for line in text.splitlines()
        if line.startswith(f"{name}: ")
    )
    assert (ends - created).total_seconds() == hours * 3600


def test_topic_row_16_a_session_memory_is_in_no_report_of_a_later_session(ready):
    app = ready.here.app(agent="pi")
    source = tool("In this session use a serif font.", session="s1")
    wish = Wish(text="Use a serif font.", category=Category.LESSON, scope=Scope.SESSION)
    add(app.call(), app.engine, wish, source=source)
    decide(ready.here.call(), inbox(ready)[0].id, Decision.APPROVE)
    assert "serif" in report(ready.here.call(), session="s1").text
    assert "serif" not in report(ready.here.call(), session="s2").text
    ready.here.pass_time(hours=25)
    assert "serif" not in report(ready.here.call(), session="s1").text


# contradiction and override


def test_topic_row_11_a_contradiction_is_refused_and_says_whom_to_ask(ready):
    put(ready, "Always publish to npm.")
    for agent in (None, "pi"):
        done = put(ready, "Never publish to npm.", agent=agent)
        assert codes(done) == ["VM604"]
        assert "Ask the user" in done.findings[0].remedy


def test_topic_row_12_the_users_override_supersedes_with_provenance(ready):
    old = put(ready, "Always publish to npm.")
    new = put(ready, "Never publish to npm.", override=True)
    assert new.outcome == "added"
    assert "status: superseded" in ready.read(old.path)
    assert '  - "[[Never publish to npm]]"' in ready.read(old.path)
    assert '  - "[[Always publish to npm]]"' in ready.read(new.path)
    assert " applied patch_" in ready.ledger()
    undo(ready.here.call())
    assert "status: superseded" not in ready.read(old.path)


def test_an_agents_override_waits_for_the_person(ready):
    old = put(ready, "Always publish to npm.")
    new = put(ready, "Never publish to npm.", agent="pi", override=True)
    assert new.outcome == "candidate"
    assert "status: superseded" not in ready.read(old.path)
    assert inbox(ready)[0].candidate.matched == ("[[Always publish to npm]]",)


@pytest.mark.parametrize("override", [False, True])
def test_topic_row_13_a_pinned_memory_refuses_always(ready, override):
    put(ready, "Always publish to npm.", pin=True)
    assert codes(put(ready, "Never publish to npm.", override=override)) == ["VM605"]


def test_topic_row_09_a_narrower_clause_is_stored_beside_the_wider_one(ready):
    assert put(ready, "always publish to npm").outcome == "added"
    assert put(ready, "never publish with a dead token").outcome == "added"


# guardrails


@pytest.mark.parametrize(
    ("trigger", "action", "code"),
    [
        ("tool_name curl", "warn", "VM613"),
        ("tool_name git", "block", "VM613"),
        ("tool_name bash", "block", "VM614"),
    ],
)
def test_topic_rows_14_and_15_a_doubtful_trigger_is_stored_with_advice(
    ready, trigger, action, code
):
    done = put(ready, "Never do that.", trigger=trigger, action=action)
    assert (done.outcome, codes(done)) == ("added", [code])
    assert f"trigger: {trigger}\n" in ready.read(done.path)


# what was told, and what is switched off


def told(world, text):
    return was_shown(world.here.call(), text)


def test_what_an_agent_is_given_is_kept_as_hashes_and_no_add_of_it_counts(ready):
    done = put(ready, UTC)
    report(ready.here.call())
    assert not told(ready, UTC), "a person's report is nothing that an agent was told"
    report(ready.here.call(agent="pi"))
    assert told(ready, "use utc in every table!")
    before = count(ready, done)
    assert codes(put(ready, UTC, agent="pi")) == ["VM625"]
    assert count(ready, done) == before
    cache = ready.here.call().vault.state.cache
    kept = b"".join(one.read_bytes() for one in cache.glob("shown*"))
    assert b"table" not in kept.lower()
    assert put(ready, UTC).outcome == "reinforced", "the person may say what they like"


def test_a_report_for_a_session_is_told_to_an_agent(ready):
    put(ready, UTC)
    report(ready.here.call(), session="s1")
    assert told(ready, UTC)


@pytest.mark.parametrize("verb", ["search", "show", "why", "evidence"])
def test_every_verb_that_shows_a_statement_to_an_agent_keeps_it(ready, verb):
    done = put(ready, UTC)
    capture_message(
        ready.here.call(), ready.here.app().engine, "Always use bun for tests.", session="s1"
    )
    app = ready.here.app(agent="pi")
    if verb == "search":
        search(app.call(), app.engine, "UTC table")
    elif verb == "show":
        show(app.call(), done.id)
    elif verb == "why":
        why(app.call(), done.id)
    else:
        from vaultmem.services.capturing.evidence_list import list_evidence

        list_evidence(app.call(), inbox(ready)[0].id)
        assert told(ready, "Always use bun for tests.")
        return
    assert told(ready, UTC)


@pytest.mark.parametrize(
    "mark",
    [
        "[s8t9v0w1 said 12d]",
        "[s8t9v0w1 said 12d] (project: github.com/me/app)",
        "[s8t9v0w1 said 12d]  (unreviewed; project: github.com/me/app) ",
        f"[s8t9v0w1 said] (project: github.com/{'o' * 39}/{'r' * 100})",
    ],
)
def test_the_marks_behind_a_tools_line_do_not_hide_that_it_was_told(ready, mark):
    remember_shown(ready.here.call(), [UTC])
    assert told(ready, f"- {UTC} {mark}")
    assert told(ready, f"As the memory says: {UTC} {mark}")


def test_what_stands_behind_the_marks_is_news(ready):
    remember_shown(ready.here.call(), [UTC])
    for text in ("[a] (b) (c)", "(a [b])", f"({'a' * 201})", "a)", "[a] but not here"):
        assert not told(ready, f"{UTC} {text}"), text
    assert not told(ready, " " * 19_000 + "x"), "in no time"


def test_only_a_mark_or_a_bracket_repeats_nothing(ready):
    remember_shown(ready.here.call(), [UTC])
    assert not told(ready, "[s8t9v0w1 said 12d]")
    assert not told(ready, "...")
    assert not told(ready, "")


def test_a_device_without_the_key_keeps_hashes_too(ready):
    there = ready.device()
    for key in (there.home / "state").glob("vault_*/key"):
        key.unlink()
    there.sync()
    remember_shown(there.call(), [UTC])
    assert was_shown(there.call(), UTC)


@pytest.mark.parametrize(
    ("place", "elsewhere"),
    [
        (Place(), None),
        (Place(project="host/me/app"), {"scope": Scope.PROJECT, "project": "host/me/other"}),
        (Place(session="s1"), {"source": Source(channel=Channel.TYPED, session="s2")}),
    ],
)
def test_what_is_switched_off_is_refused_with_the_way_back(ready, place, elsewhere):
    switch(ready.here.call(), [WRITE], place, off=True)
    here = {
        "scope": Scope.PROJECT,
        "project": "host/me/app",
        "source": Source(channel=Channel.TYPED, session="s1"),
    }
    before = ready.notes()
    done = put(ready, UTC, **here)
    assert codes(done) == ["VM623"]
    assert "vaultmem on --write" in done.findings[0].remedy
    assert ready.notes() == before
    if elsewhere is not None:
        assert put(ready, "Use tabs.", **elsewhere).outcome == "added"
    switch(ready.here.call(), [WRITE], place, off=False)
    assert put(ready, UTC, **here).outcome == "added"


def test_recalling_is_switched_off_by_itself(ready):
    put(ready, UTC)
    app = ready.here.app()
    switch(ready.here.call(), [READ], Place(project="host/me/app"), off=True)
    made = report(ready.here.call(), project="host/me/app")
    assert (made.text, made.tokens, codes(made)) == ("", 0, ["VM624"])
    assert UTC in report(ready.here.call(), project="host/me/other").text
    off = search(app.call(), app.engine, "UTC", project="host/me/app")
    assert (off.hits, "vaultmem on --read" in off.degraded) == ((), True)
    assert search(app.call(), app.engine, "UTC").hits
    assert put(ready, "Use tabs.").outcome == "added"


def test_on_everywhere_is_on_in_every_place(ready):
    call = ready.here.call()
    switch(call, [WRITE, READ], Place(session="s1"), off=True)
    assert len(switch(call, [WRITE], Place(project="p"), off=True)) == 3
    assert [one.what for one in switch(call, [WRITE], Place(), off=False)] == ["read"]


@pytest.mark.parametrize("off", [True, False])
def test_only_the_person_switches(ready, off):
    with pytest.raises(AgentRefusedError):
        switch(ready.here.call(agent="pi"), [WRITE], Place(), off=off)


def test_a_message_is_not_captured_where_remembering_is_off(ready):
    switch(ready.here.call(), [WRITE], Place(session="s1"), off=True)
    app = ready.here.app()
    (heard,) = capture_message(app.call(), app.engine, "Always use bun for tests.", session="s1")
    assert codes(heard.done) == ["VM623"]
    assert inbox(ready) == []


# the rows of the facts on what a guard refuses, by the whole path


@pytest.mark.parametrize(
    ("row", "text", "code"),
    [
        (1, "you can merge this PR", "VM602"),
        (2, "go ahead", "VM602"),
        (3, "just this once", "VM602"),
        (4, "when done, I want an html report", "VM603"),
        (5, "when bumping to 1.4.0, drop the vendor dir", "VM603"),
        (6, "Use a serif font for this report", "VM603"),
        (7, "every 30min (changed from 1h)", "VM603"),
        (8, "When done, commit and push everything", None),
    ],
)
def test_topic_rows_01_to_08_of_the_guards(ready, row, text, code):
    before = ready.notes()
    done = put(ready, text)
    assert codes(done) == ([] if code is None else [code])
    assert done.outcome == ("added" if code is None else "refused")
    assert (ready.notes() == before) == (code is not None)


def test_topic_row_10_a_quoted_payload_permits_and_forbids_nothing(ready):
    put(ready, "Never say OK before the tests have passed.")
    done = put(ready, "Test the bot by asking it to 'say OK' and compare the answer.")
    assert done.outcome == "added"


@pytest.mark.parametrize(
    ("row", "text", "kept"),
    [
        (17, "Do I always need to run tox?", []),
        (18, "you can merge this PR", []),
        (19, "when done, I want an html report", []),
        (20, "I prefer uv over pip", ["I prefer uv over pip"]),
        (21, "I prefer uv", ["I prefer uv"]),
        (
            22,
            "Always use uv run. Never use pip install",
            ["Always use uv run.", "Never use pip install"],
        ),
        (23, "From now on, commit in English!", ["From now on, commit in English!"]),
        (24, "Never publish on Friday", ["Never publish on Friday"]),
        (25, "My timezone is UTC+3", ["My timezone is UTC+3"]),
        (26, "Use v1.2.3 always use tags here", []),
        (27, "/remember I always use tabs", []),
    ],
)
def test_topic_rows_17_to_27_of_the_extractor(ready, row, text, kept):
    """Row 26: what is no sentence is not captured; a fragment of it was the fault."""
    app = ready.here.app()
    capture_message(app.call(), app.engine, text, session="s1")
    assert sorted(one.candidate.memory.statement for one in inbox(ready)) == sorted(kept)
