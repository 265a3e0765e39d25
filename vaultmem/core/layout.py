"""Sections of whole lines that share a budget: what fits is taken, what does not is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.budget import QUARTERS, quarters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.budget import Room


class Entry(NamedTuple):
    """A line, and the memory that it shows ("" for a line that shows none)."""

    line: str
    id: str


class Block:
    """A section in the making.

    Attributes:
        name: for scripts.
        entries: best first.
        taken: which of them have found room.
        beyond: how many more there are that were never to be shown.
    """

    def __init__(
        self, name: str, heading: str, entries: Sequence[Entry], *, beyond: int = 0, more: str = ""
    ) -> None:
        """Args: `more` names what is left out in a last line; "" says nothing about it."""
        self.name = name
        self.entries = entries
        self.taken = [False] * len(entries)
        self.beyond = beyond
        self._heading = ("", f"## {heading}")
        self._more = more

    def fill(self, room: Room) -> None:
        """Take what fits; the first line brings the heading, and nothing is taken in part.

        A line that is too long is passed over: one statement must not silence those behind it.
        """
        for place, (line, _) in enumerate(self.entries):
            if not self.taken[place]:
                head = () if any(self.taken) else self._heading
                self.taken[place] = room.take((*head, line))

    def fill_up_to(self, cap: int, room: Room) -> None:
        """Take what fits into `cap` tokens of the room, with the line that counts the rest."""
        own = room.part(cap * QUARTERS)
        lines = (*self._heading, *(entry.line for entry in self.entries))
        crowded = self.beyond > 0 or _quarters(lines) > own.left
        if not (self._more and crowded):
            self.fill(own)
            return
        kept_back = _quarters((self._more_line(self.beyond + len(self.entries)),))
        own.left -= kept_back
        self.fill(own)
        own.left += kept_back
        if any(self.taken):
            own.take((self._more_line(self.left_out),))

    @property
    def left_out(self) -> int:
        """How many entries the section does not show."""
        return self.taken.count(False) + self.beyond

    @property
    def counts_rest(self) -> bool:
        """Whether the section itself says how much it leaves out."""
        return bool(self._more) and any(self.taken)

    def lines(self) -> list[str]:
        """The section's lines, a blank one first; none if nothing was taken."""
        if not any(self.taken):
            return []
        more = [self._more_line(self.left_out)] if self._more and self.left_out else []
        return [*self._heading, *(entry.line for entry in self._shown()), *more]

    def ids(self) -> tuple[str, ...]:
        """The memories that it shows."""
        return tuple(entry.id for entry in self._shown() if entry.id)

    def _shown(self) -> list[Entry]:
        pairs = zip(self.entries, self.taken, strict=True)
        return [entry for entry, taken in pairs if taken]

    def _more_line(self, count: int) -> str:
        return f"- … {count} more {self._more}"


def share_out(blocks: Sequence[Block], shares: Sequence[float], room: Room) -> None:
    """Fill sections in order, each up to its share of the room first, then with what is left.

    The first pass keeps one section from eating the room of all others, the second wastes nothing.
    """
    total, start = sum(shares), room.left
    for block, share in zip(blocks, shares, strict=True):
        block.fill(room.part(int(start * share / total)))
    for block in blocks:
        block.fill(room)


def _quarters(lines: Iterable[str]) -> int:
    return sum(quarters(line) + 1 for line in lines)
