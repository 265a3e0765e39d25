"""Another agent for tests: its hook payloads in, what our hook command prints out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.hooks.hosts.run import run_from

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.hooks.hosts.host import Host

PAYLOADS = Path(__file__).parent / "payloads"
AGENTS = ("AI_AGENT", "PI_CODING_AGENT", "PI_SESSION_ID", "CLAUDECODE", "CLAUDE_PROJECT_DIR")


def example(host: Host, event: str, world: World) -> dict:
    """The example of a payload, in the vault's folder and with its transcript."""
    text = (PAYLOADS / host.value / f"{event}.json").read_text()
    text = text.replace("{cwd}", str(world.vault))
    return json.loads(text.replace("{transcript}", str(world.folder / "talk.jsonl")))


class Hosted:
    """One agent whose hook commands run in this process, which stands for the agent."""

    def __init__(self, world: World, host: Host) -> None:
        self.world = world
        self.host = host
        self.warned: list[str] = []

    def raw(self, event: str, payload: bytes) -> str:
        """What is printed for any bytes."""
        said: list[str] = []
        self.warned = []
        run_from(
            self.host,
            event,
            str(self.world.vault),
            payload,
            say=said.append,
            warn=self.warned.append,
            apart=False,
        )
        assert len(said) <= 1
        return "".join(said)

    def send(self, event: str, **changes: object) -> dict:
        """The answer to an example, with some of its fields changed; {} for none."""
        given = example(self.host, event, self.world) | changes
        said = self.raw(event, json.dumps(given).encode())
        return json.loads(said) if said else {}

    def tool(self, tool: str, call: str = "c1", **given: object) -> dict:
        """The answer before a tool runs."""
        return self.send("PreToolUse", tool_name=tool, tool_use_id=call, tool_input=given)

    def done(self, tool: str, call: str = "c1", **given: object) -> dict:
        """The answer after it ran."""
        return self.send("PostToolUse", tool_name=tool, tool_use_id=call, tool_input=given)

    def talked(self, *entries: dict | str) -> None:
        """Write the transcript: the example's, or these entries."""
        place = self.world.folder / "talk.jsonl"
        if entries:
            lines = [one if isinstance(one, str) else json.dumps(one) for one in entries]
            place.write_text("".join(f"{line}\n" for line in lines))
        else:
            place.write_bytes((PAYLOADS / self.host.value / "transcript.jsonl").read_bytes())


def context(told: dict) -> str:
    """What is added to the talk."""
    return told.get("hookSpecificOutput", {}).get("additionalContext", "")


def denied(told: dict) -> str:
    """Why a tool may not run, "" where it may."""
    more = told.get("hookSpecificOutput", {})
    return more.get("permissionDecisionReason", "") if more.get("permissionDecision") else ""


def clean(world: World, **more: str) -> dict[str, str]:
    """The environment of a hook command."""
    kept = {name: text for name, text in os.environ.items() if name not in AGENTS}
    return {**kept, "VAULTMEM_HOME": str(world.here.home), **more}
