"""The review guidelines of a project: what its note says, what an agent is told, one more line.

An agent only proposes: its line has an open box, is told to nobody, and holds once a person ticks
it in the note or adds the same text themselves (docs/adr/0071).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.inert import clean
from vaultmem.core.naming import base_name, with_suffix
from vaultmem.core.place import REVIEW, Kind, is_review_note
from vaultmem.core.reviewing.guidelines import Standing, find
from vaultmem.errors import CaptureRefusedError, NoteError
from vaultmem.notes.review import (
    ReviewNote,
    add_to_review,
    decode_review,
    is_about,
    new_review_note,
)
from vaultmem.services.reviewing.vouched import as_vouched, hold_unknown, vouch
from vaultmem.store.bounded import Unread, read_inside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.finding import Finding
    from vaultmem.core.reviewing.guidelines import Guideline
    from vaultmem.services.call import Call

MAX_GUIDELINE = 300
"""Characters of a guideline that is added: a sentence, as of a captured statement."""
MAX_BYTES = 262_144
"""Of a note that is read; a longer one is a finding."""

_UNREADABLE = "VM111"
_UNKNOWN = ReviewNote("", ())
"""What is known of a note that cannot be read: only its name says whose it is."""


class GuidelineOutcome(StrEnum):
    """What came of a guideline that was to be added."""

    ADDED = "added"
    ACCEPTED = "accepted"
    """It was proposed, or was not wanted, and holds now."""
    PROPOSED = "proposed"
    """It waits for the person."""
    KNOWN = "known"
    """It holds, or waits, already."""
    UNWANTED = "unwanted"
    """The person said that they do not want it; an agent cannot change that."""


class Placed(NamedTuple):
    """A guideline and the note that it stands in, relative to the vault."""

    guideline: Guideline
    path: str


class Guidelines(NamedTuple):
    """The guidelines of a project in the order of its notes, and notes that cannot be read."""

    project: str
    guidelines: tuple[Placed, ...]
    findings: tuple[Finding, ...]


class Added(NamedTuple):
    """What came of it, with the note and the text as it stands there."""

    outcome: GuidelineOutcome
    path: str
    text: str


def list_guidelines(call: Call, project: str) -> Guidelines:
    """Every guideline of a project, also what is proposed and what is not wanted.

    Args:
        call: the circumstances.
        project: the project's identity.
    """
    from vaultmem.services.sync import catch_up  # the report has looked already

    catch_up(call)
    placed: list[Placed] = []
    findings: list[Finding] = []
    for path, read in _notes(call):
        if isinstance(read, NoteError):
            findings.append(_unread(path, read))
        elif is_about(read[1], path, project):
            placed += (Placed(one, path) for one in as_vouched(call, path, read[1].guidelines))
    return Guidelines(project, tuple(placed), tuple(findings))


def review_projects(call: Call) -> tuple[str, ...]:
    """The projects that notes of guidelines name; the baseline is up to date."""
    notes = (read[1] for _, read in _notes(call) if not isinstance(read, NoteError))
    return tuple(note.project for note in notes if note.project)


def told_guidelines(call: Call, project: str) -> tuple[str, ...]:
    """The guidelines that hold, without secrets, for the report; the baseline is up to date."""
    lines = [
        one.text
        for path, read in _notes(call)
        if not isinstance(read, NoteError) and is_about(read[1], path, project)
        for one in as_vouched(call, path, read[1].guidelines)
        if one.standing is Standing.HOLDS
    ]
    if not lines:
        return ()
    from vaultmem.services.capturing.secret_scan import redact  # many patterns

    return tuple(map(redact, dict.fromkeys(lines)))


def add_guideline(call: Call, text: str, project: str) -> Added:
    """Add a guideline to a project's note, or propose it where an agent calls.

    Secrets in it are redacted, and nothing of it acts in the note. Nothing else in the note
    changes.

    Args:
        call: the circumstances.
        text: what a reviewer is to heed, one sentence.
        project: the project's identity.

    Raises:
        CaptureRefusedError: if remembering is switched off, nothing of the text can be seen, or it
            is too long.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if the note cannot be read or written.
    """
    from vaultmem.services.capturing.secret_scan import redact  # as above
    from vaultmem.services.switch import refuse_switched_off
    from vaultmem.services.sync import ensure_current

    refuse_switched_off(call, project=project, session=None)
    line = redact(clean(redact(text)).text)
    if not line:
        raise CaptureRefusedError("A guideline needs words. Say in a sentence what to heed.")
    if len(line) > MAX_GUIDELINE:
        raise CaptureRefusedError(
            f"A guideline has at most {MAX_GUIDELINE} characters. Say it shorter."
        )
    ensure_current(call)
    with call.vault.lock():
        notes = list(_of_project(call, project))
        for path, data, note in notes:
            if (known := find(as_vouched(call, path, note.guidelines), line)) is not None:
                return _met(call, path, data, known)
        if notes:
            path, data, _ = notes[0]
            return _written(call, path, data, line)
        path, empty = _new_note(call, project)
        return _written(call, path, empty, line, new=True)


def _met(call: Call, path: str, data: bytes, known: Guideline) -> Added:
    """What comes of a guideline that the note has already."""
    if known.standing is Standing.HOLDS:
        return Added(GuidelineOutcome.KNOWN, path, known.text)
    if call.agent is not None:
        unwanted = known.standing is Standing.UNWANTED
        outcome = GuidelineOutcome.UNWANTED if unwanted else GuidelineOutcome.KNOWN
        return Added(outcome, path, known.text)
    if known.standing is Standing.HELD:
        vouch(call, path, known.text)
    else:
        _written(call, path, data, known.text)
    return Added(GuidelineOutcome.ACCEPTED, path, known.text)


def _written(call: Call, path: str, before: bytes, line: str, *, new: bool = False) -> Added:
    from vaultmem.services.write import Write, write_notes  # the report writes nothing
    from vaultmem.store.etag import etag_of

    proposed = call.agent is not None
    after = add_to_review(before, line, proposed=proposed)
    expected, act = (None, "created") if new else (etag_of(before), "edited")
    hold_unknown(call, path, decode_review(before).guidelines)
    write_notes(call, [Write(path, after, expected, "", act, call.actor.value, "review")])
    if not proposed:
        vouch(call, path, line)
    outcome = GuidelineOutcome.PROPOSED if proposed else GuidelineOutcome.ADDED
    return Added(outcome, path, line)


def _new_note(call: Call, project: str) -> tuple[str, bytes]:
    """Where the note of a project goes, and the note without guidelines; base names are unique."""
    name = base_name(project.rpartition("/")[2] or project)
    longer = base_name(f"{name} review guidelines")
    named = (name, longer, with_suffix(longer, call.new_id("log")))
    for one in named:
        path = f"{call.vault.root}/{REVIEW}/{one}.md"
        if call.vault.is_free(one, path):
            break
    return path, new_review_note(project, name)


def _of_project(call: Call, project: str) -> Iterator[tuple[str, bytes, ReviewNote]]:
    """The notes of a project.

    Raises:
        NoteError: for one that is its own by name and cannot be read: no second one is made.
    """
    for path, read in _notes(call):
        if isinstance(read, NoteError):
            if is_about(_UNKNOWN, path, project):
                raise read.at(path)
        elif is_about(read[1], path, project):
            yield path, *read


def _notes(call: Call) -> Iterator[tuple[str, tuple[bytes, ReviewNote] | NoteError]]:
    """The notes of the folder as they are now, or why one cannot be read."""
    for path in call.vault.baseline.paths(kind=Kind.ROOT.value):
        if is_review_note(path, call.vault.root):
            yield path, _read(call, path)


def _read(call: Call, path: str) -> tuple[bytes, ReviewNote] | NoteError:
    data = read_inside(call.vault.path, path, limit=MAX_BYTES)
    if isinstance(data, Unread):
        why = f"The note {data.why}."
        return NoteError(why, "Look at the file, or make it shorter.", code=_UNREADABLE)
    try:
        return data, decode_review(data)
    except NoteError as error:
        return error


def _unread(path: str, error: NoteError) -> Finding:
    code = error.code or _UNREADABLE
    return finding(code, error.problem, path=path, line=error.line, remedy=error.remedy)
