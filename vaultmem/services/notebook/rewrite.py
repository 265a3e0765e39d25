"""One rewrite of the notebook: inputs, a worker on a copy, checks, and the new version."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from vaultmem.core.finding import Severity, finding
from vaultmem.core.notebook.check import WRITABLE, faults, protected, skill_of
from vaultmem.core.notebook.own import MACHINE
from vaultmem.core.notebook.validation import HANDBOOK
from vaultmem.errors import NotebookInvalidError
from vaultmem.llm.model import Purpose, Task
from vaultmem.llm.prompts import load
from vaultmem.services.notebook.card_notes import read_cards
from vaultmem.services.notebook.cleaning import cleaned
from vaultmem.services.notebook.consolidated import Consolidated, Outcome
from vaultmem.services.notebook.copying import prepare, task_text
from vaultmem.services.notebook.holding import JOB
from vaultmem.services.notebook.published import (
    finish_publication,
    publish,
    standing_record,
    unpublished,
    versions,
)
from vaultmem.services.notebook.spending import counted
from vaultmem.store.desk import Desk
from vaultmem.store.notebook_copies import (
    Consumed,
    copied_notebook,
    fresh_copy,
    remove_copy,
    write_consumed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.llm.model import Model
    from vaultmem.services.call import Call
    from vaultmem.services.notebook.cleaning import Cleaned
    from vaultmem.services.notebook.copying import Prepared
    from vaultmem.services.notebook.holding import Holding
    from vaultmem.store.notebook.catalog import NotebookCatalog

WORK_SECONDS = 1800.0
"""For a whole rewrite; half of the lease that it renews."""
_BARE = "No line of MEMORY.md, or none of memory_summary.md, says where it comes from."


class Rewrite:
    """One rewrite under a claim, on a copy that nobody else works on."""

    def __init__(
        self,
        call: Call,
        model: Model,
        catalog: NotebookCatalog,
        settings: NotebookSettings,
        holding: Holding,
    ) -> None:
        self._call = call
        self._model = model
        self._catalog = catalog
        self._settings = settings
        self._holding = holding

    def run(self) -> Consolidated:
        """From the inputs to the new version.

        Raises:
            VaultmemError: whatever stops it; nothing was published then, or all of it.
        """
        call = self._call
        finish_publication(call)
        if why := hindrance(call, self._catalog):
            return Consolidated(Outcome.BLOCKED, message=why)
        prepared = prepare(call, self._catalog, self._settings, self._holding.now)
        found = prepared.findings
        if not prepared.is_due:
            done = Consolidated(Outcome.NOTHING, prepared.commit, findings=found)
            return self._finished(prepared, done)
        folder = fresh_copy(call.vault.state.folder, prepared.copy)
        try:
            desk = Desk(folder, WRITABLE, protected=protected(prepared.frozen))
            self._work(prepared, desk)
            if not folder.is_dir():  # by whoever took the job over
                return ended(self._holding)
            made = self._checked(prepared, desk)
        finally:
            remove_copy(folder)
        if not self._holding.confirm():
            return ended(self._holding)
        sessions = len(prepared.cards)
        later = call._replace(now=call.now + timedelta(seconds=self._holding.elapsed))
        commit = publish(
            later,
            made.files,
            before=prepared.commit,
            by=MACHINE,
            message=f"Rewritten from {sessions} session{'s' * (sessions != 1)}.",
        )
        write_consumed(call.vault.state.folder, Consumed(prepared.inputs, commit))
        outcome = Outcome.DONE if commit != prepared.commit else Outcome.NOTHING
        findings = (*found, *_left_out(made), *_moved(call, made))
        done = Consolidated(
            outcome, commit, made.dropped, findings=findings, skills=_skills(prepared, made)
        )
        return self._finished(prepared, done)

    def _work(self, prepared: Prepared, desk: Desk) -> None:
        """Let the worker rewrite the copy.

        Raises:
            ModelAccessError, AnswerCutError, ModelStoppedError: as `Model.work`.
        """
        task = Task(
            purpose=Purpose.CONSOLIDATE,
            system=load("consolidate").text,
            prompt=task_text(prepared),
            desk=desk,
            seconds=WORK_SECONDS,
            stop=self._holding.must_stop,
        )
        with counted(self._call, self._catalog, self._model, task.purpose):
            self._model.work(task)

    def _checked(self, prepared: Prepared, desk: Desk) -> Cleaned:
        """What may be published of what the worker left.

        Raises:
            NotebookInvalidError: if that is no notebook, or it left more than it may.
        """
        if strays := desk.strays():
            stray = strays[0]
            raise NotebookInvalidError(f"The worker went too far: {stray.path} {stray.why}.")
        left = copied_notebook(desk.folder)
        same = {path for path, data in left.items() if data == prepared.shown.get(path)}
        files = left | {path: prepared.published[path] for path in same}
        if wrong := faults(files, prepared.published, prepared.frozen):
            raise NotebookInvalidError(f"What the worker left is no notebook. {wrong[0]}")
        made = cleaned(
            self._call, files, prepared.published, known=prepared.known, own=prepared.own
        )
        if made.is_bare:
            raise NotebookInvalidError(_BARE)
        return made

    def _finished(self, prepared: Prepared, done: Consolidated) -> Consolidated:
        """Store that the cards were consumed; newer input makes the job due again."""
        claimed, now = self._holding.claimed, self._holding.now
        stored = self._catalog.finish_consolidation(
            claimed.token,
            now,
            generation=claimed.generation,
            cards=prepared.cards,
            cools=done.commit is not None,  # without a notebook nothing was rewritten
        )
        if not stored:
            self._catalog.jobs.release(*JOB, claimed.token, now)
        return done


def ended(holding: Holding) -> Consolidated:
    """Why the work ended early."""
    holding.confirm()
    if holding.lost:
        return Consolidated(Outcome.LOST, message="Another worker took the rewrite over.")
    if holding.outdated:
        return Consolidated(Outcome.OUTDATED, message="What it is made from changed meanwhile.")
    return Consolidated(Outcome.STOPPED, message="It was told to stop.")


def hindrance(call: Call, catalog: NotebookCatalog) -> str:
    """Why nothing may be rewritten now that only a person can settle; "" where nothing is."""
    return _unpublished(call) or _unreadable(call, catalog)


def _unreadable(call: Call, catalog: NotebookCatalog) -> str:
    """Why the notebook would lose what a session note said that came half; "" where it would not.

    A note that somebody deleted takes its lines with it, and one that was never read stops nothing.
    """
    read = read_cards(call)
    broken = [one.path for one in read.findings if one.severity is Severity.ERROR and one.path]
    gone = catalog.cards.selected().keys() - {card.session for card in read.cards}
    if not broken or not gone:
        return ""
    return (
        f"{broken[0]} cannot be read, and what the notebook has of its session would be lost. "
        "Mend the note or delete it; `vaultmem doctor` says what is wrong."
    )


def _unpublished(call: Call) -> str:
    """Why nothing could be published now, so that no model is asked in vain; "" where it could."""
    with versions(call) as history:
        record = standing_record(call, history)
        return unpublished(call, record, first=history.head_id() is None)


def _skills(prepared: Prepared, made: Cleaned) -> tuple[str, ...]:
    """The skills that a rewrite wrote or changed, by their names."""
    before = prepared.published
    changed = (path for path, data in made.files.items() if before.get(path) != data)
    return tuple(sorted(set(map(skill_of, changed)) - {""}))


def _left_out(made: Cleaned) -> tuple[Finding, ...]:
    found = [finding("VM956", one) for one in made.refused]
    if made.dropped:
        count = len(made.dropped)
        lines = "one line" if count == 1 else f"{count} lines"
        found.append(finding("VM955", f"The model wrote {lines} without a source."))
    return tuple(found)


def _moved(call: Call, made: Cleaned) -> Iterator[Finding]:
    """The person's lines stay word for word, so that a number in them may come to mislead."""
    path = f"{call.vault.root}/{HANDBOOK}"
    return (finding("VM959", path=path, line=line) for line in made.moved)
