"""What a prompt brings an agent: the report, the memories near it, reminders of changed files."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.index.fake import FakeEmbedder
from vaultmem.core.budget import tokens
from vaultmem.core.injection import CONTEXTUAL, PROJECT_MEMORY
from vaultmem.core.selection import Excluded
from vaultmem.core.trivial import is_trivial
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.indexing import refresh
from vaultmem.services.inject import file_reminders, inject, session_compacted
from vaultmem.services.purge import purge
from vaultmem.services.switch import READ, Place, switch
from vaultmem.services.telemetry import usage

SAYINGS = (
    "Staging runs on SQLite until March.",
    "Deploy the billing service with helm.",
    "Commit generated clients of the API.",
)
STAGING, BILLING, CLIENTS = SAYINGS


class Agent:
    """An agent's process with a model in which equal words are near each other."""

    def __init__(self, world, *, model=True, agent="pi"):
        self.world = world
        self.app = world.here.app(agent=agent)
        self.model = FakeEmbedder(dimension=256) if model else None
        self.app._embedder = lambda: self.model

    def asks(self, prompt, *, session="s1", budget=0, **options):
        """With a report of no tokens, everything that is near is told beside it."""
        return inject(
            self.app.call(),
            self.app.engine,
            prompt=prompt,
            session=session,
            budget=budget,
            **options,
        )

    def changed(self, *paths, session="s1", **options):
        return file_reminders(
            self.app.call(), self.app.engine, paths=paths, session=session, **options
        )


@pytest.fixture
def known(ready):
    """Three memories in force, by what they say."""
    ids = {
        text: ready.memory(f"Memory/Lessons/{text[:-1]}.md", text, category="lesson")
        for text in SAYINGS
    }
    ready.here.sync()
    return ids


def told(made):
    """What stands beside the report, without the mark behind it."""
    return [line[2:].partition(" [")[0] for line in made.contextual.text.splitlines()[2:]]


def test_what_is_near_the_prompt_is_told_beside_the_report(ready, known):
    made = Agent(ready).asks(STAGING)
    assert told(made) == [STAGING]
    assert [one.name for one in made.sections] == [PROJECT_MEMORY, CONTEXTUAL]
    assert made.text == made.contextual.tagged
    assert made.contextual.ids == (known[STAGING],)
    assert made.told[0].id == known[STAGING]
    assert made.told[0].where == "contextual"
    assert made.told[0].similarity == pytest.approx(1, abs=0.01)
    assert made.degraded is None


def test_nothing_is_told_twice(ready, known):
    made = Agent(ready).asks(STAGING, budget=1_700)
    assert made.contextual.text == ""
    assert made.excluded == (Excluded(known[STAGING], "in_report"),)
    assert made.text.startswith("<project_memory>\n# Project Memory [")
    assert made.text.endswith("\n</project_memory>")
    assert {one.id for one in made.told} == set(known.values())


def test_what_the_index_holds_is_enough_where_it_need_not_be_fresh(ready, known):
    Agent(ready, model=False).asks(STAGING, wait=False)
    late = ready.memory("Memory/Lessons/Late.md", "Rotate the staging keys.", category="lesson")
    ready.here.sync()

    agent, asked = Agent(ready, model=False), "Rotate the staging keys."
    assert agent.asks(asked, fresh=False, wait=False).contextual.ids == (known[STAGING],)
    assert late in agent.asks(asked, wait=False).contextual.ids


def test_a_line_keeps_its_place_while_the_talk_goes_on(ready, known):
    agent = Agent(ready)
    assert told(agent.asks(STAGING)) == [STAGING]
    assert told(agent.asks(BILLING)) == [STAGING, BILLING]
    assert told(agent.asks(STAGING)) == [STAGING, BILLING]
    assert told(Agent(ready).asks("something else entirely")) == [STAGING, BILLING]
    assert told(agent.asks(CLIENTS, session="s2")) == [CLIENTS]
    assert told(agent.asks(CLIENTS, session="")) == [CLIENTS]
    assert told(agent.asks("", session="")) == []


def test_after_a_trivial_prompt_nothing_is_searched_for_and_nothing_changes(ready, known):
    agent = Agent(ready)
    before = agent.asks(STAGING)
    agent.model.embedded.clear()
    for prompt in ("ok", "", "👍", "thanks!"):
        assert is_trivial(prompt)
        assert agent.asks(prompt).contextual == before.contextual
    assert agent.model.embedded == []


