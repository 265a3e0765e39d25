"""How long a running process takes to put together what a prompt brings, besides embedding it."""

from __future__ import annotations

import statistics
from functools import partial
from typing import TYPE_CHECKING

from tests.benchmarks.figure import Figure, milliseconds, seconds
from tests.benchmarks.reference import ADDITIONS, additions
from tests.benchmarks.vaults import prompts
from tests.index.fake import FakeEmbedder
from vaultmem.cli.opening import open_or_adopt
from vaultmem.index.hybrid import Mode
from vaultmem.services.indexing import refresh
from vaultmem.services.inject import inject
from vaultmem.services.syncing.observe import observe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.benchmarks.vaults import Site

GOAL = 30
"""Milliseconds, from the issue; on a machine that is busy the reference says how busy."""
_PROJECT = "github.com/acme/service-1"
_ROUNDS = 25


def measure(site: Site) -> Iterator[Figure]:
    """A session's prompts in one process, in turn with the reference."""
    with site.app(FakeEmbedder(dimension=384)) as app:
        open_or_adopt(app)
        call, engine = app.call(), app.engine
        refresh(call, engine)
        engine.embed()
        asked = prompts(_ROUNDS + 1, 12)

        def one(prompt: str) -> None:
            inject(call, engine, project=_PROJECT, prompt=prompt, session="s1", look=False)

        one(asked[0])
        taken, plain = [], []
        for prompt in asked[1:]:
            taken += seconds(partial(one, prompt), 1)
            plain += seconds(additions, 1)
        reference = 1000 * statistics.median(plain)
        value = 1000 * statistics.median(taken)
        size = f"{site.memories:,}"
        yield Figure(f"injection, warm, {size}", value, "ms", GOAL, reference, ADDITIONS)
        value = milliseconds(lambda: engine.search(asked[0], mode=Mode.SEMANTIC, limit=50), _ROUNDS)
        yield Figure(f"near memories, warm, {size}", value, "ms", None, reference, ADDITIONS)
        value = milliseconds(lambda: engine.search(asked[0], mode=Mode.KEYWORD, limit=50), _ROUNDS)
        yield Figure(f"words of memories, warm, {size}", value, "ms", None, reference, ADDITIONS)
        value = milliseconds(lambda: observe(call.vault))
        yield Figure(f"look at the vault, {size}", value, "ms", None, reference, ADDITIONS)
