"""What a person does to the vault by hand in a year: writes, renames, deletes, and keeps a journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from datetime import datetime
    from pathlib import Path

JOURNAL = "Journal"
_WORD, _RENAME, _DELETE = 3, 17, 61
"""Days between two sentences that are written into a memory, two renamings, two deletions."""


class Person:
    """The hands of the one who owns the vault, as Obsidian would carry out what they do.

    Attributes:
        words: every sentence that was written into a memory's note, with the memory's id.
        deleted: ids of the memories whose notes were deleted.
    """

    def __init__(self, vault: Path, chance: random.Random) -> None:
        """Take the vault, and the chance that chooses the notes."""
        self._vault = vault
        self._chance = chance
        self.words: list[tuple[str, str]] = []
        self.deleted: set[str] = set()

    def live(self, day: int, now: datetime, *, spared: frozenset[str]) -> None:
        """One day; `spared` are the ids of the memories that are never deleted."""
        notes = memories(self._vault)
        if now.weekday() < 5:
            self._journal(now, notes)
        if not notes:
            return
        if day % _WORD == 0:
            self._write(day, *self._chance.choice(sorted(notes.items())))
        if day % _RENAME == 0:
            _rename(self._chance.choice(sorted(notes.values())), day)
        if day % _DELETE == _DELETE - 1:
            self._delete({name: note for name, note in notes.items() if name not in spared})

    def lost_words(self, notes: dict[str, Path]) -> int:
        """Sentences that no longer stand in the note of their memory, though it was not deleted."""
        texts = {name: note.read_text() for name, note in notes.items()}
        return sum(
            sentence not in texts.get(name, "")
            for name, sentence in self.words
            if name not in self.deleted
        )

    def _journal(self, now: datetime, notes: dict[str, Path]) -> None:
        place = self._vault / JOURNAL / f"{now:%Y-%m-%d}.md"
        place.parent.mkdir(exist_ok=True)
        linked = f" See [[{self._chance.choice(sorted(notes.values())).stem}]]." if notes else ""
        place.write_text(f"---\ntags: [journal]\n---\nA day of work.{linked}\n")

    def _write(self, day: int, name: str, note: Path) -> None:
        sentence = f"Seen again on day {day}, and it held."
        note.write_text(f"{note.read_text().rstrip()}\n\n{sentence}\n")
        self.words.append((name, sentence))

    def _delete(self, notes: dict[str, Path]) -> None:
        if notes:
            name, note = self._chance.choice(sorted(notes.items()))
            note.unlink()
            self.deleted.add(name)


def memories(vault: Path) -> dict[str, Path]:
    """The notes of memories in the memory root and in its archive, by their ids."""
    return {
        line[len("id: ") :]: note
        for note in sorted((vault / "Memory").rglob("*.md"))
        for line in note.read_text().split("\n---\n", 1)[0].splitlines()
        if line.startswith("id: mem_")
    }


def _rename(note: Path, day: int) -> None:
    if "Archive" not in note.parts:
        note.rename(note.with_name(f"{note.stem} {day}.md"))
