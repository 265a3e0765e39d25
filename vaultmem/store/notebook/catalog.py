"""The notebook's catalog: what belongs together is stored together, or not at all."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from vaultmem.errors import BusyError
from vaultmem.store.notebook.card_rows import cut_card, put_card, remove_card, select_cards
from vaultmem.store.notebook.cards import Cards
from vaultmem.store.notebook.job_rows import (
    GLOBAL,
    JobKind,
    finished,
    live_jobs,
    maintained,
    mark_dirty,
    owned,
    put_job,
)
from vaultmem.store.notebook.jobs import Jobs
from vaultmem.store.notebook.modes import Modes
from vaultmem.store.notebook.tables import Database
from vaultmem.store.notebook.usage import UsageTable
from vaultmem.store.process import this_process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from vaultmem.core.notebook.card import Card
    from vaultmem.core.occurrence import Line

_RESTORED = "restored"


class NotebookCatalog:
    """`catalog.sqlite` in a vault's state folder; methods raise as `Database` says.

    Attributes:
        jobs: who does what, until when.
        cards: of this machine's sessions.
        modes: of sessions.
        usage: what models were asked.
    """

    def __init__(self, folder: Path) -> None:
        """Name the state folder; nothing is opened yet."""
        self._db = Database(folder)
        self.jobs = Jobs(self._db)
        self.cards = Cards(self._db)
        self.modes = Modes(self._db)
        self.usage = UsageTable(self._db)

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._db.close()

    @property
    def exists(self) -> bool:
        """Whether anything was ever kept."""
        return self._db.path.is_file()

    @property
    def set_aside(self) -> Path | None:
        """The damaged file that was set aside and that nobody has looked at yet, if there is one.

        A purge removes it.
        """
        path = self._db.set_aside
        return path if path.is_file() else None

    def finish_extraction(self, key: str, token: str, now: float, card: Card | None) -> bool:
        """Store what an extraction gave, and that it is done.

        The card is stored if it is as new as the one that is there, and the consolidation's input
        changed then; with no card an older one goes, likewise. Its note is written, or deleted,
        by `services.notebook.card_notes.settle_notes`.

        Args:
            key: the session's id.
            token: of the claim.
            now: seconds since the epoch.
            card: None where there was nothing to learn, which is a good result.

        Returns:
            False, with nothing written, if the job is not the caller's any more.
        """
        with self._db.changing() as sql:
            job = owned(sql, JobKind.EXTRACT, key, token)
            if job is None:
                return False
            changed = remove_card(sql, key) if card is None else put_card(sql, card)
            watermark = job.watermark if card is None else card.watermark
            if changed:
                mark_dirty(sql, watermark)
            put_job(sql, finished(job, now, watermark))
        return True

    def finish_consolidation(
        self, token: str, now: float, *, generation: int, cards: Sequence[Card], cools: bool = True
    ) -> bool:
        """Store that a consolidation is done, and exactly which cards it consumed.

        Args:
            token: of the claim.
            now: seconds since the epoch.
            generation: of the input when it was read; a newer one means that it is outdated.
            cards: those of all machines that were consumed.
            cools: as for `Jobs.succeed`.

        Returns:
            False, with nothing written, if the job is not the caller's any more or the input
            changed. The caller then tells the two apart by `jobs.heartbeat`, and gives an outdated
            job back by `jobs.release`.
        """
        with self._db.changing() as sql:
            job = owned(sql, JobKind.CONSOLIDATE, GLOBAL, token)
            if job is None or self.jobs.generation() != generation:
                return False
            select_cards(sql, cards)
            newest = max((card.watermark for card in cards), default=job.watermark)
            put_job(sql, finished(job, now, max(job.watermark, newest), cools=cools))
        return True

    @contextmanager
    def maintenance(self, worker: str, now: float) -> Iterator[None]:
        """Hold the lock for work that destroys, such as a reset: nothing can be claimed meanwhile.

        A lock whose process has died is nobody's. Workers whose lease is over lose their jobs.

        Args:
            worker: who holds it, for people to read.
            now: seconds since the epoch.

        Raises:
            BusyError: if a job runs, or another process holds the lock.
        """
        import uuid  # as in `jobs`

        process, token = this_process(), str(uuid.uuid4())
        with self._db.changing() as sql:
            if maintained(sql):
                raise BusyError("Another vaultmem is resetting the notebook. Wait until it ends.")
            if running := live_jobs(sql, now):
                raise BusyError(
                    f"The notebook is being worked on ({running[0].kind}, {running[0].worker}). "
                    "Wait until it is done, at most an hour, then run the command again."
                )
            sql.execute(
                "INSERT OR REPLACE INTO maintenance VALUES(1, ?, ?, ?, ?)",
                (worker, token, process.pid, process.started),
            )
            sql.execute("UPDATE jobs SET status = 'pending', token = '' WHERE status = 'running'")
        try:
            yield
        finally:
            with self._db.changing() as sql:
                sql.execute("DELETE FROM maintenance WHERE token = ?", (token,))

    def wipe(self, now: float) -> None:
        """Forget cards, jobs, uses and what was consumed; what the person said of sessions stays.

        The notes of the cards are to be dropped. To be called under `maintenance`.
        """
        with self._db.changing() as sql:
            sql.execute("INSERT OR IGNORE INTO dropped SELECT session FROM cards")
            for table in ("cards", "uses", "selected"):
                sql.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the line above
            sql.execute("DELETE FROM jobs WHERE kind <> ?", (JobKind.CONSOLIDATE,))
            mark_dirty(sql, now)

    def purge(self, matches: Callable[[bytes], Sequence[Line]], now: float) -> tuple[str, ...]:
        """Cut what was purged out of the cards and out of what is told of failures, for good.

        A card of which nothing telling is left goes, with its note, and its session is not read
        again before it changes. The file is rewritten without what was deleted.

        Args:
            matches: which lines of a text say what is purged, as `core.occurrence.lines_with`.
            now: seconds since the epoch.

        Returns:
            The sessions whose cards said it.

        Raises:
            BusyError: if another process still reads what was there; the next call goes on.
        """
        touched = []
        with self._db.changing() as sql:
            for card in self.cards.all():
                left = cut_card(card, matches)
                if left == card:
                    continue
                touched.append(card.session)
                if left is None:
                    remove_card(sql, card.session)
                else:
                    sql.execute(
                        "UPDATE cards SET summary = ?, card = ?, noted = NULL WHERE session = ?",
                        (left.summary, left.card, left.session),
                    )
            if touched:
                mark_dirty(sql, now)
            for job in self.jobs.all():
                if job.error and matches(job.error.encode("utf-8", "replace")):
                    sql.execute(
                        "UPDATE jobs SET error = '' WHERE kind = ? AND key = ?", (job.kind, job.key)
                    )
            for session, stem in sql.execute("SELECT session, stem FROM selected").fetchall():
                if matches(stem.replace("_", " ").encode()):
                    sql.execute(
                        "UPDATE selected SET stem = ? WHERE session = ?", (stem[:24], session)
                    )
        self._db.scrub()
        return tuple(touched)

    # After a loss

    @property
    def restored(self) -> bool:
        """Whether the cards were read back from their notes since the file was begun."""
        return bool(self._db.meta(_RESTORED))

    def restore(self, cards: Sequence[Card], now: float) -> None:
        """Take in the cards of this machine's notes, with their use; newer ones stay.

        Their sessions count as read up to there.
        """
        with self._db.changing() as sql:
            stored = [card for card in cards if put_card(sql, card, noted=True)]
            if stored:
                mark_dirty(sql, now)
            self._db.set_meta(_RESTORED, "1")
