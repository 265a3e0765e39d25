"""`vaultmem forget`: what it asks, prints and answers as JSON."""

from __future__ import annotations

import pytest

from tests.cli.terminal import write

TEXT = "Never paste quokka rosters into zeppelin tables."


@pytest.fixture
def known(terminal):
    """The id of a memory."""
    return terminal.ok("add", TEXT, "--category", "lesson", "--json").json["id"]


def test_forget_keeps_the_note_and_says_how_to_go_back(terminal, known):
    done = terminal.ok("forget", known)
    assert f"Forgotten: {TEXT}" in done.out
    assert f"vaultmem edit {known} --set status active" in " ".join(done.out.split())
    terminal.ok("edit", known, "--set", "status", "active")
    assert TEXT in terminal.ok("report").out


def test_forget_as_json(terminal, known):
    done = terminal.ok("forget", known, "--json").json
    assert done["id"] == known
    assert (done["mode"], done["changed"]) == ("audit_preserving", True)
    assert terminal.ok("forget", known, "--json").json["changed"] is False


def test_a_purge_asks_and_shows_what_goes_and_what_stays(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"We said: {TEXT}\n")
    done = terminal.run("forget", known, "--purge", typed="n\n")
    assert done.code == 42
    assert TEXT in done.out
    assert "Notes/Plan.md (line 1)" in done.out
    assert "--also" in done.err
    assert terminal.ok("show", known)


def test_a_purge_after_yes(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"- {TEXT}\n")
    done = terminal.ok("forget", known, "--purge", "--also", "Notes/Plan.md", typed="y\n")
    assert f"Purged {known}: 1 file removed, 1 note cut." in done.out
    assert (terminal.cwd / "Notes/Plan.md").read_text() == ""


def test_what_was_shown_is_purged_though_another_note_has_its_name_since(
    terminal, known, monkeypatch
):
    title = TEXT.removesuffix(".")
    place = terminal.cwd / f"Memory/Lessons/{title}.md"

    def while_it_asks(*_: str) -> None:
        place.rename(place.with_name("Rosters.md"))
        write(place, "---\ntype: memory\n---\nAnother thing.\n")

    monkeypatch.setattr("vaultmem.cli.commands.forget.confirm", while_it_asks)
    done = terminal.ok("forget", title, "--purge", typed="y\n")
    assert f"Purged {known}: 1 file removed" in done.out
    assert "Another thing." in place.read_text()
    assert not place.with_name("Rosters.md").exists()


def test_an_edit_that_is_saved_while_it_asks_is_not_removed(terminal, known, monkeypatch):
    (place,) = (terminal.cwd / "Memory/Lessons").glob("*.md")

    def while_it_asks(*_: str) -> None:
        write(place, place.read_text() + "\nWhy: it took us a week.\n")

    monkeypatch.setattr("vaultmem.cli.commands.forget.confirm", while_it_asks)
    done = terminal.run("forget", known, "--purge", typed="y\n")
    assert done.code == 21
    assert "changed while you looked at it. Look again." in done.err
    assert "Why: it took us a week." in place.read_text()
    assert terminal.ok("show", known, "--json").json["status"] == "active"

    monkeypatch.undo()
    terminal.ok("forget", known, "--purge", typed="y\n")
    assert not place.exists()


def test_a_note_that_comes_to_go_with_it_while_it_asks_is_not_removed(terminal, known, monkeypatch):
    question = terminal.cwd / "Memory/Inquiries/Why.md"

    def while_it_asks(*_: str) -> None:
        write(question, f"---\ntype: inquiry\n---\nWhy so?\n\nOf {known}.\n\nMy own answer.\n")

    monkeypatch.setattr("vaultmem.cli.commands.forget.confirm", while_it_asks)
    done = terminal.run("forget", known, "--purge", typed="y\n")
    assert done.code == 21
    assert "My own answer." in question.read_text()


def test_what_only_loses_lines_may_grow_while_it_asks(terminal, known, monkeypatch):
    log = write(terminal.cwd / "Memory/System/Log/x.md", f"- {TEXT}\n")

    def while_it_asks(*_: str) -> None:
        write(log, log.read_text() + "- Another line.\n")

    monkeypatch.setattr("vaultmem.cli.commands.forget.confirm", while_it_asks)
    terminal.ok("forget", known, "--purge", typed="y\n")
    assert log.read_text() == "- Another line.\n"


