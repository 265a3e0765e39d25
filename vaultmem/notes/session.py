"""A session's card from the bytes of its note, and the bytes of a new or changed one."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.core.inert import escape_inline, fence, inert_value
from vaultmem.core.notebook.card import Card, is_session_name
from vaultmem.core.notebook.stem import card_stem, watermark_of
from vaultmem.notes import frontmatter
from vaultmem.notes.reading import open_note, report_conflict
from vaultmem.notes.schema import SESSION, NoteType

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from vaultmem.core.finding import Finding
    from vaultmem.notes.reading import Reader

UNUSABLE = frozenset({"VM108", "VM113", "VM117", "VM118", "VM951"})
"""Findings of a note that is no card: conflict marks, no id, another type, a part is missing."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n]|\Z)")
_MARK = re.compile(r"(`{3,})[ \t]*")


class DecodedSession(NamedTuple):
    """A session's note as it was read.

    Attributes:
        card: None where the note cannot be used as one.
        findings: what is wrong.
    """

    card: Card | None
    findings: tuple[Finding, ...]


class _Fence(NamedTuple):
    """A fenced block: its half-open place in the body, marks included, and what stands in it."""

    start: int
    end: int
    text: str


def encode_session(card: Card, identifier: str, zone: tzinfo) -> bytes:
    """Make the note of a card; all captured text is inert.

    `decode_session` gives the same card back if its texts already are what `inert_value` and
    `fence` leave of them, but `made` and `last_used` lose what is below a second, and `file`, which
    means nothing on another machine, is not told.

    Args:
        card: with a summary and a card that are not blank.
        identifier: `sess_<ulid>`, the note's own.
        zone: the person's time zone.

    Raises:
        ValueError: the session's id could not stand in a name.
    """
    if not is_session_name(card.session):
        raise ValueError(f"no session is called {card.session!r}")
    written = {name: value for name, value in _values(card, zone).items() if value is not None}
    properties = {"id": identifier, "type": str(NoteType.SESSION)} | written
    title = _title(card.slug, card.watermark, zone)
    body = f"{title}\n\n## Summary\n\n{fence(card.summary)}\n\n## Card\n\n{fence(card.card)}\n"
    return frontmatter.new_note(properties, body)


def update_session(data: bytes, card: Card, zone: tzinfo, *, path: str) -> bytes:
    """The note with another version of its card; what a person wrote around it stays.

    Its title follows the card where it is the one that was written with the card before.

    Args:
        data: the note.
        card: the new version.
        zone: the person's time zone.
        path: the note, for errors.

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
        EditRefusedError: as `frontmatter.set_properties`.
        ValueError: the note holds no card.
    """
    block, reader = open_note(data, NoteType.SESSION, path=path)
    summary, told = _the_two(block.body)
    body = block.body
    for old, new in ((told, card.card), (summary, card.summary)):
        body = body[: old.start] + fence(new) + body[old.end :]
    before = _title(_line(reader, "slug"), _watermark(reader, zone), zone)
    if f"{before}\n" in body[: summary.start]:
        body = body.replace(f"{before}\n", f"{_title(card.slug, card.watermark, zone)}\n", 1)
    data = frontmatter.with_body(data, block, body)
    known = block.properties
    changes = {
        name: value
        for name, value in _values(card, zone).items()
        if value is not None or name in known
    }
    return frontmatter.set_properties(data, changes)


