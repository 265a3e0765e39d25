"""Phase 1: a model reads sessions, one at a time; each becomes a card and candidates, or nothing.

Any number of processes may do this at once: a session is claimed before it is read, and what a
process that lost its claim still has in hand is thrown away.
"""

from __future__ import annotations

from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING

from vaultmem.core.budget import tokens
from vaultmem.core.finding import Finding, finding
from vaultmem.core.notebook.card import Card
from vaultmem.core.notebook.extraction import AnswerError
from vaultmem.core.notebook.stem import card_stem, slug_of
from vaultmem.core.notebook.transcript import most_tokens
from vaultmem.core.visible import visible_line
from vaultmem.errors import ModelDownError, ModelRefusedError, ModelStoppedError
from vaultmem.llm.model import never
from vaultmem.services.notebook import model_away
from vaultmem.services.notebook.asking import Asking, question
from vaultmem.services.notebook.card_notes import settle_notes
from vaultmem.services.notebook.eligible import eligible, reads_elsewhere, watermark
from vaultmem.services.notebook.extracted import Asked, ExtractRun
from vaultmem.services.notebook.failures import failure
from vaultmem.services.notebook.proposals import propose
from vaultmem.services.notebook.sending import why_nothing
from vaultmem.services.notebook.transcripts import read_transcript, without_secrets
from vaultmem.services.sessions.silence import Silence
from vaultmem.services.sessions.sync import sync_sessions
from vaultmem.services.sync import ensure_current
from vaultmem.store.notebook.jobs import HEARTBEAT_SECONDS, JobKind, Refusal, Refused
from vaultmem.store.notebook.modes import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from vaultmem.core.notebook.extraction import Extracted
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.index.engine import SearchEngine
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.transcripts import Transcript
    from vaultmem.services.sessions.index import SessionIndex
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.sessions.rows import SessionRow

_MOST_DOWN = 2
"""Questions in a row without an answer after which the model is not asked any more."""


def extract(
    call: Call,
    sessions: SessionIndex,
    engine: SearchEngine,
    model: Model,
    catalog: NotebookCatalog,
    *,
    settings: NotebookSettings,
    projects: Collection[str],
    own_session: str = "",
    limit: int | None = None,
    worker: str = "",
    force: bool = False,
    dry: bool = False,
    timer: bool = False,
    stop: Callable[[], bool] = never,
    progress: Callable[[int], object] = int,
    stage: Callable[[str], object] = str,
) -> ExtractRun:
    """Extract the sessions that are due.

    Nothing of what a session or an answer says is followed; both are text that is checked,
    redacted and stored.

    Args:
        call: the circumstances; whoever calls, policy acts.
        sessions: the index of the agent's sessions, which is brought up to their files first.
        engine: the search engine of the vault, for what a candidate repeats.
        model: reads the transcripts. Where `dry`, only its name, destination and window are used.
        catalog: of cards and jobs.
        settings: the numbers of the notebook.
        projects: identities of the projects in which the notebook is on.
        own_session: the session that runs now, which is not extracted.
        limit: sessions at most; None for what the settings say.
        worker: who does it, for people to read.
        force: a person asks: sessions that failed lately, or too often, are tried at once.
        dry: claim, send and write nothing, but say what would be sent.
        timer: nobody watches; ask nothing while the model is away, as `model_away.is_away` says.
        stop: asked several times a second while a model works; True ends the run.
        progress: as for `sync_sessions`.
        stage: told what is done now, for a person who waits.

    Raises:
        NoModelError: if the model's program or package is missing.
        BusyError, NoteError, VaultError, ReadOnlyError, DiskFailedError: if something cannot be
            read or written; the session in hand can be claimed again at once.
    """
    if off := why_nothing(call, projects):
        return ExtractRun(findings=(off,))
    call = call.by_policy()
    synced = sync_sessions(call, sessions, progress=progress)
    rows = sessions.catalog.rows()
    run = _Run(
        call,
        engine,
        model,
        catalog,
        settings=settings,
        worker=worker,
        force=force,
        stop=stop,
        rows=rows,
    )
    run.tell(synced.findings)
    if not dry:
        run.settle_notes()
    most = settings.sessions if limit is None else limit
    found = eligible(call, rows, catalog, settings, projects=projects, own_session=own_session)
    first = next(found, None)
    due = () if first is None or (timer and run.is_away(first)) else chain((first,), found)
    try:
        for row in due:
            if run.ended or (run.count() >= most and not dry):
                break
            if run.count() >= most:
                run.wait(row)
            elif dry:
                run.plan(row)
            else:
                stage(f"Reading session {run.count() + 1} of at most {most}")
                run.take(row)
    finally:
        run.settle_down(0.0 if first is None else watermark(first))
    if not dry:
        run.settle_notes()
    return run.result()


