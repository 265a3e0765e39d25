"""What a model answers about one session: the form that is asked for, and its strict reading.

The form is that of notebook.md, section 4, with `memories` added: what may become a memory by way
of the inbox. An answer without a summary or without a card is a good one: nothing is worth keeping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.json_splice import Json, load
from vaultmem.core.model import Category
from vaultmem.core.notebook.answer import bare_answer
from vaultmem.core.notebook.legible import legible

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_MEMORIES = 10
"""Statements of one session that are proposed; an answer names the most useful ones first."""
MAX_ANSWER = 200_000
"""Characters of an answer that is read; the largest output that is asked for is far smaller."""

SUMMARY, SLUG, CARD, MEMORIES = "rollout_summary", "rollout_slug", "raw_memory", "memories"
_STATEMENT, _CATEGORY, _QUOTE = "statement", "category", "quote"

_MEMORY: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": [_STATEMENT, _CATEGORY, _QUOTE],
    "properties": {
        _STATEMENT: {"type": "string"},
        _CATEGORY: {"type": "string", "enum": [one.value for one in Category]},
        _QUOTE: {"type": "string"},
    },
}
SCHEMA: dict[str, Json] = {
    "type": "object",
    "additionalProperties": False,
    "required": [CARD, SLUG, SUMMARY, MEMORIES],
    "properties": {
        SUMMARY: {"type": "string"},
        SLUG: {"type": ["string", "null"]},
        CARD: {"type": "string"},
        MEMORIES: {"type": "array", "items": _MEMORY},
    },
}
"""The JSON schema that the model is given. It uses only what strict structured output knows."""


class AnswerError(ValueError):
    """The answer is not of the form that was asked for; the text says how, without its words."""


class Remembered(NamedTuple):
    """One statement that the model would have remembered.

    Attributes:
        quote: the words of the transcript that it rests on, "" for none.
    """

    statement: str
    category: Category
    quote: str


class Extracted(NamedTuple):
    """What is worth keeping of a session.

    Attributes:
        summary: what was done, found and decided; never blank.
        slug: a few words, as the model gave them; None for none.
        card: the notes that consolidation works from; never blank.
        memories: at most `MAX_MEMORIES`.
    """

    summary: str
    slug: str | None
    card: str
    memories: tuple[Remembered, ...] = ()


def parse_answer(text: str) -> Extracted | None:
    """Read an answer; None where it says that nothing is worth keeping.

    A missing slug counts as null and a missing list of memories as an empty one. Everything else
    that the form does not know is refused, as is a key that comes twice.

    Raises:
        AnswerError: if it is not of the form of `SCHEMA`.
    """
    answer = _read(text)
    if answer.keys() - {SUMMARY, SLUG, CARD, MEMORIES}:
        raise AnswerError("the answer has an unknown key")
    slug = answer.get(SLUG)
    made = Extracted(
        summary=_string(answer, SUMMARY),
        slug=None if slug is None else _string(answer, SLUG),
        card=_string(answer, CARD),
        memories=_memories(answer.get(MEMORIES, [])),
    )
    return made if made.summary and made.card else None


def _read(text: str) -> Mapping[str, Json]:
    if len(text) > MAX_ANSWER:
        raise AnswerError(f"the answer has more than {MAX_ANSWER} characters")
    try:
        return load(bare_answer(text))
    except ValueError as error:  # also a number of more digits than Python reads
        raise AnswerError("the answer is no JSON object, or has a key twice") from error


def _memories(value: Json) -> tuple[Remembered, ...]:
    if not isinstance(value, list):
        raise AnswerError(f"{MEMORIES} is no list")
    return tuple(map(_memory, value[:MAX_MEMORIES]))


def _memory(value: Json) -> Remembered:
    if not isinstance(value, dict) or value.keys() != {_STATEMENT, _CATEGORY, _QUOTE}:
        raise AnswerError(f"an entry of {MEMORIES} has not just statement, category and quote")
    category = _string(value, _CATEGORY)
    if category not in set(Category):
        raise AnswerError(f"an entry of {MEMORIES} has an unknown category")
    return Remembered(_string(value, _STATEMENT), Category(category), _string(value, _QUOTE))


def _string(fields: Mapping[str, Json], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise AnswerError(f"{key} is missing or no string")
    return legible(value).strip()