def test_the_same_inputs_give_the_same_bytes(ready, known):
    first, second = (Agent(ready).asks(BILLING, session="", budget=1_700) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ("status: deprecated", None),  # not even searched
        ("status: contested", "contested"),
        ("scope: project\nproject: github.com/acme/x", "project:github.com/acme/x"),
        ("not_when:\n  - staging", "not_when:staging"),
        ("applies_when:\n  - writing a changelog", "applies_when"),
        ("expires: 2020-01-01T00:00:00", "expired"),
        ("reinforced: 2024-01-01T00:00:00\ncreated: 2024-01-01T00:00:00", "lifecycle:dropped"),
    ],
)
def test_the_filters_of_the_report_hold_beside_it(ready, known, changes, reason):
    path = f"Memory/Lessons/{STAGING[:-1]}.md"
    ready.replace(path, "category: lesson", f"category: lesson\n{changes}")
    ready.here.sync()
    made = Agent(ready).asks(STAGING)
    assert told(made) == []
    assert made.excluded == (() if reason is None else (Excluded(known[STAGING], reason),))


def test_a_faint_memory_is_recalled_and_marked(ready, known):
    then = (datetime.now() - timedelta(days=75)).isoformat(timespec="seconds")
    path = f"Memory/Lessons/{STAGING[:-1]}.md"
    ready.replace(path, "category: lesson", f"category: lesson\nreinforced: {then}")
    ready.here.sync()
    made = Agent(ready).asks(STAGING, budget=1_700)
    assert Excluded(known[STAGING], "lifecycle:faint") in made.report.excluded
    assert told(made) == [f"⚠ {STAGING}"], "it is old"


def test_what_is_deleted_leaves_the_section_and_a_purge_leaves_no_id(ready, known):
    agent = Agent(ready)
    agent.asks(STAGING)
    assert told(agent.asks(BILLING)) == [STAGING, BILLING]
    cache = ready.here.call().vault.state.cache
    assert any(known[STAGING] in file.read_text() for file in (cache / "told").iterdir())
    purge(ready.here.call(), known[STAGING])
    assert told(agent.asks("what now?")) == [BILLING]
    assert not any(known[STAGING] in file.read_text() for file in (cache / "told").iterdir())


def test_a_condition_that_the_next_prompt_does_not_meet_takes_no_line_away(ready, known):
    path = f"Memory/Lessons/{STAGING[:-1]}.md"
    ready.replace(path, "category: lesson", "category: lesson\napplies_when:\n  - staging")
    ready.here.sync()
    agent = Agent(ready)
    assert told(agent.asks(STAGING)) == [STAGING]
    assert told(agent.asks(BILLING)) == [STAGING, BILLING]


def test_a_memory_that_the_report_tells_now_keeps_its_place(ready, known):
    agent = Agent(ready)
    agent.asks(STAGING)
    agent.asks(BILLING)
    assert told(agent.asks("and now?", budget=1_700)) == []
    assert told(agent.asks("and now?")) == [STAGING, BILLING]


@pytest.mark.parametrize("mode", ["policy_only", "wakeup"])
def test_a_mode_without_memories_tells_none_beside_it_either(ready, known, mode):
    ready.write(
        "Memory/Settings.md",
        ready.read("Memory/Settings.md").replace(
            "type: settings", f"type: settings\nretrieval_injection_mode: {mode}"
        ),
    )
    ready.here.sync()
    made = Agent(ready).asks(STAGING, budget=1_700)
    assert [one.name for one in made.sections] == [PROJECT_MEMORY]
    assert made.contextual.text == ""
    assert made.told == ()
    assert not any(text in made.text for text in SAYINGS)


def test_where_recalling_is_switched_off_nothing_is_told(ready, known):
    switch(ready.here.call(), [READ], Place(), off=True)
    made = Agent(ready).asks(STAGING, budget=1_700)
    assert (made.text, made.told) == ("", ())
    assert made.findings
    assert Agent(ready).changed(STAGING).text == ""


def test_a_cap_of_the_person_holds_beside_the_report(ready, known):
    ready.write(
        "Memory/Settings.md",
        ready.read("Memory/Settings.md").replace(
            "type: settings", "type: settings\nretrieval_max_records: 2"
        ),
    )
    ready.here.sync()
    agent = Agent(ready)
    reasons = [agent.asks(text, session="", budget=1_700).excluded[0].reason for text in SAYINGS]
    assert sorted(reasons) == ["in_report", "in_report", "max_records"]


def test_without_a_model_words_recall(ready, known):
    made = Agent(ready, model=False).asks("which SQLite does staging run on?")
    assert told(made) == [STAGING]
    assert made.told[0].similarity is None
    assert "No embedding model" in made.degraded
    assert told(Agent(ready, model=False).asks("what a day", session="")) == []


