"""What a deletion says about itself, and when a new memory says again what was deleted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.likeness import Known
    from vaultmem.core.model import Memory


class DeletionReason(StrEnum):
    """Why something was deleted; all that a tombstone says besides who, when and how."""

    USER_REQUESTED = "user_requested"
    PRIVACY_SENSITIVE = "privacy_sensitive"
    POISONED = "poisoned"
    INVALID = "invalid"
    OTHER = "other"


def said_before(new: Memory, deleted: Iterable[Known]) -> Known | None:
    """The deleted memory that a new one says again in other words; None if it is none of them.

    Only what the rules of likeness call a duplicate counts: another number, version or condition,
    or a part of what was said, is another thing.
    """
    from vaultmem.core.likeness import MatchKind, known, relation  # only where something is deleted

    asked = known(new)
    return next((old for old in deleted if relation(asked, old) is MatchKind.DUPLICATE), None)
