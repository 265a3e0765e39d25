"""The day's evidence of one device: a callout with a block id for each piece, its words fenced."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Evidence, EvidenceId, Polarity, Redaction, SourceKind
from vaultmem.core.ids import ULID_FORM
from vaultmem.core.inert import fence, ledger_json
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.notes import frontmatter
from vaultmem.notes.body import append_callouts
from vaultmem.notes.reading import open_note
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from vaultmem.core.finding import Finding

_HEAD = re.compile(
    rf"\s*>\s*\[!\w+\][-+]?\s*(?P<id>ev_{ULID_FORM}) (?P<polarity>\w+) (?P<kind>\w+) "
    r"(?P<trust>\w+) (?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d|undated)(?!\w)"
)
_CALLED = re.compile(r"\s*>\s*\[!")
_QUOTED = re.compile(r"\s*> ?")
_TICKS = re.compile(r"(`{3,})\s*\w*\s*\Z")
_LINES = re.compile(r"\r\n|[\r\n]")
_UNDATED = "undated"


def block_id(identifier: EvidenceId) -> str:
    """What a link names as `#^…`: the id in small letters, with `-`, as Obsidian allows."""
    return identifier.lower().replace("_", "-")


def new_evidence_day(identifier: str, *, device: str, day: date) -> bytes:
    """The note of a device for a day of which nothing is recorded yet.

    Args:
        identifier: `log_<ulid>`, the note's own.
        device: the machine that writes it.
        day: the person's.
    """
    return frontmatter.new_note(
        {"id": identifier, "type": str(NoteType.EVIDENCE), "device": device, "date": day},
        "# Evidence\n",
    )


def append_evidence(data: bytes, *pieces: Evidence) -> bytes:
    """The note with a callout more for each piece at its end, in the note's own line ends.

    Raises:
        ValueError: a reader would not find the same piece.
        NoteUnreadableError: the note cannot be read.
    """
    return append_callouts(data, [(_callout(piece), block_id(piece.id)) for piece in pieces])


def _callout(piece: Evidence) -> list[str]:
    lines = list(_spelled(piece))
    if _parse(lines) != piece:
        raise ValueError(f"{piece.id} cannot be spelled as evidence")
    return lines


def decode_evidence_day(
    data: bytes, *, path: str
) -> tuple[tuple[Evidence, ...], tuple[Finding, ...]]:
    """The pieces of a note, in its order; a callout that cannot be read is a finding (VM621).

    A piece is given as it is written: whether it still is what its id says, `is_intact` tells.

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    block, reader = open_note(data, NoteType.EVIDENCE, path=path)
    found: list[Evidence] = []
    for first, lines in _callouts(block.body):
        if (piece := _parse(lines)) is not None:
            found.append(piece)
        else:
            message = "A piece of evidence cannot be read, so it supports nothing."
            reader.report("VM621", message, line=block.body_line + first)
    return tuple(found), tuple(reader.findings)


