"""Writes the reference pages that follow from the code: `python -m tests.reference --check|--write`."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem import errors
from vaultmem.cli.main import COMMANDS, cli
from vaultmem.core.finding import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
_GENERATED = "<!-- Generated from the code by `just docs-write`. Do not edit. -->"
_GROUPS = {
    "VM1": "Reading one note",
    "VM2": "The user config, the choice of a vault, settings",
    "VM3": "What a sync met, and what the memories say",
    "VM4": "This machine's state, key and ledgers",
    "VM6": "What the guards say of a text or a patch",
    "VM7": "What `doctor --diagnostics` finds",
    "VM8": "Reports, promotions, maintenance and questions for you",
    "VM9": "The agent's side",
}
_FIXED_CODES = (
    (
        0,
        "",
        "It worked; of `add` also where the statement was known already or waits in the inbox.",
    ),
    (
        1,
        "",
        "`doctor` found something wrong; a model gave `notebook` no answer that could be used; "
        "`review resolve` found no such comment; or the reader of the output went away.",
    ),
    (2, "UsageError", "A command, option or argument was written wrongly."),
    (3, "", "A bug; the message names the log file that holds the trace."),
    (130, "", "It was interrupted with Ctrl-C, or a question was left."),
)


def pages() -> dict[str, str]:
    """Every generated page: its file name and its text."""
    return {
        "cli.md": cli_page(),
        "findings.md": findings_page(),
        "exit-codes.md": exit_codes_page(),
    }


def cli_page() -> str:
    """Every command with its help, as a terminal of 80 columns shows it."""
    lines = [
        "# Commands",
        "",
        _GENERATED,
        "",
        "`vaultmem [--vault V] COMMAND`, also `python -m vaultmem`. Every command has `--json`; the",
        "shapes are in [json.md](json.md), the exit codes in [exit-codes.md](exit-codes.md).",
        "",
        *_block(cli, ["vaultmem"]),
    ]
    for path, command in every_command():
        lines += [f"## vaultmem {' '.join(path)}", "", *_block(command, ["vaultmem", *path])]
    return "\n".join(lines).rstrip() + "\n"


def every_command() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command, a group before its members, in the order of help."""
    context = click.Context(cli, info_name="vaultmem")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from _with_members((name,), command, context)


def _with_members(
    path: tuple[str, ...], command: click.Command, context: click.Context
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for member in command.list_commands(context):
            found = command.get_command(context, member)
            assert found is not None
            yield from _with_members((*path, member), found, context)


def findings_page() -> str:
    """Every finding code with its severity, meaning and remedy."""
    lines = [
        "# Findings",
        "",
        _GENERATED,
        "",
        "What `sync` and `doctor` report. `doctor` exits with 1 if there is an error or a warning;",
        "an info is only worth knowing. A finding never stops a command.",
    ]
    for prefix, title in _GROUPS.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| code | severity | meaning | what to do |",
            "|---|---|---|---|",
        ]
        for number, code in CODES.items():
            if number.startswith(prefix):
                cells = (number, code.severity.value, code.meaning, code.remedy)
                lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


def exit_codes_page() -> str:
    """Every exit code with the error classes that have it."""
    lines = [
        "# Exit codes",
        "",
        _GENERATED,
        "",
        "An error is one sentence and the next step on standard error. With `--json` the same stands",
        'on standard output as `{"error": {"type", "message", "exit_code"}}`.',
        "",
        "| code | error | meaning |",
        "|---|---|---|",
    ]
    rows = [(code, name, text) for code, name, text in _FIXED_CODES]
    rows += [(one.exit_code, one.__name__, _sentence(one)) for one in error_classes()]
    for code, name, text in sorted(rows):
        lines.append(f"| {code} | {f'`{name}`' if name else ''} | {_cell(text)} |")
    return "\n".join(lines) + "\n"


def error_classes() -> list[type[errors.VaultmemError]]:
    """The error classes, as `errors.py` has them."""
    found = [
        one
        for _, one in inspect.getmembers(errors, inspect.isclass)
        if issubclass(one, errors.VaultmemError)
    ]
    return sorted(found, key=lambda one: (one.exit_code, one.__name__))


def _sentence(one: type[errors.VaultmemError]) -> str:
    return (inspect.getdoc(one) or "").split("\n\n")[0].replace("\n", " ")


def _block(command: click.Command, path: Sequence[str]) -> list[str]:
    context: click.Context | None = None
    owner: click.Command = cli
    for name in path:
        if context is not None:
            assert isinstance(owner, click.Group)
            found = owner.get_command(context, name)
            assert found is not None
            owner = found
        context = click.Context(
            owner,
            info_name=name,
            parent=context,
            terminal_width=80,
            max_content_width=80,
            help_option_names=["-h", "--help"],
        )
    assert context is not None
    text = command.get_help(context)
    return ["```text", *(line.rstrip() for line in text.splitlines()), "```", ""]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def differing(folder: Path) -> list[str]:
    """The pages in `folder` that are not what the code says."""
    return [
        name
        for name, text in pages().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: Sequence[str], folder: Path = REFERENCE) -> int:
    """Check or write the pages; 1 if one differs, 2 for another option."""
    if list(arguments) == ["--write"]:
        for name, text in pages().items():
            (folder / name).write_text(text, encoding="utf-8")
        return 0
    if list(arguments) != ["--check"]:
        print("Usage: python -m tests.reference --check | --write")
        return 2
    for name in differing(folder):
        print(f"docs/reference/{name} differs from the code. Run `just docs-write`.")
    return 1 if differing(folder) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
