"""A command that the program names as a next step can be typed as it stands."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from shlex import split
from typing import TYPE_CHECKING

import click

import vaultmem
from tests.cli.terminal import Terminal, small_vault, write
from vaultmem.cli.main import COMMANDS, cli

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = Path(vaultmem.__file__).parent
QUOTED = re.compile(r"`([^`]+)`")
VALUE = "{}"
"""Stands for a value in a text, which may be a word of a command."""


def printed(tree: ast.AST) -> Iterator[str]:
    """Every text of a module, whole; without docstrings."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            passed.update(map(id, node.values))
            parts = (one.value if isinstance(one, ast.Constant) else VALUE for one in node.values)
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and id(node) not in passed:
            yield str(node.value)


@cache
def quoted() -> list[tuple[str, list[str]]]:
    """What stands between backticks in the program's texts: where, and its words."""
    return [
        (source.name, words)
        for source in sorted(SOURCES.rglob("*.py"))
        for text in printed(ast.parse(source.read_text(encoding="utf-8")))
        for found in QUOTED.findall(text)
        if (words := found.split())
    ]


def is_one(words: list[str]) -> bool:
    """Whether a command, and each command below it that is named, is there."""
    command: click.Command | None = cli
    for word in words:
        if not isinstance(command, click.Group) or word.startswith("-") or word == VALUE:
            return True
        command = command.get_command(click.Context(command), word)
        if command is None:
            return False
    return True


def named(told: str) -> list[str]:
    """The words of the first command of ours in what was told, as a shell takes them."""
    command = next(one for one in QUOTED.findall(" ".join(told.split())) if "vaultmem " in one)
    return split(command)[1:]


def test_a_command_about_a_place_with_blanks_can_be_typed_as_it_stands(tmp_path):
    vault = small_vault(tmp_path / "My vault")
    write(vault / "Memory/Lessons/Add files by name.md", "Add files by name.\n")
    person = Terminal(vault, tmp_path / "my home")

    untrusted = person.run("sync")
    assert untrusted.code == 11
    person.ok(*named(untrusted.err))
    person.ok("sync")

    other = Terminal(small_vault(tmp_path / "no root"), tmp_path / "my home")
    (other.cwd / "Memory/Settings.md").unlink()
    missing = person.run("trust", str(other.cwd))
    assert missing.code == 10
    other.ok(*named(missing.err), "--yes")


def test_a_command_about_a_note_with_blanks_can_be_typed_as_it_stands(tmp_path):
    person = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    person.ok("trust", ".")
    note = write(person.cwd / "Memory/Lessons/Add files by name.md", "Add files by name.\n")
    person.ok("sync")
    write(note, note.read_text().replace("by name", "by their names"))
    person.ok("sync", env={"AI_AGENT": "coder"})

    refused = person.run("edit", "Add files by name", "--set", "confidence", "0.5")
    assert refused.code == 22
    assert person.ok(*named(refused.err)).out.startswith("This version is in force now")


def test_a_command_of_several_words_begins_with_the_programs_name():
    bare = [(where, words) for where, words in quoted() if len(words) > 1 and words[0] in COMMANDS]

    assert [one for one in bare if one[1][0] != "pi"] == []  # Pi's own are called so


def test_a_command_that_is_named_is_there():
    named = [(where, words[1:]) for where, words in quoted() if words[0] == "vaultmem"]

    assert len(named) > 200
    assert [one for one in named if not is_one(one[1])] == []