def callout_spans(data: bytes) -> tuple[tuple[EvidenceId, int, int], ...]:
    """Where each readable piece stands in the note: its id and half-open byte offsets.

    A span holds the callout, its block id and the blank lines between the two, so that what is
    left when it is cut out is a whole note.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    lines = _LINES.split(block.body)
    starts = [0, *(end.end() for end in _LINES.finditer(block.body)), len(block.body)]
    found: list[tuple[EvidenceId, int, int]] = []
    for first, callout in _callouts(block.body):
        head = _HEAD.match(callout[0])
        if head is not None:
            last = _behind(lines, first + len(callout), f"^{block_id(EvidenceId(head['id']))}")
            places = (starts[first], starts[min(last, len(lines))])
            start, end = (block.body_start + len(block.body[:at].encode()) for at in places)
            found.append((EvidenceId(head["id"]), start, end))
    return tuple(found)


def _behind(lines: list[str], at: int, mark: str) -> int:
    """The line behind a callout that ends before `at`, and behind its block id."""
    after = at
    while after < len(lines) and not lines[after].strip():
        after += 1
    return after + 1 if after < len(lines) and lines[after].strip() == mark else at


def _spelled(piece: Evidence) -> Iterator[str]:
    at = piece.created.isoformat(timespec="seconds") if piece.created else _UNDATED
    yield f"> [!quote] {piece.id} {piece.polarity} {piece.source_kind} {piece.trust} {at}"
    if piece.excerpt:
        yield from (f"> {line}" for line in fence(piece.excerpt).split("\n"))
    yield f"> {ledger_json(_rest(piece))}"


def _rest(piece: Evidence) -> Mapping[str, str]:
    """What stands in the last line, those at their default left out."""
    durability = "" if piece.durability is Durability.UNKNOWN else str(piece.durability)
    redaction = "" if piece.redaction is Redaction.NONE else str(piece.redaction)
    values = {
        "durability": durability,
        "hash": piece.excerpt_hash or "",
        "project": piece.project or "",
        "redaction": redaction,
        "ref": piece.source_ref,
        "session": piece.session or "",
        "summary": piece.summary,
    }
    return {name: value for name, value in values.items() if value}


def _callouts(body: str) -> Iterator[tuple[int, list[str]]]:
    """The callouts, each with the number of its first line in the body, from 0.

    What stands in a fence begins no other one, whatever an excerpt holds.
    """
    first, lines, ticks = 0, list[str](), ""
    for number, line in enumerate([*_LINES.split(body), ""]):
        quoted = _QUOTED.match(line)
        if lines and (quoted is None or (not ticks and _CALLED.match(line))):
            yield first, lines
            lines, ticks = [], ""
        if quoted is None:
            continue
        if lines:
            lines.append(line)
            ticks = _fence_after(ticks, line[quoted.end() :])
        elif _CALLED.match(line):
            first, lines = number, [line]


def _fence_after(ticks: str, text: str) -> str:
    """The fence that is open behind a line, "" for none."""
    found = _TICKS.match(text)
    if found is None:
        return ticks
    if not ticks:
        return found[1]
    closes = len(found[1]) >= len(ticks) and text.strip() == found[1]
    return "" if closes else ticks


def _parse(lines: list[str]) -> Evidence | None:
    """The piece in a callout; None where a part of it cannot be read."""
    head = _HEAD.match(lines[0])
    if head is None:
        return None
    excerpt, rest = _content([_QUOTED.sub("", line, count=1) for line in lines[1:]])
    if rest is None:
        return None
    try:
        return Evidence(
            id=EvidenceId(head["id"]),
            source_kind=SourceKind(head["kind"]),
            trust=TrustClass(head["trust"]),
            project=rest.get("project"),
            session=rest.get("session"),
            source_ref=rest.get("ref", ""),
            excerpt=excerpt,
            summary=rest.get("summary", ""),
            excerpt_hash=rest.get("hash"),
            polarity=Polarity(head["polarity"]),
            durability=Durability(rest.get("durability", Durability.UNKNOWN)),
            redaction=Redaction(rest.get("redaction", Redaction.NONE)),
            created=None if head["at"] == _UNDATED else datetime.fromisoformat(head["at"]),
        )
    except ValueError:
        return None


def _content(lines: list[str]) -> tuple[str, Mapping[str, str] | None]:
    """The words in the fence, and the values of the last line; None without such a line."""
    words: list[str] = []
    ticks = ""
    rest: Mapping[str, str] | None = None
    for line in lines:
        before, ticks = ticks, _fence_after(ticks, line)
        if before and ticks:
            words.append(line)
        elif not before and not ticks and line.lstrip().startswith("{"):
            rest = _values(line) if rest is None else rest
    return "\n".join(words), rest


def _values(line: str) -> Mapping[str, str] | None:
    try:
        values, _ = json.JSONDecoder().raw_decode(line.lstrip())
    except (ValueError, RecursionError):
        return None
    return {str(key): value for key, value in values.items() if isinstance(value, str)}
