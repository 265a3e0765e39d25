"""Every fault of the catalogue is tried, every test is of one, and the docs list them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.faults.catalogue import FAULTS
from tests.faults.tally import Tally

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/explanation/proof.md"
_KINDS = {"full", "read_only", "failing"}
"""Faults that the parameters of one test name."""


class Report:
    """What a test's process tells of it."""

    def __init__(self, when: str, *, failed: bool = False, **told: object) -> None:
        self.when, self.failed, self.user_properties = when, failed, list(told.items())


def _marks() -> dict[str, list[str]]:
    """By module, the faults that its marks name."""
    modules = sorted(HERE.glob("test_*.py"))
    return {one.name: re.findall(r'fault\("(\w+)"\)', one.read_text()) for one in modules}


def test_every_fault_is_tried_by_a_test():
    tried = {name for names in _marks().values() for name in names}
    assert tried | _KINDS == FAULTS.keys()


def test_every_module_but_this_one_says_which_fault_it_tries():
    unmarked = {name for name, names in _marks().items() if not names}
    assert unmarked == {Path(__file__).name, "test_disk.py"}, "the latter marks each of its cases"


def test_every_fault_names_invariants_of_the_design():
    for one in FAULTS.values():
        assert one.invariants
        assert set(one.invariants) <= set(range(1, 19))


def test_the_docs_list_every_fault_with_its_invariants():
    text = PAGE.read_text()
    for one in FAULTS.values():
        assert f"| {one.what} | {', '.join(map(str, one.invariants))} |" in text


def test_the_table_counts_the_trials_of_all_processes_and_the_tests_that_failed():
    tally = Tally()
    assert list(tally.lines()) == []
    tally.hear(Report("setup", fault="clock", trials=0))
    tally.hear(Report("call", fault="clock", trials=1_200))
    tally.hear(Report("call", failed=True, fault="clock", trials=3))
    tally.hear(Report("call", fault="links", trials=0))
    tally.hear(Report("call"))
    _, clock, links, total = tally.lines()
    assert clock.split()[-2:] == ["1,203", "1"]
    assert links.split()[-2:] == ["1", "0"], "a test that counts nothing is one trial"
    assert total.split() == ["all", "1,204", "1"]
