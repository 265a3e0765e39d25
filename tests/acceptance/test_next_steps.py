"""Every refusal says in a sentence what to do next, for a person or for the model."""

from __future__ import annotations

import pytest

from tests.acceptance.next_steps import Said, refusals, says_what_to_do
from tests.core.patches import CANDIDATE
from vaultmem.core.contradiction import Contradiction
from vaultmem.core.drafting import HOLD, Hold
from vaultmem.core.finding import CODES
from vaultmem.core.guards import first_refusal, refuse_contradiction
from vaultmem.core.likeness import MatchKind
from vaultmem.core.matching import REASONS, REVIEWED
from vaultmem.core.operation import Op
from vaultmem.core.patch_rules import RULES
from vaultmem.core.verification import NEXT_STEP

SAID = list(refusals())
HOLE = "{}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run `vaultmem sync`, then propose the change again.", True),
        ("If it is yours, run `vaultmem trust PATH`.", True),
        ("Nothing to do.", True),
        ("Nothing was changed.", False),
        ("The checks rejected it.", False),
        ("It was deleted for good.", False),
        ("", False),
    ],
)
def test_an_instruction_is_told_from_a_statement(text, expected):
    assert says_what_to_do(text) is expected


@pytest.mark.parametrize("code", CODES)
def test_a_finding_tells_what_to_do(code):
    row = CODES[code]
    assert row.meaning.endswith(".")
    assert row.remedy.endswith(".")
    assert says_what_to_do(row.remedy), row.remedy


def test_the_source_is_read():
    kinds = {one.kind for one in SAID}
    assert len(SAID) > 150
    assert {"Refusal", "TextRefusal"} <= kinds
    assert {"CaptureRefusedError", "EditRefusedError", "NoteNotFoundError"} <= kinds


@pytest.mark.parametrize("said", SAID, ids=lambda one: f"{one.kind}-{one.place}")
def test_an_error_and_a_refusal_tell_what_to_do(said: Said):
    for remedy in said.remedy.split("\n"):
        if remedy.removesuffix(" Nothing was reverted.").rstrip(". ").endswith(HOLE):
            continue  # the sentence is another one's, which is looked at where it is written
        if said.kind == "NotConfirmedError" and remedy.startswith("Nothing was "):
            continue  # the person was asked and said no
        assert remedy.rstrip().endswith((".", "?")), remedy
        assert says_what_to_do(remedy), remedy


@pytest.mark.parametrize("reason", NEXT_STEP, ids=str)
def test_a_reason_of_the_checks_tells_what_to_do(reason):
    assert says_what_to_do(NEXT_STEP[reason])


# What the checks hold back is told with their reasons, each of which says what to do.
@pytest.mark.parametrize("hold", sorted(set(HOLD) - {Hold.REJECTED, Hold.UNSUPPORTED}))
def test_what_keeps_a_candidate_waiting_tells_what_to_do(hold):
    assert says_what_to_do(HOLD[hold])


@pytest.mark.parametrize("kind", sorted(REVIEWED | {MatchKind.UPDATES, MatchKind.STRENGTHENS}))
def test_a_match_that_a_person_looks_at_tells_what_to_do(kind):
    assert says_what_to_do(REASONS[kind])


@pytest.mark.parametrize("op", [op for op in Op if RULES[op].irreversible], ids=str)
def test_what_cannot_be_reverted_tells_what_to_do(op):
    refusal = RULES[op].irreversible
    assert refusal is not None
    assert says_what_to_do(refusal.remedy)


@pytest.mark.parametrize(
    "text",
    ["Use the token ghp_" + "A1b2C3d4E5" * 4 + ".", "You can merge this PR.", "For now, use npm."],
)
def test_a_guard_tells_what_to_do(text):
    refusal = first_refusal(text)
    assert refusal is not None
    assert says_what_to_do(refusal.remedy)


@pytest.mark.parametrize("pinned", [True, False])
def test_a_contradiction_tells_what_to_do(pinned):
    found = Contradiction("Push.", "Never push.", ("push",))
    refusal = refuse_contradiction(found, identifier=CANDIDATE, pinned=pinned)
    assert refusal is not None
    assert says_what_to_do(refusal.remedy)
