"""The dialogue of `vaultmem inbox review`: one candidate after the other, a key for each decision.

Every decision is carried out and confirmed before the next candidate is shown, so leaving at any
moment, also by Ctrl-C, loses nothing.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.cli.asking import ask
from vaultmem.cli.candidate_lines import overview_row, say_below, say_details
from vaultmem.cli.deciding import decide_and_ask, edit_in_editor, say_decided, say_edited
from vaultmem.cli.hinting import chosen_note, hints_for
from vaultmem.cli.output import count, plain, say, say_wrapped
from vaultmem.cli.patch_review import PatchReview
from vaultmem.errors import NoteChangedError, NoteNotFoundError, VaultmemError
from vaultmem.notes.candidate import Decision
from vaultmem.services import evidence
from vaultmem.services.curating.candidates import find_waiting, waiting
from vaultmem.services.curating.foresee import foresee
from vaultmem.services.inbox_edit import edit_candidate
from vaultmem.services.patches import open_patches
from vaultmem.services.sync import ensure_current
from vaultmem.services.waiting import what_waits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultmem.app import App
    from vaultmem.notes.hints import Hint
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.curating.foresee import Foreseen
    from vaultmem.services.inbox import Decided

ROWS = 7
"""Candidates that the overview lists; from the governed memory's panel."""

HELP = (
    ("a", "approve: it becomes a memory, or changes the one that is named"),
    ("r", "reject: it is removed, the ledger keeps the decision"),
    ("s", "skip, also Enter: it goes on waiting"),
    ("e", "edit it: type a new statement, or open the note in your editor"),
    ("l", "link it to a knowledge note: a suggestion's number, a title or a path"),
    ("d", "details: its properties, its whole text and its evidence"),
    ("q", "quit; the rest goes on waiting"),
)


class _Next(Enum):
    """What comes after a key."""

    ASK = "ask about the same candidate again"
    SHOW = "show it anew"
    ON = "go on to the next one"
    LEAVE = "end the review"


class Reviewed(NamedTuple):
    """What a review did: the decisions in their order, and how much still waits."""

    decided: list[Decided]
    left: int
    """Candidates."""
    patches: int
    """Open patches."""


def review(app: App) -> Reviewed:
    """Ask about every candidate that waits, those that were put off last, then the open patches.

    Raises:
        KeyboardInterrupt: on Ctrl-C; what was decided before it is done.
    """
    call = app.call()
    ensure_current(call)
    hints = hints_for(app)  # before the list: it renews the notes of the candidates
    candidates, patches = waiting(call), open_patches(call)
    done: list[Decided] = []
    if not candidates and not patches:
        say_wrapped(what_waits(call).no_candidate)
        return Reviewed(done, 0, 0)
    if candidates:
        _say_overview(candidates, foresee(call, candidates))
    if all(
        _Review(app, one.path, f"{number}/{len(candidates)}", done, hints.get(one.id, ())).run()
        for number, one in enumerate(candidates, 1)
    ):
        all(PatchReview(app, one.path).run() for one in patches)  # until the person leaves
    return _rest(app, done)


def _rest(app: App, done: list[Decided]) -> Reviewed:
    """Say what still waits."""
    call = app.call()
    candidates, patches = len(waiting(call)), len(open_patches(call))
    parts = [
        count(candidates, "candidate") if candidates else "",
        count(patches, "patch", "patches") if patches else "",
    ]
    named = " and ".join(filter(None, parts))
    waits = "waits" if candidates + patches == 1 else "wait"
    rest = what_waits(call).elsewhere(patches=False)
    if named or not rest:
        say(f"{named} still {waits}." if named else "Nothing waits any more.")
    if rest:
        say_wrapped(rest)
    return Reviewed(done, candidates, patches)


def _say_overview(found: list[Waiting], foreseen: list[Foreseen]) -> None:
    """How many wait, and the first of them in one line each."""
    ready = sum(one.verified for one in foreseen)
    say(f"{count(len(found), 'candidate')} in the inbox, {ready} of them verified (✓).")
    for one, seen in list(zip(found, foreseen, strict=True))[:ROWS]:
        say(overview_row(one, seen))
    if len(found) > ROWS:
        say(f"  … and {len(found) - ROWS} more")


