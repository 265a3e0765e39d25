"""Broken builds: what a vault takes in, and from whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.evals.sabotage import Sabotage, always
from vaultmem.core.detection import Kind, Signal
from vaultmem.core.operation import Risk
from vaultmem.core.trust import Durability, Eligibility, TrustClass
from vaultmem.core.verification import Outcome as Checked
from vaultmem.services.syncing.attribution import Origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.verification import Verification

# capture


def _hears_everything(_real: object) -> object:
    return lambda text: (
        Signal(
            text=text,
            kind=Kind.CORRECTION,
            rule=None,
            confidence=0.9,
            durability=Durability.PROJECT,
            refused_by=None,
            reason="",
        ),
    )


DEAF = Sabotage(
    says="hears no correction",
    target="core.detection:detect",
    make=lambda real: lambda _text: real("What time is it?"),
)

CREDULOUS = Sabotage(
    says="takes every message for a lasting rule",
    target="core.detection:detect",
    make=_hears_everything,
)

POLICY_RESTS = Sabotage(
    says="applies nothing at the end of a session",
    target="core.curation:applied_at_session_end",
    make=always(()),
)

PARROT = Sabotage(
    says="learns from what it told itself",
    target="services.capturing.shown:was_shown",
    make=always(False),
)

COUNTS_EVERY_WORD = Sabotage(
    says="counts a session as often as it speaks",
    target="services.reinforce:sessions_counted",
    make=always(frozenset()),
)

TAKES_WISHES_FOR_ORDERS = Sabotage(
    says="takes a preference for a lasting order",
    target="core.detection:_durability",
    make=always(Durability.USER_GLOBAL),
)

# who may do what


def verifies(real: Callable[..., Verification]) -> Callable[..., Verification]:
    return lambda *given: replace(
        real(*given),
        outcome=Checked.VERIFIED,
        reasons=(),
        trust=TrustClass.DIRECT_USER_INSTRUCTION,
        risk=Risk.LOW,
        eligibility=Eligibility.AUTO,
    )


GULLIBLE = Sabotage(
    says="takes what a tool brings for the user's own words",
    target="core.trust:trust_of_tool_call",
    make=always(TrustClass.DIRECT_USER_INSTRUCTION),
)

VERIFIES_ALL = Sabotage(
    says="verifies whatever it is shown", target="core.verification:verify", make=verifies
)


NOBODY_IS_AN_AGENT = Sabotage(
    says="refuses no agent", target="services.call:refuse_agent", make=always(None)
)

SEES_NO_TOOLS = Sabotage(
    says="takes every change of a file for the person's",
    target="services.syncing.attribution:_by_time",
    make=always(Origin.PERSON),
)

FORCE_FOR_ALL = Sabotage(
    says="gives force to whatever asks for it", target="core.force:renews", make=always(True)
)

LETS_MARKUP_THROUGH = Sabotage(
    says="tells a memory as it is spelled",
    target="core.visible:visible_line",
    make=lambda _real: lambda text, *_: text,
)

# where a memory holds

ONE_PROJECT = Sabotage(says="knows no projects", target="core.selection:not_here", make=always(""))

QUESTIONS_EVERYWHERE = Sabotage(
    says="puts every project's questions",
    target="core.inquiry:to_tell",
    make=lambda real: (
        lambda held, **more: real([replace(one, project=None) for one in held], **more)
    ),
)
