"""How results reach the terminal: plain lines, tables, findings, JSON; data is never markup."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from vaultmem.core.visible import visible_characters
from vaultmem.core.wording import count as count  # noqa: PLC0414 - all commands take it from here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from vaultmem.core.finding import Finding
    from vaultmem.errors import VaultmemError

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
"""Gives a command the option `--json`, as the argument `as_json`."""

session_option = click.option(
    "--session", metavar="ID", help="The agent's session that is told this."
)
"""Gives a command the option `--session`, None outside of any."""

OTHER_PROJECT = "Another project than that of the working folder, by identity or its last part."
"""The help of a `--project` that is the working folder's where it is not given."""
other_project_option = click.option("--project", metavar="P", help=OTHER_PROJECT)
"""Gives a command that option `--project`, None where it is not given."""


WIDTH = 80
"""Columns of a line that is wrapped, where the terminal is not narrower."""
NARROWEST = 30
"""Columns below which a pane gets broken lines: one word a line is no better to read."""
_COMMAND = re.compile(r"`[^`]*`")
_GLUE = "\0"
"""Stands for a blank within a command; `plain` lets none through."""


def plain(text: str) -> str:
    """Text that cannot drive the terminal: only visible characters, and our own line breaks."""
    lines = (" ".join(map(visible_characters, line.split(" "))) for line in text.split("\n"))
    return "\n".join(line.rstrip() for line in lines)


def say(text: str = "", *, note: str | None = None) -> None:
    """Print one line or more.

    Args:
        text: what to print.
        note: the path of a note that stands in it, as the vault knows it; on a terminal a click on
            it opens the note.
    """
    line = plain(text)
    if note and sys.stdout.isatty():
        from vaultmem.cli.linking import linked  # where somebody looks only

        line = linked(line, plain(note), note)
    click.echo(line)


def width(stream: TextIO) -> int:
    """Columns for wrapped lines: 80, or those of a narrower pane; `COLUMNS` names them as well."""
    try:
        named = int(os.environ.get("COLUMNS", "0"))
        columns = named if named > 0 else os.get_terminal_size(stream.fileno()).columns
    except (ValueError, OSError):  # no number, or no terminal
        columns = WIDTH
    return max(NARROWEST, min(columns or WIDTH, WIDTH))


def wrapped(text: str, columns: int, *, whole: Iterable[str | None] = ()) -> list[str]:
    """Text in lines of at most so many columns; a word or a command is longer before it breaks.

    Args:
        text: the text.
        columns: how long a line is.
        whole: what else in the text is longer before it breaks, such as a path, to be copied.
    """
    from textwrap import wrap

    line = plain(text)
    for part in filter(None, whole):
        line = line.replace(plain(part), plain(part).replace(" ", _GLUE))
    line = _COMMAND.sub(lambda command: command[0].replace(" ", _GLUE), line)
    lines = wrap(line, columns, break_long_words=False, break_on_hyphens=False) or [""]
    return [line.replace(_GLUE, " ") for line in lines]


def say_wrapped(
    text: str, *, first: str = "", indent: int = 0, whole: Iterable[str | None] = ()
) -> None:
    """Print a sentence in lines as long as the terminal allows, `WIDTH` at most.

    Args:
        text: what to say, without line breaks that matter.
        first: stands before it on the first line; as long as `indent`, or empty.
        indent: blanks before the other lines, and before the first one where `first` is empty.
        whole: as `wrapped` takes it.
    """
    blank = " " * indent
    lines = wrapped(text, width(sys.stdout) - indent, whole=whole)
    click.echo(f"{first or blank}" + f"\n{blank}".join(lines))


def say_field(label: str, text: str) -> None:
    """Print one line of a list of facts, its label in a column of ten characters."""
    say_wrapped(text, first=f"{label:10}", indent=10)


def print_json(payload: Mapping[str, Json]) -> None:
    """Print one JSON object, readable and with the characters as they are."""
    click.echo(_encodable(json.dumps(payload, ensure_ascii=False, indent=2)))


