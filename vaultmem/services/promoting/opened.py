"""A proposal of a promotion as its note says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from vaultmem.notes.promotion import DecodedPromotion, Promotion
    from vaultmem.store.etag import Etag


class Opened(NamedTuple):
    """A proposal as its note says it, and the version that was read."""

    path: str
    decoded: DecodedPromotion
    etag: Etag
    data: bytes

    @property
    def promotion(self) -> Promotion:
        """What it proposes."""
        return self.decoded.promotion

    @property
    def id(self) -> str:
        """Its id, `prom_…`."""
        return self.decoded.promotion.id
