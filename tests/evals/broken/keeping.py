"""Broken builds: what stands beside what, what goes and stays away, what is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.evals.broken.capturing import COUNTS_EVERY_WORD
from tests.evals.sabotage import Sabotage, always
from vaultmem.core.contradiction import Contradiction
from vaultmem.core.likeness import MatchKind
from vaultmem.core.model import Status
from vaultmem.core.state import MemoryState
from vaultmem.core.sync import Edited
from vaultmem.services.tombstones import standing_tombstone

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.sync import Broken
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.changes import Changes

# contradiction

SEES_NO_CONTRADICTION = Sabotage(
    says="sees no contradiction", target="core.contradiction:contradicts", make=always(None)
)

SEES_CONTRADICTION_EVERYWHERE = Sabotage(
    says="sees a contradiction in every two statements",
    target="core.contradiction:contradicts",
    make=lambda _real: lambda new, old: Contradiction(new, old, ()),
)

PINS_GIVE_WAY = Sabotage(
    says="lets a confirmed text replace a pinned memory",
    target="core.guards:refuse_contradiction",
    make=lambda real: lambda found, **more: real(found, **(more | {"pinned": False})),
)

ALL_IS_NEW = Sabotage(
    says="takes every candidate for something new",
    target="core.likeness:relation",
    make=always(MatchKind.NEW),
)

APPROVAL_ADDS = Sabotage(
    says="adds what replaces something", target="core.draft_operation:_BUILD", make=lambda _real: {}
)

# deletion

DELETED_IS_IN_USE = Sabotage(
    says="uses what was deleted",
    target="core.standing:IN_USE",
    make=lambda real: real | {"deleted"},
)

NO_TOMBSTONES = Sabotage(
    says="heeds no tombstone", target="services.tombstones:_standing", make=lambda _r: lambda *_: []
)

PURGE_SPARES_STATE = Sabotage(
    says="purges the vault and not what the machine keeps",
    target="services.purging.state:purge_state",
    make=always(None),
)

LOSS_IS_NOTHING = Sabotage(
    says="does not see that a note is gone",
    target="services.syncing.changes:Changes._vanished",
    make=always(None),
)

# questions

EVERY_QUESTION = Sabotage(
    says="tells every question that was ever asked",
    target="core.inquiry:to_tell",
    make=lambda _real: lambda held, **_: tuple(held),
)

QUESTIONS_ANEW = Sabotage(
    says="knows a question by its spelling",
    target="core.inquiry:inquiry_key",
    make=lambda _real: lambda question: question,
)

NO_QUESTIONS = Sabotage(
    says="never asks",
    target="services.inquiring.of_candidates:ask_about_candidates",
    make=always(()),
)

# older tools

ALL_IS_BROUGHT_ANEW = Sabotage(
    says="does not know what it imported before",
    target="services.migrating.plan:_by_id",
    make=always(None),
    also=(COUNTS_EVERY_WORD,),
)

ALL_IS_IMPORTED_ACTIVE = Sabotage(
    says="imports everything as if it stood",
    target="services.migrating.plan:_normal",
    make=lambda real: lambda *given: replace(real(*given), status=Status.ACTIVE),
)

READS_OTHER_KEYS = Sabotage(
    says="reckons the keys of old scores otherwise",
    target="core.importing.entry:entry_key",
    make=always("00000000"),
)

BELIEVES_OLD_STORES = Sabotage(
    says="is no stricter in strict governance",
    target="core.verification:may_apply_alone",
    make=lambda real: lambda found, _mode: real(found, "compatibility"),
)

DROPS_BAD_RECORDS = Sabotage(
    says="says nothing of records that it cannot read",
    target="store.importers.source:Source.quarantine",
    make=always(None),
)

# the person's edits


def _takes_for_gone(_real: object) -> Callable[[Changes, Broken], None]:
    def broken(self: Changes, change: Broken) -> None:
        if change.id:
            self._baseline.set_state(change.id, MemoryState.MISSING, self._call.seconds)

    return broken


SEES_NO_EDITS = Sabotage(
    says="does not see that a note was edited",
    target="services.syncing.changes:Changes._edited",
    make=always(None),
)

BROKEN_IS_GONE = Sabotage(
    says="takes a note that it cannot read for gone",
    target="services.syncing.changes:Changes._broken",
    make=_takes_for_gone,
)

REWRITES_NOTES = Sabotage(
    says="rewrites a note whose property it sets",
    target="notes.frontmatter:set_properties",
    make=lambda real: lambda data, *given: real(data, *given).replace(b"\r\n", b"\n"),
)

ANY_LOSS_IS_A_WISH = Sabotage(
    says="takes every loss for a wish", target="core.sync:too_many_vanished", make=always(False)
)

COPIES_ACT = Sabotage(
    says="takes a copy for the memory",
    target="services.syncing.changes:Changes._copied",
    make=lambda _real: lambda self, change: self._edited(Edited(change.path, change.id)),
)

# several machines

READS_CONFLICT_COPIES = Sabotage(
    says="reads conflict copies", target="core.conflict:is_conflict_copy", make=always(False)
)

DEVICES_ARE_NOBODY = Sabotage(
    says="believes no other device",
    target="services.syncing.attribution:lines_of_bytes",
    make=lambda _real: lambda *_: [],
    also=(Sabotage(target="services.syncing.grace:_explained", make=always(None)),),
)

DECIDES_EVERYWHERE = Sabotage(
    says="follows every decision at once",
    target="services.following.candidates:_belongs_elsewhere",
    make=always(False),
)

ACTS_WITHOUT_KEY = Sabotage(
    says="applies without the vault's key", target="services.curate:_kept_back", make=always("")
)

SIGNS_NOTHING = Sabotage(
    says="asks for no signature",
    target="services.syncing.record:signed_force",
    make=always(True),
)

COUNTS_ITS_OWN = Sabotage(
    says="counts what it heard itself only",
    target="services.syncing.ledgers:_apply",
    make=always(None),
)

PURGES_AT_HOME = Sabotage(
    says="purges only what was purged here",
    target="services.syncing.ledgers:_apply",
    make=lambda real: lambda call, identifier: _spared(real, call, identifier),
)


def _spared(real: Callable[[Call, str], None], call: Call, identifier: str) -> None:
    if standing_tombstone(call, identifier) is None:
        real(call, identifier)
