"""Everything that one rewrite of the notebook is about: inputs, the published files, the diff."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.notebook.citing import Sources, sources
from vaultmem.core.notebook.inputs import input_files
from vaultmem.core.notebook.line_diff import DIFF_NAME, changes, workspace_diff
from vaultmem.core.notebook.own import own_lines
from vaultmem.core.notebook.selection import select_cards
from vaultmem.core.notebook.validation import HANDBOOK, SUMMARY, VERSION
from vaultmem.errors import NoteError, NoteNotFoundError, UnsafePathError
from vaultmem.notes.frontmatter.fence import split
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.notebook.card_notes import cards_of_all_devices
from vaultmem.services.notebook.outgoing import Unsaid, redacted_files
from vaultmem.services.notebook.published import versions
from vaultmem.services.notebook.sending import MaySend
from vaultmem.services.notebook.vault_files import skills_not_ours
from vaultmem.services.remember_note import FOLDER, notes_left
from vaultmem.store.files import read_note
from vaultmem.store.notebook_copies import read_consumed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.finding import Finding
    from vaultmem.core.notebook.card import Card
    from vaultmem.core.notebook.places import OwnLine
    from vaultmem.core.notebook.settings import NotebookSettings
    from vaultmem.services.call import Call
    from vaultmem.store.notebook.catalog import NotebookCatalog
    from vaultmem.store.notebook_history import History

_ODD = re.compile(r"[^\w.-]+")


class Prepared(NamedTuple):
    """What a rewrite begins with; paths are those of the worker's folder."""

    cards: tuple[Card, ...]
    inputs: Mapping[str, bytes]
    published: Mapping[str, bytes]
    shown: Mapping[str, bytes]
    """`published` as the worker is given it: without secrets."""
    commit: str | None
    """The version that `published` is."""
    own: frozenset[OwnLine]
    """The lines of it that a person wrote, at their places."""
    frozen: frozenset[str]
    """The skills that the worker may only read, those that no version has yet among them."""
    known: Sources
    diff: str
    is_changed: bool
    findings: tuple[Finding, ...]

    @property
    def copy(self) -> dict[str, bytes]:
        """All files of the worker's folder."""
        return {**self.inputs, **self.shown, DIFF_NAME: self.diff.encode()}

    @property
    def is_due(self) -> bool:
        """Whether a worker is needed; not for nothing, and not where all is as it was."""
        if self.commit is None:
            return bool(self.cards) or self.known.notes
        return self.is_changed or not self.published.keys() >= {HANDBOOK, SUMMARY}


def prepare(
    call: Call, catalog: NotebookCatalog, settings: NotebookSettings, now: float
) -> Prepared:
    """Gather what the notebook is to be rewritten from.

    Args:
        call: the circumstances.
        catalog: of this machine.
        settings: how many cards, and how old.
        now: seconds since the epoch.

    Raises:
        HistoryDamagedError: if the published versions cannot be read.
        BusyError, ReadOnlyError, DiskFailedError: as the vault and its state answer.
    """
    cards = selected(call, catalog, settings, now)
    unsaid = Unsaid(call)
    notes, findings = _notes(call, unsaid)
    inputs = input_files(tuple(_sayable(card, unsaid) for card in cards), notes)
    consumed = read_consumed(call.vault.state.folder)
    with versions(call) as history:
        read = list(history.versions())
        published = dict(read[0].files) if read else {}
        commit = history.head_id()
        earlier = _files(history, consumed.commit)
    shown = redacted_files(published)
    known = sources((card.stem for card in cards), notes)
    before, after = {**consumed.files, **redacted_files(earlier)}, {**inputs, **shown}
    return Prepared(
        cards=cards,
        inputs=inputs,
        published=published,
        shown=shown,
        commit=commit,
        own=own_lines(read, known.hashes),
        frozen=skills_not_ours(call, read),
        known=known,
        diff=workspace_diff(before, after),
        is_changed=bool(changes(before, after)),
        findings=findings,
    )


def selected(
    call: Call, catalog: NotebookCatalog, settings: NotebookSettings, now: float
) -> tuple[Card, ...]:
    """The cards of all devices that count; none of a project or session that is off here.

    Where age alone would leave none, those that were consumed last count on: a long pause, or a
    clock that jumped ahead, must not empty the notebook.
    """
    modes, may_send = catalog.modes.all(), MaySend(call, call.vault.notebook)
    counting = [
        card
        for card in catalog.cards.with_uses(cards_of_all_devices(call))
        if may_send.of(card.project, card.session)
        and (card.session not in modes or modes[card.session].counts)
    ]
    chosen = select_cards(counting, now=now, most=settings.cards, unused_days=settings.unused_days)
    if chosen:
        return chosen
    consumed = catalog.cards.selected()
    last = (card for card in counting if card.session in consumed)
    return select_cards(last, now=0.0, most=settings.cards, unused_days=0)


def task_text(prepared: Prepared) -> str:
    """What the worker is told to do, besides its instructions."""
    summary = prepared.published.get(SUMMARY, b"").partition(b"\n")[0].strip(b"\r")
    if HANDBOOK not in prepared.published:
        mode = "init: there is no notebook yet. Create MEMORY.md and memory_summary.md."
    elif summary != VERSION.encode():
        mode = (
            f"summary reset: the first line of {SUMMARY} is not `{VERSION}`. Bring MEMORY.md up to "
            "date, then write the summary anew."
        )
    else:
        mode = "incremental: carry the changes of the diff into the notebook."
    frozen = ", ".join(sorted(prepared.frozen)) or "none"
    return (
        f"Mode: {mode}\nFirst read {DIFF_NAME}. Sessions given: {len(prepared.cards)}. "
        f"Skills that you may only read: {frozen}.\n"
    )


def _sayable(card: Card, unsaid: Unsaid) -> Card:
    """The card without secrets and what was purged; it may be older than the purge, or edited."""
    return replace(
        card,
        card=unsaid.without(redact(card.card)),
        summary=unsaid.without(redact(card.summary)),
    )


def _notes(call: Call, unsaid: Unsaid) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """The text of each ad-hoc note by a name without blanks; unreadable ones are findings."""
    found: dict[str, str] = {}
    findings: list[Finding] = []
    for path in notes_left(call):
        try:
            data = read_note(call.vault.path, path)
            text = data[split(data).body_start :].decode(errors="replace")
        except (NoteError, UnsafePathError) as error:
            findings.append(finding("VM111", str(error), path=path))
            continue
        name = path.removeprefix(f"{call.vault.root}/{FOLDER}/").removesuffix(".md")
        found[_ODD.sub("_", name) + ".md"] = f"{unsaid.without(redact(text)).strip()}\n"
    return found, tuple(findings)


def _files(history: History, commit: str | None) -> dict[str, bytes]:
    """The files of a version; none where a purge gave it another id."""
    if commit is None:
        return {}
    try:
        return history.files(commit)
    except NoteNotFoundError:
        return {}