def print_json_line(payload: Mapping[str, Json]) -> None:
    """Print one JSON object on one line, for commands that print one after the other."""
    click.echo(_encodable(json.dumps(payload, ensure_ascii=False)))


def _encodable(text: str) -> str:
    """Without halves of characters, which file names in another encoding bring along."""
    return text.encode("utf-8", "replace").decode()


def say_error(error: VaultmemError) -> None:
    """Print an error as its sentence, on standard error."""
    path = getattr(error, "path", None)  # of those that are about one note
    lines = (line.strip() for line in str(error).splitlines())
    say_beside(" ".join(filter(None, lines)), whole=(path,))


def say_beside(sentence: str, *, whole: Iterable[str | None] = ()) -> None:
    """Print a sentence on standard error: one line, which a terminal gets wrapped.

    Args:
        sentence: what to say.
        whole: as `wrapped` takes it.
    """
    text = f"vaultmem: {plain(sentence)}"
    if sys.stderr.isatty():
        text = "\n".join(wrapped(text, width(sys.stderr), whole=whole))
    click.echo(text, err=True)


def error_json(error: VaultmemError) -> str:
    """An error as JSON: `{error: {type, message, exit_code}}`."""
    return error_object(type(error).__name__, str(error), error.exit_code)


def error_object(kind: str, message: str, exit_code: int) -> str:
    """The stable shape of an error, on one line."""
    body = {"type": kind, "message": message, "exit_code": exit_code}
    return _encodable(json.dumps({"error": body}, ensure_ascii=False))


def project_name(project: str) -> str:
    """A project for a list: a root commit by its first eight digits, as git shows it."""
    return project[:8] if re.fullmatch("[0-9a-f]{40}", project) else project


def finding_json(finding: Finding) -> dict[str, Json]:
    """A finding in its stable shape."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": finding.path,
        "line": finding.line,
        "message": finding.message,
        "remedy": finding.remedy,
    }


def say_findings(findings: Iterable[Finding]) -> None:
    """Print findings, each with its place, what is wrong and what to do."""
    for finding in findings:
        place = finding.path or ""
        if finding.path and finding.line:
            place = f"{finding.path}:{finding.line}"
        say(f"{finding.severity.value} {finding.code} {place}".rstrip(), note=finding.path)
        say_wrapped(finding.sentence, indent=4, whole=(finding.path,))


def say_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under headers; long cells wrap, so that 80 columns are enough."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for header in headers:
        table.add_column(header, overflow="fold")  # a name that is cut short cannot be typed
    for row in rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    Console(markup=False, highlight=False, emoji=False).print(table)


@contextmanager
def progress(total: int) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error for work in several parts; silent when piped.

    Args:
        total: how much there is to do in each part.

    Yields:
        What is told the part, a word or two, and how much of it is done.
    """
    if not sys.stderr.isatty():
        yield lambda _what, _done: None
        return
    from rich.console import Console
    from rich.progress import Progress, TaskID

    with Progress(console=Console(stderr=True, markup=False), transient=True) as bar:
        parts: dict[str, TaskID] = {}

        def tell(what: str, done: int) -> None:
            if what not in parts:
                parts[what] = bar.add_task(what, total=total)
            bar.update(parts[what], completed=done)

        yield tell


@contextmanager
def stages(label: str) -> Iterator[Callable[[str], None]]:
    """What is done now, on standard error, for work that may take long; silent when piped."""
    if not sys.stderr.isatty():
        yield lambda _label: None
        return
    from rich.console import Console

    with Console(stderr=True, markup=False).status(label) as shown:
        yield lambda now: shown.update(plain(now))


@contextmanager
def counter(label: str) -> Iterator[Callable[[int], None]]:
    """A count on standard error for work that may take more than a second; silent when piped."""
    with stages(label) as stage:
        yield lambda done: stage(f"{label}: {done}")
