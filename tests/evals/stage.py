"""A vault with the person, the agent and the machines around it, for one case to play on."""

from __future__ import annotations

import json
from datetime import datetime
from time import sleep
from typing import TYPE_CHECKING

from tests.cli.terminal import Terminal
from tests.hooks.serving import Serving
from tests.services.purging import places_with
from tests.world import Device, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta
    from pathlib import Path

    from tests.cli.terminal import Result
    from vaultmem.core.standing import Standing

AGENT = {"AI_AGENT": "pi"}
"""The environment of a command that an agent's tool runs."""


class Clocked(Terminal):
    """A terminal on one of the machines, whose clock it shares."""

    def __init__(self, device: Device) -> None:
        super().__init__(device.vault_path, device.home, seed=len(str(device.home)))
        self._device = device

    @property
    def now(self) -> datetime:
        """What the machine's clock shows."""
        return datetime.now().astimezone() + self._device.ahead

    @now.setter
    def now(self, _: datetime) -> None:
        """The machine's clock goes on by itself."""


class Stage:
    """One vault of its own below `folder`, looked at once by its first machine.

    Args:
        folder: an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        self.here = self.world.here
        self._processes: list[Serving] = []
        self._pi: Serving | None = None
        self._terminals: dict[str, Terminal] = {}
        self.here.sync()

    # the person

    def person(self, *words: str, on: Device | None = None, **more: object) -> Result:
        """A command that the person types."""
        place = str((on or self.here).home)
        terminal = self._terminals.get(place)
        if terminal is None:
            terminal = self._terminals[place] = Clocked(on or self.here)
        return terminal.run("--vault", str(self.world.vault), *words, **more)

    def told_by(self, *words: str, on: Device | None = None, **more: object) -> dict:
        """What a command of the person prints as JSON; it must work."""
        done = self.person(*words, "--json", on=on, **more)
        assert done.code == 0, done
        return json.loads(done.out)

    def says(self, text: str, *options: str, category: str = "lesson") -> dict:
        """The person adds a memory by command; what became of it."""
        done = self.person("add", text, "--category", category, *options, "--json")
        return done.json

    def writes(self, folder: str, statement: str, **properties: object) -> str:
        """The person writes a memory's note by hand; its id, once it was looked at."""
        path = f"Memory/{folder}/{statement[:40].rstrip('. ')}.md"
        identifier = self.world.memory(path, statement, **properties)
        self.here.sync()
        return identifier

    # the agent

    def agent(self, *words: str, **more: object) -> Result:
        """A command that a tool of the agent runs."""
        return self.person(*words, env=AGENT, **more)

    @property
    def pi(self) -> Serving:
        """The agent's process, begun when it is first asked for."""
        if self._pi is None:
            self._pi = self.process()
        return self._pi

    def process(self, **more: object) -> Serving:
        """One more process of the agent's extension."""
        made = Serving(self.world, **more)
        self._processes.append(made)
        return made

    def tool(self, name: str, **arguments: object) -> str:
        """What a tool of ours tells the agent, whether it worked or not."""
        given = {"name": name, "call": "c8", "arguments": arguments, "session": "next"}
        return str(self.pi.ask("tool", **given)["text"])

    def session(self, name: str, *said: str, cwd: Path | None = None) -> None:
        """A session of the agent, in which the user types these messages; it ends."""
        where = _where(name, cwd)
        self.pi.ask("session_start", mode="print", **where)
        for number, text in enumerate(said):
            self.hears(text, session=name, entry=f"m{number}", cwd=cwd)
        self.pi.ask("session_shutdown", reason="quit", **where)
        self.pi.settle()

    def hears(
        self, text: str, *, session: str = "s1", entry: str = "m1", cwd: Path | None = None
    ) -> None:
        """The agent's extension hands over what the user typed."""
        where = _where(session, cwd)
        self.pi.ask("input", text=text, source="interactive", entry=entry, **where)
        self.pi.settle()

    def told(self, prompt: str = "", *, session: str = "next", cwd: Path | None = None) -> str:
        """Everything that the agent is told before it thinks about a prompt."""
        where = _where(session, cwd)
        answer = self.pi.ask("before_agent_start", prompt=prompt or "Go on with the work.", **where)
        return "\n".join(answer["sections"].values())

    def stops(self, tool: str, **given: object) -> str:
        """Why a tool of the agent may not run, "" where it may."""
        used = {"tool": tool, "call": "c9", "input": given, "session": "next"}
        answer = self.pi.ask("tool_call", **used)
        if answer.get("block"):
            return str(answer["reason"])
        self.pi.ask("tool_result", **used)  # it ran
        self.pi.settle()
        return ""

    # the circumstances

    def project(self, name: str) -> Path:
        """A folder in which the agent can work, of a project of that name."""
        place = self.world.folder / name
        place.mkdir(exist_ok=True)
        (place / "package.json").write_text(json.dumps({"name": name}))
        return place

    def allow(self, **keys: object) -> None:
        """Keys of this machine's user config."""
        place = self.here.home / "config/config.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()))

    def set(self, **keys: object) -> None:
        """Keys of the vault's `Settings.md`, as the person writes them."""
        lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
        self.world.replace("Memory/Settings.md", "type: settings\n", f"type: settings\n{lines}")

    def by_tool(self, deed: Callable[[], object]) -> None:
        """A tool of the agent does something to the files while it runs; the person syncs."""
        self.pi.ask("tool_call", tool="bash", call="c7", input={"command": "make"})
        sleep(0.01)
        deed()
        sleep(0.01)
        self.pi.ask("tool_result", tool="bash", call="c7", input={"command": "make"})
        self.pi.settle()
        self.here.sync()

    # what is there

    def standing(self, on: Device | None = None) -> list[Standing]:
        """What is in force or informs on a machine."""
        return (on or self.here).call().vault.baseline.standings()

    def statements(self, on: Device | None = None) -> list[str]:
        """What the memories in force say."""
        return sorted(one.statement for one in self.standing(on) if one.status == "active")

    def inbox(self) -> list[dict]:
        """The candidates that wait, as `vaultmem inbox` has them."""
        return list(self.told_by("inbox")["candidates"])

    def waits(self) -> list[str]:
        """What the candidates that wait say."""
        return sorted(str(one["statement"]) for one in self.inbox())

    def found(self, query: str, *options: str) -> list[str]:
        """The ids that a search finds."""
        return [one["id"] for one in self.told_by("search", query, *options)["hits"]]

    def report(self, *options: str) -> str:
        """The situation report, with room for everything."""
        return str(self.told_by("report", "--budget", "10000", *options)["text"])

    def property(self, identifier: str, key: str) -> object:
        """A property of a memory as `vaultmem show` has it."""
        return self.told_by("show", identifier).get(key)

    def files(self, *words: str) -> list[str]:
        """The files of the vault and of this machine that hold one of the words."""
        for one in self._processes:
            one.here.__exit__()
        return sorted(places_with([self.world.vault, self.here.home], words))

    def pass_time(self, **span: float) -> timedelta:
        """Every machine's clock goes on."""
        for one in self.world.devices:
            one.pass_time(**span)
        return self.here.ahead

    def close(self) -> None:
        """End all of it."""
        for one in self._processes:
            one.close()
        self.world.close()


def _where(session: str, cwd: Path | None) -> dict[str, str]:
    """The session of an event, and the folder in which it happens where that is not the vault's."""
    return {"session": session} | ({"cwd": str(cwd)} if cwd else {})
