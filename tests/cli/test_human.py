"""What a person reads: snapshots of the output over the example vault, and its form."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.terminal import Terminal, copy_example, normalised, write
from tests.cli.test_json import COMMANDS
from tests.index.fake import FakeEmbedder
from vaultmem.cli.output import counter, plain, progress, say_findings, say_wrapped, stages
from vaultmem.core.finding import finding
from vaultmem.errors import ModelError
from vaultmem.services.sync import sync

SHOWN = {
    "status": ["status"],
    "doctor": ["doctor"],
    "show": ["show", "4dz4zm50"],
    "why": ["why", "4dz4zm50"],
    "report": ["report"],
    "report-debug": [
        "report", "--prompt", "the tests fail", "--project", "github.com/harborline/tidewatch",
    ],
    "search": ["search", "column removed during deploy", "--limit", "3"],
    "search-vault": ["search", "time zones", "--in", "vault", "--limit", "3"],
    "note-get": ["note", "get", "Notes/Time zones and timestamps"],
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_output_over_the_example_vault(example, snapshot, name):
    done = example.run(*SHOWN[name])

    places = ((example.cwd, "~/tide-notes"), (example.home, "~/home"))
    assert normalised(done.out, *places) == snapshot
    assert done.err == ""


@pytest.mark.parametrize("name", ["status", "doctor", "model list"])
def test_output_fits_into_80_columns_without_colour(example, name):
    lines = example.run(*name.split()).out.splitlines()

    # A path is never broken, so that it can be copied.
    prose = [line for line in lines if not re.search(r"\S{30}|\.md$", line)]
    assert prose
    assert max(map(len, prose)) <= 80
    assert not any("\x1b" in line for line in lines)


def test_the_first_sync_names_what_it_found_and_stops_at_forty(tmp_path):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")

    lines = person.ok("--vault", ".", "sync").out.splitlines()

    assert lines[0].startswith("created   Memory/")
    assert lines[40] == "… and 30 more"
    assert lines[41] == "70 created; 0 unchanged."


def test_sync_names_what_was_edited_with_its_properties(terminal):
    write(terminal.cwd / "Memory/Lessons/A.md", "Say A.\n")
    terminal.ok("sync")
    place = terminal.cwd / "Memory/Lessons/A.md"
    place.write_text(place.read_text().replace("type: memory", "type: memory\nstability: stable"))

    done = terminal.ok("sync").out

    assert "edited    Memory/Lessons/A.md (stability)\n" in done
    assert "1 edited; " in done


def test_an_empty_vault_says_what_to_do_next(terminal):
    assert "none yet; add one with `vaultmem add`" in terminal.ok("status").out
    assert terminal.ok("report").out == (
        "There is nothing to tell yet. Add a memory with `vaultmem add`.\n"
    )
    assert terminal.ok("search", "anything").out.startswith("Nothing was found.")
    assert terminal.ok("doctor").out == "Nothing is wrong.\n"
    write(terminal.cwd / "Mine.md", "---\na: [\n---\nMine.\n")
    terminal.ok("sync")
    assert terminal.ok("doctor").out.endswith("Nothing is wrong; 1 remark.\n")


def test_a_budget_too_small_is_no_empty_vault(terminal):
    terminal.ok("add", "Say it.", "--category", "lesson")

    assert terminal.ok("report", "--budget", "1").out == (
        "Nothing fits into 1 token. Give a larger --budget.\n"
    )


def test_a_report_without_a_memory_in_force_asks_for_no_larger_budget(terminal):
    added = terminal.ok("add", "Say it.", "--category", "lesson", "--json").json
    terminal.ok("forget", added["id"])

    assert terminal.ok("report").out.startswith("No memory is in force here.")


def test_status_says_what_is_switched_off(terminal):
    assert "Off  " not in terminal.ok("status").out
    terminal.ok("off", "--write")
    assert "Off       Remembering is off everywhere (`vaultmem on`)" in terminal.ok("status").out
    assert terminal.ok("status", "--json").json["off"] == [
        {"what": "write", "where": "all", "name": ""}
    ]


def test_status_counts_what_waits(terminal):
    agent = {"AI_AGENT": "coder"}
    terminal.ok("add", "Ask me.", "--category", "lesson", env=agent)
    added = terminal.ok("add", "Going away.", "--category", "lesson", "--json").json
    write(terminal.cwd / "Memory/Identity/Me.md", "---\nlayer: L1\n---\nI am brief.\n")
    (terminal.cwd / added["path"]).unlink()
    terminal.ok("sync")

    shown = terminal.ok("status").out

    assert "Inbox     1 waiting in Memory/Inbox" in shown
    assert "Ratify    1 wants" in shown
    assert "Missing   1 note vanished" in shown


def test_show_and_why_tell_of_a_missing_and_an_edited_memory(terminal):
    added = terminal.ok("add", "Here and gone.", "--category", "lesson", "--json").json
    terminal.ok("edit", added["id"], "--set", "stability", "stable")
    (terminal.cwd / added["path"]).unlink()
    terminal.ok("sync")

    assert "state: missing" in terminal.ok("show", added["id"]).out
    why = terminal.ok("why", added["id"]).out
    assert "It was added with `vaultmem add` by the person on 2026-11-29." in why
    assert "edited (stability) by person" in why


def test_a_broken_note_is_shown_with_its_finding(terminal):
    added = terminal.ok("add", "Break me.", "--category", "lesson", "--json").json
    place = terminal.cwd / added["path"]
    place.write_text(place.read_text().replace("\n---\nBreak", "\nBreak"))
    terminal.ok("sync")

    shown = terminal.ok("show", added["id"]).out

    assert shown.startswith("Break me.")
    assert "error VM102 Memory/Lessons/Break me.md" in shown


def test_what_doctor_fixes_it_says(terminal):
    added = terminal.ok("add", "Copy me.", "--category", "lesson", "--json").json
    text = (terminal.cwd / added["path"]).read_text()
    write(terminal.cwd / "Memory/Lessons/Copy me too.md", text)
    assert "VM304" in terminal.run("doctor").out

    done = terminal.run("doctor", "--fix")

    assert "fixed: gave Memory/Lessons/Copy me too.md the id mem_" in done.out
    assert "VM304" not in done.out
    assert "1 finding.\n" in done.out  # the same statement twice
    assert "VM331" in done.out


def test_data_is_never_markup_and_never_drives_the_terminal(terminal):
    terminal.ok(
        "add", "Use [bold red]colour[/] \x1b[31mnever\x1b[0m :smile:.", "--category", "lesson"
    )

    out = terminal.ok("report").out + terminal.ok("search", "colour").out

    assert "[bold red]colour[/]" in out
    assert ":smile:" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a[31mb"),
        ("a\u202eb", "ab"),
        ("two\nlines  \n", "two\nlines\n"),
        ("潮位 émoji 🙂", "潮位 émoji 🙂"),
    ],
)
def test_plain_keeps_what_is_visible(text, shown):
    assert plain(text) == shown


def test_long_sentences_wrap_and_paths_do_not(capsys):
    path = "Memory/Lessons/" + "long" * 20 + ".md"
    say_wrapped(f"See {path} for more.", first="Note  ", indent=6)
    say_wrapped("word " * 13 + "then run `vaultmem status --json` and look.", indent=4)
    say_wrapped("")

    assert capsys.readouterr().out.splitlines() == [
        "Note  See",
        f"      {path}",
        "      for more.",
        "    " + "word " * 13 + "then run",
        "    `vaultmem status --json` and look.",
        "",
    ]


def test_a_finding_without_a_place_is_its_code_and_sentence(capsys):
    say_findings([finding("VM403"), finding("VM101", path="A.md", line=3)])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "warning VM403"
    assert lines[1].startswith("    This device has no key")
    assert "error VM101 A.md:3" in lines


def test_a_count_is_shown_where_somebody_watches(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with counter("Embedding") as tell:
        tell(3)

    assert "Embedding" in capsys.readouterr().err


def test_what_is_done_now_is_shown_where_somebody_watches(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with stages("Looking") as stage:
        stage("Reading")

    assert "Reading" in capsys.readouterr().err


def test_a_count_is_silent_in_a_pipe(capsys):
    with counter("Embedding") as tell:
        tell(3)

    assert capsys.readouterr().err == ""


def test_a_bar_is_shown_where_somebody_watches(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with progress(10) as tell:
        tell("Deciding", 3)
        tell("Deciding", 10)
        tell("Writing", 1)

    shown = capsys.readouterr().err
    assert "Deciding" in shown
    assert "Writing" in shown


def test_a_bar_is_silent_in_a_pipe(capsys):
    with progress(10) as tell:
        tell("Deciding", 3)

    assert capsys.readouterr().err == ""


class Broken(FakeEmbedder):
    """A model whose files cannot be used."""

    def embed(self, texts):
        raise ModelError("the model fell over. Mend it.")


def test_reindex_says_what_it_did_and_what_it_could_not(terminal):
    words = terminal.ok("reindex", "--keyword-only").out
    assert re.fullmatch(r"\d+ notes indexed, 0 texts embedded\.\n", words)
    terminal.ok("add", "Prefer trains.", "--category", "preference")
    terminal.embedder = Broken
    assert "Note: the model fell over. Mend it." in terminal.ok("reindex").out
    assert terminal.ok("reindex", "--json").json["degraded"] == "the model fell over. Mend it."


def test_a_search_says_that_meaning_is_missing(terminal):
    terminal.ok("add", "Prefer trains.", "--category", "preference")

    out = terminal.ok("search", "trains").out

    assert "Prefer trains" in out
    assert "words: trains" in out
    assert "Note: " in out


def test_using_a_model_says_what_to_run_next(terminal):
    done = terminal.ok("model", "use", "all-MiniLM-L6-v2-onnx-int8")

    assert "vaultmem reindex" in done.out


def test_the_model_list_says_which_one_is_in_use(terminal):
    lines = terminal.ok("model", "list").out.splitlines()

    used = next(line for line in lines if "all-MiniLM-L6-v2-onnx-int8" in line)
    assert used.split() == ["all-MiniLM-L6-v2-onnx-int8", "yes", "yes", "measured"]
    assert any("bge-small-en-v1.5" in line and "cautious" in line for line in lines)
    assert not any("…" in line for line in lines)  # a name that is cut short cannot be typed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(terminal, shell):
    assert "_VAULTMEM_COMPLETE" in terminal.ok("completion", shell).out


def test_trust_and_key_speak_in_sentences(terminal):
    assert terminal.ok("key", "export").out.startswith("vaultmem-key:1:vault_")
    assert "is trusted on this machine.\nNext:" in terminal.ok("trust", ".").out


def test_why_lists_the_evidence_and_who_wrote_an_unsigned_line(terminal):
    text = '---\nevidence:\n  - "[[2026-11-01#^ev1]]"\n---\nSay it twice.\n'
    write(terminal.cwd / "Memory/Lessons/Said.md", text)
    terminal.ok("sync")

    out = terminal.ok("why", "Said").out

    assert "  [[2026-11-01#^ev1]]\n" in out
    assert "by person" in out
    assert "not signed" not in out


@pytest.mark.parametrize("as_json", [False, True])
def test_watch_prints_each_sync_until_it_is_interrupted(terminal, monkeypatch, as_json):
    def two_syncs(call, path):
        yield sync(call(), typed=False)
        yield sync(call(), typed=False)
        raise KeyboardInterrupt

    monkeypatch.setattr("vaultmem.cli.commands.watch.watch", two_syncs)

    done = terminal.ok("watch", *(["--json"] if as_json else []))

    if as_json:
        lines = [json.loads(line) for line in done.out.splitlines()]
        assert [line["changes"] for line in lines] == [[], []]
    else:
        first, told, *rest = done.out.splitlines(keepends=True)
        assert first == f"Watching {terminal.cwd}. Stop with Ctrl-C.\n"
        assert "two minutes" in told
        assert re.fullmatch(r"(No change; \d+ unchanged\.\n){2}", "".join(rest))


def test_a_sync_that_finds_a_broken_note_does_not_say_that_nothing_changed(tmp_path):
    person = Terminal(copy_example(tmp_path / "notes"), tmp_path / "home")
    person.ok("--vault", ".", "sync")
    note = next((person.cwd / "Memory/Lessons").glob("Pass the*"))
    note.write_text(note.read_text().replace("\n---\n", "\n", 1))

    done = person.ok("--vault", ".", "sync").out

    assert "\n1 broken; " in done
    assert "No change" not in done


def test_several_are_ratified_and_one_that_is_none_stops_no_other(terminal):
    for name in ("One", "Two"):
        write(
            terminal.cwd / f"Memory/Lessons/{name}.md",
            f"---\ntype: memory\ntrigger: bash_contains {name}\naction: block\n---\nNot {name}.\n",
        )
    terminal.ok("sync")

    done = terminal.run("ratify", "One", "None", "Two", "--json")

    assert done.code == 23
    assert set(done.json) == COMMANDS["ratify"]
    assert [one["statement"] for one in done.json["ratified"]] == ["Not One.", "Not Two."]
    assert [one["id"] for one in done.json["refused"]] == ["None"]
    said = terminal.run("ratify", "One", "None")
    assert said.out.startswith("It may act now: Not One.")
    assert "No memory is called 'None'" in said.err
