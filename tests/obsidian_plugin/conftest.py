"""Node with the plugin in it: its commands over a vault, and its splice over many notes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.obsidian_plugin.build import MAIN, PLUGIN, Tools, tools
from tests.pi.installed import or_skip

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent


class Done(NamedTuple):
    """What became of commands in Obsidian."""

    offered: list[str]
    said: list[str]
    shown: list[str]
    written: list[str]
    asked: list[str]
    names: list[dict[str, str]]


class Obsidian:
    """The plugin in a small Obsidian, over a real folder."""

    def __init__(self, made: Tools) -> None:
        self.tools = made

    def run(self, vault: Path, active: str | None, *commands: str, **more: str) -> Done:
        """Run commands on the active note."""
        wish = {"vault": str(vault), "active": active, "run": commands, **more}
        return Done(**json.loads(self._node("drive.mts", str(MAIN), json.dumps(wish))))

    def splice(self, wishes: Iterable[tuple[bytes, str, str | bool]]) -> list[dict[str, object]]:
        """For each note, key and value the new bytes (`data`), or `problem`, `remedy`, `line`."""
        rows = [
            json.dumps({"data": base64.b64encode(data).decode(), "key": key, "value": value})
            for data, key, value in wishes
        ]
        said = self._node("splice.mts", str(PLUGIN / "src"), "".join(f"{row}\n" for row in rows))
        found = [json.loads(line) for line in said.split("\n") if line]  # others may be in a text
        return [
            {**one, "data": base64.b64decode(one["data"])} if "data" in one else one
            for one in found
        ]

    def _node(self, script: str, what: str, given: str) -> str:
        arguments = ("--no-warnings", str(HERE / "node" / script), what, str(self.tools.modules))
        done = self.tools.run(*arguments, given=given)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def made() -> Tools:
    """Node and the packages; where they cannot be had, CI fails and others skip."""
    return or_skip(tools, "The plugin cannot be built here")


@pytest.fixture
def obsidian(made: Tools) -> Obsidian:
    """The plugin, loaded."""
    return Obsidian(made)
