"""`/memory search …` in so many words: answered here, where index and model are loaded already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.hooks.answers import Said
from vaultmem.hooks.telling import in_window, one_line
from vaultmem.services.search import search

if TYPE_CHECKING:
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import CommandTyped
    from vaultmem.index.hybrid import SearchHit

MAX_HITS = 10


def search_typed(here: Here, event: CommandTyped, query: str) -> Said:
    """What memories the person's words find; at once by words where nothing is embedded yet.

    Raises:
        VaultmemError: if the vault cannot be used.
    """
    project = here.project(event)
    found = search(here.person(), here.engine, query, limit=MAX_HITS, project=project, at_once=True)
    lines = [_lines(here, one) for one in found.hits] or ["Nothing was found."]
    if found.degraded:
        lines.append(f"Note: {in_window(one_line(found.degraded))}")
    return Said("\n".join(lines))


def _lines(here: Here, hit: SearchHit) -> str:
    """A hit with its short id, where it is, and why it is there."""
    standing = here.app.vault.baseline.live_standing(hit.id) if hit.id else None
    says = hit.title if standing is None else standing.statement
    name = "" if standing is None else f" [{short_id(standing.id)}]"
    doubt = f"; {hit.mark.replace('_', ' ')}" if hit.mark else ""
    place = f"; project: {one_line(hit.project)}" if hit.project else ""
    return f"- {one_line(says)}{name}\n  {one_line(hit.path)}: {one_line(hit.why)}{doubt}{place}"
