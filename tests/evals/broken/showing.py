"""Broken builds: what is told, found and looked into."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.evals.sabotage import Sabotage, always
from vaultmem.core.finding import finding
from vaultmem.core.model import Status
from vaultmem.services.call import Actor

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.selection import Selection
    from vaultmem.core.standing import Standing

# diagnostics

CRIES_WOLF = Sabotage(
    says="finds fault with what is in order",
    target="services.diagnosing.checks:check_likeness",
    make=always((finding("VM721", path="x"),)),
)

DELETION_IS_AN_ERROR = Sabotage(
    says="takes a deletion for a fault",
    target="services.diagnosing.checks:check_tombstones",
    make=lambda _real: (
        lambda call, _seen: (finding("VM751") for _ in call.vault.baseline.deleted_memories())
    ),
)

SEES_NO_TOMBSTONE_IN_FORCE = Sabotage(
    says="does not look for deleted memories in force",
    target="services.diagnosing.checks:check_tombstones",
    make=always(()),
)

BROKEN_NOTES_VANISH = Sabotage(
    says="passes over notes that it cannot read",
    target="services.syncing.changes:Changes._broken",
    make=always(None),
)

# doubts

DOUBT_IS_NOTHING = Sabotage(
    says="takes a contested memory for one that stands",
    target="core.standing:standing_of",
    make=lambda real: lambda *given, **more: _without_doubt(real(*given, **more)),
)


def _without_doubt(found: Standing) -> Standing:
    return found._replace(status="active") if found.status == "contested" else found


def _farthest(real: Callable[..., None], chosen: Selection, prompt: str) -> None:
    every = list(chosen.contested)
    real(chosen, prompt)
    near = list(chosen.contested)
    chosen.contested[:] = [one for one in every if one not in near]


TELLS_EVERY_DOUBT = Sabotage(
    says="tells the doubts that are farthest",
    target="core.selection:_rank_contested",
    make=lambda real: lambda chosen, prompt: _farthest(real, chosen, prompt),
)

# secrets

SEES_NO_SECRETS = Sabotage(
    says="sees no secret",
    target="services.capturing.secret_scan:scan",
    make=always(()),
    also=(Sabotage(target="core.secrets:find_secrets", make=always(())),),
)

# where a memory comes from

SOURCES_ARE_THERE = Sabotage(
    says="does not look whether a source is there",
    target="services.diagnosing.evidence:source_is_gone",
    make=always(False),
)

EVIDENCE_IS_INTACT = Sabotage(
    says="takes altered evidence for what was recorded",
    target="core.evidence:is_intact",
    make=always(True),
)

EVERYTHING_IS_RECORDED = Sabotage(
    says="does not ask who recorded a piece",
    target="services.diagnosing.evidence:_recorded",
    make=lambda _real: lambda _call: lambda _piece: True,
)

LINKS_LEAD_SOMEWHERE = Sabotage(
    says="does not follow links to evidence",
    target="services.diagnosing.evidence:_dangling",
    make=always(()),
)

SAYS_WHAT_IT_SAID = Sabotage(
    says="does not compare a memory with its evidence",
    target="services.diagnosing.evidence:_says",
    make=always(True),
)

# time

TIME_STANDS_STILL = Sabotage(
    says="knows no time in which a memory holds", target="core.selection:_over", make=always("")
)

HELD_FOREVER = Sabotage(
    says="does not tell when a memory ended",
    target="core.validity:validity",
    make=lambda real: lambda memory, **_: real(replace(memory, status=Status.ACTIVE)),
)

# what is told at all

ALWAYS_SCOPED = Sabotage(
    says="tells memories whatever the mode",
    target="core.governance:Governance.injection_mode",
    make=lambda _real: property(lambda _self: "scoped"),
)

COUNTS_NOTHING = Sabotage(
    says="counts nothing",
    target="core.report_rules:rules_report",
    make=lambda real: (
        lambda _held, governance, *, waiting, budget: real(
            (), governance, waiting=min(waiting, 0), budget=budget
        )
    ),
)

# search

SPELLS_EXACTLY = Sabotage(
    says="finds a word as it is spelled only",
    target="index.terms:_word",
    make=lambda real: lambda word, _stem: real(word, lambda text: text),
)

# knowledge

NO_SUGGESTIONS = Sabotage(
    says="suggests nothing",
    target="services.vault_ref:suggest_all",
    make=lambda _real: lambda _call, _engine, memories, **_: [() for _one in memories],
)

SUGGESTS_ANYTHING = Sabotage(
    says="suggests whatever shares a word",
    target="core.vault_ref:belongs",
    make=always(True),
    also=(Sabotage(target="core.vault_ref:shares_enough", make=always(True)),),
)

HIDES_NOTHING = Sabotage(
    says="suggests templates and what is kept out",
    target="core.vault_ref:is_knowledge",
    make=always(True),
)

AGENT_SEES_ALL = Sabotage(
    says="lets the agent search the whole vault",
    target="services.search:search",
    make=lambda real: (
        lambda call, *given, **more: real(call._replace(actor=Actor.PERSON), *given, **more)
    ),
)

LINKS_NEVER_DANGLE = Sabotage(
    says="does not follow links to knowledge",
    target="services.diagnosing.links:check_vault_ref",
    make=always(()),
)
