"""An editor beside a verb: it saves a note between two steps, or writes old bytes when all is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.faults.trial import BESIDE
from tests.services.crash_driver import Ended, before_step, in_child

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LINE = "Seen zqeditor."
"""What the person adds below."""


def open_notes(vault: Path) -> list[Path]:
    """The notes that a person could have open: memories and what waits, but the one beside."""
    found = sorted(vault.glob("Memory/*/*.md"))
    return [one for one in found if one != vault / BESIDE]


def with_line(data: bytes) -> bytes:
    """A note with the person's line below."""
    return data.rstrip(b"\n") + f"\n\n{LINE}\n".encode()


def saves_at(verb: Callable[[], object], at: int, note: Path, sign: Path) -> Ended:
    """Run `verb` in a child; before its `at`th step the editor saves the note, also as `sign`.

    An editor that follows its notes has nothing to save where the verb took the note away before.
    """
    sign.unlink(missing_ok=True)

    def save() -> None:
        if note.exists():
            data = with_line(note.read_bytes())
            note.write_bytes(data)
            sign.write_bytes(data)

    return in_child(verb, lambda: before_step(at, save))


def writes_old_bytes(verb: Callable[[], object], note: Path) -> Ended:
    """Run `verb` in a child; the editor, which had the note open, writes its bytes and a line."""
    held = note.read_bytes()
    ended = in_child(verb, lambda: None)
    note.write_bytes(with_line(held))
    return ended
