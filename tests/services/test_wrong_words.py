"""Words of the baseline's `meta` that are none of what is kept there: the state is damaged, no bug."""

from __future__ import annotations

import pytest

from vaultmem.errors import VaultError
from vaultmem.services import meta_consolidation
from vaultmem.services.migrating import pending
from vaultmem.services.reviewing import vouched
from vaultmem.services.syncing import attribution, record
from vaultmem.store import baseline_rows, erase

WRONG = ("no such word", "[1]", '{"a": 1}', '[["a"]]', "[" * 100_000)
READERS = {
    baseline_rows.DELETIONS: lambda call: erase.intents(call.vault.baseline),
    baseline_rows.IMPORT: lambda call: pending.kept(call.vault.baseline),
    baseline_rows.LASTING: lambda call: call.vault.baseline.findings(),
    record.NOTEBOOK_FINDINGS: record.notebook_findings,
    vouched.KEY: lambda call: vouched.vouched(call, "Review.md"),
    "looked_ns": lambda call: attribution.origin_of_loss(call, "mem_1"),
    "meta_consolidation": meta_consolidation.is_due,
}


@pytest.mark.parametrize("word", WRONG, ids=[word[:12] for word in WRONG])
@pytest.mark.parametrize("key", READERS)
def test_a_word_that_nobody_can_read_is_damage(world, key, word):
    world.here.sync()
    call = world.here.call()
    call.vault.baseline.set_meta(key, word)
    with pytest.raises(VaultError, match=r"`meta\.value`.* Run the command again"):
        READERS[key](call)
