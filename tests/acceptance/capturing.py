"""Hostile texts on their way through the command line, and the notes that they went to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

AGENT = {"AI_AGENT": "coder"}


class Kept(NamedTuple):
    """Where a captured text went: the terminal it was said in, and its note."""

    terminal: Terminal
    id: str
    path: str

    @property
    def data(self) -> bytes:
        """The bytes of the note."""
        return (self.terminal.cwd / self.path).read_bytes()


def capture(
    terminal: Terminal, text: str, *options: str, env: dict[str, str] | None = None
) -> Kept:
    """Say it, as a person or in an agent's environment; it must be kept."""
    said = ["add", "--category", "lesson", "--json", *options, "--", text]
    done = terminal.ok(*said, env=env).json
    assert done["outcome"] == ("candidate" if env else "added"), done
    return Kept(terminal, done["id"], done["path"])
