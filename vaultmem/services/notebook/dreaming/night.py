"""The steps of a dream, one after the other, each of them only while its claim holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.notebook.dream_proposals import proposals
from vaultmem.core.patch_effect import propose
from vaultmem.errors import (
    CANNOT_WRITE,
    ModelAccessError,
    ModelStoppedError,
    NoteError,
    VaultmemError,
)
from vaultmem.llm.model import Purpose
from vaultmem.services import patches, promote
from vaultmem.services.notebook.dreaming.asking import ask
from vaultmem.services.notebook.dreaming.origins import apply_origins, origins
from vaultmem.services.notebook.dreaming.result import Dreamed, DreamOutcome
from vaultmem.services.notebook.dreaming.reviewing import record_durable
from vaultmem.services.notebook.dreaming.showing import all_seen, room_in, show
from vaultmem.services.notebook.dreaming.told import is_of_a_dream, take_back, tell_patch, was_told
from vaultmem.services.notebook.failures import failure
from vaultmem.services.notebook.spending import counted
from vaultmem.services.promoting.proposing import kept_back
from vaultmem.services.promoting.suggesting import Knowledge
from vaultmem.services.sync import ensure_current
from vaultmem.store.notebook.jobs import GLOBAL, JobKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from vaultmem.core.notebook.dream import DreamAnswer
    from vaultmem.core.notebook.dream_proposals import DreamProposal
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.index.engine import SearchEngine
    from vaultmem.llm.model import Model, Usage
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.dreaming.showing import Shown
    from vaultmem.store.notebook.catalog import NotebookCatalog

_SHOWN = "dreamed_shown"
"""The key of the baseline's word that holds what models have judged, by short keyed hashes."""
_UNTIL = "dreamed_until"
"""The same for the watermark of the newest session that a dream looked at."""


class _LostError(Exception):
    """The claim is somebody else's by now, or the caller wants it to end."""


