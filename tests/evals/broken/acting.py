"""Broken builds: what acts, and what becomes of a memory that does."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from tests.evals.sabotage import Sabotage, always
from vaultmem.core.inference import Guardrail
from vaultmem.services.promoting.proposals import find_proposal
from vaultmem.services.promoting.settling import settle_accepted

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.services.call import Call
    from vaultmem.services.promoting.proposing import Proposed

# procedures


def _writes_a_skill(real: Callable[..., str]) -> Callable[..., str]:
    def save(call: Call, *given: object, **more: object) -> str:
        place = call.vault.path / "Memory/Skills/release/SKILL.md"
        place.parent.mkdir(parents=True)
        place.write_text("A skill.\n")
        return real(call, *given, **more)

    return save


NO_PROCEDURES = Sabotage(
    says="finds no procedure",
    target="core.procedures:find_procedures",
    make=lambda real: lambda _held, **more: real((), **more),
)

ONE_STEP_IS_ENOUGH = Sabotage(
    says="takes one step for a procedure",
    target="core.procedures:find_procedures",
    make=lambda real: lambda held, **_: real(held, least=1),
)

EVERYTHING_IS_A_STEP = Sabotage(
    says="takes what is in doubt for a step", target="core.procedures:why_not", make=always("")
)

WRITES_SKILLS = Sabotage(
    says="writes a skill", target="services.exporting.saved:save", make=_writes_a_skill
)

STEPS_OF_ALL_PROJECTS = Sabotage(
    says="mixes the steps of projects",
    target="core.procedures:find_procedures",
    make=lambda real: (
        lambda held, **more: real(
            [one._replace(memory=replace(one.memory, project=None)) for one in held], **more
        )
    ),
)

# guardrails

GUARDS_NOTHING = Sabotage(
    says="enforces no rule", target="services.enforcing.rules:rules_here", make=always(())
)

MATCHES_LITERALLY = Sabotage(
    says="looks for a command's letters only",
    target="core.enforcement.contains:contains",
    make=lambda _real: lambda needle, text: needle in text,
)

GUARDS_NO_PLACES = Sabotage(
    says="guards no place", target="core.agent_guard:reason_to_block", make=always(None)
)

RUNS_ANYTHING = Sabotage(
    says="runs what a note names",
    target="core.enforcement.command:why_not_run",
    make=always(""),
)

# promotion


def _accepts(real: Callable[..., Proposed]) -> Callable[..., Proposed]:
    def write(call: Call, *given: object) -> Proposed:
        done = real(call, *given)
        settle_accepted(call, find_proposal(call, done.path), via="promote")
        return done

    return write


EARNS_NOTHING = Sabotage(
    says="finds no form earned", target="core.promotion:propose", make=always(())
)

HEARS_AGENTS = Sabotage(
    says="counts what an agent says as the user's",
    target="services.promoting.heard:heard_of",
    make=lambda real: (
        lambda call, held: {
            name: one._replace(sessions=9, projects=("a", "b"), since=date(2020, 1, 1))
            for name, one in real(call, held).items()
        }
    ),
)

PROMOTES_ANEW = Sabotage(
    says="forgets what was decided",
    target="services.promoting.proposals:is_closed",
    make=always(False),
)

PROMOTES_BY_ITSELF = Sabotage(
    says="accepts what it proposes", target="services.promoting.proposing:write", make=_accepts
)

INFERS_TOOLS = Sabotage(
    says="takes any word for a tool",
    target="core.inference:infer",
    make=always(Guardrail("tool_name mutable", "block")),
)
