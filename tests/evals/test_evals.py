"""Every promise is kept, and each case of the evaluation fails where the rule behind it is broken."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evals import promises
from tests.evals.__main__ import main
from tests.evals.broken import acting, capturing, governing, keeping, showing
from tests.evals.case import CASES, Broken, equal, holds, lacks, true
from tests.evals.run import Played, play, play_broken
from tests.evals.sabotage import Sabotage, always
from tests.evals.table import lines

PROMISES = (
    "correction capture",
    "trust boundary",
    "profile leakage",
    "conflict",
    "deletion and forgetting",
    "inquiry surfacing",
    "reinforcement",
    "compaction lifecycle",
    "legacy compatibility",
    "maintenance",
    "strict governance",
    "meta-consolidation safety",
    "clean diagnostics",
    "contested never hard",
    "secrets",
    "provenance liveness",
    "re-verification",
    "temporal validity",
    "conflict at apply",
    "policy_only",
    "procedure candidates",
    "enforcement",
    "promotion",
    "vault_ref",
    "hand edits",
    "synced devices",
)
"""What vaultmem promises; each has cases, and none has another name."""

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.key.replace(" ", "-"))


@every_case
def test_a_promise_is_kept(case):
    played = play(case)
    assert played.passed, (played.what, played.expected, played.found)


@every_case
def test_a_broken_build_is_noticed(case):
    played = play_broken(case)
    assert played.passed, (played.what, played.found)


def test_each_promise_has_several_cases_and_a_hard_one():
    found = {name: [case for case in CASES if case.category == name] for name in PROMISES}
    assert list(dict.fromkeys(case.category for case in CASES)) == list(PROMISES)
    assert len(promises.MODULES) == len(PROMISES)
    for name, cases in found.items():
        assert 3 <= len(cases) <= 9, name
        assert any(case.hard for case in cases), name
    assert len({case.key for case in CASES}) == len(CASES)


def test_the_page_says_each_promise_in_the_words_of_its_module():
    page = (Path(__file__).parents[2] / "docs/explanation/proof.md").read_text()
    said = dict(
        re.findall(r"^\| (.+?) \| (.+?) \|$", page.partition("## Fuzzing")[0], re.MULTILINE)
    )
    meant = {case.category: sys.modules[case.play.__module__].__doc__ for case in CASES}
    assert {name: said.get(name) for name in PROMISES} == meant


def test_each_broken_build_has_a_case_that_notices_it():
    made = {
        name: one
        for module in (acting, capturing, governing, keeping, showing)
        for name, one in vars(module).items()
        if isinstance(one, Sabotage)
    }
    used = {id(case.broken_by) for case in CASES}
    assert [name for name, one in made.items() if id(one) not in used] == []
    assert all(one.says for one in made.values())


def test_a_broken_rule_is_whole_again_afterwards():
    from vaultmem.core import guards, patch_check
    from vaultmem.core.patch_rules import Refusal

    checks, real = patch_check.CHECKS, patch_check._freshness
    rule = Sabotage(target="core.patch_check:_freshness", make=always(Refusal("no", "", "")))
    with rule.at_work():
        assert patch_check._freshness is not real
        assert real not in patch_check.CHECKS
        assert len(patch_check.CHECKS) == len(checks)
    assert patch_check._freshness is real
    assert patch_check.CHECKS is checks
    with pytest.raises(AttributeError):
        Sabotage(target="core.guards:no_such_rule", make=always(None)).at_work().__enter__()
    assert guards.refuse_grant("go ahead") is not None


@pytest.mark.parametrize(
    ("check", "given"),
    [
        (equal, ("it is", 1, 2)),
        (holds, ("it holds", "words", "word", "another")),
        (lacks, ("it lacks", ["a", "b"], "b")),
        (true, ("it is true", "")),
    ],
)
def test_a_check_that_fails_says_what_was_expected_and_found(check, given):
    with pytest.raises(Broken) as told:
        check(*given)
    assert told.value.what == given[0]
    assert told.value.expected != told.value.found


def test_a_table_is_printed_and_as_json_with_every_case(capsys):
    assert main(["--only", "procedure candidates"]) == 0
    head, row, total = capsys.readouterr().out.splitlines()
    assert head.split() == ["category", "cases", "hard", "passed", "seconds"]
    assert row.split()[:5] == ["procedure", "candidates", "5", "3", "5"]
    assert total.split()[:4] == ["all", "5", "3", "5"]
    assert main(["--only", "procedure candidates", "--broken", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["broken"], told["passed"], len(told["cases"])) == (True, True, 5)
    assert set(told["categories"][0]) == {"category", "cases", "hard", "passed", "seconds"}


def test_a_broken_build_ends_in_1_and_says_what_was_expected_and_found(capsys):
    with acting.NO_PROCEDURES.at_work():
        assert main(["--only", "procedure candidates"]) == 1
    told = capsys.readouterr().out
    assert "FAILED" in told
    assert "procedure candidates: three stable steps that hang together are one\n" in told
    assert "\n  expected  " in told
    assert "\n  found     " in told


def test_a_hard_case_that_fails_is_marked():
    case = next(case for case in CASES if case.hard)
    lost = Played(case=case, passed=False, seconds=0.1, what="w", expected="e", found="f")
    assert f"\n{case.key} (hard)\n  w" in list(lines([lost]))


def test_a_case_that_ends_in_an_accident_notices_nothing():
    crash = Sabotage(target="core.detection:detect", make=always(None))
    case = next(case for case in CASES if case.broken_by is capturing.DEAF)
    told = play_broken(replace(case, broken_by=crash))
    assert not told.passed
