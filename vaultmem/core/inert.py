"""Makes captured text inert, so that no note we write loads, links, tags, runs or ticks anything.

Three shapes: one line inside a paragraph (`escape_inline`, undone by `unescape_inline`), a block
(`fence`), and free text in a machine's list (`ledger_json`). What cannot be made both inert and
visible is taken out by `clean`, which says what it took.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from vaultmem.core.inline import PUNCTUATION, Visible, code_spans, visible_part
from vaultmem.core.visible import UNDRAWN, visible_characters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.inline import Span

_TEMPLATE = re.compile(r"<(?=%)")
_PASSES = 20
"""Taking a tag out can make another; text that still changes after so many passes is hostile."""

# Outside code, each match is one character that gets a backslash.
_SPECIAL = re.compile(
    rf"""
      \\(?={PUNCTUATION}|$)             # a backslash that would escape what follows
    | <                                 # HTML, autolinks
    | &(?=\#?\w+;)                      # an entity would show as something else
    | (?<=[!^\[\]])\[ | \[(?=[\[^!])    # images, wikilinks, references, footnotes, callouts
    | (?<=\])\(                         # links
    | (?<=:): | (?<=:)/(?=/)            # inline fields, bare addresses
    | \#(?!\s|\d*(?:$|[\s.,;:!?)\]]))   # tags; a number alone is none
    | \^(?=[\w-]+$)                     # block id
    | (?<=%)% | %(?=%)                  # a lone comment mark
    """,
    re.VERBOSE,
)
_DOLLAR = re.compile(r"\$")
_TICK = re.compile("`")

# At the start of a line, the character in group 1 would begin a block, or a task after a list mark.
_BLOCK_START = re.compile(
    r"""
      ([-+*])(?=\s|$) | ([*_-])(?=[*_\s-]*$) | (=)(?=[=\s]*$)
    | ([>|\[]) | (~)(?=~~) | (:)(?=\s) | (\#)(?=\#*(?:\s|$)) | \d{1,9}([.)])(?=\s|$)
    """,
    re.VERBOSE,
)
_DECISION = re.compile(r"#decision(?=$|[\s:])")

# Code that plugins run: Dataview's inline queries, Meta Bind's fields, Buttons.
_RUNS = re.compile(r"\s*(?:\$?=|(?:INPUT|VIEW|BUTTON)\[|button-)")

_WHOLE_LINK = re.compile(r"!?(?:\[\[.*\]\]|\[.*\]\(.*\))")

_ESCAPED = re.compile(rf"\\({PUNCTUATION})")


def clean(text: str) -> Visible:
    """The text as one visible line: what a reader of the note will see, and what was taken out.

    Characters outside the allow-list of `core.visible` go; `%%…%%`, HTML comments and tags go with
    a report; `<%` becomes `< %`, also inside code, which Templater does not know. Idempotent.
    """
    removed: list[str] = []
    for _ in range(_PASSES):
        seen = visible_part(visible_characters(text), source=False)
        removed.extend(seen.removed)
        after = visible_characters(_TEMPLATE.sub("< ", seen.text))
        if after == text:
            return Visible(text, tuple(removed))
        text = after
    text = re.sub("%%+", "%", text.replace("<", "‹"))
    return Visible(visible_characters(text), tuple(removed))


def escape_inline(text: str) -> str:
    """Spell a captured text so that it is one paragraph of plain words, code and emphasis.

    For statements, titles and log lines, at the start of a line or after a list mark. Code spans
    stay, except those that a plugin would run; a leading `#decision` stays a tag.
    `unescape_inline` gives `clean(text).text` back.
    """
    text = clean(text).text
    spans = [span for span in code_spans(text, source=False) if not _must_break(text, span)]
    places = _block_start(text)
    plain = _outside(spans, len(text))
    for start, end in plain:
        places.update(found.start() for found in _SPECIAL.finditer(text, start, end))
        places.update(found.start() for found in _TICK.finditer(text, start, end))
    dollars = {found.start() for a, b in plain for found in _DOLLAR.finditer(text, a, b)}
    if len(dollars) > 1:  # one alone is no formula
        places |= dollars
    if _DECISION.match(text):
        places.discard(0)
    return _with_backslashes(text, places)


def inert_value(text: str) -> str:
    """Spell a captured text as the value of a text property.

    Properties know no escapes, so this loses a little: one visible line, `<%` broken, and a value
    that as a whole is a link gets a blank between its brackets. Idempotent.
    """
    text = visible_characters(_TEMPLATE.sub("< ", visible_characters(text)))
    if _WHOLE_LINK.fullmatch(text):
        text = text.replace("](", "] (").replace("[[", "[ [", 1)
    return text


def unescape_inline(text: str) -> str:
    """Read one paragraph of Markdown source: backslash escapes undone outside code spans."""
    if "\\" not in text:
        return text
    parts: list[str] = []
    spans = code_spans(text, source=True)
    place = 0
    for span in spans:
        parts.append(_ESCAPED.sub(r"\1", text[place : span.start]))
        parts.append(text[span.start : span.end])
        place = span.end
    parts.append(_ESCAPED.sub(r"\1", text[place:]))
    return "".join(parts)


def fence(text: str) -> str:
    """A fenced block holding `text`, without a line end after it.

    The fence is longer than any run of backticks inside. Lines end in a line feed; control
    characters and lone surrogates, which would make the whole note unreadable, go; `<%` is broken.
    """
    body = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text)
    body = re.sub(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff]", "", body)
    body = _TEMPLATE.sub("< ", body)
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
    return f"{ticks}\n{body}\n{ticks}" if body else f"{ticks}\n{ticks}"


def inside_fence(text: str) -> str:
    """The text as it comes back from a fenced block of a note."""
    return "\n".join(fence(text).split("\n")[1:-1])


_JSON_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "![]<>#%^$=|`"}


def ledger_json(obj: Mapping[str, str | int | float | bool]) -> str:
    r"""Spell a flat object as one line of JSON that no Markdown reader and no plugin acts on.

    Besides `! [ ] < > # % ^ $ = |` and the backtick, what cannot be seen and the second colon and
    the slash of `::` and `://` are `\u` escapes. `json.loads` gives the object back.

    Raises:
        ValueError: on a number that JSON does not have (NaN, infinity).
    """
    text = json.dumps(obj, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    text = text.translate(_JSON_ESCAPES)
    text = re.sub("(?<=:):", r"\\u003a", text)  # two colons meet only inside a string
    text = text.replace("://", ":\\u002f/")
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escaped(char) for char in text)
    return UNDRAWN.sub(lambda found: _escaped(found[0]), text)


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]


def _must_break(text: str, span: Span) -> bool:
    """Whether a code span would run, or would open a fenced block at the start of a line."""
    if span.start == 0 and span.ticks >= 3:
        return True
    return _RUNS.match(text, span.start + span.ticks, span.end - span.ticks) is not None


def _block_start(text: str) -> set[int]:
    found = _BLOCK_START.match(text)
    return set() if found is None else {found.start(found.lastindex or 0)}


def _outside(spans: list[Span], length: int) -> list[tuple[int, int]]:
    starts = [0, *(span.end for span in spans)]
    ends = [*(span.start for span in spans), length]
    return list(zip(starts, ends, strict=True))


def _with_backslashes(text: str, places: set[int]) -> str:
    parts: list[str] = []
    last = 0
    for place in sorted(places):
        parts += (text[last:place], "\\")
        last = place
    parts.append(text[last:])
    return "".join(parts)