def decode_session(data: bytes, zone: tzinfo, *, path: str) -> DecodedSession:
    """Read the note of a card, tolerant of all but what makes it none (VM951).

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    block, reader = open_note(data, NoteType.SESSION, path=path)
    report_conflict(block, reader)
    reader.identifier()
    session, device = reader.text("session") or "", reader.text("device") or ""
    watermark = _watermark(reader, zone)
    if not is_session_name(session) or not is_id(device, "dev"):
        reader.report("VM951", "The note does not say of which session and device it is.")
    if not watermark:
        reader.report("VM951", "The note does not say up to when the session was read.")
    try:
        summary, told = _the_two(block.body)
    except ValueError as error:
        reader.report("VM951", f"{error}.", line=block.body_line)
        return DecodedSession(None, tuple(reader.findings))
    slug = _line(reader, "slug") or None
    card = Card(
        session=session,
        device=device,
        project=_line(reader, "project"),
        cwd=_line(reader, "cwd"),
        branch=_line(reader, "branch"),
        file="",
        watermark=watermark,
        slug=slug,
        stem=card_stem(session, watermark, slug),
        summary=summary.text,
        card=told.text,
        made=_seconds(reader.moment("created"), zone) or watermark,
        used=reader.count("used"),
        last_used=_seconds(reader.moment("last_used"), zone),
    )
    usable = UNUSABLE.isdisjoint(found.code for found in reader.findings)
    return DecodedSession(card if usable else None, tuple(reader.findings))


def _values(card: Card, zone: tzinfo) -> Mapping[str, object]:
    """The properties of a card by name, in their order; None for one that is left out."""
    values: dict[str, object] = {
        "device": card.device,
        "session": card.session,
        "project": inert_value(card.project) or None,
        "cwd": inert_value(card.cwd) or None,
        "branch": inert_value(card.branch) or None,
        "slug": inert_value(card.slug or "") or None,
        "watermark": _local(card.watermark, zone),
        "watermark_seconds": card.watermark,
        "created": _local(card.made, zone),
        "used": card.used or None,
        "last_used": None if card.last_used is None else _local(card.last_used, zone),
    }
    return {row.name: values[row.name] for row in SESSION[2:]}


def _title(slug: str | None, watermark: float, zone: tzinfo) -> str:
    """The heading: the words of the slug, else the day.

    Words of the summary would be cut short, and a purge could not find what is left of a text.
    """
    words = inert_value((slug or "").replace("_", " "))
    day = _local(watermark, zone)
    text = words[:1].upper() + words[1:] or (f"Session of {day:%Y-%m-%d}" if day else "Session")
    return f"# {escape_inline(text)}"


def _watermark(reader: Reader, zone: tzinfo) -> float:
    """The exact moment, else the one that a person reads; 0 for none."""
    exact = watermark_of(reader.number("watermark_seconds"))
    return exact or _seconds(reader.moment("watermark"), zone) or 0.0


def _local(seconds: float, zone: tzinfo) -> datetime | None:
    """A moment as notes show it; None where no calendar knows it."""
    known = watermark_of(seconds)
    if not known:
        return None
    return datetime.fromtimestamp(known, zone).replace(tzinfo=None, microsecond=0)


def _seconds(moment: datetime | None, zone: tzinfo) -> float | None:
    if moment is None:
        return None
    return watermark_of(moment.replace(tzinfo=zone).timestamp()) or None


def _line(reader: Reader, name: str) -> str:
    """A text property as one visible line, whoever wrote it."""
    return inert_value(reader.text(name) or "")


def _the_two(body: str) -> tuple[_Fence, _Fence]:
    """The first two fenced blocks: summary and card.

    Raises:
        ValueError: one of them is missing or blank.
    """
    found = _fences(body)
    if len(found) < 2 or not all(one.text.strip() for one in found[:2]):
        raise ValueError("The note lacks its summary or its card, each in a fenced block")
    return found[0], found[1]


def _fences(body: str) -> list[_Fence]:
    found: list[_Fence] = []
    ticks, start, lines = "", 0, list[str]()
    for match in _LINE.finditer(body):
        line = match[0].rstrip("\r\n")
        mark = _MARK.fullmatch(line)
        if not ticks:
            if mark is not None:
                ticks, start, lines = mark[1], match.start(), []
        elif mark is not None and len(mark[1]) >= len(ticks):
            found.append(_Fence(start, match.start() + len(line), "\n".join(lines)))
            ticks = ""
        else:
            lines.append(line)
    return found
