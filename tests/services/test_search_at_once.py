"""A search that must not wait answers by words and leaves the vectors to somebody else."""

from __future__ import annotations

from tests.index.fake import FakeEmbedder
from vaultmem.index.hybrid import Mode
from vaultmem.services.search import search


def test_a_first_search_at_once_embeds_nothing_and_waits_for_no_model(world, known):
    fake = FakeEmbedder(loaded=False)
    app = world.here.app()
    app._embedder = lambda: fake

    found = search(app.call(), app.engine, "files by name", at_once=True)

    assert ([hit.id for hit in found.hits], found.mode) == ([known], Mode.KEYWORD)
    assert "being loaded" in found.degraded
    assert app.engine.waiting == 1
    assert search(app.call(), app.engine, "files by name").mode is Mode.HYBRID
    assert app.engine.waiting == 0
