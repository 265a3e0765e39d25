"""Session files as the real Pi writes them, for tests."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Talk:
    """One session file that grows entry by entry."""

    def __init__(
        self,
        folder: Path,
        name: str = "01a228b3-619b-74c0-bedb-1ec5be15d70a",
        *,
        cwd: str | Path = "/projects/shop",
        at: str = "2026-11-29T10:00:00.000Z",
        **header: object,
    ) -> None:
        self.id = name
        self.now = datetime.fromisoformat(at)
        slug = "--" + str(cwd).strip("/").replace("/", "-") + "--"
        stamp = at.replace(":", "-").replace(".", "-")
        self.path = folder / slug / f"{stamp}_{name}.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.count = 0
        self.leaf: str | None = None
        head = {"type": "session", "version": 3, "id": name, "timestamp": at, "cwd": str(cwd)}
        self.raw(json.dumps(head | header) + "\n")

    def raw(self, text: str | bytes) -> Talk:
        """Add bytes as they are."""
        with self.path.open("ab") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self

    def entry(self, kind: str, *, parent: str | None = None, **fields: object) -> str:
        """Add an entry; returns its id."""
        self.count += 1
        self.now += timedelta(seconds=10)
        name = f"{self.count:08x}"
        entry = {
            "type": kind,
            "id": name,
            "parentId": self.leaf if parent is None else parent,
            "timestamp": self.now.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        }
        self.raw(json.dumps(entry | fields) + "\n")
        self.leaf = name
        return name

    def message(self, role: str, content: object, **fields: object) -> str:
        """Add a message."""
        parent = fields.pop("parent", None)
        return self.entry(
            "message", parent=parent, message={"role": role, "content": content, **fields}
        )

    def said(self, text: str, **fields: object) -> str:
        """The user says something."""
        return self.message("user", [{"type": "text", "text": text}], **fields)

    def answered(self, text: str, *, stop: str = "stop", tools: tuple = (), **fields) -> str:
        """The agent answers; `tools` are (call id, name, arguments)."""
        parts: list[dict] = [
            {"type": "thinking", "thinking": "Thinking of secret plans."},
            {"type": "text", "text": text},
        ]
        parts += [
            {"type": "toolCall", "id": call, "name": name, "arguments": given}
            for call, name, given in tools
        ]
        usage = {"totalTokens": 100, "cost": {"total": 0.25}}
        return self.message(
            "assistant", parts, model="fake-model", usage=usage, stopReason=stop, **fields
        )

    def done(self, call: str, name: str, text: str = "ok", *, error: bool = False, **details):
        """A tool answers."""
        return self.message(
            "toolResult",
            [{"type": "text", "text": text}],
            toolCallId=call,
            toolName=name,
            isError=error,
            details=details or None,
        )

    def compacted(self, summary: str, *, first_kept: str = "", **fields) -> str:
        """The talk so far is summarised."""
        return self.entry(
            "compaction", summary=summary, firstKeptEntryId=first_kept, tokensBefore=9, **fields
        )

    def left_branch(self, summary: str, **fields) -> str:
        """Another branch is summarised."""
        return self.entry("branch_summary", summary=summary, fromId="00000001", **fields)

    def named(self, name: str) -> str:
        """The session gets a title."""
        return self.entry("session_info", name=name)
