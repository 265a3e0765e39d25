"""Writes docs/reference/hook-protocol.md and templates/pi/tools.json; a test compares both.

`python -m tests.hooks.protocol --write` after a change of the wire, the examples or the tools.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
from pathlib import Path

import click

from tests.reference import every_command
from vaultmem.hooks import payloads
from vaultmem.hooks.answers import Code
from vaultmem.hooks.parsing import READERS
from vaultmem.hooks.telling import NOT_HERE
from vaultmem.hooks.tools import SUBCOMMANDS, TOOLS, Subcommand, tools_json
from vaultmem.hooks.ways import LIMITS, Way
from vaultmem.hooks.wire import MAX_LINE, VERSION, read_request

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/hook-protocol.md"
TOOLS_FILE = ROOT / "templates/pi/tools.json"
EXAMPLES = Path(__file__).parent / "examples"

INTRODUCTION = f"""\
# Hook protocol

How an extension of a coding agent speaks with vaultmem. `vaultmem serve` reads requests from
stdin and answers on stdout; `vaultmem hook EVENT` answers one event, whose payload it reads from
stdin. This page is a specification: the examples are the files that the tests of both sides read.

## Lines

A message is one JSON object in one line, in UTF-8, of at most {MAX_LINE:,} bytes. Ours are ASCII.

    {{"v": {VERSION}, "id": 7, "event": "tool_call", "payload": {{…}}}}
    {{"v": {VERSION}, "id": 7, "result": {{…}}}}
    {{"v": {VERSION}, "id": 7, "error": {{"code": "timeout", "message": "…", "remedy": "…"}}}}

`id` is a positive whole number that the sender chooses; answers may come in any order. Another `v`
is refused: both sides are installed together. A field that we do not know has no effect, one that
is null counts as absent. `hook` reads the payload alone and answers `{{"result": …}}` or
`{{"error": …}}`, with exit code 0.

An event is answered after {LIMITS[Way.EVENT]:g} seconds at the latest, `tool`, `command` and `ui`
after {LIMITS[Way.WORK]:g}; a `tool_result` may take as long as `result_seconds` of the rules says.
What takes longer is answered with `timeout`, and its work may go on. `rules` is answered at once,
whatever else is at work: it is a sign of life as well. The extension goes on without an answer: it
never breaks a turn, and still holds the literal block rules that it was told last.

Who speaks: `tool` is the agent. `input`, `command` and `ui` are the person, and count only in a
process that the agent's extension started itself: one that is started by a tool of the agent
refuses `command` and `ui` and hears no `input`. All other events are nobody's: they look, check and
inject. The process ends when its stdin is closed, or when the agent's process is gone.
"""

TYPES = {
    "str": "text",
    "bool": "true or false",
    "int": "whole number",
    "Json": "object",
    "tuple[str, ...]": "list of texts",
    "tuple[UsedTool, ...]": "list of objects: `tool`, `call`, `input`, `is_error`, `ran`",
    "tuple[MissedTool, ...]": "list of objects: `tool`, `call`, `at`, `ended`",
}


def example(name: str) -> dict:
    """The examples of an event or a matter, as their file holds them."""
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION, "## Events\n", *(_event(name) for name in READERS)]
    return "\n".join([*parts, _errors(), _tools(), _commands()])


def _event(name: str) -> str:
    cases = example(name)["cases"]
    kind = type(read_request(json.dumps(cases[0]["request"]).encode()).payload)
    first, *more = inspect.getdoc(kind).split("\n\n")
    if more and not more[0].startswith("Attributes:"):
        first += f"\n\n{more[0]}"
    lines = [f"### `{name}`\n", _code(f"{first}\n")]
    said = _attributes(kind)
    lines += ["| field | type | meaning |", "|---|---|---|"]
    for one in dataclasses.fields(kind):
        meaning = said.get(one.name, "")
        lines.append(f"| `{one.name}` | {TYPES[one.type]} | {_code(meaning)} |")
    lines.append("")
    for case in cases:
        sent = json.dumps(case["request"]["payload"], ensure_ascii=False, indent=2)
        told = json.dumps(case["answer"]["result"], ensure_ascii=False, indent=2)
        lines += [case["about"], "", "```json", f"{sent}", "```", "", "```json", told, "```", ""]
    return "\n".join(lines)


def _attributes(kind: type) -> dict[str, str]:
    """What the docstrings of a class and its bases say of its fields."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        _, _, text = (inspect.getdoc(one) or "").partition("Attributes:\n")
        for match in re.finditer(r"^    ([\w, ]+): ((?:.|\n {8})*)", text, re.MULTILINE):
            for name in match[1].split(", "):
                found[name] = " ".join(match[2].split())
    return found


