"""What a rewrite sends and publishes: no secret of the person, and nothing that was purged."""

from __future__ import annotations

import json

import pytest

from tests.core.fakes import fake
from tests.pi.model_server import Call as ToolCall
from tests.pi.model_server import Reply, says
from tests.services.notebook.rewriting import (
    SECOND,
    endpoint,
    good,
    handbook,
    summary,
    writes,
)
from vaultmem.core.notebook.legend import LEGEND
from vaultmem.services.notebook.consolidated import Outcome
from vaultmem.services.notebook.restore import accept
from vaultmem.services.purge import purge
from vaultmem.services.remember_note import remember_note

KEY = "sk-ant-api03-" + fake(40)
MARK = "[redacted_secret:"
HANDBOOK = "Memory/MEMORY.md"
PURGED = "Never paste quokka rosters into zeppelin tables."
SKILL = "Skills/rosters/SKILL.md"


def reads(path: str) -> Reply:
    return Reply(calls=(ToolCall(name="notebook_read", arguments={"path": path}),))


def put(path: str, text: str) -> Reply:
    return Reply(calls=(ToolCall(name="notebook_write", arguments={"path": path, "text": text}),))


def begun(book, server, *, more: str = ""):
    """A published notebook with what a person added and accepted."""
    card = book.card()
    server.script(*good(card))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    if more:
        text = book.world.read(HANDBOOK)
        book.world.write(HANDBOOK, f"{text}{more}")
        book.world.here.sync()
        accept(book.world.here.call())
    return card


def sent(server) -> str:
    return json.dumps([one.body for one in server.requests], ensure_ascii=False)


def test_a_secret_in_the_notebook_is_not_sent_and_its_line_stays_word_for_word(book, server):
    line = f"- staging key {KEY}"
    first = begun(book, server, more=f"{line}\n")
    skill = f"---\nname: mine\ndescription: Mine.\n---\nexport API_TOKEN={KEY}\n"
    book.world.write("Memory/Skills/mine/SKILL.md", skill)
    book.world.here.sync()
    accept(book.world.here.call())
    cards = (first, book.card(SECOND))
    kept = handbook(*cards, more=f"- staging key {MARK}anthropic_key]\n")
    server.script(
        reads("MEMORY.md"),
        reads("Skills/mine/SKILL.md"),
        reads("phase2_workspace_diff.md"),
        writes(memory=kept, summary=summary(*cards)),
        says("Done."),
    )
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert sent(server).count(MARK) > 2
    assert KEY not in sent(server)
    text = book.world.read(HANDBOOK)
    assert text.count(line) == text.count("staging key") == 1
    assert book.world.read("Memory/Skills/mine/SKILL.md") == skill


def test_what_is_no_text_goes_through_a_rewrite_as_it_is(book, server):
    first = begun(book, server)
    picture = book.world.path("Memory/Skills/mine/a.bin")
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"\xff\x00")
    book.world.write("Memory/Skills/mine/SKILL.md", "---\nname: mine\n---\nMine.\n")
    book.world.here.sync()
    cards = (first, book.card(SECOND))
    server.script(*good(*cards))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert book.published()["Skills/mine/a.bin"] == picture.read_bytes() == b"\xff\x00"


def test_a_planned_rewrite_shows_no_secret(book, server):
    begun(book, server, more=f"- staging key {KEY}\n")
    planned = book.rewrite(endpoint(server), dry=True)
    assert planned.task is not None
    assert KEY not in str(planned.task)
    assert MARK in planned.task.files["MEMORY.md"].decode()


@pytest.fixture
def purged(book):
    """The id of nothing any more: a statement that was purged."""
    identifier = book.world.memory(f"Memory/Lessons/{PURGED[:-1]}.md", PURGED, category="lesson")
    book.world.here.sync()
    purge(book.world.here.call(), identifier)
    return identifier


@pytest.mark.parametrize(
    "line",
    [
        f"- {PURGED} [Task 1]",
        f"- {PURGED[:-1]} [Task 1]",
        f"- Know this. {PURGED} [Task 1]",
        "- Never paste quokka rosters\n  into zeppelin tables. [Task 1]",
        f"### {PURGED[:-1]}\n- Yes. [Task 1]",
        f"- `{PURGED}` [Task 1]",
        f"- **{PURGED[:-1]}**! [Task 1]",
        f'- The user said: "{PURGED}" [Task 1]',
        f"| Task 1 | {PURGED} |\n| --- | --- |\n| [Task 1] | x |",
        "- Never paste *quokka* rosters\n  into `zeppelin` tables! [Task 1]",
    ],
)
def test_what_was_purged_does_not_come_back_by_a_rewrite(book, server, purged, line):
    card = book.card()
    server.script(
        writes(
            memory=handbook(card, more=f"{line}\n"),
            summary=summary(card, more=f"- {PURGED} [{card.hash}]\n"),
        ),
        put(
            SKILL,
            "---\nname: rosters\ndescription: Rosters.\n---\n"
            f"{PURGED} [{card.hash}]\n\nKeep it. [{card.hash}]\n",
        ),
        says("Done."),
    )
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    for data in book.published().values():
        assert b"zeppelin" not in data
    assert b"Use make, not ninja." in book.published()["MEMORY.md"]
    assert b"Keep it." in book.published()[SKILL]


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("rosters", PURGED),
        ("never-paste-quokka-rosters-into-zeppelin-tables", "Rosters."),
    ],
)
def test_a_skill_that_is_named_or_described_by_it_is_not_made(
    book, server, purged, name, description
):
    card = book.card()
    skill = f"---\nname: {name}\ndescription: {description}\n---\nKeep it. [{card.hash}]\n"
    server.script(good(card)[0], put(f"Skills/{name}/SKILL.md", skill), says("Done."))
    done = book.rewrite(endpoint(server))
    assert [one.code for one in done.findings] == ["VM956"]
    assert "zeppelin" not in str(done.findings)
    assert not [path for path in book.published() if path.startswith("Skills")]


def test_a_card_or_note_that_comes_late_does_not_bring_it_to_the_model(book, server, purged):
    book.card(summary=f"Rosters.\n{PURGED}", card=f"- Use make.\n- {PURGED}\n")
    remember_note(book.device.call(), "Rosters", PURGED)
    planned = book.rewrite(endpoint(server), dry=True)
    assert planned.task is not None
    assert "Use make." in str(planned.task.files)
    assert "zeppelin" not in str(planned.task.files)


def test_what_a_person_writes_again_stays(book, server, purged):
    first = begun(book, server, more=f"- {PURGED}\n")
    cards = (first, book.card(SECOND))
    server.script(*good(*cards))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    assert f"- {PURGED}\n" in book.world.read(HANDBOOK)


def test_the_marks_are_explained_once_in_the_handbook(book, server):
    card = book.card()
    text = handbook(card).replace(f"{LEGEND}\n\n", "")
    assert LEGEND not in text
    server.script(writes(memory=f"{text}- {LEGEND}\n{LEGEND}\n", summary=summary(card)), says("."))
    done = book.rewrite(endpoint(server))
    assert done.dropped_lines == (f"- {LEGEND}",)
    assert book.published()["MEMORY.md"].decode() == f"{LEGEND}\n\n{text}"
