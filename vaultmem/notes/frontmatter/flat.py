"""The fast path: a flat block of one-line values and simple lists, taken only where it is certain.

A block of our own notes parses here in microseconds; whatever is not surely flat is left to
`compose`. A property test holds the two equal. What is certain: keys of ASCII letters, digits, `_`
and `-`; plain values whose first character starts nothing else in YAML and that hold no `: `, ` #`
or final `:`; quotes without escapes; lists of such values.
"""

from __future__ import annotations

import re
import sys

from vaultmem.notes.frontmatter.scalars import WORDS, Value, resolve

_PLAIN = r"""[^\s\-?:,\[\]{}#&*!|>'"%@`][^\n:#]*(?:(?::(?=\S)|(?<=\S)#)[^\n:#]*)*"""
_QUOTED = r""""[^"\\\n]*"|'[^'\n]*'"""
_FLOW_ITEM = r"[A-Za-z0-9_][A-Za-z0-9_/. -]*"
_FLOW = rf"\[ *(?:{_FLOW_ITEM}(?:, *{_FLOW_ITEM})*)?\]"
_ITEMS = rf"(?:\n *- +(?:{_PLAIN}|(?:{_QUOTED}) *(?=\n)))+"
_ENTRY = re.compile(
    rf"([A-Za-z_][A-Za-z0-9_-]{{0,199}}):"  # one of more than 1,024 is none to YAML
    rf"(?: +(?:({_PLAIN})|({_QUOTED}) *|({_FLOW}) *)| *({_ITEMS})| *)\n"
    r"|(?:#[^\n]*)?\n"
)
_VALUE, _QUOTED_VALUE, _FLOW_LIST, _BLOCK_LIST = 2, 3, 4, 5
_ITEM = re.compile(rf"\n( *)- +(?:({_PLAIN})|({_QUOTED}) *(?=\n|\Z))")
# Control characters, line breaks of other standards, surrogates, byte order marks, non-characters.
_UNSURE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_MAY_RESOLVE = frozenset("0123456789+.~ntfNTF")
_WORDS = frozenset(word.lower() for word in WORDS)


def read_flat(text: str) -> dict[str, Value] | None:
    """The properties of a block's text, or None where only the full reader can tell."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if _UNSURE.search(text):
        return None
    found: dict[str, Value] = {}
    names: set[str] = set()
    count = position = 0
    end = len(text)
    entry = _ENTRY.match
    while position < end:
        match = entry(text, position)
        if match is None:
            return None
        position = match.end()
        if match[1] is None:
            continue
        key = sys.intern(match[1])  # thousands of notes have the same few
        count += 1
        names.add(key.lower())
        kind = match.lastindex
        if kind == _VALUE:
            found[key] = _plain(match[_VALUE])
        elif kind == _QUOTED_VALUE:
            found[key] = match[_QUOTED_VALUE][1:-1]
        elif kind == _FLOW_LIST:
            inner = match[_FLOW_LIST][1:-1].strip(" ")
            found[key] = [_plain(item.strip(" ")) for item in inner.split(",")] if inner else []
        elif kind == _BLOCK_LIST:
            items = _ITEM.findall(match[_BLOCK_LIST])
            indent = items[0][0]
            if any(item[0] != indent for item in items):
                return None
            found[key] = [_plain(plain) if plain else quoted[1:-1] for _, plain, quoted in items]
        else:
            found[key] = None
    if len(names) != count or not names.isdisjoint(_WORDS):
        return None
    return found


def _plain(text: str) -> Value:
    text = text.rstrip(" ")
    return resolve(text) if text[0] in _MAY_RESOLVE else text
