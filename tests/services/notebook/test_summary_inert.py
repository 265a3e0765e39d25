"""What a worker writes into the summary acts in the vault as little as in the handbook."""

from __future__ import annotations

from tests.services.notebook.rewriting import (
    Notebook,
    endpoint,
    handbook,
    says,
    summary,
    writes,
)
from vaultmem.services.notebook.consolidated import Outcome


def test_nothing_in_the_summary_loads_links_runs_or_ticks(world, server):
    world.here.sync()
    book = Notebook(world)
    card = book.card()
    acts = ("![x](https://example.org/a)", "[[Nowhere]]", "<% tp.system() %>", "`= 1 + 1`")
    more = "".join(f"- {one} [{card.hash}]\n" for one in acts)
    server.script(writes(memory=handbook(card), summary=summary(card, more=more)), says("Done."))
    assert book.rewrite(endpoint(server)).outcome is Outcome.DONE
    told = book.in_vault()["memory_summary.md"].decode()
    assert told.startswith("v1\n")
    assert [one for one in acts if one in told] == []
    assert "example.org/a" in told, "it is spelled out, and not lost"
