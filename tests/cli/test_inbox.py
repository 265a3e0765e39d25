"""`vaultmem inbox`: the list, decisions by name, and changes before a decision."""

from __future__ import annotations

import pytest

from tests.cli.proposed import AGENT, TEXTS, memories, propose, statements
from tests.cli.terminal import write
from vaultmem.services.capturing.shown import was_shown

# The list


def test_an_empty_inbox_says_so(terminal):
    assert terminal.ok("inbox").out == "Nothing waits for you.\n"
    assert terminal.ok("inbox", "--json").json == {
        "candidates": [],
        "patches": 0,
        "promotions": 0,
        "questions": 0,
    }


def test_what_waits_beside_candidates_is_named_with_its_command(terminal):
    text = (
        "---\nid: mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: memory\ncategory: lesson\n"
        "created: 2020-01-01T10:00:00\n---\nOld ways.\n"
    )
    write(terminal.cwd / "Memory/Lessons/Old ways.md", text)
    terminal.ok("maintain", "run")
    terminal.ok("add", "Use UTC in every table.", "--category", "pattern")
    terminal.ok("promote", "propose", "Use UTC in every table", "--to", "project_rule")
    terminal.ok("maintain", "ask", "Is it raining?")

    said = " ".join(terminal.ok("inbox").out.split())
    assert said == (
        "No candidate waits. For you to decide as well: 1 patch (`vaultmem patch list`), "
        "1 promotion (`vaultmem promote list`), 1 question (`vaultmem maintain inquiries`)."
    )
    told = terminal.ok("inbox", "--json").json
    assert (told["patches"], told["promotions"], told["questions"]) == (1, 1, 1)
    status = terminal.ok("status")
    assert "Promote   1 waiting; `vaultmem promote list`" in status.out
    assert "Asked     1 waiting; `vaultmem maintain inquiries`" in status.out
    left = " ".join(terminal.ok("inbox", "review", typed="s\n").out.split())
    assert left.endswith(
        "1 patch still waits. For you to decide as well: 1 promotion (`vaultmem promote list`), "
        "1 question (`vaultmem maintain inquiries`)."
    )
    handoff = terminal.ok("export", "handoff", "--project", "", "--json").json["counts"]
    assert (handoff["patches"], handoff["promotions"], handoff["questions"]) == (1, 1, 1)
    assert "1 patch, 1 promotion, 1 open question." in " ".join(
        terminal.ok("export", "handoff", "--project", "").out.split()
    )

    propose(terminal, TEXTS[0])
    assert "For you to decide as well: 1 patch" in terminal.ok("inbox").out
    for one in terminal.ok("promote", "list", "--json").json["promotions"]:
        terminal.ok("promote", "accept", one["id"])  # its note stays, and waits for nobody
    assert terminal.ok("inbox", "--json").json["promotions"] == 0


def test_the_list_tells_why_and_what_an_approval_would_do(terminal):
    terminal.ok("add", "Use UTC in every table.", "--category", "pattern")
    first, second = propose(terminal, TEXTS[0], "From now on use UTC in every table and index.")
    terminal.ok("inbox", "defer", first)

    lines = terminal.ok("inbox").out

    assert lines.index("From now on") < lines.index("Retry"), "what was put off comes last"
    assert f"  put off, {first}, pattern" in lines
    assert "Approving it adds a memory." in lines
    assert "Approving it rewords: “Use UTC in every table.”" in lines
    assert "No user said this; let a person decide." in lines
    (one, _) = terminal.ok("inbox", "--json").json["candidates"]
    assert (one["id"], one["approval"]) == (second, "update")
    assert one["target"].startswith("mem_")
    assert one["durability"]
    assert one["evidence"]
    assert one["matched"]


def test_nothing_of_a_candidate_drives_the_terminal(terminal):
    write(
        terminal.cwd / "Memory/Inbox/x.md",
        "---\nid: cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2\ntype: candidate\ndecision:\n"
        'reasons:\n  - "\\x1b[31mred\\x1b[0m [bold]x[/]"\nproject: "\\x1b]8;;http://x\\x07y"\n'
        "---\nSay \x1b[2Jit.\n\n\x1b[31mred body\n",
    )
    terminal.ok("sync")

    shown = terminal.ok("inbox").out + terminal.ok("inbox", "review", typed="d\nq\n").out

    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]x[/]" in shown


# Decisions by name


def test_an_approval_names_the_memory_the_patch_and_what_it_replaces(terminal):
    terminal.ok("add", "Use UTC in every table.", "--category", "pattern")
    (one,) = propose(terminal, "From now on use UTC in every table and index.")

    done = terminal.ok("inbox", "approve", one).out

    assert "Remembered: From now on use UTC in every table and index.\n" in done
    assert "  Memory/Patterns/Use UTC in every table.md\n" in done
    assert "It stands instead of: Use UTC in every table." in done
    revert = done.split("`vaultmem ")[1].split("`")[0]
    terminal.ok(*revert.split())
    assert memories(terminal) == ["Use UTC in every table."]


