"""A lived-in vault with its machine, put back as it was before every example."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.core.patches import CHANGES
from tests.no_disk import IN_MEMORY
from tests.services import patching
from tests.services.candidates import captured
from tests.world import World
from vaultmem.core.operation import Op
from vaultmem.notes.codec import decode_memory
from vaultmem.services.call import Actor
from vaultmem.services.inquiries import ask
from vaultmem.services.promote import run as promote
from vaultmem.services.ratify import ratify

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID = {
    "Memory/Lessons/Add files by name.md": "Add files by name.",
    "Memory/Preferences/Answer in English.md": "Answer in English.",
    "Memory/Patterns/Retry three times.md": "Retry three times, then give up.",
    "Memory/Decisions/Use Postgres.md": "Use Postgres for readings.",
    "Memory/Mistakes/Tables in local time.md": "Tables in local time were an hour off.",
    "Memory/Completions/Release signed.md": "Release 1.8 is signed.",
    "Memory/Identity/Speak plainly.md": "Speak plainly.",
}
"""The statements of the vault's memories."""
_MORE = {
    "Memory/Lessons/Add files by name.md": {
        "pinned": "true",
        "trigger": "bash_contains git add .",
        "action": "block",
    },
    "Memory/Identity/Speak plainly.md": {"layer": "L1"},
    "Memory/Decisions/Use Postgres.md": {"project": "github.com/a/b", "scope": "project"},
    "Memory/Patterns/Retry three times.md": {"vault_ref": '"[[Git worktrees]]"'},
}


class Stage:
    """One place on which every example plays."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="vaultmem-fuzz-", dir=IN_MEMORY))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.live, self._still = self.folder / "live", self.folder / "still"
        world = World(self.live)
        self.ids = _lived_in(world)
        world.close()
        self.clock = world.here.ahead
        shutil.copytree(self.live, self._still)
        self.paths = sorted(
            path.relative_to(world.vault).as_posix()
            for path in world.vault.rglob("*")
            if path.is_file()
        )
        """Every file of the vault."""

    @contextmanager
    def set(self) -> Iterator[World]:
        """The vault as it was when it was made; closed and swept afterwards."""
        _sweep(self.live)
        shutil.copytree(self._still, self.live)
        world = World.attach(self.live / "vault", self.live / "home0", seed=99)
        world.here.ahead = self.clock
        try:
            yield world
        finally:
            world.close()


def _sweep(folder: Path) -> None:
    """Remove a folder in which somebody may have taken rights away."""
    for place, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(place, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(folder)


def _lived_in(world: World) -> dict[str, str]:
    """A vault with a note of most types; the ids of its memories by path."""
    for path in SAID:
        category = {"Identity": "preference", "Completions": "done"}.get(
            path.split("/")[1], path.split("/")[1][:-1].lower()
        )
        body = f"{SAID[path]}\n\n## Why\n\n- it was *so*, see [[Git worktrees]]"
        world.memory(path, body, category=category, **_MORE.get(path, {}))
    world.write(
        "Notes/Git worktrees.md", "---\naliases: [worktrees]\n---\n# Git worktrees\n\nText.\n"
    )
    world.here.sync()
    call = world.here.call()
    for path in SAID:
        if "trigger" in _MORE.get(path, {}) or "Identity" in path:
            ratify(call, path)
    world.here.sync()
    captured(call, "Use bun for installs.", sessions=("s1", "s2"))
    captured(call, "Never add files by name.", said="No, never do that.")
    ask(world.here.call()._replace(actor=Actor.POLICY), "Which database does staging use?")
    known = ids(world)
    lesson, pattern = (
        known[path] for path in (next(iter(SAID)), "Memory/Patterns/Retry three times.md")
    )
    patching.save(
        world,
        patching.operation(world, Op.UPDATE, pattern, changes={"statement": "Retry four times."}),
        patching.operation(world, Op.ADD_EXCEPTION, lesson, changes=CHANGES[Op.ADD_EXCEPTION]),
        patching.operation(world, Op.FLAG_FOR_REVIEW, pattern, changes=CHANGES[Op.FLAG_FOR_REVIEW]),
    )
    promote(world.here.call())
    world.write("Memory/Scratchpad.md", "# Scratchpad\n\n- [ ] try uv\n- [x] done\n")
    world.here.pass_time(minutes=15)
    world.here.sync()
    return known


def ids(world: World) -> dict[str, str]:
    """The memories of the vault: the id by the path of the note."""
    return {
        path: decode_memory(world.path(path).read_bytes(), path=path).memory.id for path in SAID
    }


@cache
def stage() -> Stage:
    """The stage of this process, made once."""
    return Stage()
