"""What follows a sync: of the notes in which a person decides, of deletions, of the notebook."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from vaultmem.core.ids import with_prefix
from vaultmem.core.place import Kind, is_review_note
from vaultmem.core.state import NoteState
from vaultmem.services.notebook.presence import has_notebook
from vaultmem.services.syncing.attribution import Origin, origin_of_loss
from vaultmem.services.syncing.consequences import Consequences
from vaultmem.services.syncing.hold import announce_loss
from vaultmem.services.syncing.holding import Seen
from vaultmem.services.syncing.record import put_file, put_reading
from vaultmem.store.erase import intents
from vaultmem.store.walk import NO_FILE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.sessions.silence import PurgedWords
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.services.syncing.observe import Fresh
    from vaultmem.store.baseline_rows import NoteRow

DECIDABLE = (Kind.CANDIDATE, Kind.PATCH, Kind.INQUIRY, Kind.PROMOTION)
"""Kinds of notes in which a person decides."""
_OUTCOMES = ("approved", "accepted", "rejected")


class FollowUp(Consequences):
    """What follows one sync; an agent's word decides nothing."""

    def __init__(self, call: Call) -> None:
        """Begin with nothing."""
        self._call = call
        self._baseline = call.vault.baseline
        self._typed = True
        self._waited: frozenset[str] = frozenset()
        self._captured: set[str] = set()
        self.seen: list[Seen] = []
        self.findings: list[Finding] = []
        self.version: str | None = None

    def is_settled(self) -> bool:
        """Whether the files of the notebook, some of which are no notes, are as they were."""
        if not has_notebook(self._call):
            return True
        from vaultmem.services.notebook.hand_edits import is_settled

        return is_settled(self._call)

    def begin(self, fresh: Iterable[Fresh], *, typed: bool) -> None:
        """Find the decisions that wait for another device."""
        self._typed = typed
        self._waited = self._already_decided(fresh)

    def lost(self, row: NoteRow, there: Collection[str]) -> None:
        """Tell what it means that a note is gone."""
        if is_review_note(row.path, self._call.vault.root):
            from vaultmem.services.reviewing.vouched import lost_review  # few have it

            lost_review(self._call, row.path)
        if not row.id or self._baseline.notes_with_id(row.id):
            return  # of two notes, one is left
        if row.kind == Kind.PROMOTION:  # to delete one is to reject it
            self._disown_loss(row.id)
        if row.kind == Kind.INQUIRY and row.id not in there:
            from vaultmem.services.following.inquiries import lost_inquiry

            lost_inquiry(self._call, row.id)

    def _disown_loss(self, identifier: str) -> None:
        """Sign that it was no person who took a note away, if it was none."""
        if origin_of_loss(self._call, identifier) is Origin.EXTERNAL:
            announce_loss(self._call, identifier)

    def note_down(self, reading: Reading) -> None:
        """Record a note that is no memory.

        One that can hold a decision has no version yet, so that a decision which a crash keeps us
        from following is met again.
        """
        if reading.kind is Kind.SESSION:
            from vaultmem.services.notebook.session_notes import put_session  # only with a notebook

            put_session(self._call, reading, self._purged)
        elif reading.kind is Kind.ROOT and is_review_note(reading.path, self._call.vault.root):
            from vaultmem.services.following.review_notes import note_down_review  # few have it

            note_down_review(self._call, reading)
        elif reading.kind not in DECIDABLE:
            put_reading(self._call, reading)
        elif reading.path not in self._waited:
            put_file(
                self._call,
                reading.path,
                stat=NO_FILE,
                etag="",
                kind=reading.kind.value,
                identifier=reading.id,
                findings=reading.findings,
            )

    @cached_property
    def _purged(self) -> PurgedWords:
        """What was purged, by all ledger lines, for the notes of sessions."""
        from vaultmem.services.sessions.silence import PurgedWords  # only with a notebook

        return PurgedWords(self._call)

    def follow(self, readings: Sequence[Reading]) -> int:
        """Do what was decided in these notes; how many decisions were carried out."""
        found = [one for one in self._with_dropped(readings) if one.kind in DECIDABLE]
        applied = self._carried_out(found)
        for one in found:
            row = self._baseline.note(one.path)
            if row is not None and not row.etag:
                put_reading(self._call, one)
            elif row is None:
                self.seen.append(self._decided(one))
            if row is not None and one.path in self._captured:
                self.seen.append(Seen("captured", one.path, one.id, "person"))
        return applied

    def go_on(self) -> None:
        """Go on with deletions, and publish what was done to the notebook by hand."""
        if intents(self._baseline):
            from vaultmem.services.purge import go_on

            self.findings += go_on(self._call)
        if has_notebook(self._call):
            from vaultmem.services.notebook.arrivals import take_in_arrived
            from vaultmem.services.notebook.hand_edits import look
            from vaultmem.services.notebook.versions import head_id, made_by_person

            before = head_id(self._call)
            self.findings += look(self._call)
            take_in_arrived(self._call)
            self.version = made_by_person(self._call, since=before)

    def _decided(self, one: Reading) -> Seen:
        """A note that a decision took away, with what came of it."""
        if one.kind is Kind.PATCH:
            row = self._call.vault.patches.row(one.id)
            outcome = row.status if row is not None else "rejected"
            return Seen("decided", one.path, one.id, "person", outcome=outcome)
        lines = self._baseline.ledger.of_note(one.id) if one.id else []
        told = (line.act for line in reversed(lines) if self._call.vault.vouches(line))
        outcome = next((act for act in told if act in _OUTCOMES), "")
        memory = self._baseline.memory(with_prefix(one.id, "mem")) if outcome else None
        became = memory.path if memory is not None and outcome == "approved" else ""
        return Seen("decided", one.path, one.id, "person", outcome=outcome, became=became)

    def _already_decided(self, fresh: Iterable[Fresh]) -> frozenset[str]:
        """The notes that hold a person's decision, which waits for the device that should act."""
        rows = ((one, self._baseline.note(one.path)) for one in fresh)
        return frozenset(
            one.path
            for one, row in rows
            if row is not None and row.state == NoteState.WAITING and row.etag == one.etag
        )

    def _with_dropped(self, readings: Sequence[Reading]) -> Sequence[Reading]:
        """Make candidates of notes that somebody put into the inbox; the readings as they are now.

        A decision in a note counts if what was put there is the person's, although its bytes are
        ours by then.
        """
        dropped = [one for one in readings if one.kind is Kind.CANDIDATE and not one.id]
        if not dropped:
            return readings
        from vaultmem.services.following.dropped import take_in  # with what checks a candidate

        taken = take_in(self._call, dropped, typed=self._typed, waited=self._waited)
        self.findings += taken.findings
        written = {one.path: one for one in taken.readings}
        self._captured |= written.keys()
        self._waited = (self._waited - written.keys()) | taken.persons
        return [written.get(one.path, one) for one in readings]

    def _carried_out(self, readings: list[Reading]) -> int:
        applied = 0
        patches = [one for one in readings if one.kind is Kind.PATCH]
        if patches or self._baseline.has_unfinished():
            from vaultmem.services.patching.decisions import decided_patches, go_on

            self.findings += go_on(self._call)
            patches = self._still_there(patches)
            applied, told = decided_patches(self._call, patches, self._waited)
            self.findings += told
        candidates = self._still_there([one for one in readings if one.kind is Kind.CANDIDATE])
        if any(one.fresh.data and b"decision" in one.fresh.data for one in candidates):
            from vaultmem.services.following.candidates import decided_in_notes

            decided, told = decided_in_notes(self._call, candidates, self._waited)
            applied += decided
            self.findings += told
        asked = [one for one in readings if one.kind is Kind.INQUIRY]
        if asked:
            from vaultmem.services.following.inquiries import follow_inquiries

            applied += follow_inquiries(self._call, self._still_there(asked))
        promotions = self._still_there([one for one in readings if one.kind is Kind.PROMOTION])
        if promotions:
            from vaultmem.services.promoting.decisions import decided_promotions

            decided, told = decided_promotions(self._call, promotions, self._waited)
            applied += decided
            self.findings += told
        return applied

    def _still_there(self, readings: list[Reading]) -> list[Reading]:
        """Without the notes that a patch has taken away since they were read."""
        return [one for one in readings if self._baseline.note(one.path) is not None]
