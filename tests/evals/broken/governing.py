"""Broken builds: what changes a memory and by whose leave."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.evals.broken.capturing import verifies
from tests.evals.sabotage import Sabotage, always
from vaultmem.core.patch_rules import Applier
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.session_entry import Summary as SessionSummary
from vaultmem.services.apply import apply
from vaultmem.services.message import capture_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.patch import Patch
    from vaultmem.core.reinforcement import Summary
    from vaultmem.hooks.here import Here
    from vaultmem.services.call import Call

# what strengthens and weakens


def _counts_success(real: Callable[..., Summary]) -> Callable[..., Summary]:
    said = {Outcome.SUCCESS: Outcome.REINFORCED}
    return lambda outcomes: real([said.get(one, one) for one in outcomes])


SHOWN_OR_NOT = Sabotage(
    says="lets the agent strengthen what it never saw",
    target="services.confirm:_stop",
    make=always(None),
)

SILENCE_CONFIRMS = Sabotage(
    says="takes silence for the user's word",
    target="core.reinforcement:summarize",
    make=_counts_success,
)

NO_CORRECTION_IS_NEAR = Sabotage(
    says="links a correction to no memory", target="core.reinforcement:near", make=always(())
)

FIRST_OF_MANY = Sabotage(
    says="takes the first of several memories",
    target="core.reinforcement:near",
    make=lambda real: lambda *given: real(*given)[:1],
)

KEEPS_CITATIONS = Sabotage(
    says="leaves citations in replies",
    target="core.citation:parse",
    make=lambda real: lambda text: real(text)._replace(text=text),
)

# compaction


def _hears_summaries(real: Callable[[Here], None]) -> Callable[[Here], None]:
    def look(here: Here) -> None:
        real(here)
        said = "Never use the old pooler."
        capture_message(here.policy(), here.app.engine, said, session="s")

    return look


NO_SUMMARIES = Sabotage(
    says="reads no summaries of sessions",
    target="services.sessions.texts:Texts._text",
    make=lambda real: (
        lambda self, session, entry: (
            "" if isinstance(entry, SessionSummary) else real(self, session, entry)
        )
    ),
)

LEARNS_FROM_SUMMARIES = Sabotage(
    says="learns from what a model summarised", target="hooks.past:look", make=_hears_summaries
)

REMINDS_ONCE = Sabotage(
    says="does not know that a session forgot",
    target="services.inject:session_compacted",
    make=always(None),
)

NO_REDACTION = Sabotage(
    says="takes no secret out",
    target="services.capturing.secret_scan:redact",
    make=lambda _real: lambda text, *_: text,
)

# maintenance


def _applies(real: Callable[[Call, Patch], str]) -> Callable[[Call, Patch], str]:
    def save(call: Call, patch: Patch) -> str:
        every = frozenset(one.id for one in patch.operations)
        apply(call, patch, applier=Applier.PERSON, selected=every, via="maintain")
        return real(call, patch)

    return save


APPLIES_MAINTENANCE = Sabotage(
    says="applies what it proposes", target="services.patches:save", make=_applies
)

PROPOSES_AGAIN = Sabotage(
    says="forgets what it proposed", target="core.maintenance:_is_free", make=always(True)
)

TODAY_IS_LATE = Sabotage(
    says="takes the day of a review for missed",
    target="core.reinforcement:is_overdue",
    make=lambda real: lambda memory, day: real(memory, day + timedelta(days=1)),
    also=(
        Sabotage(
            says="looks at every memory", target="core.maintenance:is_concerned", make=always(True)
        ),
    ),
)

ARCHIVES_ALL = Sabotage(
    says="archives what acts as well",
    target="core.maintenance:is_cold",
    make=lambda real: lambda row, now: real(row._replace(pinned=0, enforced=0, layer="L2"), now),
    also=(Sabotage(target="core.force:needs_force", make=always(False)),),
)

SELECTS_ALL = Sabotage(
    says="ticks what only a person may", target="core.patch_rules:may_select", make=always(True)
)

# governance

VAULT_DECIDES = Sabotage(
    says="heeds the vault before the person",
    target="core.governance:_holds",
    make=lambda real: lambda key, vault, user: real(key, vault, user) if vault is None else vault,
)


# identity that is drawn

IDENTITY_APPLIES = Sabotage(
    says="applies what is about identity",
    target="core.verification:verify",
    make=verifies,
    also=(
        SELECTS_ALL,
        Sabotage(target="core.drafting:_why_held", make=always(None)),
        Sabotage(target="core.curation:_is_chosen", make=always(True)),
        Sabotage(target="core.patch_check:_authority", make=always(None)),
    ),
)

ONE_PLACE = Sabotage(
    says="draws from all projects together",
    target="core.holdings:place_of",
    make=always(""),
    also=(Sabotage(target="core.topic:key_of", make=always("|||git|")),),
)

DRAWS_FROM_ANYTHING = Sabotage(
    says="draws from what is in doubt",
    target="core.meta_consolidation:_why_not",
    make=always(""),
)

DRAWS_AGAIN = Sabotage(
    says="forgets what it drew",
    target="core.meta_consolidation:_why_no_group",
    make=lambda real: (
        lambda members, limits, _known, taken: real(members, limits, lambda _ids: False, taken)
    ),
)

NO_COUNTEREXAMPLES = Sabotage(
    says="looks for nothing that speaks against a candidate",
    target="core.meta_consolidation:_against",
    make=always(()),
)

# when a patch is applied

_NO_REFUSAL = always(None)

NOTHING_IS_STALE = Sabotage(
    says="writes over what was edited meanwhile",
    target="core.patch_check:_freshness",
    make=_NO_REFUSAL,
)

DELETED_MAY_CHANGE = Sabotage(
    says="changes whatever its status is",
    target="core.patch_check:_target",
    make=_NO_REFUSAL,
    also=(NOTHING_IS_STALE,),
)


HASHES_ARE_NOT_LOOKED_AT = Sabotage(
    says="believes what stands in a patch's note",
    target="core.operation:operation_hash",
    make=always("same"),
    also=(
        Sabotage(target="services.patching.ledger:unvouched", make=always(frozenset())),
        NOTHING_IS_STALE,
    ),
)

APPLIES_TWICE = Sabotage(
    says="forgets what it applied",
    target="store.patches:PatchTable.row",
    make=always(None),
    also=(Sabotage(target="services.patching.run:Run._is_decided", make=always(False)),),
)
