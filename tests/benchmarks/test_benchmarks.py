"""The vaults that the benchmarks measure on are ours and always alike; the table says what is so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.benchmarks import hooks, page, reference
from tests.benchmarks.__main__ import BENCHMARKS, DEFAULT_NOTES, LARGE, main
from tests.benchmarks.figure import HEADERS, Figure, goal_at, percentile, row, table
from tests.benchmarks.reference import beside
from tests.benchmarks.vaults import Site, prompts, statements, write_vault

if TYPE_CHECKING:
    from pathlib import Path

NOTES = 50


def files(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in folder.rglob("*")
        if place.is_file()
    }


def test_two_vaults_of_one_size_are_equal_to_the_byte(tmp_path: Path) -> None:
    write_vault(tmp_path / "a", memories=NOTES)
    write_vault(tmp_path / "b", memories=NOTES)
    made = files(tmp_path / "a")
    assert made == files(tmp_path / "b")
    assert len(made) == NOTES + NOTES // 10 + 1


def test_every_note_is_in_force_and_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    site = Site(tmp_path, NOTES)
    done = site.first_sync()
    assert (done.created, done.findings) == (NOTES, ())
    with site.app() as app:
        assert len(app.vault.baseline.standings()) == NOTES
        assert len(app.vault.baseline.notes(kind="knowledge")) == NOTES // 10


def test_a_settled_vault_has_nothing_left_to_look_at(tmp_path: Path) -> None:
    site = Site(tmp_path, NOTES)
    site.settle()
    with site.app() as app:
        assert app.vault.baseline.racy() == set()
    assert "No change" in site.run("sync")


def test_a_longer_body_makes_longer_notes(tmp_path: Path) -> None:
    write_vault(tmp_path, memories=3, knowledge=0, body=5_000)
    notes = [data for path, data in files(tmp_path).items() if "Settings" not in path]
    assert [len(data) >= 5_000 for data in notes] == [True] * 3


def test_prompts_have_the_asked_number_of_words_and_statements_are_new() -> None:
    assert {len(prompt.split()) for prompt in prompts(5, 120)} == {120}
    assert len({*statements(30)}) == 30


@pytest.mark.parametrize(
    ("figure", "met", "goal"),
    [
        (Figure("f", 9.0, "ms", 10.0), True, "<= 10"),
        (Figure("f", 11.0, "ms", 10.0), False, "<= 10"),
        (Figure("f", 90.0, "ms", 100.0, 10.0, "walk"), True, "<= 100 (10.0 x)"),
        (Figure("f", 16.0, "notes/s", 1.5, 10.0, "PyYAML", faster=True), True, ">= 1.5 x"),
        (Figure("f", 14.0, "notes/s", 1.5, 10.0, "PyYAML", faster=True), False, ">= 1.5 x"),
        (Figure("f", 14.0, "s"), None, ""),
        (Figure("f", 0.91, "", least=0.9), True, ">= 0.9"),
        (Figure("f", 0.89, "", least=0.9), False, ">= 0.9"),
    ],
)
def test_a_goal_is_met_or_missed(figure: Figure, met: bool | None, goal: str) -> None:
    assert figure.met is met
    assert row(figure)[HEADERS.index("goal")] == goal


def test_a_goal_holds_up_to_the_size_that_it_was_set_for() -> None:
    goals = {10_000: 2.0, 1_000: 1.0}
    assert [goal_at(size, goals) for size in (50, 1_000, 1_001, 10_000, 10_001)] == [
        1.0, 1.0, 2.0, 2.0, None,
    ]  # fmt: skip


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([*range(1, 101)], 0.95) == 96
    assert percentile([7.0], 0.95) == 7.0


def test_the_table_has_a_line_for_each_figure() -> None:
    lines = table([Figure("one", 1.0, "ms"), Figure("two", 2.0, "ms", 1.0)]).splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["one", "two"]
    assert lines[3].endswith("NO")


def test_the_benchmarks_run_on_a_small_vault(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["parse", "first-sync", "index", "cold-search"]
    assert main(["--notes", str(NOTES), "--only", *names]) == 0
    printed = capsys.readouterr().out
    for name in ("read + parse", "knowledge notes", "first keyword index", "cold keyword search"):
        assert name in printed
    assert set(names) < set(BENCHMARKS)


def test_the_events_that_have_most_to_do_are_measured_with_the_rules_in_force(
    tmp_path: Path,
) -> None:
    copy = hooks.ruled(Site(tmp_path / "site", NOTES), tmp_path / "copy")
    with hooks.Pipe(copy) as pipe:
        pipe.ask("session_start", {"mode": "print"})
        pipe.ask("before_agent_start", {"prompt": "merge it"})
        measured = [*hooks.busy(pipe, copy, rounds=1, quiet=0.0), *hooks.ends(copy, starts=1)]
    events = ("tool_call", "tool_result", "message_end", "turn_end", "session_compact")
    assert {one.name.split()[0].rstrip(",") for one in measured} == {*events, "session_shutdown"}


def test_a_time_without_a_reference_gets_a_loops_in_its_own_unit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reference, "seconds", lambda _action, _rounds: [0.05])
    assert beside(Figure("f", 100.0, "ms")).ratio == pytest.approx(2)
    assert beside(Figure("f", 0.1, "s")).ratio == pytest.approx(2)


def test_memory_without_a_reference_gets_that_of_a_bare_python() -> None:
    bare = beside(Figure("f", 1e6, "MB"))
    assert bare.ratio is not None
    assert bare.ratio > 1


def test_a_reference_of_its_own_stays_and_a_share_needs_none() -> None:
    own = Figure("f", 2.0, "ms", reference=1.0, of="walk")
    share = Figure("f", 2.0, "%")
    assert [beside(own), beside(share)] == [own, share]


def test_gate_fails_where_a_goal_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missed = Figure("slow", 2.0, "s", 1.0)
    monkeypatch.setitem(BENCHMARKS, "parse", lambda _: iter([missed]))
    monkeypatch.setattr(Site, "settle", lambda _: None)
    assert main(["--notes", "5", "--only", "parse"]) == 0
    assert main(["--notes", "5", "--only", "parse", "--gate"]) == 1
    assert capsys.readouterr().out.count("slow") == 2


@pytest.mark.parametrize("size", [*DEFAULT_NOTES, LARGE])
def test_the_page_has_every_size(size: int) -> None:
    written = page.PAGE.read_text("utf-8")
    for figure in ("first sync", "no-change sync", "cold report", "cold keyword search"):
        assert re.search(rf"^\| {figure}[^|]*, {size:,}\b", written, re.MULTILINE), figure


def test_the_page_gets_the_figures_and_keeps_what_is_written_by_hand(tmp_path: Path) -> None:
    place = tmp_path / "page.md"
    place.write_text(f"By hand.\n{page.BEGIN}\nold\n{page.END}\nBelow.\n")
    for _ in range(2):
        page.write([Figure("sync", 2.0, "ms", 10.0, 1.0, "walk")], place)
    written = place.read_text()
    assert written.startswith(f"By hand.\n{page.BEGIN}\n")
    assert written.endswith(f"{page.END}\nBelow.\n")
    assert "| sync | 2 ms | 1 walk | 2.00 | <= 10 (10.0 x) | yes |" in written
    assert "old" not in written