class _Review:
    """The questions about one candidate."""

    def __init__(
        self, app: App, path: str, place: str, done: list[Decided], hints: Sequence[Hint]
    ) -> None:
        self._app = app
        self._path = path  # two notes may have one id, never one path
        self._place = place
        self._done = done
        self._hints = hints
        self._keys: dict[str, Callable[[Waiting], _Next]] = {
            "a": self._approve,
            "r": self._reject,
            "s": self._skip,
            "": self._skip,
            "e": self._edit,
            "l": self._link,
            "d": self._details,
            "?": self._help,
            "q": self._leave,
        }

    def run(self) -> bool:
        """Show it and ask until it is decided or skipped; whether the review goes on."""
        after = _Next.SHOW
        while after is _Next.SHOW:
            try:
                one = self._show()
            except NoteNotFoundError:
                say("It does not wait any more: it was decided elsewhere.")
                return True
            after = _Next.ASK
            while after is _Next.ASK:
                after = self._act(one)
        return after is _Next.ON

    def _show(self) -> Waiting:
        call = self._app.call()
        one = find_waiting(call, self._path)
        say()
        indent = len(self._place) + 2
        statement = one.candidate.memory.statement
        say_wrapped(statement, first=f"{self._place}  ", indent=indent)
        say_below(one, foresee(call, [one])[0], self._hints)
        return one

    def _act(self, one: Waiting) -> _Next:
        line = ask("[a]pprove [r]eject [s]kip [e]dit [l]ink [d]etails [q]uit [?]:")
        key = "q" if line is None else line.casefold()
        if key not in self._keys:
            say(f"{plain(key)[:20]!r} is no key here. Type ? for help.")
            return _Next.ASK
        try:
            return self._keys[key](one)
        except (NoteChangedError, NoteNotFoundError) as error:
            say_wrapped(str(error))
            return _Next.SHOW
        except VaultmemError as error:  # told, and the person decides what to do about it
            say_wrapped(str(error))
            return _Next.ASK

    def _approve(self, one: Waiting) -> _Next:
        return self._decide(one, Decision.APPROVE)

    def _reject(self, one: Waiting) -> _Next:
        return self._decide(one, Decision.REJECT)

    def _decide(self, one: Waiting, decision: Decision) -> _Next:
        done = decide_and_ask(self._app, one.path, decision, seen=one.etag)
        self._done.append(done)
        say_decided(done)
        return _Next.ON

    def _skip(self, _one: Waiting) -> _Next:
        say("Skipped; it goes on waiting.")
        return _Next.ON

    def _edit(self, one: Waiting) -> _Next:
        text = ask("New statement (Enter opens your editor, q goes back):")
        if text is None:
            return _Next.LEAVE
        if text.casefold() == "q":
            return _Next.ASK
        if text:
            call = self._app.call()
            say_edited(edit_candidate(call, one.path, statement=text, properties={}))
        else:
            say_edited(edit_in_editor(self._app, one.path))
        return _Next.SHOW

    def _link(self, one: Waiting) -> _Next:
        text = ask("Knowledge note (Enter goes back):")
        if not text:
            return _Next.LEAVE if text is None else _Next.ASK
        properties = {"vault_ref": chosen_note(self._app, text, self._hints)}
        say_edited(edit_candidate(self._app.call(), one.path, properties=properties))
        return _Next.SHOW

    def _details(self, one: Waiting) -> _Next:
        links = one.candidate.memory.evidence
        say_details(one, evidence.find(self._app.call(), evidence.cited(links)))
        return _Next.ASK

    def _help(self, _one: Waiting) -> _Next:
        for key, meaning in HELP:
            say(f"  {key}  {meaning}")
        return _Next.ASK

    def _leave(self, _one: Waiting) -> _Next:
        say("Left.")
        return _Next.LEAVE
