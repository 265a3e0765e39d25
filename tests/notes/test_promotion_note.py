"""A proposal's note: what is written into it is inert, and what a person writes is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.inert import clean
from vaultmem.core.inference import Guardrail
from vaultmem.core.promotion import Requirement
from vaultmem.core.promotion_words import Destination, PromotionDecision, PromotionStatus
from vaultmem.notes.promotion import Promotion, decode_promotion, encode_promotion

PATH = "Memory/Promotions/x.md"
SKILL = Promotion(
    id="prom_01JDR3Z8Q4M5N6P7R8S9T0V1W2",
    destination=Destination.SKILL,
    memory="[[Deploy workflow]]",
    statement="Deploy workflow: build → test",
    reason="You said it in 3 sessions.",
    created=datetime(2026, 11, 29, 12),
    device="dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2",
    evidence_count=3,
    skill="deploy-workflow",
    evidence=("[[2026-11-29 evidence d#^ev-1]]",),
    draft="---\nname: x\n---\n1. Build\n",
)


def edited(promotion: Promotion, *edits: tuple[str, str]):
    """The note as it is read after these edits."""
    text = encode_promotion(promotion).decode()
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return decode_promotion(text.encode(), path=PATH)


def codes(decoded):
    return [one.code for one in decoded.findings]


def test_a_note_comes_back_as_it_was_written():
    decoded = edited(SKILL)
    assert decoded.promotion == SKILL
    assert (decoded.decision, decoded.findings, decoded.usable) == (None, (), True)


def test_an_enforcement_has_its_guardrail_or_room_for_it():
    guard = Guardrail("bash_contains git add .", "block")
    full = replace(SKILL, destination=Destination.ENFORCEMENT, skill="", draft="", guardrail=guard)
    assert edited(full).promotion == full
    empty = replace(full, guardrail=Guardrail())
    found = edited(
        empty, ("trigger:\n", "trigger: tool_name deploy\n"), ("action:\n", "action: warn\n")
    )
    assert found.promotion.guardrail == Guardrail("tool_name deploy", "warn")
    checked = replace(full, guardrail=Guardrail(verifier="tool_called a before git push"))
    assert edited(checked).promotion == checked


def test_a_knowledge_note_is_told_what_it_needs_and_where_it_could_go():
    met = (Requirement("Seen in 2 projects", met=True), Requirement("General", met=False))
    one = replace(
        SKILL,
        destination=Destination.VAULT_REF,
        skill="",
        requirements=met,
        provenance=("[[Old]]",),
        suggested=("[[Notes/Vacuum|Vacuum]]: 0.81, both say rows",),
    )
    text = encode_promotion(one).decode()
    assert "## Checks\n\n- yes: Seen in 2 projects\n- no: General\n" in text
    assert "## Drawn from\n\n- [[Old]]\n" in text
    assert "- [[Notes/Vacuum|Vacuum]]: 0.81, both say rows\n" in text
    assert "\nnote:\n" in text
    assert edited(one, ("note:\n", 'note: "[[Vacuum]]"\n')).promotion.note == "[[Vacuum]]"


@pytest.mark.parametrize(
    ("word", "decision", "found"),
    [
        ("accept", PromotionDecision.ACCEPT, []),
        ("Rejected", PromotionDecision.REJECT, []),
        ("perhaps", None, ["VM830"]),
        ("[a, b]", None, ["VM110", "VM830"]),
    ],
)
def test_a_decision_is_read_and_another_word_is_told(word, decision, found):
    decoded = edited(SKILL, ("decision:\n", f"decision: {word}\n"))
    assert (decoded.decision, codes(decoded)) == (decision, found)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("destination: skill\n", "", ["VM831"]),
        ("destination: skill\n", "destination: moon\n", ["VM110", "VM831"]),
        ("type: promotion\n", "type: memory\n", ["VM117"]),
        ("id: prom_", "id: mem_", ["VM113"]),
        ("> Deploy", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n\n> Deploy", ["VM108"]),
    ],
)
def test_a_note_that_was_spoiled_decides_nothing(old, new, found):
    decoded = edited(SKILL, (old, new), ("decision:\n", "decision: accept\n"))
    assert codes(decoded) == found
    assert decoded.decision is None or not decoded.usable


def test_an_accepted_note_says_so():
    decoded = edited(SKILL, ("status: proposed\n", "status: Accepted\n"))
    assert decoded.promotion.status is PromotionStatus.ACCEPTED


def test_a_note_without_quote_draft_and_reason_is_read():
    bare = replace(SKILL, reason="", draft="", evidence=(), created=None)
    assert edited(bare, ("> Deploy", "Deploy")).promotion == replace(bare, statement="")


@given(st.text(min_size=1, max_size=80), st.text(max_size=80), st.text(max_size=120))
def test_captured_text_in_it_is_inert_and_comes_back(statement, reason, draft):
    statement = f"a {statement}"
    one = replace(SKILL, statement=statement, reason=reason, draft=draft, evidence=())
    data = encode_promotion(one)
    decoded = decode_promotion(data, path=PATH)
    assert decoded.findings == ()
    assert decoded.decision is None
    assert decoded.promotion.statement == clean(statement).text.strip()
    body = data.decode().split("\n## Draft", 1)[0]
    assert "![[" not in body


def test_a_hostile_reason_is_inert_in_the_properties_too():
    reason = "Seen; ![[embed]] #tag <% run %>"
    data = encode_promotion(replace(SKILL, reason=reason))
    assert "![[embed]]" not in data.decode()
    assert "<%" not in data.decode()
    assert decode_promotion(data, path=PATH).promotion.reason == "Seen; ![[embed]] #tag < % run %>"
