"""The allow-list that every text passes on its way to a terminal, a model or a report.

Memory text is data. A character that a person cannot see may still speak to a model or a terminal,
so only what shows is let through: letters, marks on a letter, digits, punctuation, symbols and
single blanks. Two joiners that writing needs are kept where they join something.
"""

from __future__ import annotations

import re
import unicodedata

MAX_MARKS = 8
"""Combining marks kept on one letter; living scripts stack fewer (UAX 15 would allow 30)."""

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"

# Drawn as nothing although Unicode calls them letters, marks or symbols: the grapheme joiner,
# Hangul fillers, Khmer inherent vowels, Mongolian selectors, blank Braille, object replacement,
# variation selectors other than the two of emoji.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc"
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
)
_SUPPLEMENT_SELECTORS = range(0xE0100, 0xE01F0)

UNDRAWN = re.compile(f"[{''.join(_UNSEEN)}{_TEXT_STYLE}{_EMOJI_STYLE}\U000e0100-\U000e01ef]")
"""What `str.isprintable` lets through although nothing of it is drawn by itself."""

# Arabic to Malayalam and Sinhala, Myanmar, Khmer: scripts that spell with joiners.
_JOINING_SCRIPTS = (range(0x0600, 0x0E00), range(0x1000, 0x10A0), range(0x1780, 0x1800))
_KEYCAPS = frozenset("0123456789#*")
_SKIN_TONES = range(0x1F3FB, 0x1F400)

# ECMA-48 control sequences and operating-system commands, with ESC or as one C1 character.
_TERMINAL = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]"
)

# `<` in its three widths. Looked at only at the start of a run, so that long runs cost nothing.
_LESS, _MORE = "<\uff1c\ufe64", ">\uff1e\ufe65"
_TAG_NEAR = re.compile(rf"(?<![{_LESS}])[{_LESS}]++(?=$|[^\s\d=-])")
_TAG_FAR = re.compile(rf"(?<![{_LESS}])[{_LESS}]++(?=\s[^{_LESS}{_MORE}]*[{_MORE}])")
_TAG_END = re.compile(rf"‹([^{_LESS}{_MORE}‹›]*)([{_MORE}]++)")


def visible_line(text: str, limit: int | None = None) -> str:
    """Turn any text into one line that shows all it says and cannot speak as the system.

    What looks like a tag loses its angle brackets to ‹ and ›, whatever its name, case or width:
    `</project_memory>` reads `‹/project_memory›` and `<|x|>` reads `‹|x|›`. A comparison (`a < b`,
    `a <= b`) stays. Total and idempotent; never raises.

    Args:
        text: anything, lone surrogates included.
        limit: the most characters to return; a longer line ends in `…`.
    """
    if text.isascii() and text.isprintable() and "<" not in text:
        line = " ".join(text.split())
    else:
        line = _without_tags(visible_characters(_TERMINAL.sub("", text)))
    return line if limit is None else _cut(line, limit)


def visible_characters(text: str) -> str:
    """Keep the characters of the allow-list; any white space becomes one blank, ends trimmed."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    for place, char in enumerate(text):
        if char.isspace():
            kept.append(" ")
            continue
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        if _shows(char, category, marks, kept[-1:], text[place + 1 : place + 2]):
            kept.append(char)
    return " ".join("".join(kept).split())


def _shows(char: str, category: str, marks: int, before: list[str], after: str) -> bool:
    if category[0] == "C":
        return char in (_ZWNJ, _ZWJ) and bool(before and after) and _joins(before[0], char, after)
    if char in _UNSEEN or ord(char) in _SUPPLEMENT_SELECTORS:
        return False
    if category[0] != "M":
        return True
    if not before or before[0] == " ":
        return False  # it would sit on whatever is printed in front of the line
    if char in (_TEXT_STYLE, _EMOJI_STYLE):
        return before[0] in _KEYCAPS if before[0].isascii() else _is_symbol(before[0])
    return marks <= MAX_MARKS


def _is_symbol(char: str) -> bool:
    return char not in _LESS + _MORE and unicodedata.category(char) in {
        "So",
        "Sm",
        "Sk",
        "Po",
        "Pd",
    }


def _joins(before: str, joiner: str, after: str) -> bool:
    if joiner == _ZWJ and unicodedata.category(after) == "So" and after not in _UNSEEN:
        return (
            before == _EMOJI_STYLE
            or unicodedata.category(before) == "So"
            or ord(before) in _SKIN_TONES
        )
    return (
        unicodedata.category(after)[0] == "L"
        and unicodedata.category(before)[0] in "LM"
        and any(ord(before) in script for script in _JOINING_SCRIPTS)
        and any(ord(after) in script for script in _JOINING_SCRIPTS)
    )


def _without_tags(line: str) -> str:
    if not any(less in line for less in _LESS):
        return line
    line = _TAG_NEAR.sub(_soften, line)
    line = _TAG_FAR.sub(_soften, line)
    return _TAG_END.sub(lambda end: f"‹{end[1]}{'›' * len(end[2])}", line)


def _soften(match: re.Match[str]) -> str:
    return "‹" * len(match[0])


def _cut(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    if limit < 1:
        return ""
    return line[: limit - 1].rstrip(f" {_ZWJ}{_ZWNJ}{_LESS}") + "…"
