"""What `vaultmem report` says to a person beside the text that an agent gets."""

from __future__ import annotations

from tests.index.fake import FakeEmbedder

AGENT = {"AI_AGENT": "coder"}


def _many(terminal):
    for number in range(9):
        terminal.ok(
            "add", f"Rule number {number} of tide {number * 7} holds.", "--category", "decision"
        )


def test_a_person_is_named_the_search_that_is_theirs(terminal):
    _many(terminal)
    report = terminal.ok("report", "--budget", "120")
    assert "more left out; memory_search finds them.\n" in report.out
    assert report.out.endswith("yours is `vaultmem search`.\n")
    agents = terminal.ok("report", "--budget", "120", env=AGENT)
    assert agents.out.endswith("memory_search finds them.\n"), "an agent gets the report alone"
    assert report.out.startswith(agents.out)
    assert "vaultmem search" not in terminal.ok("report").out, "nothing was left out"


def test_an_empty_vault_is_told_how_to_begin(terminal):
    for options in ([], ["--explain"], ["--sections"]):
        out = terminal.ok("report", "--prompt", "x", *options).out
        assert "Add" in out
        assert "`vaultmem add`" in out
        assert "--explain`" not in out, "that would say nothing more"


def test_nothing_beside_the_report_is_said(terminal):
    terminal.embedder = FakeEmbedder
    terminal.ok("add", "Add files by name.", "--category", "lesson")
    out = terminal.ok("report", "--prompt", "bake a cake", "--sections").out
    assert "Nothing is told beside the report: no memory is near the prompt.\n" in out
    near = terminal.ok("report", "--prompt", "Add files by name.", "--sections").out
    assert "Nothing is told beside the report: what is near the prompt stands in it" in near


def test_topics_say_their_units(terminal):
    terminal.ok("add", "Add files by name.", "--category", "lesson")
    out = terminal.ok("topics").out
    assert "characters" in out.splitlines()[1]
    assert "Hotness is the sum of the memories' scores today" in out
