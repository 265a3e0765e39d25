"""How many memories a report may hold, by layer: the person's caps over what may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.selection import Excluded, score_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.selection import Selection
    from vaultmem.core.standing import Standing

L1_SHARE = 0.35
L1_AT_MOST = 4
"""What part of `records` L1 may take, and how many at most, so that it never crowds out what a
project learned; from the governed memory."""


class Caps(NamedTuple):
    """The most memories of both layers, of L1 and of L2; None where nobody set a cap."""

    records: int | None = None
    l1: int | None = None
    l2: int | None = None

    def rooms(self, identities: int) -> tuple[int | None, int | None]:
        """How many of L1 and of L2 may stand where there are that many of L1."""
        if self.records is None:
            return self.l1, self.l2
        share = min(L1_AT_MOST, int(self.records * L1_SHARE))
        l1 = share if self.l1 is None else min(share, self.l1)
        rest = self.records - min(l1, identities)
        return l1, rest if self.l2 is None else min(rest, self.l2)


NO_CAPS = Caps()


def keep_to(chosen: Selection, caps: Caps) -> None:
    """Take what is over the caps out of a selection, with a reason; the last ones first.

    Rules come before the person's identity, then what is pinned, then the others by score, and what
    is contested comes last.
    """
    ranked = _ranked(chosen)
    l1 = [memory for memory in ranked if memory.layer == "L1"]
    l2 = [memory for memory in ranked if memory.layer != "L1"]
    room_l1, room_l2 = caps.rooms(len(l1))
    over = [(memory.id, "L1") for memory in _beyond(l1, room_l1)]
    over += [(memory.id, "L2") for memory in _beyond(l2, room_l2)]
    gone = {identifier for identifier, _ in over}
    for group in (*_groups(chosen), chosen.contested, *chosen.categories.values()):
        group[:] = [memory for memory in group if memory.id not in gone]
    chosen.excluded.extend(Excluded(name, f"max_records:{layer}") for name, layer in over)


def _ranked(chosen: Selection) -> list[Standing]:
    scored = [memory for group in chosen.categories.values() for memory in group]
    scored.sort(key=lambda memory: (-score_on(memory, chosen.day), memory.id))
    first = [memory for group in _groups(chosen) for memory in group]
    return [*first, *scored, *chosen.contested]


def _groups(chosen: Selection) -> Iterable[list[Standing]]:
    return (chosen.hard_rules, chosen.identity, chosen.pinned)


def _beyond(memories: list[Standing], room: int | None) -> list[Standing]:
    return [] if room is None else memories[max(room, 0) :]
