"""A file of the notebook that is not as the version in force has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.notebook.own import PERSON
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from vaultmem.services.syncing.attribution import Owner
    from vaultmem.store.walk import Stat


class Difference(NamedTuple):
    """A file of the notebook that is not as the version in force has it.

    Attributes:
        path: relative to the memory root.
        data: what it holds; None where it is gone.
        stat: as it was looked at.
        owner: whose that is.
    """

    path: str
    data: bytes | None
    stat: Stat
    owner: Owner

    @property
    def etag(self) -> str:
        """The version of its bytes, "" where it is gone."""
        return etag_of(self.data) if self.data is not None else ""

    @property
    def by(self) -> str:
        """Whose a version with it is: the person's, or the device's that signed for it."""
        return PERSON if self.owner.by_person or not self.owner.device else self.owner.device
