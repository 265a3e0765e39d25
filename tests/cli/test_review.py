"""`vaultmem inbox review`: candidates one after the other, then the open patches."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.cli.proposed import TEXTS, memories, propose, statements
from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.operation import Deletion, Op, Operation
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.lookup import find_memory
from vaultmem.services.patches import new, save


def test_a_review_decides_one_after_the_other_and_confirms_each(terminal):
    propose(terminal, *TEXTS[:3])

    done = terminal.ok("inbox", "review", typed="a\nr\ns\n").out

    assert f"1/3  {TEXTS[0]}" in done
    assert f"Remembered: {TEXTS[0]}\n  Memory/Patterns/" in done
    assert f"Rejected: {TEXTS[1]}\n" in done
    assert "Skipped; it goes on waiting.\n" in done
    assert done.endswith("1 candidate still waits.\n")
    assert statements(terminal) == [TEXTS[2]]
    assert memories(terminal) == [TEXTS[0]]


def test_governed_row_125_of_nine_candidates_seven_are_listed_and_two_more_counted(terminal):
    propose(terminal, *TEXTS)

    done = terminal.ok("inbox", "review", typed="a\nr\ns\nq\n").out

    overview = done.split("1/9")[0].splitlines()
    assert [line.split("  ")[-1] for line in overview[1:8]] == list(TEXTS[:7])
    assert overview[8] == "  … and 2 more"
    assert "7 candidates still wait.\n" in done
    assert memories(terminal) == [TEXTS[0]]
    assert statements(terminal) == list(TEXTS[2:])


@pytest.mark.parametrize(
    ("typed", "decided"), [("\n", 0), ("", 0), ("q\n", 0), ("A\n", 1), (" r \n", 1)]
)
def test_enter_skips_the_end_of_input_leaves_and_case_and_blanks_do_not_matter(
    terminal, typed, decided
):
    propose(terminal, *TEXTS[:2])

    done = terminal.ok("inbox", "review", typed=typed)

    assert len(statements(terminal)) == 2 - decided
    assert done.out.endswith(
        f"{2 - decided} candidate{'s' * (decided == 0)} still wait{'s' * decided}.\n"
    )


def test_another_key_is_named_and_help_tells_all_of_them(terminal):
    propose(terminal, TEXTS[0])

    done = terminal.ok("inbox", "review", typed="yes\n\x1b[A\n?\nq\n").out

    assert "'yes' is no key here. Type ? for help." in done
    assert "\x1b" not in done
    for key in "arsedq":
        assert f"  {key}  " in done
    assert statements(terminal) == [TEXTS[0]]


def test_details_show_the_note_and_the_words_of_the_evidence(terminal):
    propose(terminal, TEXTS[0])

    done = terminal.ok("inbox", "review", typed="d\nq\n").out

    assert "  path: Memory/Inbox/" in done
    assert "  evidence: agent_inference" in done
    assert f"  > {TEXTS[0]}" in done
    assert done.count("1/1  ") == 1


def test_an_edit_is_shown_anew_and_may_be_approved_then(terminal):
    propose(terminal, TEXTS[0])

    done = terminal.ok("inbox", "review", typed="e\nRetry six times.\na\n").out

    assert done.count("1/1  ") == 2
    assert "1/1  Retry six times.\n" in done
    assert done.endswith("Nothing waits any more.\n")
    assert memories(terminal) == ["Retry six times."]


def test_an_edit_without_words_opens_the_editor(terminal):
    propose(terminal, TEXTS[0])
    env = {"VISUAL": "sed -i s/five/six/", "EDITOR": "true"}

    done = terminal.ok("inbox", "review", typed="e\n\na\n", env=env).out

    assert "1/1  Retry a failed webhook six times.\n" in done
    assert memories(terminal) == ["Retry a failed webhook six times."]


def test_an_edit_that_is_left_leaves_the_review(terminal):
    propose(terminal, TEXTS[0])

    assert terminal.ok("inbox", "review", typed="e\n").out.endswith("1 candidate still waits.\n")


def test_an_editor_that_fails_does_not_end_the_review(terminal):
    propose(terminal, *TEXTS[:2])
    env = {"VISUAL": "no-such-editor", "EDITOR": "no-such-editor"}

    done = terminal.ok("inbox", "review", typed="e\n\na\nr\n", env=env).out

    assert "The editor failed" in done
    assert statements(terminal) == []
    assert memories(terminal) == [TEXTS[0]]


def test_an_approval_that_is_refused_is_told_and_asked_again(terminal):
    (one, _) = propose(terminal, *TEXTS[:2])
    terminal.ok("inbox", "edit", one, "--set", "layer", "L1")

    done = terminal.ok("inbox", "review", typed="a\nn\nr\na\n").out

    assert "which you ratify in so many words." in done
    assert "Nothing was changed. Answer `y` to ratify it." in done
    assert memories(terminal) == [TEXTS[1]]
    assert statements(terminal) == []


def test_what_changes_while_the_person_looks_is_shown_again_before_it_counts(terminal, monkeypatch):
    propose(terminal, TEXTS[0])
    path = terminal.cwd / "Memory/Inbox/Retry a failed webhook five times.md"
    answers = iter(["a", "a"])

    def answer(_question):
        typed = next(answers)
        if "five times.\n" in path.read_text():
            path.write_text(path.read_text().replace("five times.\n", "fifty times.\n", 1))
        return typed

    monkeypatch.setattr("vaultmem.cli.review.ask", answer)
    done = terminal.ok("inbox", "review", typed="").out

    assert "The candidate changed while" in done
    assert "1/1  Retry a failed webhook fifty times.\n" in done
    assert "Remembered: Retry a failed webhook fifty times.\n" in done


def test_what_was_decided_elsewhere_meanwhile_is_told(terminal, monkeypatch):
    propose(terminal, *TEXTS[:2])
    answers = iter(["s", "a"])

    def answer(_question):
        for place in (terminal.cwd / "Memory/Inbox").glob("Name*"):
            place.unlink()
        return next(answers)

    monkeypatch.setattr("vaultmem.cli.review.ask", answer)
    done = terminal.ok("inbox", "review", typed="").out

    assert "It does not wait any more: it was decided elsewhere." in done


def test_ctrl_c_keeps_what_was_decided_and_told(terminal, monkeypatch):
    propose(terminal, *TEXTS[:2])
    answers = iter(["a"])

    def answer(_question):
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr("vaultmem.cli.review.ask", answer)
    done = terminal.run("inbox", "review", typed="")

    assert done.code == 130
    assert f"Remembered: {TEXTS[0]}" in done.out
    assert memories(terminal) == [TEXTS[0]]
    assert statements(terminal) == [TEXTS[1]]


def test_a_review_without_a_terminal_says_what_to_do(terminal):
    propose(terminal, TEXTS[0])

    done = terminal.run("inbox", "review")

    assert done.code == 42
    assert done.err == (
        "vaultmem: Nobody is there to ask. Run `vaultmem inbox`, then `vaultmem inbox approve ID`.\n"
    )


def test_a_review_with_json_talks_on_standard_error(terminal):
    propose(terminal, *TEXTS[:2])

    done = terminal.ok("inbox", "review", "--json", typed="a\nq\n")

    assert [one["outcome"] for one in done.json["decided"]] == ["approved"]
    assert done.json["left"] == 1
    assert "[a]pprove" in done.err


def test_an_empty_inbox_has_nothing_to_review(terminal):
    assert terminal.ok("inbox", "review", typed="").out == "Nothing waits for you.\n"


def test_a_review_names_what_waits_elsewhere(terminal):
    terminal.ok("maintain", "ask", "Is it raining?")
    said = " ".join(terminal.ok("inbox", "review", typed="").out.split())
    assert said.startswith("No candidate waits. For you to decide as well: 1 question (")


def test_a_review_works_at_a_real_terminal(terminal, tmp_path):
    propose(terminal, *TEXTS[:2])
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    keyboard, screen = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "inbox", "review"],
        stdin=screen,
        stdout=screen,
        stderr=screen,
        cwd=terminal.cwd,
        env=kept | {"VAULTMEM_HOME": str(terminal.home), "TERM": "dumb"},
    )
    os.close(screen)
    os.write(keyboard, b"a\nr\n")
    shown = b""
    while chunk := _read(keyboard):
        shown += chunk
    assert process.wait(60) == 0
    os.close(keyboard)

    assert f"Remembered: {TEXTS[0]}" in shown.decode()
    assert "Nothing waits any more." in shown.decode()
    assert memories(terminal) == [TEXTS[0]]


def _read(keyboard):
    try:
        return os.read(keyboard, 4096)
    except OSError:  # the other side is gone
        return b""


# Open patches


@pytest.fixture
def patched(terminal):
    """A patch with two operations that wait, and its candidates."""
    propose(terminal, *TEXTS[:2])
    app = terminal.app()
    with app:
        call = app.call()
        drafts = [
            Operation(
                op=Op.ADD,
                memory=_approved(one.candidate.memory),
                candidate=one.id,
                reason="It was said twice.",
                selected=number == 0,
            )
            for number, one in enumerate(waiting(call))
        ]
        return save(call, new(call, [(draft, None) for draft in drafts]))


def _approved(memory):
    return replace(memory, id=MemoryId(with_prefix(memory.id, "mem")))


def test_operations_of_a_patch_are_ticked_and_applied(terminal, patched):
    done = terminal.ok("inbox", "review", typed="\n\n1\n?\n9\nop_002\na\n").out

    assert f"  {patched}\n" in done
    assert done.count("[x] op_001") == 1
    assert done.count("[ ] op_001") == 2
    assert "[x] op_002" in done
    assert "  NUMBER  tick" in done
    assert "'9' is no key or operation here." in done
    assert "Applied op_002 (add): Memory/Patterns/Name a test as a sentence.md" in done
    assert done.endswith("1 candidate still waits.\n")
    assert memories(terminal) == [TEXTS[1]]
    assert statements(terminal) == [TEXTS[0]]


def test_a_patch_with_nothing_ticked_stays_and_a_rejected_one_leaves_its_candidates(
    terminal, patched
):
    done = terminal.ok("inbox", "review", typed="\n\n1\na\ns\n").out

    assert "Nothing is ticked." in done
    assert done.endswith("2 candidates and 1 patch still wait.\n")
    done = terminal.ok("inbox", "review", typed="\n\nr\n").out
    assert "Rejected patch_" in done
    assert done.endswith("2 candidates still wait.\n")


@pytest.mark.parametrize("typed", ["\n\nq\n", "\n\n", "q\n"])
def test_a_patch_is_left_like_a_candidate(terminal, patched, typed):
    done = terminal.ok("inbox", "review", typed=typed).out

    assert "Left.\n" in done
    assert done.endswith("2 candidates and 1 patch still wait.\n")


def test_a_patch_that_changed_while_the_person_looked_is_shown_again(
    terminal, patched, monkeypatch
):
    place = terminal.cwd / patched
    answers = iter(["a", "q"])

    def answer(_question):
        place.write_text(place.read_text().replace("[ ]", "[x]"))
        return next(answers)

    monkeypatch.setattr("vaultmem.cli.patch_review.ask", answer)
    done = terminal.ok("inbox", "review", typed="\n\n").out

    assert "was edited since it was read" in " ".join(done.split())
    assert memories(terminal) == []


def test_a_patch_that_is_gone_is_told(terminal, patched, monkeypatch):
    place = terminal.cwd / patched
    monkeypatch.setattr("vaultmem.cli.patch_review.ask", lambda _: place.unlink() or "r")

    done = terminal.ok("inbox", "review", typed="\n\n").out

    assert done.endswith("2 candidates still wait.\n")


def test_a_purge_in_a_patch_asks_first(terminal):
    terminal.ok("add", TEXTS[0], "--category", "pattern")
    with terminal.app() as app:
        call = app.call()
        memory = find_memory(call, "Retry a failed webhook five times").decoded.memory
        purge = Operation(op=Op.DELETE, target=memory.id, deletion=Deletion.PURGE, reason="Asked.")
        save(call, new(call, [(purge, memory)]))

    done = terminal.ok("inbox", "review", typed="1\na\nn\ns\n").out

    assert f"op_001 removes for good: {TEXTS[0]}" in done
    assert memories(terminal) == [TEXTS[0]]