def test_several_are_decided_at_once_and_one_that_fails_keeps_no_other_back(terminal):
    first, second, _ = propose(terminal, *TEXTS[:3])

    done = terminal.run("inbox", "approve", first, "nothing like it", second, "--json")

    assert done.code == 23
    assert [one["outcome"] for one in done.json["decided"]] == ["approved"] * 2
    assert [one["id"] for one in done.json["refused"]] == ["nothing like it"]
    assert "vaultmem inbox" in done.json["refused"][0]["message"]
    assert statements(terminal) == [TEXTS[2]]
    told = terminal.run("inbox", "reject", "nothing like it", "Keep commits small")
    assert told.code == 23
    rejected, back = told.out.splitlines()
    assert rejected == f"Rejected: {TEXTS[2]}"
    assert told.err.startswith("vaultmem: No candidate is called")
    terminal.ok(*back.split("`vaultmem ")[1].split("`")[0].split())
    assert statements(terminal) == [TEXTS[2]]


def test_a_name_alone_that_fails_is_an_error(terminal):
    done = terminal.run("inbox", "approve", "nothing like it", "--json")

    assert done.code == 23
    assert done.json["error"]["type"] == "NoteNotFoundError"


def test_what_is_known_already_is_counted_there(terminal):
    terminal.ok("add", "Use UTC in every table.", "--category", "pattern")
    (one,) = propose(terminal, "Always use UTC in every table.")

    done = terminal.ok("inbox", "approve", one).out

    assert done.startswith("Known already, counted there: Use UTC in every table.\n")
    assert statements(terminal) == []


@pytest.fixture
def identity(terminal):
    (one,) = propose(terminal, "I answer in one sentence.")
    terminal.ok("inbox", "edit", one, "--set", "layer", "L1")
    return one


def test_identity_is_ratified_in_so_many_words(terminal, identity):
    refused = terminal.run("inbox", "approve", identity)

    assert refused.code == 44
    assert f"Run `vaultmem ratify {identity}`." in refused.err
    assert terminal.run("inbox", "approve", identity, typed="n\n").code == 42
    assert statements(terminal) == ["I answer in one sentence."]
    done = terminal.ok("inbox", "approve", identity, typed="y\n").out
    assert "Ratify it now? [y/N]" in done
    assert "  Memory/Identity/" in done
    assert terminal.ok("show", identity, "--json").json["force"] is True


@pytest.mark.parametrize("arguments", [("inbox", "approve", "--ratify"), ("ratify",)], ids=" ".join)
def test_a_ratification_by_name_approves_identity(terminal, identity, arguments):
    terminal.ok(*arguments, identity)

    assert terminal.ok("show", identity, "--json").json["force"] is True


def test_json_asks_nothing(terminal, identity):
    done = terminal.run("inbox", "approve", identity, "--json", typed="y\n")

    assert done.code == 44
    assert done.json["error"]["type"] == "NotRatifiedError"


# Edit


def test_a_candidate_is_edited_and_goes_on_waiting(terminal):
    (one,) = propose(terminal, TEXTS[0])

    done = terminal.ok(
        "inbox", "edit", one, "--statement", "Retry six times.", "--category", "lesson"
    )

    assert done.out == "Changed Memory/Inbox/Retry a failed webhook five times.md\n"
    assert statements(terminal) == ["Retry six times."]
    again = terminal.ok("inbox", "edit", one, "--category", "lesson", "--json").json
    assert again["changed"] is False
    made = terminal.ok(
        "inbox", "edit", one, "--set", "tags", "memory/x", "--approve", "--json"
    ).json
    assert made["decided"][0]["path"].startswith("Memory/Lessons/")
    assert terminal.ok("show", one, "--json").json["tags"] == ["memory/x"]


def test_without_options_the_candidate_opens_in_the_editor(terminal):
    (one,) = propose(terminal, TEXTS[0])
    env = {"VISUAL": "sed -i s/five/six/", "EDITOR": "true"}

    assert terminal.ok("inbox", "edit", one, "--json", typed="", env=env).json["changed"] is True

    assert statements(terminal) == ["Retry a failed webhook six times."]
    same = terminal.ok("inbox", "edit", one, typed="", env={"VISUAL": "true", "EDITOR": "true"}).out
    assert same.startswith("Nothing was changed in Memory/Inbox/")


# Names that are not those of a candidate, and what a sync says of the inbox


def test_list_is_what_the_bare_command_says(terminal):
    propose(terminal, TEXTS[0])

    assert terminal.ok("inbox", "list").out == terminal.ok("inbox").out


