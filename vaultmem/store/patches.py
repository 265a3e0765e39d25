"""The patches that this machine began: what it needs to finish one after a crash, or to revert it.

A row of the baseline's table `patches` holds the patch as its note would, with the `before` values,
and how far each operation came. Only ids leave this machine (docs/adr/0040).
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.store.baseline_reader import Reader
from vaultmem.store.baseline_tables import PATCHES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.patch import Patch
    from vaultmem.store.baseline_file import Connection

UNFINISHED = ("applying", "reverting")
"""Statuses of a patch that the next sync goes on with."""


class Stage(StrEnum):
    """How far an operation came."""

    BEGUN = "begun"
    APPLIED = "applied"
    REFUSED = "refused"
    REVERTED = "reverted"


class Step(NamedTuple):
    """One operation of a patch that was begun here.

    Attributes:
        stage: how far it came.
        why: the code of its refusal.
        path: where the note that it creates lies, chosen once so that links to it hold; where the
            note lay that it puts into the archive.
        force: whether the target could act before.
        candidate: where the note of its candidate lay.
        etag: that note's version when it was taken up.
        text: that note, where no memory was made of it, for a revert; "" where it held a secret.
        ours: whether that note's bytes were a device's or the person's, and not an agent's.
    """

    stage: Stage
    why: str = ""
    path: str = ""
    force: bool = False
    candidate: str = ""
    etag: str = ""
    text: str = ""
    ours: bool = True


class PatchRow(NamedTuple):
    """One patch that was begun, applied or reverted on this machine.

    Attributes:
        id: `patch_<ulid>`.
        status: a value of `core.patch_status.PatchStatus`.
        at: when it was begun, in seconds as `Standing` keeps them.
        by, via: who applies it, and the verb.
        ratified: whether a person ratified it, which L1 needs.
        note: the patch as its note would spell it, with what was selected ticked.
        opened: the path and the version of its open note, joined by a line feed; "" without one.
        steps: by the operation's id, as JSON.
    """

    id: str
    status: str
    at: float
    by: str
    via: str
    ratified: int
    note: bytes
    opened: str
    steps: str

    def moment(self) -> datetime:
        """When it was begun, local to the person."""
        return datetime.fromtimestamp(self.at, UTC).replace(tzinfo=None)

    def patch(self) -> Patch:
        """The patch as it was written down, with the status that it has now."""
        from vaultmem.core.patch_status import PatchStatus
        from vaultmem.notes.patch import decode_patch  # reads Markdown, and mostly there is none

        return replace(decode_patch(self.note, path=self.id).patch, status=PatchStatus(self.status))

    def progress(self) -> dict[str, Step]:
        """How far each operation came that was taken up."""
        return {
            identifier: Step(Stage(values[0]), *values[1:])
            for identifier, values in json.loads(self.steps).items()
        }


def spelled_steps(steps: Mapping[str, Step]) -> str:
    """The steps as a row keeps them."""
    return json.dumps({identifier: list(step) for identifier, step in steps.items()})


_PATCH = Reader(PATCHES, tuple(PATCHES.columns), PatchRow._make)


class PatchTable:
    """The table `patches`; every method may raise what a method of `Baseline` may."""

    def __init__(self, connection: Connection) -> None:
        """Use the baseline's connection, so that its transactions cover both."""
        self._sql = connection

    def put(self, row: PatchRow) -> None:
        """Record a patch, or how far it came since."""
        self._sql.execute("INSERT OR REPLACE INTO patches VALUES (?,?,?,?,?,?,?,?,?)", row)

    def row(self, identifier: str) -> PatchRow | None:
        """The patch of that id, if it was begun here."""
        return _PATCH.first(self._sql, "WHERE id = ?", (identifier,))

    def rows(self) -> list[PatchRow]:
        """Every patch that was begun here, the newest first."""
        return _PATCH.rows(self._sql, "ORDER BY at DESC, id DESC")

    def applied_by(self, by: str, after: str) -> list[PatchRow]:
        """The patches that `by` applied and nobody reverted, with ids after that one, in order."""
        return _PATCH.rows(
            self._sql,
            "WHERE actor = ? AND id > ? AND status IN ('applied', 'partially_applied') ORDER BY id",
            (by, after),
        )

    def unfinished(self) -> list[PatchRow]:
        """The patches that a crash left half applied or half reverted, the oldest first."""
        return _PATCH.rows(self._sql, "WHERE status IN (?, ?) ORDER BY at, id", UNFINISHED)

    def has_unfinished(self) -> bool:
        """Whether there is one."""
        row = self._sql.execute(
            "SELECT 1 FROM patches WHERE status IN (?, ?) LIMIT 1", UNFINISHED
        ).fetchone()
        return row is not None

    def forget(self, identifiers: Iterable[str]) -> None:
        """Drop patches; they can no longer be reverted."""
        self._sql.executemany("DELETE FROM patches WHERE id = ?", ((one,) for one in identifiers))
