"""Which memories a text calls to mind, of those that may be told here."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from vaultmem.core.context import Context, Surroundings
from vaultmem.core.injection import why_not_recalled
from vaultmem.core.report_line import memory_line
from vaultmem.core.selection import Excluded, today
from vaultmem.core.vault_ref import is_latin
from vaultmem.errors import ModelError
from vaultmem.index.documents import Source
from vaultmem.index.hybrid import Mode
from vaultmem.index.signals import IndexLockedError
from vaultmem.services.indexing import refresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from vaultmem.core.standing import Standing
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call

Near: TypeAlias = "tuple[str, float | None]"
"""A memory and its similarity to what was asked; None where only words were compared."""

LOOKED_AT = 50
"""Hits that are looked at: those that the report tells, or that do not hold here, count as none."""
WORDS_AT_LEAST = 0.3
"""The share of a text's weight that a memory's words must have where no model says how near it is;
docs/adr/0050 has the figures."""
ASKED = 2_000
"""Characters of a prompt that are searched for; the model reads no more, and the rest is a log."""


class Recalled:
    """Which memories may be recalled in one context, and their lines."""

    def __init__(
        self, call: Call, context: Context, in_report: frozenset[str], over: frozenset[str]
    ) -> None:
        self._call = call
        self._context = context
        self._surroundings = Surroundings(context)
        self._in_report = in_report
        self._over = over

    def best(self, near: Iterable[Near], most: int) -> tuple[tuple[str, ...], tuple[Excluded, ...]]:
        """The first memories that may be recalled, and those before them that may not."""
        found: list[str] = []
        excluded: list[Excluded] = []
        for name, _ in near:
            if len(found) == most:
                break
            if reason := self._why_not(name):
                excluded.append(Excluded(name, reason))
            else:
                found.append(name)
        return tuple(found), tuple(excluded)

    def lines(self, ids: Iterable[str], *, sticky: frozenset[str] = frozenset()) -> dict[str, str]:
        """The line of each memory that may be told now."""
        day = today(self._context.now)
        return {
            name: memory_line(standing, day)
            for name in ids
            if not self._why_not(name, sticky=name in sticky)
            and (standing := self._standing(name)) is not None
        }

    def _why_not(self, name: str, *, sticky: bool = False) -> str:
        if name in self._in_report:
            return "in_report"
        if name in self._over:
            return "max_records"
        standing = self._standing(name)
        if standing is None:
            return "status:gone"
        return why_not_recalled(standing, self._context, self._surroundings, sticky=sticky)

    def _standing(self, name: str) -> Standing | None:
        return self._call.vault.baseline.live_standing(name)


def near_memories(
    call: Call, engine: SearchEngine, text: str, floor: float, *, wait: bool, look: bool = True
) -> tuple[list[Near], str | None]:
    """The memories that are near a text, the nearest first, with their similarity; a trouble.

    By meaning, from `floor` on; by words where there is no model, or it cannot read the text. The
    index is brought up first, unless the caller keeps it up (`look=False`): that may take as long
    as another thread feeds it.
    """
    trouble = refresh(call, engine) if look else None
    asked = text[:ASKED]
    found = engine.search(
        asked,
        mode=Mode.SEMANTIC if is_latin(asked) else Mode.KEYWORD,
        sources=(Source.MEMORY,),
        limit=LOOKED_AT,
        wait_for_model=wait,
    )
    near: list[Near] = []
    for hit in found.hits:
        by_meaning = hit.cosine is not None and hit.cosine >= floor
        by_words = hit.cosine is None and hit.coverage >= WORDS_AT_LEAST
        if hit.id and (by_meaning or by_words):
            near.append((hit.id, None if hit.cosine is None else round(hit.cosine, 3)))
    return near, found.degraded or trouble


def embed_all(call: Call, engine: SearchEngine, progress: Callable[[int], object]) -> None:
    """Embed what waits; a search says what could not be embedded, and why."""
    refresh(call, engine)
    with suppress(ModelError, IndexLockedError):
        engine.embed(progress=progress)