def _code(text: str) -> str:
    """References to constants as what they hold."""
    for name in ("REASONS", "SOURCES", "OUTCOMES", "ROLES", "MODES"):
        words = ", ".join(getattr(payloads, name))
        text = text.replace(f"one of `{name}`", f"one of {words}")
    return text.replace("as `hooks.tools` describes them", "as the table below describes them")


def _errors() -> str:
    lines = ["## Errors\n", "| code | meaning |", "|---|---|"]
    meanings = {
        Code.BAD_REQUEST: "The line is no request; the message names the field.",
        Code.TOO_LARGE: "The line, or the answer, is too long.",
        Code.UNSUPPORTED_VERSION: "Another version of the protocol.",
        Code.UNKNOWN_EVENT: "An event that we do not know.",
        Code.REFUSED: "The actor may not do that.",
        Code.FAILED: "Something that a person can mend; `remedy` or the message says how.",
        Code.TIMEOUT: "It took longer than its limit.",
        Code.BUG: "Our fault; `vaultmem doctor` names the log.",
    }
    lines += [f"| `{code.value}` | {meanings[code]} |" for code in Code]
    return "\n".join([*lines, ""])


def _tools() -> str:
    lines = ["## Tools\n", "`templates/pi/tools.json` holds the same for the extension.\n"]
    for tool in TOOLS:
        lines += [f"### `{tool.name}`\n", f"{tool.doc}\n"]
        if not tool.parameters:
            continue
        lines += ["| parameter | type | needed | meaning |", "|---|---|---|---|"]
        for one in tool.parameters:
            kind = ", ".join(one.choices) if one.choices else _KINDS[one.kind.value]
            if one.kind.value == "integer":
                kind = f"whole number, {one.least} to {one.most:,}"
            default = "" if one.default is None else f" Without it: {one.default}."
            needed = "yes" if one.required else ""
            lines.append(f"| `{one.name}` | {kind} | {needed} | {one.doc}{default} |")
        lines.append("")
    return "\n".join(lines)


_KINDS = {"string": "text", "boolean": "true or false", "array": "list of texts", "integer": ""}


def _commands() -> str:
    lines = [
        "## `/memory`\n",
        "Every word of the command line works after `/memory`, in the vault and project of the",
        "session; the person who typed it acts. Questions cannot be asked there, so what asks says",
        "which option answers. `inbox`, `review` and `ratify --review` open panels. These are completed first,",
        "and then every other word, and what may stand after it:\n",
        "| word | goes on with | meaning |",
        "|---|---|---|",
    ]
    lines += [
        f"| `{one.name}` | {one.arguments and f'`{one.arguments}`'} | {one.doc} |"
        for one in SUBCOMMANDS
    ]
    return "\n".join([*lines, ""])


_READ_STDIN = ("detect", "key import")
"""Commands that have nothing to read there."""


def completed() -> list[Subcommand]:
    """What is completed after `/memory`: our own words, then every other one of the command line."""
    found = list(SUBCOMMANDS)
    for one in SUBCOMMANDS:
        choices = re.fullmatch(r"\[(\w+(?:\|\w+)+)\]", one.arguments)
        words = choices[1].split("|") if choices else []
        found += [Subcommand(f"{one.name} {word}", one.doc) for word in words]
    known = {one.name for one in found}
    for path, command in every_command():
        name = " ".join(path)
        if name not in known and not {name, path[0]} & {*NOT_HERE, *_READ_STDIN}:
            doc = command.get_short_help_str(60).rstrip(".")
            found.append(Subcommand(name, doc, _rest(command)))
    return found


def _rest(command: click.Command) -> str:
    """How a word goes on, without its options."""
    if isinstance(command, click.Group):
        return "…"
    given = [one for one in command.params if isinstance(one, click.Argument)]
    return " ".join(one.make_metavar(click.Context(command)) for one in given)


def tools_text() -> str:
    """What tools.json holds."""
    told = tools_json() | {"commands": [one.json() for one in completed()]}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.hooks.protocol --write")
    PAGE.write_text(page(), encoding="utf-8")
    TOOLS_FILE.write_text(tools_text(), encoding="utf-8")
