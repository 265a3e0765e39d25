"""Eligibility and the risk of poisoning follow from class, durability and layer alone."""

from __future__ import annotations

from itertools import product

import pytest

from vaultmem.core.model import Layer
from vaultmem.core.operation import Risk
from vaultmem.core.trust import (
    LOW_TRUST,
    OWN_SENTENCE,
    PASSING,
    TRUST,
    Durability,
    Eligibility,
    TrustClass,
    best_of,
    eligibility,
    longer_of,
    lower_of,
    poisoning,
    shorter_of,
    trust_of_tool_call,
)
from vaultmem.notes.schema import DURABILITIES, TRUST_CLASSES

# class, weight, risk where durable or unknown, risk where it passes, eligibility where durable
TABLE = """
direct_user_instruction      1.0  low    medium auto_candidate
user_correction              1.0  low    medium auto_candidate
repeated_user_preference     0.9  low    medium auto_candidate
accepted_code_review_outcome 0.8  low    medium review_only
existing_project_convention  0.65 low    medium review_only
passing_tool_or_test_outcome 0.55 low    medium review_only
agent_inference              0.35 medium medium review_only
single_session_observation   0.3  medium medium review_only
repository_text              0.25 high   high   review_only
generated_content            0.2  high   high   review_only
third_party_documentation    0.2  high   high   review_only
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]
LASTING = ("project", "repository", "user_global", "long_term")
PASSES = ("temporary", "session", "task")


def test_the_notes_spell_the_same_words() -> None:
    assert tuple(TrustClass) == TRUST_CLASSES == tuple(row[0] for row in ROWS)
    assert tuple(Durability) == DURABILITIES
    assert {*LASTING, *PASSES, "unknown"} == set(Durability)
    assert set(PASSES) == PASSING


@pytest.mark.parametrize(("row", "durability"), list(product(ROWS, DURABILITIES)), ids=str)
def test_matrix(row: list[str], durability: str) -> None:
    name, _, lasting_risk, passing_risk, eligible = row
    trust, meant = TrustClass(name), Durability(durability)
    assert poisoning(trust, meant) == (passing_risk if durability in PASSES else lasting_risk)
    expected = eligible if durability in LASTING else "review_only"
    assert eligibility(trust, meant, Layer.PLAYBOOK) == expected
    assert eligibility(trust, meant, Layer.IDENTITY) == "l1_review_only"


def test_weights_and_groups() -> None:
    assert [TRUST[TrustClass(row[0])].weight for row in ROWS] == [float(row[1]) for row in ROWS]
    assert set(OWN_SENTENCE) == set(list(TrustClass)[:2])
    assert set(LOW_TRUST) == set(list(TrustClass)[-5:])


@pytest.mark.parametrize(
    ("trust", "durability", "layer", "eligible", "risk"),
    [
        pytest.param(
            "direct_user_instruction", "project", "L2", "auto_candidate", "low", id="row21_021"
        ),
        pytest.param(
            "direct_user_instruction", "temporary", "L2", "review_only", "medium", id="row21_022"
        ),
        pytest.param(
            "direct_user_instruction", "project", "L1", "l1_review_only", "low", id="row21_023"
        ),
        pytest.param(
            "third_party_documentation", "long_term", "L2", "review_only", "high", id="row21_024"
        ),
    ],
)
def test_rows(trust: str, durability: str, layer: str, eligible: str, risk: str) -> None:
    one, meant = TrustClass(trust), Durability(durability)
    assert eligibility(one, meant, Layer(layer)) is Eligibility(eligible)
    assert poisoning(one, meant) is Risk(risk)


@pytest.mark.parametrize(("first", "second"), list(product(TrustClass, TrustClass)))
def test_the_lower_class_wins(first: TrustClass, second: TrustClass) -> None:
    order = list(TrustClass)
    assert order.index(lower_of(first, second)) == max(order.index(first), order.index(second))
    assert order.index(best_of([first, second])) == min(order.index(first), order.index(second))


def test_without_any_source_it_is_the_agents_inference() -> None:
    assert best_of([]) is TrustClass.AGENT_INFERENCE


@pytest.mark.parametrize(
    ("claimed", "shown", "expected"),
    [
        ("project", ["project"], "project"),
        ("long_term", ["project"], "long_term"),
        ("project", ["task"], "task"),
        ("project", ["task", "session"], "task"),
        ("project", ["temporary", "unknown"], "unknown"),
        ("project", [], "unknown"),
        ("task", ["project"], "task"),
        ("temporary", ["session"], "temporary"),
        ("session", ["temporary"], "temporary"),
        ("unknown", ["project"], "unknown"),
    ],
)
def test_a_claim_lasts_no_longer_than_its_evidence(
    claimed: str, shown: list[str], expected: str
) -> None:
    assert shorter_of(Durability(claimed), map(Durability, shown)) == expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (["don't use npm, use bun"], TrustClass.DIRECT_USER_INSTRUCTION),
        (["fix the build", "we use bun in this repo"], TrustClass.DIRECT_USER_INSTRUCTION),
        (["fix the build"], TrustClass.AGENT_INFERENCE),
        (['the readme says "use bun"'], TrustClass.AGENT_INFERENCE),
        ([], TrustClass.AGENT_INFERENCE),
    ],
)
def test_a_tool_call_is_the_users_instruction_only_if_the_user_said_it(
    messages: list[str], expected: TrustClass
) -> None:
    assert trust_of_tool_call("Use bun.", messages) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("task", "project", "project"),
        ("unknown", "session", "unknown"),
        ("long_term", "project", "long_term"),
        ("project", "long_term", "project"),
        ("temporary", "temporary", "temporary"),
    ],
)
def test_the_longer_of_two_durabilities(one: str, other: str, expected: str) -> None:
    assert longer_of(Durability(one), Durability(other)) == expected