class Night:
    """One dream: the steps that follow on its claim."""

    def __init__(
        self,
        call: Call,
        *,
        engine: SearchEngine,
        model: Model | None,
        catalog: NotebookCatalog,
        settings: NotebookSettings,
        projects: Collection[str],
        stop: Callable[[], bool],
    ) -> None:
        """Begin nothing yet; the arguments are those of `services.notebook.dream.dream`."""
        self.call = call
        self._token = ""
        self._engine = engine
        self._model = model
        self._catalog = catalog
        self._settings = settings
        self._projects = projects
        self._now = call.now.timestamp()
        self._stop = stop
        self._done = Dreamed(outcome=DreamOutcome.NOTHING)
        self._failed = ""
        self._has_asked = False

    def run(self, token: str) -> Dreamed:
        """All steps; the claim of that token ends with them.

        Raises:
            NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
        """
        self._token = token
        jobs = self._catalog.jobs
        try:
            ensure_current(self.call)
            self._propose()
            self._merge()
            self._promote()
        except (_LostError, ModelStoppedError):
            jobs.release(JobKind.DREAM, GLOBAL, self._token, self._now)
            return replace(self._done, outcome=DreamOutcome.STOPPED)
        except VaultmemError as error:
            jobs.fail(JobKind.DREAM, GLOBAL, self._token, self._now, failure(error))
            raise
        if self._failed:
            jobs.fail(JobKind.DREAM, GLOBAL, self._token, self._now, self._failed)
        else:
            did = self._has_asked or self._outcome() is not DreamOutcome.NOTHING
            cools = did and self._model is not None
            jobs.succeed(JobKind.DREAM, GLOBAL, self._token, self._now, cools=cools)
        return replace(self._done, outcome=self._outcome())

    def show(self) -> Shown | None:
        """What the model is to see; None where there is nothing that it has not judged."""
        since = self.call.vault.baseline.parsed_meta(_UNTIL, float) or 0.0
        room = room_in(None if self._model is None else self._model.window)
        shown = show(self.call, self._projects, self._catalog.cards.all(), since, room)
        return shown if shown.is_news(self.call.vault.baseline.meta(_SHOWN)) else None

    def waiting(self) -> str | None:
        """The id of an earlier dream's patch that waits; nothing is sent while there is one."""
        opened = patches.open_patches(self.call)
        return next((one.id for one in opened if is_of_a_dream(self.call, one.id)), None)

    # Steps 1 and 2

    def _propose(self) -> None:
        if (waits := self.waiting()) is not None:
            self._done = replace(self._done, waiting=waits)
            return
        shown = self.show()
        answer = None if shown is None else self._ask(shown)
        if shown is None or answer is None:
            self._save(())
            return
        self._check()
        durable = record_durable(self.call, answer.verdicts, shown.candidates)
        known = answer.verdicts.keys() & shown.candidates.keys()
        self._done = replace(self._done, reviewed=len(known), durable=durable)
        self._save(proposals(answer, shown.world(self.call)))
        baseline = self.call.vault.baseline
        with baseline.transaction():
            baseline.set_meta(_SHOWN, all_seen(shown.marks, baseline.meta(_SHOWN)))
            baseline.set_meta(_UNTIL, repr(shown.until))

    def _ask(self, shown: Shown) -> DreamAnswer | None:
        model = self._model
        if model is None:
            self._without("No model is set up.")
            return None
        left, least = model.remaining_percent(), self._settings.rate_percent
        if left is not None and left < least:
            self._without(f"Less than {least} percent of the model's allowance is left.")
            return None
        self._has_asked = True
        try:
            with counted(self.call, self._catalog, model, Purpose.DREAM, self._add):
                found = ask(model, shown.text, self._stop)
        except ModelStoppedError:
            raise
        except ModelAccessError as error:
            self._without(str(error))
            self._failed = failure(error)
            return None
        if found is None:
            self._failed = "What the model answered is not of the form that was asked for."
            self._without(self._failed)
        return found

    def _add(self, spent: Usage) -> None:
        self._done = replace(self._done, usage=spent)

    def _without(self, why: str) -> None:
        found = finding("VM957", f"{why} What needs no model was done.")
        self._done = replace(self._done, findings=(*self._done.findings, found))

    def _save(self, found: Iterable[DreamProposal]) -> None:
        """Let what is new wait in one patch."""
        call = self.call
        new = [
            one
            for one in (*found, *(origins(call) if kept_back(call) else ()))
            if not was_told(call, one.about[0], one.mark) and not _holds_secret(one)
        ]
        if not new:
            return
        with call.vault.lock():
            self._check()
            patch = patches.new(call, [step for one in new for step in one.steps])
            tell_patch(call, patch, new)
            try:
                path = patches.save(call, patch)
            except (NoteError, *CANNOT_WRITE):
                take_back(call, patch)
                raise
        self._done = replace(self._done, patch=patch.id, path=path, proposals=tuple(new))

    # Steps 3 and 4

    def _merge(self) -> None:
        self._check()
        if not kept_back(self.call):
            self._done = replace(self._done, merged=apply_origins(self.call, origins(self.call)))

    def _promote(self) -> None:
        self._check()
        ran = promote.run(self.call, knowledge=Knowledge(self._engine))
        self._done = replace(self._done, promoted=len(ran.proposed) + len(ran.applied))

    def _check(self) -> None:
        """Go on only with a claim that holds.

        Raises:
            _LostError: if it is lost, or the caller wants an end.
        """
        held = self._catalog.jobs.heartbeat(JobKind.DREAM, GLOBAL, self._token, self._now)
        if not held or self._stop():
            raise _LostError

    def _outcome(self) -> DreamOutcome:
        done = self._done
        if done.findings:
            return DreamOutcome.WITHOUT_MODEL
        if done.waiting is not None:
            return DreamOutcome.WAITING
        did = done.patch or done.reviewed or done.merged or done.promoted
        return DreamOutcome.DONE if did else DreamOutcome.NOTHING


def _holds_secret(one: DreamProposal) -> bool:
    """Whether a text of it holds a secret, so that the patch could not be saved."""
    return any(patches.holds_secret(propose(*step)) for step in one.steps)
