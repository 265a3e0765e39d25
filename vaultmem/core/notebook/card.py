"""A card: what one session was found to have taught, as it travels between machines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vaultmem.core.notebook.stem import short_hash

_NAME = re.compile(r"[\w.:@+-]{1,200}", re.ASCII)


def is_session_name(text: str) -> bool:
    """Whether a session may be called so: it stands in names of files and in lines of lists."""
    return _NAME.fullmatch(text) is not None


def with_tilde(path: str, home: str) -> str:
    """A path for other machines: `~` in place of the home folder, whose name tells the person's."""
    rest = path[len(home) :]
    inside = bool(home.strip("/\\")) and path.startswith(home) and rest[:1] in ("", "/", "\\")
    return f"~{rest}" if inside else path


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What extraction made of one session; all moments are seconds of the Unix epoch.

    Attributes:
        session: the agent's id of the session.
        device: the machine that read the session; only it writes and deletes the card's note.
        project: its identity, "" outside of any.
        cwd: the folder that the session worked in.
        branch: the git branch there, "" where it is not known.
        file: the session's file on that machine; no note tells it.
        watermark: the moment of the last entry that was read.
        slug: a few words for names, as the model gave them; None for none.
        stem: `core.notebook.stem.card_stem`: the name of its note and of the worker's file.
        summary: the recap, for a person and for search.
        card: what consolidation reads.
        made: when extraction answered.
        used: how often it was cited or read.
        last_used: when that was last; None for never.
    """

    session: str
    device: str
    project: str
    cwd: str
    branch: str
    file: str
    watermark: float
    slug: str | None
    stem: str
    summary: str
    card: str
    made: float
    used: int = 0
    last_used: float | None = None

    @property
    def hash(self) -> str:
        """The four letters and digits by which a line of the notebook cites the card."""
        return short_hash(self.stem)
