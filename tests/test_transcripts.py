"""Console sessions of `tests/transcripts/`: each command prints what its transcript says.

A transcript starts in a copy of the example vault. `$ ` begins a command: `vaultmem`, which runs in
this process with the clock at noon of 29 November 2026, or a line for the shell. What follows is its
output; `[14]` is an exit code other than 0. `> ` is what a person types. The first line is a title.
`python -m tests.test_transcripts` writes the outputs anew; read the difference.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal, copy_example, normalised
from tests.reference import every_command

FOLDER = Path(__file__).parent / "transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))
ELSEWHERE = {"watch", "demo", "model list", "serve", "mcp"}
"""They need the real clock, the model, a signal or a list that is not ours: see `tests/cli`."""


def replay(text: str, folder: Path) -> str:
    """The transcript as it would be written now."""
    person = Terminal(copy_example(folder / "tide-notes"), folder / "home")
    lines = text.splitlines()
    written = [lines[0]]
    for number, line in enumerate(lines):
        if line.startswith("$ "):
            typed = [one[2:] for one in _following(lines, number) if one.startswith("> ")]
            written += ["", line, *(f"> {one}" for one in typed)]
            written += _run(person, line[2:], typed, folder)
    return "\n".join(written).strip() + "\n"


def _following(lines: list[str], number: int) -> list[str]:
    rest = lines[number + 1 :]
    return rest[: next((at for at, one in enumerate(rest) if not one.startswith("> ")), len(rest))]


def _run(person: Terminal, line: str, typed: list[str], folder: Path) -> list[str]:
    words = shlex.split(line)
    env = {}
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        env[name] = value
    if words[0] == "cd":
        person.cwd = (person.cwd / words[1]).resolve()
        return []
    if words[0] == "vaultmem":
        answers = "".join(f"{one}\n" for one in typed) if typed else None
        done = person.run(*words[1:], typed=answers, env=env)
        code, text = done.code, done.out + done.err
    else:
        shell = subprocess.run(
            ["sh", "-c", line], cwd=person.cwd, capture_output=True, text=True, check=False
        )
        code, text = shell.returncode, shell.stdout + shell.stderr
    shown = normalised(text, (folder, "~")).rstrip().splitlines()
    return [*shown, *([f"[{code}]"] if code else [])]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_goes_as_its_transcript_says(path, tmp_path):
    text = path.read_text(encoding="utf-8")

    assert replay(text, tmp_path) == text


def test_every_command_has_a_transcript():
    text = "\n".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS)
    missing = {
        " ".join(path)
        for path, command in every_command()
        if not hasattr(command, "commands")
        and not re.search(rf"^\$ .*vaultmem (--vault \. )?{' '.join(path)}\b", text, re.M)
    }

    assert missing == ELSEWHERE


def _write() -> None:
    for path in TRANSCRIPTS:
        with tempfile.TemporaryDirectory() as folder:
            text = replay(path.read_text(encoding="utf-8"), Path(folder).resolve())
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write()