def test_the_question_names_the_notes_of_yours_that_lose_lines(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"- {TEXT}\n")
    also = ["--also", "Notes/Plan.md", "--also", "Notes/Plan.md"]
    done = terminal.run("forget", known, "--purge", *also, typed="n\n")
    goes, _, left = done.out.partition("It may still stand in:")
    assert "  Notes/Plan.md\n" in goes
    assert "Notes/Plan.md" not in left
    assert (terminal.cwd / "Notes/Plan.md").read_text() == f"- {TEXT}\n"
    done = terminal.ok("forget", known, "--purge", "--yes", *also)
    assert "1 note cut" in done.out, "named twice, cut once"
    assert "Not finished" not in done.out


def test_a_note_that_was_named_and_left_is_not_counted(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"We said: {TEXT}\n")
    done = terminal.ok("forget", known, "--purge", "--yes", "--also", "Notes/Plan.md")
    assert "1 file removed, 0 notes cut." in done.out


def test_a_line_that_says_more_is_left_and_that_is_said(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"We said: {TEXT}\n")
    done = terminal.ok("forget", known, "--purge", "--yes", "--also", "Notes/Plan.md")
    assert "say more than the memory, so `--also` left them" in " ".join(done.out.split())


def test_a_purge_that_is_held_up_says_so_and_ends_with_another_code(terminal, known):
    log = write(terminal.cwd / "Memory/System/Log/x.md", f"- {TEXT}\n")
    log.chmod(0o400)
    done = terminal.run("forget", known, "--purge", "--yes")
    assert done.code == 30
    assert "Not finished" in done.out
    log.chmod(0o600)
    terminal.ok("sync")
    assert log.read_text() == ""


def test_a_purge_of_what_was_there_at_the_first_look_names_wordings_that_nobody_saw(terminal):
    write(terminal.cwd / "Memory/Lessons/Rosters.md", f"---\ntype: memory\n---\n{TEXT}\n")
    terminal.ok("sync")
    done = terminal.ok("forget", "Rosters", "--purge", "--yes")
    assert "It may still stand in:\n  earlier wordings\n" in done.out


def test_a_purge_of_what_was_added_here_names_none(terminal, known):
    assert "earlier wordings" not in terminal.ok("forget", known, "--purge", "--yes").out


def test_a_purge_as_json(terminal, known):
    write(terminal.cwd / "Notes/Plan.md", f"We said: {TEXT}\n")
    done = terminal.ok("forget", known, "--purge", "--yes", "--reason", "invalid", "--json").json
    assert done["id"] == known
    assert (done["mode"], done["finished"], done["cut"]) == ("privacy_purge", True, [])
    assert len(done["removed"]) == 1
    (left,) = done["left"]
    assert (left["where"], left["path"], left["lines"]) == ("note", "Notes/Plan.md", [1])
    assert left["certain"] is True
    assert left["how"]


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_purge_without_an_answer_removes_nothing(terminal, known, more):
    done = terminal.run("forget", known, "--purge", *more)
    assert done.code == 42
    assert "--yes" in done.err
    assert terminal.ok("show", known)


def test_an_agent_is_refused_before_anything_is_shown(terminal, known):
    for more in ((), ("--purge",), ("--purge", "--yes")):
        done = terminal.run("forget", known, *more, env={"AI_AGENT": "pi"})
        assert done.code == 40
        assert "quokka" not in done.out + done.err


def test_also_needs_purge(terminal, known):
    assert terminal.run("forget", known, "--also", "Notes/Plan.md").code == 2


def test_the_agents_sessions_are_searched_where_there_are_some(terminal, known, tmp_path):
    sessions = tmp_path / "sessions"
    write(sessions / "a.jsonl", f'{{"text": "{TEXT}"}}\n' * 7)
    done = terminal.ok(
        "forget",
        known,
        "--purge",
        typed="y\n",
        env={"PI_CODING_AGENT_SESSION_DIR": str(sessions)},
    )
    assert "a.jsonl (line 1, 2, 3, 4, 5 …)" in "".join(done.out.split("\n"))


def test_a_purge_of_what_is_not_there_says_that_before_it_wants_a_yes(known, terminal):
    done = terminal.run("forget", "nothing-like-it", "--purge")
    assert (done.code, "--yes" in done.err) == (23, False)
    assert terminal.run("forget", known, "--purge").code == 42
