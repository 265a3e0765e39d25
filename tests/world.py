"""A vault with one or more devices for tests: real files, a clock that can be moved, no model."""

from __future__ import annotations

import os
import random
import shutil
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from vaultmem.app import App
from vaultmem.cli.opening import open_or_adopt
from vaultmem.config import Environment
from vaultmem.core.ids import ulid
from vaultmem.services.sync import SyncResult, sync
from vaultmem.store.process import Process
from vaultmem.store.windows import close_all, open_window

if TYPE_CHECKING:
    from pathlib import Path

NOTE = "Memory/Lessons/Add files by name.md"
SAYS = "Add files by name."
"""The memory that many tests are about; the fixture `known` writes it."""

SETTINGS = "---\ntype: settings\n---\nSettings.\n"


class Device:
    """One machine: its own home folder and clock, the shared vault."""

    def __init__(self, vault: Path, home: Path, *, seed: int) -> None:
        self.home = home
        self.vault_path = vault
        self.ahead = timedelta()
        self._random = random.Random(seed)
        self._apps: list[App] = []

    def app(self, *, agent: str | None = None) -> App:
        """A new process on this machine."""
        app = App(
            env=Environment(home=str(self.home), agent=agent),
            cwd=self.vault_path,
            vault=str(self.vault_path),
            now=lambda: datetime.now().astimezone() + self.ahead,
            random=self._random.randbytes,
            embedder=lambda: None,
        )
        self._apps.append(app)
        return app

    def call(self, *, agent: str | None = None):
        """The circumstances of one verb."""
        app = self.app(agent=agent)
        open_or_adopt(app)
        return app.call()

    def sync(self, *, agent: str | None = None, **options) -> SyncResult:
        """What `vaultmem sync` does."""
        return sync(self.call(agent=agent), **options)

    def open_window(self, at_ns: int, *, pid: int | None = None) -> None:
        """A tool of an agent starts that can write; the agent is this process or another one."""
        open_window(self.home / "state", Process(pid or os.getpid()), "tool", at_ns=at_ns)

    def close_windows(self, at_ns: int) -> None:
        """Its tools have ended."""
        close_all(self.home / "state", Process(os.getpid()), at_ns=at_ns)

    def pass_time(self, **span: float) -> None:
        """Move this machine's clock."""
        self.ahead += timedelta(**span)

    @property
    def id(self) -> str:
        """The device's id."""
        return (self.home / "state" / "device").read_text().strip()

    def close(self) -> None:
        """End all its processes."""
        for app in self._apps:
            app.__exit__(None, None, None)


class World:
    """A vault below `folder` and the devices that share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.vault = folder / "vault"
        self.devices: list[Device] = []
        self._ids = random.Random(7)
        self.write("Memory/Settings.md", SETTINGS)
        self.here = self.device()

    @classmethod
    def attach(cls, vault: Path, home: Path, *, seed: int) -> World:
        """The view of one more process on a machine whose folders are there already."""
        made = cls.__new__(cls)
        made.folder, made.vault = vault.parent, vault
        made.here = Device(vault, home, seed=seed)
        made.devices = [made.here]
        return made

    def device(self) -> Device:
        """One more machine that shares the vault; it has the key if another one has."""
        number = len(self.devices)
        made = Device(self.vault, self.folder / f"home{number}", seed=number)
        if self.devices:
            for key in (self.here.home / "state").glob("vault_*/key"):
                target = made.home / "state" / key.parent.name / "key"
                target.parent.mkdir(parents=True, mode=0o700)
                shutil.copy(key, target)
                for place in (made.home, made.home / "state"):
                    place.chmod(0o700)
        self.devices.append(made)
        return made

    def new_id(self, prefix: str = "mem") -> str:
        """An id of the right form."""
        return f"{prefix}_{ulid(1_764_000_000_000, self._ids.randbytes(10))}"

    def path(self, relative: str) -> Path:
        """A place in the vault."""
        return self.vault / relative

    def write(self, relative: str, text: str | bytes) -> None:
        """Save a file as an editor would."""
        place = self.path(relative)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())

    def read(self, relative: str) -> str:
        """A file's text."""
        return self.path(relative).read_bytes().decode()

    def memory(self, relative: str, statement: str, **properties: object) -> str:
        """Write a memory's note with an id; returns the id."""
        identifier = str(properties.pop("id", None) or self.new_id())
        lines = [f"id: {identifier}", "type: memory"]
        lines += [f"{key}: {value}" for key, value in properties.items()]
        self.write(relative, "---\n" + "\n".join(lines) + f"\n---\n{statement}\n")
        return identifier

    def replace(self, relative: str, old: str, new: str) -> None:
        """Edit a file as a person would."""
        text = self.read(relative)
        assert old in text, f"{old!r} is not in {relative}"
        self.write(relative, text.replace(old, new))

    def snapshot(self) -> dict[str, bytes]:
        """Every file of the vault with its bytes."""
        return {
            place.relative_to(self.vault).as_posix(): place.read_bytes()
            for place in sorted(self.vault.rglob("*"))
            if place.is_file()
        }

    def notes(self) -> dict[str, bytes]:
        """Every file but the ledgers."""
        return {path: data for path, data in self.snapshot().items() if "/Ledger/" not in path}

    def ledger(self, kind: str = "activity", device: Device | None = None) -> str:
        """All ledger lines of a kind, of one device or of all."""
        folder = self.vault / "Memory/System/Ledger"
        names = sorted(folder.glob(f"* {kind} {device.id if device else '*'}.md"))
        return "".join(
            line + "\n"
            for name in names
            for line in name.read_text().splitlines()
            if line.startswith("- ")
        )

    def close(self) -> None:
        """End all processes of all devices."""
        for device in self.devices:
            device.close()


def codes(done: SyncResult) -> list[str]:
    """The codes of what was found, in its order."""
    return [one.code for one in done.findings]