class _Run:
    """One run of one process."""

    def __init__(
        self,
        call: Call,
        engine: SearchEngine,
        model: Model,
        catalog: NotebookCatalog,
        *,
        settings: NotebookSettings,
        worker: str,
        force: bool,
        stop: Callable[[], bool],
        rows: Iterable[SessionRow],
    ) -> None:
        self.ended = False
        self._call = call
        self._engine = engine
        self._model = model
        self._catalog = catalog
        self._settings = settings
        self._worker = worker
        self._force = force
        self._stop = stop
        self._files = frozenset(row.file for row in rows)
        self._silence = Silence(call)
        self._started = monotonic()
        self._beat = 0.0
        self._asking = Asking(call, model, catalog)
        self._down: list[tuple[str, str, str]] = []  # session, token, and what the model said
        self._done = ExtractRun()

    def count(self) -> int:
        """How many sessions were taken, or would be."""
        return self._done.claimed + len(self._done.asks)

    def tell(self, findings: Iterable[Finding]) -> None:
        """Add to what went wrong."""
        self._done = self._done._replace(findings=(*self._done.findings, *findings))

    def is_away(self, newest: SessionRow) -> bool:
        """Whether the model gave no answer lately and nothing is new since."""
        return model_away.is_away(self._catalog, watermark(newest), self._now())

    def settle_notes(self) -> None:
        """Bring the notes of cards up to the catalog, and a new catalog up to the notes."""
        ensure_current(self._call)
        self.tell(settle_notes(self._call, self._catalog))

    def result(self) -> ExtractRun:
        """What became of it all."""
        return self._done._replace(usage=self._asking.usage)

    # One session

    def plan(self, row: SessionRow) -> None:
        """Say what would be sent of a session."""
        if refused := self._look(row):
            self._count(running=int(refused.reason is Refusal.RUNNING))
            return
        try:
            transcript = self._read(row, self._stop)
        except ModelStoppedError:
            self.ended = True
            return
        if transcript is None or not transcript.messages or self._reads_elsewhere(transcript):
            return
        ask = question(row, transcript, self._model.window)
        size = tokens(ask.system) + tokens(ask.prompt)
        self._done = self._done._replace(
            asks=(
                *self._done.asks,
                Asked(row.id, row.project, row.record.title, row.record.ended, size, ask),
            )
        )

    def wait(self, row: SessionRow) -> None:
        """Count a session that is due and has no room in this run."""
        self._count(more=int(self._look(row) is None))

    def take(self, row: SessionRow) -> None:
        """Claim a session and extract it."""
        jobs = self._catalog.jobs
        claim = jobs.claim(*self._job(row), self._worker, force=self._force)
        if isinstance(claim, Refused):
            self._count(running=int(claim.reason is Refusal.RUNNING))
            return
        self._count(claimed=1)
        self._beat = monotonic()
        try:
            self._extract(row, claim.token)
        except BaseException:
            jobs.release(JobKind.EXTRACT, row.id, claim.token, self._now())
            raise

    def _extract(self, row: SessionRow, token: str) -> None:
        try:
            transcript = self._read(row, lambda: self._must_stop(row.id, token))
        except ModelStoppedError:  # nothing of it was sent
            self.ended = self._stop()
            self._give_back(row.id, token)
            return
        if transcript is None:
            self._fail(row.id, token, "The session's file cannot be read.")
        elif self._reads_elsewhere(transcript):
            self._catalog.modes.set(row.id, Mode.POLLUTED, self._now())
            self._give_back(row.id, token)
        elif not transcript.messages:
            self._finish(row.id, token, None)
        else:
            self._ask(row, token, transcript)

    def _ask(self, row: SessionRow, token: str, transcript: Transcript) -> None:
        ask = question(row, transcript, self._model.window)
        try:
            found = self._asking.answer(ask, lambda: self._must_stop(row.id, token))
        except ModelStoppedError:
            self.ended = self._stop()
            self._count(given_back=int(self.ended))
            self._give_back(row.id, token)
        except (ModelDownError, ModelRefusedError) as error:
            self._down.append((row.id, token, failure(error)))
            self.ended = len(self._down) >= _MOST_DOWN
        except AnswerError as error:
            self._answered()
            self._fail(row.id, token, f"The model's answer was of no use twice: {error}.")
        else:
            self._answered()
            self._keep(row, token, transcript, found)

    def _keep(
        self, row: SessionRow, token: str, transcript: Transcript, found: Extracted | None
    ) -> None:
        """Store what was found, if the session is still ours.

        Candidates come first: a crash behind them repeats the session, and what waits already is
        not proposed twice, while a crash before them would lose them.
        """
        if not self._catalog.jobs.heartbeat(JobKind.EXTRACT, row.id, token, self._now()):
            return
        if found is None:
            self._finish(row.id, token, None)
            return
        proposed = propose(self._call, self._engine, row, transcript, found.memories)
        self._count(proposed=proposed)
        self._finish(row.id, token, self._card(row, found))

    def _card(self, row: SessionRow, found: Extracted) -> Card:
        at, slug = watermark(row), slug_of(found.slug) or None
        return Card(
            session=row.id,
            device=self._call.vault.device,
            project=row.project,
            cwd=without_secrets(row.record.cwd),
            branch="",  # the session's file does not tell it
            file=row.file,
            watermark=at,
            slug=slug,
            stem=card_stem(row.id, at, slug),
            summary=found.summary,
            card=found.card,
            made=self._now(),
        )

    # Ends

    def _finish(self, session: str, token: str, card: Card | None) -> None:
        if not self._catalog.finish_extraction(session, token, self._now(), card):
            return
        if card is None:
            self._count(no_output=1)
        else:
            self._count(written=1)

    def _fail(self, session: str, token: str, why: str) -> None:
        if self._catalog.jobs.fail(JobKind.EXTRACT, session, token, self._now(), why):
            self._count(failed=1)
            self._find(why, session)

    def _give_back(self, session: str, token: str) -> None:
        self._catalog.jobs.release(JobKind.EXTRACT, session, token, self._now())
        self._count(claimed=-1)

    def _answered(self) -> None:
        """Fail the sessions that got no answer just before another one got one: it is theirs."""
        model_away.answered(self._catalog, self._now(), self._worker)
        for session, token, why in self._down:
            self._fail(session, token, why)
        self._down.clear()

    def settle_down(self, newest: float) -> None:
        """Give back the sessions after which no other got an answer: the model is away.

        None of them loses a try by that; `newest` is the watermark of the newest of all.
        """
        waiting: dict[str, list[str]] = {}  # the sessions by what the model said
        for session, token, why in self._down:
            model_away.went_away(self._catalog, newest, self._now(), self._worker, why)
            if self._catalog.jobs.release(JobKind.EXTRACT, session, token, self._now()):
                self._count(failed=1)
                waiting.setdefault(why, []).append(session)
        for why, sessions in waiting.items():
            self._find(why, *sessions)

    # Small things

    def _job(self, row: SessionRow) -> tuple[JobKind, str, float, float]:
        return JobKind.EXTRACT, row.id, watermark(row), self._now()

    def _look(self, row: SessionRow) -> Refused | None:
        """Why a session cannot be claimed now."""
        return self._catalog.jobs.look(*self._job(row), force=self._force)

    def _read(self, row: SessionRow, stop: Callable[[], bool]) -> Transcript | None:
        parent = row.record.parent
        try:
            return read_transcript(
                row,
                self._silence,
                parent=parent if parent in self._files else None,
                most=most_tokens(self._model.window),
                stop=stop,
            )
        except OSError:
            return None

    def _reads_elsewhere(self, transcript: Transcript) -> bool:
        return self._settings.skip_external and reads_elsewhere(transcript.tools)

    def _must_stop(self, session: str, token: str) -> bool:
        """Whether the work is to end, or is not ours any more; says now and then that we live."""
        if self._stop():
            return True
        if monotonic() - self._beat < HEARTBEAT_SECONDS:
            return False
        self._beat = monotonic()
        return not self._catalog.jobs.heartbeat(JobKind.EXTRACT, session, token, self._now())

    def _count(self, **more: int) -> None:
        added = {key: getattr(self._done, key) + value for key, value in more.items()}
        self._done = self._done._replace(**added)

    def _find(self, why: str, *sessions: str) -> None:
        names = ", ".join(visible_line(one, 60) for one in sessions)
        are = "The session {} is" if len(sessions) == 1 else "The sessions {} are"
        self.tell((finding("VM950", f"{are.format(names)} not in the notebook yet. {why}"),))

    def _now(self) -> float:
        """The moment, in seconds of the Unix epoch: that of the call, and what passed since."""
        return self._call.now.timestamp() + monotonic() - self._started