def test_a_script_that_the_model_cannot_read_is_compared_by_words(ready):
    ready.memory("Memory/Lessons/Staging.md", "ステージングではSQLiteを使う。", category="lesson")
    ready.here.sync()
    made = Agent(ready).asks("ステージングではSQLiteを使う。", session="")
    assert told(made) == ["ステージングではSQLiteを使う。"]
    assert made.told[0].similarity is None


def test_a_model_that_is_not_loaded_is_not_waited_for(ready, known):
    agent = Agent(ready)
    agent.asks(STAGING)
    agent.model.loaded = False
    made = agent.asks(BILLING, session="", wait=False)
    assert "being loaded" in made.degraded


def test_a_model_that_is_missing_takes_nothing_else_away(ready, known):
    agent = Agent(ready)
    agent.model.missing = True
    made = agent.asks(STAGING, budget=1_700)
    assert made.report.text
    assert "missing" in made.degraded


def test_what_was_told_is_never_learned_from_and_is_counted(ready, known):
    agent = Agent(ready)
    agent.asks(STAGING)
    assert was_shown(ready.here.call(), STAGING)
    (one,) = usage(ready.here.call())
    assert (one.id, one.injected) == (known[STAGING], 1)


def test_a_person_who_looks_counts_as_nobody(ready, known):
    Agent(ready, agent=None).asks(STAGING, session="")
    assert usage(ready.here.call()) == ()
    assert not was_shown(ready.here.call(), STAGING)


def test_an_edit_counts_at_once_unless_the_caller_watches(ready, known):
    agent = Agent(ready, agent=None)
    agent.asks(STAGING, session="")
    ready.replace(f"Memory/Lessons/{STAGING[:-1]}.md", "SQLite", "DuckDB")
    assert told(agent.asks(STAGING, session="", look=False)) == [STAGING]
    assert told(agent.asks("Staging runs on DuckDB until March.", session="")) == [
        "Staging runs on DuckDB until March."
    ]


def test_a_full_disk_is_told_with_the_report(ready, known, monkeypatch):
    agent = Agent(ready)
    agent.app.vault.put_off = object()
    assert agent.asks(STAGING).findings == (agent.app.vault.put_off,)


# Changed files


def test_changed_files_call_memories_to_mind_once(ready):
    path = "db/migrations/staging.sql"
    text = f"files modified: {path}"
    identifier = ready.memory("Memory/Lessons/Files.md", text, category="lesson")
    ready.here.sync()
    agent = Agent(ready)
    made = agent.changed(path, path)
    assert text in made.text
    assert [(one.id, one.where) for one in made.told] == [(identifier, "reminder")]
    assert agent.changed(path) == ("", ())
    assert agent.changed(path, session="s2").told
    session_compacted(ready.here.call(), session="s1")
    assert agent.changed(path).text == made.text
    assert was_shown(ready.here.call(), text)


def test_at_most_three_memories_are_called_to_mind(ready):
    for number in range(5):
        ready.memory(f"Memory/Lessons/{number}.md", f"Files modified: a.py{'.' * number}")
    ready.here.sync()
    agent = Agent(ready)
    assert len(agent.changed("a.py").told) == 3
    assert len(agent.changed("a.py").told) == 2, "the next ones"


def test_no_file_and_no_match_call_nothing_to_mind(ready, known):
    agent = Agent(ready)
    assert agent.changed() == ("", ())
    assert agent.changed("src/unrelated.py") == ("", ())


def test_the_sections_never_exceed_their_room(ready):
    for number in range(20):
        ready.memory(
            f"Memory/Lessons/{number}.md",
            f"Retry {number}: {'wait for the queue ' * 12}",
            category="lesson",
        )
    ready.here.sync()
    agent = Agent(ready)
    for number in range(20):
        made = agent.asks(f"Retry {number}: {'wait for the queue ' * 12}")
        assert tokens(made.contextual.text) == made.contextual.tokens <= made.contextual.cap
    assert 5 < len(made.contextual.ids) < 20


def test_a_line_whose_note_is_gone_is_not_told(ready, known):
    agent = Agent(ready)
    assert told(agent.asks(STAGING)) == [STAGING]
    ready.path(f"Memory/Lessons/{STAGING[:-1]}.md").unlink()
    ready.here.sync()
    assert told(agent.asks(BILLING)) == [BILLING]


def test_reminders_that_wait_for_nothing_use_what_is_embedded(ready):
    ready.memory("Memory/Lessons/Files.md", "files modified: a.py", category="lesson")
    ready.here.sync()
    agent = Agent(ready)
    refresh(agent.app.call(), agent.app.engine)  # as the caller does, who keeps the index up
    assert agent.changed("a.py", wait=False).told == (), "it has no vector yet"
    agent.app.engine.embed()
    assert len(agent.changed("a.py", wait=False).told) == 1
