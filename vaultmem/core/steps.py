"""The steps of a procedure that a statement tells, and the name that its skill would have."""

from __future__ import annotations

import re
import unicodedata

from vaultmem.core.inline import code_spans

MAX_SLUG = 40
"""Characters of a skill's name; from the topic-file memory, §11."""

_LIST_AT = 3
"""Items from which a list behind a word such as "workflow" is a procedure."""

_ARROW = re.compile(r"\s*(?:→|⇒)\s*|\s+[-=]>\s+")
_NUMBERED = re.compile(r"(?:^|\s)(?:step\s+(\d{1,2})\s*[:.)-]|\(?(\d{1,2})[.)])\s+", re.IGNORECASE)
_FIRST = re.compile(r"^first(?:ly)?\b,?\s+(?=\S)", re.IGNORECASE)
_THEN = re.compile(
    r"\s*[,;.]?\s*\b(?:and\s+)?(?:then|after\s+that|afterwards|finally)\b[,:]?\s+", re.IGNORECASE
)
_CONDITION = re.compile(r"\b(?:if|when|once|until|whenever|unless)\b[^.;]*$", re.IGNORECASE)
"""Before a "then" that answers a condition and begins no step."""
_LEAD = re.compile(
    r"^[^:]*\b(?:workflow|procedure|steps?|pipeline|process|order|sequence|checklist|runbook|follows?)"
    r"\b[^:]*:\s+",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^[^:`→]{1,60}:\s+")
_ITEM = re.compile(r"\s*[,;]\s*(?:and\s+|then\s+)?|\s+and\s+(?=\S+(?:\s+\S+){0,4}\.?$)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_NO_SLUG = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[a-z]{2}")
"""What a name must hold to say anything: the rest of another script's text rarely does."""


def steps_of(statement: str) -> tuple[str, ...]:
    """The steps that a statement tells in order; () where it tells no procedure.

    Steps are numbered, joined by arrows or by "then", or are a list of three or more behind a word
    such as "workflow". What stands in code parts nothing, and neither does "if …, then …".
    """
    masked, kept = _without_code(statement)
    for split in (_by_number, _by_arrow, _by_then, _by_list):
        found = [step for part in split(masked) if (step := _clean(part, kept))]
        if len(found) > 1:
            return tuple(found)
    return ()


def slug(text: str) -> str:
    """A name of small letters, digits and hyphens, cut at a word; "" where no word is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
    name = _NO_SLUG.sub("-", plain).strip("-")
    if len(name) > MAX_SLUG:
        cut = name[: MAX_SLUG + 1].rpartition("-")[0]
        name = (cut or name[:MAX_SLUG]).strip("-")
    return name if _WORD.search(name) else ""


def title_of_procedure(statement: str) -> str:
    """What a procedure is called: the words before its steps, else its first step."""
    label = _LABEL.match(statement)
    if label is not None and _NUMBERED.match(label[0]) is None:
        return label[0].rstrip(": ")
    steps = steps_of(statement)
    return steps[0] if steps else statement


def _by_number(text: str) -> list[str]:
    """The texts behind 1, 2, 3; numbers in another order end sentences and count nothing."""
    marks = list(_NUMBERED.finditer(text))
    if [int(mark[1] or mark[2]) for mark in marks] != list(range(1, len(marks) + 1)) or not marks:
        return []
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]


def _by_arrow(text: str) -> list[str]:
    return _ARROW.split(_LABEL.sub("", text)) if _ARROW.search(text) else []


def _by_then(text: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for mark in _THEN.finditer(text):
        before = text[start : mark.start()]
        if before.strip() and _CONDITION.search(before) is None:
            parts.append(before)
            start = mark.end()
    if not parts:
        return []
    parts.append(text[start:])
    parts[0] = _LABEL.sub("", parts[0])
    return [piece for part in parts for piece in _SENTENCE.split(part)]


def _by_list(text: str) -> list[str]:
    lead = _LEAD.match(text)
    if lead is None:
        return []
    items = _ITEM.split(text[lead.end() :])
    return items if len(items) >= _LIST_AT else []


def _clean(part: str, kept: list[str]) -> str:
    """One step as a sentence of its own, with the code that was covered."""
    step = _FIRST.sub("", part.strip(" ,;.:-–—"))
    for place, code in enumerate(kept):
        step = step.replace(_hole(place), code)
    return step[:1].upper() + step[1:]


def _without_code(statement: str) -> tuple[str, list[str]]:
    """The statement with each code span covered by one private character, and the spans."""
    kept: list[str] = []
    parts: list[str] = []
    last = 0
    for span in code_spans(statement, source=False):
        parts += (statement[last : span.start], _hole(len(kept)))
        kept.append(statement[span.start : span.end])
        last = span.end
    return "".join((*parts, statement[last:])), kept


def _hole(place: int) -> str:
    return chr(0xF0000 + place)
