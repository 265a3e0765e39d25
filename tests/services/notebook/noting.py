"""A vault whose notebook is on for a project, for tests of what is published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.services.notebook.published import publish, versions
from vaultmem.store.notebook_history import History

if TYPE_CHECKING:
    from tests.world import Device, World

PROJECT = "example.org/team/app"
HANDBOOK, SUMMARY = "Memory/MEMORY.md", "Memory/memory_summary.md"
SKILL, SCRIPT = "Memory/Skills/tag-it/SKILL.md", "Memory/Skills/tag-it/scripts/go.sh"
FILES = {
    "MEMORY.md": b"# Task Group: release\n\n- Tags are signed. [Task 1]\n",
    "memory_summary.md": b"v1\n\n## User preferences\n\n- Sign every tag. [ab12]\n",
    "Skills/tag-it/SKILL.md": b"---\nname: tag-it\n---\nTag it.\n",
    "Skills/tag-it/scripts/go.sh": b"git tag\n",
}
NEXT = FILES | {
    "MEMORY.md": b"# Task Group: release\n\n- Tags are signed and pushed. [Task 1]\n",
    "memory_summary.md": b"v1\n\n## User preferences\n\n- Sign and push tags. [ab12]\n",
}
CONSOLIDATION = "consolidation"


def switch_on(device: Device) -> None:
    """Let the notebook be on for `PROJECT` on a machine."""
    config = device.home / "config" / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    config.write_text(f"notebook:\n- {PROJECT}\n")


def put(device: Device, files=FILES, *, message="Consolidated") -> str:
    """What a consolidation does at its end."""
    call = device.call()
    with versions(call) as history:
        before = history.head_id()
    return publish(call, files, before=before, by=CONSOLIDATION, message=message)


def in_force(device: Device) -> dict[str, bytes]:
    """The published notebook."""
    with versions(device.call()) as history:
        return history.files()


def log(device: Device) -> list[tuple[str, str]]:
    """Whose each version is, and its message, the newest first."""
    with versions(device.call()) as history:
        assert isinstance(history, History)
        return [(one.by, one.message) for one in history.log()]


def on_disk(world: World) -> dict[str, bytes]:
    """The notebook's files as they lie in the vault."""
    root = world.vault / "Memory"
    places = [root / "MEMORY.md", root / "memory_summary.md", *(root / "Skills").rglob("*")]
    return {
        place.relative_to(root).as_posix(): place.read_bytes()
        for place in places
        if place.is_file()
    }
