"""The block of an operation in a patch note: YAML with JSON values, and its hash."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from vaultmem.core.ids import MemoryId, is_id
from vaultmem.core.inert import ledger_json
from vaultmem.core.model import Memory
from vaultmem.core.operation import (
    Changes,
    Deletion,
    Op,
    Operation,
    Risk,
    is_operation_id,
    operation_hash,
    spelled_operation,
)
from vaultmem.core.patch_effect import with_values
from vaultmem.core.values import Kind, Normal, WrongValueError, read
from vaultmem.errors import NoteUnreadableError
from vaultmem.notes import frontmatter
from vaultmem.notes.property import Property
from vaultmem.notes.schema import NoteType, properties_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.operation import Json
    from vaultmem.notes.frontmatter import Value

E = TypeVar("E", bound=StrEnum)

_STATEMENT = Property("statement", Kind.TEXT, "The words.")
_ROWS = {**properties_of(NoteType.MEMORY), "statement": _STATEMENT}
_NAMES = frozenset(
    {
        *("id", "op", "target", "candidate", "risk", "reason", "deletion", "archive"),
        *("memory", "changes", "before"),
    }
)
_WORD = re.compile(r"[a-z][a-z0-9_]*(?:_[0-7][0-9A-Z]{25})?")
_LITERALS = frozenset({"null", "true", "false"})


class AlteredError(ValueError):
    """A block is none of ours or not as we wrote it; the sentence says what is wrong."""


def operation_block(patch_id: str, operation: Operation) -> str:
    """The lines of an operation's block, without the fence; `read_operation` reads them.

    The hash is that of what a reader makes of them, so a value in an unusual spelling is settled
    here and does not look like an edit later.

    Raises:
        ValueError: a part has not the form or the kind that a reader wants.
    """
    text = "".join(map(_lines, *zip(*spelled_operation(operation).items(), strict=True)))
    digest = operation_hash(patch_id, _operation(_mapping(text)))
    return f"{text}hash: {digest}\n"


def read_operation(patch_id: str, text: str) -> Operation:
    """The operation in a block, not selected.

    Raises:
        AlteredError: it cannot be read, or does not match its hash in this patch.
    """
    values = _mapping(text)
    digest = values.pop("hash", None)
    operation = _operation(values)
    if operation_hash(patch_id, operation) != digest:
        raise AlteredError("does not match its hash")
    return operation


def _lines(name: str, part: Json | dict[str, Json]) -> str:
    if not isinstance(part, dict):
        return f"{name}: {_spelled(part)}\n"
    rows = (f"  {key}: {_spelled(value)}\n" for key, value in part.items())
    return f"{name}:\n{''.join(rows)}"


def _spelled(value: Json) -> str:
    """A value on one line: a plain word of ours, else JSON in which nothing acts (`core.inert`)."""
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled_text, value))}]"
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and value not in _LITERALS else _spelled_text(value)
    return "null" if value is None else ledger_json({"": value})[4:-1]


def _spelled_text(text: str) -> str:
    return ledger_json({"": text})[4:-1].replace("\x7f", "\\u007f")


_LINE = re.compile(r"(?P<in>  )?(?P<name>[a-z_]+):(?: (?P<value>.+))?")
_UNLIKE = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character, which JSON and YAML put together differently."""


def _plain(text: str) -> dict[str, Value] | None:
    """What a reader of YAML makes of lines as we write them, in a twentieth of the time.

    None for anything that is not exactly of this form: two levels of `name: value`, each value a
    plain word of ours or JSON, no name twice.
    """
    if _UNLIKE.search(text):
        return None
    values: dict[str, Value] = {}
    inner: dict[str, Value] | None = None
    for line in text.removesuffix("\n").split("\n"):
        found = _LINE.fullmatch(line)
        here = inner if found is not None and found["in"] else values
        if found is None or here is None or found["name"] in here:
            return None
        if found["value"] is None:
            inner = {}
            values[found["name"]] = inner
            if here is not values:
                return None
            continue
        try:
            here[found["name"]] = _scalar(found["value"])
        except (ValueError, RecursionError):
            return None
    return values


def _scalar(text: str) -> Value:
    """A value on a line.

    Raises:
        ValueError: it is not spelled as ours are.
    """
    if _WORD.fullmatch(text) and text not in _LITERALS:
        return text
    value: Value = json.loads(text, parse_constant=_no_constant)
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, dict | list) for item in items):
        raise AlteredError("holds more than two levels")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _mapping(text: str) -> dict[str, Value]:
    if (plain := _plain(text)) is not None:
        return plain
    try:
        values = frontmatter.parse_yaml(text)
    except NoteUnreadableError as error:
        raise AlteredError(f"cannot be read ({error.problem})") from None
    if not isinstance(values, dict):
        raise AlteredError("is not a list of `name: value` lines")
    return values


def _operation(values: Mapping[str, Value]) -> Operation:
    if unknown := sorted(values.keys() - _NAMES):
        raise AlteredError(f"holds `{unknown[0]}`, which no operation has")
    if not is_operation_id(values.get("id")):
        raise AlteredError("has an id of the wrong form")
    memory = _section(values, "memory")
    try:
        return Operation(
            id=str(values["id"]),
            op=_member(Op, values, "op"),
            target=_target(values),
            candidate=_identifier(values, "candidate", "cand"),
            risk=_member(Risk, values, "risk"),
            reason=_text(values, "reason") or "",
            deletion=_member(Deletion, values, "deletion")
            if "deletion" in values
            else Deletion.AUDIT,
            archive=read(Kind.CHECKBOX, values.get("archive")) is True,
            memory=_memory(memory) if memory else None,
            changes=_typed(_section(values, "changes")),
            before=_typed(_section(values, "before")),
        )
    except WrongValueError as wrong:
        raise AlteredError(str(wrong)) from None


def _memory(section: Mapping[str, Value]) -> Memory:
    values = dict(_typed(section))
    statement = values.pop("statement", None)
    identifier = values.pop("id", None)
    blank = Memory(id=MemoryId(str(identifier or "")), statement=str(statement or ""))
    return with_values(blank, values)


def _typed(section: Mapping[str, Value]) -> Changes:
    return {name: _value(name, raw) for name, raw in section.items()}


def _value(name: str, raw: Value) -> Normal:
    row = _ROWS.get(name)
    if row is None:
        raise WrongValueError(f"names `{name}`, which no memory has")
    try:
        value = row.checked(read(row.kind, raw))
    except WrongValueError as wrong:
        raise WrongValueError(f"has a wrong value: `{name}` {wrong}") from None
    return row.default if value in (None, ()) else value


def _section(values: Mapping[str, Value], name: str) -> Mapping[str, Value]:
    section = values.get(name, {})
    if not isinstance(section, dict):
        raise AlteredError(f"has a `{name}` that is not a list of `name: value` lines")
    return section


def _text(values: Mapping[str, Value], name: str) -> str | None:
    value = read(Kind.TEXT, values.get(name))
    return None if value is None else str(value)


def _member(members: type[E], values: Mapping[str, Value], name: str) -> E:
    value = _text(values, name)
    if value not in tuple(members):
        raise AlteredError(f"has a `{name}` that is none of {', '.join(members)}")
    return members(str(value))


def _identifier(values: Mapping[str, Value], name: str, prefix: str) -> str | None:
    value = values.get(name)
    if value is not None and not is_id(value, prefix):
        raise AlteredError(f"has a `{name}` that is no id")
    return None if value is None else str(value)


def _target(values: Mapping[str, Value]) -> MemoryId | None:
    value = _identifier(values, "target", "mem")
    return None if value is None else MemoryId(value)