def test_a_memory_is_told_from_a_candidate_and_a_candidate_from_a_memory(terminal):
    added = terminal.ok("add", "Say it.", "--category", "lesson", "--json").json
    (one,) = propose(terminal, TEXTS[0])

    done = terminal.run("inbox", "approve", "Say it")
    assert done.code == 23
    assert f"{added['path']} is a memory already" in done.err
    done = terminal.run("pin", one)
    assert done.code == 23
    assert "is no memory yet: Memory/Inbox/" in done.err
    assert "`vaultmem inbox`" in done.err


def test_show_and_why_tell_of_a_candidate_what_they_tell_of_a_memory(terminal):
    memory = terminal.ok("add", "Say it.", "--category", "lesson", "--json").json
    (one,) = propose(terminal, TEXTS[0])
    listed = terminal.ok("inbox", "--json").json["candidates"][0]
    terminal.ok("note", "set", listed["path"], "decision", "defer")  # a claim of the note counts
    terminal.ok("note", "set", listed["path"], "trust", "direct_user_instruction")  # this does not

    for name in (one, listed["path"], one[-8:].lower()):
        shown = terminal.ok("show", name, "--json").json
        assert (shown["id"], shown["path"], shown["statement"]) == (one, listed["path"], TEXTS[0])
    assert shown.keys() >= terminal.ok("show", memory["id"], "--json").json.keys()
    same = ("trust", "durability", "verification", "approval", "target", "matched")
    assert {key: shown[key] for key in same} == {key: listed[key] for key in same}
    assert (shown["decision"], shown["state"], shown["type"]) == (None, "deferred", "candidate")
    assert (shown["lifecycle"], shown["score"], shown["force"]) == (None, None, False)
    told = "Approving it adds a memory. Decide with `vaultmem inbox`."
    assert told in terminal.ok("show", one).out
    found = terminal.ok("why", one, "--json").json
    assert (found["id"], found["waiting"], found["approved_by"]) == (one, True, None)
    assert found["events"][0]["act"] == "created"
    assert "It waits for your decision." in terminal.ok("why", listed["path"]).out


@pytest.mark.parametrize("verb", ["show", "why"])
def test_an_agent_that_is_shown_a_candidate_teaches_nothing_by_repeating_it(terminal, verb):
    (one,) = propose(terminal, TEXTS[0])
    with terminal.app() as app:
        assert not was_shown(app.call(), TEXTS[0])
        terminal.ok(verb, one, env=AGENT)
        assert was_shown(app.call(), TEXTS[0])


@pytest.mark.parametrize("verb", ["show", "why"])
def test_two_candidates_of_one_id_are_told_apart_by_nobody(terminal, verb):
    (one,) = propose(terminal, TEXTS[0])
    place = terminal.cwd / terminal.ok("inbox", "--json").json["candidates"][0]["path"]
    place.with_name("Twin.md").write_bytes(place.read_bytes())
    done = terminal.run(verb, one)
    assert done.code == 24
    assert "several notes" in done.err


def test_why_says_that_an_agent_proposed_what_the_person_approved(terminal):
    (one,) = propose(terminal, TEXTS[0])
    terminal.ok("inbox", "approve", one)

    said = terminal.ok("why", one).out

    assert "It was proposed in the inbox by an agent on 2026-11-29.\n" in said
    assert "`vaultmem evidence list " in said


def test_a_sync_says_what_it_captured_and_what_came_of_a_decision(terminal):
    dropped = write(terminal.cwd / "Memory/Inbox/Tea.md", "Brew tea at 80 degrees.\n")

    assert "captured  Memory/Inbox/Tea.md\n1 captured; " in terminal.ok("sync").out

    dropped.write_text(dropped.read_text().replace("decision:", "decision: ok"))
    (change,) = terminal.ok("sync", "--json").json["changes"]
    assert (change["change"], change["outcome"]) == ("decided", "approved")
    assert change["became"].startswith("Memory/Lessons/")
    (one,) = propose(terminal, TEXTS[1])
    path = terminal.ok("inbox", "--json").json["candidates"][0]["path"]
    terminal.ok("note", "set", path, "decision", "reject")
    assert "1 candidate" not in terminal.ok("inbox").out, one


def test_a_key_typed_as_a_statement_goes_back(terminal):
    propose(terminal, TEXTS[0])

    terminal.ok("inbox", "review", typed="e\nq\nq\n")

    assert statements(terminal) == [TEXTS[0]]


def test_candidates_of_an_open_patch_are_named_as_such(terminal):
    write(terminal.cwd / "Memory/Inbox/Tea.md", "Brew tea at 80 degrees.\n")
    terminal.ok("sync")
    said = " ".join(terminal.ok("curate").out.split())
    patch = terminal.ok("patch", "list", "--json").json["patches"][0]["id"]

    assert f"`vaultmem patch apply {patch}`" in said
    assert "1 of them in an open patch too" in terminal.ok("inbox").out
    assert terminal.ok("curate").out.startswith("1 candidate in a patch that waits already")
    assert "Patches   1 waiting" in terminal.ok("status").out
