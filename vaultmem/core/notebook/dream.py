"""What a model may answer in a dream: its schema, and a parser that takes nothing else."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from vaultmem.core.inert import clean
from vaultmem.core.model import Category
from vaultmem.core.notebook.answer import bare_answer
from vaultmem.core.notebook.settings import HOUR_SECONDS
from vaultmem.core.trust import Durability

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.core.json_splice import Json

EVERY_SECONDS = 3 * HOUR_SECONDS
"""Seconds between two dreams that nobody asked for (facts/topic-memory.md §14)."""
SESSIONS = 5
"""Sessions whose cards one dream is shown (the same)."""
MOST_ENTRIES = 200
"""Entries that one list of an answer may have; our own."""
MAX_REASON = 300
"""Characters of a reason, one sentence as of an agent's proposal; the rest is cut."""


class DreamAnswerError(ValueError):
    """An answer is not of the schema; its text says where."""


class Lasts(StrEnum):
    """For how long the model says that a candidate was meant."""

    PROJECT = "project"
    REPOSITORY = "repository"
    USER_GLOBAL = "user_global"
    LONG_TERM = "long_term"
    NO = "no"
    UNSURE = "unsure"

    @property
    def durability(self) -> Durability | None:
        """The durability that it means; None for what does not last, or might not."""
        return None if self in (Lasts.NO, Lasts.UNSURE) else Durability(self.value)


class Sorted(NamedTuple):
    """What the model says of one candidate."""

    id: str
    lasts: Lasts
    reason: str


class Same(NamedTuple):
    """Memories that say the same; `keep` is the one whose words are the best."""

    ids: tuple[str, ...]
    keep: str
    reason: str


class Stale(NamedTuple):
    """A memory that may hold no longer."""

    id: str
    reason: str


class Misfiled(NamedTuple):
    """A memory of the wrong category."""

    id: str
    category: Category
    reason: str


class DreamAnswer(NamedTuple):
    """A whole answer; its ids are the short ones of what the model was shown, such as `m1`."""

    candidates: tuple[Sorted, ...] = ()
    same: tuple[Same, ...] = ()
    stale: tuple[Stale, ...] = ()
    misfiled: tuple[Misfiled, ...] = ()

    @property
    def verdicts(self) -> Mapping[str, Sorted]:
        """What is said of each candidate; of several answers to one the first counts."""
        return {one.id: one for one in reversed(self.candidates)}

    def with_reasons(self, change: Callable[[str], str]) -> DreamAnswer:
        """The answer with every reason changed, which is all the prose that it has."""
        return DreamAnswer(
            candidates=tuple(one._replace(reason=change(one.reason)) for one in self.candidates),
            same=tuple(one._replace(reason=change(one.reason)) for one in self.same),
            stale=tuple(one._replace(reason=change(one.reason)) for one in self.stale),
            misfiled=tuple(one._replace(reason=change(one.reason)) for one in self.misfiled),
        )


def parse_dream(text: str) -> DreamAnswer:
    """Read an answer; every key of the schema must be there, and no other.

    Raises:
        DreamAnswerError: if it is anything else.
    """
    try:
        value = json.loads(bare_answer(text))
    except (ValueError, RecursionError):
        raise DreamAnswerError("The answer is no JSON.") from None
    parts = _parts(value, ("candidates", "same", "stale", "misfiled"))
    return DreamAnswer(
        candidates=_each(parts["candidates"], _sorted),
        same=_each(parts["same"], _same),
        stale=_each(parts["stale"], _stale),
        misfiled=_each(parts["misfiled"], _misfiled),
    )


def _sorted(entry: object) -> Sorted:
    parts = _parts(entry, ("id", "lasts", "reason"))
    return Sorted(_text(parts, "id"), Lasts(_word(parts, "lasts", Lasts)), _reason(parts))


def _same(entry: object) -> Same:
    parts = _parts(entry, ("ids", "keep", "reason"))
    ids = parts["ids"]
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise DreamAnswerError("`ids` is no list of texts.")
    return Same(tuple(dict.fromkeys(map(str, ids))), _text(parts, "keep"), _reason(parts))


def _stale(entry: object) -> Stale:
    parts = _parts(entry, ("id", "reason"))
    return Stale(_text(parts, "id"), _reason(parts))


def _misfiled(entry: object) -> Misfiled:
    parts = _parts(entry, ("id", "category", "reason"))
    category = Category(_word(parts, "category", Category))
    return Misfiled(_text(parts, "id"), category, _reason(parts))


_One = TypeVar("_One")


def _each(entries: object, read: Callable[[object], _One]) -> tuple[_One, ...]:
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        raise DreamAnswerError(f"A part is no list of at most {MOST_ENTRIES} entries.")
    return tuple(map(read, entries))


def _parts(value: object, keys: tuple[str, ...]) -> Mapping[str, object]:
    """The parts of an object that has exactly these keys."""
    if not isinstance(value, dict) or value.keys() != set(keys):
        raise DreamAnswerError(f"An object has not exactly the keys {', '.join(keys)}.")
    return value


def _text(parts: Mapping[str, object], key: str) -> str:
    value = parts[key]
    if not isinstance(value, str):
        raise DreamAnswerError(f"`{key}` is no text.")
    return value


def _word(parts: Mapping[str, object], key: str, words: type[StrEnum]) -> str:
    if (value := _text(parts, key)) in tuple(words):
        return value
    raise DreamAnswerError(f"`{key}` is none of {', '.join(words)}.")


def _reason(parts: Mapping[str, object]) -> str:
    return clean(_text(parts, "reason")).text[:MAX_REASON]


_TEXT: Json = {"type": "string"}


def _entry(**properties: Json) -> Json:
    """The schema of a list of objects, all of whose keys are required."""
    return {"type": "array", "items": _closed(properties)}


def _closed(properties: dict[str, Json]) -> Json:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


SCHEMA: Json = _closed(
    {
        "candidates": _entry(
            id=_TEXT, lasts={"type": "string", "enum": list(map(str, Lasts))}, reason=_TEXT
        ),
        "same": _entry(ids={"type": "array", "items": _TEXT}, keep=_TEXT, reason=_TEXT),
        "stale": _entry(id=_TEXT, reason=_TEXT),
        "misfiled": _entry(
            id=_TEXT, category={"type": "string", "enum": list(map(str, Category))}, reason=_TEXT
        ),
    }
)
"""The JSON schema of an answer, for a model that can be held to one."""
