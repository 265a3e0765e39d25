"""`vaultmem maintain`: what it proposes, the questions, their answers, and whom it refuses."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from tests.core.fakes import fake
from vaultmem.core.ids import short_id
from vaultmem.services.capturing import guarding

NOTE = "Memory/Lessons/Add files by name.md"
COLD = "Memory/Lessons/Old ways.md"
MEMORY, OLD = "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2", "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W3"
QUESTION = "Which database does staging use?"


@pytest.fixture
def ready(terminal):
    """A vault with a memory whose review was missed, and one that has grown cold."""
    write(
        terminal.cwd / NOTE,
        f"---\nid: {MEMORY}\ntype: memory\ncategory: lesson\nconfidence: 0.9\n"
        "created: 2026-11-20T10:00:00\nreview: 2026-11-28\n---\nAdd files by name.\n",
    )
    write(
        terminal.cwd / COLD,
        f"---\nid: {OLD}\ntype: memory\ncategory: lesson\ncreated: 2020-01-01T10:00:00\n---\n"
        "Old ways.\n",
    )
    terminal.ok("sync")
    return terminal


def test_the_documented_keys_are_printed(ready):
    looked = ready.ok("maintain", "list", "--json").json
    done = ready.ok("maintain", "run", "--json").json
    assert set(looked) == COMMANDS["maintain list"]
    assert set(done) == COMMANDS["maintain run"]
    assert done["planned"] == looked["planned"]
    assert all(set(one) == LISTS["planned"] for one in done["planned"])
    first, second = done["planned"]
    assert (first["op"], first["target"], first["archive"], first["selected"]) == (
        "deprecate",
        OLD,
        True,
        False,
    )
    assert second["changes"] == {"confidence": 0.75, "review": "2026-12-29"}
    assert (second["op"], second["risk"], second["selected"]) == ("decay", "low", True)
    assert ready.ok("patch", "show", done["patch"], "--json").json["path"] == done["proposed"]
    again = ready.ok("maintain", "run", "--json").json
    assert (again["planned"], again["proposed"], again["waiting"]) == ([], None, done["patch"])
    reviewed = ready.ok("maintain", "reviewed", MEMORY, "--json").json
    assert set(reviewed) == COMMANDS["maintain reviewed"]


def test_the_documented_keys_of_questions_are_printed(ready):
    asked = ready.ok("maintain", "ask", QUESTION, "--about", MEMORY, "--json").json
    assert set(asked) == COMMANDS["maintain ask"]
    listed = ready.ok("maintain", "inquiries", "--json").json
    assert set(listed) == COMMANDS["maintain inquiries"]
    (one,) = listed["inquiries"]
    assert set(one) == LISTS["inquiries` of `maintain inquiries"]
    assert (one["question"], one["matched"]) == (QUESTION, ["[[Add files by name]]"])
    answered = ready.ok("maintain", "answer", asked["id"], MEMORY, "--json").json
    assert set(answered) == COMMANDS["maintain answer"]
    other = ready.ok("maintain", "ask", "Is it raining?", "--priority", "high", "--json").json
    withdrawn = ready.ok("maintain", "withdraw", other["id"], "--json").json
    assert set(withdrawn) == COMMANDS["maintain withdraw"]
    assert ready.ok("maintain", "inquiries", "--json").json == {"inquiries": []}
    both = ready.ok("maintain", "inquiries", "--all", "--json").json["inquiries"]
    assert [one["status"] for one in both] == ["answered", "withdrawn"]
    assert [one["answer"] for one in both] == ["[[Add files by name]]", None]


def test_a_run_lists_the_questions_that_it_closed(ready):
    ready.ok("maintain", "ask", QUESTION)
    ready.now = ready.now.replace(year=2027)
    done = ready.ok("maintain", "run", "--json").json
    (closed,) = done["inquiries"]
    assert set(closed) == LISTS["inquiries` of `maintain list`, `maintain run"]
    assert closed["outcome"] == "stale"
    ready.ok("maintain", "ask", "Is it raining?")
    ready.now = ready.now.replace(year=2028)
    assert "Not asked any more: Is it raining?\n" in ready.ok("maintain", "run").out


def test_what_holds_a_secret_is_not_proposed_and_that_is_said(terminal, monkeypatch):
    with monkeypatch.context() as older:  # a version that did not know this kind of secret yet
        older.setattr(guarding, "held_back", lambda *_, **__: None)
        write(
            terminal.cwd / NOTE,
            "---\ncategory: lesson\ncreated: 2026-11-20T10:00:00\nreview: 2026-11-28\n---\n"
            f"Use {'gh' + 'p_' + fake(36)} there.\n",
        )
        terminal.ok("sync")
    done = " ".join(terminal.ok("maintain", "run").out.split())
    assert "what is left holds a secret, which `vaultmem doctor` finds." in done


def test_a_person_reads_what_is_proposed_and_how_to_decide(ready):
    looked = ready.ok("maintain", "list").out
    assert "Old ways.\n  s9t0v1w3, deprecate, into the archive, medium risk\n" in looked
    assert "decay, low risk, confidence 0.75, review 2026-12-29\n" in looked
    assert "`vaultmem maintain run`" in looked
    ran = ready.ok("maintain", "run").out
    (patch,) = (ready.cwd / "Memory/Inbox").glob("Patch - *.md")
    assert f"\n  Memory/Inbox/{patch.name}\n" in ran, "in one piece, to be copied"
    assert "Look at it with `vaultmem patch show " in " ".join(ran.split())
    again = " ".join(ready.ok("maintain", "run").out.split())
    assert "waits already" in again
    waiting = ready.ok("maintain", "list", "--json").json["waiting"]
    for verb in ("show", "apply", "reject"):  # to be copied as it stands
        assert f"`vaultmem patch {verb} {short_id(waiting)}`" in again


def test_a_question_is_told_with_its_id_and_by_what_it_was_answered(ready):
    asked = ready.ok("maintain", "ask", QUESTION).out
    end = ready.ok("maintain", "inquiries", "--json").json["inquiries"][0]["id"][-8:].lower()
    assert f"Asked: {QUESTION}\n  {end}, Memory/Inquiries/" in asked
    answered = ready.ok("maintain", "answer", end, MEMORY).out
    assert answered.startswith(f"Answered: {QUESTION}\n  by [[Add files by name]]\n")
    note = next((ready.cwd / "Memory/Inquiries").iterdir())
    before = note.read_bytes()
    again = ready.ok("maintain", "answer", end, MEMORY)
    assert again.out.startswith(f"Answered already: {QUESTION}\n  by [[Add files by name]]\n")
    assert "Answered already" in ready.ok("maintain", "ask", QUESTION).out
    assert note.read_bytes() == before
    other = ready.run("maintain", "answer", end, OLD)
    assert other.code == 45
    assert "by [[Add files by name]]" in " ".join(other.err.split())


def test_what_was_withdrawn_is_withdrawn_already(ready):
    asked = ready.ok("maintain", "ask", QUESTION, "--json").json
    assert asked["already"] is False
    assert ready.ok("maintain", "withdraw", asked["id"]).out.startswith(f"Withdrawn: {QUESTION}")
    told = ready.ok("maintain", "withdraw", asked["id"], "--json").json
    assert (told["outcome"], told["already"], told["answer"]) == ("withdrawn", True, None)
    next((ready.cwd / "Memory/Inquiries").iterdir()).unlink()
    assert "Withdrawn already" in ready.ok("maintain", "ask", QUESTION).out


def test_nothing_to_do_is_said(terminal):
    assert terminal.ok("maintain", "list").out == "Nothing asks for a change.\n"
    assert terminal.ok("maintain", "run").out == "Nothing asks for a change.\n"
    assert "No question waits for you. `--all`" in terminal.ok("maintain", "inquiries").out
    assert terminal.ok("maintain", "inquiries", "--all").out == "No question was asked yet.\n"


def test_a_review_moves_on_and_can_be_taken_back(ready):
    done = ready.ok("maintain", "reviewed", "Add files by name").out
    assert done.startswith("Reviewed: Add files by name.\n")
    assert "review: 2026-12-29\n" in (ready.cwd / NOTE).read_text()
    assert "Reviewed already" in ready.ok("maintain", "reviewed", MEMORY).out
    assert "decay" not in ready.ok("maintain", "list").out
    ready.ok("undo")
    assert "review: 2026-11-28\n" in (ready.cwd / NOTE).read_text()


def test_a_backlog_says_how_much_is_left(terminal):
    for number in range(102):
        write(
            terminal.cwd / f"Memory/Lessons/Rule {number}.md",
            "---\ncategory: lesson\ncreated: 2026-11-20T10:00:00\nreview: 2026-11-28\n---\n"
            f"Rule number {number}.\n",
        )
    terminal.ok("sync")
    assert "Up to 2 more can wait until that is decided." in terminal.ok("maintain", "list").out


def test_questions_are_told_with_what_there_is_to_know(ready):
    ready.ok("maintain", "ask", QUESTION, "--project", "host/me/app", "--context", "Two say so.")
    told = ready.ok("maintain", "inquiries").out
    assert f"{QUESTION}\n  " in told
    assert "open, medium priority, host/me/app\n" in told
    assert "Asked already" in ready.ok("maintain", "ask", QUESTION, "--project", "host/me/app").out
    note = next((ready.cwd / "Memory/Inquiries").iterdir())
    note.write_text(note.read_text().replace("status: open", "status: withdrawn"))
    ready.ok("sync", env={"AI_AGENT": "coder"})
    assert "changed by something other than you" in ready.ok("maintain", "inquiries").out


def test_an_agent_reads_and_may_not_decide(ready):
    agent = {"AI_AGENT": "coder"}
    asked = ready.ok("maintain", "ask", QUESTION, "--json").json
    assert "Old ways." in ready.ok("maintain", "list", env=agent).out
    assert QUESTION in ready.ok("maintain", "inquiries", env=agent).out
    for words in (
        ["run"],
        ["reviewed", MEMORY],
        ["ask", "Is it?"],
        ["answer", asked["id"], MEMORY],
        ["withdraw", asked["id"]],
    ):
        done = ready.run("maintain", *words, env=agent)
        assert done.code == 40, words


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["answer", "nothing", MEMORY], 23),
        (["withdraw", "nothing"], 23),
        (["reviewed", "nothing"], 23),
        (["ask", "Is it?", "--about", "nothing"], 23),
        (["ask", ""], 41),
        (["ask", "Is it?", "--priority", "huge"], 2),
    ],
)
def test_what_cannot_be_done_says_so(ready, words, code):
    done = ready.run("maintain", *words)
    assert done.code == code, done
    assert done.err
