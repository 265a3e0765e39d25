"""Captured text never drives a terminal, and stays on its line of the report."""

from __future__ import annotations

import json
import re

import pytest

from tests.acceptance.inertness import invisible, split
from tests.acceptance.payloads import PAYLOADS
from tests.cli.terminal import Terminal, small_vault, write
from vaultmem.core.inert import clean
from vaultmem.services import evidence

CONTROLS = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]"
each = pytest.mark.parametrize("payload", PAYLOADS, ids=lambda one: one.name)


SHOWN = {
    "show": lambda kept, _: [kept.id],
    "why": lambda kept, _: [kept.id],
    "search": lambda _, sign: ["--limit", "50", sign],
    "note get": lambda kept, _: [kept.path],
}


@each
@pytest.mark.parametrize("verb", SHOWN)
def test_a_terminal_shows_words_and_is_never_driven(memories, payload, verb):
    kept = memories[payload.name]
    arguments = SHOWN[verb](kept, payload.sign)
    done = kept.terminal.ok(*verb.split(), *arguments)
    assert invisible(done.out + done.err) == []
    if verb != "note get":
        assert payload.sign in done.out


@each
def test_json_holds_no_control_character_either(memories, payload):
    kept = memories[payload.name]
    said = kept.terminal.ok("show", "--json", kept.id).out
    assert json.loads(said)["statement"] == clean(payload.text).text
    assert not re.search(CONTROLS, said)


@pytest.mark.parametrize("arguments", [["inbox"], ["status"], ["doctor"], ["sync"]])
def test_lists_in_a_terminal_are_never_driven(candidates, places, arguments):
    done = places["agent"].run(*arguments)
    assert done.code in (0, 1)
    assert invisible(done.out + done.err) == []
    if arguments == ["inbox"]:
        for one in PAYLOADS:
            assert one.sign in done.out, one.name


@each
def test_what_stands_in_a_file_and_its_name_never_drives_the_terminal(tmp_path, payload):
    """Notes that nobody captured: a clone, a sync client or an agent put them there."""
    vault = small_vault(tmp_path / "vault")
    terminal = Terminal(vault, tmp_path / "home")
    terminal.ok("--vault", ".", "trust", ".")
    name = re.sub(r"[/\\\x00\r\n]", "", payload.text)[:40]
    text = re.sub(r"[\x00\ud800-\udfff]", "", payload.text)
    value = json.dumps(text)
    head = f"---\nproject: {value}\ntags:\n  - {value}\nstatus: {value}\nown: {value}\n---\n"
    for folder in ("Notes", "Memory/Lessons", "Memory/Inbox"):
        write(vault / folder / f"{name}.md", f"{head}{text}\n")
    for words in (
        ["sync"],
        ["doctor"],
        ["note", "get", f"Notes/{name}"],
        ["search", "--in", "vault", payload.sign],
        ["inbox"],
        ["report"],
    ):
        done = terminal.run(*words)
        assert done.code in (0, 1), done
        assert invisible(done.out + done.err) == [], words


@each
def test_an_error_that_quotes_it_is_words(places, payload):
    # The words alone would find what says them.
    done = places["person"].run("show", "--", f"{payload.text} which nobody says")
    assert done.code
    assert invisible(done.out + done.err) == []


def test_what_a_terminal_shows_of_a_patch_never_drives_it(patched):
    terminal, identifier, _ = patched
    for words in (["patch", "list"], ["patch", "show", identifier]):
        done = terminal.ok(*words)
        assert invisible(done.out + done.err) == []
    for one in PAYLOADS:
        assert one.sign in done.out, one.name


@each
def test_what_a_terminal_shows_of_evidence_never_drives_it(candidates, payload):
    kept = candidates[payload.name]
    listed = kept.terminal.ok("evidence", "list", kept.id)
    (link,) = split(kept.data).properties["evidence"]
    shown = kept.terminal.ok("evidence", "show", str(evidence.link_id(link)))
    for done in (listed, shown):
        assert invisible(done.out + done.err) == []
        assert payload.sign in done.out


@pytest.mark.parametrize("words", [["learnings"], ["learnings", "--all"]])
def test_what_a_terminal_shows_of_learnings_never_drives_it(memories, places, words):
    done = places["person"].ok(*words)
    assert invisible(done.out + done.err) == []


def test_a_review_in_the_terminal_is_never_driven(candidates, places):
    done = places["agent"].ok("inbox", "review", typed="d\ns\n" * len(PAYLOADS) + "q\n")
    assert invisible(done.out + done.err) == []
    for one in PAYLOADS:
        assert one.sign in done.out + done.err, one.name


TAG_OF_OURS = re.compile(r"[<\uff1c\u2039\ufe64]\s*/?\s*(project_memory|system)", re.I)


def test_in_the_report_each_memory_stays_on_its_line(memories, places):
    terminal = places["person"]
    plain = terminal.ok("report", "--budget", "60000").out
    done = terminal.ok("report", "--budget", "60000", "--json").json
    for text in (plain, done["text"]):
        assert invisible(text) == []
        assert not TAG_OF_OURS.search(text)
        assert "<" not in text.replace("<…", "")
    lines = done["text"].split("\n")
    for one in PAYLOADS:
        kept = memories[one.name]
        told = [line for line in lines if kept.id[-8:].lower() in line.lower()]
        if any(item["id"] == kept.id for item in done["excluded"]):
            continue
        assert len(told) == 1, one.name
        assert one.sign in told[0]
    headings = {line for line in lines if line.startswith("#")}
    assert not any(one.sign in line for line in headings for one in PAYLOADS)
