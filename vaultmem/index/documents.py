"""What is searched: a memory, or a piece of a note, with its place and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_TOKENS = 256
"""Longest text that is embedded whole, in tokens of the model; the rest is cut off. It is the
length that the embedded model was trained with, and what keeps its memory small."""

LARGE_NOTE = 1_000_000
"""Characters beyond which only the head and the headings of a note are searched (VM112)."""

_HEAD = 4_000
_MOST_HEADINGS = 500
_CHUNK = 896
"""Characters of a chunk: `MAX_TOKENS` at 3.5 characters a token (prose has 4 to 5, code 3)."""

_MARK = re.compile(
    r"^ {0,3}(?:(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?|(`{3,}|~{3,}).*)[ \t]*\r?$", re.MULTILINE
)


class Source(StrEnum):
    """Where a document comes from; searches name the sources they want."""

    MEMORY = "memory"
    VAULT = "vault"
    LOG = "log"
    SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing that a search can find.

    Attributes:
        key: unique over all sources; a memory's id, a note's path, or `path#n` for a chunk.
        source: which of the separate indexes it lives in.
        path: the note, relative to the vault, with `/`.
        title: the note's title; for a memory its file name or the start of its statement.
        body: the text below the title.
        id: the note's own id, where it has one of ours.
        heading: the heading above a chunk, empty for a whole note.
        tags: without `#`; aliases may be given here too.
        by_meaning: whether it is embedded; else it is found by its words only.
    """

    key: str
    source: Source
    path: str
    title: str
    body: str
    id: str | None = None
    heading: str = ""
    tags: tuple[str, ...] = ()
    by_meaning: bool = True

    @property
    def text(self) -> str:
        """What words are looked for in: the title counts twice."""
        return "\n".join((self.title, self.title, self.heading, " ".join(self.tags), self.body))

    @property
    def meaning(self) -> str:
        """What is embedded: title, heading and body, without saying the title twice."""
        parts = [self.heading, self.body]
        if not self.body.startswith(self.title.rstrip(" .…")):
            parts.insert(0, self.title)
        return "\n".join(part for part in parts if part)


class Section(NamedTuple):
    """A piece of a body below one heading (empty for the text before the first)."""

    heading: str
    text: str


def note_documents(
    *,
    source: Source,
    path: str,
    title: str,
    body: str,
    id: str | None = None,  # noqa: A002 - the property's name
    tags: tuple[str, ...] = (),
) -> Iterator[Document]:
    """The documents of one note: itself if it is short, else chunks by heading.

    A note of more than `LARGE_NOTE` characters gives chunks of its head, then its headings.
    `body` comes without the properties block. Together they replace all earlier documents of
    `path`, so an index must be given all of them at once.
    """
    sections = list(split(body)) if len(body) > _CHUNK else [Section("", body)]
    for number, section in enumerate(sections):
        yield Document(
            key=path if len(sections) == 1 else f"{path}#{number + 1}",
            source=source,
            path=path,
            title=title,
            body=section.text,
            id=id,
            heading=section.heading,
            tags=tags,
        )


def split(body: str) -> Iterator[Section]:
    """Cut a body at its ATX headings and long sections at paragraphs; join tiny neighbours."""
    if len(body) > LARGE_NOTE:
        headings = [section.heading for section in _sections(body, limit=_MOST_HEADINGS)]
        yield from split(body[:_HEAD])
        yield from (Section("", piece) for piece in _pieces("\n".join(filter(None, headings))))
        return
    waiting: Section | None = None
    for section in _sections(body):
        for piece in _pieces(section.text):
            joined = f"{waiting.text}\n{section.heading}\n{piece}" if waiting else piece
            if waiting and len(joined) > _CHUNK:
                yield waiting
                joined, waiting = piece, None
            waiting = Section(waiting.heading if waiting else section.heading, joined)
    if waiting:
        yield waiting


def is_within(path: str, folders: Sequence[str]) -> bool:
    """Whether `path` is one of `folders` or lies in one; an empty one or `.` is the vault."""
    return path in Within(folders)


class Within:
    """The paths that are one of some folders or lie in one; many folders cost no more than one."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = frozenset(folder.rstrip("/") for folder in folders)
        self._everywhere = not self._folders.isdisjoint(("", "."))

    def __contains__(self, path: str) -> bool:
        at = len(path)
        while at > 0 and not self._everywhere:
            if path[:at] in self._folders:
                return True
            at = path.rfind("/", 0, at)
        return self._everywhere


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has: three ASCII characters or one other character each.

    Counts high on prose (4 to 5 characters a token), about right on code and ids.
    """
    if text.isascii():
        return len(text) // 3 + 2
    others = sum(character > "\x7f" for character in text)
    return (len(text) - others) // 3 + others + 2


def _sections(body: str, *, limit: int | None = None) -> Iterator[Section]:
    """The text below each heading; a `#` inside a code fence is none."""
    fence, heading, start, count = "", "", 0, 0
    for mark in _MARK.finditer(body):
        if mark[3]:
            if not fence:
                fence = mark[3]
            elif mark[3].startswith(fence) and mark[0].strip() == mark[3]:
                fence = ""
        elif not fence:
            text = body[start : mark.start()]
            if heading or text.strip():
                yield Section(heading, text.strip())
            heading, start, count = mark[2].strip(), mark.end(), count + 1
            if count == limit:
                break
    yield Section(heading, body[start:].strip() if limit is None else "")


def _pieces(text: str) -> Iterator[str]:
    """Cut at the last blank line, line end or blank before the limit, else at the limit."""
    start = 0
    while len(text) - start > _CHUNK:
        window = text[start : start + _CHUNK]
        cut = next(
            (at for mark in ("\n\n", "\n", " ") if (at := window.rfind(mark)) > _CHUNK // 3),
            _CHUNK,
        )
        yield window[:cut].strip()
        start += cut
    yield text[start:].strip()
