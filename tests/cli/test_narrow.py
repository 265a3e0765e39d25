"""A narrow pane gets shorter lines; words, commands and a pipe's single line stay whole."""

from __future__ import annotations

import io
import sys

import pytest

from vaultmem.cli.output import NARROWEST, WIDTH, say_beside, say_wrapped, width, wrapped

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


def test_an_error_is_wrapped_for_a_terminal_only(monkeypatch):
    monkeypatch.setenv("COLUMNS", "44")
    shown, piped = Screen(), io.StringIO()
    for stream in (shown, piped):
        monkeypatch.setattr(sys, "stderr", stream)
        say_beside(SENTENCE)
    assert piped.getvalue() == f"vaultmem: {SENTENCE}\n"
    assert all(len(line) <= 44 for line in shown.getvalue().splitlines())
    assert " ".join(shown.getvalue().split()) == f"vaultmem: {SENTENCE}"
