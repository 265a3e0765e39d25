"""The draft of a knowledge note, after the vault's own template where it has one.

A template holds placeholders of Obsidian's core plugin Templates; nothing else of it is run. A
draft has none left, and properties that can be read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import escape_inline
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

NAMES = (
    "knowledge note",
    "knowledge",
    "concept",
    "evergreen note",
    "evergreen",
    "permanent note",
    "permanent",
    "zettel",
    "zettelkasten",
    "atomic note",
    "atomic",
    "note",
    "default",
)
"""What the template of a knowledge note is called, `template` apart, the most telling first."""

PLAIN = b'---\naliases: []\ntags: []\ncreated: "{{date}}"\n---\n# {{title}}\n\n## Sources\n'
"""Stands in where the vault has no template that fits."""

_PLACEHOLDER = re.compile(r"\{\{\s*(title|date|time)\s*(?::([^{}\n]*))?\}\}", re.IGNORECASE)
_LEFT = re.compile(r"\{\{[^{}\n]*\}\}|<%.*?%>", re.DOTALL)
_UNSAFE = re.compile(r"[\"'\\\\:#\[\]{}<>%]")
"""What a title must not bring into a property, whatever quotes stand around it."""
_TOKEN = re.compile(r"\[[^\]\n]*\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a")
_FORMATS = {
    "YYYY": "%Y",
    "YY": "%y",
    "MMMM": "%B",
    "MMM": "%b",
    "MM": "%m",
    "DD": "%d",
    "dddd": "%A",
    "ddd": "%a",
    "HH": "%H",
    "hh": "%I",
    "mm": "%M",
    "ss": "%S",
    "A": "%p",
}
"""The tokens of Moment that templates use, as `strftime` spells them; others are numbers."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_SAYS = ("definition", "in short", "summary", "overview", "key facts", "idea", "notes", "details")
_SOURCES = ("sources", "source", "references", "reference", "related", "links", "see also")


class Draft(NamedTuple):
    """What a draft is made of.

    Attributes:
        title: the note's name.
        statement: what the memory says.
        sources: links to the memory and to its evidence.
        now: local to the person.
    """

    title: str
    statement: str
    sources: tuple[str, ...]
    now: datetime


def pick_template(names: Iterable[str]) -> str | None:
    """Which of the templates is one for knowledge, by its title; None for none of them."""
    ranked = sorted((rank, name) for name in names if (rank := _rank(name)) is not None)
    return ranked[0][1] if ranked else None


def knowledge_draft(draft: Draft, template: bytes = PLAIN) -> str:
    """The text of the note: the template filled in, the statement, and where it comes from.

    A template that cannot be read, or that is for a note of ours, gives way to a plain one.
    """
    return _filled(draft, template) or _filled(draft, PLAIN) or ""


def _rank(name: str) -> int | None:
    words = re.sub(r"\btemplates?\b|[-_()]", " ", name.casefold())
    title = " ".join(words.split())
    return NAMES.index(title) if title in NAMES else None


def _filled(draft: Draft, template: bytes) -> str | None:
    title = _UNSAFE.sub("", draft.title).strip()

    def place(found: re.Match[str]) -> str:
        name, wanted = found[1].casefold(), found[2]
        if name == "title":
            return title
        return _moment(draft.now, wanted or ("YYYY-MM-DD" if name == "date" else "HH:mm"))

    try:
        text = template.decode("utf-8-sig").replace("\r\n", "\n")
        text = _LEFT.sub("", _PLACEHOLDER.sub(place, text))
        block = frontmatter.read(text.encode())
    except (UnicodeDecodeError, NoteUnreadableError):
        return None
    if str(block.properties.get("type")) in tuple(NoteType):
        return None
    head = text[: len(text) - len(block.body)]
    end = "\n" if head and not head.endswith("\n") else ""  # a template of properties alone
    return f"{head}{end}{_with_content(block.body, draft)}"


def _moment(now: datetime, wanted: str) -> str:
    numbers = {
        "M": str(now.month),
        "D": str(now.day),
        "H": str(now.hour),
        "h": str(now.hour % 12 or 12),
        "m": str(now.minute),
        "s": str(now.second),
        "a": now.strftime("%p").casefold(),
    }

    def spell(found: re.Match[str]) -> str:
        token = found[0]
        if token.startswith("["):
            return token[1:-1]
        return now.strftime(_FORMATS[token]) if token in _FORMATS else numbers[token]

    return _TOKEN.sub(spell, wanted.strip())


def _with_content(body: str, draft: Draft) -> str:
    sources = "\n".join(f"- {one}" for one in draft.sources)
    body = _below(body, _SOURCES, sources) or f"{body.rstrip()}\n\n## Sources\n\n{sources}\n"
    statement = escape_inline(draft.statement)
    first = _below(body, _SAYS, statement) or _below_title(body, statement)
    return first.lstrip("\n")


def _below(body: str, names: tuple[str, ...], text: str) -> str | None:
    """The body with a text under the first heading of such a name; None without one."""
    for name in names:
        for found in _HEADING.finditer(body):
            if found[2].casefold() == name:
                return _inserted(body, found.end(), text)
    return None


def _below_title(body: str, text: str) -> str:
    title = _HEADING.search(body)
    if title is None or title[1] != "#":
        return f"{text}\n\n{body.lstrip()}"
    return _inserted(body, title.end(), text)


def _inserted(body: str, at: int, text: str) -> str:
    rest = body[at:].lstrip("\n")
    return f"{body[:at]}\n\n{text}\n" + (f"\n{rest}" if rest else "")
