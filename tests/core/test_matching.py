"""What a candidate is to the memories that stand; words decide, a shared tag alone never does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.proposals import PROJECT, candidate, memory, number_id
from vaultmem.core.context import in_project
from vaultmem.core.ids import short_id
from vaultmem.core.likeness import MatchKind, known
from vaultmem.core.matching import IN_DOUBT, REASONS, REVIEWED, Match, match
from vaultmem.core.model import Category, Layer, Memory, RuleType, Scope, Status
from vaultmem.core.topic import key_of, normal_key, scope_of, slug, topic

TAGS = ("memory/workflow", "memory/canonical-jsonl")
JSONL = memory(1, "Use canonical JSONL as source of truth.", tags=TAGS)


def kind_of(new: str, old: str, tags: tuple[str, ...] = (), **changes: object) -> MatchKind:
    stands = memory(1, old, tags=tags, **changes)
    return match(candidate(2, new, tags=tags, **changes), [known(stands)]).kind


def matched(new: Memory, *stands: Memory) -> Match:
    return match(new, map(known, stands))


@pytest.mark.parametrize(
    ("text", "tags", "kind"),
    [
        pytest.param("Use canonical JSONL as source of truth.", TAGS, "duplicate", id="row21_035"),
        pytest.param(
            "Use canonical JSONL as source of truth for memory records.",
            TAGS,
            "strengthens",
            id="row21_036",
        ),
        pytest.param(
            "Update canonical JSONL workflow to include profiles.", TAGS, "updates", id="row21_037"
        ),
        pytest.param("Do not use canonical JSONL for memory.", TAGS, "conflict", id="row21_038"),
        pytest.param("Anything else.", (f"supersedes:{JSONL.id}",), "supersedes", id="row21_039"),
        ("Anything else.", (f"supersedes/{JSONL.id}",), "supersedes"),
        (f"Use YAML; supersedes {JSONL.id}.", (), "supersedes"),
        (f"Use YAML; supersedes {JSONL.id.upper()}.", (), "supersedes"),
        # names no memory that is there
        ("Anything else.", ("supersedes:mem_9",), "new"),
        # the same key and nothing in common
        ("Rotate the log files every week.", TAGS, "new"),
    ],
)
def test_kinds(text: str, tags: tuple[str, ...], kind: str) -> None:
    found = matched(candidate(2, text, tags=tags), JSONL)
    assert found.kind == kind
    assert found.memories == (() if kind == "new" else (JSONL.id,))
    assert found.reason == REASONS[found.kind]


@pytest.mark.parametrize(
    "place",
    [
        {"project": "github.com/acme/other"},
        {"scope": Scope.GLOBAL, "project": None},
        {"scope": Scope.DOMAIN, "domains": ("jsonl",)},
        {"scope": Scope.SESSION, "source_session": "s1"},
    ],
)
def test_row21_040_another_place_is_another_matter(place: dict[str, object]) -> None:
    new = candidate(2, JSONL.statement, tags=TAGS, **place)
    named = candidate(3, "Anything else.", tags=(f"supersedes:{JSONL.id}",), **place)
    assert matched(new, JSONL) == (MatchKind.NEW, (), REASONS[MatchKind.NEW])
    assert matched(named, JSONL).kind is MatchKind.NEW


def test_a_global_memory_covers_every_place() -> None:
    everywhere = memory(1, "Use bun.", scope=Scope.GLOBAL, project=None)
    assert matched(candidate(2, "Use bun"), everywhere).kind is MatchKind.DUPLICATE
    assert matched(candidate(2, "Use bun for the tests of parsers."), everywhere).kind == "new"


NARROW: list[dict[str, object]] = [
    {},
    {"scope": Scope.DOMAIN, "domains": ("jsonl",), "project": None},
    {"scope": Scope.TASK},
    {"scope": Scope.SESSION, "source_session": "s1"},
]


@pytest.mark.parametrize("place", NARROW, ids=lambda row: str(row.get("scope", "project")))
@pytest.mark.parametrize("text", ["Never use bun.", "From now on never use bun."])
def test_what_contradicts_a_global_memory_is_an_exception_of_that_place_for_a_person(
    text: str, place: dict[str, object]
) -> None:
    everywhere = memory(1, "Use bun.", scope=Scope.GLOBAL, project=None)
    found = matched(candidate(2, text, **place), everywhere)
    assert (found.kind, found.memories) == (MatchKind.CONFLICT, (everywhere.id,))
    assert f"the global memory {short_id(everywhere.id)}; approve it if" in found.reason


@pytest.mark.parametrize("place", NARROW, ids=lambda row: str(row.get("scope", "project")))
def test_a_global_statement_does_not_pass_over_what_holds_in_one_place(
    place: dict[str, object],
) -> None:
    there = memory(1, "Use bun.", **place)
    new = candidate(2, "From now on never use bun.", scope=Scope.GLOBAL, project=None)
    found = matched(new, there)
    assert (found.kind, found.memories) == (MatchKind.CONFLICT, (there.id,))
    assert "which holds in one place; approve it if it holds everywhere else" in found.reason


def test_two_places_of_which_none_includes_the_other_contradict_nothing() -> None:
    there = memory(1, "Use bun.")
    new = candidate(2, "Never use bun.", project="github.com/acme/other")
    assert matched(new, there).kind is MatchKind.NEW


def test_what_fits_in_the_same_place_comes_before_the_global_memory() -> None:
    everywhere = memory(1, "Use bun.", scope=Scope.GLOBAL, project=None)
    here = memory(2, "Never use bun.")
    found = matched(candidate(3, "Never use bun."), everywhere, here)
    assert (found.kind, found.memories) == (MatchKind.DUPLICATE, (here.id,))


def test_a_global_memory_that_excepts_a_project_contradicts_nothing_there() -> None:
    everywhere = memory(
        1, "Use bun.", scope=Scope.GLOBAL, project=None, exceptions=(in_project(PROJECT),)
    )
    assert matched(candidate(2, "Never use bun."), everywhere).kind is MatchKind.NEW
    other = candidate(3, "Never use bun.", project="github.com/acme/other")
    assert matched(other, everywhere).kind is MatchKind.CONFLICT


def test_the_same_as_a_contested_memory_asks_whether_that_holds() -> None:
    stands = memory(1, "Use bun.", status=Status.CONTESTED)
    found = matched(candidate(2, "Use bun."), stands)
    assert found == (MatchKind.DUPLICATE, (stands.id,), IN_DOUBT)


def test_an_identity_memory_stands_beside_the_playbook_one_that_says_the_same() -> None:
    rises = candidate(2, JSONL.statement, tags=TAGS, layer=Layer.IDENTITY)
    assert matched(rises, JSONL).kind is MatchKind.NEW
    identity = memory(3, JSONL.statement, tags=TAGS, layer=Layer.IDENTITY)
    assert matched(rises, identity).kind is MatchKind.DUPLICATE
    assert matched(candidate(4, JSONL.statement, tags=TAGS), identity).kind is MatchKind.DUPLICATE


def test_what_an_identity_memory_contradicts_is_still_a_conflict() -> None:
    against = candidate(2, "Never use npm.", layer=Layer.IDENTITY)
    assert matched(against, memory(1, "Always use npm.")).kind is MatchKind.CONFLICT


def test_row21_041_two_that_fit_are_ambiguous() -> None:
    twin = memory(2, JSONL.statement, tags=TAGS)
    found = matched(candidate(3, JSONL.statement, tags=TAGS), JSONL, twin)
    assert (found.kind, found.memories) == (MatchKind.AMBIGUOUS, (JSONL.id, twin.id))


def test_two_that_it_contradicts_are_still_a_conflict() -> None:
    twin = memory(2, JSONL.statement, tags=TAGS)
    found = matched(candidate(3, "Never use canonical JSONL as source of truth."), JSONL, twin)
    assert (found.kind, found.memories) == (MatchKind.CONFLICT, (JSONL.id, twin.id))


def test_what_is_against_it_comes_before_what_is_the_same() -> None:
    for_it, against = memory(1, "Never use npm."), memory(2, "Use npm.")
    found = matched(candidate(3, "Never use npm."), for_it, against)
    assert (found.kind, found.memories) == (MatchKind.CONFLICT, (against.id,))


def test_row21_042_key() -> None:
    key = normal_key(
        profile="Project:PI",
        level="project",
        place="Pi Persistent Intelligence",
        topic="Canonical JSONL",
        rule="workflow",
    )
    assert key == "project-pi|project|pi-persistent-intelligence|canonical-jsonl|workflow"


@pytest.mark.parametrize(
    ("tags", "statement", "expected"),
    [
        pytest.param(("workflow", "memory-governance"), "x", "memory-governance", id="row21_043a"),
        pytest.param(
            ("workflow",), "Use canonical JSONL as source", "canonical-jsonl", id="row21_043b"
        ),
        (("memory/workflow", "memory/Git"), "x", "git"),
        (("memory/avoid-pattern", "memory/avoid_pattern"), "Never push on Friday.", "push-friday"),
        (("supersedes:mem_1",), "Never push on Friday.", "push-friday"),
        ((), "One two three four five six seven", "one-two-three-four-five"),
        ((), "Use it as is.", "general"),
    ],
)
def test_topic(tags: tuple[str, ...], statement: str, expected: str) -> None:
    assert topic(tags, statement) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [(" Ab  c_d ", "ab-c-d"), ("--", "unknown"), ("", "unknown"), ("潮位 Größe", "潮位-grösse")],
)
def test_slug(text: str, expected: str) -> None:
    assert slug(text) == expected


@pytest.mark.parametrize(
    ("changes", "scope", "key"),
    [
        (
            {},
            ("project", PROJECT),
            "github-com-acme-billing-web|project|github-com-acme-billing-web|bun|memory",
        ),
        (
            {"scope": Scope.GLOBAL, "project": None, "rule": RuleType.TOOL},
            ("global",),
            "legacy|global|unknown|bun|tool",
        ),
        (
            {"scope": Scope.DOMAIN, "domains": ("B", "a"), "project": None},
            ("domain", "a", "b"),
            "legacy|domain|a-b|bun|memory",
        ),
        (
            {"scope": Scope.SESSION, "project": "p", "source_session": "s"},
            ("session", "p", "s"),
            "p|session|p-s|bun|memory",
        ),
        (
            {"scope": Scope.SESSION, "project": None},
            ("session", "", ""),
            "legacy|session|unknown|bun|memory",
        ),
        ({"scope": Scope.TASK, "project": None}, ("task", ""), "legacy|task|unknown|bun|memory"),
    ],
)
def test_one_identity_of_where_it_holds(
    changes: dict[str, object], scope: tuple[str, ...], key: str
) -> None:
    made = memory(1, "Use bun.", **changes)
    assert scope_of(made) == scope
    assert key_of(made) == key


def test_row21_049_no_longer_replaces() -> None:
    tags = ("memory/markdown", "memory/workflow")
    stands = memory(1, "Edit MEMORY.md directly for small fixes.", tags=tags)
    new = "No longer edit MEMORY.md directly; use patch files instead."
    found = matched(candidate(2, new, tags=tags), stands)
    assert (found.kind, found.memories) == (MatchKind.SUPERSEDES, (stands.id,))


def test_row21_050_a_shared_tag_supersedes_nothing() -> None:
    new, old = "Don't use npm for installs.", "Never commit secrets to git."
    assert kind_of(new, old, ("memory/correction",)) is MatchKind.NEW
    assert kind_of(new, old, ("memory/git",)) is MatchKind.NEW
    assert kind_of("No longer use npm for installs.", old, ("memory/git",)) is MatchKind.NEW


@pytest.mark.parametrize(
    ("new", "old", "kind"),
    [
        ("use BUN for tests", "Use bun for tests.", "duplicate"),
        (
            "Always run the unit tests of the parser before a push.",
            "Run the unit tests of the parser before each push.",
            "duplicate",
        ),
        # the veto of core.duplicate
        (
            "Run the unit tests of the parser before every commit.",
            "Run the unit tests of the parser before every push.",
            "new",
        ),
        ("Retry 5 times.", "Retry 3 times.", "updates"),
        ("Use Python 3.12 for the tests.", "Use Python 3.11 for the tests.", "updates"),
        ("Port 8081 serves the web client.", "Port 8080 serves the billing API.", "new"),
        ("3", "4", "new"),
        ("Never use npm.", "Use npm.", "conflict"),
        ("Use npm.", "Never use npm.", "conflict"),
        ("From now on use npm.", "Never use npm.", "supersedes"),
        ("From now on use bun.", "Never commit secrets.", "new"),
        ("Switched to npm: use npm for installs.", "Never use npm for installs.", "supersedes"),
        # says less
        (
            "Format the code with ruff.",
            "Format and lint the code with ruff in the container.",
            "new",
        ),
        (
            "Format the Python code with ruff.",
            "Format the Python code of services with ruff.",
            "strengthens",
        ),
        # contained in nearly anything
        ("Use ruff before committing the parser.", "Use ruff.", "new"),
        # says more: another key, so another matter or a fuller wording
        (
            "Wrap database calls in transactions with retries.",
            "Wrap database calls in transactions.",
            "updates",
        ),
        (
            "Now format the Python code with ruff and isort.",
            "Format the Python code with ruff.",
            "updates",
        ),
        ("Add a changelog line.", "Never stage everything at once; add files by name.", "new"),
    ],
)
def test_words_decide(new: str, old: str, kind: str) -> None:
    assert kind_of(new, old) == kind


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("Format the Python code with ruff in the container.", "strengthens"),
        # a name, code, or a condition; too much
        ("Format the Python code with ruff like Anna.", "updates"),
        ("Format the Python code with ruff via `nox`.", "updates"),
        ("Format the Python code with ruff in quay-web.", "updates"),
        ("Format the Python code with ruff only.", "updates"),
        ("Format the Python code with ruff when releasing.", "updates"),
        ("Format the Python code with ruff, black, isort and pylint.", "new"),
    ],
)
def test_under_one_key_a_few_plain_words_more_only_strengthen(new: str, kind: str) -> None:
    assert kind_of(new, "Format the Python code with ruff.", ("memory/ruff",)) == kind


@pytest.mark.parametrize(
    ("new", "old", "tags"),
    [
        # one key, and one word in common
        (
            "Add the branch name to every commit message.",
            "Rebase the branch when the review is finished.",
            ("memory/git",),
        ),
        # two words in common, and no key
        ("Add canonical JSONL to the list of export formats.", "Use canonical JSONL.", ()),
    ],
)
def test_an_update_needs_a_key_and_words(new: str, old: str, tags: tuple[str, ...]) -> None:
    assert kind_of(new, old, tags) is MatchKind.NEW


def test_one_clause_of_a_longer_text_can_contradict() -> None:
    new = "Squash the commits, sign the tag, write release notes. Never push to main."
    assert kind_of(new, "Push to main.") is MatchKind.CONFLICT


def test_a_fact_without_its_number_does_not_strengthen_the_one_with_it() -> None:
    new, old = "The quay web client is released.", "The quay web client 3.0 is released."
    assert kind_of(new, old, category=Category.DONE) is MatchKind.NEW


def test_two_releases_are_two_facts_and_two_numbers_of_a_rule_are_old_and_new() -> None:
    new, old = "Quay 3.1 is released.", "Quay 3.0 is released."
    assert kind_of(new, old, category=Category.DONE) is MatchKind.NEW
    assert kind_of(new, old, category=Category.DECISION) is MatchKind.UPDATES


PAIRS = Path(__file__).parents[1] / "fixtures" / "pairs" / "statements.jsonl"
DIFFERENT = [
    row for row in map(json.loads, PAIRS.read_text("utf-8").splitlines()) if "differs" in row
]


@pytest.mark.parametrize("row", DIFFERENT, ids=lambda row: f"{row['a']} / {row['b']}")
def test_labelled_hard_negatives_are_neither_the_same_nor_swallowed(row: dict[str, str]) -> None:
    for new, old in ((row["a"], row["b"]), (row["b"], row["a"])):
        assert kind_of(new, old) not in (MatchKind.DUPLICATE, MatchKind.STRENGTHENS)


@pytest.mark.parametrize("status", list(Status))
def test_only_what_stands_is_matched(status: Status) -> None:
    stands = memory(1, "Use bun.", status=status)
    kind = matched(candidate(2, "Use bun."), stands).kind
    expected = status in (Status.ACTIVE, Status.CONTESTED)
    assert (kind is MatchKind.DUPLICATE) is expected


def test_a_reason_for_each_kind_says_what_to_do() -> None:
    assert set(REASONS) == set(MatchKind)
    assert {MatchKind.CONFLICT, MatchKind.SUPERSEDES, MatchKind.AMBIGUOUS} == REVIEWED


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_any_two_texts_are_something(new: str, old: str) -> None:
    found = matched(candidate(2, new), memory(1, old))
    assert found.memories in ((), (number_id(1),))
    assert (found.kind is MatchKind.NEW) == (found.memories == ())
