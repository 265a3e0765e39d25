"""A sync program between two vaults: late, torn and empty files, and copies where both changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from pathlib import Path

COPIES = (
    "{stem} (Conflicted copy laptop 202611301330).md",  # Obsidian Sync
    "{stem}.sync-conflict-20261130-133000-ABCDEFG.md",  # Syncthing
    "{stem} (Ada's conflicted copy 2026-11-30).md",  # Dropbox
    "{stem} (conflicted copy 2026-11-30 133000).md",  # Nextcloud
    "{stem} 2.md",  # iCloud
)
"""How programs name the version that lost (DESIGN's facts on Obsidian)."""


class SyncProgram:
    """Carries single files between two folders, and remembers what both had."""

    def __init__(self, desk: Path, laptop: Path, chance: random.Random) -> None:
        self._folders = (desk, laptop)
        self._chance = chance
        self._both = {
            path: data for path, data in _files(desk).items() if _read(laptop, path) == data
        }
        self.torn: dict[tuple[int, str], bytes] = {}
        """By folder and path, what a file will hold of which only a part has come."""
        self.copies = 0

    def carry(self, source: int, *, share: float = 0.6) -> None:
        """Bring some of what differs, in any order, some of it in part."""
        target = 1 - source
        paths = self._changed(source)
        self._chance.shuffle(paths)
        for path in paths:
            if self._chance.random() < share:
                self._bring(path, source, target, torn=self._chance.random() < 0.3)

    def finish(self) -> bool:
        """Bring everything whole; whether anything differed."""
        differed = False
        for (folder, path), data in [*self.torn.items()]:
            self._put(folder, path, data)
            differed = True
        self.torn.clear()
        for source in (0, 1):
            for path in self._changed(source):
                self._bring(path, source, 1 - source, torn=False)
                differed = True
        return differed

    def _changed(self, source: int) -> list[str]:
        """What differs there from what both had, and is whole there."""
        here = _files(self._folders[source])
        return [
            path
            for path in sorted(here.keys() | self._both.keys())
            if here.get(path) != self._both.get(path) and (source, path) not in self.torn
        ]

    def _bring(self, path: str, source: int, target: int, *, torn: bool) -> None:
        mine, theirs = (_read(self._folders[one], path) for one in (source, target))
        waiting = self.torn.pop((target, path), None)
        if waiting is None and theirs not in (self._both.get(path), mine) and theirs is not None:
            if mine is None:
                return  # deleted here and changed there: the change wins, when it is brought
            self._keep_copy(target, path, theirs)
        if mine is None:
            self._both.pop(path, None)
            (self._folders[target] / path).unlink(missing_ok=True)
            return
        if torn:
            self.torn[target, path] = mine
            self._put(target, path, mine[: self._chance.choice((0, len(mine) // 2))])
        else:
            self._put(target, path, mine)
        self._both[path] = mine

    def _keep_copy(self, folder: int, path: str, data: bytes) -> None:
        name = self._chance.choice(COPIES).format(stem=path.removesuffix(".md"))
        self._put(folder, name, data)
        self.copies += 1

    def _put(self, folder: int, path: str, data: bytes) -> None:
        place = self._folders[folder] / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        place.relative_to(folder).as_posix(): place.read_bytes()
        for place in sorted(folder.rglob("*.md"))
        if place.is_file() and not place.name.startswith(".")
    }


def _read(folder: Path, path: str) -> bytes | None:
    place = folder / path
    return place.read_bytes() if place.is_file() else None
