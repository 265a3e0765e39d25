"""Runs the command line inside the test's process, with a clock, ids and a terminal of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import shutil
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from tests.example_vault import VAULT
from vaultmem import __version__
from vaultmem.app import App
from vaultmem.cli.main import run
from vaultmem.config import read_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultmem.index.embedder import Embedder

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
"""Noon of the last day of the example vault."""
SETTINGS = "---\ntype: settings\n---\nSettings.\n"
IDS = re.compile(r"\b(mem|cand|vault|dev)_[0-9A-HJKMNP-TV-Z]{26}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """Standard output, which must be exactly one JSON object."""
        found = json.loads(self.out)
        assert isinstance(found, dict)
        return found


class Tty(io.StringIO):
    """A keyboard whose input was typed already, or a screen."""

    def isatty(self) -> bool:
        return True


class Terminal:
    """One person's terminal on one machine.

    Args:
        cwd: the working folder.
        home: the folder for config, state and cache.
        seed: what the random bytes follow from.
        embedder: makes the embedding model; none by default.
    """

    def __init__(
        self,
        cwd: Path,
        home: Path,
        *,
        seed: int = 7,
        embedder: Callable[[], Embedder | None] | None = lambda: None,
    ) -> None:
        self.cwd = cwd
        self.home = home
        self.now = NOW
        self.embedder = embedder
        self._random = random.Random(seed)

    def run(
        self,
        *arguments: str,
        stdin: str | None = None,
        typed: str | None = None,
        screen: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> Result:
        """Run `vaultmem` with these arguments.

        Args:
            arguments: what stands after the program's name.
            stdin: what a pipe brings.
            typed: what a person types; without it nobody is there.
            screen: whether standard output is a terminal as well.
            env: more variables.
        """
        out, err = Tty() if screen else io.StringIO(), io.StringIO()
        variables = {
            "VAULTMEM_HOME": str(self.home),
            "PI_CODING_AGENT_DIR": str(self.home / "agent"),  # never the sessions of this machine
            "COLUMNS": "80",
            **(env or {}),
        }
        keyboard = Tty(typed) if typed is not None else io.StringIO(stdin or "")
        self.now += timedelta(seconds=1)
        with (
            mock.patch.dict(os.environ, variables),
            mock.patch.object(App, "from_process", self._app),
            mock.patch("sys.stdin", keyboard),
            mock.patch("click.termui.hidden_prompt_func", return_value=(typed or "").strip()),
            contextlib.chdir(self.cwd),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = run(list(arguments))
        return Result(code=code, out=out.getvalue(), err=err.getvalue())

    def ok(self, *arguments: str, **more: str) -> Result:
        """Run a command that must work."""
        done = self.run(*arguments, **more)
        assert done.code == 0, done
        return done

    def app(self) -> App:
        """The app of a command that this person runs now."""
        with mock.patch.dict(os.environ, {"VAULTMEM_HOME": str(self.home)}):
            return App(
                env=read_environment(),
                cwd=self.cwd,
                now=lambda: self.now,
                random=self._random.randbytes,
                embedder=self.embedder,
            )

    def _app(self, *, vault: str | None = None) -> App:
        return App(
            env=read_environment(),
            cwd=Path.cwd(),
            vault=vault,
            now=lambda: self.now,
            random=self._random.randbytes,
            embedder=self.embedder,
        )


def copy_example(place: Path) -> Path:
    """A copy of the example vault at `place`, last saved in the morning of its last day."""
    shutil.copytree(VAULT, place)
    morning = (NOW - timedelta(hours=4)).timestamp()
    for file in place.rglob("*"):
        if file.is_file():
            os.utime(file, (morning, morning))
    return place


def small_vault(place: Path) -> Path:
    """A vault with a memory root and one note of the person's own."""
    write(place / "Memory/Settings.md", SETTINGS)
    write(place / "Notes/Own.md", "---\ntags:\n  - mine\nrating: 3\n---\nA note of my own.\n")
    return place


def write(place: Path, text: str) -> Path:
    """Save a file as an editor would."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
    return place


def files(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder: files with their bytes, folders with None."""
    return {
        one.relative_to(folder).as_posix(): one.read_bytes() if one.is_file() else None
        for one in sorted(folder.rglob("*"))
    }


def normalised(text: str, *places: tuple[Path, str]) -> str:
    """Output with what differs from run to run replaced: places, device ids, keys."""
    for place, name in places:
        text = text.replace(str(place.resolve()), name)
    text = text.replace(f"vaultmem {__version__}", "vaultmem …").replace(sys.executable, "python")
    text = re.sub(r"\bdev_[0-9A-HJKMNP-TV-Z]{26}\b", "dev_…", text)
    return re.sub(r"vaultmem-key:1:(\w+):[\w-]+:[0-9a-f]+", r"vaultmem-key:1:\1:…", text)
