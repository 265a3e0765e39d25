"""Why a candidate waits for a person although no check says so."""

from __future__ import annotations

import pytest

from vaultmem.core.curation import left_to_person
from vaultmem.core.governance import Governance
from vaultmem.core.operation import Risk
from vaultmem.core.trust import Durability, Eligibility, TrustClass
from vaultmem.core.verification import Outcome, Verification

ALL = Governance(auto_curate="all-eligible")
OFF = Governance(auto_curate="off")
LASTING, PASSING = Eligibility.AUTO, Eligibility.REVIEW


def verified(eligibility):
    return Verification(
        outcome=Outcome.VERIFIED,
        reasons=(),
        trust=TrustClass.DIRECT_USER_INSTRUCTION,
        durability=Durability.PROJECT,
        risk=Risk.LOW,
        eligibility=eligibility,
        supporting=(),
    )


@pytest.mark.parametrize(
    ("eligibility", "confidence", "governance", "says"),
    [
        (LASTING, 0.9, Governance(), ""),
        (LASTING, 0.8, Governance(), "only from 0.85 is it applied by itself (`curator_auto_cura"),
        (LASTING, 0.8, ALL, ""),
        (LASTING, 0.7, ALL, "only from 0.75 is it applied by itself (`curator_min_confidence`)"),
        (LASTING, 0.9, OFF, "Nothing is applied by itself here (`curator_auto_curate`)"),
        (PASSING, 0.9, Governance(), "It does not say that it is to last"),
    ],
)
def test_what_waits_says_which_setting_or_word_keeps_it(eligibility, confidence, governance, says):
    told = left_to_person(verified(eligibility), confidence, governance)
    assert (told == "") if says == "" else (says in told)
