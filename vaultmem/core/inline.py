"""Reads one paragraph of Markdown far enough to know what is code and what a reader cannot see."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open offsets into a text; `ticks` is the number of backticks on each side."""

    start: int
    end: int
    ticks: int


class Visible(NamedTuple):
    """A text without the parts that reading view hides, and those parts."""

    text: str
    removed: tuple[str, ...]


_RUN = re.compile(r"`+")
_RUN_OR_ESCAPE = re.compile(r"\\.|`+", re.DOTALL)

PUNCTUATION = r"[!-/:-@\[-`{-~]"
"""What a backslash can escape: ASCII punctuation (CommonMark 0.31.2, section 2.4)."""

TAG_CHARACTER = r"(?:[\w/-]|[^\x00-\u203b\u3000-\u303f\ue000-\uf8ff\uff00-\uffef\s])"
"""What Obsidian takes into a tag: letters, digits, `_`, `-`, `/`, emoji (help page "Tags")."""

_STOP = re.compile(r"`+|%%|<")
_STOP_OR_ESCAPE = re.compile(rf"\\{PUNCTUATION}|`+|%%|<")

# CommonMark 0.31.2, section 6.6: raw HTML.
_ATTRIBUTE = r"""\s+[A-Za-z_:][\w.:-]*+(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?+"""
_TAG = re.compile(
    rf"</([A-Za-z][A-Za-z0-9-]*)\s*>|<([A-Za-z][A-Za-z0-9-]*)((?:{_ATTRIBUTE})*+)\s*/?>"
)
_QUOTED = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_DECLARATION = re.compile(r"<![A-Za-z][^>]*>")

# https://html.spec.whatwg.org/multipage/indices.html: elements that a sanitised note may hold.
_ELEMENT_NAMES = """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink
    blockquote body br button canvas caption center cite code col colgroup data datalist dd del
    details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame
    frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li
    link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup
    option output p param picture plaintext pre progress q rp rt ruby s samp script search section
    select slot small source span strike strong style sub summary sup svg table tbody td template
    textarea tfoot th thead time title tr track tt u ul var video wbr xmp
"""
_ELEMENTS = frozenset(_ELEMENT_NAMES.split())
_BREAK_NAMES = "br hr p div li tr dt dd h1 h2 h3 h4 h5 h6 td th blockquote section"
_BREAKS = frozenset(_BREAK_NAMES.split())
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
_VOID = frozenset(_VOID_NAMES.split())
# Their content is no text of the page, or only where the element cannot be shown.
_OPAQUE_NAMES = (
    "audio canvas datalist head iframe math noframes noscript object script style svg template "
    "textarea title video"
)
_OPAQUE = frozenset(_OPAQUE_NAMES.split())
# With these an element's text can be made too small, too pale or not there at all.
_DISGUISE = re.compile(
    r"\s(?:style|hidden|class|color|bgcolor|size|face|aria-hidden|popover)\b", re.I
)


class Ticks:
    """Where the runs of backticks of a text are, to find the one that closes a code span."""

    def __init__(self, text: str) -> None:
        self._starts: dict[int, list[int]] = {}
        for run in _RUN.finditer(text):
            self._starts.setdefault(run.end() - run.start(), []).append(run.start())

    def close(self, place: int, ticks: int) -> int | None:
        """The end of the first run of exactly that many backticks at or after `place`."""
        candidates = self._starts.get(ticks, [])
        index = bisect_left(candidates, place)
        return candidates[index] + ticks if index < len(candidates) else None


def code_spans(text: str, *, source: bool) -> list[Span]:
    """Find the code spans of one paragraph, left to right, not overlapping.

    Args:
        text: the paragraph.
        source: whether it is Markdown source, where a backslash keeps a backtick from opening a
            span; in plain text a backslash is only a backslash.
    """
    if "`" not in text:
        return []
    ticks = Ticks(text)
    spans: list[Span] = []
    place = 0
    opener = (_RUN_OR_ESCAPE if source else _RUN).search
    while (found := opener(text, place)) is not None:
        place = found.end()
        if found[0][0] == "`" and (end := ticks.close(place, len(found[0]))) is not None:
            spans.append(Span(found.start(), end, len(found[0])))
            place = end
    return spans


def visible_part(text: str, *, source: bool) -> Visible:
    """Take out what reading view does not show: `%%…%%`, HTML comments and tags, outside code.

    In Markdown source every tag is unseen, and a `%%` without its partner hides the rest. In plain
    text, which will be escaped, a bare `<word>` that is no HTML element is a placeholder
    (`git push origin <branch>`, `Vec<u8>`) and stays, and so does a lone `%%`.

    Args:
        text: one paragraph.
        source: whether it is Markdown source, as for `code_spans`.
    """
    if "<" not in text and "%%" not in text:
        return Visible(text, ())
    return _Scan(text, source=source).run()


class _Scan:
    """One pass over a text, leftmost construct first, as CommonMark reads inline content."""

    def __init__(self, text: str, *, source: bool) -> None:
        self.text = text
        self.source = source
        self.kept: list[str] = []
        self.removed: list[str] = []
        self.missing: set[str] = set()  # terminators that do not occur any more

    def run(self) -> Visible:
        text, place = self.text, 0
        ends = {span.start: span.end for span in code_spans(text, source=self.source)}
        stop = (_STOP_OR_ESCAPE if self.source else _STOP).search
        while (found := stop(text, place)) is not None:
            at = found.start()
            self.kept.append(text[place:at])
            end, instead = self._unseen(at, found[0])
            if end is not None:
                self.removed.append(text[at:end])
                self.kept.append(instead)
                place = end
            else:
                place = ends.get(at, found.end())
                self.kept.append(text[at:place])
        self.kept.append(text[place:])
        return Visible("".join(self.kept), tuple(self.removed))

    def _unseen(self, at: int, what: str) -> tuple[int | None, str]:
        """The end of the unseen part that starts here and what stands in its place, or None."""
        if what == "%%":
            end = self._after("%%", at + 2)
            return (len(self.text) if end is None and self.source else end), ""
        if what == "<":
            return self._tag(at)
        return None, ""

    def _tag(self, at: int) -> tuple[int | None, str]:
        for opening, closing in _QUOTED:
            if self.text.startswith(opening, at):
                return self._after(closing, at + len(opening)), ""
        if (declaration := _DECLARATION.match(self.text, at)) is not None:
            return declaration.end(), ""
        if (tag := _TAG.match(self.text, at)) is None:
            return None, ""
        name = (tag[1] or tag[2]).lower()
        if not self.source and not tag[1] and not tag[3] and name not in _ELEMENTS:
            return None, ""
        return self._element_end(tag, name), " " if name in _BREAKS else ""

    def _element_end(self, tag: re.Match[str], name: str) -> int:
        if tag[1] or name in _VOID or not (name in _OPAQUE or _DISGUISE.search(tag[3])):
            return tag.end()
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.text, tag.end())
        return closing.end() if closing is not None else len(self.text)

    def _after(self, terminator: str, place: int) -> int | None:
        if terminator in self.missing:
            return None
        found = self.text.find(terminator, place)
        if found < 0:
            self.missing.add(terminator)
            return None
        return found + len(terminator)
