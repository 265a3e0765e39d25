"""The five tools of the notebook's worker, the same for every model: a call in, a sentence out."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.errors import DeskRefusedError, DiskFailedError, ReadOnlyError, UnsafePathError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.core.json_splice import Json
    from vaultmem.store.desk import Desk

DECLARED = Path(__file__).with_name("tools.json")
"""Name, description and parameters of each; Pi's extension reads the same file."""


class Told(NamedTuple):
    """What a call is answered; `is_error` where it did nothing."""

    text: str
    is_error: bool = False


class Declared(NamedTuple):
    """A tool as a model is told of it; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Json]


@cache
def declared() -> tuple[Declared, ...]:
    """The tools, in the order of the file."""
    found: list[dict[str, Json]] = json.loads(DECLARED.read_text(encoding="utf-8"))
    tools: list[Declared] = []
    for one in found:
        parameters = one["parameters"]
        assert isinstance(parameters, dict)  # our own file  # noqa: S101
        tools.append(Declared(str(one["name"]), str(one["description"]), parameters))
    return tuple(tools)


def call_tool(desk: Desk, name: str, arguments: object) -> Told:
    """Do what a model asks, as far as the desk allows it; no call raises.

    Args:
        desk: what it works on.
        name: of the tool, as the model wrote it.
        arguments: what its JSON held.
    """
    tool = next((one for one in declared() if one.name == name), None)
    if tool is None:
        names = ", ".join(one.name for one in declared())
        return Told(f"There is no such tool. There are {names}.", is_error=True)
    given = _checked(tool, arguments)
    if given is None:
        return Told(f"{name} takes other arguments. See how it is declared.", is_error=True)
    try:
        return Told(_DO[name](desk, given))
    except (DeskRefusedError, UnsafePathError, DiskFailedError, ReadOnlyError) as error:
        return Told(str(error), is_error=True)
    except OSError as error:
        return Told(f"The disk does not answer ({error.strerror}). Try once more.", is_error=True)


class _Given(NamedTuple):
    texts: dict[str, str]
    numbers: dict[str, int]


def _checked(tool: Declared, arguments: object) -> _Given | None:
    """The arguments, if they are those that the tool is declared with."""
    properties, required = tool.parameters["properties"], tool.parameters["required"]
    if not (isinstance(arguments, dict) and isinstance(properties, dict)):
        return None
    given = _Given({}, {})
    for key, value in arguments.items():
        kind = properties.get(key)
        match kind, value:
            case {"type": "string"}, str():
                given.texts[key] = value
            case {"type": "integer"}, int() if not isinstance(value, bool):
                given.numbers[key] = value
            case _:
                return None
    wanted = required if isinstance(required, list) else []
    return given if all(one in given.texts for one in wanted) else None


def _list(desk: Desk, given: _Given) -> str:
    skip = max(given.numbers.get("skip", 0), 0)
    names, more = desk.list(given.texts.get("path", ""), skip=skip)
    text = "\n".join(names) or "Nothing is there."
    return f"{text}\n[there is more: skip={skip + len(names)}]" if more else text


def _read(desk: Desk, given: _Given) -> str:
    first, most = given.numbers.get("first_line", 1), given.numbers.get("most_lines")
    part = desk.read(given.texts["path"], first=first, most=most)
    if part.last == part.total and not part.cut:
        return part.text or "The file is empty."
    head = part.text if part.text.endswith("\n") else f"{part.text}\n"
    how = "its end is left out; " if part.cut else ""
    return f"{head}[line {part.last} of {part.total}: {how}read on with first_line={part.last + 1}]"


def _write(desk: Desk, given: _Given) -> str:
    path = given.texts["path"]
    desk.write(path, given.texts["text"])
    return f"{path} is written."


def _edit(desk: Desk, given: _Given) -> str:
    path = given.texts["path"]
    desk.edit(path, given.texts["old"], given.texts["new"])
    return f"{path} is changed."


def _remove(desk: Desk, given: _Given) -> str:
    path = given.texts["path"]
    desk.remove(path)
    return f"{path} is removed."


_DO: Mapping[str, Callable[[Desk, _Given], str]] = {
    "notebook_list": _list,
    "notebook_read": _read,
    "notebook_write": _write,
    "notebook_edit": _edit,
    "notebook_remove": _remove,
}
