"""A narrow pane gets shorter lines; words, commands and a pipe's single line stay whole."""

from __future__ import annotations

import io
import sys

import pytest

from vaultmem.cli.output import (
    NARROWEST,
    WIDTH,
    say_beside,
    say_error,
    say_findings,
    say_wrapped,
    width,
    wrapped,
)
from vaultmem.core.finding import finding
from vaultmem.errors import NoteNotFoundError

SENTENCE = (
    "No vault was found and no folder is one. Run `vaultmem init PATH`, or name one by --vault."
)


class Screen(io.StringIO):
    """A terminal of standard error."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        ("", WIDTH),
        ("60", 60),
        ("200", WIDTH),
        ("5", NARROWEST),
        ("0", WIDTH),
        ("-3", WIDTH),
        ("sixty", WIDTH),
    ],
)
def test_lines_are_as_long_as_the_pane_allows(monkeypatch, columns, lines):
    monkeypatch.setenv("COLUMNS", columns)
    assert width(io.StringIO()) == lines


def test_what_is_told_fits_a_narrow_pane(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "44")
    say_wrapped(SENTENCE, indent=2)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all(len(line) <= 44 for line in lines)


def test_a_command_is_longer_than_a_line_before_it_breaks():
    assert wrapped("Run `vaultmem init PATH` now.", 10) == ["Run", "`vaultmem init PATH`", "now."]


@pytest.mark.parametrize("path", ["My notes/Two words.md", "Memory/`odd` name.md", "a  b.md"])
def test_a_path_that_is_named_is_not_broken_at_its_blanks(monkeypatch, capsys, path):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys, "stderr", Screen())
    say_wrapped(f"It stands in {path}, which is yours.", whole=(path, ""))
    say_error(NoteNotFoundError("There is no such file.", "Look for it.", path=path))
    say_findings([finding("VM331", f"It is {path}.", path=path)])
    out, shown = capsys.readouterr().out.splitlines(), sys.stderr.getvalue().splitlines()
    assert f"{path}," in "".join(out[:3])
    assert any(path in line for line in shown)
    assert sum(path in line for line in out) == 3


def test_an_error_is_wrapped_for_a_terminal_only(monkeypatch):
    monkeypatch.setenv("COLUMNS", "44")
    shown, piped = Screen(), io.StringIO()
    for stream in (shown, piped):
        monkeypatch.setattr(sys, "stderr", stream)
        say_beside(SENTENCE)
    assert piped.getvalue() == f"vaultmem: {SENTENCE}\n"
    assert all(len(line) <= 44 for line in shown.getvalue().splitlines())
    assert " ".join(shown.getvalue().split()) == f"vaultmem: {SENTENCE}"
