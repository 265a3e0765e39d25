"""What a sync asks of the verbs above it, of which it knows none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.services.syncing.holding import Seen
    from vaultmem.services.syncing.observe import Fresh
    from vaultmem.store.baseline_rows import NoteRow


class Consequences(Protocol):
    """What follows from what one sync finds: decisions, deletions, the notebook.

    Verbs sync, and a sync carries out what a person decided, with verbs. So that these two do not
    import each other, `app.py` gives each `Call` the one that does it: `following.follow_up`.

    Attributes:
        seen: the notes that a decision took away or made.
        findings: what could not be followed, and why.
        version: of the notebook, made of what the person wrote into it; None for none.
    """

    seen: list[Seen]
    findings: list[Finding]
    version: str | None

    def is_settled(self) -> bool:
        """Whether nothing follows where no note changed."""

    def begin(self, fresh: Iterable[Fresh], *, typed: bool) -> None:
        """Learn what waits for another device, before the baseline is brought up.

        Args:
            fresh: the notes that are new or changed, or that wait.
            typed: the person typed the command.
        """

    def lost(self, row: NoteRow, there: Collection[str]) -> None:
        """Tell what it means that a note is gone; the caller holds a transaction.

        Args:
            row: of a note that is no memory; it is dropped already.
            there: the ids of the notes that are new or changed.
        """

    def note_down(self, reading: Reading) -> None:
        """Record a note that is no memory; the caller holds a transaction."""

    def follow(self, readings: Sequence[Reading]) -> int:
        """Do what was decided in these notes; how many decisions were carried out.

        The caller holds the lock and no transaction.
        """

    def go_on(self) -> None:
        """Go on with what another device asks for, a killed process began, or came by hand.

        The caller holds the lock and no transaction.
        """
